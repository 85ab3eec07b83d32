//! Reads a file of claims. Reports every fault with its place in the file.

use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::example::WorkedExample;
use evogrid_core::suggestion::one_of;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::{Document, NodeValue, Span, Table};
use evogrid_runner::experiment::spec::fields::Reader;

use super::kind::{KINDS, names, need, read_kind};
use super::{Claim, ClaimExperiment, Claims};
use crate::judge::Rule;
use crate::judge::page::Statement;

/// The keys that every claim needs, and the keys that every claim may have.
const NEEDED: [&str; 5] = ["id", "place", "says", "kind", "experiment"];
const COMMON: [&str; 7] = ["confirmation", "note", "by", "threshold", "reading_of", "goal", "caveat"];

impl Claims {
    /// Reads a file of claims and the published tables that it names.
    ///
    /// # Errors
    /// Returns all faults of the file.
    pub fn load(path: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        Self::from_document(&Document::read(path)?, path.parent().unwrap_or(Path::new("")), catalogue)
    }

    /// Reads the claims of a document. The paths in the document are relative to `folder`.
    ///
    /// # Errors
    /// Returns all faults of the document.
    pub fn from_document(document: &Document, folder: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        let mut reader = Reader::new(document);
        let claims = read(&mut reader, folder, catalogue);
        reader.finish(claims)
    }
}

fn read(reader: &mut Reader<'_>, folder: &Path, catalogue: &Catalogue) -> Option<Claims> {
    let document = reader.document().clone();
    let root = &reader.document().root;
    reader.known(root, "a file of claims", &["paper", "experiments", "claims"]);
    let help = "expected `[paper]`, `[experiments]` and `[[claims]]`";
    need(reader, "the file", &Span::start(), root, &["paper"], help)?;
    let paper = reader.table(root, "paper")?;
    reader.known(paper, "`paper`", &["page", "title", "source", "text", "examples"]);
    let help = "every file of claims needs a `title` and a `source`";
    need(reader, "`paper`", &root.get("paper")?.key_span, paper, &["title", "source"], help);
    let mut text = |key| reader.text(paper, key).map(str::to_owned);
    let (page, title, source) = (text("page"), text("title"), text("source"));
    let text = text("text").unwrap_or_default();
    let examples = read_examples(reader, paper, catalogue);
    let experiments = read_experiments(reader, root, folder);
    let mut claims: Vec<Claim> = Vec::new();
    for (span, table) in tables(reader, root, "claims") {
        let Some(claim) = read_claim(reader, span, table, folder, &experiments) else { continue };
        let Statement { id, reading_of, .. } = &claim.statement;
        if claims.iter().any(|other| other.statement.id == *id) {
            let message = format!("another claim has the id `{id}`");
            reader.fault(&table.get("id")?.node.span, message, "every claim needs its own id");
        }
        if let Some(of) = reading_of {
            let is_claim = |other: &&Statement| other.reading_of.is_none() && !other.is_goal;
            let others = claims.iter().map(|other| &other.statement).filter(is_claim);
            let known: Vec<&str> = others.map(|other| other.id.as_str()).collect();
            if !known.contains(&of.as_str()) {
                let message = format!("none of the earlier claims has the id `{of}`");
                reader.fault(&table.get("reading_of")?.node.span, message, one_of(of, &known));
            }
        }
        claims.push(claim);
    }
    Some(Claims { document, page, title: title?, source: source?, text, examples, experiments, claims })
}

/// The document whose worked examples the page shows. At least one family has examples of this document.
fn read_examples<'d>(reader: &mut Reader<'d>, paper: &'d Table, catalogue: &Catalogue) -> Option<String> {
    let document = reader.text(paper, "examples")?;
    let mut known: Vec<&str> = examples(catalogue).iter().map(|example| example.document).collect();
    known.dedup();
    if !known.contains(&document) {
        let message = format!("the document `{document}` has no worked examples");
        reader.fault(&paper.node("examples")?.span, message, one_of(document, &known));
    }
    Some(document.to_owned())
}

/// Returns the worked examples of all families.
pub fn examples(catalogue: &Catalogue) -> Vec<WorkedExample> {
    catalogue.families().flat_map(|family| family.examples(&catalogue.operators)).collect()
}

fn read_experiments<'d>(reader: &mut Reader<'d>, root: &'d Table, folder: &Path) -> Vec<ClaimExperiment> {
    let mut experiments = Vec::new();
    for entry in reader.table(root, "experiments").map_or(&[][..], |named| &named.entries) {
        let name = entry.key.clone();
        let Some(table) = entry.node.table() else {
            reader.unexpected::<()>(&name, &entry.node, "expected a table with a `path`");
            continue;
        };
        reader.known(table, "an experiment", &["path", "set", "quick", "needs"]);
        let (mut sets, quick) = (names(reader, table, "set"), names(reader, table, "quick"));
        // An experiment with other settings needs a results folder of its own.
        if !sets.is_empty() {
            sets.push(format!("experiment.name={name:?}"));
        }
        need(reader, &format!("`{name}`"), &entry.key_span, table, &["path"], "expected the path of a TOML file");
        let Some((path, node)) = reader.text(table, "path").zip(table.node("path")) else { continue };
        let path = folder.join(path);
        reader.file(&node.span, &path);
        let absent = names(reader, table, "needs").into_iter().find(|file| !folder.join(file).exists());
        experiments.push(ClaimExperiment { name, path, sets, quick, absent, place: None });
    }
    experiments
}

fn read_claim<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    folder: &Path,
    experiments: &[ClaimExperiment],
) -> Option<Claim> {
    let help = "every claim needs `id`, `place`, `says`, `kind` and `experiment`";
    need(reader, "the claim", span, table, &NEEDED, help);
    let mut text = |key| reader.text(table, key).map(str::to_owned);
    let (id, place, says) = (text("id"), text("place"), text("says"));
    let (note, by, caveat, reading_of) = (text("note"), text("by"), text("caveat"), text("reading_of"));
    let kind = text("kind")?;
    let [needed, optional] = reader.choice(table, "kind", &KINDS)?;
    let known = [&NEEDED, &COMMON[..], needed, optional].concat();
    reader.known(table, &format!("a claim of the kind `{kind}`"), &known);
    let mut named = |key| named_experiment(reader, table, key, experiments);
    let (experiment, confirmation) = (named("experiment")?, named("confirmation"));
    let is_goal = reader.flag(table, "goal").unwrap_or(false);
    let has_own_threshold = reader.choice(table, "threshold", &[("ours", ())]).is_some();
    need(reader, "the claim", span, table, needed, &format!("this kind needs {}", needed.join(", ")))?;
    let mut kind = read_kind(reader, table, &kind, folder)?;
    if has_own_threshold && ["at_least", "at_most"].iter().all(|key| table.get(key).is_none()) {
        let help = "expected `at_least` or `at_most` beside `threshold`";
        reader.fault(&table.get("threshold")?.key_span, "the claim needs a threshold", help);
    }
    if let Rule::Mean(mean) = &mut kind.rule {
        mean.is_ours = is_goal || has_own_threshold;
    }
    let (id, place, says, span) = (id?, place?, says?, table.node("id")?.span);
    let is_anchor = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    if id.is_empty() || !id.chars().all(is_anchor) {
        let help =
            "expected lower-case letters, digits and `-`; the id becomes the anchor of a heading, to which links lead";
        reader.fault(&span, format!("`{id}` cannot be the id of a claim"), help);
    }
    let is_goal = is_goal && reading_of.is_none();
    let statement = Statement { id, place, says, note, reading_of, is_goal, caveat };
    Some(Claim { statement, by, experiment, confirmation, kind, has_own_threshold, span })
}

/// The index of the experiment that a claim names under a key.
fn named_experiment<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    key: &str,
    experiments: &[ClaimExperiment],
) -> Option<usize> {
    let asked = reader.text(table, key)?;
    let found = experiments.iter().position(|experiment| experiment.name == asked);
    if found.is_none() {
        let names: Vec<&str> = experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        let message = format!("`experiments` does not contain `{asked}`");
        reader.fault(&table.node(key)?.span, message, one_of(asked, &names));
    }
    found
}

/// The tables of a list, and the place where each table begins.
fn tables<'d>(reader: &mut Reader<'d>, root: &'d Table, key: &str) -> Vec<(&'d Span, &'d Table)> {
    let Some(entry) = root.get(key) else { return Vec::new() };
    let Some(items) = entry.node.items() else {
        let help = format!("write `[[{key}]]`, with double brackets");
        reader.fault(&entry.key_span, format!("`{key}` is not a list of tables"), help);
        return Vec::new();
    };
    let mut tables = Vec::new();
    for item in items {
        match &item.value {
            NodeValue::Table(table) => tables.push((&item.span, table)),
            _ => reader.unexpected(&format!("an entry of `{key}`"), item, "expected a table").unwrap_or(()),
        }
    }
    tables
}

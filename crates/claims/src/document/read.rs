//! Reads a file of claims, with the place of every fault.

use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::example::WorkedExample;
use evogrid_core::suggestion::one_of;

use super::kind::{KINDS, read_kind};
use super::selector::names;
use super::{Claim, ClaimExperiment, Claims};
use crate::judge::ClaimKind;
use crate::judge::page::Role;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::{Document, NodeValue, Span, Table};
use evogrid_runner::experiment::spec::fields::Reader;

/// What every claim may have.
const COMMON: [&str; 12] = [
    "id",
    "place",
    "says",
    "kind",
    "experiment",
    "confirmation",
    "note",
    "by",
    "threshold",
    "reading_of",
    "goal",
    "caveat",
];

impl Claims {
    /// Reads a file of claims and the published tables that it names.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn load(path: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        Self::from_document(Document::read(path)?, path.parent().unwrap_or(Path::new("")), catalogue)
    }

    /// The same for a file that was read; its paths are relative to `folder`.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn from_document(document: Document, folder: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        let mut reader = Reader::new(&document);
        let claims = read(&mut reader, folder, catalogue);
        let (page, title, source, text, examples, experiments, claims) = reader.finish(claims)?;
        Ok(Self { document, page, title, source, text, examples, experiments, claims })
    }
}

type Parts = (Option<String>, String, String, String, Option<String>, Vec<ClaimExperiment>, Vec<Claim>);

fn read(reader: &mut Reader<'_>, folder: &Path, catalogue: &Catalogue) -> Option<Parts> {
    let root = &reader.document().root;
    reader.known(root, "a file of claims", &["paper", "experiments", "claims"]);
    let paper = needed_table(reader, root, "paper")?;
    reader.known(paper, "`paper`", &["page", "title", "source", "text", "examples"]);
    let page = reader.text(paper, "page").map(str::to_owned);
    let title = needed(reader, root, paper, "title");
    let source = needed(reader, root, paper, "source");
    let text = reader.text(paper, "text").unwrap_or_default().to_owned();
    let examples = read_examples(reader, paper, catalogue);
    let experiments = read_experiments(reader, root, folder);
    let mut claims: Vec<Claim> = Vec::new();
    for (span, table) in tables(reader, root, "claims") {
        let Some(claim) = read_claim(reader, span, table, folder, &experiments) else { continue };
        if claims.iter().any(|other| other.id == claim.id) {
            let message = format!("another claim has the id `{}`", claim.id);
            reader.fault(&table.get("id")?.node.span, message, "every claim needs its own id");
        }
        if let Role::Reading(of) = &claim.role {
            let known: Vec<&str> =
                claims.iter().filter(|other| other.role == Role::Claim).map(|other| other.id.as_str()).collect();
            if !known.contains(&of.as_str()) {
                let message = format!("none of the earlier claims has the id `{of}`");
                reader.fault(&table.get("reading_of")?.node.span, message, one_of(of, &known));
            }
        }
        claims.push(claim);
    }
    Some((page, title?, source?, text, examples, experiments, claims))
}

/// The document whose worked examples the page shows. At least one family has examples of it.
fn read_examples<'d>(reader: &mut Reader<'d>, paper: &'d Table, catalogue: &Catalogue) -> Option<String> {
    let document = reader.text(paper, "examples")?;
    let mut known: Vec<&str> = examples(catalogue).iter().map(|example| example.document).collect();
    known.dedup();
    if !known.contains(&document) {
        let span = &paper.get("examples").expect("it was read above").node.span;
        reader.fault(span, format!("`{document}` does not contain worked examples"), one_of(document, &known));
    }
    Some(document.to_owned())
}

/// The worked examples of all families.
pub fn examples(catalogue: &Catalogue) -> Vec<WorkedExample> {
    catalogue.families().flat_map(|family| family.examples(&catalogue.operators)).collect()
}

fn read_experiments<'d>(reader: &mut Reader<'d>, root: &'d Table, folder: &Path) -> Vec<ClaimExperiment> {
    let mut experiments = Vec::new();
    let Some(named) = reader.table(root, "experiments") else { return experiments };
    for entry in &named.entries {
        let NodeValue::Table(table) = &entry.node.value else {
            reader.unexpected::<()>(&entry.key, &entry.node, "expected a table with a `path`");
            continue;
        };
        reader.known(table, "an experiment", &["path", "set", "quick", "needs"]);
        let (mut sets, quick) = (names(reader, table, "set"), names(reader, table, "quick"));
        // Other runs than those of its file, in a folder of their own.
        if !sets.is_empty() {
            sets.push(format!("experiment.name={:?}", entry.key));
        }
        let Some(path) = reader.text(table, "path") else {
            if table.get("path").is_none() {
                reader.fault(
                    &entry.key_span,
                    format!("`{}` has no `path`", entry.key),
                    "expected the path of a TOML file",
                );
            }
            continue;
        };
        let full = folder.join(path);
        reader.file(&table.get("path").expect("it was read above").node.span, &full);
        let absent = names(reader, table, "needs").into_iter().find(|file| !folder.join(file).exists());
        // Where it is not there, claims may still name it: one fault is enough.
        experiments.push(ClaimExperiment { name: entry.key.clone(), path: full, sets, quick, absent });
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
    let text = |reader: &mut Reader<'d>, key: &str| {
        let found = reader.text(table, key);
        if table.get(key).is_none() {
            reader.fault(
                span,
                format!("the claim has no `{key}`"),
                "every claim needs `id`, `place`, `says` and `kind`",
            );
        }
        found.map(str::to_owned)
    };
    let (id, place, says) = (text(reader, "id"), text(reader, "place"), text(reader, "says"));
    let note = reader.text(table, "note").map(str::to_owned);
    let by = reader.text(table, "by").map(str::to_owned);
    let kind = text(reader, "kind")?;
    let keys = reader.choice(table, "kind", &KINDS)?;
    reader.known(table, &format!("a claim of the kind `{kind}`"), &[COMMON.as_slice(), keys].concat());
    text(reader, "experiment")?;
    let experiment = named_experiment(reader, table, "experiment", experiments)?;
    let confirmation = match table.get("confirmation") {
        Some(_) => Some(named_experiment(reader, table, "confirmation", experiments)?),
        None => None,
    };
    let is_goal = reader.flag(table, "goal").unwrap_or(false);
    let has_own_threshold = reader.choice(table, "threshold", &[("ours", ())]).is_some();
    let caveat = reader.text(table, "caveat").map(str::to_owned);
    let role = match reader.text(table, "reading_of") {
        Some(of) => Role::Reading(of.to_owned()),
        None if is_goal => Role::Goal,
        None => Role::Claim,
    };
    let mut kind = read_kind(reader, span, table, &kind, folder)?;
    if has_own_threshold && !kind.has_threshold() {
        let help = "expected `at_least` or `at_most` with it";
        reader.fault(&table.get("threshold")?.key_span, "the claim needs a threshold", help);
    }
    if let ClaimKind::Mean(mean) = &mut kind {
        mean.is_ours = is_goal || has_own_threshold;
    }
    let span = table.get("id").map_or(*span, |entry| entry.node.span);
    let is_anchor = |id: &str| id.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
    if let Some(id) = id.as_deref().filter(|id| id.is_empty() || !is_anchor(id)) {
        let help = "expected lower-case letters, digits and `-`, because it becomes the link of a heading";
        reader.fault(&span, format!("`{id}` cannot be the id of a claim"), help);
        return None;
    }
    let (id, place, says) = (id?, place?, says?);
    Some(Claim { id, place, says, note, by, experiment, confirmation, kind, role, has_own_threshold, caveat, span })
}

/// The experiment of the file that a claim names under a key, by its place.
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
        let help = one_of(asked, &names);
        reader.fault(&table.get(key)?.node.span, format!("`experiments` does not contain `{asked}`"), help);
    }
    found
}

fn needed<'d>(reader: &mut Reader<'d>, root: &Table, table: &'d Table, key: &str) -> Option<String> {
    if table.get(key).is_none() {
        let span = root.get("paper").map_or(Span::start(), |entry| entry.key_span);
        reader.fault(&span, format!("`paper.{key}` is missing"), "every file of claims needs a `title` and a `source`");
    }
    reader.text(table, key).map(str::to_owned)
}

fn needed_table<'d>(reader: &mut Reader<'d>, root: &'d Table, key: &str) -> Option<&'d Table> {
    if root.get(key).is_none() {
        reader.fault(
            &Span::start(),
            format!("the table `[{key}]` is missing"),
            "expected `[paper]`, `[experiments]` and `[[claims]]`",
        );
    }
    reader.table(root, key)
}

/// The tables of a list, with the places where they begin.
fn tables<'d>(reader: &mut Reader<'d>, root: &'d Table, key: &str) -> Vec<(&'d Span, &'d Table)> {
    let Some(entry) = root.get(key) else { return Vec::new() };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(
            &entry.key_span,
            format!("`{key}` is not a list of tables"),
            format!("write `[[{key}]]`, with double brackets"),
        );
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

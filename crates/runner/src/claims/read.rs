//! Reading a file of claims, with the place of everything that is wrong.

use std::path::Path;

use evogrid_analysis::Published;
use evogrid_analysis::claim::{
    ClaimKind, ClaimedRate, ComparisonClaim, CostClaim, CurveClaim, Event, Expectation, ObservationClaim,
    PublishedFigure, RateClaim, TableClaim,
};
use evogrid_analysis::samples::{METRICS, Metric, Selector};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::example::WorkedExample;
use evogrid_core::suggestion::one_of;

use super::selector::{against, conditions, names};
use super::{Claim, ClaimExperiment, Claims};
use crate::diagnostic::Diagnostics;
use crate::document::{Document, NodeValue, Span, Table};
use crate::spec::fields::Reader;

/// What every claim may have.
const COMMON: [&str; 6] = ["id", "place", "says", "kind", "experiment", "note"];

/// The kinds that runs judge, with their own keys.
const KINDS: [(&str, &[&str]); 6] = [
    ("comparison", &["metric", "generation", "of", "against", "within", "expect"]),
    ("cost", &["of", "groups"]),
    ("curve", &["of", "along", "called", "series", "metric", "generation", "lost"]),
    ("observation", &["of", "metric", "published"]),
    ("rate", &["of", "event", "fitness", "published", "runs", "at_least", "at_most", "closest"]),
    ("table", &["published", "column", "of"]),
];

impl Claims {
    /// Reads a file of claims, and the published tables that it names.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn load(path: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        Self::from_document(Document::read(path)?, path.parent().unwrap_or(Path::new("")), catalogue)
    }

    /// The same of a file that is read; the paths in it begin in `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_document(document: Document, folder: &Path, catalogue: &Catalogue) -> Result<Self, Diagnostics> {
        let mut reader = Reader::new(&document);
        let claims = read(&mut reader, folder, catalogue);
        let (title, source, text, examples, experiments, claims) = reader.finish(claims)?;
        Ok(Self { document, title, source, text, examples, experiments, claims })
    }
}

type Parts = (String, String, String, Option<String>, Vec<ClaimExperiment>, Vec<Claim>);

fn read(reader: &mut Reader<'_>, folder: &Path, catalogue: &Catalogue) -> Option<Parts> {
    let root = &reader.document().root;
    reader.known(root, "a file of claims", &["paper", "experiments", "claims"]);
    let paper = needed_table(reader, root, "paper")?;
    reader.known(paper, "`paper`", &["title", "source", "text", "examples"]);
    let title = needed(reader, root, paper, "title");
    let source = needed(reader, root, paper, "source");
    let text = reader.text(paper, "text").unwrap_or_default().to_owned();
    let examples = read_examples(reader, paper, catalogue);
    let experiments = read_experiments(reader, root, folder);
    let mut claims: Vec<Claim> = Vec::new();
    for (span, table) in tables(reader, root, "claims") {
        let Some(claim) = read_claim(reader, span, table, folder, &experiments) else { continue };
        if claims.iter().any(|other| other.id == claim.id) {
            let message = format!("there is another claim called `{}`", claim.id);
            reader.fault(&table.get("id")?.node.span, message, "every claim has an id of its own");
        }
        claims.push(claim);
    }
    Some((title?, source?, text, examples, experiments, claims))
}

/// The document whose worked examples the page shows. Some family has examples of it.
fn read_examples<'d>(reader: &mut Reader<'d>, paper: &'d Table, catalogue: &Catalogue) -> Option<String> {
    let document = reader.text(paper, "examples")?;
    let mut known: Vec<&str> = examples(catalogue).iter().map(|example| example.document).collect();
    known.dedup();
    if !known.contains(&document) {
        let span = &paper.get("examples").expect("it was read above").node.span;
        reader.fault(span, format!("there are no worked examples of `{document}`"), one_of(document, &known));
    }
    Some(document.to_owned())
}

/// The worked examples of all families.
pub(crate) fn examples(catalogue: &Catalogue) -> Vec<WorkedExample> {
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
        reader.known(table, "an experiment", &["path", "quick"]);
        let quick = names(reader, table, "quick");
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
        // Where it is not there, claims may still name it: one fault is enough.
        experiments.push(ClaimExperiment { name: entry.key.clone(), path: full, quick });
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
            reader.fault(span, format!("the claim has no `{key}`"), "every claim has `id`, `place`, `says` and `kind`");
        }
        found.map(str::to_owned)
    };
    let (id, place, says) = (text(reader, "id"), text(reader, "place"), text(reader, "says"));
    let note = reader.text(table, "note").map(str::to_owned);
    let kind = text(reader, "kind")?;
    let keys = reader.choice(table, "kind", &KINDS)?;
    reader.known(table, &format!("a claim of the kind `{kind}`"), &[COMMON.as_slice(), keys].concat());
    let asked = text(reader, "experiment")?;
    let Some(experiment) = experiments.iter().position(|experiment| experiment.name == asked) else {
        let names: Vec<&str> = experiments.iter().map(|experiment| experiment.name.as_str()).collect();
        let node = &table.get("experiment")?.node;
        let help = one_of(&asked, &names);
        reader.fault(&node.span, format!("`experiments` has no `{asked}`"), help);
        return None;
    };
    let kind = read_kind(reader, span, table, &kind, folder)?;
    let span = table.get("id").map_or(*span, |entry| entry.node.span);
    let is_anchor = |id: &str| id.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
    if let Some(id) = id.as_deref().filter(|id| id.is_empty() || !is_anchor(id)) {
        let help = "it is a heading that is linked to: expected small letters, digits and `-`";
        reader.fault(&span, format!("`{id}` cannot be the id of a claim"), help);
        return None;
    }
    Some(Claim { id: id?, place: place?, says: says?, note, experiment, kind, span })
}

fn read_kind<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    kind: &str,
    folder: &Path,
) -> Option<ClaimKind> {
    let of = conditions(reader, table, "of");
    Some(match kind {
        "comparison" => {
            const EXPECT: [(&str, Expectation); 4] = [
                ("higher", Expectation::Higher),
                ("lower", Expectation::Lower),
                ("same", Expectation::Same),
                ("identical", Expectation::Identical),
            ];
            need(reader, span, table, &["of", "against", "metric", "expect"])?;
            let within = conditions(reader, table, "within");
            let (metric, against) = (metric(reader, span, table)?, against(reader, table)?);
            ClaimKind::Comparison(ComparisonClaim {
                metric,
                of,
                against,
                within,
                expect: reader.choice(table, "expect", &EXPECT)?,
                tests: 1,
            })
        }
        "cost" => ClaimKind::Cost(CostClaim { of, groups: names(reader, table, "groups") }),
        "curve" => {
            need(reader, span, table, &["along", "metric"])?;
            ClaimKind::Curve(CurveClaim {
                of,
                along: reader.text(table, "along")?.to_owned(),
                called: reader.text(table, "called").map(str::to_owned),
                series: names(reader, table, "series"),
                metric: metric(reader, span, table)?,
                lost: reader.text(table, "lost").map(str::to_owned),
            })
        }
        "observation" => {
            need(reader, span, table, &["metric", "published"])?;
            let published = reader.number(table, "published")?;
            ClaimKind::Observation(ObservationClaim { of, metric: metric(reader, span, table)?, published })
        }
        "rate" => ClaimKind::Rate(read_rate(reader, span, table, of)?),
        _ => {
            const COLUMNS: [(&str, PublishedFigure); 4] = [
                ("success_rate", PublishedFigure::SuccessRate),
                ("mean_generations", PublishedFigure::MeanGenerations),
                ("mean_generations_to_best", PublishedFigure::MeanGenerationsToBest),
                ("mean_ms_solved", PublishedFigure::MeanMsSolved),
            ];
            need(reader, span, table, &["published", "column"])?;
            let path = folder.join(reader.text(table, "published")?);
            let span = &table.get("published")?.node.span;
            if !reader.file(span, &path) {
                return None;
            }
            let column = reader.choice(table, "column", &COLUMNS);
            match Published::open(&path) {
                Ok(published) => ClaimKind::PublishedTable(TableClaim { published, column: column?, of }),
                Err(error) => {
                    reader.fault(span, error.to_string(), "see datasets/README.md for its columns");
                    return None;
                }
            }
        }
    })
}

fn read_rate<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table, of: Selector) -> Option<RateClaim> {
    type EventOfFitness = fn(f64, f64) -> Event;
    const EVENTS: [(&str, Option<EventOfFitness>); 3] =
        [("solved", None), ("best_fitness", Some(Event::BestFitness)), ("stuck_at", Some(Event::StuckAt))];
    need(reader, span, table, &["event"])?;
    let event = match reader.choice(table, "event", &EVENTS)? {
        None => Event::Solved,
        Some(event) => {
            need(reader, span, table, &["fitness"])?;
            let [low, high] = reader.numbers(table, "fitness")?;
            event(low, high)
        }
    };
    let runs = reader.whole(table, "runs", 1, 1_000_000);
    let share = |reader: &mut Reader<'d>, key: &str| reader.share(table, key);
    let expected = [
        share(reader, "published").map(|share| ClaimedRate::Is(share, runs)),
        share(reader, "at_least").map(ClaimedRate::AtLeast),
        share(reader, "at_most").map(ClaimedRate::AtMost),
    ];
    let mut expected = expected.into_iter().flatten();
    let (Some(first), None) = (expected.next(), expected.next()) else {
        let help = "expected one of `published`, `at_least` and `at_most`";
        reader.fault(span, "the claim does not say one rate", help);
        return None;
    };
    Some(RateClaim { of, event, expected: first, closest: reader.flag(table, "closest").unwrap_or(false) })
}

fn metric<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table) -> Option<Metric> {
    let generation = reader.whole(table, "generation", 1, 1_000_000_000);
    let mut names: Vec<(&str, Option<Metric>)> = METRICS.iter().map(|&(name, metric)| (name, Some(metric))).collect();
    names.push(("diversity", None));
    match (reader.choice(table, "metric", &names)?, generation) {
        (Some(metric), _) => Some(metric),
        (None, Some(generation)) => Some(Metric::Diversity { generation }),
        (None, None) => {
            reader.fault(
                span,
                "the diversity is that of no `generation`",
                "expected `generation = N`, which the trace has",
            );
            None
        }
    }
}

/// Complains of keys that are not there.
pub(super) fn need(reader: &mut Reader<'_>, span: &Span, table: &Table, keys: &[&str]) -> Option<()> {
    let missing: Vec<&str> = keys.iter().copied().filter(|key| table.get(key).is_none()).collect();
    for key in &missing {
        reader.fault(span, format!("the claim has no `{key}`"), format!("this kind needs {}", keys.join(", ")));
    }
    missing.is_empty().then_some(())
}

fn needed<'d>(reader: &mut Reader<'d>, root: &Table, table: &'d Table, key: &str) -> Option<String> {
    if table.get(key).is_none() {
        let span = root.get("paper").map_or(Span::start(), |entry| entry.key_span);
        reader.fault(&span, format!("`paper.{key}` is missing"), "every file of claims has a `title` and a `source`");
    }
    reader.text(table, key).map(str::to_owned)
}

fn needed_table<'d>(reader: &mut Reader<'d>, root: &'d Table, key: &str) -> Option<&'d Table> {
    if root.get(key).is_none() {
        reader.fault(
            &Span::start(),
            format!("there is no table `[{key}]`"),
            "expected `[paper]`, `[experiments]` and `[[claims]]`",
        );
    }
    reader.table(root, key)
}

/// The tables of a list, with the places of their beginnings.
fn tables<'d>(reader: &mut Reader<'d>, root: &'d Table, key: &str) -> Vec<(&'d Span, &'d Table)> {
    let Some(entry) = root.get(key) else { return Vec::new() };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(
            &entry.key_span,
            format!("`{key}` is no list of tables"),
            format!("write `[[{key}]]`, with two brackets"),
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

//! Reading what a claim says, by its kind.

use std::path::Path;

use crate::judge::{
    ClaimKind, ClaimedMean, ClaimedRate, ComparisonClaim, CostClaim, CurveClaim, DistributionClaim, Event, Expectation,
    MeanClaim, MeanFigure, ObservationClaim, PublishedFigure, RateClaim, TableClaim,
};
use evogrid_analysis::Published;
use evogrid_analysis::compare::Criteria;
use evogrid_analysis::metric::{METRICS, Metric};
use evogrid_analysis::samples::Selector;

use super::selector::{against, conditions, names};
use evogrid_runner::experiment::document::{NodeValue, Span, Table};
use evogrid_runner::experiment::spec::fields::Reader;

/// The kinds of claims that runs can judge, with their keys.
pub(super) const KINDS: [(&str, &[&str]); 8] = [
    ("comparison", &["metric", "generation", "of", "against", "within", "expect", "tests"]),
    ("cost", &["of", "groups"]),
    ("curve", &["of", "along", "called", "series", "metric", "generation", "lost"]),
    ("distribution", &["of", "outcomes", "runs"]),
    ("mean", &["of", "metric", "published", "at_most"]),
    ("observation", &["of", "metric", "published"]),
    ("rate", &["of", "event", "fitness", "published", "runs", "at_least", "at_most", "closest"]),
    ("table", &["published", "column", "of"]),
];

/// Reads the part of a claim that belongs to its kind.
pub(super) fn read_kind<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    kind: &str,
    folder: &Path,
) -> Option<ClaimKind> {
    let of = conditions(reader, table, "of");
    Some(match kind {
        "comparison" => {
            need(reader, span, table, &["of", "against", "metric", "expect"])?;
            let within = conditions(reader, table, "within");
            let (metric, against) = (metric(reader, span, table)?, against(reader, table)?);
            ClaimKind::Comparison(ComparisonClaim {
                metric,
                of,
                against,
                within,
                expect: reader.choice(table, "expect", Expectation::CHOICES)?,
                tests: reader.whole(table, "tests", 1, 1_000_000).unwrap_or(1),
                criteria: Criteria::default(),
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
        "distribution" => ClaimKind::Distribution(read_distribution(reader, span, table, of)?),
        "mean" => ClaimKind::Mean(read_mean(reader, span, table, of)?),
        "observation" => {
            need(reader, span, table, &["metric", "published"])?;
            let published = reader.number(table, "published")?;
            ClaimKind::Observation(ObservationClaim { of, metric: metric(reader, span, table)?, published })
        }
        "rate" => ClaimKind::Rate(read_rate(reader, span, table, of)?),
        _ => {
            need(reader, span, table, &["published", "column"])?;
            let path = folder.join(reader.text(table, "published")?);
            let span = &table.get("published")?.node.span;
            if !reader.file(span, &path) {
                return None;
            }
            let column = reader.choice(table, "column", PublishedFigure::CHOICES);
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

fn read_mean<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table, of: Selector) -> Option<MeanClaim> {
    need(reader, span, table, &["metric"])?;
    let figure = reader.choice(table, "metric", MeanFigure::CHOICES)?;
    let expected = match (reader.number(table, "published"), reader.number(table, "at_most")) {
        (Some(printed), None) => ClaimedMean::Is(printed),
        (None, Some(most)) => ClaimedMean::AtMost(most),
        (None, None) if is_misread(table, &["published", "at_most"]) => return None,
        _ => {
            reader.fault(span, "the claim must state exactly one mean", "expected one of `published` and `at_most`");
            return None;
        }
    };
    Some(MeanClaim { of, figure, expected, is_ours: false })
}

/// Whether one of the keys is given although none could be read: the fault was already reported.
fn is_misread(table: &Table, keys: &[&str]) -> bool {
    keys.iter().filter(|key| table.get(key).is_some()).count() == 1
}

/// The condition that a run must meet to count.
fn read_event<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table) -> Option<Event> {
    type EventOfFitness = fn(f64, f64) -> Event;
    const EVENTS: [(&str, Option<EventOfFitness>); 3] =
        [("solved", None), ("best_fitness", Some(Event::BestFitness)), ("stuck_at", Some(Event::StuckAt))];
    need(reader, span, table, &["event"])?;
    match reader.choice(table, "event", &EVENTS)? {
        None => Some(Event::Solved),
        Some(event) => {
            need(reader, span, table, &["fitness"])?;
            let [low, high] = reader.numbers(table, "fitness")?;
            Some(event(low, high))
        }
    }
}

fn read_rate<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table, of: Selector) -> Option<RateClaim> {
    let event = read_event(reader, span, table)?;
    let runs = reader.whole(table, "runs", 1, 1_000_000);
    let share = |reader: &mut Reader<'d>, key: &str| reader.share(table, key);
    let expected = [
        share(reader, "published").map(|share| ClaimedRate::Is(share, runs)),
        share(reader, "at_least").map(ClaimedRate::AtLeast),
        share(reader, "at_most").map(ClaimedRate::AtMost),
    ];
    let mut expected = expected.into_iter().flatten();
    let (Some(first), None) = (expected.next(), expected.next()) else {
        if is_misread(table, &["published", "at_least", "at_most"]) {
            return None;
        }
        let help = "expected one of `published`, `at_least` and `at_most`";
        reader.fault(span, "the claim must state exactly one rate", help);
        return None;
    };
    Some(RateClaim { of, event, expected: first, closest: reader.flag(table, "closest").unwrap_or(false) })
}

fn read_distribution<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    of: Selector,
) -> Option<DistributionClaim> {
    const FORM: &str = "expected tables with an `event` and its `published` share";
    need(reader, span, table, &["outcomes"])?;
    let node = &table.get("outcomes")?.node;
    let NodeValue::List(items) = &node.value else { return reader.unexpected("outcomes", node, FORM) };
    let mut outcomes = Vec::new();
    for item in items {
        let NodeValue::Table(outcome) = &item.value else { return reader.unexpected("outcomes", item, FORM) };
        reader.known(outcome, "an outcome", &["event", "fitness", "published"]);
        need(reader, &item.span, outcome, &["published"])?;
        outcomes.push((read_event(reader, &item.span, outcome)?, reader.share(outcome, "published")?));
    }
    if outcomes.is_empty() || outcomes.iter().map(|(_, share)| share).sum::<f64>() > 1.0 {
        let help = "expected at least one outcome, with shares that sum to at most 1; the rest belongs to all other \
            outcomes";
        reader.fault(&node.span, "the shares of the outcomes do not form a distribution", help);
        return None;
    }
    Some(DistributionClaim { of, outcomes, published_runs: reader.whole(table, "runs", 1, 1_000_000) })
}

fn metric<'d>(reader: &mut Reader<'d>, span: &Span, table: &'d Table) -> Option<Metric> {
    let generation = reader.whole(table, "generation", 1, 1_000_000_000);
    let known = METRICS.iter().map(|declared| (declared.name, Some(declared.metric)));
    let mut names: Vec<(&str, Option<Metric>)> = known.collect();
    names.push(("diversity", None));
    match (reader.choice(table, "metric", &names)?, generation) {
        (Some(metric), _) => Some(metric),
        (None, Some(generation)) => Some(Metric::Diversity { generation }),
        (None, None) => {
            reader.fault(
                span,
                "the diversity needs a `generation`",
                "expected `generation = N`, a generation in the trace",
            );
            None
        }
    }
}

/// Reports keys that the runs do not have.
fn need(reader: &mut Reader<'_>, span: &Span, table: &Table, keys: &[&str]) -> Option<()> {
    let missing: Vec<&str> = keys.iter().copied().filter(|key| table.get(key).is_none()).collect();
    for key in &missing {
        reader.fault(span, format!("the claim has no `{key}`"), format!("this kind needs {}", keys.join(", ")));
    }
    missing.is_empty().then_some(())
}

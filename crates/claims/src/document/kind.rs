//! Reads the part of a claim that depends on its kind, and the selectors of runs.

use std::path::Path;

use evogrid_analysis::Published;
use evogrid_analysis::compare::Criteria;
use evogrid_analysis::metric::{METRICS, Metric};
use evogrid_analysis::samples::Selector;
use evogrid_runner::experiment::document::{Node, NodeValue, Span, Table};
use evogrid_runner::experiment::spec::fields::Reader;

use crate::judge::{
    Alternatives, ClaimKind, ClaimedMean, ClaimedRate, ComparisonClaim, CostClaim, CurveClaim, DistributionClaim,
    Event, Expectation, MeanClaim, MeanFigure, ObservationClaim, PublishedFigure, RateClaim, Rule, TableClaim,
};

/// The kinds of claims that runs can judge. Each kind has required keys and optional keys.
pub(super) const KINDS: [(&str, [&[&str]; 2]); 8] = [
    ("comparison", [&["of", "against", "metric", "expect"], &["generation", "within", "tests"]]),
    ("cost", [&[], &["of", "groups"]]),
    ("curve", [&["along", "metric"], &["of", "called", "series", "generation", "lost"]]),
    ("distribution", [&["outcomes"], &["of", "runs"]]),
    ("mean", [&["metric"], &["of", "published", "at_most"]]),
    ("observation", [&["metric", "published"], &["of"]]),
    ("rate", [&["event"], &["of", "fitness", "published", "runs", "at_least", "at_most", "closest"]]),
    ("table", [&["published", "column"], &["of"]]),
];

/// The largest number of runs of a paper, and the largest number of comparisons from which a claim may be chosen.
const MOST: u64 = 1_000_000;

/// Reads the part of a claim that depends on its kind. The claim has all keys that the kind needs.
pub(super) fn read_kind<'d>(reader: &mut Reader<'d>, table: &'d Table, kind: &str, folder: &Path) -> Option<ClaimKind> {
    let of = conditions(reader, table, "of");
    let text = |reader: &mut Reader<'d>, key| reader.text(table, key).map(str::to_owned);
    let rule = match kind {
        "comparison" => Rule::Comparison(ComparisonClaim {
            within: conditions(reader, table, "within"),
            metric: metric(reader, table)?,
            against: against(reader, table.node("against")?)?,
            expect: reader.choice(table, "expect", Expectation::CHOICES)?,
            tests: reader.whole(table, "tests", 1, MOST).unwrap_or(1),
            criteria: Criteria::default(),
        }),
        "cost" => Rule::Cost(CostClaim { groups: names(reader, table, "groups") }),
        "curve" => Rule::Curve(CurveClaim {
            along: text(reader, "along")?,
            called: text(reader, "called"),
            series: names(reader, table, "series"),
            metric: metric(reader, table)?,
            lost: text(reader, "lost"),
        }),
        "distribution" => Rule::Distribution(DistributionClaim {
            outcomes: read_outcomes(reader, table.node("outcomes")?)?,
            published_runs: reader.whole(table, "runs", 1, MOST),
        }),
        "mean" => {
            let figure = reader.choice(table, "metric", MeanFigure::CHOICES)?;
            let (key, value) = only_number(reader, table, &["published", "at_most"])?;
            let expected = if key == "published" { ClaimedMean::Is(value) } else { ClaimedMean::AtMost(value) };
            Rule::Mean(MeanClaim { figure, expected, is_ours: false })
        }
        "observation" => {
            let published = reader.number(table, "published")?;
            Rule::Observation(ObservationClaim { metric: metric(reader, table)?, published })
        }
        "rate" => {
            let event = read_event(reader, table)?;
            let runs = reader.whole(table, "runs", 1, MOST);
            let (key, _) = only_number(reader, table, &["published", "at_least", "at_most"])?;
            let share = reader.share(table, key)?;
            let expected = match key {
                "published" => ClaimedRate::Is(share, runs),
                "at_least" => ClaimedRate::AtLeast(share),
                _ => ClaimedRate::AtMost(share),
            };
            Rule::Rate(RateClaim { event, expected, closest: reader.flag(table, "closest").unwrap_or(false) })
        }
        _ => {
            let (path, span) = (folder.join(reader.text(table, "published")?), &table.node("published")?.span);
            let column = reader.choice(table, "column", PublishedFigure::CHOICES);
            if !reader.file(span, &path) {
                return None;
            }
            let published = Published::open(&path);
            let wrong = |error| {
                reader.fault(span, format!("{error}"), "see datasets/README.md for the columns of a published table");
            };
            Rule::PublishedTable(TableClaim { published: published.map_err(wrong).ok()?, column: column? })
        }
    };
    Some(ClaimKind { of, rule })
}

/// The key and the number of a claim that must have exactly one of these keys.
fn only_number(reader: &mut Reader<'_>, table: &Table, keys: &[&'static str]) -> Option<(&'static str, f64)> {
    let given: Vec<&str> = keys.iter().copied().filter(|key| table.get(key).is_some()).collect();
    let [only] = given[..] else {
        let help = format!("expected one of `{}`", keys.join("`, `"));
        reader.fault(&table.get("kind")?.key_span, "the claim must state exactly one value", help);
        return None;
    };
    Some((only, reader.number(table, only)?))
}

/// The condition that a run must meet to count.
fn read_event<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Option<Event> {
    type EventOfFitness = fn(f64, f64) -> Event;
    const EVENTS: [(&str, Option<EventOfFitness>); 3] =
        [("solved", None), ("best_fitness", Some(Event::BestFitness)), ("stuck_at", Some(Event::StuckAt))];
    let Some(event) = reader.choice(table, "event", &EVENTS)? else { return Some(Event::Solved) };
    need(reader, "the event", &table.node("event")?.span, table, &["fitness"], "expected `fitness = [low, high]`")?;
    let [low, high] = reader.numbers(table, "fitness")?;
    Some(event(low, high))
}

fn read_outcomes<'d>(reader: &mut Reader<'d>, node: &'d Node) -> Option<Vec<(Event, f64)>> {
    const FORM: &str = "expected tables with an `event` and its `published` share";
    let Some(items) = node.items() else { return reader.unexpected("outcomes", node, FORM) };
    let mut outcomes = Vec::new();
    for item in items {
        let Some(outcome) = item.table() else { return reader.unexpected("outcomes", item, FORM) };
        reader.known(outcome, "an outcome", &["event", "fitness", "published"]);
        need(reader, "the outcome", &item.span, outcome, &["event", "published"], FORM)?;
        outcomes.push((read_event(reader, outcome)?, reader.share(outcome, "published")?));
    }
    if outcomes.is_empty() || outcomes.iter().map(|(_, share)| share).sum::<f64>() > 1.0 {
        let help = "expected one or more outcomes; the sum of their shares is at most 1, and the rest belongs to all other outcomes";
        reader.fault(&node.span, "the shares of the outcomes do not form a distribution", help);
        return None;
    }
    Some(outcomes)
}

fn metric<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Option<Metric> {
    let generation = reader.whole(table, "generation", 1, 1_000_000_000);
    let known = METRICS.iter().map(|declared| (declared.name, Some(declared.metric)));
    let known: Vec<_> =
        known.chain([("diversity", generation.map(|generation| Metric::Diversity { generation }))]).collect();
    let metric = reader.choice(table, "metric", &known)?;
    if metric.is_none() {
        let help = "expected `generation = N`, a generation in the trace";
        reader.fault(&table.node("metric")?.span, "the diversity needs a `generation`", help);
    }
    metric
}

/// The conditions of a key; empty if the key is missing.
fn conditions<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Selector {
    table.node(key).map(|node| selector(reader, key, node)).unwrap_or_default()
}

/// The alternatives of a comparison, given by `"others"`, by one set of conditions, or by a list of sets of conditions.
fn against(reader: &mut Reader<'_>, node: &Node) -> Option<Alternatives> {
    let nodes = match &node.value {
        NodeValue::Text(text) if text == "others" => return Some(Alternatives::Others),
        NodeValue::Table(_) => std::slice::from_ref(node),
        NodeValue::List(items) => items,
        _ => {
            return reader.unexpected(
                "against",
                node,
                "expected \"others\", one set of conditions, or a list of sets of conditions",
            );
        }
    };
    Some(Alternatives::These(nodes.iter().map(|node| selector(reader, "against", node)).collect()))
}

/// The names in the list of a key; empty if the key is missing.
pub(super) fn names<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Vec<String> {
    reader.texts(table, key).unwrap_or_default().into_iter().map(|(name, _)| name.to_owned()).collect()
}

fn selector(reader: &mut Reader<'_>, key: &str, node: &Node) -> Selector {
    const FORM: &str = "expected conditions, such as `{ population = 100, bucket = [\"easy\", \"medium\"] }`";
    let Some(table) = node.table() else { return reader.unexpected(key, node, FORM).unwrap_or_default() };
    let mut selector = Selector::default();
    for entry in &table.entries {
        let nodes = entry.node.items().unwrap_or(std::slice::from_ref(&entry.node));
        let values = nodes.iter().filter_map(|node| value(reader, &entry.key, node)).collect();
        selector.0.push((entry.key.clone(), values));
    }
    selector
}

/// A value as `runs.csv` writes it.
fn value(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<String> {
    match &node.value {
        NodeValue::Flag(flag) => Some(flag.to_string()),
        NodeValue::Integer(integer) => Some(integer.to_string()),
        NodeValue::Real(real) => Some(real.to_string()),
        NodeValue::Text(text) => Some(text.clone()),
        _ => reader.unexpected(key, node, "expected a number, true, false or text, as in the column of runs.csv"),
    }
}

/// Reports the missing keys of a table; `None` if a key is missing. `what` names the table in the message.
pub(super) fn need(
    reader: &mut Reader<'_>,
    what: &str,
    span: &Span,
    table: &Table,
    keys: &[&str],
    help: &str,
) -> Option<()> {
    let missing: Vec<&&str> = keys.iter().filter(|key| table.get(key).is_none()).collect();
    missing.iter().for_each(|key| reader.fault(span, format!("{what} has no `{key}`"), help));
    missing.is_empty().then_some(())
}

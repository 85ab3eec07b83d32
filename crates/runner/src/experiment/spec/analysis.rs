//! The table `analysis`: decisions about the evaluation of results. These decisions should be made before the first run.

use anyhow::{Result, bail};
use evogrid_analysis::compare::{Confidence, Criteria, Margin};
use evogrid_analysis::metric::Metric;
use evogrid_core::suggestion::one_of;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::algorithm::AlgorithmSpec;
use super::fields::Reader;
use crate::experiment::document::{NodeValue, Table};

/// The keys of the table.
const KEYS: [&str; 6] = ["metric", "baseline", "comparisons", "margin", "confidence", "looks"];

const COMPARISONS_HELP: &str = "expected pairs of configurations, for example [[\"one\", \"other\"], [\"one\", \
    \"third\"]]. By default, each configuration is compared with the `baseline`. If there is no baseline, all pairs of \
    configurations are compared";

const MARGIN_HELP: &str = "expected a table, for example { points = 5, ratio = 1.25 }. `points` is a difference of \
    rates in percentage points, above 0 and below 50. `ratio` is a number above 1: a ratio of odds or of expected work";

const CONFIDENCE_HELP: &str =
    "expected a number from 0.5 to 0.9999: 0.95 means 95 % intervals and the significance level 0.05";

const LOOKS_HELP: &str = "expected a list of at most 20 numbers, for example [5, 10, 20]: the numbers of repetitions after \
    which you look at the results. Each number is at least 5 % above the number before it";

const MOST_LOOKS: usize = 20;

/// The decisions about the analysis of results. A manifest contains the decisions in this form. The experiment file makes these decisions
/// before the runs are done. If the experiment file leaves a decision open, the field for this decision is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnalysisPlan {
    /// The name of the metric with which configurations are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The configuration with which all other configurations are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The compared pairs of configurations. If the list is empty, all pairs are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<[String; 2]>,
    /// The margin: differences up to this size are called irrelevant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<DeclaredMargin>,
    /// The confidence of the intervals for differences between configurations, as a share. `None` means 0.95. Tests have the significance
    /// level `1 - confidence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The planned looks: after these numbers of repetitions (in ascending order), results are examined. After the last look, no runs are
    /// added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<u64>,
}

/// A margin as it is written in the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredMargin {
    points: f64,
    ratio: f64,
}

/// A fault of the plan of an analysis: the key, the position in the list of this key, the message, and the advice.
type PlanFault = (&'static str, Option<usize>, String, String);

impl AnalysisPlan {
    /// Reads the plan of an analysis from a manifest. If the JSON value is null, the plan of the analysis contains no decisions.
    ///
    /// # Errors
    /// If the JSON value is not in the form of a plan. If the plan has a fault.
    pub fn of_manifest(analysis: &Json) -> Result<Self> {
        let plan = Option::<Self>::deserialize(analysis)?.unwrap_or_default();
        plan.expect_no_fault(None, None)?;
        Ok(plan)
    }

    /// Refuses a plan with a fault.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn expect_no_fault(
        &self,
        algorithms: Option<&[&AlgorithmSpec]>,
        repetitions: Option<u64>,
    ) -> Result<()> {
        let fault = self.faults(algorithms, repetitions).into_iter().next();
        fault.map_or(Ok(()), |(.., message, help)| bail!("{message}: {help}"))
    }

    /// The metric, if one is declared.
    pub fn metric(&self) -> Option<Metric> {
        Metric::of_name(self.metric.as_deref()?).ok()
    }

    /// The criteria of comparisons. If no margin or confidence is declared, the default of the program is used.
    pub fn criteria(&self) -> Criteria {
        let declared = |DeclaredMargin { points, ratio }| Margin { points: points / 100.0, ratio, is_declared: true };
        Criteria {
            margin: self.margin.map_or_else(Margin::default, declared),
            confidence: self.confidence.and_then(Confidence::new).unwrap_or_default(),
        }
    }

    /// Returns the number of compared pairs among `configurations` configurations.
    pub fn n_comparisons(&self, configurations: usize) -> usize {
        match (self.comparisons.len(), &self.baseline) {
            (0, Some(_)) => configurations.saturating_sub(1),
            (0, None) => configurations * configurations.saturating_sub(1) / 2,
            (named, _) => named,
        }
    }

    /// The faults of the plan. Names of configurations and looks are checked only if the algorithms and the repetitions are known.
    fn faults(&self, algorithms: Option<&[&AlgorithmSpec]>, repetitions: Option<u64>) -> Vec<PlanFault> {
        let mut faults = Vec::new();
        let mut fault = |key, at, message: String, help: &str| faults.push((key, at, message, help.to_owned()));
        if let Some(name) = &self.metric
            && let Err(help) = Metric::of_name(name)
        {
            fault("metric", None, format!("unknown metric `{name}`"), &help);
        }
        if self.baseline.is_some() && !self.comparisons.is_empty() {
            fault("comparisons", None, "`comparisons` and `baseline` are both given".to_owned(), COMPARISONS_HELP);
        }
        let pairs = || self.comparisons.iter().enumerate();
        let of_pairs = pairs().flat_map(|(at, pair)| pair.iter().map(move |name| ("comparisons", Some(at), name)));
        for (key, at, name) in self.baseline.iter().map(|name| ("baseline", None, name)).chain(of_pairs) {
            if let Some((message, help)) = algorithms.and_then(|algorithms| misnamed(name, algorithms)) {
                fault(key, at, message, &help);
            }
        }
        for (at, [first, second]) in pairs() {
            let is_same = |pair: &[String; 2]| pair.contains(first) && pair.contains(second);
            if first == second || self.comparisons[..at].iter().any(is_same) {
                let message = format!("`{first}` and `{second}` are equal, or this pair is given twice");
                fault("comparisons", Some(at), message, COMPARISONS_HELP);
            }
        }
        if let Some(DeclaredMargin { points, ratio }) = self.margin
            && !(0.0 < points && points < 50.0 && 1.0 < ratio && ratio < f64::INFINITY)
        {
            let message = format!("the margin is out of range: `points` is {points} and `ratio` is {ratio}");
            fault("margin", None, message, MARGIN_HELP);
        }
        if let Some(confidence) = self.confidence.filter(|&share| Confidence::new(share).is_none()) {
            let message = format!("`confidence = {confidence}` is out of range");
            fault("confidence", None, message, CONFIDENCE_HELP);
        }
        if let Some(message) = misplaced_look(&self.looks) {
            fault("looks", None, message, LOOKS_HELP);
        } else if let (Some(last), Some(repetitions)) = (self.looks.last(), repetitions)
            && repetitions > *last
        {
            let message =
                format!("the last look is after {last} repetitions, but the experiment has {repetitions} repetitions");
            fault("looks", None, message, "in `looks`, the last number must be at least the number of repetitions");
        }
        faults
    }
}

/// The fault of the looks, if there is one.
fn misplaced_look(looks: &[u64]) -> Option<String> {
    if looks.len() > MOST_LOOKS {
        return Some(format!("there are {} looks, but at most {MOST_LOOKS} are allowed", looks.len()));
    }
    if looks.first() == Some(&0) {
        return Some("the first look cannot be after 0 repetitions".to_owned());
    }
    let is_close = |pair: &&[u64]| (pair[1] as f64) < 1.05 * pair[0] as f64;
    let pair = looks.windows(2).find(is_close)?;
    Some(format!(
        "the planned look after {} repetitions is too early, because the previous look is after {} repetitions: \
         expected at least 5 % more repetitions than at the previous look",
        pair[1], pair[0]
    ))
}

/// The message and the advice for a wrong name of a configuration. If an algorithm has only one configuration, the configuration has the
/// name of the algorithm. Other configurations have their names in tables, such as `population = 100`.
fn misnamed(name: &str, algorithms: &[&AlgorithmSpec]) -> Option<(String, String)> {
    const HELP: &str = "write the configuration as in the tables: `population = 100`, or `huke, population = 100`";
    if let Some(algorithm) = algorithms.iter().find(|algorithm| algorithm.name == name) {
        let n = algorithm.n_combinations();
        let message = format!(
            "`{name}` varies settings and stands for up to {n} configurations: expected a single configuration"
        );
        return (n > 1).then_some((message, HELP.to_owned()));
    }
    let names: Vec<&str> = algorithms.iter().map(|algorithm| algorithm.name.as_str()).collect();
    let is_varied = |part: &str| {
        let mut paths = algorithms.iter().flat_map(|algorithm| algorithm.paths());
        part.split_once(" = ").is_some_and(|(key, _)| paths.any(|path| path == key))
    };
    let is_known = name.split(", ").all(|part| names.contains(&part) || is_varied(part));
    (!is_known).then(|| (format!("unknown configuration `{name}`"), format!("{}; {HELP}", one_of(name, &names))))
}

/// Reads the table; `None` if the table is absent or empty.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &'d Table) -> Option<AnalysisPlan> {
    let table = reader.table(root, "analysis")?;
    reader.known(table, "`analysis`", &KEYS);
    let plan = AnalysisPlan {
        metric: reader.text(table, "metric").map(str::to_owned),
        baseline: reader.text(table, "baseline").map(str::to_owned),
        comparisons: field(reader, table, "comparisons", COMPARISONS_HELP).unwrap_or_default(),
        margin: field(reader, table, "margin", MARGIN_HELP),
        confidence: field(reader, table, "confidence", CONFIDENCE_HELP),
        looks: field(reader, table, "looks", LOOKS_HELP).unwrap_or_default(),
    };
    Some(plan).filter(|plan| *plan != AnalysisPlan::default())
}

/// Reports the faults of a plan at their places.
pub(super) fn check(
    reader: &mut Reader<'_>,
    (root, plan): (&Table, &AnalysisPlan),
    algorithms: Option<&[&AlgorithmSpec]>,
    repetitions: Option<u64>,
) {
    let node = |key| root.node("analysis")?.table()?.node(key);
    if let Some(repetitions) = repetitions.filter(|now| !plan.looks.is_empty() && !plan.looks.contains(now)) {
        let looks = plan.looks.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        reader.notes.push(format!(
            "in `[analysis]`, looks are planned after {looks} repetitions, but the experiment now has {repetitions}"
        ));
    }
    for (key, at, message, help) in plan.faults(algorithms, repetitions) {
        let node = node(key).expect("the faulty value was read");
        let item = node.items().zip(at).and_then(|(items, at)| items.get(at));
        reader.fault(&item.unwrap_or(node).span, message, help);
    }
}

/// The value of a key, read like a value in a manifest.
fn field<T: DeserializeOwned>(reader: &mut Reader<'_>, table: &Table, key: &str, help: &str) -> Option<T> {
    let node = &table.get(key)?.node;
    let read = T::deserialize(json_of(&node.value)).ok();
    if read.is_none() {
        reader.fault(&node.span, format!("`{key}` cannot be read"), help);
    }
    read
}

fn json_of(value: &NodeValue) -> Json {
    match value {
        NodeValue::Flag(flag) => (*flag).into(),
        NodeValue::Integer(integer) => (*integer).into(),
        NodeValue::Real(real) => (*real).into(),
        NodeValue::Text(text) | NodeValue::Date(text) | NodeValue::Unrepresentable(text) => text.as_str().into(),
        NodeValue::List(items) => items.iter().map(|item| json_of(&item.value)).collect(),
        NodeValue::Table(table) => {
            table.entries.iter().map(|entry| (entry.key.clone(), json_of(&entry.node.value))).collect()
        }
    }
}

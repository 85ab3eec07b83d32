//! Options of every command that analyses results: which results, by which metric, what distinguishes configurations, and published figures.

use std::path::{Path, PathBuf};

use clap::Args;
use evogrid_analysis::compare::MAX_CONFIGURATIONS;
use evogrid_analysis::metric::{METRICS, Metric};
use evogrid_analysis::samples::Condition;
use evogrid_analysis::truncation::{EarlierEnd, Target};
use evogrid_core::suggestion::list;
use evogrid_runner::system::program;

use super::columns::ColumnOptions;
use crate::usage_error::UsageError;

/// The results, and how they are shown.
#[derive(Debug, Args)]
pub struct AnalysisOptions {
    /// Results folders, or CSVs with the columns of runs.csv; `algorithm`, `instance` and one of `solved`, `gap` and `objective` are
    /// enough. Of several, the setting `results` says which a run is from. A table can also be made of a summary.csv
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
    /// The names of its columns.
    #[command(flatten)]
    pub columns: ColumnOptions,
    #[arg(long, value_name = "NAME", help = metric_help())]
    metric: Vec<String>,
    /// Only runs for which this holds: a key (`algorithm`, `bucket`, `instance`, `problem`, a varied setting, a size of the instance), one of
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, and a value; for example `population=100,200`, `bucket!=easy`, `n>=100`. Of several, all must hold
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::new)]
    pub conditions: Vec<Condition>,
    /// The keys that distinguish configurations, curves and panels: `algorithm` or a varied setting, for charts also `bucket` or
    /// `instance`. May be given several times; by default all varied settings, or the choice of each chart
    #[arg(long, value_name = "KEY")]
    pub by: Vec<String>,
    /// Compare every configuration only with this one: an algorithm, or a configuration by its name in tables; by default the pairs that
    /// the `[analysis]` of the experiment chooses, otherwise all pairs
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Compare the best N configurations, by success rate or by the metric if it is gap or objective, and the baseline; by default all,
    /// or the best 7 if there are more than 20
    #[arg(long, value_name = "N", value_parser = top)]
    pub top: Option<usize>,
    /// CSV file of published values to show next to ours; by default charts and the report use the file that the experiment names
    #[arg(long, value_name = "PUBLISHED.csv")]
    pub against: Option<PathBuf>,
    /// Where runs are taken to end.
    #[command(flatten)]
    pub targets: TargetOptions,
}

/// A number of configurations to compare.
fn top(text: &str) -> Result<usize, String> {
    let range = 2..=MAX_CONFIGURATIONS;
    let is_wrong = || format!("expected a whole number from 2 to {MAX_CONFIGURATIONS}");
    text.parse().ok().filter(|top| range.contains(top)).ok_or_else(is_wrong)
}

fn metric_help() -> String {
    let names: Vec<&str> = METRICS.iter().map(|declared| declared.name).collect();
    format!(
        "The metric by which configurations are judged: {}; or `diversity@N` of a trace; several for a table with `--rows` or `--columns`. The default is the metric of \
         the experiment's `[analysis]`. Without one it is solved if the runs record whether they were solved, gap if \
         all instances have a best known value, and objective otherwise",
        names.join(", ")
    )
}

impl AnalysisOptions {
    /// The metric that the user asked for, if there is one.
    ///
    /// # Errors
    /// If no metric has this name, or there are several.
    pub fn metric(&self) -> Result<Option<Metric>, UsageError> {
        if self.metric.len() > 1 {
            let help = "several stand in a table with `--rows` or `--columns`";
            return Err(UsageError(format!("expected one metric, and {} are given\n  {help}", self.metric.len())));
        }
        Ok(self.metrics()?.pop())
    }

    /// The metrics that the user asked for.
    ///
    /// # Errors
    /// If no metric has one of the names.
    pub fn metrics(&self) -> Result<Vec<Metric>, UsageError> {
        let of_name = |name: &String| {
            Metric::of_name(name).map_err(|expected| UsageError(format!("unknown metric `{name}`\n  {expected}")))
        };
        self.metric.iter().map(of_name).collect()
    }

    /// Refuses options that the command cannot use, instead of ignoring them.
    ///
    /// # Errors
    /// The options of this kind that were given.
    pub fn refuse(&self, command: &str, options: &[&str]) -> Result<(), UsageError> {
        let given = [
            ("--by", !self.by.is_empty()),
            ("--baseline", self.baseline.is_some()),
            ("--top", self.top.is_some()),
            ("--against", self.against.is_some()),
        ];
        match given.iter().find(|(name, is_given)| *is_given && options.contains(name)) {
            Some((name, _)) => {
                let help = format!(
                    "use it without {}; `{} {command} --help` lists its options",
                    list(options),
                    program::name()
                );
                Err(UsageError(format!("`{} {command}` cannot use `{name}`\n  {help}", program::name())))
            }
            None => Ok(()),
        }
    }

    /// Refuses several results without a place for the files that the command writes.
    ///
    /// # Errors
    /// What to add.
    pub fn need_out(&self, out: Option<&Path>) -> Result<(), UsageError> {
        if self.results.len() < 2 || out.is_some() {
            return Ok(());
        }
        Err(UsageError("several results have no folder in common\n  say with `--out` where to write".to_owned()))
    }

    /// Refuses a metric that is not in this list.
    ///
    /// # Errors
    /// Which there are.
    pub(crate) fn expect_metric(&self, command: &str, metrics: &[Metric]) -> Result<(), UsageError> {
        match self.metric()? {
            Some(metric) if !metrics.contains(&metric) => {
                let names: Vec<&str> = metrics.iter().map(|metric| metric.declaration().name).collect();
                let asked = self.metric.join(", ");
                let help = format!("expected {}; `{} compare` accepts every metric", list(&names), program::name());
                Err(UsageError(format!("`{} {command}` cannot show `{asked}`\n  {help}", program::name())))
            }
            _ => Ok(()),
        }
    }
}

/// Where runs are taken to end.
#[derive(Debug, Args)]
pub struct TargetOptions {
    /// A target that is set after the runs: each run counts as if it had ended there, by its trace. `gap=1`: at most 1 % worse than the
    /// best known value; `best=1`: at most 1 % worse than the best value that any run found on the instance; `objective=1500`,
    /// `fitness=1500`: this value or a better one. Of several, each run counts once for each, and the setting `target` says which
    #[arg(long = "target", value_name = "KIND=VALUE")]
    targets: Vec<Target>,
    /// Cut every run at N evaluations, by its trace: its best value then, and work of at most N. Traces have no times, so that runs
    /// cannot be cut at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    until_evaluations: Option<u64>,
}

impl TargetOptions {
    /// The ends of runs that the user asked for, one for each target.
    pub fn ends(&self) -> Vec<EarlierEnd> {
        let evaluations = self.until_evaluations;
        let ends: Vec<EarlierEnd> =
            self.targets.iter().map(|&target| EarlierEnd { target: Some(target), evaluations }).collect();
        if ends.is_empty() && evaluations.is_some() { vec![EarlierEnd { target: None, evaluations }] } else { ends }
    }
}

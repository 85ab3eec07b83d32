//! Options of every command that analyses results: the results, the metric, the keys of configurations, and published values.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use evogrid_analysis::compare::MAX_CONFIGURATIONS;
use evogrid_analysis::metric::{METRICS, Metric};
use evogrid_analysis::samples::Condition;
use evogrid_analysis::truncation::{EarlierEnd, Target};
use evogrid_core::suggestion::list;
use evogrid_results::files::is_regular;
use evogrid_results::format::printable;
use evogrid_results::runs::{ColumnName, column_named};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::Document;
use evogrid_runner::system::program;

use crate::usage_error::UsageError;

/// The results, and the options of the analysis.
#[derive(Debug, Args)]
pub struct AnalysisOptions {
    /// Results folders, or CSVs with the columns of runs.csv. A CSV needs only `algorithm`, `instance`, and one of `solved`, `gap` and
    /// `objective`. If you give several folders or files, each run gets the setting `results` with the name of its folder or file. `table`
    /// also reads a summary.csv
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
    /// The headers of the columns.
    #[command(flatten)]
    pub columns: ColumnOptions,
    #[arg(long, value_name = "NAME", help = metric_help())]
    metric: Vec<String>,
    /// Use only runs that fulfil this condition: a key, an operator and a value. Keys are `algorithm`, `bucket`, `instance`, `problem`,
    /// varied settings and sizes of the instance. Operators are `=`, `!=`, `<`, `<=`, `>`, `>=`. Examples: `population=100,200`,
    /// `bucket!=easy`, `n>=100`. May be given several times. If there are several conditions, a run must fulfil all of them
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::new)]
    pub conditions: Vec<Condition>,
    /// A key that distinguishes configurations, curves and panels. Keys are `algorithm` and varied settings; charts also accept `bucket`
    /// and `instance`. May be given several times. By default, tables use all varied settings as keys. Each chart has its own default keys
    #[arg(long, value_name = "KEY")]
    pub by: Vec<String>,
    /// Compare each configuration only with this algorithm or configuration. Give the name of a configuration as tables show it. By
    /// default, the table `[analysis]` of the experiment says which pairs are compared. If this table is missing, or contains neither
    /// `baseline` nor `comparisons`, each configuration is compared with every other configuration
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Compare the best N configurations and the baseline. If the metric is the gap or the objective, the means of the metric decide which
    /// configurations are the best. If the instances belong to several families, `compare` uses mean ranks. For all other metrics, the
    /// configurations with the highest success rates are the best. If it is not known whether runs are solved, the gaps or the objectives
    /// replace the success rates. By default all configurations are compared. If there are more than 20 configurations, only the best 7 are
    /// compared
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(2..=MAX_CONFIGURATIONS as u64))]
    pub top: Option<usize>,
    /// CSV file with published values. These values are shown next to our values. By default, charts and the report use the file that the
    /// experiment names
    #[arg(long, value_name = "PUBLISHED.csv")]
    pub against: Option<PathBuf>,
    /// Options that apply a target or a limit to finished runs.
    #[command(flatten)]
    pub targets: TargetOptions,
}

fn metric_help() -> String {
    let names: Vec<&str> = METRICS.iter().map(|declared| declared.name).collect();
    format!(
        "The metric to compare: {}; or `diversity@N` from a trace. A table with `--rows` or `--columns` accepts \
         several `--metric` options. The default is the metric in the table `[analysis]` of the experiment. If no \
         experiment names a metric, the default depends on the runs. The default is `solved` if the runs record whether \
         they were solved. Otherwise, the default is `gap` if all instances have a best known value, or else `objective`",
        names.join(", ")
    )
}

impl AnalysisOptions {
    /// The metric that the user requested.
    ///
    /// # Errors
    /// Returns an error if no metric has this name. Returns an error if several metrics are given.
    pub fn metric(&self) -> Result<Option<Metric>, UsageError> {
        if self.metric.len() > 1 {
            let help = "only a table with `--rows` or `--columns` accepts several metrics";
            return Err(UsageError(format!("expected one metric, but {} are given\n  {help}", self.metric.len())));
        }
        Ok(self.metrics()?.pop())
    }

    /// The metrics that the user requested.
    ///
    /// # Errors
    /// Returns an error if one of the requested names is not the name of a metric.
    pub fn metrics(&self) -> Result<Vec<Metric>, UsageError> {
        let of_name = |name: &String| {
            Metric::of_name(name).map_err(|expected| UsageError(format!("unknown metric `{name}`\n  {expected}")))
        };
        self.metric.iter().map(of_name).collect()
    }

    /// Refuses options that the command cannot use.
    ///
    /// # Errors
    /// Returns an error if one of these options was given.
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
                    "omit {}; `{} {command} --help` lists the options of the command",
                    list(options),
                    program::name()
                );
                Err(UsageError(format!("`{} {command}` cannot use `{name}`\n  {help}", program::name())))
            }
            None => Ok(()),
        }
    }

    /// Checks that `--out` is given if there are several results. Several results have no common folder. Therefore `--out` must name the
    /// folder for new files.
    ///
    /// # Errors
    /// Returns an error if there are several results and no path `out`.
    pub fn need_out(&self, out: Option<&Path>) -> Result<(), UsageError> {
        if self.results.len() < 2 || out.is_some() {
            return Ok(());
        }
        Err(UsageError(
            "several results are given, and the output has no obvious folder\n  give the path of the output with `--out`".to_owned(),
        ))
    }

    /// Refuses a metric that is not in this list.
    ///
    /// # Errors
    /// Returns an error if the user requested another metric.
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

/// Options that apply a target or a limit to finished runs. Each run counts as if it had ended earlier.
#[derive(Debug, Args)]
pub struct TargetOptions {
    /// Set a target after the runs. Each run counts as if it had ended at the target. The trace of the run shows when the run reached the
    /// target. `gap=1`: at most 1 % worse than the best known value; `best=1`: at most 1 % worse than the best value that any run found on
    /// the instance; `objective=1500`, `fitness=1500`: this value or a better value. With several targets, each run counts once for each
    /// target, and the setting `target` names the target
    #[arg(long = "target", value_name = "KIND=VALUE")]
    targets: Vec<Target>,
    /// Cut each run after N evaluations, with the help of its trace. The result of a cut run is the best value of its first N evaluations.
    /// A time limit is not possible, since traces do not contain times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    until_evaluations: Option<u64>,
}

impl TargetOptions {
    /// The requested ends of the runs, one for each target.
    pub fn ends(&self) -> Vec<EarlierEnd> {
        let evaluations = self.until_evaluations;
        let ends: Vec<EarlierEnd> =
            self.targets.iter().map(|&target| EarlierEnd { target: Some(target), evaluations }).collect();
        if ends.is_empty() && evaluations.is_some() { vec![EarlierEnd { target: None, evaluations }] } else { ends }
    }
}

/// The headers of the columns of a file.
#[derive(Debug, Args)]
pub struct ColumnOptions {
    /// Header of a column in a CSV of another program: with `algorithm=Method`, the column `Method` is read as the column `algorithm` of
    /// runs.csv. May be given several times. A file `FILE.columns.toml` beside `FILE.csv` has the same effect; it contains a line such as
    /// `algorithm = "Method"` for each column
    #[arg(long = "column", value_name = "NAME=HEADER")]
    columns: Vec<String>,
}

impl ColumnOptions {
    /// Returns the headers of this file. An option takes precedence over a line of the file `FILE.columns.toml`. A results folder has no
    /// such file of headers.
    ///
    /// # Errors
    /// Returns an error if an option or a line of `FILE.columns.toml` is invalid.
    pub fn names(&self, results: &Path) -> anyhow::Result<Vec<ColumnName>> {
        let mut names: Vec<ColumnName> = Vec::new();
        for option in &self.columns {
            let refused =
                |expected: String| UsageError(format!("`--column {option}` does not name a column\n  {expected}"));
            let example = || refused("expected `--column NAME=HEADER`, for example `--column algorithm=Method`".into());
            let (column, header) = option.split_once('=').ok_or_else(example)?;
            let column = column_named(column.trim()).map_err(refused)?;
            let is_given = names.iter().any(|name| name.column == column);
            ensure!(
                !is_given,
                UsageError(format!("`--column {column}=...` is given twice\n  expected one header for this column"))
            );
            names.push(ColumnName { column, header: header.trim().to_owned(), origin: "`--column`".to_owned() });
        }
        let beside = results.with_extension("columns.toml");
        if !results.is_dir() && beside != results && is_regular(&beside)? {
            let given: Vec<&str> = names.iter().map(|name| name.column).collect();
            names.extend(read(&beside)?.into_iter().filter(|listed| !given.contains(&listed.column)));
        }
        Ok(names)
    }
}

/// Reads the headers in a file `NAME.columns.toml`.
fn read(path: &Path) -> Result<Vec<ColumnName>, Diagnostics> {
    let document = Document::read(path)?;
    let origin = format!("`{}`", printable(&path.to_string_lossy()));
    let (mut names, mut faults) = (Vec::new(), Diagnostics::new());
    for entry in &document.root.entries {
        match (column_named(&entry.key), entry.node.text()) {
            (Ok(column), Some(header)) => {
                names.push(ColumnName { column, header: header.trim().to_owned(), origin: origin.clone() });
            }
            (Ok(column), None) => {
                let message = format!("`{column}` is {}, not a header", entry.node.value.type_name());
                let help = format!("expected the header in quotes: `{column} = \"Header\"`");
                faults.push(document.diagnostic(&entry.node.span, message, help));
            }
            (Err(expected), _) => {
                let message = format!("`{}` is not a column", entry.key);
                faults.push(document.diagnostic(&entry.key_span, message, expected));
            }
        }
    }
    if faults.is_empty() { Ok(names) } else { Err(faults) }
}

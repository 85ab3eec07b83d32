//! Opened results: a results folder, or a CSV file, with everything that is known about it. Every command that analyses results opens them
//! in this way, and reads each file once.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use evogrid_analysis::charts::{BestChoice, best_configurations};
use evogrid_analysis::compare::{CompareOptions, Comparison, Look, compare};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::race::RecordedRace;
use evogrid_analysis::samples::{Key, RosterInstance, Samples, SelectionError};
use evogrid_analysis::summary::Summary;
use evogrid_analysis::{Published, table};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::format::printable;
use evogrid_runner::experiment::instance_list::InstancesById;
use serde_json::Value;

use crate::arguments::AnalysisOptions;
pub(crate) use crate::intake::Needs;
use crate::intake::{TRACE, file_beside, file_of, intake};
use crate::manifest_outline::{missing_runs, outline, published_file, with_instances};
use crate::messages::{line, wall_times, warnings};
use crate::planned_analysis::PlannedAnalysis;

/// If there are more instances than this, their sizes are not read: a chart could not distinguish so many instances.
const MOST_SIZED: usize = 5_000;

/// Results with everything that is known about them.
pub(crate) struct OpenedResults<'c> {
    /// The folder or file, in the words of the command line; empty for several results.
    pub(crate) path: PathBuf,
    /// The path of `runs.csv`, or of the CSV file in its place; empty for several results.
    pub(crate) file: PathBuf,
    /// The runs; empty if only their summary was requested.
    pub(crate) samples: Samples,
    /// The summary of the runs.
    pub(crate) summary: Summary,
    /// The number of all rows of the files, including rows that are not selected.
    n_rows: u64,
    /// Sentences that say which runs were left out, over which settings the results are averaged, and at which point runs count as ended.
    selection: Vec<String>,
    /// The manifest, if there is one. The number of instances replaces the instances, since there may be a million.
    pub(crate) manifest: Option<Value>,
    /// The instances of the manifest, if the command needs them.
    pub(crate) instances: InstancesById,
    /// The trace, if there is one.
    trace: Option<PathBuf>,
    /// The race of the configurations, if there was a race and the command needs it.
    pub(crate) race: Option<RecordedRace>,
    /// The published values to show next to ours.
    pub(crate) published: Option<Published>,
    /// The metric that the user requested. If the user requested no metric, this is the planned metric of the experiment.
    pub(crate) metric: Option<Metric>,
    /// The options of the user.
    options: &'c AnalysisOptions,
    /// The baseline that the user requested. Without a request, this is the planned baseline of the experiment.
    baseline: Option<String>,
    /// The planned pairs of configurations, if the user did not request other comparisons.
    pairs: Vec<[String; 2]>,
    /// The planned analysis of the experiment.
    planned: PlannedAnalysis,
    /// The parts of the planned analysis that the options of the user change.
    departures: String,
    /// The catalogue that defines the names in the experiment.
    pub(crate) catalogue: &'c Catalogue,
}

impl<'c> OpenedResults<'c> {
    /// Opens the results that the options name.
    ///
    /// # Errors
    /// Returns an error if a file does not exist or cannot be read.
    pub(crate) fn open(options: &'c AnalysisOptions, needs: Needs, catalogue: &'c Catalogue) -> Result<Self> {
        let asked = if needs == Needs::Cross { options.metrics()?.first().copied() } else { options.metric()? };
        // The runs come first: a summary may be older than the runs.
        let (names, none): (&[&str], _) = match needs {
            Needs::Summary => (&["runs.csv", "summary.csv"], "neither runs.csv nor summary.csv"),
            _ => (&["runs.csv"], "no runs.csv"),
        };
        let of = |path: &PathBuf| Ok((path.clone(), file_of(path, names, none)?));
        let results = options.results.iter().map(of).collect::<Result<Vec<_>>>()?;
        let (mut samples, summary, n_rows, selection) = intake(&results, options, needs, catalogue)?;
        // Several folders have no common plan or trace, and no common place for files.
        let (path, file) =
            if let [only] = results.as_slice() { only.clone() } else { (PathBuf::new(), PathBuf::new()) };
        // With several targets each run counts several times, but has one course.
        let trace = file_beside(&file, TRACE)?.filter(|_| options.targets.ends().len() < 2);
        let is_sized = needs.has_charts() && samples.roster.instances.len() <= MOST_SIZED;
        let (manifest, instances) = match needs {
            _ if results.len() > 1 => (None, None),
            _ if needs == Needs::Report || is_sized => with_instances(&path)?.unzip(),
            _ => (outline(&path)?, None),
        };
        let planned = PlannedAnalysis::of(manifest.as_ref())?;
        let plan = &planned.plan;
        let is_shown = |metric: &Metric| needs.metrics().is_empty() || needs.metrics().contains(metric);
        let metric = asked.or(plan.metric().filter(is_shown));
        // With other keys there are other configurations.
        let is_compared_as_planned = options.by.is_empty() && options.baseline.is_none();
        let compared = Some(plan).filter(|_| is_compared_as_planned);
        let baseline = options.baseline.clone().or(compared.and_then(|plan| plan.baseline.clone()));
        let pairs = compared.filter(|_| options.top.is_none()).map(|plan| plan.comparisons.clone()).unwrap_or_default();
        let is_compared_otherwise = pairs != plan.comparisons || baseline != plan.baseline && plan.baseline.is_some();
        let has_other_metric = plan.metric().is_some_and(|planned| metric != Some(planned));
        let has_other_comparisons = matches!(needs, Needs::Runs | Needs::Report) && is_compared_otherwise;
        let departures = [("metric", has_other_metric), ("comparisons", has_other_comparisons)];
        let departures: Vec<&str> =
            departures.iter().filter(|(_, is_other)| *is_other).map(|(name, _)| *name).collect();
        let departures = departures.join(" and ");
        if !departures.is_empty() {
            line(&format!("note: this analysis differs from `[analysis]` of the experiment: {departures}"));
        }
        let against = if needs.has_charts() {
            published_file(options.against.as_deref(), manifest.as_ref())
        } else {
            options.against.clone()
        };
        let race = if needs.has_charts() { file_beside(&file, "race.csv")? } else { None };
        let instances = InstancesById::new(instances.flatten().unwrap_or_default().into());
        if is_sized {
            let first_size = |instance: &RosterInstance| {
                let (_, read) = instances.get(&instance.id)?.restore(catalogue).ok()?;
                read.sizes().first().map(|&(_, size)| size)
            };
            samples.sizes = samples.roster.instances.iter().map(first_size).collect();
        }
        if let Some(Metric::Diversity { generation }) = metric {
            ensure!(
                results.len() == 1,
                "diversity is read from the trace of one results folder, but several results are given: give only one"
            );
            samples.read_diversity(&file.with_file_name(TRACE), &[generation]).context("diversity needs a trace")?;
        }
        Ok(Self {
            path,
            file,
            samples,
            summary,
            n_rows,
            selection,
            manifest,
            instances,
            trace,
            race: race.as_deref().map(RecordedRace::open).transpose()?,
            published: against.as_deref().map(Published::open).transpose()?,
            metric,
            options,
            baseline,
            pairs,
            planned,
            departures,
            catalogue,
        })
    }

    /// The metric of the analysis: the requested metric, or the planned metric, or else the default metric of these runs.
    pub(crate) fn metric(&self) -> Metric {
        self.metric.unwrap_or_else(|| self.summary.default_metric())
    }

    /// The metric for the quality of solutions: the metric of the analysis if it measures solutions or success, or else the default metric
    /// of these runs.
    pub(crate) fn quality(&self) -> Metric {
        match self.metric {
            Some(metric @ (Metric::Solved | Metric::Gap | Metric::Objective)) => metric,
            _ => self.summary.default_metric(),
        }
    }

    /// The unit of the cost of a run: the unit of the metric if the metric measures work, or else the unit that all runs share.
    pub(crate) fn work_unit(&self) -> Metric {
        self.metric.filter(|metric| metric.is_work_unit()).unwrap_or_else(|| self.samples.work_unit())
    }

    /// The keys that distinguish curves and panels.
    ///
    /// # Errors
    /// Returns an error if the runs lack one of the keys.
    pub(crate) fn keys(&self) -> Result<Vec<Key>, SelectionError> {
        self.options.by.iter().map(|name| self.samples.roster.key(name)).collect()
    }

    /// Compares the configurations of these runs in a metric: the planned pairs, each configuration with the baseline, or all pairs. If
    /// there are too many configurations, or on request, only the best configurations in the metric `quality` are compared.
    ///
    /// # Errors
    /// Returns an error if the configurations cannot be compared.
    pub(crate) fn compare(
        &self,
        samples: &Samples,
        metric: Metric,
        quality: Metric,
    ) -> Result<Comparison, SelectionError> {
        let Self { options: AnalysisOptions { by, top, .. }, baseline, pairs, summary, .. } = self;
        let plan = &self.planned.plan;
        let choice = BestChoice { by, top: *top, baseline: baseline.as_deref() };
        // All planned pairs are compared, however many configurations there are.
        let best = pairs.is_empty().then(|| best_configurations(samples, quality, choice)).flatten();
        let (samples, heading) =
            best.map_or((Cow::Borrowed(samples), None), |(best, heading)| (Cow::Owned(best), Some(heading)));
        let look = self.repetitions().map(|repetitions| Look { planned: &plan.looks, repetitions });
        let options = CompareOptions { by, baseline: baseline.as_deref(), pairs, criteria: plan.criteria(), look };
        let mut comparison = compare(&samples, metric, options)?;
        let chosen_by = match metric {
            Metric::Solved | Metric::Gap | Metric::Objective => Some(metric),
            _ => heading.is_some().then(|| self.quality()),
        };
        comparison.best = chosen_by.and_then(|metric| summary.best_of_many(metric, by));
        comparison.heading = heading;
        Ok(comparison)
    }

    /// The number of repetitions of the plan in these runs, if the experiment plans looks.
    fn repetitions(&self) -> Option<f64> {
        let number = |place: &str| self.manifest.as_ref()?.pointer(place)?.as_f64();
        let present = self.n_rows as f64;
        let repetitions = number("/experiment/repetitions")? * present / number("/runs/planned")?;
        (repetitions > 0.0 && !self.planned.plan.looks.is_empty()).then_some(repetitions)
    }

    /// All warnings that belong below a table of these results.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let warnings = warnings::warnings(&self.summary, self.manifest.as_ref(), self.catalogue);
        self.selection.iter().cloned().chain(warnings).collect()
    }

    /// The notes on the analysis and all warnings.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.analysis_notes().into_iter().chain(self.warnings()).collect()
    }

    /// Notes on the analysis: the decisions before and after the first run, the changes in this request, and whether results were visible
    /// before all runs were done.
    pub(crate) fn analysis_notes(&self) -> Vec<String> {
        let [before, after] = &self.planned.history;
        let said = [
            ("These parts of the analysis were decided before the first run", before),
            ("These parts of the analysis were decided after the first run", after),
            ("This request changes these parts of the analysis", &self.departures),
        ];
        let said = said.into_iter().filter(|(_, what)| !what.is_empty());
        let present = self.n_rows;
        let planned = self.manifest.as_ref().and_then(|manifest| manifest.pointer("/runs/planned")?.as_u64());
        let looks = self.planned.looks(present, planned.unwrap_or(present));
        said.map(|(when, what)| format!("{when}: {}.", printable(what))).chain(looks).collect()
    }

    /// The notes on wall times, for every output that shows wall times.
    pub(crate) fn wall_time_notes(&self) -> Vec<String> {
        wall_times::notes(&self.summary, self.manifest.as_ref())
    }

    /// Whether the table in this layout shows wall times.
    pub(crate) fn shows_wall_times(&self, layout: table::Layout) -> bool {
        table::shows_wall_times(&self.summary, self.metric, layout)
    }

    /// Sentences for every drawing: the selection of runs, missing runs, and limits that differ.
    pub(crate) fn caveats(&self) -> Vec<String> {
        let missing = missing_runs(self.manifest.as_ref(), self.n_rows);
        let selected = self.selection.iter().cloned();
        selected.chain(missing).chain(warnings::of_limits(self.manifest.as_ref(), self.catalogue)).collect()
    }

    /// The notes on wall times for a drawing of work in this unit, if the unit is wall time.
    pub(crate) fn work_caveat(&self, unit: Metric) -> Option<String> {
        let notes = (unit == Metric::WallMs).then(|| self.wall_time_notes().join(" "));
        notes.filter(|notes| !notes.is_empty())
    }

    /// The input of charts.
    #[cfg(feature = "charts")]
    pub(crate) fn chart_input<'a>(
        &'a self,
        by: &'a [Key],
        (caveats, work_caveat): (&'a [String], Option<&'a str>),
        (columns, most_bytes): (usize, usize),
    ) -> evogrid_analysis::charts::ChartInput<'a> {
        evogrid_analysis::charts::ChartInput {
            trace: self.trace.as_deref(),
            race: self.race.as_ref(),
            published: self.published.as_ref(),
            by,
            unit: self.work_unit(),
            shown: self.metric(),
            columns,
            caveats,
            work_caveat,
            most_bytes,
            ..evogrid_analysis::charts::ChartInput::new(&self.samples, self.quality())
        }
    }
}

//! Opened results: a results folder, or a CSV in its place, with everything known about it. Every command that analyses results uses one,
//! and each file of it is read once.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use evogrid_analysis::charts::{BestChoice, WorkUnit, best_configurations};
use evogrid_analysis::compare::{CompareOptions, Comparison, Look, compare};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::race::RecordedRace;
use evogrid_analysis::samples::{Key, RosterInstance, Samples, SelectionError};
use evogrid_analysis::summary::Summary;
use evogrid_analysis::{Published, table};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::format::printable;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::instance_list::{InstanceList, InstancesById};
use serde_json::Value;

use crate::arguments::AnalysisOptions;
use crate::intake::{Intake, Request, TRACE, file_beside, file_of};
use crate::manifest_outline;
use crate::messages::{wall_times, warnings};
use crate::planned_analysis::PlannedAnalysis;
use crate::usage_error::{UsageError, unreadable};

/// Of more instances than this, sizes are not read: a chart could not tell so many apart.
const MOST_SIZED: usize = 5_000;

/// Results with everything that is known about them.
pub struct OpenedResults<'c> {
    /// The folder or file as the command line names it.
    pub path: PathBuf,
    /// The path of `runs.csv`, or of the CSV file in its place.
    pub file: PathBuf,
    /// The runs; empty if only their summary was requested.
    pub samples: Samples,
    /// The summary of the runs.
    pub summary: Summary,
    /// The number of rows of the files, selected or not.
    pub n_rows: u64,
    /// Which runs were left out, over what was averaged, and where runs were taken to end.
    pub(crate) selection: Vec<String>,
    /// The manifest, if there is one. The experiment's instances are replaced by their number, since there may be a million.
    pub manifest: Option<Value>,
    /// The instances of the manifest, if they were asked for.
    pub instances: InstancesById,
    /// The trace, if there is one.
    pub trace: Option<PathBuf>,
    /// The race in which the configurations were, if there was one, and it was asked for.
    pub race: Option<RecordedRace>,
    /// The published values to show next to ours.
    pub published: Option<Published>,
    /// The metric that the user requested, otherwise the one that the experiment plans.
    pub metric: Option<Metric>,
    /// The keys that distinguish configurations, if the user gave them: `algorithm` or varied settings.
    pub by: Vec<String>,
    /// The baseline of the comparison, if there is one: from the user, otherwise from the plan of the experiment.
    pub baseline: Option<String>,
    /// The number of best configurations to compare, if the user gave it.
    pub top: Option<usize>,
    /// The pairs to compare, if the experiment plans some and the user did not request anything else.
    pub(crate) pairs: Vec<[String; 2]>,
    /// The planned analysis of the experiment.
    pub(crate) planned: PlannedAnalysis,
    /// Where the request of the user differs from the plan of the experiment.
    pub(crate) departures: String,
    /// The catalogue that defines the names in the experiment.
    pub catalogue: &'c Catalogue,
}

/// The configurations to compare, and how to compare them.
pub(crate) struct ComparedConfigurations<'o> {
    /// The runs of the configurations.
    pub samples: Cow<'o, Samples>,
    /// The sentence above the comparison that says how these configurations were chosen as the best of many.
    pub heading: Option<String>,
    opened: &'o OpenedResults<'o>,
}

impl ComparedConfigurations<'_> {
    /// Compares all pairs of configurations in a metric, or each one with the baseline.
    ///
    /// # Errors
    /// If they cannot be compared.
    pub(crate) fn compare(&self, metric: Metric) -> Result<Comparison, SelectionError> {
        let OpenedResults { by, baseline, pairs, summary, planned, .. } = self.opened;
        let look = self.opened.repetitions().map(|repetitions| Look { planned: &planned.plan.looks, repetitions });
        let options =
            CompareOptions { by, baseline: baseline.as_deref(), pairs, criteria: planned.plan.criteria(), look };
        let mut comparison = compare(&self.samples, metric, options)?;
        let chosen_by = match metric {
            Metric::Solved | Metric::Gap | Metric::Objective => Some(metric),
            _ => self.heading.is_some().then(|| self.opened.quality()),
        };
        comparison.best = chosen_by.and_then(|metric| summary.best_of_many(metric, by));
        comparison.heading.clone_from(&self.heading);
        Ok(comparison)
    }
}

/// The parts of the results that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The summary, which needs little memory for any number of runs.
    Summary,
    /// The runs in memory as well.
    Runs,
    /// The same, averaged over the settings that `--by` does not name.
    Effects,
    /// The runs in memory, for a table with keys down and across.
    Cross,
    /// The published values that the experiment names as well.
    Charts,
    /// The instances as well.
    Report,
}

impl Needs {
    /// The metrics that can be shown; all if there are none.
    pub(crate) fn metrics(self) -> &'static [Metric] {
        match self {
            Self::Summary => &[Metric::Solved, Metric::Gap, Metric::Objective],
            Self::Charts => &[
                Metric::Solved,
                Metric::Gap,
                Metric::Objective,
                Metric::Evaluations,
                Metric::Generations,
                Metric::WallMs,
                Metric::CpuMs,
            ],
            Self::Runs | Self::Effects | Self::Cross | Self::Report => &[],
        }
    }
}

impl<'c> OpenedResults<'c> {
    /// Opens the results that the options name.
    ///
    /// # Errors
    /// If a file does not exist or cannot be read.
    pub fn open(options: &AnalysisOptions, needs: Needs, catalogue: &'c Catalogue) -> Result<Self> {
        let asked = if needs == Needs::Cross { options.metrics()?.first().copied() } else { options.metric()? };
        // The runs come first: a summary may be older than they are.
        let (names, none): (&[&str], _) = match needs {
            Needs::Summary => (&["runs.csv", "summary.csv"], "neither runs.csv nor summary.csv"),
            _ => (&["runs.csv"], "no runs.csv"),
        };
        let of = |path: &PathBuf| Ok((path.clone(), file_of(path, names, none)?));
        let results = options.results.iter().map(of).collect::<Result<Vec<_>, UsageError>>()?;
        let request = Request {
            results: &results,
            columns: &options.columns,
            conditions: &options.conditions,
            by: if matches!(needs, Needs::Summary | Needs::Effects | Needs::Report) { &options.by } else { &[] },
            ends: &options.targets.ends(),
            has_samples: needs != Needs::Summary,
            takes_summary: needs == Needs::Summary,
        };
        let Intake { samples, summary, n_rows, notes } = request.read(catalogue)?;
        // Several folders have no common plan, trace or place for files.
        let (path, file) =
            if let [only] = results.as_slice() { only.clone() } else { (PathBuf::new(), PathBuf::new()) };
        // Of several targets each run counts several times, and its course is one.
        let trace = file_beside(&file, TRACE)?.filter(|_| options.targets.ends().len() < 2);
        let (manifest, instances) = match needs {
            _ if results.len() > 1 => (None, None),
            Needs::Report => manifest_outline::with_instances(&path, InstanceList::len)?.unzip(),
            Needs::Charts if samples.roster.instances.len() <= MOST_SIZED => {
                manifest_outline::with_instances(&path, InstanceList::len)?.unzip()
            }
            _ => (manifest_outline::outline(&path)?, None),
        };
        let planned = PlannedAnalysis::of(manifest.as_ref())?;
        let plan = &planned.plan;
        let is_shown = |metric: &Metric| needs.metrics().is_empty() || needs.metrics().contains(metric);
        let metric = asked.or(plan.metric().filter(is_shown));
        // With other groups there are other configurations.
        let is_compared_as_planned = options.by.is_empty() && options.baseline.is_none();
        let compared = Some(plan).filter(|_| is_compared_as_planned);
        let baseline = options.baseline.clone().or(compared.and_then(|plan| plan.baseline.clone()));
        let pairs = compared.filter(|_| options.top.is_none()).map(|plan| plan.comparisons.clone()).unwrap_or_default();
        let is_compared_otherwise = pairs != plan.comparisons || baseline != plan.baseline && plan.baseline.is_some();
        let departures: Vec<&str> = [
            ("metric", plan.metric().is_some_and(|planned| metric != Some(planned))),
            ("comparisons", matches!(needs, Needs::Runs | Needs::Report) && is_compared_otherwise),
        ]
        .into_iter()
        .filter_map(|(what, is_other)| is_other.then_some(what))
        .collect();
        let departures = departures.join(" and ");
        if !departures.is_empty() {
            line(&format!("note: this differs from `[analysis]` of the experiment: {departures}"));
        }
        let instances = InstancesById::new(instances.flatten().unwrap_or_default().into());
        let against = match needs {
            Needs::Summary | Needs::Runs | Needs::Effects | Needs::Cross => options.against.clone(),
            Needs::Charts | Needs::Report => {
                manifest_outline::published_file(options.against.as_deref(), manifest.as_ref())
            }
        };
        let race = match needs {
            Needs::Charts | Needs::Report => file_beside(&file, "race.csv")?,
            Needs::Summary | Needs::Runs | Needs::Effects | Needs::Cross => None,
        };
        let race = race.as_deref().map(RecordedRace::open).transpose().map_err(unreadable)?;
        let published = against.as_deref().map(Published::open).transpose().map_err(unreadable)?;
        let mut opened = Self {
            path,
            file,
            samples,
            summary,
            n_rows,
            selection: notes,
            manifest,
            instances,
            trace,
            race,
            published,
            metric,
            by: options.by.clone(),
            baseline,
            top: options.top,
            pairs,
            planned,
            departures,
            catalogue,
        };
        if matches!(needs, Needs::Charts | Needs::Report) && opened.samples.roster.instances.len() <= MOST_SIZED {
            opened.samples.sizes = opened.sizes();
        }
        if let Some(Metric::Diversity { generation }) = metric {
            let trace = opened.file.with_file_name("trace.csv.gz");
            ensure!(
                !opened.file.as_os_str().is_empty(),
                "diversity needs a trace, which several results do not have in common"
            );
            opened.samples.read_diversity(&trace, &[generation]).context("diversity needs a trace")?;
        }
        Ok(opened)
    }

    /// The first size of each instance of the runs that the manifest has.
    fn sizes(&self) -> Vec<Option<f64>> {
        let size = |instance: &RosterInstance| {
            let (_, read) = self.instances.get(&instance.id)?.restore(self.catalogue).ok()?;
            read.sizes().first().map(|&(_, size)| size)
        };
        self.samples.roster.instances.iter().map(size).collect()
    }

    /// The metric that the user requested, otherwise the default metric of these runs.
    pub fn metric(&self) -> Metric {
        self.metric.unwrap_or_else(|| self.summary.default_metric())
    }

    /// The metric for the quality of solutions: the requested one if it measures solutions or success, otherwise the default metric of
    /// these runs.
    pub fn quality(&self) -> Metric {
        match self.metric {
            Some(metric @ (Metric::Solved | Metric::Gap | Metric::Objective)) => metric,
            _ => self.summary.default_metric(),
        }
    }

    /// The unit of the cost of a run: that of the metric if it measures work, otherwise the unit that all runs share.
    pub fn work_unit(&self) -> WorkUnit {
        self.metric.and_then(WorkUnit::of).unwrap_or_else(|| WorkUnit::shared(&self.samples))
    }

    /// The keys that distinguish curves and panels.
    ///
    /// # Errors
    /// If these runs do not have one of the keys.
    pub fn keys(&self) -> Result<Vec<Key>, UsageError> {
        let usage = |error: SelectionError| UsageError(format!("{error}\n  {}", error.help()));
        self.by.iter().map(|name| self.samples.roster.key(name).map_err(usage)).collect()
    }

    /// The configurations to compare: all of them, or the best if there are too many or the user requested it.
    pub(crate) fn compared_configurations(&self) -> ComparedConfigurations<'_> {
        self.compared_of(&self.samples, self.quality())
    }

    /// The same of some of the runs, the best of many by this metric.
    pub(crate) fn compared_of<'o>(&'o self, samples: &'o Samples, quality: Metric) -> ComparedConfigurations<'o> {
        let choice = BestChoice { by: &self.by, top: self.top, baseline: self.baseline.as_deref() };
        // Planned pairs are compared whole, however many configurations there are.
        let best = self.pairs.is_empty().then(|| best_configurations(samples, quality, choice)).flatten();
        let (samples, heading) =
            best.map_or((Cow::Borrowed(samples), None), |(best, heading)| (Cow::Owned(best), Some(heading)));
        ComparedConfigurations { samples, heading, opened: self }
    }

    /// The number of repetitions of the plan in these runs, if the experiment plans looks.
    fn repetitions(&self) -> Option<f64> {
        let number = |place: &str| self.manifest.as_ref()?.pointer(place)?.as_f64();
        let present = self.n_rows as f64;
        let repetitions = number("/experiment/repetitions")? * present / number("/runs/planned")?;
        (repetitions > 0.0 && !self.planned.plan.looks.is_empty()).then_some(repetitions)
    }

    /// All warnings that belong below a table of these results.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = warnings::warnings(&self.summary, self.manifest.as_ref(), self.catalogue);
        self.selection.iter().cloned().chain(warnings).collect()
    }

    /// Notes on the analysis: what was decided before and after the first run, where this request differs, and whether results were
    /// visible in between.
    pub(crate) fn analysis_notes(&self) -> Vec<String> {
        let [before, after] = &self.planned.history;
        let said = [
            ("Decided before the first run", before),
            ("Decided after the first run", after),
            ("Changed in this request", &self.departures),
        ];
        let said = said.into_iter().filter(|(_, what)| !what.is_empty());
        let present = self.n_rows;
        let planned = self.manifest.as_ref().and_then(|manifest| manifest.pointer("/runs/planned")?.as_u64());
        let looks = self.planned.looks(present, planned.unwrap_or(present));
        said.map(|(when, what)| format!("{when}: {}.", printable(what))).chain(looks).collect()
    }

    /// The notes on wall times, for every output that shows them.
    pub(crate) fn wall_time_notes(&self) -> Vec<String> {
        wall_times::notes(&self.summary, self.manifest.as_ref())
    }

    /// Whether the table in this layout shows wall times.
    pub fn shows_wall_times(&self, layout: table::Layout) -> bool {
        table::shows_wall_times(&self.summary, self.metric, layout)
    }

    /// Sentences for every drawing: missing runs, and limits that differ.
    pub fn caveats(&self) -> Vec<String> {
        let missing = manifest_outline::missing_runs(self.manifest.as_ref(), self.n_rows);
        let selected = self.selection.iter().cloned();
        selected.chain(missing).chain(warnings::of_limits(self.manifest.as_ref(), self.catalogue)).collect()
    }

    /// A sentence for drawings of the cost of runs, if wall times are shown: what lengthened their times.
    pub fn work_caveat(&self) -> Option<String> {
        self.work_caveat_of(self.work_unit())
    }

    /// The same for work in this unit.
    pub(crate) fn work_caveat_of(&self, unit: WorkUnit) -> Option<String> {
        let notes = (unit == WorkUnit::WallMs).then(|| self.wall_time_notes().join(" "));
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

//! A chart, the kinds of charts, and their input.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::error::ChartError;
use super::vega::{self, Drawing};
use super::work_unit::WorkUnit;
use crate::metric::{self, Metric, reported_objectives};
use crate::published::Published;
use crate::race::RecordedRace;
use crate::samples::{Key, Sample, Samples};

/// A chart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chart {
    /// The kind of the chart.
    pub kind: ChartKind,
    /// The title in a few words. It is not part of the drawing, because papers have captions and pages have headings.
    pub title: String,
    /// The Vega-Lite specification without a theme, which is added when it is drawn.
    pub spec: Value,
    /// Sentences without which the chart would mislead: failed or missing runs, omitted configurations. They appear in the drawing.
    pub caveats: Vec<String>,
    /// Sentences that explain how to read the chart.
    pub notes: Vec<String>,
    /// What it is of: `420 runs of 3 configurations on 40 instances`.
    pub data: String,
}

/// The input of charts.
#[derive(Clone, Copy, Debug)]
pub struct ChartInput<'a> {
    /// The runs.
    pub samples: &'a Samples,
    /// The `trace.csv.gz` of the experiment, if there is one.
    pub trace: Option<&'a Path>,
    /// The race in which the configurations were, if there was one.
    pub race: Option<&'a RecordedRace>,
    /// The published values to show next to ours.
    pub published: Option<&'a Published>,
    /// The keys that distinguish curves and panels; empty for the default of each chart.
    pub by: &'a [Key],
    /// The unit of a run's cost.
    pub unit: WorkUnit,
    /// The metric by which configurations are ranked: [`Metric::Solved`], [`Metric::Gap`] or [`Metric::Objective`];
    /// [`Samples::default_metric`] by default.
    pub metric: Metric,
    /// The metric of charts that show any: heat maps, pairs and effects.
    pub shown: Metric,
    /// The number of panels side by side: 1 for a column of a paper, 2 for its whole width.
    pub columns: usize,
    /// Sentences for every drawing, for example about missing runs.
    pub caveats: &'a [String],
    /// A sentence for drawings of the cost of runs, for example about what lengthened their times.
    pub work_caveat: Option<&'a str>,
    /// Whether the caveats appear in the drawing. A caption says them, too.
    pub has_notes: bool,
    /// The maximum size in bytes of a specification. A chart that would be larger may be refused before it is made; one that is slightly
    /// larger may be accepted.
    pub most_bytes: usize,
}

/// What a chart is of.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// The number of solved runs.
    Success,
    /// The cost of solving.
    Work,
    /// The cost of solving, or the quality of solutions if that is the metric of the input.
    WorkOrQuality,
    /// What the input shows.
    Shown,
    /// The quality of solutions, or the development of runs.
    Other,
}

/// The charts, in the order of a report: what each is called on the command line and in the name of its file, what it is of, and what it
/// shows.
macro_rules! charts {
    ($($kind:ident $name:literal $subject:ident, $doc:literal;)*) => {
        /// The charts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "`ChartKind::doc` says it")]
        #[non_exhaustive]
        pub enum ChartKind {
            $($kind,)*
        }

        /// What is declared of each.
        const CHARTS: [(ChartKind, &str, Subject, &str); [$($name,)*].len()] =
            [$((ChartKind::$kind, $name, Subject::$subject, $doc),)*];
    };
}

charts! {
    Success "success" Success, "success rate along a varied number, with intervals";
    Gap "gap" Other, "mean gap, or objective, by configuration and bucket or along a varied number, with intervals";
    GapDistribution "gap-distribution" Other, "gaps of the runs, or distances from the best objective: quartiles and single runs";
    GapEcdf "gap-ecdf" Other, "share of runs within a given gap, or a given distance from the best objective";
    Heatmap "heatmap" Shown, "success rate, or another metric, over two varied settings";
    BucketHeatmap "bucket-heatmap" Shown, "success rate, or another metric, of configurations by bucket, or by instance \
        if there is one bucket";
    Phase "phase" Success, "success rate along the buckets, if these are numbers (for example of givens)";
    Ecdf "ecdf" Work, "share of runs solved within a given number of evaluations";
    Cost "cost" Work, "evaluations to solve: quartiles and single runs; unsolved runs appear in a separate lane";
    TimeToTarget "time-to-target" Work, "share of the runs on an instance solved within a cost, with a fitted shifted \
        exponential distribution";
    Scaling "scaling" Work, "expected cost against the size of instances, with the fitted exponent";
    Front "front" Other, "quality against time: the configurations, and the front of those that none beats";
    Pairs "pairs" Shown, "matrix of pairs: effect, p-value, and wins, ties and losses over instances";
    MainEffects "main-effects" Shown, "mean at each value of each setting, over all others";
    Interactions "interactions" Shown, "means at the values of two settings that depend on each other most";
    Importance "importance" Shown, "share of the differences that each setting explains";
    Race "race" Other, "race of configurations: from which block to which each took part, and why it ended; of `runner tune`";
    Profile "profile" Work, "performance profile: share of instances solved within a multiple of the lowest cost";
    Ranks "ranks" WorkOrQuality, "critical-difference diagram: mean ranks over instances, with bars between \
        configurations that do not differ";
    Scatter "scatter" WorkOrQuality, "two configurations compared instance by instance";
    Convergence "convergence" Other, "gap, or distance to the best value, that a quarter, half and three quarters of \
        the runs attain within the evaluations, or their best fitness if it counts down to 0; from the trace";
    Targets "targets" Other, "share of many targets reached within a given number of evaluations, from the trace";
    FixedTarget "fixed-target" Other, "expected evaluations to each of many targets, with intervals, from the trace";
    Diversity "diversity" Other, "diversity of the population over the generations, from the trace";
    Published "published" Success, "published success rates next to ours";
}

impl ChartKind {
    /// Every chart, in the order of a report.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        CHARTS.iter().map(|&(kind, ..)| kind)
    }

    /// The name on the command line and in the file name.
    pub fn text(self) -> &'static str {
        CHARTS[self as usize].1
    }

    /// The description of the chart.
    pub fn doc(self) -> &'static str {
        CHARTS[self as usize].3
    }

    /// Whether the chart uses only runs that report whether they were solved.
    pub(super) fn is_of_success(self, input: &ChartInput<'_>) -> bool {
        match CHARTS[self as usize].2 {
            Subject::Success | Subject::Work => true,
            Subject::WorkOrQuality => input.metric == Metric::Solved,
            Subject::Shown => input.shown == Metric::Solved || shows_work(input.shown),
            Subject::Other => false,
        }
    }
}

impl Chart {
    pub(super) fn new(
        input: &ChartInput<'_>,
        kind: ChartKind,
        title: &str,
        drawings: Vec<Drawing>,
        remarks: Remarks,
    ) -> Self {
        let mut caveats = input.caveats.to_vec();
        let shows_work = match CHARTS[kind as usize].2 {
            Subject::Success => false,
            Subject::Shown => shows_work(input.shown),
            _ => kind.is_of_success(input),
        };
        caveats.extend(input.work_caveat.filter(|_| shows_work).map(str::to_owned));
        caveats.extend(failures(input.samples, kind));
        caveats.extend(reported_objectives(&input.samples.fitnesses));
        caveats.extend(remarks.caveats);
        let shown = if input.has_notes { caveats.as_slice() } else { &[] };
        let spec = vega::description(title, drawings, input.columns, shown);
        let mut notes = remarks.notes;
        notes.extend(unequal_runs(input.samples, kind));
        Self { kind, title: title.to_owned(), spec, caveats, notes, data: input.samples.data() }
    }

    /// A caption: what is shown, of how many runs, what bands, bars and p-values mean, and the caveats.
    pub fn caption(&self) -> String {
        let sentences = self.notes.iter().chain(&self.caveats).map(String::as_str);
        [format!("{} ({}).", self.title, self.data)]
            .iter()
            .map(String::as_str)
            .chain(sentences)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl Samples {
    /// The numbers of runs, configurations and instances, in words.
    fn data(&self) -> String {
        let count = |key: fn(&Sample) -> usize, noun: &str| {
            let n = self.runs.iter().map(key).collect::<BTreeSet<_>>().len();
            format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
        };
        let [configurations, instances] =
            [count(Sample::configuration, "configuration"), count(Sample::instance, "instance")];
        format!("{} runs of {configurations} on {instances}", self.runs.len())
    }
}

/// Whether a metric is of the work for solving.
fn shows_work(metric: Metric) -> bool {
    matches!(metric.declaration().subject, metric::Subject::Work | metric::Subject::PenalisedWork)
}

/// The sentences of a chart: in the drawing, and next to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Remarks {
    pub(super) caveats: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Remarks {
    /// The same remarks with these notes in front.
    pub(super) fn after(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.splice(0..0, notes);
        self
    }
}

/// How much instances count, if a configuration has unequal numbers of runs on them.
fn unequal_runs(samples: &Samples, kind: ChartKind) -> Option<String> {
    let how = match kind {
        ChartKind::Cost | ChartKind::GapDistribution | ChartKind::FixedTarget | ChartKind::Convergence => {
            "Instances with more runs count more"
        }
        ChartKind::Ecdf | ChartKind::GapEcdf | ChartKind::Gap | ChartKind::Targets => "Instances weigh equally",
        _ if CHARTS[kind as usize].2 == Subject::Success => "Instances weigh equally",
        _ => return None,
    };
    let [fewest, most] = samples.runs_of_instances()?;
    Some(format!("{how}: a configuration has between {fewest} and {most} runs on each."))
}

/// The number of failed runs, and how the chart counts them.
fn failures(samples: &Samples, kind: ChartKind) -> Option<String> {
    let failed = samples.runs.iter().filter(|run| run.outcome.has_failed()).count();
    let place = match kind {
        ChartKind::Cost => "they count as unsolved and appear as × in the lane",
        ChartKind::GapDistribution => "they have no solution and appear as × in the lane",
        ChartKind::GapEcdf => "they have no solution",
        ChartKind::Gap => "they have no solution, so their mean is undefined",
        ChartKind::Convergence | ChartKind::Diversity => "they are left out",
        // Its runs are counted in its own file.
        ChartKind::Race => return None,
        _ => "they count as unsolved",
    };
    (failed > 0).then(|| format!("{failed} of {} runs failed: {place}.", samples.runs.len()))
}

impl<'a> ChartInput<'a> {
    /// Refuses a chart with this many points before the first one is made: millions of points need more memory than all runs.
    pub(super) fn check_points(&self, points: usize) -> Result<(), ChartError> {
        /// A point is longer: its names, two places and two texts.
        const LEAST_BYTES: usize = 50;
        if points.saturating_mul(LEAST_BYTES) > self.most_bytes { Err(ChartError::TooLarge) } else { Ok(()) }
    }

    /// All runs.
    pub(super) fn runs(&self) -> Vec<&'a Sample> {
        self.samples.runs.iter().collect()
    }

    /// Refuses runs that lack a column.
    pub(super) fn need(&self, column: &'static str) -> Result<(), ChartError> {
        if self.samples.missing.contains(&column) { Err(ChartError::MissingColumn { column }) } else { Ok(()) }
    }

    /// Refuses runs whose work is unknown or is counted in different units.
    pub(super) fn check_work(&self) -> Result<(), ChartError> {
        self.need(self.unit.column())?;
        Ok(self.unit.check(self.samples)?)
    }

    /// The title of an axis of work: the name of the unit, if the runs share one.
    pub(super) fn work_title(&self) -> &'a str {
        match self.samples.units.as_slice() {
            [unit] if self.unit == WorkUnit::Evaluations && !unit.is_empty() => unit,
            _ => self.unit.title(),
        }
    }

    /// Why work is not shown in evaluations, if evaluations cannot be compared.
    pub(super) fn unit_note(&self) -> Option<String> {
        let mixed = WorkUnit::Evaluations.check(self.samples).err()?;
        Some(format!("Evaluations are not shown: {mixed}."))
    }
}

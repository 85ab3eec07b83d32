//! A chart, the kinds of charts, and their input.

use std::path::Path;

use serde_json::Value;

use super::error::ChartError;
use super::vega::{self, Drawing};
use super::work_unit::WorkUnit;
use crate::metric::Metric;
use crate::published::Published;
use crate::samples::{Key, Sample, Samples};

/// A chart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chart {
    /// Which one it is.
    pub kind: ChartKind,
    /// What it shows, in a few words. It is not part of the drawing: a paper has its caption, a page its heading.
    pub title: String,
    /// The Vega-Lite specification without a theme: whoever draws it adds one.
    pub spec: Value,
    /// Sentences without which the chart misleads: runs that failed or are missing, configurations that were left out. They appear in the
    /// drawing.
    pub caveats: Vec<String>,
    /// Sentences on how to read it.
    pub notes: Vec<String>,
}

/// The input of charts.
#[derive(Clone, Copy, Debug)]
pub struct ChartInput<'a> {
    /// The runs.
    pub samples: &'a Samples,
    /// The experiment's `trace.csv.gz`, if it has one.
    pub trace: Option<&'a Path>,
    /// Published figures to show beside ours.
    pub published: Option<&'a Published>,
    /// The keys that tell curves and panels apart; empty for each chart's own choice.
    pub by: &'a [Key],
    /// What a run costs.
    pub unit: WorkUnit,
    /// By which metric configurations are ranked: [`Metric::Solved`], [`Metric::Gap`] or [`Metric::Objective`];
    /// [`Samples::default_metric`] where nobody says it.
    pub metric: Metric,
    /// Panels that stand side by side: 1 for a column of a paper, 2 for its whole width.
    pub columns: usize,
    /// Sentences for every drawing, for example on missing runs.
    pub caveats: &'a [String],
    /// A sentence for drawings of the cost of runs, for example on what lengthened their times.
    pub work_caveat: Option<&'a str>,
    /// The most bytes of a specification that the caller can use. A chart may be refused before it is made; one that is only a little
    /// longer may be made.
    pub most_bytes: usize,
}

/// What a chart is of.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// How many runs are solved.
    Success,
    /// What solving takes.
    Work,
    /// What solving takes, or how good solutions are where the input's metric is that.
    WorkOrQuality,
    /// How good solutions are, or how runs develop.
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
    Heatmap "heatmap" Success, "success rate over two varied settings";
    Phase "phase" Success, "success rate along the buckets, where these are numbers (of givens, say)";
    Ecdf "ecdf" Work, "share of runs solved within so many evaluations";
    Cost "cost" Work, "evaluations to solve: quartiles and runs, unsolved ones in a lane of their own";
    Profile "profile" Work, "performance profile: share of instances solved within a multiple of the least cost";
    Ranks "ranks" WorkOrQuality, "critical-difference diagram: mean ranks over instances, and what does not differ";
    Scatter "scatter" WorkOrQuality, "two configurations instance by instance";
    Convergence "convergence" Other, "best fitness along the evaluations, from the trace";
    Diversity "diversity" Other, "diversity of the population along the generations, from the trace";
    Published "published" Success, "published success rates beside ours";
}

impl ChartKind {
    /// Every chart, in the order of a report.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        CHARTS.iter().map(|&(kind, ..)| kind)
    }

    /// Its name on the command line and in its file's name.
    #[must_use]
    pub fn text(self) -> &'static str {
        CHARTS[self as usize].1
    }

    /// What it shows.
    #[must_use]
    pub fn doc(self) -> &'static str {
        CHARTS[self as usize].3
    }

    /// Whether it is of the runs alone that say whether they were solved.
    pub(super) fn is_of_success(self, metric: Metric) -> bool {
        match CHARTS[self as usize].2 {
            Subject::Success | Subject::Work => true,
            Subject::WorkOrQuality => metric == Metric::Solved,
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
        let shows_work = CHARTS[kind as usize].2 != Subject::Success && kind.is_of_success(input.metric);
        caveats.extend(input.work_caveat.filter(|_| shows_work).map(str::to_owned));
        caveats.extend(failures(input.samples, kind));
        caveats.extend(remarks.caveats);
        let spec = vega::description(title, drawings, input.columns, &caveats);
        let mut notes = remarks.notes;
        notes.extend(unequal_runs(input.samples, kind));
        Self { kind, title: title.to_owned(), spec, caveats, notes }
    }
}

/// What is to be said of a chart: in the drawing, and beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Remarks {
    pub(super) caveats: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Remarks {
    /// The same with these notes before its own.
    pub(super) fn after(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.splice(0..0, notes);
        self
    }
}

/// How much instances count, if a configuration has unequal numbers of runs on them.
fn unequal_runs(samples: &Samples, kind: ChartKind) -> Option<String> {
    let how = match kind {
        ChartKind::Cost => "Instances with more runs count more",
        ChartKind::Ecdf | ChartKind::Gap => "Instances weigh equally",
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
        ChartKind::Cost => "they count as unsolved; × in the lane",
        ChartKind::Gap => "they have no solution, and so no mean",
        ChartKind::Convergence | ChartKind::Diversity => "they are left out",
        _ => "they count as unsolved",
    };
    (failed > 0).then(|| format!("{failed} of {} runs failed: {place}.", samples.runs.len()))
}

impl<'a> ChartInput<'a> {
    /// Refuses a chart of so many points before the first of them is made: millions take more memory than all runs.
    pub(super) fn check_points(&self, points: usize) -> Result<(), ChartError> {
        /// A point is longer: its names, two places and two texts.
        const LEAST_BYTES: usize = 50;
        if points.saturating_mul(LEAST_BYTES) > self.most_bytes { Err(ChartError::TooLarge) } else { Ok(()) }
    }

    /// All runs.
    pub(super) fn runs(&self) -> Vec<&'a Sample> {
        self.samples.runs.iter().collect()
    }

    /// Refuses runs that do not have a column.
    pub(super) fn need(&self, column: &'static str) -> Result<(), ChartError> {
        if self.samples.missing.contains(&column) { Err(ChartError::MissingColumn { column }) } else { Ok(()) }
    }

    /// Refuses runs whose work cannot be told, or is counted in different units.
    pub(super) fn check_work(&self) -> Result<(), ChartError> {
        self.need(self.unit.column())?;
        Ok(self.unit.check(self.samples)?)
    }

    /// What an axis of work is called: by the name of the unit where the runs have one.
    pub(super) fn work_title(&self) -> &'a str {
        match self.samples.units.as_slice() {
            [unit] if self.unit == WorkUnit::Evaluations && !unit.is_empty() => unit,
            _ => self.unit.title(),
        }
    }

    /// Why work is not told in evaluations, where they cannot be compared.
    pub(super) fn unit_note(&self) -> Option<String> {
        let mixed = WorkUnit::Evaluations.check(self.samples).err()?;
        Some(format!("Evaluations are not shown: {mixed}."))
    }
}

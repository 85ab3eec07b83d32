//! The input of charts, and the content that a chart makes from the input.

use std::path::Path;

use super::error::{ChartError, NOTHING_SOLVED, refused};
use super::vega::Drawing;
use crate::metric::Metric;
use crate::published::Published;
use crate::race::RecordedRace;
use crate::samples::{Key, Sample, Samples};

/// The input of charts.
#[derive(Clone, Copy, Debug)]
pub struct ChartInput<'a> {
    /// The runs.
    pub samples: &'a Samples,
    /// The `trace.csv.gz` of the experiment, if there is one.
    pub trace: Option<&'a Path>,
    /// The race of the configurations, if there was a race.
    pub race: Option<&'a RecordedRace>,
    /// The published values to show beside our values.
    pub published: Option<&'a Published>,
    /// The keys that distinguish curves and panels. If the list is empty, each chart uses its default keys.
    pub by: &'a [Key],
    /// The unit of a run's cost: a metric that [is a unit of work](Metric::is_work_unit).
    pub unit: Metric,
    /// The metric that ranks the configurations: [`Metric::Solved`], [`Metric::Gap`] or [`Metric::Objective`]. The default is
    /// [`Samples::default_metric`].
    pub metric: Metric,
    /// The metric of heat maps, charts of pairs, and charts of effects. These charts can show any metric.
    pub shown: Metric,
    /// The number of panels side by side. For a chart in one column of a paper, put one panel in each row. For a chart across the whole
    /// page, put two panels in each row.
    pub columns: usize,
    /// Sentences that every drawing shows, for example sentences about missing runs.
    pub caveats: &'a [String],
    /// A caveat for charts that show the cost of runs. For example, the caveat says that delays lengthened the measured wall times.
    pub work_caveat: Option<&'a str>,
    /// Whether the caveats appear in the drawing. A caption always contains the caveats.
    pub has_notes: bool,
    /// The maximum size of a Vega-Lite specification in bytes. The size is only estimated from the number of points. Therefore the program
    /// may accept a specification that is slightly larger than this maximum.
    pub most_bytes: usize,
}

/// The content of a chart.
pub(super) struct Content {
    pub(super) title: String,
    pub(super) drawings: Vec<Drawing>,
    pub(super) remarks: Remarks,
}

impl Content {
    pub(super) fn new(title: impl Into<String>, drawings: Vec<Drawing>, remarks: Remarks) -> Self {
        Self { title: title.into(), drawings, remarks }
    }
}

/// The sentences of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Remarks {
    /// Sentences in the drawing.
    pub(super) caveats: Vec<String>,
    /// Sentences next to the drawing.
    pub(super) notes: Vec<String>,
}

impl Remarks {
    /// Inserts these notes before the other notes.
    pub(super) fn after(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.splice(0..0, notes);
        self
    }
}

impl<'a> ChartInput<'a> {
    /// Creates the input for charts of these runs. The charts use this metric. The charts have one column of panels and no caveats. The
    /// charts use only these runs. The charts use no trace, no race and no published values.
    pub fn new(samples: &'a Samples, metric: Metric) -> Self {
        Self {
            samples,
            trace: None,
            race: None,
            published: None,
            by: &[],
            unit: samples.work_unit(),
            metric,
            shown: metric,
            columns: 1,
            caveats: &[],
            work_caveat: None,
            has_notes: true,
            most_bytes: usize::MAX,
        }
    }

    /// Refuses a chart that would have too many points. The check comes before the points are made, because millions of points need more
    /// memory than all runs.
    pub(super) fn check_points(&self, points: usize) -> Result<(), ChartError> {
        /// The minimum size of a point in bytes. A point has names, two coordinates and two texts.
        const LEAST_BYTES: usize = 50;
        if points.saturating_mul(LEAST_BYTES) > self.most_bytes { Err(ChartError::TooLarge) } else { Ok(()) }
    }

    /// All runs.
    pub(super) fn runs(&self) -> Vec<&'a Sample> {
        self.samples.runs.iter().collect()
    }

    /// Returns an error if the runs lack the column.
    pub(super) fn need(&self, column: &'static str) -> Result<(), ChartError> {
        match self.samples.missing.contains(&column) {
            true => Err(refused(format!("the runs have no column `{column}`"))),
            false => Ok(()),
        }
    }

    /// Returns an error if the work of the runs is unknown, or is counted in different units.
    pub(super) fn check_work(&self) -> Result<(), ChartError> {
        self.need(self.unit.declaration().column)?;
        Ok(self.unit.check_work(self.samples)?)
    }

    /// Returns an error if no run is solved, or if the work of the runs cannot be compared.
    pub(super) fn check_solved(&self) -> Result<(), ChartError> {
        self.check_work()?;
        let is_solved = self.samples.runs.iter().any(|run| run.outcome.is_solved());
        if is_solved { Ok(()) } else { Err(refused(NOTHING_SOLVED)) }
    }

    /// The title of an axis of work: the name of the unit of work, if all runs have the same unit.
    pub(super) fn work_title(&self) -> &'a str {
        match self.samples.units.as_slice() {
            [unit] if self.unit == Metric::Evaluations && !unit.is_empty() => unit,
            _ => self.unit.work_title(),
        }
    }

    /// If the evaluations of the runs cannot be compared, returns a sentence that explains why the chart does not show evaluations.
    pub(super) fn unit_note(&self) -> Option<String> {
        let mixed = Metric::Evaluations.check_work(self.samples).err()?;
        Some(format!("Evaluations are not shown: {mixed}."))
    }
}

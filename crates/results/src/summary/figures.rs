//! What some runs show, and the columns of `summary.csv` that say it.

use evogrid_statistics::{Interval, wilson};

/// The columns of the rate, each with what it says, between the leading columns and the [`FIGURES`].
pub const RATE: [(&str, &str); 5] = [
    ("runs", "number of runs, failed ones too"),
    ("solved", "how many of them were solved"),
    ("success_rate", "the fraction of solved runs"),
    ("success_low", "lower end of Wilson's 95 % interval of the rate"),
    ("success_high", "upper end of Wilson's 95 % interval of the rate"),
];

/// A figure of [`Figures`] behind the rate, a column of `summary.csv`.
#[derive(Debug)]
pub struct FigureColumn {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one line of Markdown.
    pub doc: &'static str,
    /// The column of `runs.csv` without which it is absent.
    pub needs: &'static str,
    /// The figure.
    pub get: fn(&Figures) -> Option<f64>,
    /// Its place.
    pub slot: fn(&mut Figures) -> &mut Option<f64>,
}

macro_rules! figure {
    ($field:ident, $needs:literal, $doc:literal) => {
        FigureColumn {
            name: stringify!($field),
            doc: $doc,
            needs: $needs,
            get: |figures| figures.$field,
            slot: |figures| &mut figures.$field,
        }
    };
}

/// The figures behind the rate, in the order of their columns.
pub static FIGURES: &[FigureColumn] = &[
    figure!(mean_ms_solved, "wall_ms", "mean wall time of the solved runs"),
    figure!(mean_generations_solved, "generations", "mean generations of the solved runs"),
    figure!(mean_generations, "generations", "mean generations of all runs that did not fail"),
    figure!(mean_ms_unsolved, "wall_ms", "mean wall time of the runs that ended without success, and did not fail"),
    figure!(mean_cpu_ms, "cpu_ms", "mean processor time of all runs that did not fail"),
    figure!(median_evaluations_solved, "evaluations", "median evaluations of the solved runs"),
    figure!(
        ert_evaluations,
        "evaluations",
        "expected running time: the evaluations of all runs over the number of solved ones"
    ),
    figure!(par10_ms, "wall_ms", "mean wall time, an unsolved run counted as ten times its own"),
    figure!(mean_best_fitness, "best_fitness", "mean best fitness of all runs that have one"),
];

/// What some runs show. A mean over no runs is `None`.
///
/// A failed run counts among the runs as one that did not solve: leaving it out would flatter the rate, `ert_evaluations` and
/// `par10_ms`. Its time, generations and fitness say nothing about the algorithm, so the means leave it out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of runs, failed ones too.
    pub runs: u64,
    /// How many of them were solved.
    pub solved: u64,
    /// Mean wall time of the solved runs, in milliseconds.
    pub mean_ms_solved: Option<f64>,
    /// Mean generations of the solved runs.
    pub mean_generations_solved: Option<f64>,
    /// Mean generations of all runs that did not fail.
    pub mean_generations: Option<f64>,
    /// Mean wall time of the runs that ended without success (and did not fail), in milliseconds.
    pub mean_ms_unsolved: Option<f64>,
    /// Mean processor time of all runs that did not fail and have one, in milliseconds.
    pub mean_cpu_ms: Option<f64>,
    /// Median evaluations of the solved runs; of an even number, the mean of the two in the middle.
    pub median_evaluations_solved: Option<f64>,
    /// Expected running time in evaluations (Hansen, Auger, Ros, Finck, Posik: "Comparing results of 31 algorithms", GECCO
    /// 2010): the evaluations of all runs over the number of solved ones. What a solution costs on average if an unsolved
    /// run is followed by another.
    pub ert_evaluations: Option<f64>,
    /// Penalised mean wall time in milliseconds: an unsolved run counts ten times its own. The usual PAR10 takes ten times
    /// a common time limit; here the limit is where the run was stopped.
    pub par10_ms: Option<f64>,
    /// Mean best fitness of all runs that have one.
    pub mean_best_fitness: Option<f64>,
}

impl Figures {
    /// The rate of solved runs; 0 where there are none.
    #[must_use]
    pub fn success_rate(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.solved as f64 / self.runs as f64 }
    }

    /// The 95 % interval of the rate.
    ///
    /// # Panics
    /// If more are solved than there are.
    #[must_use]
    pub fn success_interval(&self) -> Interval {
        wilson(self.solved, self.runs)
    }
}

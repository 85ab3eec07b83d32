//! What some runs show, and the columns of `summary.csv` that say it.

use evogrid_core::budget::Stop;
use evogrid_statistics::{ClusteredRate, Interval, clustered_rate, wilson};

/// The columns of the rate, each with what it says, between the leading columns and the [`FIGURES`].
pub const RATE: [(&str, &str); 7] = [
    ("runs", "number of runs, failed ones too"),
    ("solved", "how many of them were solved; empty, as all rates are, where no run says whether it was"),
    ("success_rate", "the fraction of solved runs, of those that say whether they were"),
    (
        "success_low",
        "lower end of the 95 % interval of the rate on instances like these: runs on one instance are alike",
    ),
    ("success_high", "upper end of the same"),
    ("success_low_here", "lower end of Wilson's 95 % interval of the rate on these instances alone"),
    ("success_high_here", "upper end of the same"),
];

/// The columns behind the [`FIGURES`], each with what it says.
pub const COUNTS: [(&str, &str); 4] = [
    ("failed", "how many of the runs failed: they count as not solved, and in no mean"),
    ("instances", "on how many instances the runs were"),
    ("effective_runs", "how many independent runs tell as much about instances like these"),
    ("judged", "how many of the runs say whether they were solved: rates are of these"),
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
    /// Whether a file may be older than the column.
    pub may_lack: bool,
    /// The figure.
    pub get: fn(&Figures) -> Option<f64>,
    /// Its place.
    pub slot: fn(&mut Figures) -> &mut Option<f64>,
}

macro_rules! figure {
    ($field:ident, $needs:literal, $doc:literal) => {
        figure!($field, $needs, false, $doc)
    };
    ($field:ident, $needs:literal, $may_lack:literal, $doc:literal) => {
        FigureColumn {
            name: stringify!($field),
            doc: $doc,
            needs: $needs,
            may_lack: $may_lack,
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
        "expected running time: the evaluations of all runs that did not fail over the number of solved ones; empty where a run does not say its own"
    ),
    figure!(
        par10_ms,
        "wall_ms",
        "mean wall time of all runs that did not fail, an unsolved one counted as ten times its own"
    ),
    figure!(
        mean_best_fitness,
        "best_fitness",
        "mean best fitness of all runs that have one and did not fail; empty where they are of different families or fitness functions"
    ),
    figure!(
        mean_objective,
        "objective",
        "mean objective of all runs that have one and did not fail; empty where some that did not fail have none, or where they are of different \
         families or fitness functions"
    ),
    figure!(
        median_objective,
        "objective",
        true,
        "median objective of the runs that did not fail, where all are on one instance"
    ),
    figure!(
        best_objective,
        "objective",
        true,
        "best objective of the runs that did not fail; empty where `mean_objective` is"
    ),
    figure!(
        median_gap,
        "gap",
        true,
        "median gap of the runs that did not fail, in per cent above the best known value; a run without a solution counts as infinitely bad"
    ),
    figure!(
        mean_gap,
        "gap",
        true,
        "mean gap: of each instance over its runs, then over the instances; empty where a run that did not fail has no solution"
    ),
    figure!(
        gap_low,
        "gap",
        true,
        "lower end of the 95 % interval of the mean gap on instances like these, by Student's t over the instances' means; with one instance over its runs; \
         empty for a single value, or where all are equal"
    ),
    figure!(gap_high, "gap", true, "upper end of the same"),
    figure!(best_gap, "gap", true, "least gap of a run; below 0 where a best known value is beaten"),
    figure!(
        mean_generations_to_best,
        "evaluations_to_best",
        "mean generations up to the best fitness, of all runs that did not fail: in proportion to evaluations"
    ),
];

/// What some runs show. A mean over no runs is `None`.
///
/// A failed run counts among the runs as one that did not solve: leaving it out would flatter the rate. Its work, time, generations and
/// fitness say nothing about the algorithm, so means, expected work and PAR10 leave it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Number of runs, failed ones too.
    pub runs: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many stopped for each reason, by its number; all 0 where a file does not say.
    pub stops: [u64; 8],
    /// The same of those that say whether they were solved.
    pub judged_stops: [u64; 8],
    /// On how many instances they ran.
    pub instances: u64,
    /// Of how many families of problems the runs are that did not fail; 0 where a file does not say.
    pub families: u64,
    /// How many things their fitness measures: families of problems, and fitness functions of one; 0 where a file does not say.
    pub measures: u64,
    /// How many of the runs say whether they were solved: all that had a target.
    pub judged: u64,
    /// How many of these were solved.
    pub solved: u64,
    /// How many independent runs tell as much about instances like these.
    pub effective_runs: f64,
    /// The 95 % interval of the rate for instances like these ([`clustered_rate`]); with one instance that of [`here`](Self::here).
    pub success: Interval,
    /// Mean wall time of the solved runs, in milliseconds.
    pub mean_ms_solved: Option<f64>,
    /// Mean generations of the solved runs.
    pub mean_generations_solved: Option<f64>,
    /// Mean generations of all runs that did not fail.
    pub mean_generations: Option<f64>,
    /// The same of those that say whether they were solved; `None` where it was read from a `summary.csv`.
    pub mean_generations_judged: Option<f64>,
    /// Mean wall time of the runs that ended without success (and did not fail), in milliseconds.
    pub mean_ms_unsolved: Option<f64>,
    /// Mean processor time of all runs that did not fail and have one, in milliseconds.
    pub mean_cpu_ms: Option<f64>,
    /// The same of the solved runs; `None` where it was read from a `summary.csv`.
    pub mean_cpu_ms_solved: Option<f64>,
    /// The same of the runs that ended without success; `None` where it was read from a `summary.csv`.
    pub mean_cpu_ms_unsolved: Option<f64>,
    /// Both times of all runs that did not fail and tell both; 0 where it was read from a `summary.csv`.
    pub clocked: Clocked,
    /// Median evaluations of the solved runs; of an even number, the mean of the two in the middle.
    pub median_evaluations_solved: Option<f64>,
    /// Expected running time in evaluations (Hansen, Auger, Ros, Finck, Posik: "Comparing results of 31 algorithms", GECCO
    /// 2010): the evaluations of all runs over the number of solved ones. What a solution costs on average if an unsolved
    /// run is followed by another.
    pub ert_evaluations: Option<f64>,
    /// Penalised mean wall time in milliseconds: an unsolved run counts ten times its own. The usual PAR10 takes ten times
    /// a common time limit; here the limit is where the run was stopped.
    pub par10_ms: Option<f64>,
    /// Mean best fitness of all runs that have one and did not fail; `None` where they are of different families or fitness functions.
    pub mean_best_fitness: Option<f64>,
    /// Mean objective of all runs that did not fail; `None` where some of them have none, or they are of different families or fitness
    /// functions.
    pub mean_objective: Option<f64>,
    /// Median objective of the runs that did not fail, where all are on one instance.
    pub median_objective: Option<f64>,
    /// The best objective, where there is a mean one.
    pub best_objective: Option<f64>,
    /// Median gap in per cent of the runs that did not fail and have a best known value; a run without a solution counts as infinitely
    /// bad, and `None` stands for an infinite median.
    pub median_gap: Option<f64>,
    /// Mean over the instances of the mean gaps of their runs, in per cent; `None` where a run that did not fail has no solution.
    pub mean_gap: Option<f64>,
    /// Lower end of its 95 % interval for instances like these, by Student's t over the instances' means; with one instance over its runs.
    /// `None` for a single value, or where all are equal.
    pub gap_low: Option<f64>,
    /// The upper end.
    pub gap_high: Option<f64>,
    /// The least gap; negative where a best known value is beaten.
    pub best_gap: Option<f64>,
    /// Mean generations up to the best fitness, of all runs that did not fail: a run's generations in the proportion of its
    /// evaluations up to the best to all of them.
    pub mean_generations_to_best: Option<f64>,
}

/// The time that runs took, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clocked {
    /// Wall time, in milliseconds.
    pub wall_ms: f64,
    /// Processor time, in milliseconds.
    pub cpu_ms: f64,
}

impl Figures {
    /// The rate of solved runs among those that say whether they were; `None` where none does.
    #[must_use]
    pub fn success_rate(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.solved as f64 / self.judged as f64)
    }

    /// Whether only some of the runs say whether they were solved: the others had no target.
    #[must_use]
    pub fn is_judged_in_part(&self) -> bool {
        0 < self.judged && self.judged < self.runs
    }

    /// Wilson's 95 % interval of the rate, for these instances alone.
    ///
    /// # Panics
    /// If more are solved than there are.
    #[must_use]
    pub fn here(&self) -> Interval {
        wilson(self.solved, self.judged)
    }

    /// The counts and the intervals of so many runs on several instances, each given as its solved runs and all that say whether they
    /// were.
    pub(super) fn from_instances(instances: &[(u64, u64)], runs: u64, stops: [u64; 8]) -> Self {
        let (solved, judged) = instances.iter().fold((0, 0), |(solved, judged), one| (solved + one.0, judged + one.1));
        let ClusteredRate { interval: success, effective_runs, .. } = clustered_rate(instances);
        let failed = stops[Stop::Failed as usize];
        Self {
            runs,
            failed,
            stops,
            instances: instances.len() as u64,
            judged,
            solved,
            effective_runs,
            success,
            ..Self::default()
        }
    }
}

impl Default for Figures {
    /// No runs: a rate of which nothing is known.
    fn default() -> Self {
        Self {
            runs: 0,
            failed: 0,
            stops: [0; 8],
            judged_stops: [0; 8],
            instances: 0,
            families: 0,
            measures: 0,
            judged: 0,
            solved: 0,
            effective_runs: 0.0,
            success: wilson(0, 0),
            mean_ms_solved: None,
            mean_generations_solved: None,
            mean_generations: None,
            mean_generations_judged: None,
            mean_ms_unsolved: None,
            mean_cpu_ms: None,
            mean_cpu_ms_solved: None,
            mean_cpu_ms_unsolved: None,
            clocked: Clocked::default(),
            median_evaluations_solved: None,
            ert_evaluations: None,
            par10_ms: None,
            mean_best_fitness: None,
            mean_objective: None,
            median_objective: None,
            best_objective: None,
            median_gap: None,
            mean_gap: None,
            gap_low: None,
            gap_high: None,
            best_gap: None,
            mean_generations_to_best: None,
        }
    }
}

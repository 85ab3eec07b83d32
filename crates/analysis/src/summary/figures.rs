//! The list of the figures of a group of runs, each with its estimator, and the columns of `summary.csv`.

use std::ops::Index;

use evogrid_core::budget::Stop;
use evogrid_results::RunOutcome;
use evogrid_statistics::{ClusteredRate, Interval, clustered_rate};

use super::group::Group;
use crate::metric::{Rate, penalised_ms};

/// The columns of the rate with their descriptions, between the leading columns and the [`FIGURES`].
pub const RATE: [(&str, &str); 7] = [
    ("runs", "number of runs, including failed runs"),
    ("solved", "number of solved runs; empty, like all rates, if `judged` is 0"),
    ("success_rate", "the fraction of solved runs among those that `judged` counts"),
    (
        "success_low",
        "lower end of the 95 % interval of the rate on instances like these; it accounts for the similarity of runs on \
         one instance",
    ),
    ("success_high", "upper end of the same"),
    ("success_low_here", "lower end of Wilson's 95 % interval of the rate on these instances alone"),
    ("success_high_here", "upper end of the same"),
];

/// The columns after the [`FIGURES`], with their descriptions.
pub const COUNTS: [(&str, &str); 4] = [
    ("failed", "number of failed runs; a failed run counts as not solved, and means omit it"),
    ("instances", "number of instances with runs"),
    ("effective_runs", "number of independent runs that would give the same information about instances like these"),
    ("judged", "number of runs that are known to be solved or unsolved: rates use only these runs"),
];

/// The declaration of a summary value of a group of runs.
#[derive(Debug)]
#[non_exhaustive]
pub struct FigureDeclaration {
    /// The value that is declared.
    pub figure: Figure,
    /// The name; it is a column of `summary.csv` if it [is a column](Self::is_column).
    pub name: &'static str,
    /// The heading in the table of the report; empty if the value is not shown there.
    pub title: &'static str,
    /// Its description, in one line of Markdown.
    pub doc: &'static str,
    /// The column of `runs.csv` that the value needs.
    pub needs: &'static str,
    /// Where the value is stored.
    pub place: Place,
    /// How the value is estimated.
    pub estimate: Estimate,
}

/// Where a summary value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In every `summary.csv`.
    Column,
    /// In every `summary.csv` since version 0.2.0: older files may lack the column.
    LaterColumn,
    /// Not in files: it is absent if the summary was read from a file.
    Nowhere,
}

/// How a value is estimated from the runs of a group, which are added one by one.
#[derive(Clone, Copy, Debug)]
pub enum Estimate {
    /// The mean of a value of each run that has it.
    Mean(fn(&RunOutcome) -> Option<f64>),
    /// The sum of a value of each run that has it.
    Sum(fn(&RunOutcome) -> Option<f64>),
    /// The mean, if a condition holds for the group.
    MeanIf(fn(&RunOutcome) -> Option<f64>, fn(&Group) -> bool),
    /// It is computed from everything that is known of the group.
    Of(fn(&Group) -> Option<f64>),
}

impl FigureDeclaration {
    /// Whether it is a column of `summary.csv`.
    pub fn is_column(&self) -> bool {
        self.place != Place::Nowhere
    }
}

/// The figures, in the order of their columns: name, column name, title, needed column, place, estimate, and what it says.
macro_rules! figures {
    ($($figure:ident $name:literal $title:literal $needs:literal $place:ident $estimate:expr, $doc:literal;)*) => {
        /// A summary value of a group of runs; [`FIGURES`] describes each of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "`FIGURES` says it")]
        pub enum Figure {
            $($figure,)*
        }

        /// All values after the rate: the columns of `summary.csv` in their order, and values that only tables show.
        pub static FIGURES: [FigureDeclaration; N_FIGURES] = [$(FigureDeclaration {
            figure: Figure::$figure,
            name: $name,
            title: $title,
            doc: $doc,
            needs: $needs,
            place: Place::$place,
            estimate: $estimate,
        },)*];

        /// The number of these values.
        pub(super) const N_FIGURES: usize = [$($name,)*].len();
    };
}

figures! {
    MeanMsSolved "mean_ms_solved" "mean ms of solved" "wall_ms" Column Estimate::Mean(|run| solved(run, run.wall_ms)),
        "mean wall time of the solved runs";
    MeanGenerationsSolved "mean_generations_solved" "" "generations" Column
        Estimate::Mean(|run| solved(run, run.generations as f64)),
        "mean generations of the solved runs";
    MeanGenerations "mean_generations" "mean generations" "generations" Column Estimate::Mean(|run| finished(run, run.generations as f64)),
        "mean generations of all runs that did not fail";
    MeanGenerationsJudged "mean_generations_judged" "" "generations" Nowhere
        Estimate::Mean(|run| finished(run, run.generations as f64).filter(|_| run.solved.is_some())),
        "mean generations of the runs that did not fail and are known to be solved or unsolved";
    MeanMsUnsolved "mean_ms_unsolved" "" "wall_ms" Column Estimate::Mean(|run| unsolved(run, run.wall_ms)),
        "mean wall time of the unsolved runs that did not fail";
    MeanCpuMs "mean_cpu_ms" "" "cpu_ms" Column Estimate::Mean(|run| finished(run, run.cpu_ms?)),
        "mean processor time of all runs that did not fail";
    MeanCpuMsSolved "mean_cpu_ms_solved" "mean cpu ms of solved" "cpu_ms" Nowhere Estimate::Mean(|run| solved(run, run.cpu_ms?)),
        "mean processor time of the solved runs";
    MeanCpuMsUnsolved "mean_cpu_ms_unsolved" "" "cpu_ms" Nowhere Estimate::Mean(|run| unsolved(run, run.cpu_ms?)),
        "mean processor time of the unsolved runs that did not fail";
    WallMsBesideCpu "wall_ms_beside_cpu" "" "wall_ms" Nowhere
        Estimate::Sum(|run| finished(run, run.wall_ms).filter(|_| run.cpu_ms.is_some())),
        "sum of the wall times of the runs that did not fail and have a processor time";
    CpuMsBesideWall "cpu_ms_beside_wall" "" "wall_ms" Nowhere Estimate::Sum(|run| finished(run, run.cpu_ms?)),
        "sum of the processor times of the same runs";
    MedianEvaluationsSolved "median_evaluations_solved" "median evaluations of solved" "evaluations" Column Estimate::Of(|group| group.median_evaluations),
        "median evaluations of the solved runs";
    ErtEvaluations "ert_evaluations" "expected evaluations, pooled" "evaluations" Column Estimate::Of(Group::expected_evaluations),
        "expected running time: the evaluations of all runs that did not fail, divided by the number of solved runs; empty if the evaluations of a run are unknown";
    Par10Ms "par10_ms" "PAR10 ms" "wall_ms" Column Estimate::Mean(|run| penalised_ms(run, 10.0)),
        "mean wall time of all runs that did not fail; an unsolved run counts as ten times its own time";
    MeanBestFitness "mean_best_fitness" "mean best fitness" "best_fitness" Column
        Estimate::MeanIf(|run| finished(run, run.best_fitness?), Group::is_of_one_measure),
        "mean best fitness of all runs that have one and did not fail; empty if they belong to different families or \
         fitness functions";
    MeanObjective "mean_objective" "mean objective" "objective" Column
        Estimate::MeanIf(|run| finished(run, run.objective?), Group::has_mean_objective),
        "mean objective of all runs that did not fail; empty if one of them has no objective, or if they belong to \
         different families or fitness functions";
    MedianObjective "median_objective" "median objective" "objective" LaterColumn
        Estimate::Of(|group| group.median_objective.filter(|_| group.has_mean_objective())),
        "median objective of the runs that did not fail; only if all are on one instance";
    BestObjective "best_objective" "best objective" "objective" LaterColumn
        Estimate::Of(|group| group.best_objective.filter(|_| group.has_mean_objective())),
        "best objective of the runs that did not fail; empty if `mean_objective` is empty";
    MedianGap "median_gap" "median gap %" "gap" LaterColumn Estimate::Of(|group| group.median_gap),
        "median gap of the runs that did not fail, in per cent of the best known value; a run without a solution counts as infinitely bad; empty if runs are of different families";
    MeanGap "mean_gap" "" "gap" LaterColumn Estimate::Of(|group| group.gap.map(|gap| gap.mean)),
        "mean gap, averaged over the runs of each instance, then over the instances; empty if a run that did not fail has no solution, or if runs are of different families, whose gaps have different scales";
    GapLow "gap_low" "" "gap" LaterColumn Estimate::Of(|group| Some(group.gap?.interval?.low)),
        "lower end of Student's 95 % interval of the mean gap on instances like these; unlike `mean_gap_low`, it may \
         lie below 0 even if gaps cannot";
    GapHigh "gap_high" "" "gap" LaterColumn Estimate::Of(|group| Some(group.gap?.interval?.high)),
        "upper end of the same";
    BestGap "best_gap" "best gap %" "gap" LaterColumn Estimate::Of(|group| group.best_gap),
        "lowest gap of a run; below 0 if a run is better than a best known value; empty if runs are of different families";
    MeanGenerationsToBest "mean_generations_to_best" "" "evaluations_to_best" Column
        Estimate::Mean(|run| finished(run, run.generations_to_best())),
        "mean generations until the best fitness was found, of all runs that did not fail; computed in proportion to \
         evaluations";
    Par2Ms "par2_ms" "" "wall_ms" LaterColumn Estimate::Mean(|run| penalised_ms(run, 2.0)),
        "mean wall time of all runs that did not fail; an unsolved run counts as twice its own time";
    InstancesNeverSolved "instances_never_solved" "instances never solved" "evaluations" LaterColumn
        Estimate::Of(|group| group.never_solved.map(|n| n as f64)),
        "number of instances on which no run was solved; `ert_evaluations` includes their evaluations";
    MedianInstanceErt "median_instance_ert" "median expected evaluations of single instances" "evaluations" LaterColumn
        Estimate::Of(|group| group.median_instance_ert),
        "median over instances of the expected running time on each instance; empty if at least half of the instances are never solved";
    MeanGapLow "mean_gap_low" "" "gap" LaterColumn Estimate::Of(|group| Some(group.gap_interval?.low)),
        "lower end of the 95 % interval of the mean gap on instances like these, computed from the means of instances, \
         or from runs if there is one instance; below 0 only if a run has a negative gap; empty if there is only one \
         value or all values are equal";
    MeanGapHigh "mean_gap_high" "" "gap" LaterColumn Estimate::Of(|group| Some(group.gap_interval?.high)),
        "upper end of the same";
}

/// The columns that an older `summary.csv` may lack.
pub fn later_columns() -> impl Iterator<Item = &'static str> {
    FIGURES.iter().filter(|declared| declared.place == Place::LaterColumn).map(|declared| declared.name)
}

/// A value of a run that was solved.
fn solved(run: &RunOutcome, value: f64) -> Option<f64> {
    run.is_solved().then_some(value)
}

/// A value of an unsolved run that did not fail.
fn unsolved(run: &RunOutcome, value: f64) -> Option<f64> {
    (run.solved == Some(false) && !run.has_failed()).then_some(value)
}

/// A value of a run that did not fail.
fn finished(run: &RunOutcome, value: f64) -> Option<f64> {
    (run.is_solved() || !run.has_failed()).then_some(value)
}

/// The results of some runs: counts, the rate of success, and the [`FIGURES`], each under its [`Figure`]. A mean over no runs is `None`.
///
/// A failed run counts as a run that did not solve: leaving it out would flatter the rate. Its work, time, generations and fitness say
/// nothing about the algorithm, so means, expected work and PAR10 leave it out.
///
/// Expected running time: Hansen, Auger, Ros, Finck, Posik, "Comparing results of 31 algorithms", GECCO 2010: what a solution costs on
/// average if an unsolved run is followed by another. The usual PAR10 takes ten times a common time limit; here the limit is the time at
/// which the run was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of runs, including failed ones.
    pub runs: u64,
    /// The number of failed runs.
    pub failed: u64,
    /// The number of runs that stopped for each reason, in the order of the reasons; all 0 if the file does not contain it.
    pub stops: [u64; Stop::N_REASONS],
    /// The same for runs that report whether they were solved.
    pub judged_stops: [u64; Stop::N_REASONS],
    /// The number of instances of the runs.
    pub instances: u64,
    /// The number of problem families of the runs that did not fail; 0 if the file does not contain it.
    pub families: u64,
    /// The number of different measures behind their fitness: problem families, and fitness functions within a family; 0 if the file does
    /// not contain it.
    pub measures: u64,
    /// The number of runs that report whether they were solved: all runs with a target.
    pub judged: u64,
    /// The number of solved runs.
    pub solved: u64,
    /// The number of independent runs that would give the same information about instances like these.
    pub effective_runs: f64,
    /// The 95 % interval of the rate for instances like these; that of [`here`](Self::here) if there is only one instance.
    pub success: Interval,
    /// The rate with its interval; all instances have equal weight. If it was read from a `summary.csv`, it is the rate of all runs.
    pub rate: Rate,
    /// The smallest and the largest number of runs of an instance that report whether they were solved.
    pub instance_runs: [u64; 2],
    /// The [`FIGURES`].
    pub(super) values: [Option<f64>; N_FIGURES],
}

impl Index<Figure> for Figures {
    type Output = Option<f64>;

    fn index(&self, figure: Figure) -> &Option<f64> {
        &self.values[figure as usize]
    }
}

impl Figures {
    /// The rate of solved runs among those that report whether they were solved, with equal weight for all instances; `None` if there are
    /// none.
    pub fn success_rate(&self) -> Option<f64> {
        (self.judged > 0).then_some(self.rate.share)
    }

    /// The pooled rate of all runs.
    pub(super) fn pooled_rate(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.solved as f64 / self.judged as f64)
    }

    /// The 95 % interval of the mean gap; if the summary was read from a file without it, Student's interval.
    pub fn gap_interval(&self) -> Option<Interval> {
        let of = |low, high| Some(Interval { low: self[low]?, high: self[high]? });
        of(Figure::MeanGapLow, Figure::MeanGapHigh).or_else(|| of(Figure::GapLow, Figure::GapHigh))
    }

    /// Whether only some of the runs report whether they were solved, because the others had no target.
    pub fn is_judged_in_part(&self) -> bool {
        0 < self.judged && self.judged < self.runs
    }

    /// Wilson's 95 % interval of the rate, for these instances only.
    ///
    /// # Panics
    /// If more are solved than there are.
    pub fn here(&self) -> Interval {
        Rate::of_these(self.solved, self.judged).interval
    }

    /// Removes the values that need a missing column.
    pub(super) fn drop_unknown(&mut self, missing: &[&str]) {
        for declared in FIGURES.iter().filter(|declared| missing.contains(&declared.needs)) {
            self.values[declared.figure as usize] = None;
        }
        if missing.contains(&"stop") {
            (self.stops, self.judged_stops) = Default::default();
        }
    }

    /// The counts and intervals of runs on several instances, given as pairs of the solved runs and all runs that report whether they
    /// were solved.
    pub(super) fn from_instances(instances: &[(u64, u64)], runs: u64, stops: [u64; Stop::N_REASONS]) -> Self {
        let rate = Rate::of_counts(instances);
        let ClusteredRate { interval: success, effective_runs, .. } = clustered_rate(instances);
        let judging = || instances.iter().map(|&(_, runs)| runs).filter(|&runs| runs > 0);
        let instance_runs = [judging().min(), judging().max()].map(Option::unwrap_or_default);
        Self {
            runs,
            failed: stops[Stop::Failed as usize],
            stops,
            instances: instances.len() as u64,
            judged: rate.runs,
            solved: rate.count,
            effective_runs,
            success,
            rate,
            instance_runs,
            ..Self::default()
        }
    }
}

//! The figures of a group of runs, the estimators of these figures, and the columns of `summary.csv`.

use std::ops::Index;
use std::sync::LazyLock;

use evogrid_core::budget::Stop;
use evogrid_results::RunOutcome;
use evogrid_statistics::{ClusteredRate, Interval, clustered_rate};

use crate::metric::{Rate, penalised_ms};

/// The declaration of a figure. A figure is a number that is computed from a group of runs.
#[derive(Debug)]
#[non_exhaustive]
pub struct FigureDeclaration {
    /// The figure that is declared.
    pub figure: Figure,
    /// The name of the figure. A figure that [is a column](Self::is_column) of `summary.csv` has the column's name.
    pub name: &'static str,
    /// The heading in the report's table. The heading is empty if the table does not show the figure.
    pub title: &'static str,
    /// The description of the figure, in one line of Markdown.
    pub doc: &'static str,
    /// The column of `runs.csv` that is needed to compute the figure.
    pub needs: &'static str,
    /// Where the figure is stored.
    pub place: Place,
}

evogrid_core::choices! {
    /// Where a figure is stored.
    pub enum Place {
        /// The figure is in every `summary.csv`.
        Column = "column",
        /// The figure is in every `summary.csv` since version 0.2.0. A `summary.csv` of an earlier version may lack the column.
        LaterColumn = "later",
        /// The figure is not written to files. If the summary was read from a file, the figure is absent.
        Nowhere = "nowhere",
    }
}

/// How a figure is computed from the runs of a group. The runs are added one by one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Estimate {
    /// The mean of a value of the runs. Runs without the value are ignored.
    Mean(fn(&RunOutcome) -> Option<f64>),
    /// The sum of a value of the runs. Runs without the value are ignored.
    Sum(fn(&RunOutcome) -> Option<f64>),
    /// The mean of a value of the runs, if the group satisfies a condition.
    MeanIf(fn(&RunOutcome) -> Option<f64>, fn(&Group) -> bool),
    /// The figure is computed at the end, from all runs of the group.
    OfAll,
}

impl FigureDeclaration {
    /// Whether the figure is a column of `summary.csv`.
    pub fn is_column(&self) -> bool {
        self.place != Place::Nowhere
    }
}

/// The lines of `columns.txt`: name, title, needed column, place and description.
fn lines() -> impl Iterator<Item = [&'static str; 5]> {
    include_str!("columns.txt").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        fields.try_into().expect("five fields")
    })
}

/// The names of the columns with this place, with their descriptions.
fn described(wanted: &str) -> Vec<(&'static str, &'static str)> {
    lines().filter(|[.., place, _]| *place == wanted).map(|[name, .., doc]| (name, doc)).collect()
}

/// The columns of `summary.csv` that describe the success rate, with the descriptions of the columns. In the file, these columns come just
/// before the columns of the [`FIGURES`].
pub static RATE: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| described("rate"));

/// The columns of `summary.csv` that come after the [`FIGURES`], with their descriptions.
pub static COUNTS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| described("count"));

/// All figures except the columns in [`RATE`] and [`COUNTS`]. Each figure is a column of numbers. The columns of `summary.csv` come first,
/// in their order. The figures that are not columns of `summary.csv` come last, and appear only in tables.
pub static FIGURES: LazyLock<Vec<FigureDeclaration>> = LazyLock::new(|| {
    let lines =
        lines().filter_map(|[name, title, needs, place, doc]| Some((name, title, needs, Place::named(place)?, doc)));
    let declared =
        |(figure, (name, title, needs, place, doc))| FigureDeclaration { figure, name, title, doc, needs, place };
    ALL.into_iter().zip(lines).map(declared).collect()
});

/// The figures with their estimates, in the order of their lines in `columns.txt`.
macro_rules! figures {
    ($($figure:ident $estimate:expr;)*) => {
        /// A figure of a group of runs: a number that the program computes from these runs. [`FIGURES`] describes each figure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "`FIGURES` describes the variants")]
        pub enum Figure {
            $($figure,)*
        }

        /// How each figure is computed.
        pub(super) static ESTIMATES: [Estimate; N_FIGURES] = [$($estimate,)*];

        /// The values.
        const ALL: [Figure; N_FIGURES] = [$(Figure::$figure,)*];

        /// The number of figures.
        pub(super) const N_FIGURES: usize = [$(stringify!($figure),)*].len();
    };
}

figures! {
    MeanMsSolved Estimate::Mean(|run| solved(run, run.wall_ms));
    MeanGenerationsSolved Estimate::Mean(|run| solved(run, run.generations as f64));
    MeanGenerations Estimate::Mean(|run| finished(run, run.generations as f64));
    MeanGenerationsJudged Estimate::Mean(|run| finished(run, run.generations as f64).filter(|_| run.solved.is_some()));
    MeanMsUnsolved Estimate::Mean(|run| unsolved(run, run.wall_ms));
    MeanCpuMs Estimate::Mean(|run| finished(run, run.cpu_ms?));
    MeanCpuMsSolved Estimate::Mean(|run| solved(run, run.cpu_ms?));
    MeanCpuMsUnsolved Estimate::Mean(|run| unsolved(run, run.cpu_ms?));
    WallMsBesideCpu Estimate::Sum(|run| finished(run, run.wall_ms).filter(|_| run.cpu_ms.is_some()));
    CpuMsBesideWall Estimate::Sum(|run| finished(run, run.cpu_ms?));
    MedianEvaluationsSolved Estimate::OfAll;
    ErtEvaluations Estimate::OfAll;
    Par10Ms Estimate::Mean(|run| penalised_ms(run, 10.0));
    MeanBestFitness Estimate::MeanIf(|run| finished(run, run.best_fitness?), Group::is_of_one_measure);
    MeanObjective Estimate::MeanIf(|run| finished(run, run.objective?), Group::has_mean_objective);
    MedianObjective Estimate::OfAll;
    BestObjective Estimate::OfAll;
    MedianGap Estimate::OfAll;
    MeanGap Estimate::OfAll;
    GapLow Estimate::OfAll;
    GapHigh Estimate::OfAll;
    BestGap Estimate::OfAll;
    MeanGenerationsToBest Estimate::Mean(|run| finished(run, run.generations_to_best()));
    Par2Ms Estimate::Mean(|run| penalised_ms(run, 2.0));
    InstancesNeverSolved Estimate::OfAll;
    MedianInstanceErt Estimate::OfAll;
    MeanGapLow Estimate::OfAll;
    MeanGapHigh Estimate::OfAll;
}

/// The columns that an older `summary.csv` may lack.
pub fn later_columns() -> impl Iterator<Item = &'static str> {
    FIGURES.iter().filter(|declared| declared.place == Place::LaterColumn).map(|declared| declared.name)
}

/// The value if the run was solved.
fn solved(run: &RunOutcome, value: f64) -> Option<f64> {
    run.is_solved().then_some(value)
}

/// The value if the run is unsolved and did not fail.
fn unsolved(run: &RunOutcome, value: f64) -> Option<f64> {
    (run.solved == Some(false) && !run.has_failed()).then_some(value)
}

/// The value if the run did not fail.
fn finished(run: &RunOutcome, value: f64) -> Option<f64> {
    (run.is_solved() || !run.has_failed()).then_some(value)
}

/// The results of a group of runs: counts, success rate, and the [`FIGURES`]. To get a figure, use a variant of [`Figure`] as the index of
/// this struct. If there are no runs for a mean, the mean is `None`.
///
/// A failed run counts as unsolved. If failed runs were left out, the rate would be too high. The work, time, generations and fitness of a
/// failed run say nothing about the algorithm. Therefore failed runs are left out of the means, the expected work and PAR10.
///
/// The expected running time is the average work that is needed to find one solution. The definition assumes that a new run starts after
/// each unsolved run. (Hansen, Auger, Ros, Finck, Posik, "Comparing results of 31 algorithms", GECCO 2010.) In the usual PAR10, an unsolved
/// run counts as ten times the common time limit. Here, an unsolved run counts as ten times the time at which the run stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of runs, including failed runs.
    pub runs: u64,
    /// The number of failed runs.
    pub failed: u64,
    /// The number of runs that stopped for each reason. The numbers have the same order as the reasons in [`Stop`]. All numbers are 0 if
    /// the file does not say why the runs stopped.
    pub stops: [u64; Stop::N_REASONS],
    /// The number of runs that stopped for each reason. Only runs with a target are counted.
    pub judged_stops: [u64; Stop::N_REASONS],
    /// The number of instances of the runs.
    pub instances: u64,
    /// The number of problem families among the runs that did not fail. The number is 0 if the file does not name the families of the runs.
    pub families: u64,
    /// The number of different measures that the runs have as objectives. The objectives of two problem families count as two measures. If
    /// the runs of one family use two fitness functions, their objectives also count as two measures. The number is 0 if the file does not
    /// name the families of the runs.
    pub measures: u64,
    /// The number of runs with a target. A run without a target is neither solved nor unsolved.
    pub judged: u64,
    /// The number of solved runs.
    pub solved: u64,
    /// This number of independent runs would give the same information as the runs of the group. The information is about instances like
    /// these: all instances of the same kind.
    pub effective_runs: f64,
    /// The 95 % interval of the success rate, for instances like these. If there is only one instance, this interval equals the interval
    /// that the method [`here`](Self::here) returns.
    pub success: Interval,
    /// The success rate with its interval. All instances have equal weight. If the figures were read from a `summary.csv`, the rate is the
    /// share of solved runs among all runs with a target, on all instances together.
    pub rate: Rate,
    /// The smallest and the largest number of runs on an instance. Only runs with a target are counted.
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
    /// The rate of solved runs among the runs with a target. All instances have equal weight. `None` if no run had a target.
    pub fn success_rate(&self) -> Option<f64> {
        (self.judged > 0).then_some(self.rate.share)
    }

    /// The pooled success rate of all runs.
    pub(super) fn pooled_rate(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.solved as f64 / self.judged as f64)
    }

    /// The 95 % interval of the mean gap. If the file of the summary does not contain this interval, returns Student's interval.
    pub fn gap_interval(&self) -> Option<Interval> {
        let of = |low, high| Some(Interval { low: self[low]?, high: self[high]? });
        of(Figure::MeanGapLow, Figure::MeanGapHigh).or_else(|| of(Figure::GapLow, Figure::GapHigh))
    }

    /// Whether some runs had a target and other runs had no target.
    pub fn is_judged_in_part(&self) -> bool {
        0 < self.judged && self.judged < self.runs
    }

    /// Wilson's 95 % interval of the success rate. This interval holds only for these instances.
    ///
    /// # Panics
    /// Panics if the number of solved runs exceeds the number of runs.
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

    /// The counts and intervals of runs on several instances. Each pair has the number of solved runs on an instance, and the number of
    /// runs with a target.
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

/// Facts about a group of runs. They are collected while the runs are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) solved: u64,
    /// The evaluations of all runs with a target.
    pub(super) evaluations: u128,
    /// Whether the work of at least one run is unknown.
    pub(super) is_work_unknown: bool,
    /// The families and fitness functions of the runs that did not fail.
    pub(super) measures: Vec<(usize, usize)>,
    /// Whether at least one run that did not fail has no objective.
    pub(super) is_objective_missing: bool,
    pub(super) best_objective: Option<f64>,
}

impl Group {
    /// Whether all runs have the same family and the same fitness function.
    pub(super) fn is_of_one_measure(&self) -> bool {
        self.measures.len() <= 1
    }

    /// Whether all runs have the same family and the same fitness function, and all have an objective.
    pub(super) fn has_mean_objective(&self) -> bool {
        self.is_of_one_measure() && !self.is_objective_missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_the_line_with_its_name() {
        assert_eq!((RATE.len(), FIGURES.len(), COUNTS.len()), (7, N_FIGURES, 4));
        for declared in FIGURES.iter() {
            let words = declared.name.split('_').map(evogrid_results::format::capital);
            assert_eq!(format!("{:?}", declared.figure), words.collect::<String>());
        }
    }
}

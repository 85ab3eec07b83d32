//! The list of metrics. `metrics.txt` has a line for each metric, with its name, its unit, its estimator and the words that comparisons use.

use std::sync::LazyLock;

use evogrid_core::family::Direction;
use evogrid_results::RunOutcome;

/// A metric of runs. The doc comment of a variant says how unsolved, failed and missing runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// 1 if the run was solved, 0 if it was not solved or failed. Undefined if it is not defined when a run is solved.
    Solved,
    /// The objective of the best solution, with any fitness. Infinitely bad without a solution. Undefined if it is not reported.
    Objective,
    /// How much worse the objective is than the best known value. Infinite without a solution. Undefined on an instance without a best known
    /// value.
    Gap,
    /// The best fitness. Infinitely bad if the run failed before it had a fitness.
    BestFitness,
    /// The evaluations until the run was solved. Infinite if it was not solved or failed. Undefined if it is unknown whether or when the run was
    /// solved.
    Evaluations,
    /// The generations until the run was solved; see [`Evaluations`](Self::Evaluations) for other runs.
    Generations,
    /// The restarts until the run was solved; see [`Evaluations`](Self::Evaluations) for other runs.
    Restarts,
    /// The wall time until the run was solved; see [`Evaluations`](Self::Evaluations) for other runs.
    WallMs,
    /// The processor time until the run was solved; see [`Evaluations`](Self::Evaluations) for other runs. Undefined if the machine does not
    /// measure processor times.
    CpuMs,
    /// Wall time; an unsolved run counts twice its own time. Undefined as [`Par10Ms`](Self::Par10Ms).
    Par2Ms,
    /// Wall time; an unsolved run counts ten times its own time. Undefined if the run failed, or if it is not defined when a run is solved.
    Par10Ms,
    /// The gene diversity of the population at the end of a generation, from the trace. Undefined if the run ended earlier. It has no column, and
    /// it is not in [`METRICS`].
    Diversity {
        /// The generation, from 1.
        generation: u64,
    },
}

/// The declaration of a metric.
#[derive(Debug)]
#[non_exhaustive]
pub struct MetricDeclaration {
    /// The metric.
    pub metric: Metric,
    /// Its name on the command line, in files of claims, and as a column.
    pub name: &'static str,
    /// Its unit; empty if it has no unit.
    pub unit: &'static str,
    /// The column of `runs.csv` from which it is computed.
    pub column: &'static str,
    /// Whether smaller or larger values are better; `None` if this depends on the run.
    pub direction: Option<Direction>,
    /// The property that runs must share to be compared in this metric.
    pub shared: Shared,
    /// The subject that the metric describes.
    pub subject: Subject,
    /// The estimator for a group of runs.
    pub estimator: Estimator,
    /// The name of the estimate: `median evaluations to solve`.
    pub estimate: &'static str,
    /// The verb for a better configuration: `takes fewer evaluations`. If the direction depends on the run, the verb is for runs that minimise.
    pub(super) better: &'static str,
    /// The reason why runs may have no value, in a sentence about several runs; `None` if no explanation is needed.
    pub silence: Option<&'static str>,
    /// What a run without a value lacks, in a sentence about one run.
    pub lack: &'static str,
}

evogrid_core::choices! {
    /// The property that runs must share to be compared in a metric.
    pub enum Shared {
        /// No property.
        Nothing = "nothing",
        /// The fitness function.
        Fitness = "fitness",
        /// The unit of work.
        Unit = "unit",
        /// The objective on each instance.
        Objective = "objective",
    }
}

evogrid_core::choices! {
    /// The subject that a metric describes.
    pub enum Subject {
        /// Whether a run was solved.
        Success = "success",
        /// The solution found. A run without a solution counts as infinitely bad.
        Solution = "solution",
        /// The work for solving. An unsolved run counts as longer than any other run.
        Work = "work",
        /// The work, with a penalty for unsolved runs.
        PenalisedWork = "penalised work",
        /// The population of the search.
        Population = "population",
    }
}

evogrid_core::choices! {
    /// The estimator of a metric for a group of runs.
    pub enum Estimator {
        /// The share of runs, with its interval for instances like these ([`Rate`](super::Rate)).
        Rate = "rate",
        /// The mean over the instances of the means of their runs, with its interval for instances like these
        /// ([`InstanceMean`](super::InstanceMean)).
        InstanceMean = "instance mean",
        /// The median over all runs, with its interval for these instances.
        Median = "median",
    }
}

/// The metrics that are computed from columns, in the order of their lines in `metrics.txt`.
const OF_COLUMNS: [Metric; 11] = [
    Metric::Solved,
    Metric::Objective,
    Metric::Gap,
    Metric::BestFitness,
    Metric::Evaluations,
    Metric::Generations,
    Metric::Restarts,
    Metric::WallMs,
    Metric::CpuMs,
    Metric::Par2Ms,
    Metric::Par10Ms,
];

/// The metrics that are computed from columns.
pub static METRICS: LazyLock<Vec<MetricDeclaration>> = LazyLock::new(|| {
    let lines = include_str!("metrics.txt").lines().skip(1);
    OF_COLUMNS.into_iter().zip(lines).map(|(metric, line)| declared(metric, line)).collect()
});

/// The gene diversity, which is in traces but not in columns.
pub(super) static DIVERSITY: LazyLock<MetricDeclaration> = LazyLock::new(|| {
    let line = include_str!("metrics.txt").lines().last();
    declared(Metric::Diversity { generation: 0 }, line.expect("the last line"))
});

/// The declaration of a metric in a line of `metrics.txt`.
fn declared(metric: Metric, line: &'static str) -> MetricDeclaration {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, unit, column, direction, shared, subject, estimator, estimate, better, silence, lack] = fields[..]
    else {
        panic!("a line of metrics.txt has 11 fields: {line}")
    };
    MetricDeclaration {
        metric,
        name,
        unit,
        column,
        direction: Direction::named(direction),
        shared: Shared::named(shared).expect("what runs must share"),
        subject: Subject::named(subject).expect("a subject"),
        estimator: Estimator::named(estimator).expect("an estimator"),
        estimate,
        better,
        silence: Some(silence).filter(|silence| !silence.is_empty()),
        lack,
    }
}

impl Metric {
    /// The value of a run, computed from its outcome; infinite if it is infinitely bad. Gaps and diversities are not in an outcome.
    pub(super) fn of_outcome(self, outcome: &RunOutcome) -> Option<f64> {
        match self {
            Self::Solved => outcome.solved.map(|solved| f64::from(u8::from(solved))),
            Self::Objective => outcome.objective.or_else(|| outcome.best_fitness.is_none().then_some(f64::INFINITY)),
            Self::BestFitness => Some(outcome.best_fitness.unwrap_or(f64::INFINITY)),
            Self::Evaluations => until_solved(outcome, Some(outcome.evaluations as f64)),
            Self::Generations => until_solved(outcome, Some(outcome.generations as f64)),
            Self::Restarts => until_solved(outcome, Some(outcome.restarts as f64)),
            Self::WallMs => until_solved(outcome, Some(outcome.wall_ms)),
            Self::CpuMs => until_solved(outcome, outcome.cpu_ms),
            Self::Par2Ms => penalised_ms(outcome, 2.0),
            Self::Par10Ms => penalised_ms(outcome, 10.0),
            Self::Gap | Self::Diversity { .. } => None,
        }
    }
}

/// A value of a solved run; infinite for an unsolved run. `None` if the run does not report whether it was solved.
fn until_solved(outcome: &RunOutcome, figure: Option<f64>) -> Option<f64> {
    let figure = figure?;
    outcome.solved.map(|solved| if solved { figure } else { f64::INFINITY })
}

/// The wall time of a run in milliseconds, multiplied by a penalty if it was not solved, as in PAR10 (F. Hutter, H. H. Hoos, K. Leyton-Brown
/// and T. Stuetzle, "ParamILS: an automatic algorithm configuration framework", JAIR 36, 2009, doi:10.1613/jair.2861). `None` if the run failed, or does not report whether it was solved.
pub(crate) fn penalised_ms(outcome: &RunOutcome, penalty: f64) -> Option<f64> {
    match outcome.solved? {
        true => Some(outcome.wall_ms),
        false if outcome.has_failed() => None,
        false => Some(penalty * outcome.wall_ms),
    }
}

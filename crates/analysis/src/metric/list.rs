//! The list of metrics. Each line of `metrics.txt` declares a metric: the name, the unit, the estimator and the words that comparisons use.

use std::sync::LazyLock;

use evogrid_core::family::Direction;
use evogrid_results::RunOutcome;

/// A metric of runs. The doc comment of a variant gives the values of unsolved and failed runs. The doc comment of a variant also says when
/// the value is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// Success: 1 for a solved run, 0 for any other run. The value is undefined if the run had no target.
    Solved,
    /// The objective of the best solution, whatever the fitness function was. The value is infinitely bad if the run has no solution. The
    /// value is undefined if the objective is not reported.
    Objective,
    /// The gap: the objective's distance from the best known value, in per cent. The gap is infinite if the run has no solution. The gap is
    /// undefined if the instance has no best known value.
    Gap,
    /// The best fitness. The value is infinitely bad if the run failed before it computed a fitness.
    BestFitness,
    /// The evaluations until the run was solved. The value is infinite for an unsolved or failed run. The value is undefined if the data do
    /// not show whether and when the run was solved.
    Evaluations,
    /// The generations until the run was solved. Unsolved and failed runs have the same values as in [`Evaluations`](Self::Evaluations).
    Generations,
    /// The restarts until the run was solved. Unsolved and failed runs have the same values as in [`Evaluations`](Self::Evaluations).
    Restarts,
    /// The wall time until the run was solved. Unsolved and failed runs have the same values as in [`Evaluations`](Self::Evaluations).
    WallMs,
    /// The processor time until the run was solved. Unsolved and failed runs have the same values as in [`Evaluations`](Self::Evaluations).
    /// The value is undefined if the machine does not measure processor times.
    CpuMs,
    /// The wall time. The time of an unsolved run is multiplied by 2. The value is undefined whenever [`Par10Ms`](Self::Par10Ms) is
    /// undefined.
    Par2Ms,
    /// The wall time. The time of an unsolved run is multiplied by 10. The value is undefined if the run failed, or if the run had no
    /// target.
    Par10Ms,
    /// The population's gene diversity at the end of a generation, from the trace. The value is undefined if the run ended before this
    /// generation. The diversity is not a column of `runs.csv`, and the list [`METRICS`] does not contain the diversity.
    Diversity {
        /// The number of the generation. The first generation is 1.
        generation: u64,
    },
}

/// The declaration of a metric.
#[derive(Debug)]
#[non_exhaustive]
pub struct MetricDeclaration {
    /// The metric.
    pub metric: Metric,
    /// The metric's name in commands, files of claims, and columns.
    pub name: &'static str,
    /// The unit of the metric; empty if the metric has no unit.
    pub unit: &'static str,
    /// The column of `runs.csv` from which the metric is computed.
    pub column: &'static str,
    /// Whether smaller or larger values are better. The value is `None` if the direction depends on the run.
    pub direction: Option<Direction>,
    /// The property that two runs must share before their values are compared.
    pub shared: Shared,
    /// What the metric measures, for example success or work.
    pub subject: Subject,
    /// The estimator for a group of runs.
    pub estimator: Estimator,
    /// The name of the estimate, for example `median evaluations to solve`.
    pub estimate: &'static str,
    /// The verb for a better configuration, for example `takes fewer evaluations`. If the direction depends on the run, the verb is for
    /// minimisation.
    pub(super) better: &'static str,
    /// The reason why runs may have no value of this metric. Messages about several such runs show this reason after "because". The reason
    /// is `None` if no explanation is needed.
    pub silence: Option<&'static str>,
    /// A verb phrase that says what a run must do to have a value of this metric, for example `reports its objective`. If values are
    /// missing, an error message combines "no run" with this phrase.
    pub lack: &'static str,
}

evogrid_core::choices! {
    /// A property that two runs must share before a metric compares them.
    pub enum Shared {
        /// No property.
        Nothing = "nothing",
        /// The fitness function.
        Fitness = "fitness",
        /// The unit of work.
        Unit = "unit",
        /// The objective. Runs on the same instance must measure the same objective.
        Objective = "objective",
    }
}

evogrid_core::choices! {
    /// What a metric measures.
    pub enum Subject {
        /// Whether a run was solved.
        Success = "success",
        /// The solution found. A run without a solution has an infinitely bad value.
        Solution = "solution",
        /// The work that a run needs to solve the instance. An unsolved run counts as more work than any solved run.
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
        /// The share of runs with a certain property, for example the share of solved runs ([`Rate`](super::Rate)). The interval of the
        /// share holds for all instances of the same kind as the instances of the experiment.
        Rate = "rate",
        /// The mean over instances ([`InstanceMean`](super::InstanceMean)). An instance's value is the mean over its runs. The interval
        /// of the mean holds for all instances of the same kind as the instances of the experiment.
        InstanceMean = "instance mean",
        /// The median over all runs. The interval of the median holds only for the instances of the experiment.
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
        panic!("expected 11 fields in this line of metrics.txt: {line}")
    };
    MetricDeclaration {
        metric,
        name,
        unit,
        column,
        direction: Direction::named(direction),
        shared: Shared::named(shared).expect("the property that runs must share"),
        subject: Subject::named(subject).expect("a subject"),
        estimator: Estimator::named(estimator).expect("an estimator"),
        estimate,
        better,
        silence: Some(silence).filter(|silence| !silence.is_empty()),
        lack,
    }
}

impl Metric {
    /// The value of a run, computed from the outcome of the run. An infinitely bad value is infinite. Gaps and diversities are not in the
    /// outcome, so they are `None`.
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

/// The value for a solved run. The value is infinite for an unsolved run, and `None` if it is unknown whether the run was solved.
fn until_solved(outcome: &RunOutcome, figure: Option<f64>) -> Option<f64> {
    let figure = figure?;
    outcome.solved.map(|solved| if solved { figure } else { f64::INFINITY })
}

/// The wall time of a run in milliseconds. The time of an unsolved run is multiplied by a penalty, as in PAR10 (F. Hutter, H. H. Hoos, K.
/// Leyton-Brown and T. Stuetzle, "ParamILS: an automatic algorithm configuration framework", JAIR 36, 2009, doi:10.1613/jair.2861). `None`
/// if the run failed, or if it is unknown whether the run was solved.
pub(crate) fn penalised_ms(outcome: &RunOutcome, penalty: f64) -> Option<f64> {
    match outcome.solved? {
        true => Some(outcome.wall_ms),
        false if outcome.has_failed() => None,
        false => Some(penalty * outcome.wall_ms),
    }
}

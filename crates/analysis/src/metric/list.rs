//! The list of metrics: for each its name, its unit, how unsolved, failed and missing runs count, its estimator, and the words that
//! comparisons use.

use evogrid_core::family::Direction;
use evogrid_results::RunOutcome;

/// A metric of runs: what it measures, and how unsolved, failed and missing runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// 1 if the run was solved, otherwise 0, also if it failed; undefined if it is not defined when a run is solved.
    Solved,
    /// The objective of the best solution, whatever the fitness; infinitely bad without a solution; undefined if it is not reported.
    Objective,
    /// How much worse the objective is than the best known value; infinite without a solution; undefined on an instance without a best
    /// known value.
    Gap,
    /// The best fitness; infinitely bad if the run failed before it had one.
    BestFitness,
    /// The evaluations until the run was solved; infinite if it was not solved or failed; undefined if it is unknown whether or when it
    /// was solved.
    Evaluations,
    /// Generations until it was solved; otherwise as [`Evaluations`](Self::Evaluations).
    Generations,
    /// Restarts until it was solved; otherwise as [`Evaluations`](Self::Evaluations).
    Restarts,
    /// Wall time until it was solved; otherwise as [`Evaluations`](Self::Evaluations).
    WallMs,
    /// Processor time until it was solved; otherwise as [`Evaluations`](Self::Evaluations); none if the machine does not measure
    /// it.
    CpuMs,
    /// Wall time; an unsolved run counts twice its own time; otherwise like [`Par10Ms`](Self::Par10Ms).
    Par2Ms,
    /// Wall time; an unsolved run counts ten times its own time; undefined if the run failed, or if it is not defined when a run is
    /// solved.
    Par10Ms,
    /// The gene diversity of the population at the end of a generation, from the trace; undefined if the run ended earlier. It is not a
    /// column, and not in [`METRICS`].
    Diversity {
        /// Which generation, from 1.
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
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The column of `runs.csv` from which it is computed.
    pub column: &'static str,
    /// Whether smaller or larger values are better; `None` if each run says it.
    pub direction: Option<Direction>,
    /// What runs must share to be compared in this metric.
    pub shared: Shared,
    /// What the metric describes: for example the solution that a run found, or the work for solving.
    pub subject: Subject,
    /// How a group of runs is summarised.
    pub estimator: Estimator,
    /// The name of the estimate: `median evaluations to solve`.
    pub estimate: &'static str,
    /// The verb for a better configuration: `takes fewer evaluations`; of runs that minimise, if each run says it.
    pub(super) better: &'static str,
    /// Why runs may have no value, in a sentence about several runs; `None` if that needs no explanation.
    pub silence: Option<&'static str>,
    /// What a run without a value lacks, in a sentence about one run.
    pub lack: &'static str,
    /// The value of a run, computed from its outcome, infinite if it is infinitely bad; gap and diversity are computed elsewhere.
    pub(super) figure: fn(&RunOutcome) -> Option<f64>,
}

/// What runs must share to be compared in a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Nothing.
    Nothing,
    /// The fitness function.
    Fitness,
    /// The unit of work.
    Unit,
    /// On each instance, the objective.
    Objective,
}

/// What a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Whether a run was solved.
    Success,
    /// The solution found: a run without one counts as infinitely bad.
    Solution,
    /// The work for solving: an unsolved run counts as longer than any other.
    Work,
    /// The work, with a penalty for unsolved runs.
    PenalisedWork,
    /// The population of the search.
    Population,
}

/// How a metric summarises a group of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// The share of runs, with its interval for instances like these ([`Rate`](super::Rate)).
    Rate,
    /// The mean over the instances of the means of their runs, with its interval for instances like these ([`InstanceMean`](super::InstanceMean)).
    InstanceMean,
    /// The median over all runs, with its interval for these instances.
    Median,
}

/// A metric of work that an unsolved run has not completed: infinite for it.
const WORK: MetricDeclaration = MetricDeclaration {
    metric: Metric::Evaluations,
    name: "evaluations",
    unit: "evaluations",
    column: "evaluations",
    direction: Some(Direction::Minimise),
    shared: Shared::Unit,
    subject: Subject::Work,
    estimator: Estimator::Median,
    estimate: "median evaluations to solve",
    better: "takes fewer evaluations",
    silence: Some("it is not defined when a run is solved, or its work is unknown"),
    lack: "reports its work",
    figure: |outcome| until_solved(outcome, Some(outcome.evaluations as f64)),
};

/// A metric of solutions: infinite without one.
const SOLUTION: MetricDeclaration = MetricDeclaration {
    metric: Metric::Objective,
    name: "objective",
    unit: "",
    column: "objective",
    direction: None,
    shared: Shared::Objective,
    subject: Subject::Solution,
    estimate: "median objective",
    better: "ends at a lower objective",
    silence: Some("they do not report their objective"),
    lack: "says its objective",
    figure: |outcome| outcome.objective.or_else(|| outcome.best_fitness.is_none().then_some(f64::INFINITY)),
    ..WORK
};

/// A penalised time: an unsolved run counts several times its own time.
const PENALISED: MetricDeclaration = MetricDeclaration {
    metric: Metric::Par10Ms,
    name: "par10_ms",
    unit: "ms",
    column: "wall_ms",
    shared: Shared::Nothing,
    subject: Subject::PenalisedWork,
    estimator: Estimator::InstanceMean,
    estimate: "PAR10 ms",
    better: "has a lower PAR10",
    silence: Some("they failed, or it is not defined when a run is solved"),
    figure: |outcome| penalised_ms(outcome, 10.0),
    ..WORK
};

/// The metrics that are computed from columns.
pub static METRICS: [MetricDeclaration; 11] = [
    MetricDeclaration {
        metric: Metric::Solved,
        name: "solved",
        unit: "",
        column: "solved",
        direction: Some(Direction::Maximise),
        shared: Shared::Nothing,
        subject: Subject::Success,
        estimator: Estimator::Rate,
        estimate: "solved",
        better: "solves more",
        silence: Some("it is not defined when a run is solved"),
        lack: "says whether it was solved",
        figure: |outcome| outcome.solved.map(|solved| f64::from(u8::from(solved))),
    },
    SOLUTION,
    MetricDeclaration {
        metric: Metric::Gap,
        name: "gap",
        unit: "%",
        column: "gap",
        direction: Some(Direction::Minimise),
        shared: Shared::Nothing,
        estimator: Estimator::InstanceMean,
        estimate: "mean gap %",
        better: "ends at a lower gap",
        silence: Some("their instances have no best known value, or it is 0"),
        lack: "has a gap: its instances have no best known value, or it is 0",
        ..SOLUTION
    },
    MetricDeclaration {
        metric: Metric::BestFitness,
        name: "best_fitness",
        column: "best_fitness",
        shared: Shared::Fitness,
        estimate: "median best fitness",
        better: "ends at a lower fitness",
        silence: None,
        lack: "reports its work",
        figure: |outcome| Some(outcome.best_fitness.unwrap_or(f64::INFINITY)),
        ..SOLUTION
    },
    WORK,
    MetricDeclaration {
        metric: Metric::Generations,
        name: "generations",
        unit: "generations",
        column: "generations",
        estimate: "median generations to solve",
        better: "takes fewer generations",
        figure: |outcome| until_solved(outcome, Some(outcome.generations as f64)),
        ..WORK
    },
    MetricDeclaration {
        metric: Metric::Restarts,
        name: "restarts",
        unit: "restarts",
        column: "restarts",
        shared: Shared::Nothing,
        estimate: "median restarts to solve",
        better: "takes fewer restarts",
        figure: |outcome| until_solved(outcome, Some(outcome.restarts as f64)),
        ..WORK
    },
    MetricDeclaration {
        metric: Metric::WallMs,
        name: "wall_ms",
        unit: "ms",
        column: "wall_ms",
        shared: Shared::Nothing,
        estimate: "median ms to solve",
        better: "takes less time",
        figure: |outcome| until_solved(outcome, Some(outcome.wall_ms)),
        ..WORK
    },
    MetricDeclaration {
        metric: Metric::CpuMs,
        name: "cpu_ms",
        unit: "ms",
        column: "cpu_ms",
        shared: Shared::Nothing,
        estimate: "median cpu ms to solve",
        better: "takes less processor time",
        figure: |outcome| until_solved(outcome, outcome.cpu_ms),
        ..WORK
    },
    MetricDeclaration {
        metric: Metric::Par2Ms,
        name: "par2_ms",
        estimate: "PAR2 ms",
        better: "has a lower PAR2",
        figure: |outcome| penalised_ms(outcome, 2.0),
        ..PENALISED
    },
    PENALISED,
];

/// The gene diversity, which is in traces but not in columns.
pub(super) static DIVERSITY: MetricDeclaration = MetricDeclaration {
    name: "diversity",
    unit: "",
    direction: Some(Direction::Maximise),
    shared: Shared::Nothing,
    subject: Subject::Population,
    estimate: "median gene diversity",
    better: "keeps more diversity",
    silence: None,
    figure: |_| None,
    ..WORK
};

/// A figure of solved runs, infinite for unsolved ones; `None` if the run does not say whether it was solved.
fn until_solved(outcome: &RunOutcome, figure: Option<f64>) -> Option<f64> {
    let figure = figure?;
    outcome.solved.map(|solved| if solved { figure } else { f64::INFINITY })
}

/// The wall time of a run in milliseconds, multiplied by a penalty if it was not solved, as in PAR10 (F. Hutter, H. H. Hoos, K. Leyton-Brown
/// and T. Stuetzle, "ParamILS: an automatic algorithm configuration framework", JAIR 36, 2009, doi:10.1613/jair.2861); `None` if it failed, or does not say whether it was solved.
pub(crate) fn penalised_ms(outcome: &RunOutcome, penalty: f64) -> Option<f64> {
    match outcome.solved? {
        true => Some(outcome.wall_ms),
        false if outcome.has_failed() => None,
        false => Some(penalty * outcome.wall_ms),
    }
}

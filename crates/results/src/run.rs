//! The identity and the outcome of a run, as files store them.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::Outcome;
use evogrid_core::family::Direction;
use evogrid_core::identity::RunId;

/// The name that a summary uses for all buckets together. No difficulty bucket may have this name.
pub const ALL_BUCKETS: &str = "all";

/// The key of a run: the hash that identifies the run, and the names that people use. The key occurs in the record and in the row of
/// `runs.csv`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunKey {
    /// The run's identity: the hash of everything that determines its outcome.
    pub run_id: RunId,
    /// Name of the algorithm in its experiment.
    pub algorithm: String,
    /// Name of the problem family.
    pub problem: String,
    /// Id of the instance.
    pub instance: String,
    /// The difficulty bucket of the instance.
    pub bucket: String,
    /// The number of the repetition, counted from 0. Repetitions differ only in their random stream.
    pub repetition: u64,
    /// Seed of the random stream, below 2^53.
    pub seed: u64,
}

/// The outcome of a run. The default is the outcome of a failed run that did nothing and had no target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunOutcome {
    /// Whether the target was reached; `None` if the search had no target.
    pub solved: Option<bool>,
    /// The objective of the best solution, computed by the family. `None` if there is no solution or the family has no objective. The value
    /// is also `None` in records that are older than this column.
    pub objective: Option<f64>,
    /// The best fitness found; `None` if the run found no finite fitness.
    pub best_fitness: Option<f64>,
    /// The number of evaluations in all trials.
    pub evaluations: u64,
    /// The number of generations in all trials.
    pub generations: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The number of evaluations up to the evaluation that found the best fitness. This evaluation is included.
    pub evaluations_to_best: u64,
    /// The reason why the run stopped.
    pub stop: Stop,
    /// Wall time in milliseconds: a finite number, 0 or larger.
    pub wall_ms: f64,
    /// Processor time in milliseconds, if the system measures it.
    pub cpu_ms: Option<f64>,
}

impl RunOutcome {
    /// Whether the run had a target and reached it.
    pub fn is_solved(&self) -> bool {
        self.solved == Some(true)
    }

    /// Whether the run failed.
    pub fn has_failed(&self) -> bool {
        self.stop == Stop::Failed
    }

    /// The outcome of a run that did nothing and failed. If the run had a target, the run counts as unsolved.
    pub fn failed(has_target: bool) -> Self {
        Self { solved: has_target.then_some(false), ..Self::default() }
    }

    /// An estimate of the number of generations before the run found its best fitness. The estimate is the number of all generations,
    /// multiplied by the share `evaluations_to_best / evaluations`.
    pub fn generations_to_best(&self) -> f64 {
        let share = if self.evaluations == 0 { 1.0 } else { self.evaluations_to_best as f64 / self.evaluations as f64 };
        self.generations as f64 * share
    }

    /// Creates the outcome of a run from the outcome of its search. `objective` is the objective of the best solution. `direction` is the
    /// direction of the problem. The caller must set the times.
    pub fn from_search(outcome: &Outcome, objective: Option<f64>, direction: Direction) -> Self {
        Self {
            solved: outcome.has_target.then_some(outcome.stop == Stop::Target),
            objective,
            best_fitness: Some(direction.value(outcome.best_fitness)).filter(|best| best.is_finite()),
            evaluations: outcome.evaluations,
            generations: outcome.generations,
            restarts: outcome.restarts,
            evaluations_to_best: outcome.evaluations_to_best,
            stop: outcome.stop,
            ..Self::default()
        }
    }
}

/// A row of `runs.csv`: the plan's data about a run, and the run's outcome. The default is an empty row, which a reader overwrites.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Number of the run in the plan, counted from 0.
    pub run: u64,
    /// The key of the run. Names are not part of a run's identity. If the plan and the record use different names, the plan's names are
    /// used.
    pub key: RunKey,
    /// Values of the varied settings, in the order of their columns.
    pub varied: Vec<String>,
    /// Name of the fitness that was optimised, [marked](Direction::marked) if it was maximised.
    pub fitness: String,
    /// The unit in which the algorithm counts its work: `evaluations`, `nodes`.
    pub unit: String,
    /// The outcome of the run.
    pub outcome: RunOutcome,
    /// The best known value of the instance's objective, if there is one.
    pub best_known: Option<f64>,
    /// The [gap] between the objective and the best known value, in per cent.
    pub gap: Option<f64>,
}

impl Row {
    /// Whether smaller or larger objectives and fitnesses are better.
    pub fn direction(&self) -> Direction {
        Direction::of_marked(&self.fitness).0
    }
}

/// Computes the gap. The gap is the distance of an objective from the best known value, in per cent. For a minimised objective, the gap is
/// `100 * (objective - best_known) / |best_known|`. For a maximised objective, the sign is reversed. So the gap is positive if the
/// objective is worse than the best known value. The gap is negative if the objective is better than the best known value. Returns `None`
/// if the best known value is 0, because the percentage is then undefined.
///
/// ```
/// use evogrid_core::family::Direction::{Maximise, Minimise};
/// use evogrid_results::gap;
///
/// assert_eq!(gap(1297.0, 1278.0, Minimise).map(|gap| (gap * 1000.0).round()), Some(1487.0));
/// assert_eq!([gap(50.0, 100.0, Minimise), gap(-90.0, -100.0, Minimise)], [Some(-50.0), Some(10.0)]);
/// assert_eq!([gap(90.0, 100.0, Maximise), gap(3.0, 0.0, Maximise)], [Some(10.0), None]);
/// ```
pub fn gap(objective: f64, best_known: f64, direction: Direction) -> Option<f64> {
    Some(100.0 * direction.cost(objective - best_known) / best_known.abs()).filter(|gap| gap.is_finite())
}

/// Whether the amount of work of a run is unknown. Some external programs do not report their evaluations. The number of evaluations is
/// then stored as 0. However, every run that did not fail made at least one evaluation. So 0 cannot be the true number of evaluations.
pub fn is_work_unknown(outcome: &RunOutcome, unit: &str) -> bool {
    unit == "evaluations" && outcome.evaluations == 0 && !outcome.has_failed()
}

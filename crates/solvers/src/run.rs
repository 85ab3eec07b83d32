//! A run of either solver: the model is built, solved, and the answer given to the evaluator.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::problem::Problem;

use crate::model::Model;

/// What a solver answers.
#[derive(Default)]
pub(crate) struct Answer {
    /// Whether each binary is true; `None` where there is no solution.
    pub(crate) truth: Option<Vec<bool>>,
    /// Nodes or decisions, which count as evaluations.
    pub(crate) nodes: u64,
    /// Backtracks or conflicts, which count as generations.
    pub(crate) backtracks: u64,
}

/// Runs a solver on the model of a problem.
///
/// # Panics
/// If the problem is not made of all-different units.
pub(crate) fn run(evaluator: Evaluator<'_, dyn Problem>, presolve: bool, solve: impl Fn(&Model) -> Answer) -> Outcome {
    let model = Model::new(evaluator.problem(), presolve);
    evaluator.run_trials(|evaluator| {
        if evaluator.deadline().is_over() {
            return Stop::Time;
        }
        if presolve && model.is_refuted() {
            return Stop::Exhausted;
        }
        let Answer { truth, nodes, backtracks } = solve(&model);
        let left = evaluator.evaluations_left();
        evaluator.account(nodes.min(left), backtracks);
        if nodes > left {
            return Stop::Evaluations;
        }
        model.conclude(truth, evaluator)
    })
}

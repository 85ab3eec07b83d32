//! A run of either solver: the model is built and solved, and the answer goes to the evaluator.

use std::sync::Arc;

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::problem::DynProblem;
use evogrid_core::time_limit::Deadline;

use crate::model::Model;
use crate::patience::in_time;

/// The answer of a solver.
#[derive(Default)]
pub(crate) struct Answer {
    /// Whether each binary is true; `None` if it was proven that no solution exists.
    pub(crate) truth: Option<Vec<bool>>,
    /// The number of nodes or decisions, which count as evaluations.
    pub(crate) nodes: u64,
    /// The number of backtracks or conflicts, which count as generations.
    pub(crate) backtracks: u64,
}

/// How a solver ends.
pub(crate) enum SolverEnd {
    /// The solver returned an answer.
    Answer(Answer),
    /// The solver noticed that the time was over.
    Late,
    /// The solver failed, with a message that says why.
    Failed(String),
}

/// Runs a solver on the model of a problem.
///
/// # Panics
/// If the problem is not made of all-different units, or the solver fails.
pub(crate) fn run<S>(evaluator: Evaluator<'_, dyn DynProblem>, presolve: bool, solve: S) -> Outcome
where
    S: Fn(&Model, Deadline) -> SolverEnd + Copy + Send + 'static,
{
    let model = Arc::new(Model::new(evaluator.problem(), presolve));
    evaluator.run_trials(|evaluator| {
        if evaluator.deadline().is_over() {
            return Stop::Time;
        }
        if presolve && model.is_refuted() {
            return Stop::Exhausted;
        }
        let for_solver = Arc::clone(&model);
        let answer = match in_time(evaluator, move |deadline| solve(&for_solver, deadline)) {
            None | Some(SolverEnd::Late) => return Stop::Time,
            Some(SolverEnd::Failed(message)) => panic!("{message}"),
            Some(SolverEnd::Answer(answer)) => answer,
        };
        let Answer { truth, nodes, backtracks } = answer;
        let left = evaluator.evaluations_left();
        evaluator.account(nodes.min(left), backtracks);
        if nodes > left {
            return Stop::Evaluations;
        }
        model.conclude(truth, evaluator)
    })
}

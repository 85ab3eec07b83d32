//! Satisfiability: the model as clauses, for a solver that learns from conflicts.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use splr::assign::property::Tusize;
use splr::{Certificate, Config, PropertyDereference, SolveIF, Solver, SolverError};

use crate::model::Model;

/// More seconds than anybody waits: the solver weighs its simplifications by the share of its time that they took.
const FOREVER: f64 = 1e12;

/// The model in clauses over `x[c, v]`: of each set at least one, and of every two in it not both.
///
/// A node (an evaluation in the results) is a decision of the solver, a backtrack (a generation) a conflict. No budget reaches
/// into the solver, so a run can only be over its limits when it has ended.
#[derive(Clone, Copy, Debug)]
pub struct Sat {
    /// Whether the candidates of the cells, and the sanity checks, are worked out before.
    pub presolve: bool,
}

const PARAMETERS: &[Parameter] = &[Parameter::flag(
    "presolve",
    true,
    "whether there are variables for candidates only, and sanity checks come first",
)];

/// `sat` in the catalogue.
#[must_use]
pub fn member() -> Member<Algorithm> {
    Member {
        declaration: Declaration {
            name: "sat",
            doc: "exact: clauses for a conflict-driven solver; evaluations are decisions, generations conflicts",
            source: "Lynce and Ouaknine, Sudoku as a SAT Problem, AI&M 2006 (extended encoding); solver: splr 0.17",
            parameters: PARAMETERS,
        },
        build: |settings, _| Box::new(Algorithm::Exact(Box::new(Sat { presolve: settings.flag("presolve") }))),
    }
}

impl Search for Sat {
    /// # Panics
    /// If the problem is not made of all-different units, or the solver fails.
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, _: &mut RandomStream) -> Outcome {
        let model = Model::new(evaluator.problem(), self.presolve);
        evaluator.run_trials(|evaluator| self.run(&model, evaluator))
    }
}

/// What the solver says: the literals that are true where there is a solution, and what it counted.
struct Answer {
    truth: Option<Vec<bool>>,
    decisions: u64,
    conflicts: u64,
}

impl Sat {
    fn run(&self, model: &Model, evaluator: &mut Evaluator<'_, dyn Problem>) -> Stop {
        if evaluator.deadline().is_over() {
            return Stop::Time;
        }
        if self.presolve && model.is_refuted() {
            return Stop::Exhausted;
        }
        let Answer { truth, decisions, conflicts } = solve(model.binaries.len(), &clauses(model));
        let left = evaluator.evaluations_left();
        evaluator.account(decisions.min(left), conflicts);
        if decisions > left {
            return Stop::Evaluations;
        }
        model.conclude(truth.map(|truth| move |binary: usize| truth[binary]), evaluator)
    }
}

/// The clauses; a positive literal is a binary counted from 1.
fn clauses(model: &Model) -> Vec<Vec<i32>> {
    let literal = |binary: &usize| *binary as i32 + 1;
    let exactly = model.exactly_one();
    let mut clauses: Vec<Vec<i32>> = exactly.iter().map(|set| set.iter().map(literal).collect()).collect();
    for set in exactly.iter().chain(&model.at_most_one()) {
        for (at, one) in set.iter().enumerate() {
            clauses.extend(set[at + 1..].iter().map(|other| vec![-literal(one), -literal(other)]));
        }
    }
    clauses.extend(model.givens().iter().map(|binary| vec![literal(binary)]));
    clauses
}

fn solve(n_variables: usize, clauses: &[Vec<i32>]) -> Answer {
    let none = |truth| Answer { truth, decisions: 0, conflicts: 0 };
    if n_variables == 0 {
        return none(clauses.is_empty().then(Vec::new));
    }
    let config = Config { c_timeout: FOREVER, quiet_mode: true, ..Config::default() };
    let mut solver = match Solver::try_from((config, clauses)) {
        Ok(solver) => solver,
        Err(Ok(Certificate::UNSAT) | Err(SolverError::EmptyClause | SolverError::Inconsistent)) => return none(None),
        Err(other) => panic!("the SAT solver refused the clauses: {other:?}"),
    };
    let truth = match solver.solve() {
        Ok(Certificate::SAT(literals)) => {
            let mut truth = vec![false; n_variables];
            literals.iter().filter(|&&literal| literal > 0).for_each(|&literal| truth[literal as usize - 1] = true);
            Some(truth)
        }
        Ok(Certificate::UNSAT) => None,
        Err(error) => panic!("the SAT solver failed: {error}"),
    };
    Answer {
        truth,
        decisions: solver.asg.derefer(Tusize::NumDecision) as u64,
        conflicts: solver.asg.derefer(Tusize::NumConflict) as u64,
    }
}

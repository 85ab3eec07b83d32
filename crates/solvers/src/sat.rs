//! Satisfiability: the model as clauses, for a conflict-driven solver.

use std::time::Duration;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::capability::Capability;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::problem::{DynProblem, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_core::search::exact::Structure;
use evogrid_core::time_limit::Deadline;
use splr::assign::property::Tusize;
use splr::{Certificate, Config, PropertyDereference, SolveIF, Solver, SolverError};

use crate::model::Model;
use crate::run::{Answer, SolverEnd, run};

/// The time limit of the solver, in seconds, longer than any run: the solver simplifies according to the share of this limit that it has
/// spent, so that runs would differ with a limit within reach.
const NO_TIME_LIMIT: f64 = 1e12;

/// The share of its limit that one simplification may take, in splr. A limit of so many times the run's time, plus what is lost by counting
/// whole seconds, is noticed only by a run that is late anyway.
const SIMPLIFICATIONS_IN_LIMIT: f64 = 10.0;

/// The model in clauses over `x[c, v]`: at least one variable of each set is true, and of every two variables in a set at least one is
/// false.
///
/// One evaluation in the results is a decision of the solver, one generation a conflict. The solver does not know the budget: the limit of
/// evaluations is checked only after it has ended, and it is not waited for longer than the time limit.
#[derive(Clone, Copy, Debug)]
pub struct Sat {
    /// Whether candidates are computed and sanity checks are made first.
    pub presolve: bool,
}

/// Bytes that splr and the model take for each clause, measured; learnt clauses come on top.
const BYTES_PER_CLAUSE: usize = 150;

const PARAMETERS: &[Parameter] =
    &[Parameter::flag("presolve", true, "whether only candidates have variables and sanity checks come first")];

/// `sat` in the catalogue.
pub fn member() -> Member<Algorithm> {
    Member {
        declaration: Declaration {
            name: "sat",
            doc: "exact: clauses for a conflict-driven solver; evaluations count decisions, and generations count \
                conflicts",
            source: "Lynce and Ouaknine, Sudoku as a SAT Problem, AI&M 2006 (extended encoding); solver: splr 0.17",
            version: 1,
            needs: &[Capability::AllDifferent],
            parameters: PARAMETERS,
        },
        build: |settings, _| Ok(Box::new(Algorithm::Exact(Box::new(Sat { presolve: settings.flag("presolve") })))),
    }
}

impl Search for Sat {
    fn unit(&self) -> &'static str {
        "decisions"
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        Structure::from_problem(problem).ok()?;
        let model = Model::new(problem, self.presolve);
        let n_clauses: usize = model.set_sizes().map(|size| 1 + size * size.saturating_sub(1) / 2).sum();
        Some((n_clauses * BYTES_PER_CLAUSE) as u64)
    }

    /// # Panics
    /// If the problem does not consist of all-different units, or the solver fails.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        run(evaluator, self.presolve, |model, deadline| solve(model.binaries.len(), &clauses(model), deadline))
    }
}

/// The clauses of the model; a positive literal is the number of a binary, from 1.
fn clauses(model: &Model) -> Vec<Vec<i32>> {
    let literal = |binary: &usize| *binary as i32 + 1;
    let exactly = model.exactly_one();
    let mut clauses: Vec<Vec<i32>> = exactly.iter().map(|set| set.iter().map(literal).collect()).collect();
    for set in exactly.iter().chain(&model.at_most_one()) {
        for (at, one) in set.iter().enumerate() {
            clauses.extend(set[at + 1..].iter().map(|other| vec![-literal(one), -literal(other)]));
        }
    }
    clauses.extend(model.locked().iter().map(|binary| vec![literal(binary)]));
    clauses
}

fn solve(n_variables: usize, clauses: &[Vec<i32>], deadline: Deadline) -> SolverEnd {
    if n_variables == 0 {
        return SolverEnd::Answer(Answer { truth: clauses.is_empty().then(Vec::new), ..Answer::default() });
    }
    let limit = |left: Duration| SIMPLIFICATIONS_IN_LIMIT * (left.as_secs_f64() + 1.0);
    let c_timeout = deadline.left().map_or(NO_TIME_LIMIT, limit);
    let config = Config { c_timeout, quiet_mode: true, ..Config::default() };
    let mut solver = match Solver::try_from((config, clauses)) {
        Ok(solver) => solver,
        Err(Ok(Certificate::UNSAT) | Err(SolverError::EmptyClause | SolverError::Inconsistent)) => {
            return SolverEnd::Answer(Answer::default());
        }
        Err(other) => return SolverEnd::Failed(format!("the SAT solver refused the clauses: {other:?}")),
    };
    let truth = match solver.solve() {
        Ok(Certificate::SAT(literals)) => {
            let mut truth = vec![false; n_variables];
            literals.iter().filter(|&&literal| literal > 0).for_each(|&literal| truth[literal as usize - 1] = true);
            Some(truth)
        }
        Ok(Certificate::UNSAT) => None,
        Err(SolverError::TimeOut) => return SolverEnd::Late,
        Err(error) => return SolverEnd::Failed(format!("the SAT solver failed: {error}")),
    };
    SolverEnd::Answer(Answer {
        truth,
        nodes: solver.asg.derefer(Tusize::NumDecision) as u64,
        backtracks: solver.asg.derefer(Tusize::NumConflict) as u64,
    })
}

//! Solves a problem as a satisfiability problem (SAT). The model is a list of clauses, and the solver is conflict-driven.

use std::time::Duration;

use evogrid_core::prelude::*;
use evogrid_core::search::exact::Structure;
use evogrid_core::time_limit::Deadline;
use splr::assign::property::Tusize;
use splr::{Certificate, Config, PropertyDereference, SolveIF, Solver, SolverError};

use crate::model::Model;
use crate::run::{Answer, run};

/// The time limit of the solver in seconds. It is longer than any run. The share of this limit that is used determines when the solver
/// simplifies. With a shorter limit, repetitions of a run would differ.
const NO_TIME_LIMIT: f64 = 1e12;

/// One simplification of splr may take a tenth of the limit on its time. The limit is therefore ten times the time of the run, plus one
/// second because of rounding to whole seconds. Such a limit has an effect only in runs that are already late.
const SIMPLIFICATIONS_IN_LIMIT: f64 = 10.0;

/// The measured number of bytes that splr and the model take for each clause. Learnt clauses take additional bytes.
const BYTES_PER_CLAUSE: usize = 150;

evogrid_core::parameters! {
    /// The search that looks for truth values of the variables `x[c, v]`. The truth values must satisfy all clauses of the model. The
    /// variable `x[c, v]` is true if cell `c` has the value `v`. The model has sets of variables in which exactly one variable must be
    /// true. For each such set of variables, one clause requires at least one true variable. Other clauses allow at most one true variable
    /// in the set.
    ///
    /// In the results, the number of evaluations is the number of the solver's decisions. The number of generations is the number of
    /// conflicts. The solver does not know the budget. The limit of evaluations is checked only after the solver has ended. At the time
    /// limit, the run ends without waiting for the solver.
    #[derive(Clone, Copy, Debug)]
    pub struct Sat {
        /// whether to do sanity checks first, and to give variables only to the possible values (candidates) of open cells
        pub presolve: bool = Parameter::flag("presolve", true, DOC),
    }
}

/// The catalogue entry of the algorithm `sat`.
pub const MEMBER: Member<Algorithm> = Member {
    declaration: Declaration::new(
        "sat",
        "exact method: writes the problem as clauses for a conflict-driven SAT solver. Each decision counts as one \
         evaluation, and each conflict as one generation",
        "Lynce and Ouaknine, Sudoku as a SAT Problem, AI&M 2006 (extended encoding); solver: splr 0.17",
    )
    .needing(&[Capability::AllDifferent])
    .with(Sat::PARAMETERS),
    build: |settings, operators| Ok(Box::new(Algorithm::Exact(Box::new(Sat::from_settings(settings, operators)?)))),
};

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
    /// If the problem does not consist of all-different sets. If the solver fails.
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

fn solve(n_variables: usize, clauses: &[Vec<i32>], deadline: Deadline) -> Option<Answer> {
    if n_variables == 0 {
        return Some(Answer { truth: clauses.is_empty().then(Vec::new), ..Answer::default() });
    }
    let limit = |left: Duration| SIMPLIFICATIONS_IN_LIMIT * (left.as_secs_f64() + 1.0);
    let c_timeout = deadline.left().map_or(NO_TIME_LIMIT, limit);
    let config = Config { c_timeout, quiet_mode: true, ..Config::default() };
    let mut solver = match Solver::try_from((config, clauses)) {
        Ok(solver) => solver,
        Err(Ok(Certificate::UNSAT) | Err(SolverError::EmptyClause | SolverError::Inconsistent)) => {
            return Some(Answer::default());
        }
        Err(other) => panic!("the SAT solver does not accept the clauses: {other:?}"),
    };
    let truth = match solver.solve() {
        Ok(Certificate::SAT(literals)) => {
            let mut truth = vec![false; n_variables];
            literals.iter().filter(|&&literal| literal > 0).for_each(|&literal| truth[literal as usize - 1] = true);
            Some(truth)
        }
        Ok(Certificate::UNSAT) => None,
        Err(SolverError::TimeOut) => return None,
        Err(error) => panic!("the SAT solver failed: {error}"),
    };
    Some(Answer {
        truth,
        nodes: solver.asg.derefer(Tusize::NumDecision) as u64,
        backtracks: solver.asg.derefer(Tusize::NumConflict) as u64,
    })
}

//! Solves a problem as a mixed-integer linear program. Arkieva compares his backtracking with a mixed-integer linear program. The model has
//! three kinds of constraints. Each cell has one value. Each value occurs once in each all-different set. Locked cells keep their values.

use evogrid_core::parameter::names;
use evogrid_core::prelude::*;
use evogrid_core::search::exact::Structure;
use evogrid_core::settings::Choice;
use evogrid_core::time_limit::Deadline;
use good_lp::{
    Expression, ResolutionError, Solution, SolverModel, Variable, WithTimeLimit, microlp, variable, variables,
};

use crate::model::Model;
use crate::run::{Answer, run};

evogrid_core::parameters! {
    /// The search that solves a linear model with binary variables `x[c, v]`. The variable is 1 if cell `c` has the value `v`. The model
    /// has no objective, so the solver stops at the first solution.
    ///
    /// In the results, the number of evaluations is microlp's number of branch-and-bound nodes. The number of nodes is at least 1. HiGHS
    /// does not report the number of nodes. microlp reports the number only for a run that finds a solution. If a solver does not report
    /// the number of nodes, the number of evaluations is 1. If a run ends at its time limit, its number of evaluations is 0. Backtracks are
    /// not counted. The limit of evaluations is checked only after the solver has ended. The time limit is passed to the solver. However,
    /// microlp checks the clock only every thousand pivots. So at the time limit, the run ends without waiting for microlp.
    #[derive(Clone, Copy, Debug)]
    pub struct Milp {
        /// whether to do sanity checks first, and to give binary variables only to the possible values (candidates) of open cells
        pub presolve: bool = Parameter::flag("presolve", true, DOC),
        /// the library that solves the model
        pub solver: MilpSolver = Parameter::choice("solver", &names(&SOLVERS), "microlp", DOC),
    }
}

/// A library for mixed-integer linear programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MilpSolver {
    /// microlp: simplex with branch and bound, in pure Rust.
    Microlp,
    /// HiGHS, on one thread.
    #[cfg(feature = "highs")]
    Highs,
}

#[cfg(not(feature = "highs"))]
const SOLVERS: [(&str, MilpSolver); 1] = [("microlp", MilpSolver::Microlp)];
#[cfg(feature = "highs")]
const SOLVERS: [(&str, MilpSolver); 2] = [("microlp", MilpSolver::Microlp), ("highs", MilpSolver::Highs)];

impl Choice for MilpSolver {
    const CHOICES: &'static [(&'static str, Self)] = &SOLVERS;
}

/// The measured number of bytes that microlp and the model take for each coefficient of the program. A long branch and bound takes more
/// bytes.
const BYTES_PER_COEFFICIENT: usize = 450;

/// The catalogue entry of the algorithm `milp`.
pub const MEMBER: Member<Algorithm> = Member {
    declaration: Declaration::new(
        "milp",
        "exact method: mixed-integer program with one binary variable per pair of cell and value. Each node of branch \
         and bound counts as one evaluation",
        "Arkieva, An AI-based solution to Sudoku, section on MILP; solvers: microlp 0.6, HiGHS",
    )
    .needing(&[Capability::AllDifferent])
    .with(Milp::PARAMETERS),
    build: |settings, operators| Ok(Box::new(Algorithm::Exact(Box::new(Milp::from_settings(settings, operators)?)))),
};

impl Search for Milp {
    fn unit(&self) -> &'static str {
        "branch-and-bound nodes"
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        Structure::from_problem(problem).ok()?;
        let model = Model::new(problem, self.presolve);
        Some((model.set_sizes().sum::<usize>() * BYTES_PER_COEFFICIENT) as u64)
    }

    /// # Panics
    /// If the problem does not consist of all-different sets. If the solver fails.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let milp = *self;
        run(evaluator, self.presolve, move |model, deadline| milp.solve(model, deadline))
    }
}

impl Milp {
    fn solve(&self, model: &Model, deadline: Deadline) -> Option<Answer> {
        let (exactly, at_most) = (model.exactly_one(), model.at_most_one());
        if exactly.iter().any(Vec::is_empty) {
            return Some(Answer::default());
        }
        if model.binaries.is_empty() {
            return Some(Answer { truth: Some(Vec::new()), ..Answer::default() });
        }
        let mut variables = variables!();
        let x: Vec<Variable> = model.binaries.iter().map(|_| variables.add(variable().binary())).collect();
        let sum = |binaries: &Vec<usize>| -> Expression { binaries.iter().map(|&binary| x[binary]).sum() };
        let constraints = exactly.iter().map(|binaries| sum(binaries).eq(1));
        let constraints = constraints.chain(at_most.iter().map(|binaries| sum(binaries).leq(1)));
        let constraints = constraints.chain(model.locked().into_iter().map(|binary| Expression::from(x[binary]).eq(1)));
        match self.solver {
            MilpSolver::Microlp => {
                let mut solver = variables.minimise(Expression::default()).using(microlp).with_all(constraints);
                if let Some(left) = deadline.left() {
                    solver = solver.with_time_limit(left.as_secs_f64());
                }
                read(solver.solve(), &x, deadline, |solution| solution.into_inner().stats().nodes_solved)
            }
            #[cfg(feature = "highs")]
            MilpSolver::Highs => {
                let model = variables.minimise(Expression::default()).using(good_lp::highs);
                let mut solver = model.set_threads(1).with_all(constraints);
                if let Some(left) = deadline.left() {
                    solver = solver.with_time_limit(left.as_secs_f64());
                }
                read(solver.solve(), &x, deadline, |_| 1)
            }
        }
    }
}

fn read<S: Solution>(
    answer: Result<S, ResolutionError>,
    x: &[Variable],
    deadline: Deadline,
    nodes: impl FnOnce(S) -> u64,
) -> Option<Answer> {
    match answer {
        Ok(solution) => {
            let truth = x.iter().map(|&binary| solution.value(binary) > 0.5).collect();
            Some(Answer { truth: Some(truth), nodes: nodes(solution).max(1), backtracks: 0 })
        }
        Err(ResolutionError::Infeasible) => Some(Answer { nodes: 1, ..Answer::default() }),
        // A library reports its time limit as an error.
        Err(_) if deadline.is_over() => None,
        Err(error) => panic!("the MILP solver failed: {error}"),
    }
}

//! A mixed-integer linear program, which Arkieva compares with: each cell has one value, each unit has each value once, and locked cells
//! keep their values.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::capability::Capability;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter, names};
use evogrid_core::problem::{DynProblem, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use evogrid_core::search::exact::Structure;
use evogrid_core::time_limit::Deadline;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, WithTimeLimit, microlp, variable,
    variables,
};

use crate::model::Model;
use crate::run::{Answer, SolverEnd, run};

/// The model in binaries `x[c, v]`, solved to its first solution; it has no objective.
///
/// One evaluation in the results is a node of microlp's branch and bound, at least one. HiGHS does not report its nodes, and microlp does
/// not if there is no solution; these runs count as one evaluation, and runs that ended at their time limit as none. No backtracks are
/// counted. The limit of evaluations is checked only after the solver has ended. The solver gets the time limit; microlp checks the clock
/// every thousand pivots, and is not waited for that long.
#[derive(Clone, Copy, Debug)]
pub struct Milp {
    /// Whether candidates are computed and sanity checks are made first.
    pub presolve: bool,
    /// The library that solves the model.
    pub solver: MilpSolver,
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

/// Bytes that microlp and the model take for each coefficient of the program, measured; a long branch and bound takes more.
const BYTES_PER_COEFFICIENT: usize = 450;

const PARAMETERS: &[Parameter] = &[
    Parameter::flag("presolve", true, "whether only candidates have binary variables and sanity checks come first"),
    Parameter::choice("solver", &names(&SOLVERS), "microlp", "who solves the model"),
];

/// `milp` in the catalogue.
pub fn member() -> Member<Algorithm> {
    Member {
        declaration: Declaration {
            name: "milp",
            doc: "exact: mixed-integer program with a binary variable per cell and value; evaluations count nodes of \
                branch and bound",
            source: "Arkieva, An AI-based solution to Sudoku, section on MILP; solvers: microlp 0.6, HiGHS",
            version: 1,
            needs: &[Capability::AllDifferent],
            parameters: PARAMETERS,
        },
        build: |settings, _| {
            let milp = Milp { presolve: settings.flag("presolve"), solver: settings.choice("solver", &SOLVERS) };
            Ok(Box::new(Algorithm::Exact(Box::new(milp))))
        },
    }
}

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
    /// If the problem does not consist of all-different units, or the solver fails.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let milp = *self;
        run(evaluator, self.presolve, move |model, deadline| milp.solve(model, deadline))
    }
}

impl Milp {
    fn solve(&self, model: &Model, deadline: Deadline) -> SolverEnd {
        let (exactly, at_most) = (model.exactly_one(), model.at_most_one());
        if exactly.iter().any(Vec::is_empty) {
            return SolverEnd::Answer(Answer::default());
        }
        if model.binaries.is_empty() {
            return SolverEnd::Answer(Answer { truth: Some(Vec::new()), ..Answer::default() });
        }
        let mut variables = variables!();
        let x: Vec<Variable> = model.binaries.iter().map(|_| variables.add(variable().binary())).collect();
        let sum = |binaries: &Vec<usize>| -> Expression { binaries.iter().map(|&binary| x[binary]).sum() };
        let constraints = exactly.iter().map(|binaries| sum(binaries).eq(1));
        let constraints = constraints.chain(at_most.iter().map(|binaries| sum(binaries).leq(1)));
        let constraints = constraints.chain(model.locked().into_iter().map(|binary| Expression::from(x[binary]).eq(1)));
        match self.solver {
            MilpSolver::Microlp => {
                let mut solver = without_objective(variables).using(microlp).with_all(constraints);
                if let Some(left) = deadline.left() {
                    solver = solver.with_time_limit(left.as_secs_f64());
                }
                read(solver.solve(), &x, deadline, |solution| solution.into_inner().stats().nodes_solved)
            }
            #[cfg(feature = "highs")]
            MilpSolver::Highs => {
                let mut solver =
                    without_objective(variables).using(good_lp::highs).set_threads(1).with_all(constraints);
                if let Some(left) = deadline.left() {
                    solver = solver.with_time_limit(left.as_secs_f64());
                }
                read(solver.solve(), &x, deadline, |_| 1)
            }
        }
    }
}

fn without_objective(variables: ProblemVariables) -> good_lp::variable::UnsolvedProblem {
    variables.minimise(Expression::default())
}

fn read<S: Solution>(
    answer: Result<S, ResolutionError>,
    x: &[Variable],
    deadline: Deadline,
    nodes: impl FnOnce(S) -> u64,
) -> SolverEnd {
    match answer {
        Ok(solution) => {
            let truth = x.iter().map(|&binary| solution.value(binary) > 0.5).collect();
            SolverEnd::Answer(Answer { truth: Some(truth), nodes: nodes(solution).max(1), backtracks: 0 })
        }
        Err(ResolutionError::Infeasible) => SolverEnd::Answer(Answer { nodes: 1, ..Answer::default() }),
        // What a library says of a limit in time is not an error of its own.
        Err(_) if deadline.is_over() => SolverEnd::Late,
        Err(error) => SolverEnd::Failed(format!("the MILP solver failed: {error}")),
    }
}

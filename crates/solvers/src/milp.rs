//! A mixed-integer linear program, as Arkieva compares with: each cell one value, each value once a unit, givens fixed.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::parameter::{Declaration, Parameter, names};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::Member;
use evogrid_core::search::Search;
use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, microlp, variable, variables,
};

use crate::model::Model;

/// The model in binaries `x[c, v]`, solved to its first solution; it has no objective.
///
/// A node (an evaluation in the results) is a node of microlp's branch and bound, at least one; HiGHS does not tell its nodes, and
/// counts as one, and so does microlp where there is no solution. No backtracks are counted.
/// No budget reaches into the solver, so a run can only be over its limits when it has ended.
#[derive(Clone, Copy, Debug)]
pub struct Milp {
    /// Whether the candidates of the cells, and the sanity checks, are worked out before.
    pub presolve: bool,
    /// Who solves it.
    pub solver: Solver,
}

/// A MILP solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// microlp: simplex with branch and bound, in pure Rust.
    Microlp,
    /// HiGHS, on one thread.
    #[cfg(feature = "highs")]
    Highs,
}

#[cfg(not(feature = "highs"))]
const SOLVERS: [(&str, Solver); 1] = [("microlp", Solver::Microlp)];
#[cfg(feature = "highs")]
const SOLVERS: [(&str, Solver); 2] = [("microlp", Solver::Microlp), ("highs", Solver::Highs)];

const PARAMETERS: &[Parameter] = &[
    Parameter::flag("presolve", true, "whether there are binaries for candidates only, and sanity checks come first"),
    Parameter::choice("solver", &names(&SOLVERS), "microlp", "who solves the model"),
];

/// `milp` in the catalogue.
#[must_use]
pub fn member() -> Member<Algorithm> {
    Member {
        declaration: Declaration {
            name: "milp",
            doc: "exact: mixed-integer program with a binary a cell and value; evaluations are nodes of branch and bound",
            source: "Arkieva, An AI-based solution to Sudoku, section on MILP; solvers: microlp 0.6, HiGHS",
            parameters: PARAMETERS,
        },
        build: |settings, _| {
            let milp = Milp { presolve: settings.flag("presolve"), solver: settings.choice("solver", &SOLVERS) };
            Box::new(Algorithm::Exact(Box::new(milp)))
        },
    }
}

/// What a solver says: the value of every binary where there is a solution, and its nodes.
struct Answer {
    values: Option<Vec<f64>>,
    nodes: u64,
}

impl Search for Milp {
    /// # Panics
    /// If the problem is not made of all-different units, or the solver fails.
    fn search(&self, evaluator: Evaluator<'_, dyn Problem>, _: &mut RandomStream) -> Outcome {
        let model = Model::new(evaluator.problem(), self.presolve);
        evaluator.run_trials(|evaluator| self.run(&model, evaluator))
    }
}

impl Milp {
    fn run(&self, model: &Model, evaluator: &mut Evaluator<'_, dyn Problem>) -> Stop {
        if evaluator.deadline().is_over() {
            return Stop::Time;
        }
        if self.presolve && model.is_refuted() {
            return Stop::Exhausted;
        }
        let Answer { values, nodes } = self.solve(model);
        let left = evaluator.evaluations_left();
        evaluator.account(nodes.min(left), 0);
        if nodes > left {
            return Stop::Evaluations;
        }
        model.conclude(values.map(|values| move |binary: usize| values[binary] > 0.5), evaluator)
    }

    fn solve(&self, model: &Model) -> Answer {
        let (exactly, at_most) = (model.exactly_one(), model.at_most_one());
        if exactly.iter().any(Vec::is_empty) {
            return Answer { values: None, nodes: 0 };
        }
        if model.binaries.is_empty() {
            return Answer { values: Some(Vec::new()), nodes: 0 };
        }
        let mut variables = variables!();
        let x: Vec<Variable> = model.binaries.iter().map(|_| variables.add(variable().binary())).collect();
        let sum = |binaries: &Vec<usize>| -> Expression { binaries.iter().map(|&binary| x[binary]).sum() };
        let constraints = exactly.iter().map(|binaries| sum(binaries).eq(1));
        let constraints = constraints.chain(at_most.iter().map(|binaries| sum(binaries).leq(1)));
        let constraints = constraints.chain(model.givens().into_iter().map(|binary| Expression::from(x[binary]).eq(1)));
        match self.solver {
            Solver::Microlp => {
                let answer = nothing(variables).using(microlp).with_all(constraints).solve();
                read(answer, &x, |solution| solution.into_inner().stats().nodes_solved)
            }
            #[cfg(feature = "highs")]
            Solver::Highs => {
                let solver = nothing(variables).using(good_lp::highs).set_threads(1).with_all(constraints);
                read(solver.solve(), &x, |_| 1)
            }
        }
    }
}

/// Any solution will do.
fn nothing(variables: ProblemVariables) -> good_lp::variable::UnsolvedProblem {
    variables.minimise(Expression::default())
}

fn read<S: Solution>(answer: Result<S, ResolutionError>, x: &[Variable], nodes: impl FnOnce(S) -> u64) -> Answer {
    match answer {
        Ok(solution) => {
            let values = x.iter().map(|&binary| solution.value(binary)).collect();
            Answer { values: Some(values), nodes: nodes(solution).max(1) }
        }
        Err(ResolutionError::Infeasible) => Answer { values: None, nodes: 1 },
        Err(error) => panic!("the MILP solver failed: {error}"),
    }
}

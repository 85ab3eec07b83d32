//! Backtracking on Latin squares; `crates/problems` tests it on harder instances and against other solvers.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::{DEAD_END, SET_BACK, Step};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::Structure;
use evogrid_core::search::exact::backtracking::Backtracking;

use crate::latin::Latin;

fn serial(problem: &Latin) -> Outcome {
    let algorithm = Algorithm::Exact(Box::new(Backtracking { parallel: false }));
    problem.solve(&algorithm, &Budget::default(), &mut RandomStream::from_seed(1), &mut ())
}

#[test]
fn the_step_log_is_for_people() {
    let said = |options, value| Step { counter: 20, options, cell: 9, value }.to_string();
    assert_eq!(said(0, DEAD_END), "20: cell 9 has no options left: dead end");
    assert_eq!(said(0, SET_BACK), "20: cell 9 is emptied again");
    assert_eq!(said(1, 7), "20: cell 9 receives 7, its only option");
    assert_eq!(said(2, 1), "20: cell 9 receives 1, one of 2 options");
}

#[test]
fn a_latin_square_needs_nothing_but_its_units() {
    let outcome = serial(&Latin::new(5, &[(0, 4), (6, 4), (12, 4), (18, 4)]));
    assert_eq!((outcome.stop, outcome.best_genome[24]), (Stop::Target, 4));
    let none = serial(&Latin::new(3, &[(0, 0), (4, 1), (8, 0)]));
    assert_eq!(none.stop, Stop::Exhausted);
    // A column that breaks the rules from the start.
    assert_eq!(serial(&Latin::new(2, &[(0, 0), (2, 0)])).evaluations, 0);
}

#[test]
fn a_problem_without_units_or_with_long_genes_is_refused() {
    struct Tour(Layout);
    impl Problem for Tour {
        fn layout(&self) -> &Layout {
            &self.0
        }
        fn fitness(&self, _: &[Allele]) -> Fitness {
            Fitness::from(0)
        }
    }
    let tour = Tour(Layout::new(9, &[None; 9]).unwrap());
    assert_eq!(
        Structure::from_problem(&tour).unwrap_err(),
        "an exact method can solve only problems that consist of all-different sets"
    );
    let refused = Structure::from_problem(&Latin::new(65, &[])).unwrap_err();
    assert_eq!(refused, "an exact method supports at most 64 values for a cell, not 65");
    assert_eq!(Structure::from_problem(&Latin::new(64, &[(0, 63)])).unwrap().candidates(&[0; 4096])[0], u64::MAX);
}

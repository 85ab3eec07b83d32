//! The exact search by singles: its solutions are those of trying everything, and it keeps to its budget.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::backtracking::Backtracking;
use evogrid_core::search::exact::exact_search::ExactSearch;
use evogrid_core::search::exact::{NodeLimit, SolutionSearch, Structure};
use proptest::prelude::*;

use crate::latin::Latin;

/// Adds all solutions of some cells by trying every value, the cells and the values ascending.
fn try_all(structure: &Structure, cells: &mut [u8], solutions: &mut Vec<Vec<u8>>) {
    let differs = |unit: &Vec<usize>| {
        let values: Vec<u8> = unit.iter().map(|&cell| cells[cell]).filter(|&value| value != 0).collect();
        values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
    };
    if !structure.units().iter().all(differs) {
        return;
    }
    let Some(free) = cells.iter().position(|&value| value == 0) else {
        solutions.push(cells.to_vec());
        return;
    };
    for value in 1..=structure.n_values() as u8 {
        cells[free] = value;
        try_all(structure, cells, solutions);
    }
    cells[free] = 0;
}

proptest! {
    /// Units of any number of cells, more than there are values too; cells in none, and in several.
    #[test]
    fn solutions_are_counted_as_by_trying_everything(
        n_values in 1usize..5,
        units in prop::collection::vec(prop::collection::btree_set(0usize..8, 0..6), 0..6),
        cells in prop::collection::vec((0u8..9).prop_map(|value| if value > 4 { 0 } else { value }), 8),
    ) {
        let mut cells: Vec<u8> = cells.into_iter().map(|value| if usize::from(value) > n_values { 0 } else { value }).collect();
        let units = units.into_iter().map(|unit| unit.into_iter().collect()).collect();
        let structure = Structure::new(8, n_values, units).unwrap();
        let mut search = SolutionSearch::new(structure.clone());
        let mut solutions = Vec::new();
        try_all(&structure, &mut cells, &mut solutions);
        prop_assert_eq!(search.count(&cells, usize::MAX), Ok(solutions.len()));
        prop_assert_eq!(search.count(&cells, 3), Ok(solutions.len().min(3)));
        let found = search.solve(&cells).unwrap();
        prop_assert_eq!(found.is_some(), !solutions.is_empty());
        prop_assert!(found.is_none_or(|found| solutions.contains(&found)));
        for cell in (0..8).filter(|&cell| cells[cell] == 0) {
            let others = solutions.iter().any(|solution| solution[cell] != 1);
            prop_assert_eq!(search.has_other(&cells, cell, 1), Ok(others));
        }
    }
}

fn latin_squares(side: usize) -> SolutionSearch {
    SolutionSearch::new(Structure::from_problem(&Latin::new(side, &[])).unwrap())
}

#[test]
fn latin_squares_are_counted() {
    // OEIS A002860, and the guesses on the way.
    for (side, squares, guesses) in [(1, 1, 0), (2, 2, 1), (3, 12, 11), (4, 576, 575), (5, 161_280, 161_279)] {
        let mut search = latin_squares(side);
        assert_eq!((search.count(&vec![0; side * side], usize::MAX), search.nodes()), (Ok(squares), guesses), "{side}");
    }
}

#[test]
fn a_search_gives_up_at_its_limit_and_can_be_used_again() {
    let mut search = latin_squares(4).with_node_limit(20);
    assert_eq!(search.count(&[0; 16], 100), Err(NodeLimit { nodes: 20 }));
    assert_eq!(search.count(&[0; 16], 1), Ok(1));
    assert_eq!(search.with_node_limit(u64::MAX).count(&[0; 16], 1000), Ok(576));
}

fn run(problem: &Latin, budget: Budget) -> Outcome {
    let algorithm = Algorithm::Exact(Box::new(ExactSearch));
    problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ())
}

#[test]
fn the_budget_is_kept_to_the_node() {
    let problem = Latin::new(9, &[(0, 8), (11, 7), (22, 6)]);
    let whole = run(&problem, Budget::default());
    assert_eq!((whole.stop, whole.evaluations_to_best), (Stop::Target, whole.evaluations));
    assert!(whole.evaluations > 10);
    for limit in 0..=whole.evaluations + 1 {
        let outcome = run(&problem, Budget { evaluations: Some(limit), ..Budget::default() });
        assert_eq!(outcome.evaluations, limit.min(whole.evaluations));
        assert_eq!(outcome.stop, if limit < whole.evaluations { Stop::Evaluations } else { Stop::Target });
    }
    assert_eq!(run(&problem, Budget { seconds: Some(0.0), ..Budget::default() }).stop, Stop::Time);
    let trial = Budget { generations: Some(1), stagnation: Some(1), restarts: 3, ..Budget::default() };
    assert_eq!(run(&problem, trial), whole);
}

#[test]
fn without_a_solution_it_is_exhausted_and_backtracking_agrees() {
    let mut random = RandomStream::from_seed(3);
    let mut exhausted = 0;
    for _ in 0..200 {
        let givens: Vec<_> = (0..14).map(|_| (random.below(36), random.below(6) as u16)).collect();
        let mut rows: Vec<(usize, u16)> = Vec::new();
        for (position, allele) in givens {
            // A gene holds no allele twice.
            if rows.iter().all(|&(other, had)| other != position && (had != allele || other / 6 != position / 6)) {
                rows.push((position, allele));
            }
        }
        let problem = Latin::new(6, &rows);
        let ours = run(&problem, Budget::default());
        let backtracking = Algorithm::Exact(Box::new(Backtracking { parallel: false }));
        let theirs = problem.solve(&backtracking, &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
        assert_eq!((ours.stop, ours.best_fitness), (theirs.stop, theirs.best_fitness));
        exhausted += usize::from(ours.stop == Stop::Exhausted);
    }
    assert!((20..180).contains(&exhausted), "{exhausted}");
}

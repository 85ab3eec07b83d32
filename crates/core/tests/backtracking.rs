//! Backtracking on Latin squares; `crates/problems` tests it on harder instances and against other solvers.

mod latin;

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::{DEAD_END, Observer, SET_BACK, Step};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::backtracking::Backtracking;
use evogrid_core::search::exact::history::History;
use evogrid_core::search::exact::{Structure, StructureError};

use latin::Latin;

fn run(problem: &Latin, parallel: bool, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
    let algorithm = Algorithm::Exact(Box::new(Backtracking { parallel }));
    problem.solve(&algorithm, budget, &mut RandomStream::from_seed(1), observer)
}

fn serial(problem: &Latin) -> Outcome {
    run(problem, false, &Budget::default(), &mut ())
}

/// A square with as many entries as were possible of so many drawn at random: it may have no solution.
fn partly_filled(side: usize, n_draws: usize, seed: u64) -> Latin {
    let mut random = RandomStream::from_seed(seed);
    let mut givens: Vec<(usize, Allele)> = Vec::new();
    for _ in 0..n_draws {
        let (position, allele) = (random.below(side * side), random.below(side) as Allele);
        let meets = |other: usize| other / side == position / side || other % side == position % side;
        if givens.iter().all(|&(other, given)| other != position && !(given == allele && meets(other))) {
            givens.push((position, allele));
        }
    }
    Latin::new(side, &givens)
}

#[test]
fn parallel_and_serial_search_agree_on_answer_counts_and_limits() {
    let (mut solved, mut wide) = (0, 0);
    for seed in 0..40 {
        let problem = partly_filled(14, 140, seed);
        let limit = Budget { evaluations: Some(20_000), ..Budget::default() };
        let outcome = run(&problem, false, &limit, &mut ());
        assert_eq!(run(&problem, true, &limit, &mut ()), outcome, "seed {seed}");
        solved += usize::from(outcome.stop == Stop::Target);
        wide += usize::from(outcome.evaluations > 2048);
    }
    assert!(solved > 5 && wide > 5, "{solved} solved, {wide} searched in parallel");
}

#[test]
fn every_node_and_every_dead_end_is_a_step() {
    let mut history = History::new();
    let outcome = run(&partly_filled(9, 50, 1), false, &Budget::default(), &mut history);
    let count = |value| history.steps().iter().filter(|step| step.value == value).count() as u64;
    assert_eq!(count(DEAD_END), outcome.generations);
    assert_eq!(history.steps().len() as u64, outcome.evaluations + outcome.generations + count(SET_BACK));
}

#[test]
fn the_step_log_is_for_people() {
    let said = |options, value| Step { counter: 20, options, cell: 9, value }.to_string();
    assert_eq!(said(0, DEAD_END), "20: cell 9 has no option, a dead end");
    assert_eq!(said(0, SET_BACK), "20: cell 9 is set back");
    assert_eq!(said(1, 7), "20: cell 9 gets 7, its only option");
    assert_eq!(said(2, 1), "20: cell 9 gets 1, one of 2 options");
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
        fn target(&self) -> Option<Fitness> {
            None
        }
        fn describe(&self, _: &[Allele]) -> String {
            String::new()
        }
    }
    assert_eq!(
        Structure::from_problem(&Tour(Layout::new(9, &[None; 9]).unwrap())).unwrap_err(),
        StructureError::NoUnits
    );
    assert_eq!(Structure::from_problem(&Latin::new(65, &[])).unwrap_err(), StructureError::Values { n_values: 65 });
    assert_eq!(Structure::from_problem(&Latin::new(64, &[(0, 63)])).unwrap().candidates(&[0; 4096])[0], u64::MAX);
}

//! Combinatorial evolution: what the article says of it, and that it keeps to its budget on any problem.

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::random::RandomStream;
use evogrid_core::search::combinatorial::{CombinatorialEvolution, NeighbourAcceptance};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, generate};

/// The article's demo board.
const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

const PUBLISHED: CombinatorialEvolution = CombinatorialEvolution::PUBLISHED;

fn run(settings: &CombinatorialEvolution, problem: &Sudoku, budget: &Budget, seed: u64) -> Outcome {
    settings.search(problem, budget, &mut RandomStream::from_seed(seed), &mut ())
}

fn demo(fitness: FitnessKind) -> Sudoku {
    Sudoku::new(&DEMO.parse::<Board>().unwrap(), Representation::Boxes, fitness)
}

#[test]
fn taking_equal_neighbours_solves_the_demo_board_at_the_first_try() {
    let budget = Budget { generations: Some(5000), ..Budget::default() };
    for evolution in [true, false] {
        let settings = CombinatorialEvolution { accept: NeighbourAcceptance::BetterOrEqual, evolution, ..PUBLISHED };
        let solved = (0..20).filter(|&seed| {
            let outcome = run(&settings, &demo(FitnessKind::Missing), &budget, seed);
            outcome.stop == Stop::Target && outcome.best_fitness.value() == 0.0
        });
        assert!(solved.count() >= 19, "with evolution {evolution}");
    }
}

#[test]
fn the_published_form_needs_its_restarts() {
    let budget = Budget { generations: Some(5000), restarts: 20, ..Budget::default() };
    let outcomes: Vec<Outcome> =
        (0..10).map(|seed| run(&PUBLISHED, &demo(FitnessKind::Missing), &budget, seed)).collect();
    assert!(outcomes.iter().filter(|outcome| outcome.stop == Stop::Target).count() >= 8);
    assert!(outcomes.iter().any(|outcome| outcome.restarts > 0));
    for outcome in outcomes {
        assert!(outcome.generations <= 5000 * (outcome.restarts + 1));
        assert!(outcome.stop == Stop::Target || (outcome.stop == Stop::Restarts && outcome.restarts == 20));
    }
}

#[test]
fn a_mistake_resets_the_age_where_the_pseudo_code_is_followed() {
    // Every neighbour is taken, most by mistake, and a worker dies at once: a death is one evaluation more.
    let budget = Budget { generations: Some(50), ..Budget::default() };
    for (mistake_resets_age, age_reset, some_die) in [(true, true, false), (true, false, false), (false, true, true)] {
        let settings = CombinatorialEvolution {
            organisms: 10,
            explorers: 0.0,
            mistake: 1.0,
            max_age: 1,
            evolution: false,
            mistake_resets_age,
            age_reset,
            ..PUBLISHED
        };
        let outcome = run(&settings, &demo(FitnessKind::Missing), &budget, 1);
        assert_eq!(outcome.generations, 50);
        assert_eq!(outcome.evaluations > 10 + 50 * 10, some_die, "{mistake_resets_age}, {age_reset}: {outcome:?}");
    }
}

#[test]
fn no_run_evaluates_more_than_its_budget() {
    for limit in [1, 2, 179, 180, 181, 200, 201, 402, 1000] {
        for fitness in [FitnessKind::Missing, FitnessKind::Collisions] {
            let budget = Budget { evaluations: Some(limit), ..Budget::default() };
            let outcome = run(&PUBLISHED, &demo(fitness), &budget, 1);
            assert_eq!((outcome.evaluations, outcome.stop), (limit, Stop::Evaluations));
            assert!(outcome.evaluations_to_best <= limit && !outcome.best_genome.is_empty());
            assert_eq!(outcome, run(&PUBLISHED, &demo(fitness), &budget, 1), "the same seed, another run");
        }
    }
}

#[test]
fn boards_of_every_size_are_solved() {
    for (box_rows, box_cols, share) in [(2, 2, 0.4), (2, 3, 0.5), (3, 3, 0.45), (4, 4, 0.75), (5, 5, 0.85)] {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let mut random = RandomStream::from_seed(5);
        let full = generate::full_board(shape, &mut random);
        let cells = full.cells().iter().map(|&digit| if random.chance(share) { digit } else { 0 }).collect();
        let board = Board::new(shape, cells).unwrap();
        for &(_, representation) in Representation::CHOICES {
            let problem = Sudoku::new(&board, representation, FitnessKind::Missing);
            let settings = CombinatorialEvolution { accept: NeighbourAcceptance::BetterOrEqual, ..PUBLISHED };
            let budget = Budget { generations: Some(20_000), restarts: 5, ..Budget::default() };
            let outcome = run(&settings, &problem, &budget, 3);
            assert_eq!(outcome.stop, Stop::Target, "{shape}, {representation:?}: {}", outcome.best_fitness);
        }
    }
}

/// If this changes, published results do, and the results version must.
#[test]
fn the_outcome_of_a_run_never_changes() {
    let budget = Budget { generations: Some(300), ..Budget::default() };
    let summary = |outcome: Outcome| (outcome.best_fitness.value(), outcome.evaluations, outcome.evaluations_to_best);
    assert_eq!(summary(run(&PUBLISHED, &demo(FitnessKind::Missing), &budget, 2016)), (5.0, 60_480, 58_323));
    let equal = CombinatorialEvolution {
        accept: NeighbourAcceptance::BetterOrEqual,
        age_reset: false,
        max_age: 50,
        ..PUBLISHED
    };
    assert_eq!(summary(run(&equal, &demo(FitnessKind::Collisions), &budget, 2016)), (16.0, 61_046, 45_609));
}

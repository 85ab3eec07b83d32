//! Ants on every family: the laws of solutions built step by step, and of the colony that builds them.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::ants::{Candidate, StepwiseSolutions};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::fitness::Fitness;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::ant_colony::AntColony;
use evogrid_problems::flowshop::{self, Criterion, FlowShop};
use evogrid_problems::qap::{Matrices, Qap, taillard};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, generate};
use evogrid_problems::tsp::{TspInstance, TspProblem, WeightKind};

/// Boards of many shapes, tours, assignments and flow shops.
fn problems() -> Vec<(String, Box<dyn Any>)> {
    let mut problems: Vec<(String, Box<dyn Any>)> = Vec::new();
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (1, 5)] {
        for representation in [Representation::Rows, Representation::Boxes] {
            let board = board(Shape::new(rows, cols).unwrap(), 0.4, 7);
            let problem = Sudoku::new(&board, representation, FitnessKind::Missing);
            problems.push((format!("{rows}x{cols} {representation:?}"), Box::new(problem)));
        }
    }
    let empty = Board::empty(Shape::square_for(9).unwrap());
    let collisions = Sudoku::new(&empty, Representation::Boxes, FitnessKind::Collisions);
    problems.push(("collisions".to_owned(), Box::new(collisions)));
    for n_cities in [3, 9, 60] {
        let mut random = RandomStream::from_seed(n_cities as u64);
        let coordinates = (0..2 * n_cities).map(|_| random.below(1000) as f64).collect();
        let instance = TspInstance::from_coordinates(WeightKind::Euc2D, coordinates);
        problems.push((format!("{n_cities} cities"), Box::new(TspProblem::new(instance))));
    }
    let negative = Matrices::new(2, vec![0, -1, 2, 0], vec![0, 3, -5, 0]).unwrap();
    for (name, matrices) in [("negative", negative), ("tai", taillard::uniform(12, [1, 2]))] {
        problems.push((name.to_owned(), Box::new(Qap::new(matrices))));
    }
    for criterion in [Criterion::Makespan, Criterion::FlowTime] {
        let times = flowshop::taillard::times("ta001");
        problems.push((format!("{criterion:?}"), Box::new(FlowShop::new(times, criterion))));
    }
    problems
}

/// A problem of any family.
trait Any: Problem + Solve {}

impl<P: Problem + Solve> Any for P {}

/// A board with about this share of its cells given.
fn board(shape: Shape, givens: f64, seed: u64) -> Board {
    let mut random = RandomStream::from_seed(seed);
    let full = generate::full_board(shape, &mut random);
    let cells = full.cells().iter().map(|&digit| if random.chance(givens) { digit } else { 0 });
    Board::new(shape, cells.collect()).unwrap()
}

const COLONY: AntColony =
    AntColony { ants: 5, greedy: 0.5, evaporation: 0.2, local: 0.1, beta: 2, best_evaporation: 0.01 };

fn run(problem: &dyn Any, colony: AntColony, budget: Budget, seed: u64) -> Outcome {
    problem.solve(&Algorithm::Custom(Box::new(colony)), &budget, &mut RandomStream::from_seed(seed), &mut ())
}

#[test]
fn every_solution_is_valid_and_has_the_problems_fitness() {
    for (name, problem) in problems() {
        let mut random = RandomStream::from_seed(3);
        let mut solutions = problem.stepwise().expect("the family has steps").solutions(2);
        assert!(solutions.initial_pheromone() > 0.0, "{name}");
        let mut candidates = Vec::new();
        let mut genome = problem.layout().template().to_vec();
        for round in 0..40 {
            solutions.begin(0, &mut random);
            solutions.begin(1, &mut random);
            // The second is left unfinished at some step.
            let (mut n_placed, stop) = (0, random.below(genome.len() + 1));
            for step in 0.. {
                n_placed += advance(&mut *solutions, 0, &mut candidates, &mut random);
                if candidates.is_empty() {
                    break;
                }
                if step < stop {
                    advance(&mut *solutions, 1, &mut candidates, &mut random);
                }
            }
            assert!(n_placed <= genome.len() as u64, "{name} {round}");
            for place in [0, 1] {
                let mut trails = Vec::new();
                solutions.trails(place, &mut trails);
                assert!(trails.len() <= genome.len(), "{name}: no more than one an element");
                assert!(trails.iter().all(|&trail| (trail as usize) < solutions.n_trails()), "{name}");
                genome.fill(u16::MAX);
                let finished = solutions.finish(place, &mut genome, &mut random);
                assert!(problem.layout().is_valid(&genome), "{name}: {genome:?}");
                assert_eq!(finished.fitness, problem.fitness(&genome), "{name}");
                assert!(finished.deposit > 0.0 && finished.deposit.is_finite(), "{name}: {finished:?}");
            }
        }
    }
}

/// Takes a random step, if there is one, and returns the number of placements.
fn advance(
    solutions: &mut dyn StepwiseSolutions,
    place: usize,
    candidates: &mut Vec<Candidate>,
    random: &mut RandomStream,
) -> u64 {
    solutions.decide(place, candidates);
    let is_known = |candidate: &Candidate| {
        candidate.trail == Candidate::NO_TRAIL || (candidate.trail as usize) < solutions.n_trails()
    };
    assert!(candidates.iter().all(|it| is_known(it) && it.heuristic > 0.0 && it.heuristic.is_finite()));
    if candidates.is_empty() { 0 } else { solutions.take(place, random.below(candidates.len()), u64::MAX) }
}

#[test]
fn a_run_keeps_its_budget_to_the_placement_and_can_be_repeated() {
    for (name, problem) in problems() {
        for limit in [0, 1, 2, 17, 100, 1234] {
            let budget =
                Budget { evaluations: Some(limit), generations: Some(200), restarts: 1000, ..Budget::default() };
            let outcome = run(&*problem, COLONY, budget, limit);
            assert!(outcome.evaluations <= limit, "{name}: {outcome:?}");
            let is_cut = outcome.evaluations == limit && outcome.stop != Stop::Target;
            assert_eq!(is_cut, outcome.stop == Stop::Evaluations, "{name}: {outcome:?}");
            assert_eq!(outcome.best_genome.is_empty(), limit == 0, "{name}");
            if limit > 0 {
                assert_eq!(problem.fitness(&outcome.best_genome), outcome.best_fitness, "{name}");
            }
            assert_eq!(run(&*problem, COLONY, budget, limit), outcome, "{name}");
        }
    }
}

#[test]
fn a_colony_ends_on_boards_where_nothing_is_free_or_nothing_fits() {
    let solved = generate::full_board(Shape::square_for(9).unwrap(), &mut RandomStream::from_seed(1));
    let outcome = run(&sudoku(&solved), COLONY, Budget::default(), 1);
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Target, 1));
    // The givens leave no value to the last cell of the first row.
    let budget = Budget { stagnation: Some(20), ..Budget::default() };
    let outcome = run(&sudoku(&"123. .... ...4 ....".parse().unwrap()), COLONY, budget, 1);
    assert_eq!(outcome.stop, Stop::Stagnation);
    // With nothing to stop it but that no generation places anything.
    let outcome = run(&sudoku(&"123. 341. 2143 4321".parse().unwrap()), COLONY, Budget::default(), 1);
    assert_eq!(outcome.stop, Stop::Target);
}

fn sudoku(board: &Board) -> Sudoku {
    Sudoku::new(board, Representation::Rows, FitnessKind::Missing)
}

#[test]
fn the_ants_of_lloyd_and_amos_solve_boards_of_their_sizes() {
    let published = AntColony { ants: 10, greedy: 0.1, evaporation: 0.9, local: 0.1, beta: 0, best_evaporation: 0.005 };
    for (side, givens) in [(9, 0.3), (16, 0.4), (25, 0.55)] {
        let board = board(Shape::square_for(side).unwrap(), givens, 3);
        let budget = Budget { generations: Some(2000), ..Budget::default() };
        let problem = sudoku(&board);
        let outcome = run(&problem, published, budget, 1);
        assert_eq!(outcome.stop, Stop::Target, "{side}");
        let solution: Board = Problem::describe(&problem, &outcome.best_genome).parse().unwrap();
        assert!(solution.solves(&board));
    }
}

#[test]
fn pheromone_makes_tours_and_sequences_better() {
    let is_better = |name: &str| ["60 cities", "tai", "Makespan", "FlowTime"].contains(&name);
    for (name, problem) in problems().into_iter().filter(|(name, _)| is_better(name)) {
        let budget = Budget { generations: Some(300), ..Budget::default() };
        let median = |colony: AntColony| {
            let mut found: Vec<f64> =
                (0..7).map(|seed| run(&*problem, colony, budget, seed).best_fitness.value()).collect();
            found.sort_by(f64::total_cmp);
            found[3]
        };
        let learning = AntColony { greedy: 0.9, evaporation: 0.1, best_evaporation: 0.0, ..COLONY };
        let blind = AntColony { greedy: 0.0, evaporation: 0.0, ..learning };
        assert!(median(learning) < median(blind), "{name}");
    }
}

#[test]
fn no_ant_allocates() {
    for (name, problem) in problems() {
        let allocations = |generations| {
            // No solution ends the run.
            let budget =
                Budget { generations: Some(generations), target: Some(Fitness::new(-1e9)), ..Budget::default() };
            allocation_counter::measure(|| drop(run(&*problem, COLONY, budget, 1))).count_total
        };
        // Neighbour lists are made once for all runs.
        allocations(1);
        assert_eq!(allocations(100), allocations(10), "{name}");
    }
}

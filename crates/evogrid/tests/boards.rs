//! The operators on real boards of every size, with either representation: what they make is a board with its givens, and easy
//! boards are solved.

use evogrid::catalogue;
use evogrid::core::algorithm::Solve;
use evogrid::core::budget::{Budget, Stop};
use evogrid::core::catalogue::Catalogue;
use evogrid::core::layout::Allele;
use evogrid::core::operator::Parents;
use evogrid::core::population::Population;
use evogrid::core::problem::Problem;
use evogrid::core::random::RandomStream;
use evogrid::core::settings::{Settings, Value};
use evogrid::problems::sudoku::generate::full_board;
use evogrid::problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku};

/// The rows and columns of a box.
const SHAPES: [(usize, usize); 5] = [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5)];

#[test]
fn every_operator_makes_boards_of_every_size_with_their_givens() {
    let catalogue = catalogue();
    for (problem, givens) in problems(0.4) {
        let (layout, mut random) = (problem.layout(), RandomStream::from_seed(81));
        let check = |genome: &[Allele], name: &str| {
            assert!(layout.is_valid(genome), "{name}, {}", problem.shape());
            let board = Problem::describe(&problem, genome);
            assert!(givens.to_string().chars().zip(board.chars()).all(|(given, digit)| given == '.' || given == digit));
        };
        for member in catalogue.operators.initialisations.declarations() {
            let mut genome = vec![0; layout.genome_len()];
            let settings = named(member.name);
            catalogue.operators.initialisations.build(&settings, &catalogue.operators).initialise(
                &problem,
                &mut genome,
                &mut random,
            );
            check(&genome, member.name);
        }
        for member in catalogue.operators.crossovers.declarations() {
            let settings = defaults("crossover", member.name);
            let crossover = catalogue.operators.crossovers.build(&settings, &catalogue.operators);
            let population = population(&problem, crossover.n_parents(), &mut random);
            let chosen = Vec::from_iter(0..crossover.n_parents());
            let mut children = vec![0; chosen.len() * layout.genome_len()];
            let parents = Parents::new(&population, &chosen);
            crossover.cross(layout, parents, &mut children, &mut Vec::new(), &mut random);
            children.chunks_exact(layout.genome_len()).for_each(|child| check(child, member.name));
        }
        for member in catalogue.operators.mutations.declarations() {
            let mutation =
                catalogue.operators.mutations.build(&defaults("mutation", member.name), &catalogue.operators);
            let (mut genome, mut conflicts) = (vec![0; layout.genome_len()], vec![0; layout.genome_len()]);
            problem.randomise(&mut genome, &mut random);
            problem.conflicts(&genome, &mut conflicts);
            let conflicts = if mutation.is_guided() { &conflicts[..] } else { &[] };
            mutation.mutate(layout, conflicts, &mut genome, &mut Vec::new(), &mut random);
            check(&genome, member.name);
        }
    }
}

#[test]
fn easy_boards_of_every_size_are_solved() {
    // With three of four cells given.
    let operators = [
        ("tournament", "uniform", "swap-random"),
        ("ranking", "one-point", "swap-random"),
        ("tournament", "pmx", "swap-random"),
        ("tournament", "combined-positional", "swap-random"),
    ];
    for (problem, givens) in problems(0.75) {
        for (selection, crossover, mutation) in operators {
            let mut given = Settings::new();
            given.set("selection", Value::Text(selection.to_owned()));
            given.set("crossover", Value::Text(crossover.to_owned()));
            given.set("mutation", Value::Text(mutation.to_owned()));
            given.set("survival", Value::Text("generational".to_owned()));
            given.set_at("survival.elite", Value::Real(0.05));
            given.set("crossover_rate", Value::Real(0.8));
            given.set("mutation_rate", Value::Real(0.8));
            let catalogue = catalogue();
            let algorithm = catalogue.algorithm(&genetic(&catalogue, &given));
            let budget = Budget { generations: Some(3000), restarts: 2, ..Budget::default() };
            let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(5), &mut ());
            let case = format!("{}, {:?}, {given:?}: {outcome:?}", problem.shape(), problem.representation());
            assert_eq!(outcome.stop, Stop::Target, "{case}");
            let solved =
                Board::parse(&Problem::describe(&problem, &outcome.best_genome), Some(problem.shape())).unwrap();
            assert!(solved.solves(&givens), "{case}");
        }
    }
}

/// A board of every size in both representations, with so large a share of its cells given.
fn problems(share: f64) -> Vec<(Sudoku, Board)> {
    let mut random = RandomStream::from_seed(2006);
    let mut problems = Vec::new();
    for (box_rows, box_cols) in SHAPES {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let full = full_board(shape, &mut random);
        let given = full.cells().iter().map(|&digit| if random.chance(share) { digit } else { 0 }).collect();
        let board = Board::new(shape, given).unwrap();
        for (_, representation) in Representation::NAMES {
            problems.push((Sudoku::new(&board, representation, FitnessKind::Missing), board.clone()));
        }
    }
    problems
}

fn population(problem: &Sudoku, n: usize, random: &mut RandomStream) -> Population {
    let mut population = Population::with_capacity(problem.layout().genome_len(), n);
    for _ in 0..n {
        problem.randomise(population.candidates(1), random);
        population.admit(0.into());
    }
    population
}

fn named(name: &str) -> Settings {
    let mut settings = Settings::new();
    settings.set("kind", Value::Text(name.to_owned()));
    settings
}

/// The settings of a genetic algorithm with these, completed with the defaults; an operator that is not among them is the
/// first of its category.
fn genetic(catalogue: &Catalogue, given: &Settings) -> Settings {
    let mut settings = named("genetic");
    for (category, members) in catalogue.operators.declarations() {
        settings.set(category, Value::Text(members[0].name.to_owned()));
    }
    settings.set_at("budget.generations", Value::Integer(1));
    settings.overlay(given);
    catalogue.resolve(&settings, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// The settings of an operator, all by default.
fn defaults(family: &str, name: &str) -> Settings {
    let mut given = Settings::new();
    given.set(family, Value::Text(name.to_owned()));
    genetic(&catalogue(), &given).table(family).clone()
}

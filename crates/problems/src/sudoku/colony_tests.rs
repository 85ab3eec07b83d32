//! The fast colony against the plain one, and against the fitness.

use proptest::prelude::*;

use super::explorers::Explorers;
use super::geometry::Lines;
use super::{FitnessKind, Representation, Shape, Sudoku, generate};
use evogrid_core::colony::{Colony, ColonyVisitor, Pairs};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;

/// Walks at random through a colony of three, and checks every error that it tells against the fitness.
struct Walk<'p> {
    problem: &'p Sudoku,
    random: RandomStream,
}

impl Walk<'_> {
    fn fitness(&self, write: impl FnOnce(&mut [Allele])) -> Fitness {
        let mut genome = vec![0; self.problem.layout().genome_len()];
        write(&mut genome);
        assert!(self.problem.layout().is_valid(&genome));
        self.problem.fitness(&genome)
    }
}

impl ColonyVisitor for Walk<'_> {
    type Output = ();

    fn visit<C: Colony>(mut self, mut colony: C, pairs: &Pairs) {
        let mut errors = Vec::new();
        for place in 0..3 {
            let error = colony.randomise(place, &mut self.random);
            assert_eq!(error.into(), self.fitness(|genome| colony.write_genome(place, genome)));
            errors.push(error);
        }
        for step in 0..60 {
            let place = step % 3;
            if !pairs.is_empty() {
                let pair = pairs.choose((self.random.bits() >> 32) as u32);
                errors[place] = colony.swapped(place, pair, errors[place]);
                colony.swap(place, pair);
                assert_eq!(errors[place].into(), self.fitness(|genome| colony.write_genome(place, genome)));
            }
            let told = colony.explore(&mut self.random).into();
            assert_eq!(told, self.fitness(|genome| colony.write_explored(genome)));
            if step % 7 == 0 {
                colony.keep();
                let child = (place + 1) % 3;
                errors[child] = colony.merge_kept(child, place, &mut self.random);
                assert_eq!(errors[child].into(), self.fitness(|genome| colony.write_genome(child, genome)));
            }
        }
    }
}

/// A board of a shape with about this share of givens.
fn board(shape: Shape, share: f64, random: &mut RandomStream) -> super::Board {
    let full = generate::full_board(shape, random);
    let cells = full.cells().iter().map(|&digit| if random.chance(share) { digit } else { 0 }).collect();
    super::Board::new(shape, cells).expect("a part of a solved board")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_error_that_a_colony_tells_is_the_fitness(seed: u64, share in 0.1..0.95) {
        for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4), (5, 5)] {
            let mut random = RandomStream::from_seed(seed);
            let board = board(Shape::new(box_rows, box_cols).unwrap(), share, &mut random);
            for (_, representation) in Representation::NAMES {
                for fitness in [FitnessKind::Missing, FitnessKind::Collisions] {
                    let problem = Sudoku::new(&board, representation, fitness);
                    let visited = problem.visit_colony(3, Walk { problem: &problem, random: random.clone() });
                    assert!(visited.is_ok());
                }
            }
        }
    }
}

#[test]
fn every_filling_of_a_box_is_drawn_about_equally_often() {
    // One free box of three positions, all else given: 3! = 6 boards.
    let full = generate::full_board(Shape::new(3, 3).unwrap(), &mut RandomStream::from_seed(1));
    let mut cells = full.cells().to_vec();
    for cell in [0, 10, 20] {
        cells[cell] = 0;
    }
    let board = super::Board::new(full.shape(), cells).unwrap();
    let layout = Representation::Boxes.layout(&board);
    let lines = Lines::new(board.shape(), Representation::Boxes);
    let mut explorers = Explorers::new(board.shape(), Representation::Boxes, &layout, &lines);
    let mut counts = std::collections::BTreeMap::new();
    let (mut genome, mut random) = (vec![0; 81], RandomStream::from_seed(2));
    for _ in 0..12_000 {
        explorers.explore(&mut random);
        explorers.write_explored(&mut genome);
        *counts.entry(genome.clone()).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 6);
    // Six standard deviations of a binomial(12000, 1/6).
    assert!(counts.values().all(|&count| count.abs_diff(2000) < 245), "{:?}", counts.values());
}

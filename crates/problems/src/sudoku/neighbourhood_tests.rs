//! Every neighbourhood of boards against the fitness.

use proptest::prelude::*;

use super::geometry::Lines;
use super::sampling::BoardSampling;
use super::{FitnessKind, Representation, Shape, Sudoku, generate};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, SamplingNeighbourhood, SamplingVisitor};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;

/// Walks at random through a neighbourhood of three with samples, and checks every cost that it tells against the fitness; what scans take
/// and what is taken back is looked at by `evogrid::laws`.
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

impl SamplingVisitor for Walk<'_> {
    type Output = ();

    fn visit<S: SamplingNeighbourhood>(mut self, mut sampling: S) {
        let mut costs = Vec::new();
        let at = |sampling: &S, walk: &Self, place: usize| walk.fitness(|genome| sampling.moves().write(place, genome));
        for place in 0..3 {
            costs.push(sampling.randomise(place, &mut self.random));
            assert_eq!(costs[place].into(), at(&sampling, &self, place));
        }
        for step in 0..60 {
            let place = step % 3;
            if !sampling.moves().is_empty() {
                let moves = sampling.moves_mut();
                let step = moves.draw(place, (self.random.bits() >> 32) as u32, &mut self.random);
                costs[place] = moves.after(place, step, costs[place]);
                moves.apply(place, step);
                assert_eq!(costs[place].into(), at(&sampling, &self, place));
            }
            let told = sampling.sample(&mut self.random).into();
            assert_eq!(told, self.fitness(|genome| sampling.write_sample(genome)));
            if step % 7 == 0 {
                sampling.keep_sample();
                assert_eq!(told, self.fitness(|genome| sampling.write_kept(genome)));
                let child = (place + 1) % 3;
                costs[child] = sampling.merge_kept(child, place, &mut self.random);
                assert_eq!(costs[child].into(), at(&sampling, &self, child));
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
    fn every_cost_that_a_neighbourhood_tells_is_the_fitness(seed: u64, share in 0.1..0.95) {
        for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4), (5, 5)] {
            let mut random = RandomStream::from_seed(seed);
            let board = board(Shape::new(box_rows, box_cols).unwrap(), share, &mut random);
            for &(_, representation) in Representation::CHOICES {
                for fitness in [FitnessKind::Missing, FitnessKind::Collisions] {
                    let problem = Sudoku::new(&board, representation, fitness);
                    for (_, kind) in NeighbourhoodKind::BASIC {
                        let visited = problem.visit_sampling(kind, 3, Walk { problem: &problem, random: random.clone() });
                        assert!(visited.is_ok());
                    }
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
    let mut sampling = BoardSampling::<u32>::new((board.shape(), Representation::Boxes), &layout, &lines, 1).unwrap();
    let mut counts = std::collections::BTreeMap::new();
    let (mut genome, mut random) = (vec![0; 81], RandomStream::from_seed(2));
    for _ in 0..12_000 {
        sampling.sample(&mut random);
        sampling.write_sample(&mut genome);
        *counts.entry(genome.clone()).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 6);
    // Six standard deviations of a binomial(12000, 1/6).
    assert!(counts.values().all(|&count| count.abs_diff(2000) < 245), "{:?}", counts.values());
}

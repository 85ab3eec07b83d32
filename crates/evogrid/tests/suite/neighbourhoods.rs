//! Every neighbourhood of every family obeys the laws, and tabu search goes the same way by a fast one as by one from scratch.

use evogrid::prelude::*;
use evogrid::problems::flowshop::{Criterion, FlowShop, ProcessingTimes};
use evogrid::problems::qap::{Qap, taillard};
use evogrid::problems::sudoku::generate::full_board;
use evogrid::problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku};
use evogrid::problems::tsp::{TspInstance, TspProblem, WeightKind, dimacs::uniform};

/// Whole numbers below a limit.
fn numbers(n: usize, limit: usize, random: &mut RandomStream) -> Vec<u32> {
    (0..n).map(|_| random.below(limit) as u32).collect()
}

/// An instance of a kind of weights, the coordinates on a coarse grid, so that distances tie.
fn cities(kind: WeightKind, n: usize, random: &mut RandomStream) -> TspInstance {
    if kind != WeightKind::Explicit {
        let coordinates = numbers(n * kind.n_coordinates(), 180, random).into_iter().map(f64::from);
        return TspInstance::from_coordinates(kind, coordinates.map(|number| number / 2.0 - 45.0).collect());
    }
    let weights = numbers(n * n, 60, random);
    let weight = |at: usize| weights[(at / n).min(at % n) * n + (at / n).max(at % n)] as i32 - 5;
    TspInstance::from_matrix(n, (0..n * n).map(weight).collect())
}

#[test]
fn every_neighbourhood_of_small_instances_obeys_the_laws() {
    let mut random = RandomStream::from_seed(7);
    for (_, kind) in NeighbourhoodKind::BASIC {
        evogrid::laws::neighbourhood(&Qap::new(taillard::uniform(6, [5, 7])), kind);
        evogrid::laws::neighbourhood(&TspProblem::new(uniform(9, 3)), kind);
        for &(_, weights) in WeightKind::CHOICES {
            evogrid::laws::neighbourhood(&TspProblem::new(cities(weights, 9 + random.below(6), &mut random)), kind);
        }
        // Few different times, so that many are equally good; two digits; and too long for narrow numbers.
        for longest in [3, 100, 100_000_000] {
            for criterion in [Criterion::Makespan, Criterion::FlowTime] {
                for n_jobs in 1..=7 {
                    let n_machines = 1 + random.below(6);
                    let times = numbers(n_jobs * n_machines, longest, &mut random);
                    let times = ProcessingTimes::new(n_jobs, n_machines, times).expect("a small one");
                    evogrid::laws::neighbourhood(&FlowShop::new(times, criterion), kind);
                }
            }
        }
        for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4)] {
            let full = full_board(Shape::new(box_rows, box_cols).expect("a shape"), &mut random);
            let cells = full.cells().iter().map(|&digit| if random.chance(0.6) { digit } else { 0 }).collect();
            let board = Board::new(full.shape(), cells).expect("a part of a solved board");
            for &(_, representation) in Representation::CHOICES {
                for fitness in [FitnessKind::Missing, FitnessKind::Collisions] {
                    evogrid::laws::neighbourhood(&Sudoku::new(&board, representation, fitness), kind);
                }
            }
        }
    }
}

/// An assignment problem without fast neighbourhoods.
struct FromScratch(Qap);

impl Problem for FromScratch {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        self.0.fitness(genome)
    }
}

#[test]
fn tabu_search_by_the_delta_matrix_goes_the_way_of_one_from_scratch() {
    let catalogue = evogrid::catalogue();
    for (n, forced_after) in [(5, 1.0), (12, 0.5), (23, 1e9)] {
        let problem = Qap::new(taillard::uniform(n, [11, 13]));
        let mut given = Settings::new();
        given.set("kind", Value::Text("tabu".to_owned()));
        given.set("forced_after", Value::Real(forced_after));
        given.set_at("budget.generations", Value::Integer(1));
        let algorithm = catalogue.algorithm(&catalogue.resolve(&given, &[]).expect("right settings"));
        let budget = Budget { generations: Some(400), ..Budget::default() };
        let fast = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(3), &mut ());
        let slow = FromScratch(problem).solve(&algorithm, &budget, &mut RandomStream::from_seed(3), &mut ());
        assert_eq!(fast, slow, "{n}");
    }
}

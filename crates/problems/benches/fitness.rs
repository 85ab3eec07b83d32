//! One evaluation: each fitness and representation at 9x9, the conflict map, and collisions on larger boards. And many:
//! combinatorial evolution, whose items are evaluations of organisms.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evogrid_core::budget::Budget;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::problem::{ConflictCount, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::search::combinatorial::{CombinatorialEvolution, NeighbourAcceptance};
use evogrid_problems::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku};

/// McCaffrey's demo board.
const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

/// Evaluations of a run of combinatorial evolution.
const EVALUATIONS: u64 = 2_000_000;

/// Random genomes to go round, so that no branch predictor learns one by heart.
const N_GENOMES: usize = 64;

fn main() {
    divan::main();
}

#[divan::bench(args = ["missing/boxes", "missing/rows", "collisions/boxes", "collisions/rows", "sum-product/boxes", "sum-product/rows"])]
fn fitness_9x9(bencher: Bencher<'_, '_>, name: &str) {
    let (kind, representation) = name.split_once('/').expect("two names");
    evaluate(bencher, 9, find(Representation::CHOICES, representation), find(FitnessKind::CHOICES, kind));
}

#[divan::bench(args = [4, 16, 25])]
fn collisions_boxes(bencher: Bencher<'_, '_>, side: usize) {
    evaluate(bencher, side, Representation::Boxes, FitnessKind::Collisions);
}

#[divan::bench(args = ["boxes", "rows"])]
fn conflicts_9x9(bencher: Bencher<'_, '_>, name: &str) {
    let representation = find(Representation::CHOICES, name);
    let (problem, genomes) = random_genomes(9, representation, FitnessKind::Collisions);
    let mut conflicts = vec![0; 81];
    let mut genomes = genomes.iter().cycle();
    bencher.bench_local(|| problem.count(black_box(genomes.next().expect("a cycle")), black_box(&mut conflicts)));
}

#[divan::bench]
fn construction_9x9(bencher: Bencher<'_, '_>) {
    let board: Board = DEMO.parse().expect("a board");
    bencher.bench(|| Sudoku::new(black_box(&board), Representation::Boxes, FitnessKind::Collisions));
}

/// 200 organisms; a target that nothing reaches, so that every run does the same work. 201 evaluations are an epoch.
#[divan::bench(args = [("better", NeighbourAcceptance::Better), ("better-or-equal", NeighbourAcceptance::BetterOrEqual)])]
fn epochs(bencher: Bencher<'_, '_>, (_, accept): (&str, NeighbourAcceptance)) {
    let board: Board = DEMO.parse().expect("a board");
    let problem = Sudoku::new(&board, Representation::Boxes, FitnessKind::Missing);
    let evolution = CombinatorialEvolution { accept, ..CombinatorialEvolution::PUBLISHED };
    let budget = Budget { evaluations: Some(EVALUATIONS), target: Some(Fitness::new(-1.0)), ..Budget::default() };
    let bencher = bencher.counter(ItemsCount::new(EVALUATIONS));
    bencher.bench_local(|| evolution.search(&problem, &budget, &mut RandomStream::from_seed(1), &mut ()).evaluations);
}

fn find<T: Copy>(names: &[(&str, T)], name: &str) -> T {
    names.iter().find(|(known, _)| *known == name).expect("a known name").1
}

fn evaluate(bencher: Bencher<'_, '_>, side: usize, representation: Representation, kind: FitnessKind) {
    let (problem, genomes) = random_genomes(side, representation, kind);
    let mut genomes = genomes.iter().cycle();
    bencher.bench_local(|| problem.fitness(black_box(genomes.next().expect("a cycle"))));
}

fn random_genomes(side: usize, representation: Representation, kind: FitnessKind) -> (Sudoku, Vec<Vec<Allele>>) {
    let board = Board::empty(Shape::square_for(side).expect("a square"));
    let problem = Sudoku::new(&board, representation, kind);
    let mut random = RandomStream::from_seed(1);
    let genomes = std::iter::repeat_with(|| {
        let mut genome = vec![0; side * side];
        problem.randomise(&mut genome, &mut random);
        genome
    });
    let genomes = genomes.take(N_GENOMES).collect();
    (problem, genomes)
}

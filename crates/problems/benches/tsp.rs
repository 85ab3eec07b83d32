//! Tours: a local optimum of 2-opt and Or-opt from the nearest-neighbour tour, neighbour lists, constructions, and rounds of iterated local
//! search.
//!
//! `scripts/peers/tsp_two_opt.c` finds the same optima in plain C: `TSP_ROUNDS=2000 cargo bench -p evogrid-problems --bench tsp` prints what
//! it prints, for a comparison.

use std::collections::VecDeque;
use std::io::Write as _;
use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evogrid_core::cpu_time;
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick, Rearrangement, Scope};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;
use evogrid_problems::tsp::{N_NEIGHBOURS, NeighbourLists, TspProblem, construction, dimacs};

const INSTANCES: [&str; 2] = ["E1k.0", "E10k.0"];

fn main() {
    if let Some(rounds) = std::env::var("TSP_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()) {
        INSTANCES.iter().for_each(|id| print_rounds(id, rounds));
    } else {
        divan::main();
    }
}

#[divan::bench(args = INSTANCES)]
fn local_optimum(bencher: Bencher<'_, '_>, id: &str) {
    let (problem, start) = start(id);
    with_tours(&problem, Optima { start: &start, bencher: Some(bencher), rounds: 0 });
}

#[divan::bench(args = INSTANCES)]
fn rounds_of_iterated_local_search(bencher: Bencher<'_, '_>, id: &str) {
    let (problem, start) = start(id);
    with_tours(&problem, Rounds { start: &start, bencher });
}

#[divan::bench(args = INSTANCES)]
fn neighbour_lists(bencher: Bencher<'_, '_>, id: &str) {
    let instance = dimacs::instance(id);
    bencher.bench(|| NeighbourLists::new(black_box(instance.weights()), N_NEIGHBOURS));
}

#[divan::bench(args = [("nearest-neighbour", "E1k.0"), ("nearest-neighbour", "E10k.0"), ("greedy", "E1k.0"), ("greedy", "E10k.0")])]
fn constructions(bencher: Bencher<'_, '_>, (name, id): (&str, &str)) {
    let (problem, mut tour) = start(id);
    bencher
        .bench_local(|| Start::from_name(name).write(&problem, black_box(&mut tour), &mut RandomStream::from_seed(1)));
}

/// An instance, and the tour of nearest neighbours from the first city.
fn start(id: &str) -> (TspProblem, Vec<Allele>) {
    let problem = TspProblem::new(dimacs::instance(id));
    let mut tour = vec![0; problem.layout().gene_len()];
    let instance = problem.instance();
    construction::nearest_neighbour(instance.weights(), instance.neighbours(), 0, &mut tour);
    (problem, tour)
}

fn with_tours<'p, V: NeighbourhoodVisitor<'p>>(problem: &'p TspProblem, visitor: V) -> V::Output {
    let visited = problem.visit_neighbourhood(NeighbourhoodKind::OrTwoOpt, 1, visitor);
    visited.unwrap_or_else(|_| panic!("there is memory for a tour"))
}

/// Prints what the program in C prints.
fn print_rounds(id: &str, rounds: u32) {
    let (problem, start) = start(id);
    // As many cities in all as in the rounds of a thousand.
    let rounds = (rounds * 1000 / start.len() as u32).max(1);
    let (length, milliseconds, examined) = with_tours(&problem, Optima { start: &start, bencher: None, rounds });
    let cities = start.len();
    let line = format!("cities {cities} length {length} ms {milliseconds:.4} evaluations {examined}\n");
    std::io::stdout().write_all(line.as_bytes()).expect("standard output takes it");
}

/// Processor time of this thread.
fn cpu() -> Duration {
    cpu_time::of_this_thread().expect("the system tells it")
}

/// A queue of cities that may have a better move.
struct Queue {
    cities: VecDeque<u32>,
    is_queued: Vec<bool>,
}

impl Queue {
    fn push(&mut self, city: u32) {
        if !std::mem::replace(&mut self.is_queued[city as usize], true) {
            self.cities.push_back(city);
        }
    }

    /// Better moves until there is none; returns the cost then and the moves judged.
    fn descend<N: Neighbourhood>(&mut self, moves: &mut N, mut now: N::Cost, touched: &mut Vec<u32>) -> (N::Cost, u64) {
        let mut examined = 0;
        while let Some(city) = self.cities.pop_front() {
            self.is_queued[city as usize] = false;
            let before = now;
            let scan = moves.best_in(
                Scope { place: 0, group: city as usize, now, limit: u64::MAX },
                Pick::Best,
                |_, after| after < before,
            );
            examined += scan.examined;
            let Some((step, after)) = scan.best else { continue };
            moves.apply(0, step);
            now = after;
            touched.clear();
            moves.touched(0, step, touched);
            touched.iter().for_each(|&city| self.push(city));
            self.push(city);
        }
        (now, examined)
    }
}

/// Local optima from one tour: its length, the milliseconds of processor time (the median of so many rounds) and the moves judged for one.
struct Optima<'a, 'b, 'c> {
    start: &'a [Allele],
    bencher: Option<Bencher<'b, 'c>>,
    rounds: u32,
}

impl<'p> NeighbourhoodVisitor<'p> for Optima<'_, '_, '_> {
    type Output = (f64, f64, u64);

    fn visit<N: Neighbourhood + 'p>(self, mut moves: N) -> Self::Output {
        let mut queue = Queue { cities: VecDeque::new(), is_queued: vec![false; self.start.len()] };
        let mut touched = Vec::new();
        let mut find = || {
            let now = moves.load(0, self.start);
            self.start.iter().for_each(|&city| queue.push(u32::from(city)));
            queue.descend(&mut moves, now, &mut touched)
        };
        let (length, examined) = find();
        if let Some(bencher) = self.bencher {
            bencher.bench_local(find);
            return (length.into().value(), 0.0, examined);
        }
        let mut times: Vec<_> = (0..self.rounds)
            .map(|_| {
                let begin = cpu();
                black_box(find());
                cpu() - begin
            })
            .collect();
        times.sort_unstable();
        (length.into().value(), times[times.len() / 2].as_secs_f64() * 1000.0, examined)
    }
}

/// Rounds of iterated local search: a local double bridge, the optimum from there, and back where it is worse.
struct Rounds<'a, 'b, 'c> {
    start: &'a [Allele],
    bencher: Bencher<'b, 'c>,
}

impl<'p> NeighbourhoodVisitor<'p> for Rounds<'_, '_, '_> {
    type Output = ();

    fn visit<N: Neighbourhood + 'p>(self, mut moves: N) {
        const ROUNDS: usize = 1000;
        let n_cities = self.start.len();
        let mut queue = Queue { cities: VecDeque::new(), is_queued: vec![false; n_cities] };
        let (mut touched, mut random) = (Vec::new(), RandomStream::from_seed(1));
        let now = moves.load(0, self.start);
        self.start.iter().for_each(|&city| queue.push(u32::from(city)));
        let (mut now, _) = queue.descend(&mut moves, now, &mut touched);
        self.bencher.counter(ItemsCount::new(ROUNDS)).bench_local(|| {
            for _ in 0..ROUNDS {
                moves.mark(0);
                let [first, second] = random.batch([50, 50]).map(|length| length + 1);
                let start = random.below(n_cities - first - second + 1);
                let change =
                    Rearrangement::Exchange { gene: 0, start, middle: start + first, end: start + first + second };
                touched.clear();
                let kicked = moves.rearrange(0, &[change], now, &mut touched);
                touched.iter().for_each(|&city| queue.push(city));
                let (after, _) = queue.descend(&mut moves, kicked, &mut touched);
                if after <= now { now = after } else { moves.rollback(0) }
            }
        });
    }
}

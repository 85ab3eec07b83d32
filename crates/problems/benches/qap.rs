//! Assignments: the loop of robust tabu search over all exchanges (its items are iterations), a full evaluation, a local optimum from the
//! greedy construction.
//!
//! `cargo bench --bench qap -- --loop N ITERATIONS` only does that loop and prints the best cost, for `scripts/bench_peers.py`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{Move, Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Scope};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;
use evogrid_problems::qap::Qap;
use evogrid_problems::qap::taillard::uniform;

/// Iterations of one sample of the loop.
const ITERATIONS: u64 = 2000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(at) = arguments.iter().position(|argument| argument == "--loop") else { return divan::main() };
    let [n, iterations] = [1, 2].map(|offset| arguments[at + offset].parse().expect("a number"));
    let mut out = std::io::stdout().lock();
    std::io::Write::write_all(&mut out, format!("{}\n", tabu_search(&problem(n as usize), iterations)).as_bytes())
        .expect("standard output is there");
}

#[divan::bench(args = [50, 100])]
fn tabu_iterations(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(n);
    bencher.counter(ItemsCount::new(ITERATIONS)).bench_local(|| tabu_search(&problem, ITERATIONS));
}

#[divan::bench(args = [50, 100])]
fn fitness(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(n);
    let mut genome = vec![0; n];
    problem.randomise(&mut genome, &mut RandomStream::from_seed(1));
    bencher.bench_local(|| problem.fitness(black_box(&genome)));
}

#[divan::bench(args = [50, 100])]
fn greedy_construction(bencher: Bencher<'_, '_>, n: usize) {
    let problem = problem(n);
    let mut genome = vec![0; n];
    bencher.bench_local(|| Start::from_name("greedy").write(&problem, &mut genome, &mut RandomStream::from_seed(1)));
}

/// The instance of `scripts/peers/qap_deltas.c`.
fn problem(n: usize) -> Qap {
    Qap::new(uniform(n, [123_456_789, 443_596_051]))
}

/// The least cost after so many iterations from the identity: each makes the best exchange that is not tabu, or better than all before.
fn tabu_search(problem: &Qap, iterations: u64) -> i64 {
    let search = TabuSearch { n: problem.layout().gene_len(), iterations };
    let Ok(best) = problem.visit_neighbourhood(NeighbourhoodKind::Swap, 1, search) else { panic!("there is memory") };
    best as i64
}

struct TabuSearch {
    n: usize,
    iterations: u64,
}

impl<'p> NeighbourhoodVisitor<'p> for TabuSearch {
    type Output = f64;

    fn visit<N: Neighbourhood + 'p>(self, mut moves: N) -> f64 {
        let n = self.n;
        let mut genome: Vec<Allele> = (0..n as Allele).collect();
        let mut now = moves.load(0, &genome);
        let mut best = now;
        let (mut tabu_until, mut listed) = (vec![0; n * n], Vec::new());
        let mut state: u64 = 1;
        let (least_tenure, greatest_tenure) = (9 * n as u64 / 10, 11 * n as u64 / 10);
        let mut tenure = || {
            state = state * 16_807 % 2_147_483_647;
            least_tenure + state * (greatest_tenure - least_tenure + 1) / 2_147_483_647
        };
        for iteration in 1..=self.iterations {
            let mut chosen: Option<(Move, N::Cost)> = None;
            let is_tabu =
                |row: u32, other: u32| tabu_until[row as usize * n + usize::from(genome[other as usize])] > iteration;
            for group in 0..moves.n_groups() {
                listed.clear();
                moves.list_below(
                    Scope { place: 0, group, now, limit: u64::MAX },
                    chosen.map(|(_, cost)| cost),
                    &mut listed,
                );
                for &(Move(r, s), cost) in &listed {
                    let is_better = chosen.is_none_or(|(_, least)| cost < least);
                    if is_better && (cost < best || !(is_tabu(r, s) && is_tabu(s, r))) {
                        chosen = Some((Move(r, s), cost));
                    }
                }
            }
            let Some((step, cost)) = chosen else { continue };
            let (r, s) = (step.0 as usize, step.1 as usize);
            tabu_until[r * n + usize::from(genome[r])] = iteration + tenure();
            tabu_until[s * n + usize::from(genome[s])] = iteration + tenure();
            moves.apply(0, step);
            genome.swap(r, s);
            now = cost;
            best = if now < best { now } else { best };
        }
        best.into().value()
    }
}

//! Insertions: all positions of each job of a sequence, as `scripts/peers/flowshop_insertion.c` does in C; items are positions. And one
//! evaluation from scratch, and NEH, whose items are the positions that it looks at.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick, Scope};
use evogrid_core::problem::Problem;
use evogrid_problems::flowshop::{Criterion, FlowShop, taillard};

/// 20x5 and 100x20.
const INSTANCES: [&str; 2] = ["ta001", "ta081"];

fn main() {
    divan::main();
}

fn problem(id: &str, criterion: Criterion) -> FlowShop {
    FlowShop::new(taillard::times(id), criterion)
}

#[divan::bench(args = INSTANCES)]
fn insertions_makespan(bencher: Bencher<'_, '_>, id: &str) {
    insertions(bencher, &problem(id, Criterion::Makespan));
}

#[divan::bench(args = INSTANCES)]
fn insertions_flow_time(bencher: Bencher<'_, '_>, id: &str) {
    insertions(bencher, &problem(id, Criterion::FlowTime));
}

#[divan::bench(args = INSTANCES)]
fn makespan(bencher: Bencher<'_, '_>, id: &str) {
    let problem = problem(id, Criterion::Makespan);
    let sequence = problem.layout().template();
    bencher.bench_local(|| problem.fitness(black_box(sequence)));
}

#[divan::bench(args = ["ta001", "ta081", "ta111"])]
fn neh(bencher: Bencher<'_, '_>, id: &str) {
    let problem = problem(id, Criterion::Makespan);
    let n = problem.layout().genome_len();
    bencher.counter(ItemsCount::new(n * (n + 1) / 2)).bench_local(|| black_box(&problem).neh(false));
}

fn insertions(bencher: Bencher<'_, '_>, problem: &FlowShop) {
    let visited = problem.visit_neighbourhood(NeighbourhoodKind::Insertion, 1, Pass { bencher, problem });
    assert!(visited.is_ok(), "there is memory for one");
}

/// Looks at the positions of every job. A position is one where the job does not stand, but the program in C counts that too: so do these
/// items.
struct Pass<'b, 'a, 'p> {
    bencher: Bencher<'a, 'b>,
    problem: &'p FlowShop,
}

impl<'p> NeighbourhoodVisitor<'p> for Pass<'_, '_, '_> {
    type Output = ();

    fn visit<N: Neighbourhood + 'p>(self, mut moves: N) {
        let n = moves.n_groups();
        let now = moves.load(0, self.problem.layout().template());
        self.bencher.counter(ItemsCount::new(n * n)).bench_local(|| {
            (0..n)
                .filter_map(|job| {
                    moves.best_in(Scope { place: 0, group: job, now, limit: u64::MAX }, Pick::Best, |_, _| true).best
                })
                .count()
        });
    }
}

//! What a search behind a trait object costs: hill climbing with restarts, compiled for the neighbourhood, and the same loop behind `dyn`.
//! The items a second are evaluations.

use std::collections::VecDeque;

use divan::Bencher;
use divan::counter::ItemsCount;
use evogrid::core::family::PublishedSet;
use evogrid::prelude::*;

const EVALUATIONS: u64 = 200_000;

const ASSIGNMENTS: [&str; 2] = ["tai50a", "tai100a"];

fn main() {
    divan::main();
}

#[divan::bench(args = ASSIGNMENTS)]
fn compiled(bencher: Bencher, id: &str) {
    let mut settings = Settings::new();
    settings.set("kind", Value::Text("hill-climbing".to_owned()));
    let catalogue = evogrid::catalogue();
    climb(bencher, id, &catalogue.algorithm(&catalogue.resolve(&settings, &[]).expect("the defaults are right")));
}

#[divan::bench(args = ASSIGNMENTS)]
fn behind_dyn_by_better_in(bencher: Bencher, id: &str) {
    climb(bencher, id, &Algorithm::Custom(Box::new(Climbing { has_filter: false })));
}

#[divan::bench(args = ASSIGNMENTS)]
fn behind_dyn_by_best_in(bencher: Bencher, id: &str) {
    climb(bencher, id, &Algorithm::Custom(Box::new(Climbing { has_filter: true })));
}

fn climb(bencher: Bencher, id: &str, algorithm: &Algorithm) {
    let catalogue = evogrid::catalogue();
    let sets = || catalogue.families().flat_map(Family::published_sets);
    let has_it = |set: &&PublishedSet| (set.ids)().iter().any(|known| known == id);
    let set = sets().find(has_it).expect("a published instance");
    let instance = (set.make)(id, &Options::new()).expect("it needs no options").instance;
    let problem = instance.prepare(&Settings::new());
    let budget = Budget { evaluations: Some(EVALUATIONS), restarts: u64::MAX, ..Budget::default() };
    let mut seeds = 1..;
    bencher.counter(ItemsCount::new(EVALUATIONS)).bench_local(|| {
        let seed = seeds.next().expect("no end of seeds");
        problem.solve(algorithm, &budget, &mut RandomStream::from_seed(seed), &mut ())
    });
}

/// Hill climbing as it ships, but for the trait object.
struct Climbing {
    /// Whether the moves that are allowed are told by a closure.
    has_filter: bool,
}

impl Search for Climbing {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let mut moves = problem.neighbourhood(problem.own_neighbourhood(), 1).expect("there is memory for one");
        let mut genome = problem.layout().template().to_vec();
        let (mut queue, mut is_queued, mut touched) = (VecDeque::new(), Vec::new(), Vec::new());
        let mut trial = |evaluator: &mut Evaluator<'_, dyn DynProblem>| -> Result<(), Stop> {
            problem.randomise(&mut genome, random);
            evaluator.evaluate(&genome)?;
            let mut now = moves.load(0, &genome);
            let mut order: Vec<u32> = (0..moves.n_groups() as u32).collect();
            random.shuffle(&mut order);
            queue.extend(&order);
            is_queued.clear();
            is_queued.resize(order.len(), true);
            while let Some(group) = queue.pop_front() {
                is_queued[group as usize] = false;
                let limit = evaluator.begin_batch()?;
                let scan = if self.has_filter {
                    moves.best_in(0, group as usize, limit, Pick::Best, &mut |_, after| after < now)
                } else {
                    moves.better_in(0, group as usize, limit, Pick::Best)
                };
                evaluator.count(scan.examined);
                let Some((step, _)) = scan.best else { continue };
                now = moves.apply(0, step);
                touched.clear();
                moves.touched(0, step, &mut touched);
                touched.push(group);
                for &group in if touched.len() >= order.len() { &order } else { &touched } {
                    if !std::mem::replace(&mut is_queued[group as usize], true) {
                        queue.push_back(group);
                    }
                }
                let told = evaluator.tell(now, |best| moves.write(0, best));
                evaluator.settle(|best| moves.write(0, best));
                told?;
            }
            evaluator.end_iteration()
        };
        evaluator.run_trials(|evaluator| trial(evaluator).err().unwrap_or(Stop::Stagnation))
    }
}

//! Iterated greedy by reinsertion: against a model that evaluates every sequence from scratch, on flow shops of a few jobs, and what it
//! allocates.

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::construction::Ties;
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{NeighbourhoodName, Pick};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;
use evogrid_core::search::iterated_greedy::{DescentKind, IteratedGreedy};
use evogrid_core::search::local_algorithm::LocalAlgorithm;
use evogrid_problems::flowshop::{Criterion, FlowShop, ProcessingTimes, taillard, taillard::random_times};

fn search(ties: Ties) -> IteratedGreedy {
    IteratedGreedy {
        start: Start::Construction("neh".to_owned()),
        removed: 2,
        temperature: 0.7,
        local_search: true,
        neighbourhood: NeighbourhoodName::new("family"),
        pick: Pick::Best,
        descent: DescentKind::Reinsertion,
        partial_local_search: true,
        ties,
    }
}

/// The search, with nothing but sequences and their values.
struct Model<'a> {
    times: &'a ProcessingTimes,
    criterion: Criterion,
    ties: Ties,
    sequence: Vec<Allele>,
    elements: Vec<Allele>,
    random: RandomStream,
    evaluations: u64,
}

impl Model<'_> {
    fn value(&self) -> u64 {
        crate::flowshop::value(self.criterion, self.times, &self.sequence)
    }

    /// Inserts a job at its best position, and returns the value.
    fn insert(&mut self, job: Allele) -> u64 {
        let value = |position: usize| {
            let mut sequence = self.sequence.clone();
            sequence.insert(position, job);
            crate::flowshop::value(self.criterion, self.times, &sequence)
        };
        let n_positions = self.sequence.len() + 1;
        let position = match self.ties {
            Ties::Last => (0..n_positions).rev().min_by_key(|&position| value(position)),
            _ => (0..n_positions).min_by_key(|&position| value(position)),
        };
        self.evaluations += n_positions as u64;
        self.sequence.insert(position.expect("there is one"), job);
        self.value()
    }

    /// Passes over the jobs behind the first so many until one gains nothing.
    fn reinsert_all(&mut self, n_missing: usize) {
        let mut best = if n_missing == 0 { Some(self.value()) } else { None };
        let mut is_improved = true;
        while is_improved {
            is_improved = false;
            self.random.shuffle(&mut self.elements[n_missing..]);
            for at in n_missing..self.elements.len() {
                let job = self.elements[at];
                self.sequence.retain(|&other| other != job);
                let value = self.insert(job);
                is_improved |= best.is_some_and(|best| value < best);
                best = Some(best.map_or(value, |best| best.min(value)));
            }
        }
    }

    /// The best value after so many generations.
    fn run(&mut self, temperature: f64, n_generations: u64) -> u64 {
        self.evaluations = 1;
        self.reinsert_all(0);
        let (mut current, mut best) = (self.sequence.clone(), self.value());
        for _ in 0..n_generations {
            self.sequence.clone_from(&current);
            let n_removed = self.elements.len().min(2);
            for at in 0..n_removed {
                let drawn = at + self.random.below(self.elements.len() - at);
                self.elements.swap(at, drawn);
                let job = self.elements[at];
                self.sequence.retain(|&other| other != job);
            }
            if n_removed < self.elements.len() {
                self.reinsert_all(n_removed);
            }
            for at in 0..n_removed {
                self.insert(self.elements[at]);
            }
            self.reinsert_all(0);
            best = best.min(self.value());
            let worse = self.value() as f64 - crate::flowshop::value(self.criterion, self.times, &current) as f64;
            if worse <= 0.0 || self.random.chance(libm::exp(-worse / temperature)) {
                current.clone_from(&self.sequence);
            }
        }
        best
    }
}

#[test]
fn iterated_greedy_does_what_a_model_from_scratch_does() {
    for seed in 1..60 {
        let (n_jobs, n_machines) = (1 + seed % 7, 1 + seed / 7 % 5);
        let times = random_times(n_jobs, n_machines, seed as u64).expect("a small one");
        for &(_, criterion) in Criterion::CHOICES {
            for ties in [Ties::First, Ties::Last] {
                let problem = FlowShop::new(times.clone(), criterion);
                let budget = Budget { generations: Some(20), ..Budget::default() };
                let algorithm = Algorithm::Local(LocalAlgorithm::IteratedGreedy(search(ties)));
                let stream = || RandomStream::from_seed(seed as u64);
                let outcome = problem.solve(&algorithm, &budget, &mut stream(), &mut ());
                let mut model = Model {
                    times: &times,
                    criterion,
                    ties,
                    sequence: problem.neh(false),
                    elements: problem.layout().template().to_vec(),
                    random: stream(),
                    evaluations: 0,
                };
                let best = model.run(0.7 * problem.scale() / 10.0, 20);
                assert_eq!((outcome.best_fitness.value() as u64, outcome.evaluations), (best, model.evaluations));
            }
        }
    }
}

#[test]
fn a_longer_search_allocates_no_more() {
    let problem = FlowShop::new(taillard::times("ta031"), Criterion::Makespan);
    for descent in [DescentKind::Reinsertion, DescentKind::Neighbourhood] {
        for ties in [Ties::Random(0), Ties::Family] {
            let algorithm =
                Algorithm::Local(LocalAlgorithm::IteratedGreedy(IteratedGreedy { descent, ..search(ties) }));
            let allocations = |generations| {
                let budget = Budget { generations: Some(generations), ..Budget::default() };
                let mut random = RandomStream::from_seed(1);
                let run = || drop(problem.solve(&algorithm, &budget, &mut random, &mut ()));
                allocation_counter::measure(run).count_total
            };
            assert_eq!(allocations(5), allocations(50));
        }
    }
}

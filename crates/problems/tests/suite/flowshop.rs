//! Searches on flow shops, through the catalogue as an experiment asks for them.

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::family::{Family, Options};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use evogrid_problems::flowshop::{Criterion, FlowShopFamily, ProcessingTimes, taillard, taillard::random_times};

/// Runs an algorithm, and returns its outcome and its best sequence, described.
fn run(
    times: &ProcessingTimes,
    criterion: Criterion,
    algorithm: &[(&str, &str)],
    budget: &[(&str, i64)],
    seed: u64,
) -> (Outcome, String) {
    let mut catalogue = Catalogue::new();
    catalogue.add_family(Box::new(FlowShopFamily));
    let mut raw = Settings::new();
    for &(name, value) in algorithm {
        raw.set(name, Value::Text(value.to_owned()));
    }
    for (name, value) in budget {
        raw.set_at(&format!("budget.{name}"), Value::Integer(*value));
    }
    let settings = catalogue.resolve(&raw, &["flowshop"]).expect("they fit together");
    let options = Options::from([("objective".to_owned(), criterion.name().to_owned())]);
    let instance = FlowShopFamily.read(&times.to_line(), &options).expect("an instance");
    let problem = instance.prepare(&settings);
    let search = catalogue.algorithm(&settings);
    let limits = Budget::from_settings(settings.table("budget"));
    let outcome = problem.solve(&search, &limits, &mut RandomStream::from_seed(seed), &mut ());
    let described = problem.describe(&outcome.best_genome);
    let objective = FlowShopFamily.objective(&instance.content()).expect("it has one");
    assert_eq!(objective.measure(&instance.content(), &described), Some(Ok(outcome.best_fitness.value())));
    (outcome, described)
}

/// The value of a sequence that may lack jobs, computed from its definition.
pub(crate) fn value(criterion: Criterion, times: &ProcessingTimes, sequence: &[u16]) -> u64 {
    let mut completions = vec![0; sequence.len()];
    for times in times.machines() {
        let mut free_from = 0;
        for (completion, &job) in completions.iter_mut().zip(sequence) {
            free_from = free_from.max(*completion) + u64::from(times[usize::from(job)]);
            *completion = free_from;
        }
    }
    match criterion {
        Criterion::Makespan => completions.last().copied().unwrap_or(0),
        Criterion::FlowTime => completions.iter().sum(),
    }
}

/// The best value of all sequences of eight jobs.
fn optimum(times: &ProcessingTimes, criterion: Criterion, sequence: &mut Vec<u16>, left: &mut Vec<u16>) -> u64 {
    if left.is_empty() {
        return value(criterion, times, sequence);
    }
    let mut best = u64::MAX;
    for at in 0..left.len() {
        let job = left.swap_remove(at);
        sequence.push(job);
        best = best.min(optimum(times, criterion, sequence, left));
        sequence.pop();
        left.push(job);
        let last = left.len() - 1;
        left.swap(at, last);
    }
    best
}

#[test]
fn iterated_greedy_and_random_search_find_the_optimum_of_eight_jobs() {
    let algorithms =
        [[("kind", "iterated-greedy"), ("start", "neh-last")], [("kind", "random-search"), ("start", "random")]];
    for (seed, &(_, criterion)) in (1..).zip(Criterion::CHOICES) {
        let times = random_times(8, 4, seed).unwrap();
        let optimum = optimum(&times, criterion, &mut Vec::new(), &mut (0..8).collect());
        let (greedy, _) = run(&times, criterion, &algorithms[0], &[("evaluations", 20_000)], 1);
        let (random, _) = run(&times, criterion, &algorithms[1][..1], &[("evaluations", 400_000)], 1);
        assert_eq!([greedy, random].map(|outcome| outcome.best_fitness.value() as u64), [optimum; 2]);
    }
}

#[test]
fn hill_climbing_ends_where_no_insertion_is_better() {
    let times = taillard::times("ta001");
    for &(_, criterion) in Criterion::CHOICES {
        for pick in ["best", "first"] {
            let algorithm = [("kind", "hill-climbing"), ("start", "random"), ("pick", pick)];
            let (outcome, described) = run(&times, criterion, &algorithm, &[("restarts", 0)], 1);
            assert_eq!(outcome.stop, Stop::Stagnation);
            let sequence: Vec<u16> = described.split(' ').map(|job| job.parse::<u16>().unwrap() - 1).collect();
            let found = value(criterion, &times, &sequence);
            for from in 0..sequence.len() {
                for to in 0..sequence.len() {
                    let mut moved = sequence.clone();
                    let job = moved.remove(from);
                    moved.insert(to, job);
                    assert!(value(criterion, &times, &moved) >= found, "job {job} belongs to {to}");
                }
            }
        }
    }
}

#[test]
fn iterated_greedy_keeps_to_its_evaluations_and_improves_on_neh() {
    let published = taillard::published().find(|instance| instance.id == "ta051").unwrap();
    let algorithm = [("kind", "iterated-greedy"), ("start", "neh")];
    let (outcome, _) = run(&taillard::times("ta051"), Criterion::Makespan, &algorithm, &[("evaluations", 200_000)], 1);
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Evaluations, 200_000));
    let neh = published.number::<u32>("neh_cmax_first_tie");
    let makespan = outcome.best_fitness.value() as u32;
    assert!((published.number("best_known_cmax_2025")..neh - 100).contains(&makespan), "{makespan}");
}

#[test]
fn combinatorial_evolution_works_by_insertions_as_by_swaps() {
    let times = taillard::times("ta001");
    for neighbourhood in ["family", "swap", "insertion", "inversion", "or-2opt"] {
        let algorithm = [("kind", "combinatorial-evolution"), ("neighbourhood", neighbourhood)];
        let (outcome, _) = run(&times, Criterion::Makespan, &algorithm, &[("evaluations", 100_000)], 1);
        assert!(outcome.best_fitness.value() < 1340.0, "{neighbourhood}: {}", outcome.best_fitness);
    }
}

#[test]
fn a_file_in_the_published_form_has_the_instances_that_their_seeds_make() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/flowshop/taillard-20x5.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let mut published = taillard::published();
    FlowShopFamily.read_file(&text, &Options::new(), &mut |read| {
        let (read, published) = (read.unwrap(), published.next().unwrap());
        assert_eq!(read.instance.text(), taillard::times(published.id).to_line(), "{}", published.id);
        assert!(read.best_known.unwrap().value >= published.number("best_known_cmax_2025"));
    });
    assert_eq!(published.next().unwrap().id, "ta011");
}

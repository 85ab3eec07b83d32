//! Budgets and counts, by a search at random.

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;

use crate::latin::Latin;

/// Random genomes, ten in a generation.
fn random_search(problem: &Latin, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
    let (mut random, mut genome) = (RandomStream::from_seed(3), vec![0; problem.layout().genome_len()]);
    let mut generation = |evaluator: &mut Evaluator<'_, Latin>| -> Result<(), Stop> {
        for _ in 0..10 {
            problem.randomise(&mut genome, &mut random);
            evaluator.evaluate(&genome)?;
        }
        evaluator.end_iteration()
    };
    Evaluator::new(problem, budget, observer).run_trials(|evaluator| {
        loop {
            if let Err(stop) = generation(evaluator) {
                return stop;
            }
        }
    })
}

#[test]
fn the_first_limit_that_is_reached_ends_the_run() {
    let none = Budget::default();
    // A square of side 9 is not found at random; one of side 1 is solved.
    let cases = [
        ("evaluations", 9, Budget { evaluations: Some(257), ..none }, Stop::Evaluations, (257, 25, 0)),
        ("generations", 9, Budget { generations: Some(4), ..none }, Stop::Generations, (40, 4, 0)),
        (
            "the first of two",
            9,
            Budget { generations: Some(4), evaluations: Some(40), ..none },
            Stop::Generations,
            (40, 4, 0),
        ),
        ("restarts", 9, Budget { generations: Some(4), restarts: 2, ..none }, Stop::Restarts, (120, 12, 2)),
        (
            "no restart left over",
            9,
            Budget { generations: Some(4), restarts: 2, evaluations: Some(50), ..none },
            Stop::Evaluations,
            (50, 5, 1),
        ),
        ("nothing allowed", 9, Budget { evaluations: Some(0), ..none }, Stop::Evaluations, (0, 0, 0)),
        ("no time", 9, Budget { seconds: Some(0.0), ..none }, Stop::Time, (0, 0, 0)),
        ("the target", 1, Budget { evaluations: Some(1000), ..none }, Stop::Target, (1, 0, 0)),
    ];
    for (name, side, budget, stop, counts) in cases {
        let outcome = random_search(&Latin::new(side, &[]), &budget, &mut ());
        assert_eq!(outcome.stop, stop, "{name}");
        assert_eq!((outcome.evaluations, outcome.generations, outcome.restarts), counts, "{name}");
    }
}

#[test]
fn a_trial_stagnates_after_so_many_generations_without_a_better_fitness() {
    let problem = Latin::new(6, &[]);
    let mut improvements = Improvements::default();
    let budget = Budget { stagnation: Some(5), ..Budget::default() };
    let outcome = random_search(&problem, &budget, &mut improvements);
    assert_eq!(outcome.stop, Stop::Stagnation);
    // It improved in the generation after those that were complete by then.
    assert_eq!(outcome.generations, improvements.0.last().unwrap().generations + 1 + 5);
}

#[test]
fn the_best_genome_of_all_trials_is_kept_and_every_improvement_reported() {
    let problem = Latin::new(6, &[]);
    let mut improvements = Improvements::default();
    let budget = Budget { generations: Some(3), restarts: 9, ..Budget::default() };
    let outcome = random_search(&problem, &budget, &mut improvements);
    let fitnesses: Vec<Fitness> = improvements.0.iter().map(|progress| progress.best_fitness).collect();
    assert!(fitnesses.len() > 1 && fitnesses.windows(2).all(|pair| pair[1] < pair[0]), "{fitnesses:?}");
    let last = improvements.0.last().unwrap();
    assert_eq!((last.best_fitness, last.evaluations), (outcome.best_fitness, outcome.evaluations_to_best));
    assert_eq!(problem.fitness(&outcome.best_genome), outcome.best_fitness);
}

#[test]
fn another_target_takes_the_place_of_the_problems_own() {
    let budget = Budget { target: Some(Fitness::from(12)), evaluations: Some(10_000), ..Budget::default() };
    let outcome = random_search(&Latin::new(6, &[]), &budget, &mut ());
    assert_eq!(outcome.stop, Stop::Target);
    assert!(outcome.best_fitness <= Fitness::from(12) && outcome.best_fitness > Fitness::from(0));
}

#[derive(Default)]
struct Improvements(Vec<Progress>);

impl Observer for Improvements {
    fn improved(&mut self, progress: &Progress, _genome: &[Allele]) {
        self.0.push(*progress);
    }
}

//! Searches that are parts of others, on a small problem.

use std::sync::atomic::{AtomicBool, Ordering};

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::portfolio::DECLARATION;
use evogrid_core::settings::{Settings, Value};

use crate::support::{Columns, catalogue, genetic};

/// The settings of a memetic algorithm of ten, or of the genetic algorithm of the same operators.
fn population_search(kind: &str, given: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::new();
    settings.set("population", Value::Integer(10));
    let operators = [("kind", kind), ("crossover", "pmx"), ("mutation", "swap-random")];
    for (name, value) in operators {
        settings.set(name, Value::Text(value.to_owned()));
    }
    for (path, value) in given {
        settings.set_at(path, value.clone());
    }
    genetic(&catalogue(), &settings)
}

fn run(problem: &Columns, settings: &Settings, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
    let algorithm = catalogue().algorithm(settings);
    problem.solve(&algorithm, budget, &mut RandomStream::from_seed(5), observer)
}

fn text(name: &str) -> Value {
    Value::Text(name.to_owned())
}

#[test]
fn a_memetic_algorithm_that_never_searches_locally_is_the_genetic_algorithm() {
    let problem = Columns::new(6, 6, 0.3, 2);
    let budget = Budget { generations: Some(20), ..Budget::default() };
    let plain = run(&problem, &population_search("genetic", &[]), &budget, &mut ());
    let never = population_search("memetic", &[("local_search_rate", Value::Real(0.0))]);
    assert_eq!(run(&problem, &never, &budget, &mut ()), plain);
    let always = population_search("memetic", &[]);
    assert!(run(&problem, &always, &budget, &mut ()).evaluations > plain.evaluations);
}

/// Whether every individual of every generation is a local optimum of swaps.
struct LocalOptima<'a> {
    problem: &'a Columns,
    are_all: AtomicBool,
}

impl Observer for LocalOptima<'_> {
    fn generation(&mut self, _: &Progress, population: Option<&Population>) {
        let population = population.expect("there is one");
        for individual in 0..population.len() {
            let (mut genome, fitness) = (population.genome(individual).to_vec(), population.fitness(individual));
            assert_eq!(self.problem.appraise(&genome), fitness, "the fitness is the genome's own");
            if has_better_swap(self.problem, &mut genome) {
                self.are_all.store(false, Ordering::Relaxed);
            }
        }
    }
}

fn has_better_swap(problem: &Columns, genome: &mut [Allele]) -> bool {
    let (layout, fitness) = (problem.layout(), problem.appraise(genome));
    layout.movable_genes().iter().any(|&gene| {
        let free = layout.free(gene);
        let mut pairs = free.iter().flat_map(|one| free.iter().map(move |other| (*one, *other)));
        pairs.any(|(one, other)| {
            genome.swap(one, other);
            let is_better = problem.appraise(genome) < fitness;
            genome.swap(one, other);
            is_better
        })
    })
}

#[test]
fn all_that_are_improved_without_a_limit_are_local_optima() {
    let problem = Columns::new(6, 6, 0.2, 4);
    let budget = Budget { generations: Some(5), ..Budget::default() };
    for (limit, expected) in [(None, true), (Some(1), false)] {
        let limit = limit.map(|limit| ("local_search_evaluations", Value::Integer(limit)));
        let settings = population_search("memetic", limit.as_slice());
        let mut observer = LocalOptima { problem: &problem, are_all: AtomicBool::new(true) };
        run(&problem, &settings, &budget, &mut observer);
        assert_eq!(observer.are_all.into_inner(), expected, "{limit:?}");
    }
}

#[test]
fn nested_searches_keep_the_budget_to_the_evaluation() {
    let problem = Columns::new(6, 6, 0.2, 4);
    for kind in ["hill-climbing", "iterated-local-search", "min-conflicts"] {
        for limit in [1, 7, 1000] {
            let given = [("local_search", text(kind)), ("local_search_evaluations", Value::Integer(limit))];
            let settings = population_search("memetic", &given);
            for evaluations in [1, 2, 11, 100, 1234] {
                let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
                let outcome = run(&problem, &settings, &budget, &mut ());
                let expected = (Stop::Evaluations, evaluations, evaluations);
                // Every evaluation is a fitness computed from scratch here, but for the one that loads an individual.
                let counted = (outcome.stop, outcome.evaluations, evaluations.min(problem.take_evaluations()));
                assert_eq!(counted, expected, "{kind}, {limit}");
                assert_eq!(problem.appraise(&outcome.best_genome), outcome.best_fitness);
            }
        }
    }
}

#[test]
fn a_memetic_algorithm_ends_where_nothing_can_be_moved() {
    let problem = Columns::new(3, 3, 1.0, 1);
    for kind in ["hill-climbing", "iterated-local-search"] {
        let given = [("local_search", text(kind)), ("local_search_evaluations", Value::Integer(100))];
        let budget = Budget { generations: Some(3), ..Budget::default() };
        let outcome = run(&problem, &population_search("memetic", &given), &budget, &mut ());
        let plain = run(&problem, &population_search("genetic", &[]), &budget, &mut ());
        assert_eq!((outcome.stop, outcome.evaluations), (Stop::Generations, plain.evaluations), "{kind}");
    }
}

#[test]
fn a_local_search_that_does_not_end_needs_a_limit() {
    let settings = population_search("memetic", &[("local_search", text("iterated-local-search"))]);
    let fault = catalogue().build(&settings).map(|_| ()).unwrap_err();
    assert_eq!(fault.path, "local_search.kind");
    assert_eq!(fault.expected, "expected `local_search_evaluations` beside it");
}

/// A portfolio of three, whose budget the first leaves early.
fn portfolio() -> Settings {
    let mut settings = Settings::new();
    let names = [("first", "hill-climbing"), ("second", "genetic"), ("third", "iterated-local-search")];
    for (path, name) in names.into_iter().chain([("kind", "portfolio")]) {
        settings.set_at(path, text(name));
    }
    for (path, name) in [("selection", "tournament"), ("crossover", "pmx"), ("mutation", "swap-random")] {
        settings.set_at(&format!("second.{path}"), text(name));
    }
    settings.set_at("second.population", Value::Integer(10));
    settings.set("third_share", Value::Real(2.5));
    genetic(&catalogue(), &settings)
}

/// The course of a run: evaluations, generations, restarts and best fitness never go back, and it begins once.
#[derive(Default)]
struct Course {
    n_begun: u32,
    last: Option<Progress>,
    n_improved: u32,
}

impl Course {
    fn note(&mut self, progress: &Progress) {
        if let Some(last) = self.last.replace(*progress) {
            let counts = |progress: &Progress| [progress.evaluations, progress.generations, progress.restarts];
            assert!(counts(&last).into_iter().zip(counts(progress)).all(|(before, now)| before <= now));
            assert!(progress.best_fitness <= last.best_fitness);
        }
    }
}

impl Observer for Course {
    fn begin(&mut self, _: &Layout) {
        self.n_begun += 1;
    }

    fn improved(&mut self, progress: &Progress, _: &[Allele]) {
        assert!(self.last.is_none_or(|last| progress.best_fitness < last.best_fitness), "it improves");
        self.note(progress);
        self.n_improved += 1;
    }

    fn generation(&mut self, progress: &Progress, _: Option<&Population>) {
        self.note(progress);
    }
}

#[test]
fn a_portfolio_is_seen_as_one_run_and_uses_its_budget_to_the_evaluation() {
    let (problem, settings) = (Columns::new(7, 7, 0.2, 4), portfolio());
    for evaluations in [0, 1, 10, 1000, 4321] {
        let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
        let mut course = Course::default();
        let outcome = run(&problem, &settings, &budget, &mut course);
        assert_eq!((outcome.stop, outcome.evaluations, course.n_begun), (Stop::Evaluations, evaluations, 1));
        assert_eq!(course.n_improved > 0, evaluations > 0);
        let best = course.last.map_or(outcome.best_fitness, |last| last.best_fitness);
        assert_eq!(outcome.best_fitness, best);
        assert_eq!(run(&problem, &settings, &budget, &mut ()), outcome, "the same stream");
    }
}

#[test]
fn a_share_of_no_algorithm_has_no_effect_and_the_algorithms_are_checked() {
    let mut settings = portfolio();
    settings.set("fourth_share", Value::Real(2.0));
    let share =
        DECLARATION.parameters.iter().find(|parameter| parameter.name == "fourth_share").expect("it is declared");
    let [condition] = share.conditions else { panic!("one condition: {share:?}") };
    assert!(!condition.holds(&settings));
    let fault = condition.fault("fourth_share");
    assert_eq!(
        (fault.path, fault.expected),
        ("fourth_share".to_owned(), "remove this setting, or set `fourth`".to_owned())
    );
    settings.set_at("fourth.kind", text("backtracking"));
    settings.set_at("second.populaton", Value::Integer(10));
    let faults = catalogue().resolve(&settings, &[]).unwrap_err();
    assert_eq!(faults[0].path, "second.populaton");
}

#[test]
fn a_steady_state_generation_is_as_many_offspring_as_individuals() {
    let problem = Columns::new(6, 6, 0.2, 4);
    let budget = Budget { generations: Some(3), ..Budget::default() };
    for replaced in ["worst", "oldest", "random"] {
        // Of ten, four are made at a time, then four, then two.
        for offspring in [1, 4, 10] {
            let given = [("offspring", Value::Integer(offspring)), ("replaced", text(replaced))];
            let outcome = run(&problem, &population_search("steady-state", &given), &budget, &mut ());
            assert_eq!((outcome.stop, outcome.evaluations), (Stop::Generations, 40), "{replaced}, {offspring}");
            assert_eq!(problem.take_evaluations(), 40);
        }
    }
    let given = [("offspring", Value::Integer(11))];
    let fault = catalogue().build(&population_search("steady-state", &given)).map(|_| ()).unwrap_err();
    assert_eq!((fault.path, fault.expected), ("offspring".to_owned(), "expected at most 10".to_owned()));
}

#[test]
fn min_conflicts_makes_latin_squares() {
    let mut settings = Settings::new();
    settings.set("kind", text("min-conflicts"));
    settings.set("patience", Value::Integer(50));
    let settings = genetic(&catalogue(), &settings);
    let budget = Budget { evaluations: Some(20_000), target: Some(0.into()), ..Budget::default() };
    for seed in 0..5 {
        let outcome = run(&Columns::new(6, 6, 0.0, seed), &settings, &budget, &mut ());
        assert_eq!(outcome.stop, Stop::Target, "{seed}");
    }
}

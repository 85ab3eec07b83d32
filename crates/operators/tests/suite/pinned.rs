//! Runs whose outcome is pinned: where one changes, published results change, and the results version must too.

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::Budget;
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::population::Population;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

use crate::support::{Columns, catalogue, genetic};

/// Settings beside the defaults and those that the test gives to all, and the outcome: best fitness, the evaluation that found it,
/// and what the last generation adds up to.
type Pin = (&'static [(&'static str, &'static str)], (f64, u64, u64));

const GENERATIONAL: (&str, &str) = ("survival", "generational");

const PINS: [Pin; 10] = [
    (&[("initialisation", "random"), ("crossover", "two-point")], (8.0, 627, 32796126)),
    (&[("initialisation", "smart"), ("crossover", "diagonal")], (16.0, 5, 32796886)),
    (&[("selection", "sus"), ("crossover", "diagonal"), ("crossover.cuts", "random")], (14.0, 1546, 32797016)),
    (&[("selection", "sus"), ("selection.scaling", "windowing"), ("mutation.genes", "one")], (8.0, 1469, 32795662)),
    (&[("survival", "parents-stay"), ("mutated", "parents"), ("mutation.genes", "conflicting")], (6.0, 902, 32796035)),
    (
        &[("selection", "tournament"), ("crossover", "one-point"), ("mutation", "swap-random"), GENERATIONAL],
        (18.0, 1298, 32796128),
    ),
    (
        &[("selection", "ranking"), ("crossover", "combined-positional"), ("mutation", "rotation"), GENERATIONAL],
        (34.0, 1259, 32796581),
    ),
    (
        &[("selection", "roulette"), ("crossover", "combined-alternating"), ("mutation", "inversion"), GENERATIONAL],
        (34.0, 308, 32798944),
    ),
    (
        &[("selection", "random"), ("crossover", "pmx"), ("mutation", "swap-diagonal"), GENERATIONAL],
        (40.0, 1747, 32796373),
    ),
    (
        &[("selection", "tournament"), ("crossover", "product-geometric"), ("mutation", "scramble"), GENERATIONAL],
        (16.0, 1585, 32794395),
    ),
];

#[test]
fn the_outcome_of_a_run_never_changes() {
    let catalogue = catalogue();
    let problem = Columns::new(9, 9, 0.3, 9);
    for (given, expected) in PINS {
        let mut settings = Settings::new();
        settings.set("mutation", Value::Text("collision-swap".to_owned()));
        settings.set_at("mutation.other", Value::Real(1.0 / 9.0));
        for (path, name) in given {
            settings.set_at(path, Value::Text((*name).to_owned()));
        }
        settings.set_at("population", Value::Integer(50));
        if given.contains(&GENERATIONAL) {
            settings.set_at("survival.elite", Value::Real(0.0));
        }
        let algorithm = catalogue.algorithm(&genetic(&catalogue, &settings));
        let budget = Budget { generations: Some(40), ..Budget::default() };
        let mut last = LastGeneration { sum: 0 };
        let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(2016), &mut last);
        assert_eq!(problem.take_evaluations(), outcome.evaluations);
        assert_eq!(problem.appraise(&outcome.best_genome), outcome.best_fitness);
        assert_eq!((outcome.best_fitness.value(), outcome.evaluations_to_best, last.sum), expected, "{given:?}");
    }
}

/// The sum of `k * allele` over the alleles of a generation, the `k`-th counted from 0 through all its individuals.
struct LastGeneration {
    sum: u64,
}

impl Observer for LastGeneration {
    fn generation(&mut self, _progress: &Progress, population: Option<&Population>) {
        let population = population.expect("a genetic algorithm has one");
        let alleles = (0..population.len()).flat_map(|individual| population.genome(individual));
        self.sum = (0..).zip(alleles).map(|(k, &allele)| k * u64::from(allele)).sum();
    }
}

//! Every run ends, whatever its settings.

mod support;

use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

use support::{Columns, catalogue, genetic};

#[test]
fn a_population_that_only_copies_itself_comes_to_an_end() {
    let catalogue = catalogue();
    let problem = Columns::new(9, 9, 3, 0.3, 9);
    let mut settings = Settings::new();
    settings.set("population", Value::Integer(5));
    settings.set("crossover_rate", Value::Real(0.0));
    settings.set("mutation_rate", Value::Real(0.0));
    let algorithm = catalogue.algorithm(&genetic(&catalogue, &settings));
    let budget = Budget { evaluations: Some(1000), ..Budget::default() };
    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Stagnation, 5));
    assert_eq!(problem.take_evaluations(), 5);
}

//! Files of the families' own forms, as `runner solve` and `path` in an experiment take them. The first line names the family.
//!
//! Every accepted instance is restored from its content as the same, can be drawn at any size, and a random solution of it is one for the
//! independent check.
#![no_main]

use evogrid_core::budget::Budget;
use evogrid_core::family::{Family, Marks, Options, Room};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use evogrid_fuzz::{CATALOGUE, assert_harmless, check_or_refuse};
use evogrid_runner::experiment::data_set::NamedInstance;
use evogrid_runner::experiment::document::read_from;
use evogrid_runner::experiment::instance_file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = read_from("file", bytes, 1 << 20) else { return };
    let (name, rest) = text.split_once('\n').unwrap_or(("", &text));
    let Some(family) = CATALOGUE.family(name) else { return };
    check_or_refuse(instance_file::parse("file", rest, family, &Options::new()), |read| {
        read.iter().for_each(|named| check(family, named));
    });
});

fn check(family: &dyn Family, named: &NamedInstance) {
    assert_harmless(&named.id);
    assert_harmless(&named.instance.size());
    let content = named.instance.content();
    let restored = family.restore(&content).expect("its own content");
    assert_eq!(restored.content(), content);
    for (columns, rows) in [(80, 25), (3, 2), (0, 0)] {
        let lines = restored.draw(None, Marks::None, Room { columns, rows });
        lines.iter().for_each(|line| assert_harmless(line));
    }
    // Only programs solve the others.
    if !family.has_genomes() {
        return;
    }
    let mut given = Settings::new();
    given.set("kind", Value::Text("random-search".to_owned()));
    given.set_at("budget.evaluations", Value::Integer(1));
    let settings = CATALOGUE.resolve(&given, &[family.declaration().name]).expect("the defaults");
    let problem = restored.prepare(&settings);
    let (search, budget) = (CATALOGUE.algorithm(&settings), Budget { evaluations: Some(1), ..Budget::default() });
    let outcome = problem.solve(&search, &budget, &mut RandomStream::from_seed(1), &mut ());
    if let Some(objective) = family.objective(&content) {
        let measured = objective
            .measure(&content, &problem.describe(&outcome.best_genome))
            .expect("computed")
            .expect("a solution");
        if family.fitness(&settings, Some(&objective)) == objective.fitness_name() {
            assert_eq!(measured, outcome.best_fitness.value());
        }
    }
}

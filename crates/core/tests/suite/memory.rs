//! What searches say of the memory that a run needs.

use crate::latin::Latin;
use evogrid_core::algorithm::Solve;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};

/// The bytes of a run of an algorithm on a Latin square of side 10.
fn bytes(kind: &str, sets: &[(&str, Value)]) -> u64 {
    let catalogue = Catalogue::new();
    let mut raw = Settings::new();
    raw.set("kind", Value::Text(kind.to_owned()));
    raw.set_at("budget.evaluations", Value::Integer(1));
    sets.iter().for_each(|(path, value)| raw.set_at(path, value.clone()));
    let settings = catalogue.resolve(&raw, &[]).expect("right settings");
    Solve::memory(&Latin::new(10, &[]), &catalogue.algorithm(&settings)).expect("it is known")
}

#[test]
fn a_search_says_what_it_holds_beside_the_solution() {
    let long = Value::Integer(1_000_001);
    let of_list = bytes("late-acceptance", &[("length", long.clone())])
        - bytes("late-acceptance", &[("length", Value::Integer(1))]);
    assert_eq!(of_list, 8_000_000, "eight bytes a fitness");
    assert_eq!(bytes("tabu", &[]) - bytes("hill-climbing", &[]), 4000, "four bytes an allele at a position");
    let members =
        [("first", "late-acceptance"), ("second", "tabu")].map(|(name, kind)| (name, Value::Text(kind.to_owned())));
    let portfolio = bytes("portfolio", &[&members[..], &[("first.length", long.clone())]].concat());
    assert_eq!(portfolio, bytes("late-acceptance", &[("length", long)]), "the algorithm that needs most");
}

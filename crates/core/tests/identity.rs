//! Seeds and ids of runs: if they change, no run of an earlier version is found again.

use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::{Fingerprint, RunId, run_seed};
use evogrid_core::operator::Mutation;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::registry::Member;
use evogrid_core::settings::{Settings, Value};

const MUTATION: [Parameter; 1] = [Parameter::operator("mutation", "mutation", Some("flip"), "")];

/// The fingerprint of one setting where the search, and its only operator, are of these versions.
fn fingerprint(search: u32, operator: u32) -> Fingerprint {
    let declaration = |name, version, parameters| Declaration { name, doc: "", source: "", version, parameters };
    let mut catalogue = Catalogue::new();
    catalogue.algorithms.add(Member {
        declaration: declaration("mine", search, &MUTATION),
        build: |_, _| unreachable!("nothing is run"),
    });
    catalogue.operators.mutations.add(Member::<dyn Mutation> {
        declaration: declaration("flip", operator, &[]),
        build: |_, _| unreachable!("nothing is run"),
    });
    let mut given = Settings::new();
    given.set("kind", Value::Text("mine".to_owned()));
    given.set_at("budget.evaluations", Value::Integer(9));
    let settings = catalogue.resolve(&given, &[]).expect("it is right");
    if (search, operator) == (1, 1) {
        assert_eq!(catalogue.fingerprint(&settings), Fingerprint::of_settings(&settings.canonical()));
    }
    catalogue.fingerprint(&settings)
}

#[test]
fn a_version_above_1_of_the_search_or_of_an_operator_is_part_of_the_identity() {
    let all = [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1)].map(|(search, operator)| fingerprint(search, operator));
    for (at, one) in all.iter().enumerate() {
        assert!(!all[..at].contains(one), "{at}");
    }
}

#[test]
fn seeds_and_ids_never_change() {
    let instance = Fingerprint::of_instance("sudoku", "2x2 1...............");
    let seed = run_seed(2016, &instance, 0, None);
    assert_eq!(seed, 8_019_042_476_458_226);
    assert_eq!(
        RunId::new(&Fingerprint::of_settings("kind=\"genetic\"\n"), &instance, seed).to_string(),
        "r647c10ee78c358d1"
    );
}

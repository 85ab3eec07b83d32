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
    let declaration =
        |name, version, parameters| Declaration { name, doc: "", source: "", version, needs: &[], parameters };
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

/// The fingerprint, and the recorded settings, of these settings where the search had no `later`, or its operator no `steps`, when
/// runs were first made.
fn with_later(of_search: Option<bool>, of_operator: Option<i64>, is_declared: bool) -> (Fingerprint, String) {
    const FLAG: Parameter = Parameter::flag("later", false, "").added_later();
    const STEPS: Parameter = Parameter::integer("steps", 1, 9, 2, "").added_later();
    const SEARCH: [Parameter; 2] = [MUTATION[0], FLAG];
    const OPERATOR: [Parameter; 1] = [STEPS];
    let declaration = |name, parameters| Declaration { name, doc: "", source: "", version: 1, needs: &[], parameters };
    let mut catalogue = Catalogue::new();
    catalogue.algorithms.add(Member {
        declaration: declaration("mine", if is_declared { &SEARCH } else { &MUTATION }),
        build: |_, _| unreachable!("nothing is run"),
    });
    catalogue.operators.mutations.add(Member::<dyn Mutation> {
        declaration: declaration("flip", if is_declared { &OPERATOR } else { &[] }),
        build: |_, _| unreachable!("nothing is run"),
    });
    let mut given = Settings::new();
    given.set("kind", Value::Text("mine".to_owned()));
    given.set_at("mutation.kind", Value::Text("flip".to_owned()));
    given.set_at("budget.evaluations", Value::Integer(9));
    of_search.into_iter().for_each(|later| given.set("later", Value::Flag(later)));
    of_operator.into_iter().for_each(|steps| given.set_at("mutation.steps", Value::Integer(steps)));
    let settings = catalogue.resolve(&given, &[]).expect("it is right");
    assert_eq!(settings.get("later").is_some(), is_declared, "the search always has its setting");
    (catalogue.fingerprint(&settings), catalogue.identifying(&settings).canonical())
}

#[test]
fn a_setting_added_later_is_at_its_default_no_part_of_the_identity() {
    let before = with_later(None, None, false);
    for (of_search, of_operator) in [(None, None), (Some(false), None), (None, Some(2)), (Some(false), Some(2))] {
        assert_eq!(with_later(of_search, of_operator, true), before, "{of_search:?}, {of_operator:?}");
    }
    let others = [(Some(true), None), (None, Some(3)), (Some(true), Some(3))];
    let others = others.map(|(of_search, of_operator)| with_later(of_search, of_operator, true));
    assert_eq!(others[2].1.lines().filter(|line| line.ends_with("later=true") || line.ends_with("steps=3")).count(), 2);
    let all = [vec![before], others.to_vec()].concat();
    for (at, one) in all.iter().enumerate() {
        assert!(all[..at].iter().all(|other| other.0 != one.0 && other.1 != one.1), "{at}");
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

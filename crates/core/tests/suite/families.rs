//! What fits together: names of settings, what members need and families offer, and settings that are projected on a family.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::capability::Capability;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance, InstanceError, Options, Size};
use evogrid_core::fault::Fault;
use evogrid_core::parameter::{Declaration, Parameter};
use evogrid_core::registry::Member;
use evogrid_core::settings::{Settings, Value};

/// A family of nothing but its declaration.
struct Declared(&'static Declaration);

impl Family for Declared {
    fn declaration(&self) -> &'static Declaration {
        self.0
    }

    fn noun(&self) -> &'static str {
        "thing"
    }

    fn text_column(&self) -> &'static str {
        "thing"
    }

    fn read(&self, _: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        Err(InstanceError::new("there are none"))
    }

    fn restore(&self, _: &str) -> Result<Box<dyn Instance>, InstanceError> {
        Err(InstanceError::new("there are none"))
    }

    fn sizes(&self) -> &'static [Size] {
        &[Size { name: "n", doc: "things" }]
    }

    fn offers(&self, settings: &Settings) -> Vec<Capability> {
        let is_rough = settings.get("rough").is_some_and(|rough| *rough == Value::Flag(true));
        if is_rough { Vec::new() } else { vec![Capability::Construction] }
    }
}

const fn declaration(name: &'static str, parameters: &'static [Parameter]) -> Declaration {
    Declaration { name, doc: "", source: "", version: 1, needs: &[], parameters }
}

static TOURS: Declaration = declaration("tours", &[Parameter::flag("rough", false, "")]);
static SHOPS: Declaration = declaration("shops", &[Parameter::integer("spare", 0, 9, 0, "")]);

fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    catalogue.add_family(Box::new(Declared(&TOURS)));
    catalogue.add_family(Box::new(Declared(&SHOPS)));
    catalogue
}

fn raw(kind: &str) -> Settings {
    let mut raw = Settings::new();
    raw.set("kind", Value::Text(kind.to_owned()));
    raw.set_at("budget.evaluations", Value::Integer(9));
    raw
}

#[test]
#[should_panic(expected = "`tours` and the family `rough-tours` both have a setting `rough`: rename one of them")]
fn two_families_cannot_have_a_setting_of_one_name() {
    static ROUGH: Declaration = declaration("rough-tours", &[Parameter::flag("rough", true, "")]);
    catalogue().add_family(Box::new(Declared(&ROUGH)));
}

#[test]
#[should_panic(expected = "`genetic` and the family `crowds` both have a setting `population`: rename one of them")]
fn a_family_cannot_have_a_setting_of_an_algorithm() {
    static CROWDS: Declaration = declaration("crowds", &[Parameter::integer("population", 1, 9, 1, "")]);
    catalogue().add_family(Box::new(Declared(&CROWDS)));
}

#[test]
#[should_panic(expected = "`late` and the family `shops` both have a setting `spare`")]
fn an_algorithm_that_comes_later_is_looked_at_too() {
    const LATE: Declaration = declaration("late", &[Parameter::integer("spare", 0, 9, 0, "")]);
    let mut catalogue = catalogue();
    catalogue.algorithms.add(Member { declaration: LATE, build: |_, _| unreachable!("nothing is run") });
    catalogue.check_names();
}

#[test]
fn the_settings_of_another_family_are_no_part_of_a_run() {
    let catalogue = catalogue();
    let mut given = raw("random-search");
    given.set("spare", Value::Integer(3));
    let both = catalogue.resolve(&given, &["tours", "shops"]).expect("right settings");
    let alone = catalogue.resolve(&raw("random-search"), &["tours"]).expect("right settings");
    assert_eq!(catalogue.project(&both, "tours"), alone);
    assert_eq!(catalogue.project(&both, "shops").get("spare"), Some(&Value::Integer(3)));
    assert_eq!(catalogue.project(&alone, "tours"), alone);
}

#[test]
fn what_is_needed_and_not_offered_is_a_fault_that_says_what_would_do() {
    let catalogue = catalogue();
    let faults = |rough: bool, kind: &str| {
        let mut given = raw(kind);
        given.set("rough", Value::Flag(rough));
        let settings = catalogue.resolve(&given, &["tours"]).expect("right settings");
        catalogue.misfits(&settings, catalogue.family("tours").expect("it is there"))
    };
    assert_eq!(faults(false, "iterated-greedy"), []);
    let [Fault { path, message, expected, .. }] = &faults(true, "iterated-greedy")[..] else { panic!("one fault") };
    assert_eq!(path, "kind");
    assert!(message.starts_with("`iterated-greedy` needs removal and insertion of single elements"), "{message}");
    assert_eq!(expected, "`tours` offers it with `rough = false`");
    let [Fault { expected, .. }] = &faults(false, "backtracking")[..] else { panic!("one fault") };
    assert!(expected.contains("`random-search`") && !expected.contains("`backtracking`"), "{expected}");
}

#[test]
fn a_member_that_refuses_its_settings_says_which_and_its_runs_fail() {
    const NARROW: Declaration =
        declaration("narrow", &[Parameter::integer("low", 0, 9, 0, ""), Parameter::integer("high", 0, 9, 9, "")]);
    let mut catalogue = catalogue();
    let build = |settings: &Settings, _: &_| -> Result<Box<Algorithm>, Fault> {
        let (low, high) = (settings.count("low"), settings.count("high"));
        Err(Fault::value("high", format!("{low} to {high} is empty"), "expected `high` above `low`"))
    };
    catalogue.algorithms.add(Member { declaration: NARROW, build });
    let settings = catalogue.resolve(&raw("narrow"), &["tours"]).expect("each is right by itself");
    let [Fault { path, message, .. }] = &catalogue.misfits(&settings, &Declared(&TOURS))[..] else { panic!("one") };
    assert_eq!((path.as_str(), message.as_str()), ("high", "0 to 9 is empty"));
    assert!(matches!(catalogue.algorithm(&settings), Algorithm::Custom(_)), "its runs fail with that");
}

#[test]
fn a_limit_grows_by_the_sizes_of_all_families() {
    let catalogue = catalogue();
    let mut given = Settings::new();
    given.set("kind", Value::Text("random-search".to_owned()));
    given.set_at("budget.evaluations.per", Value::Text(" n * n ".to_owned()));
    let settings = catalogue.resolve(&given, &["tours", "shops"]).expect("right settings");
    assert_eq!(settings.at("budget.evaluations.per"), Some(&Value::Text("n*n".to_owned())));
    assert_eq!(settings.at("budget.evaluations.times"), Some(&Value::Real(1.0)));
    given.set_at("budget.evaluations.per", Value::Text("m".to_owned()));
    let faults = catalogue.resolve(&given, &["tours"]).unwrap_err();
    assert_eq!(faults[0].message, "`tours` has no size `m`");
}

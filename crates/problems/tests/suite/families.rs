//! What every family promises: its problems offer what it declares of their settings, and its instances have the sizes that it names.

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance, Options, RequestOptions};
use evogrid_core::parameter::Domain;
use evogrid_core::settings::{Settings, Value};

/// An instance of a family: of a published set, or else one that its generator makes with these options.
fn instance(family: &dyn Family) -> Box<dyn Instance> {
    if let Some(set) = family.published_sets().first() {
        return (set.make)(&(set.ids)()[0], &Options::new()).expect("it is published").instance;
    }
    let generator = family.generator().expect("a published set or a generator");
    let given = RequestOptions::from([("size", vec!["4".to_owned()]), ("givens", vec!["6".to_owned()])]);
    let made = (generator.request)(&given, 1, 1).expect("right options").make(0).expect("an instance");
    let text = made.fields.iter().find(|field| field.column == family.text_column()).expect("its text");
    family.read(&text.value, &Options::new()).expect("its own instance")
}

/// All combinations of the flags and choices of a family, the other settings at their defaults.
fn combinations(family: &dyn Family) -> Vec<Settings> {
    let mut all = vec![Settings::new()];
    for parameter in family.declaration().parameters {
        let values: Vec<Value> = match parameter.domain {
            Domain::Flag => vec![Value::Flag(false), Value::Flag(true)],
            Domain::Choice(names, _) => names.iter().map(|&name| Value::Text(name.to_owned())).collect(),
            _ => continue,
        };
        let with = |settings: &Settings, value: &Value| {
            let mut settings = settings.clone();
            settings.set(parameter.name, value.clone());
            settings
        };
        all = all.iter().flat_map(|settings| values.iter().map(|value| with(settings, value))).collect();
    }
    all
}

#[test]
fn problems_offer_what_their_family_declares_of_their_settings() {
    for family in evogrid_problems::families() {
        let (name, instance) = (family.declaration().name, instance(family.as_ref()));
        let combinations = combinations(family.as_ref());
        let mut catalogue = Catalogue::new();
        catalogue.add_family(family);
        let family = catalogue.family(name).expect("it was added");
        for mut given in combinations {
            given.set("kind", Value::Text("random-search".to_owned()));
            given.set_at("budget.evaluations", Value::Integer(1));
            let settings = catalogue.resolve(&given, &[name]).expect("right settings");
            let mut declared = family.offers(&settings);
            declared.sort();
            let mut offered = instance.prepare(&settings).offers();
            offered.sort();
            assert_eq!(declared, offered, "{name}: {}", settings.canonical());
        }
    }
}

#[test]
fn instances_have_the_sizes_that_their_family_names() {
    for family in evogrid_problems::families() {
        let (name, instance) = (family.declaration().name, instance(family.as_ref()));
        let sizes = instance.sizes();
        assert!(sizes.iter().map(|size| size.0).eq(family.sizes().iter().map(|size| size.name)), "{name}");
        assert!(sizes.iter().all(|(_, size)| size.is_finite() && *size >= 0.0), "{name}: {sizes:?}");
    }
}

#[test]
fn families_can_stand_beside_each_other() {
    let mut catalogue = Catalogue::new();
    evogrid_problems::families().into_iter().for_each(|family| catalogue.add_family(family));
    catalogue.check_names();
}

//! A small instance of any family, for the tests of what holds on all of them.

use evogrid::prelude::*;
use evogrid_core::family::{Instance, Options, RequestOptions};

/// An instance that the family's generator makes: a board of this side, and this many cities, facilities or jobs.
pub(crate) fn small_instance(family: &dyn Family, side: usize, givens: usize, n: usize) -> Box<dyn Instance> {
    let generator = family.generator().expect("every family here makes instances");
    let size = if family.text_column() == "puzzle" { side } else { n };
    let sizes = [("size", size), ("givens", givens), ("n", n), ("m", 3)];
    let declared = |name: &str| generator.options.iter().find(|option| option.name == name);
    let options = sizes.into_iter().filter_map(|(name, size)| Some((declared(name)?.name, vec![size.to_string()])));
    let made = (generator.request)(&RequestOptions::from_iter(options), 1, 1).expect("right options").make(0);
    let made = made.expect("an instance");
    let text = made.fields.iter().find(|field| field.column == family.text_column()).expect("its text");
    family.read(&text.value, &Options::new()).expect("its own instance")
}

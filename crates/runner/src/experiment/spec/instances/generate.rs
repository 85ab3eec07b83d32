//! Instances that are made: those of a published set, or as many as are asked for by the options of the family's generator and a seed.

use evogrid_core::family::{Family, InstancePart, OptionDeclaration, Options, PublishedSet, RequestOptions};
use evogrid_core::suggestion::{nearest, one_of};
use rayon::prelude::*;

use super::FoundInstance;
use crate::experiment::data_set::read_instance;
use crate::experiment::document::{Entry, NodeValue, Table};
use crate::experiment::spec::fields::Reader;
use crate::system::program;

/// The most instances that are made by size and seed.
const COUNT_LIMIT: u64 = 1_000_000;

/// The instances that the table `generate` asks for; `None` where something is wrong with it.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    entry: &'d Entry,
    family: &dyn Family,
    options: &Options,
) -> Option<Vec<FoundInstance>> {
    let NodeValue::Table(table) = &entry.node.value else {
        let help = "expected a table, as in { set = \"...\", ids = [...] }";
        return reader.unexpected("generate", &entry.node, help);
    };
    let n_faults = reader.faults();
    let found = match (table.get("set"), family.generator()) {
        (None, Some(_)) => request(reader, entry, table, family, options),
        _ => published(reader, entry, table, family, options),
    };
    found.filter(|_| reader.faults() == n_faults)
}

fn published<'d>(
    reader: &mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    family: &dyn Family,
    options: &Options,
) -> Option<Vec<FoundInstance>> {
    let (sets, problem) = (family.published_sets(), family.declaration().name);
    if sets.is_empty() {
        let help = if family.generator().is_some() {
            "its instances are generated from sizes and a `seed`"
        } else {
            "give the `path` of a file"
        };
        reader.fault(&entry.key_span, format!("`{problem}` has no published sets"), help);
        return None;
    }
    reader.known(table, "`generate`", &["set", "ids"]);
    let names: Vec<&str> = sets.iter().map(|set| set.name).collect();
    let Some(named) = table.get("set") else {
        reader.fault(&entry.key_span, "`generate` has no `set`", one_of("", &names));
        return None;
    };
    let name = reader.text(table, "set")?;
    let Some(set) = sets.iter().find(|set| set.name == name) else {
        reader.fault(&named.node.span, format!("`{problem}` has no published set `{name}`"), one_of(name, &names));
        return None;
    };
    let ids = (set.ids)();
    let chosen = match table.get("ids") {
        None => ids,
        Some(_) => {
            let mut chosen: Vec<String> = Vec::new();
            let named = reader.texts(table, "ids")?;
            if named.is_empty() {
                reader.fault(&table.get("ids")?.node.span, "no instance is named", "leave `ids` out for all of them");
            }
            for (id, node) in named {
                if chosen.iter().any(|other| other == id) {
                    reader.fault(&node.span, format!("`{id}` is named twice"), "leave one out");
                } else if ids.iter().any(|known| known == id) {
                    chosen.push(id.to_owned());
                } else {
                    reader.fault(&node.span, format!("the set `{name}` has no instance `{id}`"), meant(id, &ids));
                }
            }
            chosen
        }
    };
    chosen.into_iter().map(|id| make(reader, entry, set, id, options)).collect()
}

/// What an id was probably meant to be, and which there are.
fn meant(id: &str, ids: &[String]) -> String {
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    match (nearest(id, names.iter().copied()), names.as_slice()) {
        (_, []) => "it is empty".to_owned(),
        (_, few) if few.len() <= 12 => one_of(id, few),
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, [first, .., last]) => format!("expected `{first}` to `{last}`, {} in all", names.len()),
        (None, [only]) => format!("expected `{only}`"),
    }
}

fn make(
    reader: &mut Reader<'_>,
    entry: &Entry,
    set: &PublishedSet,
    id: String,
    options: &Options,
) -> Option<FoundInstance> {
    match (set.make)(&id, options) {
        Ok(made) => Some(FoundInstance {
            id,
            line: 0,
            bucket: made.bucket,
            best_known: made.best_known,
            content: made.instance.content(),
        }),
        Err(error) => {
            let help = error
                .expected
                .clone()
                .map_or_else(|| "choose another".to_owned(), |expected| format!("expected {expected}"));
            reader.fault(&entry.key_span, format!("`{id}` cannot be generated: {error}"), help);
            None
        }
    }
}

/// Instances by the options of the family's generator and a seed.
fn request<'d>(
    reader: &mut Reader<'d>,
    entry: &'d Entry,
    table: &'d Table,
    family: &dyn Family,
    options: &Options,
) -> Option<Vec<FoundInstance>> {
    let generator = family.generator()?;
    let declared = generator.options;
    let mut names: Vec<&str> = declared.iter().map(|option| option.name).collect();
    if !family.published_sets().is_empty() {
        names.push("set");
    }
    names.extend(["seed", "count"]);
    let n_faults = reader.faults();
    reader.known(table, "`generate`", &names);
    let seed = reader.whole(table, "seed", 0, i64::MAX as u64).unwrap_or(0);
    let count = reader.whole(table, "count", 1, COUNT_LIMIT).unwrap_or(1);
    let given = given(reader, table, declared);
    if reader.faults() > n_faults {
        return None;
    }
    let refused = |message: String, expected: String| {
        let expected =
            if expected.is_empty() { format!("see `{} generate --help`", program::name()) } else { expected };
        // A message of the command line names its options.
        (message.replace("--", ""), expected.replace("--", ""))
    };
    let request = match (generator.request)(&given, count as usize, seed) {
        Ok(request) => request,
        Err(error) => {
            let (message, help) = refused(error.message, error.expected);
            reader.fault(&entry.key_span, message, help);
            return None;
        }
    };
    let make = |number: usize| -> Result<FoundInstance, (String, String)> {
        let made = request.make(number).map_err(|error| refused(error.message, error.expected))?;
        let field = |name: &str| made.fields.iter().find(|field| field.column == name).map(|field| field.value.clone());
        let mut own = options.clone();
        for option in family.options() {
            own.extend(
                field(option.name).filter(|value| !value.is_empty()).map(|value| (option.name.to_owned(), value)),
            );
        }
        let text = field(family.text_column()).unwrap_or_default();
        let instance = read_instance(family, &text, &own).map_err(|error| match error.part {
            InstancePart::Option(name) => (error.to_string(), format!("look at `{name}`")),
            _ => (
                format!("the generated instance `{}` cannot be read: {error}", made.id),
                "this is a fault of the family".to_owned(),
            ),
        })?;
        let content = instance.content();
        Ok(FoundInstance { id: made.id, line: 0, bucket: made.bucket, best_known: None, content })
    };
    match (0..request.n_instances).into_par_iter().map(make).collect() {
        Ok(made) => Some(made),
        Err((message, help)) => {
            reader.fault(&entry.key_span, message, help);
            None
        }
    }
}

/// The options that stand in the table, or have a default.
fn given(reader: &mut Reader<'_>, table: &Table, declared: &'static [OptionDeclaration]) -> RequestOptions {
    let mut given = RequestOptions::new();
    for option in declared {
        let Some(entry) = table.get(option.name) else {
            given.extend(option.default.map(|default| (option.name, vec![default.to_owned()])));
            continue;
        };
        let values: Option<Vec<String>> = match (&entry.node.value, option.placeholder) {
            (NodeValue::Flag(true), None) => Some(Vec::new()),
            (NodeValue::Flag(false), None) => continue,
            (NodeValue::List(items), Some(_)) if option.is_repeated => {
                items.iter().map(|item| text(&item.value)).collect()
            }
            (value, Some(_)) => text(value).map(|text| vec![text]),
            _ => None,
        };
        match values {
            Some(values) => {
                given.insert(option.name, values);
            }
            None => {
                let help =
                    if option.placeholder.is_none() { "expected true or false" } else { "expected a number or text" };
                reader.unexpected(option.name, &entry.node, help).unwrap_or(());
            }
        }
        let others = option.conflicts.iter().filter(|other| table.get(other).is_some());
        for other in others.filter(|other| **other > option.name) {
            let message = format!("`{}` and `{other}` exclude each other", option.name);
            reader.fault(&entry.key_span, message, "leave one out");
        }
        if let Some(needed) = option.requires.filter(|needed| table.get(needed).is_none()) {
            let message = format!("`{}` has no effect without `{needed}`", option.name);
            reader.fault(&entry.key_span, message, "give both, or neither");
        }
    }
    given
}

/// A value as the command line would have it.
fn text(value: &NodeValue) -> Option<String> {
    match value {
        NodeValue::Text(text) => Some(text.clone()),
        NodeValue::Integer(integer) => Some(integer.to_string()),
        NodeValue::Real(real) => Some(real.to_string()),
        _ => None,
    }
}

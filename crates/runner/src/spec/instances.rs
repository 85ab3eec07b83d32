//! Instances: the data sets that an experiment names, read and checked line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, InstancePart, Options};
use evogrid_core::suggestion::{nearest, one_of};
use evogrid_results::names::NameTable;

use super::TABLE_NAMES;
use super::fields::Reader;
use crate::data_set::{self, DataSetError, NamedInstance, SIZE_LIMIT};
use crate::document::{Node, NodeValue, Span, Table, read_text};
use crate::instance_list::{InstanceList, ListedInstance};

/// The keys of a data set, beside the options of its family.
pub(super) const SET_KEYS: [&str; 5] = ["problem", "path", "buckets", "ids", "limit"];

/// Reads all `[[instances]]`; with them comes how many a `limit` leaves out.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> (InstanceList, usize) {
    let Some(entry) = root.get("instances") else {
        if Reader::lacks(root, "instances", &TABLE_NAMES) {
            let help = "expected `[[instances]]` with a `problem` and a `path`";
            reader.fault(&Span::start(), "there is no instance", help);
        }
        return (InstanceList::default(), 0);
    };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(&entry.key_span, "`instances` is no list of tables", "write `[[instances]]`, with two brackets");
        return (InstanceList::default(), 0);
    };
    if items.is_empty() {
        let help = "expected `[[instances]]` with a `problem` and a `path`";
        reader.fault(&entry.node.span, "there is no instance", help);
    }
    let mut instances = InstanceList::default();
    let mut n_left_out = 0;
    let mut ids = NameTable::default();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let (set, left_out) = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        n_left_out += left_out;
        if items.len() == 1 {
            return (set, left_out);
        }
        let is_known: Vec<bool> = set.iter().map(|listed| ids.find(listed.id).is_some()).collect();
        let known = || set.iter().zip(&is_known).filter(|(_, is_known)| **is_known).map(|(listed, _)| listed.id);
        let twice: Vec<&str> = known().collect();
        if let Some(first) = twice.first() {
            let others = match twice.len() - 1 {
                0 => String::new(),
                1 => ", and so does 1 more".to_owned(),
                n => format!(", and so do {n} more"),
            };
            let help =
                "every instance of an experiment has an id of its own; `ids` and `buckets` choose some of a data set";
            let span = table.get("path").map_or(&item.span, |entry| &entry.node.span);
            reader.fault(span, format!("the id `{first}` stands in an earlier data set too{others}"), help);
        }
        for (listed, _) in set.iter().zip(is_known).filter(|(_, is_known)| !is_known) {
            ids.number(listed.id);
            instances.push(listed);
        }
    }
    (instances, n_left_out)
}

fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<(InstanceList, usize)> {
    let problem = reader.text(table, "problem");
    let family = problem.and_then(|name| catalogue.family(name));
    // Of an unknown problem any family's options may be meant.
    let families: Vec<&dyn Family> = family.map_or_else(|| catalogue.families().collect(), |family| vec![family]);
    let option_names: Vec<&str> =
        families.iter().flat_map(|family| family.options()).map(|option| option.name).collect();
    let keys = [&SET_KEYS, &option_names[..]].concat();
    reader.known(table, "a data set", &keys);
    for key in ["problem", "path"].into_iter().filter(|key| Reader::lacks(table, key, &keys)) {
        reader.fault(&item.span, format!("the data set has no `{key}`"), "every data set has a `problem` and a `path`");
    }
    let mut options = Options::new();
    for name in option_names {
        if let Some(value) = reader.text(table, name) {
            options.insert(name.to_owned(), value.to_owned());
        }
    }
    let limit = reader.whole(table, "limit", 1, i64::MAX as u64);
    let buckets = reader.texts(table, "buckets");
    let ids = reader.texts(table, "ids");
    let path = reader.text(table, "path");
    if let Some(problem) = problem.filter(|_| family.is_none()) {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        let span = &table.get("problem")?.node.span;
        reader.fault(span, format!("unknown problem `{problem}`"), one_of(problem, &names));
    }
    let path_span = &table.get("path")?.node.span;
    let full = folder.join(path?);
    let is_file = reader.file(path_span, &full);
    let family = family.filter(|_| is_file)?;
    let read = read_text(&full, SIZE_LIMIT).map_err(DataSetError::from);
    let problem = family.declaration().name;
    let mut loaded = InstanceList::default();
    let mut add = |NamedInstance { id, bucket, instance }: NamedInstance| {
        loaded.push(ListedInstance { id: &id, bucket: &bucket, problem, content: &instance.content() });
    };
    let name = full.display().to_string();
    let read = read.and_then(|text| data_set::read_each(&name, &text, family, &options, true, &mut add));
    let has_buckets = match read {
        Ok(has_buckets) => has_buckets,
        Err(DataSetError::Option(error)) => {
            let InstancePart::Option(option) = error.part else { unreachable!("an option is wrong") };
            let help = data_set::help(&error, "", |name, value| format!("`{name} = \"{value}\"`"));
            reader.fault(&table.get(option)?.node.span, error.to_string(), &help);
            return None;
        }
        Err(DataSetError::Content(diagnostics)) => {
            reader.add(diagnostics);
            return None;
        }
    };
    let n_faults = reader.faults();
    if let (Some(_), false) = (&buckets, has_buckets) {
        let message = format!("{} has no column `bucket`", full.display());
        reader.fault(&table.get("buckets")?.key_span, message, "leave the filter out, or add the column");
    } else {
        check_names(reader, &loaded, buckets.as_deref(), "bucket", |listed| listed.bucket);
    }
    check_names(reader, &loaded, ids.as_deref(), "id", |listed| listed.id);
    let chosen = |names: Option<Vec<(&'d str, &Node)>>| {
        names.map(|names| names.into_iter().map(|(name, _)| name).collect::<BTreeSet<&str>>())
    };
    let (buckets, ids) = (chosen(buckets), chosen(ids));
    let passes = |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
    let (mut n_left_out, mut n_of_bucket) = (0, BTreeMap::<String, u64>::new());
    if buckets.is_some() || ids.is_some() || limit.is_some() {
        let mut chosen = InstanceList::default();
        for listed in loaded.iter().filter(|listed| passes(&buckets, listed.bucket) && passes(&ids, listed.id)) {
            let n = n_of_bucket.entry(listed.bucket.to_owned()).or_default();
            *n += 1;
            if limit.is_none_or(|limit| *n <= limit) {
                chosen.push(listed);
            } else {
                n_left_out += 1;
            }
        }
        loaded = chosen;
    }
    if loaded.is_empty() && reader.faults() == n_faults {
        let help = "no row passes `buckets` and `ids` together";
        reader.fault(path_span, format!("{} has no instance left to run", full.display()), help);
    }
    Some((loaded, n_left_out))
}

/// Complains of names that speak of no instance.
fn check_names(
    reader: &mut Reader<'_>,
    loaded: &InstanceList,
    names: Option<&[(&str, &Node)]>,
    what: &str,
    field: for<'l> fn(ListedInstance<'l>) -> &'l str,
) {
    let Some(names) = names else { return };
    let there: BTreeSet<&str> = loaded.iter().map(field).collect();
    for (name, node) in names.iter().filter(|(name, _)| !there.contains(name)) {
        let near = nearest(name, there.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let help = match there.len() {
            0 => continue,
            1..=12 => one_of(name, &there.iter().copied().collect::<Vec<_>>()),
            _ => near.unwrap_or_else(|| format!("the data set has {} others", there.len())),
        };
        reader.fault(&node.span, format!("the data set has no {what} `{name}`"), help);
    }
}

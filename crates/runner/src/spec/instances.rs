//! Instances: the data sets that an experiment names, read and checked line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, InstancePart, Options};
use evogrid_core::identity::Fingerprint;
use evogrid_core::suggestion::{nearest, one_of};

use super::fields::Reader;
use super::{LoadedInstance, TABLE_NAMES};
use crate::data_set::{self, DataSet, DataSetError, NamedInstance, SIZE_LIMIT};
use crate::document::{Node, NodeValue, Span, Table, read_text};

/// The keys of a data set, beside the options of its family.
pub(super) const SET_KEYS: [&str; 5] = ["problem", "path", "buckets", "ids", "limit"];

/// Reads all `[[instances]]`; with them comes how many a `limit` leaves out.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> (Vec<LoadedInstance>, usize) {
    let Some(entry) = root.get("instances") else {
        if Reader::lacks(root, "instances", &TABLE_NAMES) {
            let help = "expected `[[instances]]` with a `problem` and a `path`";
            reader.fault(&Span::start(), "there is no instance", help);
        }
        return (Vec::new(), 0);
    };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(&entry.key_span, "`instances` is no list of tables", "write `[[instances]]`, with two brackets");
        return (Vec::new(), 0);
    };
    if items.is_empty() {
        let help = "expected `[[instances]]` with a `problem` and a `path`";
        reader.fault(&entry.node.span, "there is no instance", help);
    }
    let mut instances: Vec<LoadedInstance> = Vec::new();
    let mut rows: Vec<InstanceRow<'d>> = Vec::new();
    let mut n_left_out = 0;
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let (set, left_out) = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        n_left_out += left_out;
        let path = table.get("path").map(|entry| &entry.node);
        let twice: Vec<&str> =
            set.iter().map(|(loaded, _)| loaded.id.as_str()).filter(|&id| ids.contains(id)).collect();
        if let Some(first) = twice.first() {
            let others = match twice.len() - 1 {
                0 => String::new(),
                1 => ", and so does 1 more".to_owned(),
                n => format!(", and so do {n} more"),
            };
            let help =
                "every instance of an experiment has an id of its own; `ids` and `buckets` choose some of a data set";
            let span = path.map_or(&item.span, |path| &path.span);
            reader.fault(span, format!("the id `{first}` stands in an earlier data set too{others}"), help);
        }
        for (loaded, line) in set {
            if let Some(path) = path.filter(|_| ids.insert(loaded.id.clone())) {
                instances.push(loaded);
                rows.push(InstanceRow { path, line });
            }
        }
    }
    check_contents(reader, &instances, &rows);
    (instances, n_left_out)
}

/// Where an instance stands.
struct InstanceRow<'d> {
    /// The path of its data set.
    path: &'d Node,
    /// Its line there, from 1.
    line: u64,
}

/// Refuses instances that are the same under two ids: each of their runs would count twice. Of each data set the first is told.
fn check_contents(reader: &mut Reader<'_>, instances: &[LoadedInstance], rows: &[InstanceRow<'_>]) {
    let mut order: Vec<usize> = (0..instances.len()).collect();
    order.sort_by_key(|&at| instances[at].content);
    // For the path of each data set its instances that are an earlier one.
    let mut repeated: BTreeMap<Span, Vec<(usize, usize)>> = BTreeMap::new();
    for same in order.chunk_by(|&one, &other| instances[one].content == instances[other].content) {
        for &later in &same[1..] {
            repeated.entry(rows[later].path.span).or_default().push((later, same[0]));
        }
    }
    for (span, mut pairs) in repeated {
        pairs.sort_unstable();
        let named = |at: usize| {
            let NodeValue::Text(file) = &rows[at].path.value else { unreachable!("the path was read") };
            format!("`{}` on line {} of {file}", instances[at].id, rows[at].line)
        };
        let (later, first) = pairs[0];
        let others = match pairs.len() - 1 {
            0 => String::new(),
            n => format!("; {} rows repeat others", n + 1),
        };
        let message = format!("{} has the content of {}{others}", named(later), named(first));
        let help = "one instance under two ids would count twice: take one out, or choose by `ids` or `buckets`";
        reader.fault(&span, message, help);
    }
}

/// Reads a data set: its chosen instances, each with its line, and how many a `limit` leaves out.
fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<(Vec<(LoadedInstance, u64)>, usize)> {
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
    let read = read.and_then(|text| data_set::read(&full.display().to_string(), &text, family, &options, true));
    let DataSet { rows, has_buckets } = match read {
        Ok(set) => set,
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
    let problem = family.declaration().name;
    let load = |NamedInstance { id, line, bucket, instance }| {
        let content =
            Fingerprint::of_instance(problem, &instance.content()).with_versions(&family.declaration().versions());
        (LoadedInstance { content, problem: problem.to_owned(), id, bucket, instance }, line)
    };
    let mut loaded: Vec<(LoadedInstance, u64)> = rows.into_iter().map(load).collect();
    let n_faults = reader.faults();
    if let (Some(_), false) = (&buckets, has_buckets) {
        let message = format!("{} has no column `bucket`", full.display());
        reader.fault(&table.get("buckets")?.key_span, message, "leave the filter out, or add the column");
    } else {
        check_names(reader, &loaded, buckets.as_deref(), "bucket", |loaded| &loaded.bucket);
    }
    check_names(reader, &loaded, ids.as_deref(), "id", |loaded| &loaded.id);
    let chosen = |names: Option<Vec<(&'d str, &Node)>>| {
        names.map(|names| names.into_iter().map(|(name, _)| name).collect::<BTreeSet<&str>>())
    };
    let (buckets, ids) = (chosen(buckets), chosen(ids));
    let passes = |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
    loaded.retain(|(loaded, _)| passes(&buckets, &loaded.bucket) && passes(&ids, &loaded.id));
    let n_passing = loaded.len();
    if let Some(limit) = limit {
        let mut n_of_bucket: BTreeMap<String, u64> = BTreeMap::new();
        loaded.retain(|(loaded, _)| {
            let n = n_of_bucket.entry(loaded.bucket.clone()).or_default();
            *n += 1;
            *n <= limit
        });
    }
    let n_left_out = n_passing - loaded.len();
    if loaded.is_empty() && reader.faults() == n_faults {
        let help = "no row passes `buckets` and `ids` together";
        reader.fault(path_span, format!("{} has no instance left to run", full.display()), help);
    }
    Some((loaded, n_left_out))
}

/// Complains of names that speak of no instance.
fn check_names(
    reader: &mut Reader<'_>,
    loaded: &[(LoadedInstance, u64)],
    names: Option<&[(&str, &Node)]>,
    what: &str,
    field: impl Fn(&LoadedInstance) -> &str,
) {
    let Some(names) = names else { return };
    let there: BTreeSet<&str> = loaded.iter().map(|(loaded, _)| field(loaded)).collect();
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

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
    let mut rows: Vec<InstanceRow<'d>> = Vec::new();
    let mut n_left_out = 0;
    let mut ids = NameTable::default();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let (set, lines, left_out) = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        n_left_out += left_out;
        let Some(path) = table.get("path").map(|entry| &entry.node) else { continue };
        let row = |line: &u64| InstanceRow { path, line: *line };
        if items.len() == 1 {
            rows.extend(lines.iter().map(row));
            instances = set;
            break;
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
            reader.fault(&path.span, format!("the id `{first}` stands in an earlier data set too{others}"), help);
        }
        for ((listed, line), _) in set.iter().zip(&lines).zip(is_known).filter(|(_, is_known)| !is_known) {
            ids.number(listed.id);
            instances.push(listed);
            rows.push(row(line));
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
fn check_contents(reader: &mut Reader<'_>, instances: &InstanceList, rows: &[InstanceRow<'_>]) {
    let content = |&at: &u32| {
        let listed = instances.get(at as usize);
        (listed.problem, listed.content)
    };
    let mut order: Vec<u32> = (0..instances.len() as u32).collect();
    order.sort_unstable_by(|one, other| (content(one), one).cmp(&(content(other), other)));
    // For the path of each data set its instances that are an earlier one.
    let mut repeated: BTreeMap<Span, Vec<(usize, usize)>> = BTreeMap::new();
    for same in order.chunk_by(|one, other| content(one) == content(other)) {
        for &later in &same[1..] {
            repeated.entry(rows[later as usize].path.span).or_default().push((later as usize, same[0] as usize));
        }
    }
    for (span, mut pairs) in repeated {
        pairs.sort_unstable();
        let named = |at: usize| {
            let NodeValue::Text(file) = &rows[at].path.value else { unreachable!("the path was read") };
            format!("`{}` on line {} of {file}", instances.get(at).id, rows[at].line)
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
) -> Option<(InstanceList, Vec<u64>, usize)> {
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
    let (mut loaded, mut lines) = (InstanceList::default(), Vec::new());
    let mut add = |NamedInstance { id, line, bucket, instance }: NamedInstance| {
        lines.push(line);
        loaded.push(ListedInstance {
            best_known: None,
            id: &id,
            bucket: &bucket,
            problem,
            content: &instance.content(),
        });
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
        let (mut chosen, mut chosen_lines) = (InstanceList::default(), Vec::new());
        let passing = |listed: &ListedInstance<'_>| passes(&buckets, listed.bucket) && passes(&ids, listed.id);
        for (listed, line) in loaded.iter().zip(lines).filter(|(listed, _)| passing(listed)) {
            let n = n_of_bucket.entry(listed.bucket.to_owned()).or_default();
            *n += 1;
            if limit.is_none_or(|limit| *n <= limit) {
                chosen.push(listed);
                chosen_lines.push(line);
            } else {
                n_left_out += 1;
            }
        }
        (loaded, lines) = (chosen, chosen_lines);
    }
    if loaded.is_empty() && reader.faults() == n_faults {
        let help = "no row passes `buckets` and `ids` together";
        reader.fault(path_span, format!("{} has no instance left to run", full.display()), help);
    }
    Some((loaded, lines, n_left_out))
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

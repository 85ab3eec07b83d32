//! Instances: the data sets that an experiment names, read and checked line by line.

mod best_known;
mod file_names;
mod files;
mod generate;
mod options;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{BestKnown, Direction, Family, Options};
use evogrid_core::suggestion::{nearest, one_of};
use evogrid_results::names::NameTable;

use super::TABLE_NAMES;
use super::fields::Reader;
use crate::experiment::data_set;
use crate::experiment::document::{Entry, Node, NodeValue, Span, Table};
use crate::experiment::instance_list::{InstanceList, ListedInstance};
use crate::system::numbers::counted;

pub(super) use options::SET_KEYS;

/// The requirements of a set of instances.
const NEEDED: &str = "every set of instances needs a `problem`, and a `path` or `generate`";

/// An instance of a set, as it was found.
struct FoundInstance {
    id: String,
    /// Its line in its file, from 1; 0 where it was made.
    line: u64,
    bucket: String,
    best_known: Option<BestKnown>,
    content: String,
}

/// The instances of a set, and where they stand.
#[derive(Default)]
struct InstanceSet {
    list: InstanceList,
    /// Of each its line, and the number of its file.
    places: Vec<(u64, u32)>,
    /// The names of its files; what made it, where there are none.
    files: Vec<String>,
    has_buckets: bool,
}

impl InstanceSet {
    fn add(&mut self, problem: &str, found: &FoundInstance) {
        let FoundInstance { id, line, bucket, best_known, content } = found;
        self.places.push((*line, self.files.len() as u32 - 1));
        self.list.push(ListedInstance { best_known: *best_known, id, bucket, problem, content });
    }
}

/// Reads all `[[instances]]`, counts the instances that `limit` and `skip` omit, and says which are for tests.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> (InstanceList, usize, Vec<Range<usize>>) {
    let (span, items) = match root.get("instances").map(|entry| (entry, &entry.node.value)) {
        None if !Reader::lacks(root, "instances", &TABLE_NAMES) => return (InstanceList::default(), 0, Vec::new()),
        None => (Span::start(), &[][..]),
        Some((entry, NodeValue::List(items))) => (entry.node.span, &items[..]),
        Some((entry, _)) => {
            let help = "write `[[instances]]`, with double brackets";
            reader.fault(&entry.key_span, "`instances` is not a list of tables", help);
            return (InstanceList::default(), 0, Vec::new());
        }
    };
    if items.is_empty() {
        let help = "expected `[[instances]]` with a `problem`, and a `path` or `generate`";
        reader.fault(&span, "no instances are given", help);
    }
    let mut instances = InstanceList::default();
    let mut rows: Vec<InstanceRow> = Vec::new();
    let mut files: Vec<String> = Vec::new();
    let (mut n_left_out, mut test, mut ids) = (0, Vec::new(), NameTable::default());
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let (set, left_out) = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        n_left_out += left_out;
        let Some(entry) = table.get("path").or_else(|| table.get("generate")) else { continue };
        let first_file = files.len() as u32;
        files.extend(set.files);
        let row =
            |(line, file): &(u64, u32)| InstanceRow { span: entry.node.span, line: *line, file: first_file + file };
        let set_rows = set.places.iter().map(row);
        let set = set.list;
        let is_test = options::is_for_tests(reader, table);
        if items.len() == 1 {
            rows.extend(set_rows);
            instances = set;
            test.extend(is_test.then(|| 0..instances.len()));
            break;
        }
        let first = instances.len();
        let is_known: Vec<bool> = set.iter().map(|listed| ids.find(listed.id).is_some()).collect();
        let known = || set.iter().zip(&is_known).filter(|(_, is_known)| **is_known).map(|(listed, _)| listed.id);
        let twice: Vec<&str> = known().collect();
        if let Some(first) = twice.first() {
            let others = match twice.len() - 1 {
                0 => String::new(),
                1 => ", and so is 1 more".to_owned(),
                n => format!(", and so are {n} more"),
            };
            let later = set.iter().find(|listed| listed.id == *first).expect("it is one of the set");
            let help = match ids.find(first).map(|number| instances.get(number)) {
                Some(earlier)
                    if earlier.problem == later.problem
                        && objective(earlier, catalogue) != objective(later, catalogue) =>
                {
                    "an experiment has one objective per instance: split it into two experiments"
                }
                _ => "every instance needs its own id; select part of a data set with `ids` or `buckets`",
            };
            let message = format!("the id `{first}` is already in an earlier data set{others}");
            reader.fault(&entry.node.span, message, help);
        }
        for ((listed, row), _) in set.iter().zip(set_rows).zip(is_known).filter(|(_, is_known)| !is_known) {
            ids.number(listed.id);
            instances.push(listed);
            rows.push(row);
        }
        test.extend(is_test.then(|| first..instances.len()));
    }
    check_contents(reader, &instances, &rows, &files);
    (instances, n_left_out, test)
}

/// The name of an instance's objective.
fn objective(listed: ListedInstance<'_>, catalogue: &Catalogue) -> Option<Cow<'static, str>> {
    Some(catalogue.family(listed.problem)?.objective(listed.content)?.name)
}

/// Where an instance stands.
struct InstanceRow {
    /// What names its file, or how it was made.
    span: Span,
    /// Its line there, from 1; 0 where it was made.
    line: u64,
    /// The number of its file.
    file: u32,
}

/// Refuses an instance that has two ids: each of its runs would count twice. For each data set the first one is reported.
fn check_contents(reader: &mut Reader<'_>, instances: &InstanceList, rows: &[InstanceRow], files: &[String]) {
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
            repeated.entry(rows[later as usize].span).or_default().push((later as usize, same[0] as usize));
        }
    }
    for (span, mut pairs) in repeated {
        pairs.sort_unstable();
        let named = |at: usize| {
            let (id, InstanceRow { line, file, .. }) = (instances.get(at).id, &rows[at]);
            let file = &files[*file as usize];
            if *line == 0 { format!("`{id}` of {file}") } else { format!("`{id}` on line {line} of {file}") }
        };
        let (later, first) = pairs[0];
        let others = match pairs.len() - 1 {
            0 => String::new(),
            n => format!("; {} rows repeat others", n + 1),
        };
        let message = format!("{} has the same content as {}{others}", named(later), named(first));
        let help = "remove one of them, or select with `ids` or `buckets`: the instance would count twice";
        reader.fault(&span, message, help);
    }
}

/// Reads a set of instances: the chosen ones, and the number that `limit` and `skip` leave out.
fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<(InstanceSet, usize)> {
    let problem = reader.text(table, "problem");
    let family = problem.and_then(|name| catalogue.family(name));
    // Of an unknown problem any family's options may be meant.
    let families: Vec<&dyn Family> = family.map_or_else(|| catalogue.families().collect(), |family| vec![family]);
    let mut option_names: Vec<&str> = Vec::new();
    for option in families.iter().flat_map(|family| family.options()) {
        if !option_names.contains(&option.name) {
            option_names.push(option.name);
        }
    }
    let keys = [&SET_KEYS, &option_names[..]].concat();
    reader.known(table, "a data set", &keys);
    if Reader::lacks(table, "problem", &keys) {
        reader.fault(&item.span, "the data set has no `problem`", NEEDED);
    }
    if Reader::lacks(table, "path", &keys) && Reader::lacks(table, "generate", &keys) {
        reader.fault(&item.span, "the data set needs a `path` or `generate`", NEEDED);
    }
    if let (Some(_), Some(generate)) = (table.get("path"), table.get("generate")) {
        let help = "remove one of them: instances are either read from files or generated";
        reader.fault(&generate.key_span, "the data set has both `path` and `generate`", help);
    }
    if let (Some(_), Some(checksum)) = (table.get("generate"), table.get("sha256")) {
        reader.fault(
            &checksum.key_span,
            "the data set has both `sha256` and `generate`",
            "remove `sha256`, the checksum of a file",
        );
    }
    let options = options::read(reader, table, family, &option_names);
    let part = options::part(reader, table);
    let buckets = reader.texts(table, "buckets");
    let ids = reader.texts(table, "ids");
    if let Some(problem) = problem.filter(|_| family.is_none()) {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        let span = &table.get("problem")?.node.span;
        reader.fault(span, format!("unknown problem `{problem}`"), one_of(problem, &names));
    }
    if let Some(error) = family.and_then(|family| data_set::check_choices(family, &options).err()) {
        files::report_option(reader, table, &error);
        return None;
    }
    let known = match (table.get("best_known"), family) {
        (Some(_), Some(family)) => Some(read_best_known(reader, table, folder, family)?),
        _ => None,
    };
    let n_faults = reader.faults();
    let (entry, loaded) = match (table.get("path"), table.get("generate")) {
        (Some(entry), None) => (entry, files::read(reader, table, folder, family, &options)?),
        (None, Some(entry)) => (entry, make(reader, entry, family?, &options)?),
        _ => return None,
    };
    if reader.faults() > n_faults {
        return None;
    }
    let Some(known) = known else { return choose(reader, table, entry, loaded, (buckets, ids, part)) };
    let ids_there: BTreeSet<&str> = loaded.list.iter().map(|listed| listed.id).collect();
    let strangers: Vec<&str> = known.ids().difference(&ids_there).copied().collect();
    if !strangers.is_empty() {
        let are = counted(strangers.len() as u64, "id");
        let are_not = if strangers.len() == 1 { "is" } else { "are" };
        let first = best_known::first_names(&strangers);
        reader.note(format!("{are} of the best known values {are_not} not in the data set: {first}"));
    }
    let loaded = with_best_known(reader, table, loaded, &known, family?);
    let chosen = choose(reader, table, entry, loaded, (buckets, ids, part))?;
    let unknown = chosen.0.list.iter().filter(|listed| listed.best_known.is_none()).map(|listed| listed.id);
    let unknown: Vec<&str> = unknown.collect();
    if !unknown.is_empty() {
        let n = unknown.len();
        let all = counted(chosen.0.list.len() as u64, "instance");
        reader.note(format!("the best known value of {n} of {all} is missing: {}", best_known::first_names(&unknown)));
    }
    Some(chosen)
}

/// Generates the instances that `generate` asks for.
fn make<'d>(reader: &mut Reader<'d>, entry: &'d Entry, family: &dyn Family, options: &Options) -> Option<InstanceSet> {
    let found = generate::read(reader, entry, family, options)?;
    let mut set = InstanceSet { files: vec!["`generate`".to_owned()], ..InstanceSet::default() };
    set.has_buckets = found.iter().any(|found| !found.bucket.is_empty());
    found.iter().for_each(|found| set.add(family.declaration().name, found));
    Some(set)
}

/// Reads the file of best known values.
fn read_best_known<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    folder: &Path,
    family: &dyn Family,
) -> Option<best_known::BestKnownValues> {
    const HELP: &str = "expected in quotes the path of a CSV file with the columns `instance` and `best_known`";
    let path = folder.join(reader.text_or(table, "best_known", HELP)?);
    if !reader.file(&table.get("best_known")?.node.span, &path) {
        return None;
    }
    match best_known::BestKnownValues::read(&path, family) {
        Ok(known) => Some(known),
        Err(diagnostics) => {
            reader.add(diagnostics);
            None
        }
    }
}

/// The set with the best known values of a file, which replace its own.
fn with_best_known(
    reader: &mut Reader<'_>,
    table: &Table,
    set: InstanceSet,
    known: &best_known::BestKnownValues,
    family: &dyn Family,
) -> InstanceSet {
    let mut list = InstanceList::default();
    let mut n_found = 0;
    for listed in set.list.iter() {
        let objective = family.objective(listed.content);
        let found = known.get(listed.id, objective.as_ref().map_or("", |objective| &objective.name));
        let direction = objective.map_or(Direction::Minimise, |objective| objective.direction);
        let found = found.map(|known| BestKnown { direction, ..known });
        n_found += usize::from(found.is_some());
        list.push(ListedInstance { best_known: found.or(listed.best_known), ..listed });
    }
    if let (0, Some(entry)) = (n_found, table.get("best_known").filter(|_| !list.is_empty())) {
        let help = format!("expected ids in its column `instance`, for example `{}`", list.get(0).id);
        reader.fault(&entry.node.span, "the file does not give a value for any instance of the data set", help);
    }
    InstanceSet { list, ..set }
}

/// Names with their places.
type PlacedNames<'d> = Option<Vec<(&'d str, &'d Node)>>;

/// The instances of a set that pass its filters, and the number that `limit` and `skip` leave out.
fn choose<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    entry: &Entry,
    set: InstanceSet,
    (buckets, ids, part): (PlacedNames<'d>, PlacedNames<'d>, Option<Range<u64>>),
) -> Option<(InstanceSet, usize)> {
    let n_faults = reader.faults();
    let name = match set.files.as_slice() {
        [file] => file.clone(),
        files => format!("none of the {} files", files.len()),
    };
    if let (Some(_), false) = (&buckets, set.has_buckets) {
        let message = match set.files.as_slice() {
            [file] if file.ends_with(".csv") => format!("{file} has no column `bucket`"),
            _ => "the data set has no buckets".to_owned(),
        };
        reader.fault(&table.get("buckets")?.key_span, message, "remove the filter, or add the column");
    } else {
        check_names(reader, &set.list, buckets.as_deref(), "bucket", |listed| listed.bucket);
    }
    check_names(reader, &set.list, ids.as_deref(), "id", |listed| listed.id);
    let chosen =
        |names: PlacedNames<'d>| names.map(|names| names.into_iter().map(|(name, _)| name).collect::<BTreeSet<&str>>());
    let (buckets, ids) = (chosen(buckets), chosen(ids));
    let passes = |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
    let (mut n_left_out, mut n_of_bucket) = (0, BTreeMap::<String, u64>::new());
    let mut passed = set;
    if buckets.is_some() || ids.is_some() || part.is_some() {
        let InstanceSet { list, places, files, has_buckets } = passed;
        passed = InstanceSet { files, has_buckets, ..InstanceSet::default() };
        let passing = |listed: &ListedInstance<'_>| passes(&buckets, listed.bucket) && passes(&ids, listed.id);
        for (listed, place) in list.iter().zip(places).filter(|(listed, _)| passing(listed)) {
            let n = n_of_bucket.entry(listed.bucket.to_owned()).or_default();
            *n += 1;
            if part.as_ref().is_none_or(|part| part.contains(&(*n - 1))) {
                passed.list.push(listed);
                passed.places.push(place);
            } else {
                n_left_out += 1;
            }
        }
    }
    if passed.list.is_empty() && reader.faults() == n_faults {
        let help = "`buckets`, `ids` and `skip` together do not select any row";
        reader.fault(&entry.node.span, format!("{name} has no instances left after selection"), help);
    }
    Some((passed, n_left_out))
}

/// Reports names that do not match an instance.
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

//! Instances: the data sets that an experiment names, read and checked line by line.

mod best_known;
mod files;
mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{BestKnown, Direction, Family, Options};
use evogrid_core::suggestion::{nearest, one_of};
use evogrid_results::names::NameTable;

use self::best_known::{BestKnownValues, first_names};
use super::TABLE_NAMES;
use super::fields::Reader;
use crate::experiment::data_set;
use crate::experiment::document::{Entry, Node, NodeValue, Span, Table};
use crate::experiment::instance_list::{InstanceList, ListedInstance};
use crate::external::{CHECK, checker_fault};
use crate::system::numbers::counted;

/// The keys of a data set, in addition to the options of its family.
pub(super) const SET_KEYS: [&str; 10] =
    ["problem", "path", "sha256", "generate", "best_known", "buckets", "ids", "limit", "skip", "role"];

/// The requirements of a set of instances.
const NEEDED: &str = "every set of instances needs a `problem`, and a `path` or `generate`";

/// The instances of a set.
#[derive(Default)]
struct InstanceSet {
    list: InstanceList,
    has_buckets: bool,
}

/// Reads all `[[instances]]`. Also returns the number of instances that `limit` and `skip` omit, and the instances for tests.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> (InstanceList, usize, Vec<Range<usize>>) {
    let (span, items) = match root.get("instances").map(|entry| (entry, &entry.node.value)) {
        None if !Reader::lacks(root, "instances", &TABLE_NAMES) => return Default::default(),
        None => (Span::start(), &[][..]),
        Some((entry, NodeValue::List(items))) => (entry.node.span, &items[..]),
        Some((entry, _)) => {
            let help = "write `[[instances]]`, with double brackets";
            reader.fault(&entry.key_span, "`instances` is not a list of tables", help);
            return Default::default();
        }
    };
    if items.is_empty() {
        let help = "expected `[[instances]]` with a `problem`, and a `path` or `generate`";
        reader.fault(&span, "no instances are given", help);
    }
    let (mut all, mut ids) = (InstanceList::default(), NameTable::default());
    let (mut n_left_out, mut test) = (0, Vec::new());
    // The place of each set, and the number of instances up to the end of the set.
    let mut sets: Vec<(Span, usize)> = Vec::new();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let (set, left_out) = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        n_left_out += left_out;
        let Some(entry) = table.get("path").or_else(|| table.get("generate")) else { continue };
        let is_test = reader.choice(table, "role", &[("training", false), ("test", true)]).unwrap_or(false);
        let first = all.len();
        if items.len() == 1 {
            all = set.list;
        } else {
            add_set(reader, &entry.node.span, &set.list, &mut all, &mut ids);
        }
        sets.push((entry.node.span, all.len()));
        test.extend(is_test.then(|| first..all.len()));
    }
    check_contents(reader, &all, &sets);
    (all, n_left_out, test)
}

/// Adds the instances of a set to all instances; reports ids that are already there.
fn add_set(reader: &mut Reader<'_>, span: &Span, set: &InstanceList, all: &mut InstanceList, ids: &mut NameTable) {
    let mut repeated: Vec<&str> = Vec::new();
    let n_before = all.len();
    for listed in set.iter() {
        match ids.find(listed.id).filter(|&number| number < n_before) {
            Some(_) => repeated.push(listed.id),
            None => {
                ids.number(listed.id);
                all.push(listed);
            }
        }
    }
    if let [first, others @ ..] = repeated.as_slice() {
        let others = match others.len() {
            0 => String::new(),
            n => format!("; in total, {} ids occur more than once", n + 1),
        };
        let message = format!("the id `{first}` is already in an earlier data set{others}");
        let help = "every instance needs its own id and one objective: select instances with `ids` or `buckets`, or \
                    use two experiments";
        reader.fault(span, message, help);
    }
}

/// Refuses an instance that has two ids: each of its runs would count twice. For each data set, the first such instance is reported.
fn check_contents(reader: &mut Reader<'_>, list: &InstanceList, sets: &[(Span, usize)]) {
    let content = |&at: &u32| {
        let listed = list.get(at as usize);
        (listed.problem, listed.content)
    };
    let mut order: Vec<u32> = (0..list.len() as u32).collect();
    order.sort_unstable_by(|one, other| (content(one), one).cmp(&(content(other), other)));
    // For each data set, its instances with the content of an earlier instance, together with the earlier instance.
    let mut repeated: BTreeMap<Span, Vec<(usize, usize)>> = BTreeMap::new();
    for same in order.chunk_by(|one, other| content(one) == content(other)) {
        for &later in &same[1..] {
            let set = sets.partition_point(|(_, end)| *end <= later as usize);
            repeated.entry(sets[set].0).or_default().push((later as usize, same[0] as usize));
        }
    }
    for (span, mut pairs) in repeated {
        pairs.sort_unstable();
        let [later, first] = [pairs[0].0, pairs[0].1].map(|number| list.get(number).id);
        let others = match pairs.len() - 1 {
            0 => String::new(),
            n => format!("; in total, {} instances have the same content as an earlier instance", n + 1),
        };
        let message = format!("the instance `{later}` has the same content as the instance `{first}`{others}");
        let help = "the instance would count twice: remove one of the two, or select instances with `ids` or `buckets`";
        reader.fault(&span, message, help);
    }
}

/// Reads a set of instances. Returns the chosen instances, and the number of instances that `limit` and `skip` leave out.
fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<(InstanceSet, usize)> {
    let problem = reader.text(table, "problem");
    let family = problem.and_then(|name| catalogue.family(name));
    // If the problem is unknown, the options of every family are accepted.
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
    for (key, help) in [
        ("path", "remove one of the two keys: instances are read from files or are generated"),
        ("sha256", "remove `sha256`, the checksum of a file: these instances are generated"),
    ] {
        if let (Some(entry), Some(_)) = (table.get(key), table.get("generate")) {
            reader.fault(&entry.key_span, format!("the data set has both `{key}` and `generate`"), help);
        }
    }
    let options = read_options(reader, table, family, &option_names);
    let [skip, limit] = ["skip", "limit"].map(|key| reader.whole(table, key, 1, i64::MAX as u64));
    let first = skip.unwrap_or(0);
    let part = first..first.saturating_add(limit.unwrap_or(u64::MAX));
    let filters = (reader.texts(table, "buckets"), reader.texts(table, "ids"), part);
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
    let (entry, mut set) = match (table.get("path"), table.get("generate")) {
        (Some(entry), None) => (entry, files::read(reader, table, folder, family, &options)?),
        (None, Some(entry)) => (entry, generate::read(reader, entry, family?, &options)?),
        _ => return None,
    };
    if reader.faults() > n_faults {
        return None;
    }
    if let Some(known) = &known {
        lay_best_known(reader, table, &mut set, known, family?);
    }
    let (set, n_left_out) = choose(reader, table, entry, set, filters)?;
    let unknown = set.list.iter().filter(|listed| known.is_some() && listed.best_known.is_none());
    let unknown: Vec<&str> = unknown.map(|listed| listed.id).collect();
    if !unknown.is_empty() {
        let (n, all) = (unknown.len(), counted(set.list.len() as u64, "instance"));
        reader.notes.push(format!("the best known value is missing for {n} of {all}: {}", first_names(&unknown)));
    }
    Some((set, n_left_out))
}

/// Reads the options with these names. If the family is unknown, all options are read as text.
fn read_options<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    family: Option<&dyn Family>,
    names: &[&'static str],
) -> Options {
    let mut options = Options::new();
    let declared = family.map_or(&[][..], |family| family.options());
    for &name in names {
        let is_number = declared.iter().any(|option| option.name == name && option.is_number);
        let value = match is_number {
            true => reader.number(table, name).map(|number| number.to_string()),
            false => reader.text(table, name).map(str::to_owned),
        };
        options.extend(value.map(|value| (name.to_owned(), value)));
    }
    if let (Some(entry), Some(command), Some(false)) =
        (table.get(CHECK), options.get(CHECK), family.map(Family::has_genomes))
        && let Some((message, help)) = checker_fault(command)
    {
        reader.fault(&entry.node.span, message, help);
    }
    options
}

/// Reads the file of best known values.
fn read_best_known<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    folder: &Path,
    family: &dyn Family,
) -> Option<BestKnownValues> {
    const HELP: &str = "expected the path of a CSV file in quotes, with the columns `instance` and `best_known`";
    let path = folder.join(reader.text_or(table, "best_known", HELP)?);
    if !reader.file(&table.get("best_known")?.node.span, &path) {
        return None;
    }
    BestKnownValues::read(&path, family).map_err(|diagnostics| reader.add(diagnostics)).ok()
}

/// Gives the instances of a set the best known values of a file, which replace their own values.
fn lay_best_known(
    reader: &mut Reader<'_>,
    table: &Table,
    set: &mut InstanceSet,
    known: &BestKnownValues,
    family: &dyn Family,
) {
    let ids_there: BTreeSet<&str> = set.list.iter().map(|listed| listed.id).collect();
    let strangers: Vec<&str> = known.ids().difference(&ids_there).copied().collect();
    if !strangers.is_empty() {
        let ids = counted(strangers.len() as u64, "id");
        let names = first_names(&strangers);
        reader
            .notes
            .push(format!("the file of best known values contains {ids} that the data set does not contain: {names}"));
    }
    let mut n_found = 0;
    let with_value = |listed: ListedInstance<'_>| {
        let objective = family.objective(listed.content);
        let found = known.get(listed.id, objective.as_ref().map_or("", |objective| &objective.name));
        let direction = objective.map_or(Direction::Minimise, |objective| objective.direction);
        n_found += usize::from(found.is_some());
        found.map(|known| BestKnown { direction, ..known }).or(listed.best_known)
    };
    let values: Vec<_> = set.list.iter().map(with_value).collect();
    let listed = set.list.iter().zip(values);
    set.list = listed.map(|(listed, best_known)| ListedInstance { best_known, ..listed }).collect();
    if let (0, Some(entry)) = (n_found, table.get("best_known").filter(|_| !set.list.is_empty())) {
        let help =
            format!("expected ids of the data set in the column `instance`, for example `{}`", set.list.get(0).id);
        reader.fault(&entry.node.span, "the file has no value for any instance of the data set", help);
    }
}

/// Names with their places.
type PlacedNames<'d> = Option<Vec<(&'d str, &'d Node)>>;

/// The instances of a set that pass its filters, and the number of instances that `limit` and `skip` leave out.
fn choose<'d>(
    reader: &mut Reader<'d>,
    table: &'d Table,
    entry: &Entry,
    set: InstanceSet,
    (buckets, ids, part): (PlacedNames<'d>, PlacedNames<'d>, Range<u64>),
) -> Option<(InstanceSet, usize)> {
    let n_faults = reader.faults();
    if buckets.is_some() && !set.has_buckets {
        let help = "remove this filter, or add a column `bucket` to the data set";
        reader.fault(&table.get("buckets")?.key_span, "the data set has no buckets", help);
    } else {
        check_names(reader, &set.list, buckets.as_deref(), "bucket", |listed| listed.bucket);
    }
    check_names(reader, &set.list, ids.as_deref(), "id", |listed| listed.id);
    let names = |filter: PlacedNames<'d>| -> Option<BTreeSet<&str>> {
        Some(filter?.into_iter().map(|(name, _)| name).collect())
    };
    let (buckets, ids) = (names(buckets), names(ids));
    let passes = |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
    let (mut n_left_out, mut n_of_bucket) = (0, BTreeMap::<String, u64>::new());
    let mut passed = InstanceList::default();
    if buckets.is_none() && ids.is_none() && part == (0..u64::MAX) {
        passed = set.list;
    } else {
        let passing = |listed: &ListedInstance<'_>| passes(&buckets, listed.bucket) && passes(&ids, listed.id);
        for listed in set.list.iter().filter(passing) {
            let n = n_of_bucket.entry(listed.bucket.to_owned()).or_default();
            if part.contains(n) {
                passed.push(listed);
            } else {
                n_left_out += 1;
            }
            *n += 1;
        }
    }
    if passed.is_empty() && reader.faults() == n_faults {
        let help = "`buckets`, `ids` and `skip` together do not select any row";
        reader.fault(&entry.node.span, "no instances are left after the selection", help);
    }
    Some((InstanceSet { list: passed, has_buckets: set.has_buckets }, n_left_out))
}

/// Reports names that do not match any instance.
fn check_names(
    reader: &mut Reader<'_>,
    loaded: &InstanceList,
    names: Option<&[(&str, &Node)]>,
    what: &str,
    field: for<'l> fn(ListedInstance<'l>) -> &'l str,
) {
    let Some(names) = names else { return };
    let there: BTreeSet<&str> = loaded.iter().map(field).collect();
    let all: Vec<&str> = there.iter().copied().collect();
    for (name, node) in names.iter().filter(|(name, _)| !all.is_empty() && !there.contains(name)) {
        reader.fault(&node.span, format!("the data set has no {what} `{name}`"), meant(name, &all));
    }
}

/// The advice for an unknown name: the name that was probably meant, or some of the existing names.
fn meant(name: &str, there: &[&str]) -> String {
    match (nearest(name, there.iter().copied()), there) {
        (_, few) if few.len() <= 12 => one_of(name, few),
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, all) => format!("expected one of {} names, for example `{}`", all.len(), all[0]),
    }
}

//! Instances: the data sets that an experiment names, read and checked line by line.

mod best_known;
mod files;
mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{BestKnown, Direction, Family, InstanceError, InstancePart, Options};
use evogrid_core::suggestion::{nearest, one_of};
use evogrid_results::names::NameTable;

use self::best_known::{BestKnownValues, first_names};
use super::TABLE_NAMES;
use super::fields::Reader;
use crate::experiment::data_set;
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::document::{Document, Entry, Node, NodeValue, Span, Table};
use crate::experiment::instance_list::{InstanceList, ListedInstance};
use crate::external::{CHECK, checker_fault};
use crate::system::numbers::counted;

/// The keys of a data set, in addition to the options of its family.
pub(super) const SET_KEYS: [&str; 10] =
    ["problem", "path", "sha256", "generate", "best_known", "buckets", "ids", "limit", "skip", "role"];

/// The requirements of a set of instances.
const NEEDED: &str = "every set of instances needs a `problem`, and a `path` or `generate`";

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
            all = set;
        } else {
            add_set(reader, &entry.node.span, &set, &mut all, &mut ids);
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
        let help = "each id can occur only once in an experiment, and an instance can have only one objective: select \
            instances with `ids` or `buckets`, or use two experiments";
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
        let help = "the instance would count twice: remove one of the two instances, or select instances with `ids` or \
            `buckets`";
        reader.fault(&span, message, help);
    }
}

/// The table of a set of instances, with everything that is needed to read the set.
struct SetReader<'r, 'd> {
    reader: &'r mut Reader<'d>,
    table: &'d Table,
    folder: &'r Path,
    /// The problem family of the instances; `None` if it is unknown.
    family: Option<&'r dyn Family>,
    options: Options,
}

/// Describes a fault in an option of the data set.
fn option_fault(document: &Document, table: &Table, error: &InstanceError) -> Diagnostic {
    let InstancePart::Option(option) = error.part else { unreachable!("the error is about an option") };
    let span = table.get(option).map_or_else(Span::start, |entry| entry.node.span);
    document.diagnostic(&span, error.to_string(), data_set::help(error, ""))
}

/// Names with their places.
type PlacedNames<'d> = Option<Vec<(&'d str, &'d Node)>>;

/// Reads a set of instances. Returns the chosen instances, and the number of instances that `limit` and `skip` leave out.
fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<(InstanceList, usize)> {
    let problem = reader.text(table, "problem");
    let family = problem.and_then(|name| catalogue.family(name));
    // If the problem is unknown, the options of every family are accepted.
    let families: Vec<&dyn Family> = family.map_or_else(|| catalogue.families().collect(), |family| vec![family]);
    let (mut seen, options) = (BTreeSet::new(), families.iter().flat_map(|family| family.options()));
    let option_names: Vec<&str> = options.map(|option| option.name).filter(|name| seen.insert(*name)).collect();
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
    let mut set = SetReader { reader, table, folder, family, options: Options::new() };
    set.read_options(&option_names);
    let reader = &mut *set.reader;
    let [skip, limit] = ["skip", "limit"].map(|key| reader.whole(table, key, 1, i64::MAX as u64));
    let first = skip.unwrap_or(0);
    let part = first..first.saturating_add(limit.unwrap_or(u64::MAX));
    let filters = (reader.texts(table, "buckets"), reader.texts(table, "ids"), part);
    if let Some(problem) = problem.filter(|_| family.is_none()) {
        let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
        let span = &table.get("problem")?.node.span;
        reader.fault(span, format!("unknown problem `{problem}`"), one_of(problem, &names));
    }
    if let Some(error) = family.and_then(|family| data_set::check_choices(family, &set.options).err()) {
        reader.add(option_fault(reader.document(), table, &error).into());
        return None;
    }
    let known = match (table.get("best_known"), family) {
        (Some(_), Some(family)) => Some(set.read_best_known(family)?),
        _ => None,
    };
    let n_faults = set.reader.faults();
    let (entry, mut list) = match (table.get("path"), table.get("generate")) {
        (Some(entry), None) => (entry, set.read_files()?),
        (None, Some(entry)) => (entry, set.generate(entry, family?)?),
        _ => return None,
    };
    if set.reader.faults() > n_faults {
        return None;
    }
    if let Some(known) = &known {
        list = set.with_best_known(&list, known, family?);
    }
    let (list, n_left_out) = set.choose(entry, list, filters);
    let unknown = list.iter().filter(|listed| known.is_some() && listed.best_known.is_none());
    let unknown: Vec<&str> = unknown.map(|listed| listed.id).collect();
    if !unknown.is_empty() {
        let (n, all) = (unknown.len(), counted(list.len() as u64, "instance"));
        set.reader.notes.push(format!("the best known value is missing for {n} of {all}: {}", first_names(&unknown)));
    }
    Some((list, n_left_out))
}

impl<'d> SetReader<'_, 'd> {
    /// Reads the options with these names. If the family is unknown, all options are read as text.
    fn read_options(&mut self, names: &[&'static str]) {
        let declared = self.family.map_or(&[][..], |family| family.options());
        for &name in names {
            let is_number = declared.iter().any(|option| option.name == name && option.is_number);
            let value = match is_number {
                true => self.reader.number(self.table, name).map(|number| number.to_string()),
                false => self.reader.text(self.table, name).map(str::to_owned),
            };
            self.options.extend(value.map(|value| (name.to_owned(), value)));
        }
        if let (Some(entry), Some(command), Some(false)) =
            (self.table.get(CHECK), self.options.get(CHECK), self.family.map(Family::has_genomes))
            && let Some((message, help)) = checker_fault(command)
        {
            self.reader.fault(&entry.node.span, message, help);
        }
    }

    /// Reads the file of best known values.
    fn read_best_known(&mut self, family: &dyn Family) -> Option<BestKnownValues> {
        const HELP: &str =
            "expected the path of a CSV file, in quotes; the file needs the columns `instance` and `best_known`";
        let path = self.folder.join(self.reader.text_or(self.table, "best_known", HELP)?);
        if !self.reader.file(&self.table.get("best_known")?.node.span, &path) {
            return None;
        }
        BestKnownValues::read(&path, family).map_err(|diagnostics| self.reader.add(diagnostics)).ok()
    }

    /// The instances with the best known values of a file, which replace their own values.
    fn with_best_known(&mut self, list: &InstanceList, known: &BestKnownValues, family: &dyn Family) -> InstanceList {
        let ids_there: BTreeSet<&str> = list.iter().map(|listed| listed.id).collect();
        let strangers: Vec<&str> = known.ids().difference(&ids_there).copied().collect();
        if !strangers.is_empty() {
            let (ids, names) = (counted(strangers.len() as u64, "id"), first_names(&strangers));
            self.reader.notes.push(format!(
                "the file of best known values contains {ids} that the data set does not contain: {names}"
            ));
        }
        let mut n_found = 0;
        let with_value = |listed: ListedInstance<'_>| {
            let objective = family.objective(listed.content);
            let found = known.get(listed.id, objective.as_ref().map_or("", |objective| &objective.name));
            let direction = objective.map_or(Direction::Minimise, |objective| objective.direction);
            n_found += usize::from(found.is_some());
            found.map(|known| BestKnown { direction, ..known }).or(listed.best_known)
        };
        let values: Vec<_> = list.iter().map(with_value).collect();
        if let (0, Some(entry)) = (n_found, self.table.get("best_known").filter(|_| !list.is_empty())) {
            let help = format!(
                "the column `instance` must contain instance ids from the data set, for example `{}`",
                list.get(0).id
            );
            let message = "the file has no value for any instance of the data set";
            self.reader.fault(&entry.node.span, message, help);
        }
        list.iter().zip(values).map(|(listed, best_known)| ListedInstance { best_known, ..listed }).collect()
    }

    /// The instances of a set that pass its filters, and the number of instances that `limit` and `skip` leave out.
    fn choose(
        &mut self,
        entry: &Entry,
        list: InstanceList,
        (buckets, ids, part): (PlacedNames<'d>, PlacedNames<'d>, Range<u64>),
    ) -> (InstanceList, usize) {
        let n_faults = self.reader.faults();
        let lacks_buckets = buckets.is_some() && list.iter().all(|listed| listed.bucket.is_empty());
        if let Some(filter) = self.table.get("buckets").filter(|_| lacks_buckets) {
            let help = "remove this filter, or add a column `bucket` to the data set";
            self.reader.fault(&filter.key_span, "the data set has no buckets", help);
        } else {
            self.check_names(&list, &buckets, ("bucket", |listed| listed.bucket));
        }
        self.check_names(&list, &ids, ("id", |listed| listed.id));
        if buckets.is_none() && ids.is_none() && part == (0..u64::MAX) {
            return (list, 0);
        }
        let names = |filter: PlacedNames<'d>| -> Option<BTreeSet<&str>> {
            Some(filter?.into_iter().map(|(name, _)| name).collect())
        };
        let (buckets, ids) = (names(buckets), names(ids));
        let passes =
            |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
        let (mut n_left_out, mut n_of_bucket) = (0, BTreeMap::<&str, u64>::new());
        let mut passed = InstanceList::default();
        let passing = |listed: &ListedInstance<'_>| passes(&buckets, listed.bucket) && passes(&ids, listed.id);
        for listed in list.iter().filter(passing) {
            let n = n_of_bucket.entry(listed.bucket).or_default();
            if part.contains(n) {
                passed.push(listed);
            } else {
                n_left_out += 1;
            }
            *n += 1;
        }
        if passed.is_empty() && self.reader.faults() == n_faults {
            let help = "`buckets`, `ids` and `skip` together do not select any row";
            self.reader.fault(&entry.node.span, "no instances are left after the selection", help);
        }
        (passed, n_left_out)
    }

    /// Reports names that do not match any instance.
    fn check_names(
        &mut self,
        list: &InstanceList,
        names: &PlacedNames<'_>,
        (what, field): (&str, fn(ListedInstance<'_>) -> &str),
    ) {
        let Some(names) = names else { return };
        let there: BTreeSet<&str> = list.iter().map(field).collect();
        let all: Vec<&str> = there.iter().copied().collect();
        for (name, node) in names.iter().filter(|(name, _)| !all.is_empty() && !there.contains(name)) {
            self.reader.fault(&node.span, format!("the data set has no {what} `{name}`"), meant(name, &all));
        }
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

//! Instances: the data sets that an experiment names, read and checked line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::Fingerprint;
use evogrid_core::suggestion::{list, nearest, one_of};

use super::fields::Reader;
use super::{Loaded, TABLES};
use crate::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::document::{Node, NodeValue, Span, Table, excerpt, read_text};

/// The largest data set that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// Faults of one data set that are shown; a wrong file need not fill the screen.
const SHOWN: usize = 10;

/// Reads all `[[instances]]`.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &'d Table, folder: &Path, catalogue: &Catalogue) -> Vec<Loaded> {
    let Some(entry) = root.get("instances") else {
        if Reader::lacks(root, "instances", &TABLES) {
            let help = "expected `[[instances]]` with a `problem` and a `path`";
            reader.fault(&Span::start(), "there is no instance", help);
        }
        return Vec::new();
    };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(&entry.key_span, "`instances` is no list of tables", "write `[[instances]]`, with two brackets");
        return Vec::new();
    };
    if items.is_empty() {
        let help = "expected `[[instances]]` with a `problem` and a `path`";
        reader.fault(&entry.node.span, "there is no instance", help);
    }
    let mut instances: Vec<Loaded> = Vec::new();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>("an entry of `instances`", item, "expected a table");
            continue;
        };
        let set = read_set(reader, item, table, folder, catalogue).unwrap_or_default();
        let twice: Vec<&str> = set.iter().map(|loaded| loaded.id.as_str()).filter(|&id| ids.contains(id)).collect();
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
        instances.extend(set.into_iter().filter(|loaded| ids.insert(loaded.id.clone())));
    }
    instances
}

fn read_set<'d>(
    reader: &mut Reader<'d>,
    item: &Node,
    table: &'d Table,
    folder: &Path,
    catalogue: &Catalogue,
) -> Option<Vec<Loaded>> {
    const KEYS: [&str; 6] = ["problem", "path", "buckets", "ids", "limit", "box"];
    reader.known(table, "a data set", &KEYS);
    for key in ["problem", "path"].into_iter().filter(|key| Reader::lacks(table, key, &KEYS)) {
        reader.fault(&item.span, format!("the data set has no `{key}`"), "every data set has a `problem` and a `path`");
    }
    let problem = reader.text(table, "problem");
    let options = match reader.text(table, "box") {
        Some(shape) => BTreeMap::from([("box".to_owned(), shape.to_owned())]),
        None => BTreeMap::new(),
    };
    let limit = reader.whole(table, "limit", 1, i64::MAX as u64);
    let buckets = reader.texts(table, "buckets");
    let ids = reader.texts(table, "ids");
    let path = reader.text(table, "path");
    let known = problem.filter(|name| catalogue.problems.find(name).is_some());
    if let Some(problem) = problem.filter(|_| known.is_none()) {
        let names: Vec<&str> = catalogue.problems.declarations().map(|declared| declared.name).collect();
        let span = &table.get("problem")?.node.span;
        reader.fault(span, format!("unknown problem `{problem}`"), one_of(problem, &names));
    }
    let path_span = &table.get("path")?.node.span;
    let full = folder.join(path?);
    let is_file = reader.file(path_span, &full);
    let problem = known.filter(|_| is_file)?;
    let set = match load(&full, problem, &options, catalogue) {
        Ok(set) => set,
        Err(Unloadable::Options(message)) => {
            let (message, help) = parted(&message);
            reader.fault(&table.get("box")?.node.span, message, help);
            return None;
        }
        Err(Unloadable::Content(diagnostics)) => {
            reader.add(diagnostics);
            return None;
        }
    };
    let n_faults = reader.faults();
    if let (Some(_), false) = (&buckets, set.has_buckets) {
        let message = format!("{} has no column `bucket`", full.display());
        reader.fault(&table.get("buckets")?.key_span, message, "leave the filter out, or add the column");
    } else {
        check_names(reader, &set.loaded, buckets.as_deref(), "bucket", |loaded| &loaded.bucket);
    }
    check_names(reader, &set.loaded, ids.as_deref(), "id", |loaded| &loaded.id);
    let mut loaded = set.loaded;
    let chosen = |names: Option<Vec<(&'d str, &Node)>>| {
        names.map(|names| names.into_iter().map(|(name, _)| name).collect::<BTreeSet<&str>>())
    };
    let (buckets, ids) = (chosen(buckets), chosen(ids));
    let passes = |names: &Option<BTreeSet<&str>>, field: &str| names.as_ref().is_none_or(|names| names.contains(field));
    loaded.retain(|loaded| passes(&buckets, &loaded.bucket) && passes(&ids, &loaded.id));
    loaded.truncate(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)));
    if loaded.is_empty() && reader.faults() == n_faults {
        let help = "no row passes `buckets` and `ids` together";
        reader.fault(path_span, format!("{} has no instance left to run", full.display()), help);
    }
    Some(loaded)
}

/// Complains of names that speak of no instance.
fn check_names(
    reader: &mut Reader<'_>,
    loaded: &[Loaded],
    names: Option<&[(&str, &Node)]>,
    what: &str,
    field: impl Fn(&Loaded) -> &str,
) {
    let Some(names) = names else { return };
    let there: BTreeSet<&str> = loaded.iter().map(&field).collect();
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

/// What a data set holds.
struct Set {
    loaded: Vec<Loaded>,
    has_buckets: bool,
}

/// Why a data set cannot be loaded.
enum Unloadable {
    /// The experiment's options for it mean nothing.
    Options(String),
    /// It is wrong itself.
    Content(Diagnostics),
}

impl From<Diagnostics> for Unloadable {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Content(diagnostics)
    }
}

/// Reads a data set: a CSV file with the columns `id`, `puzzle` and, if there are buckets, `bucket`.
///
/// # Errors
/// Everything that is wrong with it, up to a bound.
fn load(
    path: &Path,
    problem: &str,
    options: &BTreeMap<String, String>,
    catalogue: &Catalogue,
) -> Result<Set, Unloadable> {
    let text = read_text(path, LIMIT)?;
    let set = DataSet { name: path.display().to_string(), text: &text };
    let member = catalogue.problems.find(problem).expect("the caller checked the problem");
    let kind = (member.build)(&evogrid_core::settings::Settings::new(), catalogue);

    let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = csv.headers().map_err(|error| Diagnostics::from(set.unreadable(&error)))?.clone();
    let columns = columns(&set, &headers)?;

    let mut loaded: Vec<Loaded> = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let mut diagnostics = Diagnostics::new();
    let mut faults = 0;
    for record in csv.records() {
        let mut fault = |diagnostic: &dyn Fn() -> Diagnostic| {
            faults += 1;
            if faults <= SHOWN {
                diagnostics.push(diagnostic());
            }
        };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                fault(&|| set.unreadable(&error));
                break;
            }
        };
        let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
        // Empty lines before a row are counted to it.
        let blank = text[at..].len() - text[at..].trim_start_matches(['\n', '\r']).len();
        let (line, at) = (line + text[at..at + blank].matches('\n').count() as u64, at + blank);
        if record.len() != headers.len() {
            fault(&|| {
                let n = record.len();
                let message = format!("the row has {n} {}", if n == 1 { "field" } else { "fields" });
                let quoted = if text[at..].starts_with('"') { "; a quote that is opened must be closed" } else { "" };
                set.fault(at, None, &message, &format!("expected {} as in the first line{quoted}", headers.len()))
            });
            continue;
        }
        let id = &record[columns.id];
        if id.is_empty() || !is_printable(id) {
            let message = if id.is_empty() { "the id is empty" } else { "the id cannot be printed" };
            fault(&|| {
                set.fault(at, Some(columns.id), message, "every instance has an id, which stands in the results")
            });
            continue;
        }
        if let Some(first) = lines.get(id) {
            let message = format!("the id `{id}` stands on line {first} too");
            fault(&|| set.fault(at, Some(columns.id), &message, "every instance has an id of its own"));
            continue;
        }
        lines.insert(id.to_owned(), line);
        let mut own = options.clone();
        let shape = columns.shape.filter(|&shape| !record[shape].is_empty());
        if let Some(shape) = shape {
            own.insert("box".to_owned(), record[shape].to_owned());
        }
        match kind.read(&record[columns.puzzle], &own) {
            Ok(instance) => loaded.push(Loaded {
                id: id.to_owned(),
                bucket: columns.bucket.map_or(String::new(), |bucket| record[bucket].to_owned()),
                problem: problem.to_owned(),
                content: Fingerprint::of_instance(problem, &instance.content()),
                instance,
            }),
            Err(message) => {
                // What is wrong with an option of the experiment is said once, and not of every row.
                let blames = |value: &str| message.starts_with(&format!("box `{value}`"));
                if shape.is_none() && options.get("box").is_some_and(|value| blames(value)) {
                    return Err(Unloadable::Options(message));
                }
                let column = shape.filter(|&shape| blames(&record[shape])).unwrap_or(columns.puzzle);
                fault(&|| {
                    let (message, expected) = parted(&message);
                    set.fault(at, Some(column), &format!("`{id}`: {message}"), &expected)
                });
            }
        }
    }
    if faults > SHOWN {
        let message = format!("{} has {} more errors", set.name, faults - SHOWN);
        diagnostics.push(Diagnostic::general(message, format!("its first {SHOWN} are shown")));
    }
    if loaded.is_empty() && diagnostics.is_empty() {
        diagnostics.push(set.fault(0, None, "no instance follows the first line", "expected a row for each instance"));
    }
    let has_buckets = columns.bucket.is_some();
    Ok(diagnostics.or(Some(Set { loaded, has_buckets }))?)
}

/// What a problem says is wrong, and what it says was expected.
fn parted(message: &str) -> (&str, String) {
    match message.split_once(": expected ") {
        Some((message, expected)) => (message, format!("expected {expected}")),
        None => (message, "mend the row, or take it out".to_owned()),
    }
}

/// Where the columns stand that a data set has.
struct Columns {
    id: usize,
    puzzle: usize,
    bucket: Option<usize>,
    shape: Option<usize>,
}

fn columns(set: &DataSet<'_>, headers: &csv::StringRecord) -> Result<Columns, Diagnostics> {
    if set.text.trim().is_empty() {
        let help = "expected the columns `id`, `puzzle` and, if there are buckets, `bucket`";
        return Err(Diagnostic::general(format!("{} is empty", set.name), help).into());
    }
    let mut diagnostics = Diagnostics::new();
    let mut column = |name: &str, is_needed: bool| {
        let mut places = (0..headers.len()).filter(|&at| &headers[at] == name);
        let place = places.next();
        if let Some(second) = places.next() {
            diagnostics.push(set.header(Some(second), &format!("the column `{name}` stands twice"), "leave one out"));
        }
        // A column may have any other name, but not one that is nearly this one: it would be passed over unnoticed.
        let meant =
            (0..headers.len()).find(|&at| nearest(&headers[at], KNOWN) == Some(name) && !KNOWN.contains(&&headers[at]));
        match (place, meant) {
            (None, Some(meant)) => {
                let message = format!("unknown column `{}`", &headers[meant]);
                diagnostics.push(set.header(Some(meant), &message, &format!("did you mean `{name}`?")));
            }
            (None, None) if is_needed => {
                let found: Vec<&str> = headers.iter().collect();
                let help = format!(
                    "expected `id`, `puzzle` and, if there are buckets, `bucket` in the first line; found {}",
                    list(&found).replace("` or `", "` and `")
                );
                diagnostics.push(set.header(None, &format!("there is no column `{name}`"), &help));
            }
            _ => {}
        }
        place
    };
    let (id, puzzle) = (column("id", true), column("puzzle", true));
    let (bucket, shape) = (column("bucket", false), column("box", false));
    let columns = id.zip(puzzle).map(|(id, puzzle)| Columns { id, puzzle, bucket, shape });
    diagnostics.or(columns)
}

/// The columns that mean something.
const KNOWN: [&str; 4] = ["id", "puzzle", "bucket", "box"];

/// A data set's text, to point into.
struct DataSet<'t> {
    name: String,
    text: &'t str,
}

impl DataSet<'_> {
    /// A fault in the row that begins at byte `at`: in one of its fields, or in all of it.
    fn fault(&self, at: usize, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let row = &self.text[at..];
        let bytes = match field {
            Some(field) => field_of(row, field),
            None => 0..row.find(['\n', '\r']).unwrap_or(row.len()),
        };
        let place = Some(excerpt(&self.name, self.text, &(at + bytes.start..at + bytes.end)));
        Diagnostic { place, message: message.to_owned(), help: help.to_owned() }
    }

    /// A fault in the first line, after empty ones.
    fn header(&self, field: Option<usize>, message: &str, help: &str) -> Diagnostic {
        let at = self.text.len() - self.text.trim_start_matches(['\n', '\r']).len();
        self.fault(at, field, message, help)
    }

    fn unreadable(&self, error: &csv::Error) -> Diagnostic {
        Diagnostic::general(format!("{} cannot be read: {error}", self.name), "expected a CSV file")
    }
}

/// The bytes of a field of the row that a text begins with, without spaces and quotes around it.
fn field_of(row: &str, field: usize) -> Range<usize> {
    let (mut start, mut number, mut is_quoted) = (0, 0, false);
    let mut end = row.len();
    for (at, byte) in row.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' | b'\n' | b'\r' if !is_quoted => {
                if number == field || byte != b',' {
                    end = at;
                    break;
                }
                number += 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    let is_outer = |character: char| character.is_whitespace() || character == '"';
    let text = &row[start..end];
    let start = start + text.len() - text.trim_start_matches(is_outer).len();
    start..(start + text.trim_matches(is_outer).len()).min(end).max(start)
}

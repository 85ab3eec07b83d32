//! Instances: the data sets that an experiment names, read and checked line by line.

use std::collections::BTreeMap;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::Fingerprint;
use evogrid_core::suggestion::nearest;

use super::Loaded;
use super::fields::{Reader, list};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{Node, NodeValue, Span, Table, excerpt, read_text};

/// The largest data set that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// Faults of one data set that are shown; a wrong file need not fill the screen.
const SHOWN: usize = 10;

/// Reads all `[[instances]]`.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &'d Table, folder: &Path, catalogue: &Catalogue) -> Vec<Loaded> {
    let Some(entry) = root.get("instances") else {
        reader.fault(&Span::start(), "there is no instance", "expected `[[instances]]` with a `problem` and a `path`");
        return Vec::new();
    };
    let NodeValue::List(items) = &entry.node.value else {
        reader.fault(&entry.key_span, "`instances` is no list of tables", "write `[[instances]]`, with two brackets");
        return Vec::new();
    };
    let mut instances: Vec<Loaded> = Vec::new();
    for item in items {
        let NodeValue::Table(table) = &item.value else {
            reader.unexpected::<()>(item, &item.value, "expected a table");
            continue;
        };
        for loaded in read_set(reader, item, table, folder, catalogue).unwrap_or_default() {
            if instances.iter().any(|other| other.id == loaded.id) {
                let message = format!("the id `{}` stands in two data sets", loaded.id);
                reader.fault(&item.span, message, "every instance of an experiment has an id of its own");
            } else {
                instances.push(loaded);
            }
        }
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
    reader.known(table, "a data set", &["problem", "path", "buckets", "ids", "limit", "box"]);
    for key in ["problem", "path"].into_iter().filter(|key| table.get(key).is_none()) {
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
    let (problem, path) = (problem?, reader.text(table, "path")?);
    if catalogue.problems.find(problem).is_none() {
        let names: Vec<&str> = catalogue.problems.declarations().map(|declared| declared.name).collect();
        let near = nearest(problem, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let help = format!("expected {}{}", list(&names), near.unwrap_or_default());
        reader.fault(&table.get("problem")?.node.span, format!("unknown problem `{problem}`"), help);
        return None;
    }
    let path_span = &table.get("path")?.node.span;
    let full = folder.join(path);
    if !full.is_file() {
        let message = format!("{} is no file", full.display());
        reader.fault(path_span, message, "the path is relative to this file");
        return None;
    }
    let mut loaded = match load(&full, problem, &options, catalogue) {
        Ok(loaded) => loaded,
        Err(diagnostics) => {
            reader.add(diagnostics);
            return None;
        }
    };
    keep(reader, &mut loaded, buckets.as_deref(), "bucket", |loaded| &loaded.bucket);
    keep(reader, &mut loaded, ids.as_deref(), "id", |loaded| &loaded.id);
    loaded.truncate(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)));
    if loaded.is_empty() {
        reader.fault(path_span, format!("{} has no instance left to run", full.display()), "check the filters");
    }
    Some(loaded)
}

/// Keeps the instances that one of the names speaks of, and complains of names that speak of none.
fn keep(
    reader: &mut Reader<'_>,
    loaded: &mut Vec<Loaded>,
    names: Option<&[(&str, &Node)]>,
    what: &str,
    field: impl Fn(&Loaded) -> &str,
) {
    let Some(names) = names else { return };
    let mut there: Vec<&str> = loaded.iter().map(&field).collect();
    there.dedup();
    for (name, node) in names.iter().filter(|(name, _)| !there.contains(name)) {
        let near = nearest(name, there.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| match there.len() {
            0..=12 => format!("expected {}", list(&there)),
            _ => "check the name".to_owned(),
        });
        reader.fault(&node.span, format!("the data set has no {what} `{name}`"), help);
    }
    loaded.retain(|loaded| names.iter().any(|(name, _)| *name == field(loaded)));
}

/// Reads a data set: a CSV file with the columns `id`, `puzzle` and, if there are buckets, `bucket`.
///
/// # Errors
/// Everything that is wrong with it, up to a bound.
pub(crate) fn load(
    path: &Path,
    problem: &str,
    options: &BTreeMap<String, String>,
    catalogue: &Catalogue,
) -> Result<Vec<Loaded>, Diagnostics> {
    let text = read_text(path, LIMIT)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let set = DataSet { name: path.display().to_string(), text };
    let member = catalogue.problems.find(problem).expect("the caller checked the problem");
    let kind = (member.build)(&evogrid_core::settings::Settings::new(), catalogue);

    let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = csv.headers().map_err(|error| set.general(&format!("cannot be read: {error}")))?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (Some(id), Some(puzzle)) = (column("id"), column("puzzle")) else {
        let found: Vec<&str> = headers.iter().collect();
        let help =
            format!("expected the columns `id`, `puzzle` and, if there are buckets, `bucket`; found {}", list(&found));
        return Err(set.fault(0, None, "a column is missing", &help).into());
    };
    let (bucket, shape) = (column("bucket"), column("box"));

    let mut loaded: Vec<Loaded> = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let mut diagnostics = Diagnostics::new();
    let mut faults = 0;
    for record in csv.records() {
        let mut fault = |diagnostic: Diagnostic| {
            faults += 1;
            if faults <= SHOWN {
                diagnostics.push(diagnostic);
            }
        };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                fault(set.general(&format!("cannot be read: {error}")));
                break;
            }
        };
        let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
        let at = at + text[at..].len() - text[at..].trim_start().len();
        if record.len() != headers.len() {
            let message = format!("the row has {} fields", record.len());
            fault(set.fault(at, None, &message, &format!("expected {} as in the first line", headers.len())));
            continue;
        }
        if record[id].is_empty() {
            fault(set.fault(at, None, "the id is empty", "every instance has an id"));
            continue;
        }
        if let Some(first) = lines.insert(record[id].to_owned(), line) {
            let message = format!("the id `{}` stands on line {first} too", &record[id]);
            fault(set.fault(at, Some(&record[id]), &message, "every instance has an id of its own"));
            continue;
        }
        let mut options = options.clone();
        if let Some(shape) = shape.filter(|&shape| !record[shape].is_empty()) {
            options.insert("box".to_owned(), record[shape].to_owned());
        }
        match kind.read(&record[puzzle], &options) {
            Ok(instance) => loaded.push(Loaded {
                id: record[id].to_owned(),
                bucket: bucket.map_or(String::new(), |bucket| record[bucket].to_owned()),
                problem: problem.to_owned(),
                content: Fingerprint::of_instance(problem, &instance.content()),
                instance,
            }),
            Err(message) => fault(set.fault(at, Some(&record[puzzle]), &format!("`{}`: {message}", &record[id]), "")),
        }
    }
    if faults > SHOWN {
        diagnostics.push(set.general(&format!("has {} more errors", faults - SHOWN)));
    }
    if loaded.is_empty() && diagnostics.is_empty() {
        diagnostics.push(set.general("has no instances"));
    }
    diagnostics.or(Some(loaded))
}

/// A data set's text, to point into.
struct DataSet<'t> {
    name: String,
    text: &'t str,
}

impl DataSet<'_> {
    /// A fault in the row that begins at byte `at`, at the first place there of `field`.
    fn fault(&self, at: usize, field: Option<&str>, message: &str, help: &str) -> Diagnostic {
        let start = field.and_then(|field| self.text[at..].find(field)).map_or(at, |offset| at + offset);
        let end = field.map_or_else(
            || self.text[at..].find(['\n', '\r']).map_or(self.text.len(), |len| at + len),
            |field| start + field.len(),
        );
        let place = Some(excerpt(&self.name, self.text, &(start..end)));
        Diagnostic { place, message: message.to_owned(), help: help.to_owned() }
    }

    fn general(&self, message: &str) -> Diagnostic {
        Diagnostic::general(format!("{} {message}", self.name), "")
    }
}

//! Best known values in a separate file: the columns `instance`, `best_known` and optionally `status` and `objective`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use evogrid_core::family::{BestKnown, Family};
use evogrid_core::suggestion::{list, one_of};

use crate::experiment::data_set::best_known::{BEST_KNOWN, BestKnownColumns, STATUS};
use crate::experiment::data_set::source::{Row, Source};
use crate::experiment::data_set::{Faults, SIZE_LIMIT};
use crate::experiment::diagnostic::Diagnostics;
use crate::experiment::document::read_text;

/// The most instances that a note names.
const NAMES_NOTED: usize = 3;

/// Best known values by instance and objective.
pub(super) struct BestKnownValues {
    values: HashMap<(String, String), BestKnown>,
    has_objectives: bool,
}

impl BestKnownValues {
    /// Reads the file at this path for instances of a family.
    pub(super) fn read(path: &Path, family: &dyn Family) -> Result<Self, Diagnostics> {
        let (name, text) = (path.display().to_string(), read_text(path, SIZE_LIMIT)?);
        let source = Source::new(&name, &text);
        let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
        let headers = csv.headers().map_err(|error| Diagnostics::from(source.unreadable(&error)))?.clone();
        let column = |name: &str| headers.iter().position(|header| header == name);
        let needed = |name: &str| {
            let help =
                "expected the columns `instance` (or `id`) and `best_known`, and optionally `status` and `objective`";
            let missing = || Diagnostics::from(source.header(None, &format!("the column {name} is missing"), help));
            let mut accepted = name.split(" or ").map(|name| name.trim_matches('`'));
            accepted.find_map(column).ok_or_else(missing)
        };
        // A data set calls the column otherwise.
        let (instance, value) = (needed("`id` or `instance`")?, needed(&format!("`{BEST_KNOWN}`"))?);
        let columns = BestKnownColumns { value, status: column(STATUS) };
        let objective = column("objective");
        let objectives: Vec<&str> = family.objectives().iter().map(|objective| &*objective.name).collect();
        let (mut values, mut faults) = (HashMap::new(), Faults::new(&name));
        for record in csv.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    faults.push(|| source.unreadable(&error));
                    break;
                }
            };
            let row = Row::new(&source, &record);
            if record.len() != headers.len() {
                faults.push(|| row.wrong_length(record.len(), headers.len()));
                continue;
            }
            let of = objective.map_or("", |objective| &record[objective]);
            if objective.is_some() && !objectives.contains(&of) {
                let help = one_of(of, &objectives);
                faults.push(|| row.fault(objective, &format!("unknown objective `{of}`"), &help));
                continue;
            }
            match columns.read(&record) {
                Ok(None) => {}
                Ok(Some(known)) => {
                    if values.insert((record[instance].to_owned(), of.to_owned()), known).is_some() {
                        let message = format!("`{}` already has a best known value", &record[instance]);
                        faults.push(|| row.fault(Some(instance), &message, "leave one out"));
                    }
                }
                Err(wrong) => faults.push(|| row.fault(Some(wrong.column), &wrong.message, &wrong.help)),
            }
        }
        faults.finish().or(Some(Self { values, has_objectives: objective.is_some() }))
    }

    /// The ids of all instances that have a value, sorted.
    pub(super) fn ids(&self) -> BTreeSet<&str> {
        self.values.keys().map(|(id, _)| id.as_str()).collect()
    }

    /// The best known value of an instance with this objective.
    pub(super) fn get(&self, instance: &str, objective: &str) -> Option<BestKnown> {
        let objective = if self.has_objectives { objective } else { "" };
        self.values.get(&(instance.to_owned(), objective.to_owned())).copied()
    }
}

/// The first few names, and the number of the others.
pub(super) fn first_names(names: &[&str]) -> String {
    let first = list(&names[..names.len().min(NAMES_NOTED)]).replace("` or `", "` and `");
    match names.len().saturating_sub(NAMES_NOTED) {
        0 => first,
        others => format!("{} and {others} more", first.replace("` and `", "`, `")),
    }
}

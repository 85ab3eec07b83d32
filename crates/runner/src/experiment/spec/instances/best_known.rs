//! Best known values in a separate file: the columns `instance`, `best_known` and optionally `status` and `objective`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use evogrid_core::family::{BestKnown, Family};
use evogrid_core::suggestion::{list, one_of};

use crate::experiment::data_set::SIZE_LIMIT;
use crate::experiment::data_set::columns::{BEST_KNOWN, BestKnownColumns, STATUS};
use crate::experiment::data_set::source::{RowFault, Source};
use crate::experiment::diagnostic::Diagnostics;
use crate::experiment::document::read_text;

/// The maximum number of instances that a note names.
const NAMES_NOTED: usize = 3;

/// Best known values by instance and objective.
pub(super) struct BestKnownValues {
    values: HashMap<(String, String), BestKnown>,
    has_objectives: bool,
}

impl BestKnownValues {
    /// Reads the file at this path for instances of a family.
    pub(super) fn read(path: &Path, family: &dyn Family) -> Result<Self, Diagnostics> {
        const HELP: &str =
            "expected the columns `instance` (or `id`) and `best_known`, and optionally `status` and `objective`";
        let (name, text) = (path.display().to_string(), read_text(path, SIZE_LIMIT)?);
        let source = Source { name: &name, text: &text };
        let (csv, headers) = source.open()?;
        let column = |name: &str| headers.iter().position(|header| header == name);
        let missing = |name: &str| source.header(None, &format!("the column {name} is missing"), HELP);
        // In a data set, the column `instance` has the name `id`.
        let instance = column("id").or_else(|| column("instance")).ok_or_else(|| missing("`id` or `instance`"))?;
        let value = column(BEST_KNOWN).ok_or_else(|| missing(&format!("`{BEST_KNOWN}`")))?;
        let columns = BestKnownColumns { value, status: column(STATUS) };
        let objective = column("objective");
        let objectives: Vec<&str> = family.objectives().iter().map(|objective| &*objective.name).collect();
        let mut values = HashMap::new();
        let diagnostics = source.each_row(csv, |_, record| {
            let of = objective.map_or("", |objective| &record[objective]);
            if objective.is_some() && !objectives.contains(&of) {
                return Err(RowFault::new(objective, format!("unknown objective `{of}`"), one_of(of, &objectives)));
            }
            let Some(known) = columns.read(record)? else { return Ok(()) };
            if values.insert((record[instance].to_owned(), of.to_owned()), known).is_some() {
                let message = format!("`{}` already has a best known value", &record[instance]);
                return Err(RowFault::new(Some(instance), message, "remove one of the two values"));
            }
            Ok(())
        });
        diagnostics.or(Some(Self { values, has_objectives: objective.is_some() }))
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

/// The first few names, and the number of the other names.
pub(super) fn first_names(names: &[&str]) -> String {
    let first = list(&names[..names.len().min(NAMES_NOTED)]).replace("` or `", "` and `");
    match names.len().saturating_sub(NAMES_NOTED) {
        0 => first,
        others => format!("{} and {others} more", first.replace("` and `", "`, `")),
    }
}

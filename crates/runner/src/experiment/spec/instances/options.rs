//! The options of a family in a set of instances.

use evogrid_core::family::{Family, Options};

use crate::experiment::document::Table;
use crate::experiment::spec::fields::Reader;
use crate::external::{CHECK, checker_fault};

/// The keys of a data set, in addition to the options of its family.
pub(in crate::experiment::spec) const SET_KEYS: [&str; 9] =
    ["problem", "path", "sha256", "generate", "best_known", "buckets", "ids", "limit", "role"];

/// Reads the options with these names. Without a known family they may belong to any, and are texts.
pub(super) fn read<'d>(
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

/// Whether a tuning tests its winner on a set instead of training on it.
pub(super) fn is_for_tests<'d>(reader: &mut Reader<'d>, table: &'d Table) -> bool {
    reader.choice(table, "role", &[("training", false), ("test", true)]).unwrap_or(false)
}

//! The options of a family in a set of instances.

use std::ops::Range;

use evogrid_core::family::{Family, Options};

use crate::experiment::document::Table;
use crate::experiment::spec::fields::Reader;
use crate::external::{CHECK, checker_fault};

/// The keys of a data set, in addition to the options of its family.
pub(in crate::experiment::spec) const SET_KEYS: [&str; 10] =
    ["problem", "path", "sha256", "generate", "best_known", "buckets", "ids", "limit", "skip", "role"];

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

/// Which instances of each bucket are chosen, by number: the first `limit` after the first `skip`; `None` for all.
pub(super) fn part(reader: &mut Reader<'_>, table: &Table) -> Option<Range<u64>> {
    let [skip, limit] = ["skip", "limit"].map(|key| reader.whole(table, key, 1, i64::MAX as u64));
    let first = skip.unwrap_or(0);
    (skip.is_some() || limit.is_some()).then(|| first..first.saturating_add(limit.unwrap_or(u64::MAX)))
}

/// Whether a tuning tests its winner on a set instead of training on it.
pub(super) fn is_for_tests<'d>(reader: &mut Reader<'d>, table: &'d Table) -> bool {
    reader.choice(table, "role", &[("training", false), ("test", true)]).unwrap_or(false)
}

//! The table `record`: whether each run leaves a trace, and of which points.

use evogrid_core::suggestion::nearest;
use evogrid_results::trace::Trigger;

use super::fields::Reader;
use crate::experiment::document::{NodeValue, Table};

/// Reads which moments of each run its trace contains; `None` without traces.
pub(super) fn read_trace<'d>(reader: &mut Reader<'d>, root: &'d Table) -> Option<Trigger> {
    const HELP: &str = "expected `none`, `improvements` or `{ every = 10 }`, a number of generations";
    let record = reader.table(root, "record")?;
    reader.known(record, "`record`", &["trace"]);
    let node = &record.get("trace")?.node;
    match &node.value {
        NodeValue::Text(name) => match name.as_str() {
            "none" => None,
            "improvements" => Some(Trigger::Improvements),
            _ => {
                let help = match nearest(name, ["none", "improvements"]) {
                    Some(near) => format!("{HELP}; did you mean `{near}`?"),
                    None => HELP.to_owned(),
                };
                reader.fault(&node.span, format!("unknown trace `{name}`"), help);
                None
            }
        },
        NodeValue::Table(table) => {
            reader.known(table, "`record.trace`", &["every"]);
            // Where there is another key, that one is complained of.
            if table.entries.is_empty() {
                reader.fault(&node.span, "`record.trace.every` is missing", HELP);
            }
            reader.whole(table, "every", 1, i64::MAX as u64).map(Trigger::Every)
        }
        other => {
            reader.fault(&node.span, format!("`trace` is {}", other.type_name()), HELP);
            None
        }
    }
}

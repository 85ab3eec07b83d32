//! The table `record`: whether each run leaves a trace, and of which points.

use evogrid_core::budget::TARGET_GAP;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::suggestion::nearest;
use evogrid_results::trace::Trigger;

use super::fields::Reader;
use super::resolved::ResolvedAlgorithm;
use crate::experiment::document::{NodeValue, Table};
use crate::experiment::instance_list::{PlannedInstance, PlannedInstances};

/// The most runs of an experiment whose improvements are recorded although its file does not ask for it: so many traces take 5 to 60 MB, as
/// measured in docs/experiment-file.md.
const DEFAULT_TRACE_LIMIT: u64 = 20_000;

/// The points that are recorded where the file does not say which: improvements, unless there are many runs, or one may end at a target.
pub(super) fn default_trace(
    instances: &PlannedInstances,
    algorithms: &[ResolvedAlgorithm],
    repetitions: u64,
    catalogue: &Catalogue,
) -> Option<Trigger> {
    let configurations = algorithms.iter().map(ResolvedAlgorithm::n_configurations).fold(0, u64::saturating_add);
    let runs = configurations.saturating_mul(instances.len() as u64).saturating_mul(repetitions);
    let may_end_at_target = || {
        let is_solved_at = |instance: &PlannedInstance<'_>| {
            let objective = catalogue.family(instance.problem).and_then(|family| family.objective(instance.text));
            objective.is_none_or(|objective| objective.solved.is_some())
        };
        let targets = ["target", TARGET_GAP];
        algorithms.iter().any(|algorithm| targets.iter().any(|target| algorithm.has_limit(target)))
            || instances.iter().any(|instance| is_solved_at(&instance))
    };
    (runs <= DEFAULT_TRACE_LIMIT && !may_end_at_target()).then_some(Trigger::Improvements)
}

/// Reads which moments of each run its trace contains; `None` without traces.
pub(super) fn read_trace<'d>(reader: &mut Reader<'d>, record: &'d Table) -> Option<Trigger> {
    const HELP: &str = "expected `none`, `improvements` or `{ every = 10 }`, a number of generations";
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

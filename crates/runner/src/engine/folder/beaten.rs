//! Reports solutions that are better than their instance's best known value. If the best known value is not proven optimal, the objective
//! of the better solution is a new best value. If the best known value is proven optimal, a solution that is better than this value is
//! reported as an error.

use std::collections::BTreeMap;

use evogrid_core::family::{BestKnown, BestKnownStatus, Direction};
use evogrid_core::identity::RunId;
use evogrid_results::RunOutcome;

use crate::experiment::plan::{Plan, Run};

/// The maximum number of instances that messages name.
const INSTANCES_NAMED: usize = 10;

/// The runs whose objective is better than the best known value of their instance.
#[derive(Debug, Default)]
pub struct BeatenValues {
    /// The best run on each instance, by the number of the instance: its id, its objective, and the best known value.
    best: BTreeMap<usize, (RunId, f64, BestKnown)>,
}

impl BeatenValues {
    /// Records a run that is better than the best known value of its instance.
    pub(crate) fn add(&mut self, plan: &Plan, run: &Run, outcome: &RunOutcome) {
        let Some((objective, known)) = outcome.objective.zip(plan.instance(run).best_known) else { return };
        let is_better = |&(_, value, _): &(_, f64, _)| BestKnown { value, ..known }.is_beaten_by(objective);
        if known.is_beaten_by(objective) && self.best.get(&run.instance).is_none_or(is_better) {
            self.best.insert(run.instance, (run.id, objective, known));
        }
    }

    /// Returns a line for each instance on which a run found a better value than the best known value. Only best known values with the
    /// status `status` are considered. For [`BestKnownStatus::Best`], the line reports a new best value. For [`BestKnownStatus::Optimal`],
    /// the line reports an error.
    pub fn lines(&self, plan: &Plan, status: BestKnownStatus) -> Vec<String> {
        let of_status = || self.best.iter().filter(|(_, (.., known))| known.status == status);
        let line = |(&number, (run, objective, known)): (&usize, &(RunId, f64, BestKnown))| {
            let found = format!("{run} found {objective} on {}", plan.spec().instances.get(number).id);
            match status {
                BestKnownStatus::Optimal => format!("error: {}", beyond_optimum(&found, *known)),
                BestKnownStatus::Best => {
                    format!("new best value: {found}; the best known value was {}", known.value)
                }
            }
        };
        let mut lines: Vec<String> = of_status().take(INSTANCES_NAMED).map(line).collect();
        let more = of_status().count().saturating_sub(INSTANCES_NAMED);
        if more > 0 {
            lines.push(format!("  the same message applies to {more} more instances"));
        }
        lines
    }
}

/// Returns the error message for a solution that is better than a proven optimum. Either the optimum or the objective must be wrong.
pub fn beyond_optimum(what: &str, known: BestKnown) -> String {
    let side = match known.direction {
        Direction::Minimise => "below",
        Direction::Maximise => "above",
    };
    format!(
        "{what}; an objective {side} the optimum {} is impossible: the optimum or the objective is wrong",
        known.value
    )
}

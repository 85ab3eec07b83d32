//! `runner check`: checks an experiment without running it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use rayon::prelude::*;
use serde_json::json;

use crate::arguments::ExperimentArgs;
use crate::commands::arguments::{jobs, load_plan, print_plan_notes};
use crate::messages::{counted, list, print, rendered, wrapped_line};
use evogrid_runner::engine::memory;
use evogrid_runner::experiment::spec::Spec;

/// The time limit of the search for instances without a solution, or with several solutions.
const DEFECTS_TIME: Duration = Duration::from_secs(10);

/// A message names at most this many instances with the same defect.
const INSTANCES_NAMED: usize = 5;

/// Checks an experiment and all files that it names.
pub(crate) fn check(args: &ExperimentArgs, catalogue: Catalogue) -> Result<()> {
    let plan = load_plan(args, catalogue)?;
    print_plan_notes(&plan);
    memory::warn(&plan, jobs(None));
    let spec = plan.spec();
    warn_of_defects(spec, plan.catalogue());
    print(&format!(
        "{} is valid: {}, {}, {} each\n",
        args.experiment.display(),
        counted(spec.algorithms.len() as u64, "algorithm"),
        counted(spec.instances.len() as u64, "instance"),
        counted(spec.repetitions, "repetition"),
    ))?;
    Ok(())
}

/// Reports instances that have no solution, or several solutions. An experiment may intentionally contain such instances.
fn warn_of_defects(spec: &Spec, catalogue: &Catalogue) {
    let deadline = Instant::now() + DEFECTS_TIME;
    let instances = &spec.instances;
    // `None` if the time is over.
    let look = |number: usize| {
        let defect = || instances.get(number).restore(catalogue).ok()?.1.defect();
        (Instant::now() < deadline).then(defect)
    };
    let found: Vec<Option<Option<&str>>> = (0..instances.len()).into_par_iter().map(look).collect();
    let n_unknown = found.iter().filter(|found| found.is_none()).count() as u64;
    let mut defective: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (number, defect) in found.into_iter().enumerate() {
        defect
            .flatten()
            .into_iter()
            .for_each(|defect| defective.entry(defect).or_default().push(instances.get(number).id));
    }
    let defective = defective.into_iter().map(|(defect, ids)| {
        let named = list(&ids[..ids.len().min(INSTANCES_NAMED)]).replace("` or `", "` and `");
        json!({ "defect": defect, "n": ids.len(), "named": named })
    });
    let values = json!({
        "defective": defective.collect::<Vec<_>>(),
        "most_named": INSTANCES_NAMED,
        "n_unknown": n_unknown,
    });
    rendered!("check/defects.txt", values).lines().for_each(wrapped_line);
}

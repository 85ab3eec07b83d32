//! The path from the default configuration to the winner shows which settings made the difference (C. Fawcett and H. H. Hoos, "Analysing
//! differences between algorithm configurations through ablation", Journal of Heuristics 22, 2016).

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;

use super::plans::{part_of, plan_of};
use super::race_runs::Tuner;
use crate::engine::carry_out::{ExperimentOptions, attempt};
use crate::engine::execute::Tally;
use crate::engine::folder::outputs::Folder;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{AlgorithmSpec, Spec};

/// A step on the path from the default configuration to the winner. In each step, one more setting gets the winner's value. The step
/// chooses the setting that improves the cost most.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The name of the setting that gets the winner's value in this step. The name is empty for the first step, the default configuration.
    /// Some settings have an effect only with certain values of this setting. The step also gives the winner's values to these settings.
    pub setting: String,
    /// The mean cost of the runs with the configuration of this step. The value is `None` if all runs failed.
    pub cost: Option<f64>,
    /// The number of failed runs. The mean cost does not include failed runs.
    pub n_failed: u64,
    /// The number of runs.
    pub n_runs: u64,
}

/// Does the runs of the path in their own folder. Each step tries all settings that still differ, each with `n_runs` runs, and keeps the
/// best setting. The path ends when all settings are the winner's settings. The runs have other seeds than the race, so that the winner's
/// luck in the race does not count.
///
/// # Errors
/// The errors of [`attempt`].
pub(super) fn walk(
    tuner: &Tuner,
    (winner, n_runs): (usize, u64),
    (spec, catalogue): (&Spec, &Arc<Catalogue>),
    folder: PathBuf,
    (options, tally): (&ExperimentOptions<'_>, &mut Tally),
) -> Result<Vec<PathStep>> {
    let folder = Folder::new(folder);
    let options = ExperimentOptions { quiet: true, ..options.within(&folder) };
    let chosen = &tuner.instances[..tuner.instances.len().min(usize::try_from(n_runs).unwrap_or(usize::MAX))];
    let instances = part_of(tuner.plan.spec(), |number| chosen.contains(&number));
    let like = Spec { repetitions: n_runs.div_ceil(chosen.len() as u64), ..spec.like() };
    let name = format!("{}-path", spec.name);
    let mut open = tuner.differences(winner);
    let mut taken: Vec<String> = Vec::new();
    let mut algorithms: Vec<AlgorithmSpec> = vec![tuner.algorithm_of(0)];
    let mut steps: Vec<PathStep> = Vec::new();
    loop {
        let first = algorithms.len() - usize::from(steps.is_empty());
        for setting in &open {
            let with: Vec<String> = taken.iter().chain([setting]).cloned().collect();
            algorithms.push(tuner.mixed(winner, &with));
        }
        let plan = plan_of(&like, (&name, spec.seed + 1), instances.clone(), algorithms.clone(), catalogue)?;
        let plan = Arc::new(plan);
        attempt(&plan, &options, tally)?;
        let mut found = costs(tuner, &plan, &folder, first, &options)?.into_iter();
        if steps.is_empty() {
            steps.extend(found.next());
        }
        let better = |one: &(usize, PathStep), other: &(usize, PathStep)| {
            let key = |step: &PathStep| (step.n_failed as f64 / step.n_runs.max(1) as f64, step.cost.unwrap_or(0.0));
            let ((failures, cost), (other_failures, other_cost)) = (key(&one.1), key(&other.1));
            failures.total_cmp(&other_failures).then(cost.total_cmp(&other_cost))
        };
        let Some((at, step)) = found.enumerate().min_by(better) else { return Ok(steps) };
        let setting = open.remove(at);
        taken.push(setting.clone());
        steps.push(PathStep { setting, ..step });
        if open.is_empty() {
            return Ok(steps);
        }
    }
}

/// The costs of the runs of each algorithm of a plan, beginning with the algorithm number `first`.
fn costs(
    tuner: &Tuner,
    plan: &Arc<Plan>,
    folder: &Folder,
    first: usize,
    options: &ExperimentOptions<'_>,
) -> Result<Vec<PathStep>> {
    let index = folder.index(options.signals)?;
    let none = PathStep { setting: String::new(), cost: None, n_failed: 0, n_runs: 0 };
    let mut steps = vec![none; plan.spec().algorithms.len() - first];
    for run in plan.runs().filter(|run| run.configuration_number >= first as u64) {
        let Some(found) = index.skim(run.id)? else { continue };
        let cost = tuner.rule.cost((plan, &run), found.outcome)?.value;
        let step = &mut steps[run.configuration_number as usize - first];
        step.n_runs += 1;
        match cost.is_finite() {
            true => step.cost = Some(step.cost.unwrap_or(0.0) + cost),
            false => step.n_failed += 1,
        }
    }
    for step in &mut steps {
        step.cost = step.cost.map(|sum| sum / (step.n_runs - step.n_failed) as f64);
    }
    Ok(steps)
}

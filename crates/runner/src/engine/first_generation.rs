//! Warnings about settings that are probably mistakes. A limit of evaluations may be too low, for example below the population size. With
//! such a limit, runs may end within their first generation. Short trial runs detect a limit of evaluations that is too low. A time limit
//! may be too long, for example because the user meant milliseconds. Iterated greedy may have to remove more elements than a solution has.
//! Tabu search may return to the same solutions for ever. If the budget has no limit that ends a trial, the limit `restarts` may have no
//! effect.

use std::time::{Duration, Instant};

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::family::Instance;
use evogrid_core::search::local_algorithm::LocalAlgorithm;
use evogrid_core::suggestion::list;

use crate::engine::execute::solve;
use crate::engine::memory::largest_instances;
use crate::engine::progress::wrapped_line;
use crate::experiment::plan::{Plan, Projection};
use crate::experiment::settings_on_instance::budget_on;
use crate::system::numbers::duration;

/// The time limit for all trial runs.
const TRIAL_TIME: Duration = Duration::from_secs(2);

/// The maximum number of bytes that a trial run may need.
const MEMORY_LIMIT: u64 = 256_000_000;

/// A limit in seconds that is at least this large may have been meant in milliseconds.
const LONG_TIME: f64 = 1000.0;

/// The maximum number of configurations whose numbers of removed elements are checked.
const MAX_CONFIGURATIONS: usize = 1000;

/// Warns the user about algorithms that use all their evaluations within the first generation. The function also warns if an algorithm may
/// run for hours, or may repeat the same solutions for ever. If a setting is varied, only its first value is checked.
pub fn warn(plan: &Plan) {
    let deadline = Instant::now() + TRIAL_TIME;
    let instances = largest_instances(plan, deadline);
    let problems = plan.spec().instances.problems();
    note_removals(plan, &instances);
    note_restarts(plan);
    for algorithm in &plan.spec().algorithms {
        let name = &algorithm.spec().name;
        let Some(configuration) = plan.first_configuration(name) else { continue };
        // The default of `forced_after` cannot change: folders of version 0.2.0 have runs without this setting.
        if let Algorithm::Local(LocalAlgorithm::Tabu(tabu)) = &configuration.projections[0].search
            && tabu.forced_after.is_none()
        {
            wrapped_line(&format!(
                "note: `{name}` has no value for `forced_after`. On structured instances, the search may return to the \
                 same local optimum for ever; `forced_after = 5` prevents this"
            ));
        }
        let limits_on = |number: usize, instance: &dyn Instance| {
            let family = plan.catalogue().family(problems[number])?;
            Some(budget_on(&configuration.projections[number].settings, family, instance))
        };
        let long = instances.iter().find_map(|(id, number, instance)| {
            let limits = limits_on(*number, instance.as_ref())?;
            let seconds = limits.seconds.or(limits.cpu_seconds).filter(|seconds| *seconds >= LONG_TIME)?;
            Some(format!("{seconds} s ({}) on {id}", duration(seconds)))
        });
        if let Some(long) = long {
            wrapped_line(&format!(
                "note: a run of `{name}` may take {long}: check the time limit (its unit is seconds)"
            ));
        }
        let found = instances.iter().find_map(|(id, number, instance)| {
            let projection = &configuration.projections[*number];
            // Only the searches of the core count generations. Other searches may start programs.
            let is_known =
                !matches!(projection.search, Algorithm::Exact(_) | Algorithm::Custom(_) | Algorithm::Portfolio(_));
            let limits = limits_on(*number, instance.as_ref())?;
            // A limit of one evaluation is intended: it evaluates the start only.
            let limit = limits.evaluations.filter(|&limit| is_known && limit > 1)?;
            let prepared = instance.prepare(&projection.settings);
            prepared.memory(&projection.search).filter(|bytes| *bytes < MEMORY_LIMIT)?;
            let seconds = deadline.saturating_duration_since(Instant::now()).as_secs_f64();
            let budget = Budget { generations: Some(1), restarts: 0, seconds: Some(seconds), ..limits };
            let tried = solve(instance.as_ref(), &projection.settings, &projection.search, &budget, 0, &mut ());
            let (outcome, _) = tried.ok()?;
            (outcome.stop == Stop::Evaluations && outcome.generations == 0).then_some((id, limit))
        });
        if let Some((id, limit)) = found {
            wrapped_line(&format!(
                "warning: the first generation of `{name}` on {id} already uses all {limit} evaluations"
            ));
        }
    }
}

/// Reports that restarts never happen, if the trials of all algorithms end only at a limit that the budget does not have. If only some
/// algorithms are concerned, the setting may be meant for the other algorithms.
fn note_restarts(plan: &Plan) {
    let never_restarts = |name: &&str| {
        let Some(configuration) = plan.first_configuration(name) else { return false };
        let Projection { settings, search, .. } = &configuration.projections[0];
        let budget = settings.table("budget");
        let goes_on = matches!(
            search,
            Algorithm::Genetic(_)
                | Algorithm::SteadyState(_)
                | Algorithm::Memetic(_)
                | Algorithm::Local(LocalAlgorithm::IteratedLocalSearch(_) | LocalAlgorithm::Tabu(_))
        );
        let is_ended = ["generations", "stagnation"].iter().any(|limit| budget.get(limit).is_some());
        goes_on && !is_ended && budget.count("restarts") > 0
    };
    let names = plan.spec().algorithms.iter().map(|algorithm| algorithm.spec().name.as_str());
    let names: Vec<&str> = names.filter(never_restarts).collect();
    if names.len() == plan.spec().algorithms.len() {
        wrapped_line(&format!(
            "note: `restarts` has no effect on {}: only `generations` or `stagnation` end a trial, and the budget sets \
             neither",
            list(&names).replace("` or `", "` and `")
        ));
    }
}

/// Reports settings with which iterated greedy should remove more elements than the largest instance has. The search then removes all
/// elements, so all these values give the same search.
fn note_removals(plan: &Plan, instances: &[(String, usize, Box<dyn Instance>)]) {
    for configuration in plan.configurations().take(MAX_CONFIGURATIONS) {
        for (id, number, instance) in instances {
            let projection = &configuration.projections[*number];
            let Algorithm::Local(LocalAlgorithm::IteratedGreedy(greedy)) = &projection.search else { continue };
            let one = Budget { evaluations: Some(1), ..Budget::default() };
            let tried = solve(instance.as_ref(), &projection.settings, &projection.search, &one, 0, &mut ());
            let Ok((outcome, _)) = tried else { continue };
            let (removed, n_elements) = (greedy.removed, outcome.best_genome.len());
            if n_elements > 0 && removed > n_elements {
                wrapped_line(&format!(
                    "note: `removed = {removed}` of `{}` exceeds the {n_elements} elements of {id}: the search uses \
                     `removed = {n_elements}`",
                    configuration.algorithm
                ));
            }
        }
    }
}

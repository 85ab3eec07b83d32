//! The cost of a run: the number that a configurator or race minimises.

use evogrid_analysis::metric::{Metric, Subject};
use evogrid_analysis::samples::Samples;
use evogrid_core::settings::Value;
use evogrid_results::RunOutcome;

use crate::engine::execute::has_target;
use crate::experiment::plan::{Plan, Run};

/// The rule that gives the cost of a run.
#[derive(Clone, Copy, Debug)]
pub struct CostRule {
    /// The metric; times are in seconds.
    pub metric: Metric,
    /// The penalty factor. The cost of an unsolved run is its work times this factor. The factor is used if the metric is the work until a
    /// solution.
    pub penalty: f64,
    /// An additional limit of processor time, in seconds. If the settings of the run also limit the processor time, the longer limit
    /// counts.
    pub cpu_limit: Option<f64>,
}

/// The error for a run that has no cost.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{name}` cannot be the cost: the run has no value of this metric")]
pub struct NoCost {
    name: &'static str,
    /// The reason why a run may have no value, or `None` if unknown.
    pub reason: Option<&'static str>,
}

/// The cost of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The cost; infinite if the run failed.
    pub value: f64,
    /// Whether the cost is the penalty of an unsolved run.
    pub is_penalty: bool,
}

impl CostRule {
    /// The cost of a run of a plan.
    ///
    /// # Errors
    /// If the metric does not apply to the run.
    pub fn cost(&self, (plan, run): (&Plan, &Run), outcome: RunOutcome) -> Result<Cost, NoCost> {
        if outcome.has_failed() {
            return Ok(Cost { value: f64::INFINITY, is_penalty: false });
        }
        let samples = Samples::of_run(&plan.row(run, outcome));
        let sample = &samples.runs[0];
        let declared = self.metric.declaration();
        let in_unit = |figure: f64| if declared.unit == "ms" { seconds(figure) } else { figure };
        let is_work = matches!(declared.subject, Subject::Work | Subject::PenalisedWork);
        let is_unsolved = is_work && sample.outcome.solved == Some(false);
        if let (Subject::Work, true, Some((work, _))) =
            (declared.subject, is_unsolved, self.metric.observed_time(&samples, sample))
        {
            let own = plan.settings(run).at("budget.cpu_seconds").and_then(Value::as_real);
            let limit = [self.cpu_limit, own].into_iter().flatten().reduce(f64::max).filter(|limit| *limit > 0.0);
            let limit = limit.filter(|_| self.metric == Metric::CpuMs);
            return Ok(Cost { value: self.penalty * limit.unwrap_or_else(|| in_unit(work)), is_penalty: true });
        }
        let cost =
            self.metric.cost(&samples, sample).ok_or(NoCost { name: declared.name, reason: declared.silence })?;
        // Adding zero turns -0 into 0.
        Ok(Cost { value: in_unit(cost) + 0.0, is_penalty: is_unsolved })
    }
}

/// The default metric of tables for the runs of a plan. `is_judged` says whether `solved` is known for at least one run.
pub fn default_metric(plan: &Plan, is_judged: bool) -> Metric {
    let spec = plan.spec();
    let gaps = spec.instances.iter().map(|instance| instance.best_known.is_some_and(|known| known.value != 0.0));
    let (has_gaps, lacks) = gaps.fold((false, false), |(has, lacks), gap| (has || gap, lacks || !gap));
    let has_target = |algorithm: &str| {
        let mut runs = (0..spec.instances.len()).filter_map(|instance| plan.seeded_run(algorithm, instance, 0));
        runs.any(|run| has_target(plan, &run) == Some(true))
    };
    let mut names = spec.algorithms.iter().map(|algorithm| algorithm.spec().name.as_str());
    Metric::by_default(is_judged || names.any(has_target), has_gaps, lacks)
}

/// Converts milliseconds to seconds, rounded to microseconds.
pub fn seconds(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e6
}

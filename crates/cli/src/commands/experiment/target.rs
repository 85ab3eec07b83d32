//! `runner target`: does one run for an algorithm configurator.

mod call;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use evogrid_analysis::metric::Metric;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;

use crate::arguments::{TargetArgs, TargetStyle};
use crate::messages::{UsageError, in_one_line, line, list, nearest, one_of, print_as_it_is};
use call::{Answer, Call};
use evogrid_runner::engine::execute::perform;
use evogrid_runner::engine::run_cost::{CostRule, NoCost, default_metric, seconds};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::Document;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::space::Values;
use evogrid_runner::experiment::spec::{ResolvedAlgorithm, Spec, TABLE_NAMES};
use evogrid_runner::external::faults;

/// Does the run that a configurator requests, and prints the cost of the run. The cost of a configuration that fails is infinite. An
/// invalid call is an error, which ends the configurator.
pub(crate) fn target(args: &TargetArgs, catalogue: Catalogue) -> Result<ExitCode> {
    Signals::end_process(|| ())?;
    let call = Call::read(args.style, &args.arguments)?;
    let metric = args.metric.as_deref().map(Metric::of_name).transpose().map_err(|help| {
        UsageError(format!("unknown metric `{}`\n  {help}", args.metric.as_deref().unwrap_or_default()))
    })?;
    let answer = match load(args, &call, &catalogue)? {
        Ok(spec) => run(args, &call, metric, &Plan::new(spec, Arc::new(catalogue)))?,
        Err(diagnostics) => {
            explain(args.style, diagnostics.to_string().trim_end());
            Answer { cost: None, is_timeout: false, seconds: 0.0, evaluations: 0, stop: Stop::Failed.to_string() }
        }
    };
    print_as_it_is(&answer.text(args.style, args.time, &call))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints why there is no cost. For irace nothing is printed, since irace reads standard error as part of the answer.
fn explain(style: TargetStyle, reason: &str) {
    if style != TargetStyle::Irace {
        line(reason);
    }
}

/// Loads the experiment with the settings of a call. Returns the faults if each setting is valid but their combination is not.
///
/// # Errors
/// If the experiment is invalid, or if a setting does not exist or cannot have its value.
fn load(args: &TargetArgs, call: &Call, catalogue: &Catalogue) -> Result<Result<Spec, Diagnostics>, Diagnostics> {
    let with = |settings: &[String]| {
        let given = settings.iter().map(|setting| placed(setting, args.algorithm.as_deref()));
        let sets: Vec<String> = args.experiment.sets.iter().cloned().chain(given).collect();
        load_without_designs(&args.experiment.experiment, &sets, catalogue)
    };
    match with(&call.settings) {
        Ok(mut spec) => {
            remove_idle_parameters(&mut spec, catalogue);
            Ok(Ok(spec))
        }
        // Faults that the experiment has without the call are not faults of the call.
        Err(faults) if faults.are_misfits() && !with(&[]).is_err_and(|faults| faults.are_misfits()) => Ok(Err(faults)),
        Err(faults) => Err(faults),
    }
}

/// Loads an experiment without its designs, since a configurator chooses the points of the space.
pub(super) fn load_without_designs(path: &Path, sets: &[String], catalogue: &Catalogue) -> Result<Spec, Diagnostics> {
    let document = Document::read(path)?.without_designs();
    Spec::from_document(document, path.parent().unwrap_or(Path::new("")), sets, catalogue)
}

/// Removes the parameters of external programs that have no effect under the other settings, unless the call sets them.
fn remove_idle_parameters(spec: &mut Spec, catalogue: &Catalogue) {
    let problems = spec.instances.problems();
    for algorithm in &mut spec.algorithms {
        let mut own = algorithm.spec().clone();
        for dimension in own.space.dimensions.iter().filter(|dimension| dimension.path.starts_with("parameters.")) {
            let Some(condition) = &dimension.condition else { continue };
            let above = &own.space.dimensions[condition.dimension];
            let value = own.base.at(&above.path);
            let is_given = |choice: &usize| match &above.values {
                Values::Choices(choices) => value.is_some_and(|value| choices[*choice].plain() == value.plain()),
                _ => false,
            };
            if !condition.choices.iter().any(is_given) {
                own.base.remove_at(&dimension.path);
            }
        }
        if own.base != algorithm.spec().base
            && let Ok(resolved) = ResolvedAlgorithm::new(own, catalogue, &problems, faults)
        {
            *algorithm = resolved;
        }
    }
}

/// Places a setting `PATH=VALUE` below the algorithm, unless the path begins with a table of the experiment.
fn placed(setting: &str, algorithm: Option<&str>) -> String {
    let root = setting.split(['.', '=']).next().unwrap_or_default();
    match algorithm {
        Some(name) if !TABLE_NAMES.contains(&root) => format!("algorithms.\"{name}\".{setting}"),
        _ => setting.to_owned(),
    }
}

fn run(args: &TargetArgs, call: &Call, metric: Option<Metric>, plan: &Plan) -> Result<Answer, UsageError> {
    let algorithm = &algorithm(args.algorithm.as_deref(), plan)?.spec().name;
    let instance = instance(call, plan)?;
    let run = plan.seeded_run(algorithm, instance, call.seed).expect("the algorithm has one configuration");
    let record = perform(plan, &run, |budget| Budget {
        cpu_seconds: smaller(budget.cpu_seconds, call.cpu_seconds),
        evaluations: smaller(budget.evaluations, call.evaluations),
        ..budget
    });
    let outcome = &record.outcome;
    let (cost, is_timeout) = match &record.message {
        Some(message) => {
            explain(args.style, &format!("the run failed: {}", in_one_line(message)));
            (None, false)
        }
        None => {
            let metric = metric.unwrap_or_else(|| match default_metric(plan, outcome.solved.is_some()) {
                Metric::Solved => Metric::CpuMs,
                other => other,
            });
            let rule = CostRule { metric, penalty: args.penalty, cpu_limit: call.cpu_seconds };
            let no_cost = |error: NoCost| {
                let reason = error.reason.map_or_else(String::new, |reason| format!("{reason}; "));
                UsageError(format!("{error}\n  {reason}choose another metric with `--metric`"))
            };
            let cost = rule.cost((plan, &run), *outcome).map_err(no_cost)?;
            (Some(cost.value), cost.is_penalty)
        }
    };
    Ok(Answer {
        is_timeout: is_timeout || !cost.is_some_and(f64::is_finite) && outcome.stop == Stop::Time,
        cost: cost.filter(|cost| cost.is_finite()),
        seconds: seconds(outcome.cpu_ms.unwrap_or(outcome.wall_ms)),
        evaluations: outcome.evaluations,
        stop: outcome.stop.to_string(),
    })
}

/// The smaller of two limits. Each limit may be absent.
fn smaller<T: PartialOrd>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).reduce(|one, other| if other < one { other } else { one })
}

/// The algorithm to tune: the algorithm with this name, or the only algorithm of the experiment. This algorithm must have exactly one
/// configuration.
pub(super) fn algorithm<'p>(named: Option<&str>, plan: &'p Plan) -> Result<&'p ResolvedAlgorithm, UsageError> {
    let algorithms = &plan.spec().algorithms;
    let names: Vec<&str> = algorithms.iter().map(|algorithm| algorithm.spec().name.as_str()).collect();
    let found = match named {
        Some(name) => algorithms.iter().find(|algorithm| algorithm.spec().name == name).ok_or_else(|| {
            UsageError(format!("the experiment does not have the algorithm `{name}`\n  {}", one_of(name, &names)))
        })?,
        None if algorithms.len() == 1 => &algorithms[0],
        None => {
            let message = format!("the experiment has {} algorithms", algorithms.len());
            return Err(UsageError(format!("{message}\n  choose one with `--algorithm`: {}", list(&names))));
        }
    };
    let spec = found.spec();
    if found.n_configurations() == 1 {
        return Ok(found);
    }
    let varied: Vec<&str> = spec.paths().map(String::as_str).collect();
    let message = format!("the algorithm `{}` has {} configurations", spec.name, found.n_configurations());
    let help = "give each of these settings one value, with the configurator or with `--set`";
    Err(UsageError(format!("{message}\n  {help}: {}", list(&varied))))
}

/// The place of the instance that a call names, by the id of the instance or by the path of a file with the same name.
fn instance(call: &Call, plan: &Plan) -> Result<usize, UsageError> {
    let instances = &plan.spec().instances;
    let place = |id: &str| instances.iter().position(|instance| instance.id == id);
    let Some(named) = &call.instance else {
        let message = format!("the call names no instance, although the experiment has {} instances", instances.len());
        let error = UsageError(message + "\n  expected the id of an instance");
        return if instances.len() == 1 { Ok(0) } else { Err(error) };
    };
    let stem = || place(Path::new(named).file_stem()?.to_str()?);
    place(named).or_else(stem).ok_or_else(|| {
        let help = match nearest(named, instances.iter().map(|instance| instance.id)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the experiment has {} instances; the first is `{}`", instances.len(), instances.get(0).id),
        };
        UsageError(format!("the experiment does not have the instance `{named}`\n  {help}"))
    })
}

//! `runner space`: the space of an algorithm in the files of another tuner, which calls `runner target`.

mod described;

use std::iter::successors;
use std::path::Path;

use anyhow::{Result, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};
use evogrid_results::files::{FilePlace, replace};
use serde_json::json;

use super::slurm::{absolute, program_path};
use super::target::{algorithm, load_without_designs};
use crate::arguments::{SpaceArgs, SpaceStyle};
use crate::messages::{UsageError, line, print, print_as_it_is, rendered, shell_text};
use described::DescribedSpace;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::space::{Dimension, Values};
use evogrid_runner::experiment::spec::AlgorithmSpec;

const INSTANCES: &str = "{% for id in ids %}{{ id }}\n{% endfor %}";
const PARAMETERS: &str = include_str!("space/parameters.txt");
const FORBIDDEN: &str = include_str!("space/forbidden.txt");
const CONFIGURATIONS: &str = include_str!("space/configurations.txt");
const SCENARIO: &str = include_str!("space/scenario.txt");
const TARGET_RUNNER: &str = include_str!("space/target-runner.sh");
const CONFIG_SPACE: &str = include_str!("space/space.json");
const SMAC: &str = include_str!("space/smac.py");
const OPTUNA: &str = include_str!("space/optuna.py");
const NEXT_STEPS: &str = include_str!("space/next_steps.txt");

/// Prints the space for a tuner, or writes all files that the tuner needs into a folder.
pub(crate) fn space(args: &SpaceArgs, catalogue: Catalogue) -> Result<()> {
    let spec = load_without_designs(&args.experiment.experiment, &args.experiment.sets, &catalogue)?;
    let plan = Plan::new(spec, catalogue);
    let tune = plan.spec().tune.as_ref();
    let named = args.algorithm.as_deref().or(tune.map(|tune| tune.algorithm.as_str()));
    let spec = algorithm(named, &plan)?.spec();
    let space = &spec.space;
    if space.is_empty() {
        let help = "write what may vary into `[algorithms.NAME.space]`, for example `removed = { from = 1, to = 8 }`";
        return Err(UsageError(format!("the algorithm `{}` has no space\n  {help}", spec.name)).into());
    }
    let described = DescribedSpace::new(space, &defaults(spec, &plan));
    if !described.outside.is_empty() {
        let outside = described.outside.join(", ");
        line(&format!("note: the configuration without a tuner is not in the space: {outside}"));
    }

    let (tuner, style, files) = files(args.style, &described);
    let is_test = |number: usize| plan.spec().test_instances.iter().any(|range| range.contains(&number));
    let training = plan.spec().instances.iter().enumerate().filter(|(number, _)| !is_test(*number));
    let ids = training.map(|(_, instance)| instance.id);
    let is_irace = style == "irace";
    let ids: Vec<String> = ids.map(|id| if is_irace { shell_text(id) } else { id.to_owned() }).collect();
    let title = if plan.spec().title.is_empty() { &plan.spec().name } else { &plan.spec().title };
    let metric = tune.and_then(|tune| tune.metric).map(|metric| metric.declaration().name.to_owned());
    let out = args.out.as_deref();
    let mut values = json!({
        "algorithm": spec.name,
        "experiment": args.experiment.experiment,
        "folder": absolute(Path::new("."))?,
        "ids": ids,
        "is_four": args.style == SpaceStyle::Irace,
        "metric": args.metric.clone().or(metric),
        "out": out,
        "n_runs": tune.map_or(1000, |tune| tune.budget),
        "program": program_path()?,
        "sets": args.experiment.sets,
        "space": described,
        "style": style,
        "title": title,
        "tuner": tuner,
    });
    let Some(out) = out else {
        return Ok(print_as_it_is(&rendered(files[0].0, files[0].1, &values))?);
    };
    ensure!(
        std::fs::symlink_metadata(out).is_err(),
        UsageError(format!("`{}` already exists\n  choose another folder with `--out`", out.display()))
    );
    for (name, template) in &files {
        let text = rendered(name, template, &values);
        replace(FilePlace::in_subfolder(&out.join(name)), |file| -> Result<()> {
            Ok(file.write_all(text.as_bytes())?)
        })?;
    }
    values["written"] = json!(files.iter().map(|(name, _)| name).collect::<Vec<_>>());
    Ok(print(&rendered("next_steps.txt", NEXT_STEPS, values))?)
}

/// A file's name and its template.
type NamedTemplate = (&'static str, &'static str);

/// The name of a tuner, the style in which it calls `target`, and its files, the space first.
fn files(style: SpaceStyle, space: &DescribedSpace) -> (&'static str, &'static str, Vec<NamedTemplate>) {
    let common = [("instances.txt", INSTANCES), ("target-runner", TARGET_RUNNER)];
    let (tuner, called, own) = match style {
        SpaceStyle::Irace | SpaceStyle::Irace3 => {
            let mut own = vec![("parameters.txt", PARAMETERS), ("scenario.txt", SCENARIO)];
            own.extend(space.outside.is_empty().then_some(("configurations.txt", CONFIGURATIONS)));
            let is_apart = style == SpaceStyle::Irace3 && !space.forbidden.is_empty();
            own.extend(is_apart.then_some(("forbidden.txt", FORBIDDEN)));
            ("irace", "irace", own)
        }
        SpaceStyle::Configspace => ("SMAC3", "smac", vec![("space.json", CONFIG_SPACE), ("tune.py", SMAC)]),
        SpaceStyle::Optuna => ("Optuna", "smac", vec![("space.py", OPTUNA)]),
    };
    (tuner, called, own.into_iter().chain(common).collect())
}

/// The value of each dimension without a tuner; of one without effect, its value under the first of the choices that give it one.
fn defaults(spec: &AlgorithmSpec, plan: &Plan) -> Vec<Option<Value>> {
    let dimensions = &spec.space.dimensions;
    let problems = plan.spec().instances.list().problems();
    let base = spec.settings(&vec![0; spec.axes.len()]);
    let value = |settings: &Settings, path: &str| plan.catalogue().resolve(settings, &problems).ok()?.at(path).cloned();
    let default = |dimension: &Dimension| {
        let conditions =
            successors(dimension.condition.as_ref(), |above| dimensions[above.dimension].condition.as_ref());
        let mut settings = base.clone();
        // An operator comes before what is within it.
        for condition in conditions.collect::<Vec<_>>().into_iter().rev() {
            let above = &dimensions[condition.dimension];
            if let Values::Choices(choices) = &above.values {
                let mut over = Settings::new();
                over.set_at(&above.path, choices[condition.choices[0]].clone());
                settings.overlay(&over);
            }
        }
        value(&base, &dimension.path).or_else(|| value(&settings, &dimension.path))
    };
    dimensions.iter().map(default).collect()
}

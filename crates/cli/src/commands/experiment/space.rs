//! `runner space`: writes the space of an algorithm as files of another tuner, which calls `runner target`.

use std::iter::successors;
use std::path::Path;

use anyhow::{Result, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::settings::{Settings, Value};
use evogrid_results::files::{FilePlace, replace};
use serde_json::{Value as Json, json};

use super::slurm::{absolute, program_path};
use super::target::{algorithm, load_without_designs};
use crate::arguments::{SpaceArgs, SpaceStyle};
use crate::messages::{UsageError, fill_in, line, print, print_as_it_is, rendered, shell_text};
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::space::{Dimension, Space, Values};
use evogrid_runner::experiment::spec::AlgorithmSpec;

const INSTANCES: &str = "{% for id in ids %}{{ id }}\n{% endfor %}";
/// Prints the space for a tuner, or writes all files that the tuner needs into a folder.
pub(crate) fn space(args: &SpaceArgs, catalogue: Catalogue) -> Result<()> {
    let spec = load_without_designs(&args.experiment.experiment, &args.experiment.sets, &catalogue)?;
    let plan = Plan::new(spec, catalogue);
    let tune = plan.spec().tune.as_ref();
    let named = args.algorithm.as_deref().or(tune.map(|tune| tune.algorithm.as_str()));
    let spec = algorithm(named, &plan)?.spec();
    let space = &spec.space;
    if space.is_empty() {
        let help = "in `[algorithms.NAME.space]`, write the settings that may vary, for example `removed = { from = 1, to = 8 }`";
        return Err(UsageError(format!("the algorithm `{}` does not declare a space\n  {help}", spec.name)).into());
    }
    let (described, outside) = described(space, &defaults(spec, &plan));
    if !outside.is_empty() {
        let outside = outside.join(", ");
        line(&format!(
            "note: if you run the experiment without a tuner, the experiment uses a configuration outside the space: {outside}"
        ));
    }

    let (tuner, style, files) = files(args.style, (space, outside.is_empty()));
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
        return Ok(print_as_it_is(&fill_in(files[0].0, files[0].1, &values))?);
    };
    ensure!(
        std::fs::symlink_metadata(out).is_err(),
        UsageError(format!("`{}` already exists\n  choose another folder with `--out`", out.display()))
    );
    for (name, template) in &files {
        let text = fill_in(name, template, &values);
        replace(FilePlace::in_subfolder(&out.join(name)), |file| -> Result<()> {
            Ok(file.write_all(text.as_bytes())?)
        })?;
    }
    values["written"] = json!(files.iter().map(|(name, _)| name).collect::<Vec<_>>());
    Ok(print(&rendered!("space/next_steps.txt", values))?)
}

/// A file's name and its template.
type NamedTemplate = (&'static str, &'static str);

/// Returns the name of a tuner, the style of its calls of `target`, and its files. The file of the space comes first. `has_default` says
/// whether the space contains the configuration that is used without a tuner.
fn files(style: SpaceStyle, (space, has_default): (&Space, bool)) -> (&'static str, &'static str, Vec<NamedTemplate>) {
    let common = [("instances.txt", INSTANCES), ("target-runner", include_str!("space/target-runner.sh"))];
    let (tuner, called, own) = match style {
        SpaceStyle::Irace | SpaceStyle::Irace3 => {
            let mut own = vec![("parameters.txt", include_str!("space/parameters.txt"))];
            own.push(("scenario.txt", include_str!("space/scenario.txt")));
            own.extend(has_default.then_some(("configurations.txt", include_str!("space/configurations.txt"))));
            let is_apart = style == SpaceStyle::Irace3 && !space.forbidden.is_empty();
            own.extend(is_apart.then_some(("forbidden.txt", include_str!("space/forbidden.txt"))));
            ("irace", "irace", own)
        }
        SpaceStyle::Configspace => {
            let space = ("space.json", include_str!("space/space.json"));
            ("SMAC3", "smac", vec![space, ("tune.py", include_str!("space/smac.py"))])
        }
        SpaceStyle::Optuna => ("Optuna", "smac", vec![("space.py", include_str!("space/optuna.py"))]),
    };
    (tuner, called, own.into_iter().chain(common).collect())
}

/// Returns the value that each dimension has without a tuner. A dimension without effect has the value that it would have under the first
/// choices of its conditions.
fn defaults(spec: &AlgorithmSpec, plan: &Plan) -> Vec<Option<Value>> {
    let dimensions = &spec.space.dimensions;
    let problems = plan.spec().instances.problems();
    let base = spec.settings(&vec![0; spec.axes.len()]);
    let value = |settings: &Settings, path: &str| plan.catalogue().resolve(settings, &problems).ok()?.at(path).cloned();
    let default = |dimension: &Dimension| {
        let conditions =
            successors(dimension.condition.as_ref(), |above| dimensions[above.dimension].condition.as_ref());
        let mut settings = base.clone();
        // An operator comes before its settings.
        for condition in conditions.collect::<Vec<_>>().into_iter().rev() {
            let above = &dimensions[condition.dimension];
            if let Values::Choices(choices) = &above.values {
                settings.overlay(&Settings::of(&above.path, choices[condition.choices[0]].clone()));
            }
        }
        value(&base, &dimension.path).or_else(|| value(&settings, &dimension.path))
    };
    dimensions.iter().map(default).collect()
}

/// The number of significant digits of a real number.
const SIGNIFICANT_DIGITS: i32 = 4;

/// Describes a space for the templates: its parameters, each with its values, default and condition, and the forbidden combinations. The
/// values are numbers, or texts of choices as `--set` reads them. `resolved` contains the values that the dimensions have without a tuner.
///
/// Also returns the settings that have, without a tuner, a value outside the space.
fn described(space: &Space, resolved: &[Option<Value>]) -> (Json, Vec<String>) {
    let dimensions = &space.dimensions;
    let pairs = || dimensions.iter().zip(resolved);
    let known = |(dimension, resolved): (&Dimension, &Option<Value>)| one_of(&dimension.values, resolved.as_ref()?);
    let known: Vec<Option<Value>> = pairs().map(known).collect();
    let place = |(dimension, known): (&Dimension, &Option<Value>)| dimension.values.place(known.as_ref()?);
    let places: Vec<f64> = dimensions.iter().zip(&known).map(|pair| place(pair).unwrap_or(0.5)).collect();
    let is_active = space.active(&places);
    let outside = pairs().zip(&known).zip(&is_active).filter(|((_, known), is_active)| **is_active && known.is_none());
    let outside = outside.map(|(((dimension, resolved), _), _)| {
        let value = resolved.as_ref().map_or_else(|| "absent".to_owned(), Value::to_string);
        format!("`{}` is {value}", dimension.path)
    });
    let outside: Vec<String> = outside.collect();
    // The condition that a parameter has one of these values.
    let has = |dimension: usize, values: Vec<Json>| {
        let path = &dimensions[dimension].path;
        json!({ "name": r_name(path), "path": path, "values": values })
    };
    let parameter = |(number, dimension): (usize, &Dimension)| {
        let (kind, ends, log) = match dimension.values {
            Values::Whole { low, high, is_log } => ("integer", Some([json!(low), json!(high)]), is_log),
            Values::Real { low, high, is_log } => ("real", Some([json!(low), json!(high)]), is_log),
            Values::Choices(_) => ("choice", None, false),
        };
        let condition = dimension.condition.as_ref().map(|above| {
            let all = choices(&dimensions[above.dimension].values);
            has(above.dimension, above.choices.iter().map(|&choice| all[choice].clone()).collect())
        });
        // The default is the middle if the value without a tuner is not in the space.
        let default = known[number].clone().unwrap_or_else(|| dimension.values.at(0.5));
        json!({
            "name": r_name(&dimension.path),
            "path": dimension.path,
            "kind": kind,
            "ends": ends,
            "log": log,
            "choices": choices(&dimension.values),
            "default": json_of(&dimension.values, &default),
            "is_active": is_active[number],
            "condition": condition,
        })
    };
    // Each is a list of conditions that must not hold together.
    let forbidden = space.forbidden.iter().map(|together| {
        let one = |at: usize, value| has(at, vec![json_of(&dimensions[at].values, value)]);
        together.iter().map(|forbidden| one(forbidden.dimension, &forbidden.value)).collect::<Json>()
    });
    let described = json!({
        "parameters": dimensions.iter().enumerate().map(parameter).collect::<Vec<_>>(),
        "forbidden": forbidden.collect::<Vec<_>>(),
        "digits": dimensions.iter().map(|dimension| digits(&dimension.values)).max().unwrap_or(SIGNIFICANT_DIGITS),
        "outside": outside,
    });
    (described, outside)
}

fn choices(values: &Values) -> Vec<Json> {
    match values {
        Values::Choices(all) => all.iter().map(|choice| json_of(values, choice)).collect(),
        _ => Vec::new(),
    }
}

fn json_of(values: &Values, value: &Value) -> Json {
    match (values, value) {
        (Values::Choices(_), value) => json!(settable(value)),
        (Values::Whole { .. }, Value::Integer(whole)) => json!(whole),
        (_, number) => json!(number.as_real()),
    }
}

/// The value of a dimension that has the same meaning as a resolved value.
fn one_of(values: &Values, resolved: &Value) -> Option<Value> {
    match values {
        Values::Choices(choices) => choices.iter().find(|choice| stands_for(choice, resolved)).cloned(),
        _ => values.place(resolved).map(|_| resolved.clone()),
    }
}

/// Whether a written value has the same meaning as a resolved value. The name of an operator stands for the operator with any settings.
fn stands_for(written: &Value, resolved: &Value) -> bool {
    match (written, resolved) {
        (Value::Text(_), Value::Table(all)) => all.get("kind") == Some(written),
        (Value::Table(some), Value::Table(all)) => {
            some.iter().all(|(name, value)| all.get(name).is_some_and(|own| stands_for(value, own)))
        }
        _ => written.to_string() == resolved.to_string(),
    }
}

/// Writes a value as `--set` reads it. A plain name has no quotes. Other values are TOML, if possible without double quotes, which R uses
/// itself.
fn settable(value: &Value) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    match value {
        Value::Text(text)
            if text.starts_with(|first: char| first.is_ascii_alphabetic())
                && text.chars().all(is_word)
                && !["true", "false", "inf", "nan"].contains(&text.as_str()) =>
        {
            text.clone()
        }
        value => toml(value),
    }
}

fn toml(value: &Value) -> String {
    match value {
        Value::Text(text) if text.contains(|character: char| character == '\'' || character.is_control()) => {
            format!("{text:?}")
        }
        Value::Text(text) => format!("'{text}'"),
        Value::Table(table) => {
            let entries: Vec<String> = table.iter().map(|(name, value)| format!("{name}={}", toml(value))).collect();
            format!("{{{}}}", entries.join(","))
        }
        value => value.to_string(),
    }
}

/// Returns a path as a name in R, which has letters, digits, dots and underscores.
fn r_name(path: &str) -> String {
    path.replace(|character: char| !character.is_ascii_alphanumeric() && character != '.', "_")
}

fn digits(values: &Values) -> i32 {
    let least = match values {
        Values::Real { low, is_log: true, .. } => *low,
        Values::Real { low, high, .. } => high - low,
        _ => 1.0,
    };
    let exponent: i32 = format!("{least:e}").rsplit('e').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    (SIGNIFICANT_DIGITS - 1 - exponent).clamp(SIGNIFICANT_DIGITS, 15)
}

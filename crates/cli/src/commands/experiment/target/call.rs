//! The call of a configurator: which instance, which seed, which settings.

use crate::arguments::TargetStyle;
use crate::usage_error::UsageError;

/// What a configurator asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Call {
    /// The instance; `None` if the configurator knows of none.
    pub(super) instance: Option<String>,
    /// The seed of the run.
    pub(super) seed: u64,
    /// The limit of processor time, in seconds.
    pub(super) cpu_seconds: Option<f64>,
    /// The limit of evaluations.
    pub(super) evaluations: Option<u64>,
    /// The settings, each `PATH=VALUE`.
    pub(super) settings: Vec<String>,
    /// Whether it has the second form of AClib, with `--config`.
    pub(super) has_config: bool,
}

impl Call {
    /// Reads the arguments of a configurator.
    ///
    /// # Errors
    /// If they do not have the form of its calls.
    pub(super) fn read(style: TargetStyle, arguments: &[String]) -> Result<Self, UsageError> {
        match style {
            TargetStyle::Irace => irace(arguments),
            TargetStyle::Smac => smac(arguments),
            TargetStyle::Aclib => match arguments.iter().position(|argument| argument == "--config") {
                Some(at) => aclib_with_config(&arguments[..at], &arguments[at + 1..]),
                None => aclib(arguments),
            },
        }
    }
}

fn irace(arguments: &[String]) -> Result<Call, UsageError> {
    let [_, _, seed, instance, rest @ ..] = arguments else {
        return Err(malformed("irace", "CONFIGURATION INSTANCE_NUMBER SEED INSTANCE [BOUND] SETTINGS"));
    };
    // No setting is named by a number.
    let (bound, rest) = match rest.split_first() {
        Some((first, rest)) if first.parse::<f64>().is_ok() => (Some(first), rest),
        _ => (None, rest),
    };
    Ok(Call {
        instance: Some(instance.clone()),
        seed: read_seed(seed)?,
        cpu_seconds: bound.map(|bound| seconds(bound)).transpose()?.flatten(),
        settings: settings(rest)?,
        ..Call::default()
    })
}

fn smac(arguments: &[String]) -> Result<Call, UsageError> {
    let mut call = Call::default();
    for argument in arguments {
        let Some((name, value)) = argument.strip_prefix("--").and_then(|argument| argument.split_once('=')) else {
            return Err(malformed("SMAC3", "--instance=INSTANCE --seed=SEED --PATH=VALUE ..."));
        };
        match name {
            "instance" => call.instance = Some(value.to_owned()),
            "instance_features" => {}
            "seed" => call.seed = read_seed(value)?,
            "cutoff" => call.cpu_seconds = seconds(value)?,
            "budget" => {
                let budget = value.parse().ok().filter(|budget: &f64| *budget >= 1.0).ok_or_else(|| {
                    UsageError(format!(
                        "the budget `{value}` is not a number of evaluations\n  expected a number from 1"
                    ))
                })?;
                call.evaluations = Some(budget as u64);
            }
            _ => call.settings.push(format!("{name}={value}")),
        }
    }
    Ok(call)
}

fn aclib(arguments: &[String]) -> Result<Call, UsageError> {
    let [instance, _specifics, cutoff, _runlength, seed, rest @ ..] = arguments else {
        return Err(malformed("AClib", "INSTANCE SPECIFICS CUTOFF RUNLENGTH SEED -PATH VALUE ..."));
    };
    Ok(Call {
        instance: Some(instance.clone()),
        seed: read_seed(seed)?,
        cpu_seconds: seconds(cutoff)?,
        settings: settings(rest)?,
        ..Call::default()
    })
}

fn aclib_with_config(options: &[String], rest: &[String]) -> Result<Call, UsageError> {
    let mut call = Call { settings: settings(rest)?, has_config: true, ..Call::default() };
    for option in options.chunks(2) {
        match option {
            [name, value] if name == "--instance" => call.instance = Some(value.clone()),
            [name, value] if name == "--seed" => call.seed = read_seed(value)?,
            [name, value] if name == "--cutoff" => call.cpu_seconds = seconds(value)?,
            _ => {
                let form = "--instance INSTANCE --seed SEED [--cutoff CUTOFF] --config -PATH VALUE ...";
                return Err(malformed("AClib", form));
            }
        }
    }
    Ok(call)
}

fn malformed(configurator: &str, form: &str) -> UsageError {
    UsageError(format!("the arguments after `--` are not a call of {configurator}\n  expected {form}"))
}

fn read_seed(text: &str) -> Result<u64, UsageError> {
    text.parse().ok().filter(|seed| *seed < 1 << 53).ok_or_else(|| {
        UsageError(format!("the seed `{text}` is not a seed of a run\n  expected a whole number from 0, below 2^53"))
    })
}

/// A limit of time; `None` if it is infinite. SMAC3 gives limits below 0 if no time is left.
fn seconds(text: &str) -> Result<Option<f64>, UsageError> {
    let seconds = text.parse().ok().filter(|seconds: &f64| !seconds.is_nan()).ok_or_else(|| {
        UsageError(format!("the limit `{text}` is not a number of seconds of processor time\n  expected a number"))
    })?;
    Ok(Some(seconds.max(0.0)).filter(|seconds| seconds.is_finite()))
}

/// Settings as `PATH=VALUE`, from arguments of the form `PATH=VALUE` or `PATH VALUE`, with or without dashes before the path. Tools of
/// AClib may pass on the quotes around a value.
fn settings(arguments: &[String]) -> Result<Vec<String>, UsageError> {
    let mut settings = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let setting = argument.trim_start_matches('-');
        if setting.contains('=') {
            settings.push(setting.to_owned());
            continue;
        }
        let value = arguments.next().ok_or_else(|| {
            let help = format!("expected `--{setting}=VALUE` or `-{setting} VALUE`");
            UsageError(format!("the setting `{argument}` has no value\n  {help}"))
        })?;
        settings.push(format!("{setting}={}", value.trim_matches('\'')));
    }
    Ok(settings)
}

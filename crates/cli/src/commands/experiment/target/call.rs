//! The calls of configurators, and the answers in the form that configurators read.

use crate::arguments::TargetStyle;
use crate::messages::{UsageError, rendered};
use serde_json::json;

/// The options of SMAC3 that are not settings. AClib has only some of these options.
const OPTIONS: [&str; 5] = ["instance", "instance_features", "seed", "cutoff", "budget"];

/// The call of a configurator.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// The instance; `None` if the call does not name an instance.
    pub(super) instance: Option<String>,
    /// The seed of the run.
    pub(super) seed: u64,
    /// The limit of processor time, in seconds.
    pub(super) cpu_seconds: Option<f64>,
    /// The limit of evaluations.
    pub(super) evaluations: Option<u64>,
    /// The settings, each `PATH=VALUE`.
    pub(super) settings: Vec<String>,
    /// Whether the call has the second form of AClib, with `--config`.
    pub(super) has_config: bool,
}

/// The names of options, each with its value.
type Pairs<'a> = Vec<(&'a str, &'a str)>;

impl Call {
    /// Reads the arguments of a configurator.
    ///
    /// # Errors
    /// Returns an error if the arguments are not a call of this configurator.
    pub(super) fn read(style: TargetStyle, arguments: &[String]) -> Result<Self, UsageError> {
        let config = arguments.iter().position(|argument| argument == "--config");
        let (options, settings): (Pairs<'_>, Pairs<'_>) = match (style, config, arguments) {
            // A number is not the name of a setting, so it is the bound.
            (TargetStyle::Irace, _, [_, _, seed, instance, bound, rest @ ..]) if bound.parse::<f64>().is_ok() => {
                (vec![("seed", seed), ("instance", instance), ("cutoff", bound)], pairs(rest)?)
            }
            (TargetStyle::Irace, _, [_, _, seed, instance, rest @ ..]) => {
                (vec![("seed", seed), ("instance", instance)], pairs(rest)?)
            }
            (TargetStyle::Smac, ..) => pairs(arguments)?.into_iter().partition(|(name, _)| OPTIONS.contains(name)),
            (TargetStyle::Aclib, Some(at), _) => (pairs(&arguments[..at])?, pairs(&arguments[at + 1..])?),
            (TargetStyle::Aclib, None, [instance, _specifics, cutoff, _runlength, seed, rest @ ..]) => {
                (vec![("instance", instance), ("cutoff", cutoff), ("seed", seed)], pairs(rest)?)
            }
            _ => return Err(malformed(style)),
        };
        let mut call = Self { has_config: config.is_some(), ..Self::default() };
        for (name, value) in options {
            match name {
                "instance" => call.instance = Some(value.to_owned()),
                "instance_features" => {}
                "seed" => call.seed = seed(value)?,
                "cutoff" => call.cpu_seconds = seconds(value)?,
                "budget" => call.evaluations = Some(evaluations(value)?),
                _ => return Err(malformed(style)),
            }
        }
        call.settings = settings.into_iter().map(|(path, value)| format!("{path}={value}")).collect();
        Ok(call)
    }
}

/// Reads arguments of the form `NAME=VALUE` or `NAME VALUE`, with or without dashes before the name. Tools of AClib may leave quotes around a
/// value.
fn pairs(arguments: &[String]) -> Result<Pairs<'_>, UsageError> {
    let mut pairs = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let name = argument.trim_start_matches('-');
        let pair = name.split_once('=').or_else(|| Some((name, arguments.next()?.trim_matches('\''))));
        pairs.push(pair.ok_or_else(|| {
            let help = format!("expected `--{name}=VALUE` or `-{name} VALUE`");
            UsageError(format!("the argument `{argument}` has no value\n  {help}"))
        })?);
    }
    Ok(pairs)
}

fn malformed(style: TargetStyle) -> UsageError {
    let (configurator, form) = match style {
        TargetStyle::Irace => ("irace", "`CONFIGURATION INSTANCE_NUMBER SEED INSTANCE [BOUND]`"),
        TargetStyle::Smac => ("SMAC3", "`--instance=INSTANCE --seed=SEED`"),
        TargetStyle::Aclib => (
            "AClib",
            "`INSTANCE SPECIFICS CUTOFF RUNLENGTH SEED` or `--instance INSTANCE --seed SEED [--cutoff CUTOFF] --config`",
        ),
    };
    UsageError(format!(
        "the arguments after `--` do not have the form of {configurator}\n  expected {form}, followed by the settings"
    ))
}

fn seed(text: &str) -> Result<u64, UsageError> {
    text.parse().ok().filter(|seed| *seed < 1 << 53).ok_or_else(|| {
        UsageError(format!(
            "the seed `{text}` cannot be the seed of a run\n  expected a whole number from 0 to 2^53 - 1"
        ))
    })
}

/// Reads a time limit; `None` if it is infinite. SMAC3 gives limits below 0 if no time is left.
fn seconds(text: &str) -> Result<Option<f64>, UsageError> {
    let seconds = text.parse().ok().filter(|seconds: &f64| !seconds.is_nan()).ok_or_else(|| {
        UsageError(format!("the time limit `{text}` is not a number\n  expected the processor time in seconds"))
    })?;
    Ok(Some(seconds.max(0.0)).filter(|seconds| seconds.is_finite()))
}

fn evaluations(text: &str) -> Result<u64, UsageError> {
    let evaluations = text.parse().ok().filter(|evaluations: &f64| *evaluations >= 1.0).ok_or_else(|| {
        UsageError(format!("the budget `{text}` is not a number of evaluations\n  expected a number of at least 1"))
    })?;
    Ok(evaluations as u64)
}

/// The shortest time that is printed, in seconds. irace refuses 0.
const LEAST_SECONDS: f64 = 1e-6;

/// The answer to a configurator.
pub(super) struct Answer {
    /// The cost; `None` if the run failed or has no solution.
    pub(super) cost: Option<f64>,
    /// Whether the cost is the penalty of an unsolved run, or the run found no solution within its time limit.
    pub(super) is_timeout: bool,
    /// The processor time in seconds.
    pub(super) seconds: f64,
    /// The number of evaluations.
    pub(super) evaluations: u64,
    /// Why the run stopped, in one word.
    pub(super) stop: String,
}

impl Answer {
    /// The line that the configurator reads. For a call with `--config` there are two lines. Times are cut at the limit of the call.
    pub(super) fn text(&self, style: TargetStyle, shows_time: bool, call: &Call) -> String {
        let seconds = self.seconds.min(call.cpu_seconds.unwrap_or(f64::INFINITY)).max(LEAST_SECONDS);
        let values = json!({
            "style": format!("{style:?}"),
            "cost": self.cost.map(|cost| cost.to_string()),
            "seconds": format!("{seconds:.6}"),
            "shows_time": shows_time || call.cpu_seconds.is_some(),
            "is_timeout": self.is_timeout,
            "evaluations": self.evaluations,
            "stop": self.stop,
            "seed": call.seed,
            "has_config": call.has_config,
        });
        rendered!("call/answer.txt", values)
    }
}

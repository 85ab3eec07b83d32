//! The settings of a program in an experiment, and their values in a command line.

use std::collections::BTreeMap;

use evogrid_core::budget;
use evogrid_core::parameter::{Condition, Parameter};
use evogrid_core::settings::{Settings, Value};

/// The value of `kind` that selects this algorithm in an experiment file.
pub(super) const NAME: &str = "external";

/// The maximum length of an argument on Linux, in bytes.
pub(super) const ARGUMENT_LIMIT: usize = 128 * 1024 - 1;

/// The placeholders for properties of the run that are not settings.
pub(super) const RUN_PLACEHOLDERS: [&str; 2] = ["instance", "seed"];

/// The placeholder for all parameters that no other placeholder names.
pub(super) const ALL_PARAMETERS: &str = "parameters";

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::text(
        "command",
        "the program and its arguments, without a shell. {instance} and {seed} are replaced by the instance and the \
         seed of the run. The name of a limit in braces, such as {evaluations}, is replaced by the value of this \
         limit. {NAME} is replaced by the value of NAME in `parameters`. {parameters} is replaced by one \
         argument `--NAME=VALUE` for each setting in `parameters`. If `command` contains the {NAME} of a \
         setting, {parameters} adds no argument for this setting",
    ),
    Parameter::table(
        "parameters",
        "settings of the program: the value of the setting NAME replaces {NAME} in `command`. If `command` does not \
         contain {NAME}, {parameters} passes the setting as an argument",
    ),
    Parameter::optional_text(
        "version",
        "version of the program: raise the version when the program changes. If the version is new, all runs of the \
         program are repeated",
    ),
    Parameter::real(
        "timeout",
        0.001,
        1e6,
        3600.0,
        "time limit in seconds. If a program does not answer within this time, the program is killed, and the run \
         counts as failed",
    ),
    Parameter::optional_real(
        "memory",
        1.0,
        1e9,
        "limit in MiB of the resident memory of the program and all processes of its group. A program above this limit \
        is killed, and its run stops for the reason `memory`",
    ),
    Parameter::choice(
        "mode",
        &MODES,
        PROCESS,
        "how the program receives runs. `process`: the program is started once for each run, with the values as \
         arguments. `json`: the program is started once for each run, and receives one line of JSON on standard input. \
         `server`: the program is started once for each thread, receives one line of JSON for each run, and answers each \
         line",
    )
    .added_later(),
    Parameter::optional_integer("restart_after", 1, 1_000_000_000, "number of runs after which a server is restarted")
        .only_where(&[Condition::Is("mode", SERVER)]),
];

pub(super) const PROCESS: &str = "process";
const JSON: &str = "json";
pub(super) const SERVER: &str = "server";

/// The values of `mode`.
const MODES: [&str; 3] = [PROCESS, JSON, SERVER];

/// Returns the command that a run with these settings starts. Returns `None` if the run does not start a program.
pub fn command(settings: &Settings) -> Option<&str> {
    (settings.name("kind") == NAME).then(|| settings.name("command"))
}

/// Whether an algorithm with these resolved settings runs its program as a server. A server is one process that answers many runs, one
/// after the other.
pub fn is_server(settings: &Settings) -> bool {
    command(settings).is_some() && settings.name("mode") == SERVER
}

/// Returns true if a run with these settings, which come from a manifest, starts an external program.
pub fn is_program(settings: &serde_json::Value) -> bool {
    settings["kind"] == NAME
}

/// The parameters that are set.
pub(super) fn set_parameters(settings: &Settings) -> Settings {
    match settings.get(ALL_PARAMETERS) {
        Some(Value::Table(parameters)) => parameters.clone(),
        _ => Settings::new(),
    }
}

/// The values of the placeholders for settings: the limits that are set, and the parameters.
pub(super) fn values(settings: &Settings) -> BTreeMap<String, String> {
    let table = |name: &str| match settings.get(name) {
        Some(Value::Table(table)) => table.iter().map(|(name, value)| (name.to_owned(), argument(value))).collect(),
        _ => Vec::new(),
    };
    table("budget").into_iter().chain(table("parameters")).collect()
}

/// The names of the placeholders for limits.
pub(super) fn limits() -> impl Iterator<Item = &'static str> {
    budget::DECLARATION.parameters.iter().map(|limit| limit.name)
}

/// A value as an argument. Numbers have their shortest form, and whole numbers have no decimal point.
pub(super) fn argument(value: &Value) -> String {
    match value {
        Value::Real(real) if real.fract() == 0.0 && real.abs() < 1e15 => format!("{real:.0}"),
        Value::Real(real) => format!("{real:?}"),
        other => other.to_string(),
    }
}

//! Checks the settings of an external program before any run starts.

use std::path::Path;

use evogrid_core::catalogue::{Fault, SettingPart};
use evogrid_core::settings::{Settings, Value};
use evogrid_core::suggestion::one_of;

use super::command::CommandLine;
use super::declaration::{
    ALL_PARAMETERS, ARGUMENT_LIMIT, NAME, PROCESS, RUN_PLACEHOLDERS, SERVER, limits, set_parameters, values,
};
use crate::system::platform::{PROGRAMS_NEED, command_line_limit, may_be_executed, measures_groups};

/// If an argument is too long, a value of at least this number of bytes counts as the cause.
const LONG_VALUE: usize = 1024;

/// The bytes that the system needs for each argument besides its text.
const POINTER: usize = size_of::<*const u8>();

/// Returns the faults in the resolved settings of an external program. The declarations of the settings are not enough to find these
/// faults. If the algorithm is not an external program, the list is empty.
///
/// For example, the program may not exist on this machine. But the identity of a run must not depend on the machine. So this function
/// looks for the faults before runs start, and not when settings are resolved.
pub fn faults(settings: &Settings) -> Vec<Fault> {
    if settings.name("kind") != NAME {
        return Vec::new();
    }
    let mut faults: Vec<Fault> = timeout(settings).into_iter().chain(unmeasured(settings)).collect();
    match CommandLine::parse(settings.name("command")) {
        Ok(command) => {
            faults.extend(parameters(settings, &command));
            faults.extend(placeholders(settings, &command));
            faults.extend(arguments(settings, &command));
            faults.extend(command.program().and_then(program));
        }
        Err(wrong) => faults.push(fault("command", wrong, "expected a program and its arguments")),
    }
    faults
}

/// The fault of the program of a checker on this machine, and the help; `None` if the program can be started.
pub(crate) fn checker_fault(command: &str) -> Option<(String, String)> {
    if !measures_groups() {
        return Some((
            "checkers need Linux with `/proc`".to_owned(),
            "remove `check` if you run the experiment on this system".to_owned(),
        ));
    }
    let fault = super::checker::parse(command).ok()?.program().and_then(program)?;
    Some((fault.message, fault.expected))
}

/// Refuses a timeout that is shorter than the budget's time: it would make every long run fail.
fn timeout(settings: &Settings) -> Option<Fault> {
    let (timeout, seconds) = (settings.real("timeout"), settings.at("budget.seconds").and_then(Value::as_real)?);
    let message = format!("`timeout` is {timeout} s, but the budget allows runs of up to `seconds = {seconds}`");
    (timeout < seconds)
        .then(|| fault("timeout", message, "expected a `timeout` that is at least as long as the limit `seconds`"))
}

/// Refuses settings for which this system cannot measure the resources of processes.
fn unmeasured(settings: &Settings) -> Option<Fault> {
    let needing = if settings.name("mode") == SERVER {
        "a server"
    } else if settings.get("memory").is_some() {
        "a limit of `memory`"
    } else {
        settings.at("budget.cpu_seconds").map(|_| "a limit of `cpu_seconds`")?
    };
    if measures_groups() {
        return None;
    }
    let message = format!(
        "for {needing}, Evogrid must measure the time and memory of other processes, but this system does not report \
        these values"
    );
    Some(fault("command", message, "expected Linux with `/proc`; on every system, `seconds` can limit the wall time"))
}

/// Every parameter must appear in the command, unless the program reads parameters from a line. Otherwise, varying the parameter would have
/// no effect.
fn parameters(settings: &Settings, command: &CommandLine) -> Vec<Fault> {
    let is_in_line = settings.name("mode") != PROCESS;
    let parameters = set_parameters(settings);
    let reserved = || RUN_PLACEHOLDERS.into_iter().chain([ALL_PARAMETERS]).chain(limits());
    let is_reserved = |name: &str| reserved().any(|reserved| reserved == name);
    let is_used = |name: &str| command.names().any(|used| used == name || used == ALL_PARAMETERS);
    let fault_in = |name: &str| {
        let (message, expected) = if is_reserved(name) {
            (
                format!("`{{{name}}}` is a reserved placeholder and cannot be a parameter"),
                "expected another name".to_owned(),
            )
        } else if !is_in_line && !is_used(name) {
            (
                format!("`command` does not use the parameter `{name}`"),
                format!("expected `{{{name}}}` or `{{{ALL_PARAMETERS}}}` in `command`"),
            )
        } else {
            return None;
        };
        Some(Fault { path: format!("parameters.{name}"), part: SettingPart::Name, message, expected })
    };
    parameters.iter().filter_map(|(name, _)| fault_in(name)).collect()
}

/// Refuses arguments that no program can receive: with null characters, too long, or too many. The instance and the seed, which belong to a
/// run, count as empty here.
fn arguments(settings: &Settings, command: &CommandLine) -> Vec<Fault> {
    let values = values(settings);
    let value = |name: &str| values.get(name).map_or("", String::as_str);
    let parameters = set_parameters(settings);
    let is_used = |name: &&str| {
        command.names().any(|used| used == *name || used == ALL_PARAMETERS && parameters.get(name).is_some())
    };
    let used: Vec<&str> = values.keys().map(String::as_str).filter(is_used).collect();
    let fault_at = |name: &str, message, expected| match limits().any(|limit| limit == name) {
        true => fault("command", message, expected),
        false => fault(&format!("parameters.{name}"), message, expected),
    };
    if let Some(name) = used.iter().find(|name| value(name).contains('\0')) {
        let message = format!("the parameter `{name}` contains a null character, which arguments cannot contain");
        return vec![fault_at(name, message, "expected text without null characters")];
    }
    let longest = used.iter().max_by_key(|name| value(name).len()).filter(|name| value(name).len() > LONG_VALUE);
    let fault_of_length = |message| match longest {
        Some(name) => {
            fault_at(name, message, "expected a shorter value; write a long text into a file and give its path")
        }
        None => fault("command", message, "expected a shorter command"),
    };
    let lengths: Vec<usize> =
        command.words(|name| value(name).to_owned(), &parameters).iter().map(String::len).collect();
    if let Some(length) = lengths.iter().find(|&&length| length > ARGUMENT_LIMIT) {
        return vec![fault_of_length(format!(
            "an argument has {length} bytes, but at most {ARGUMENT_LIMIT} bytes are allowed"
        ))];
    }
    let (length, limit) = (lengths.iter().map(|length| length + 1 + POINTER).sum::<usize>(), command_line_limit());
    match limit.checked_sub(environment_length()) {
        Some(room) if length <= room => Vec::new(),
        room => {
            let room = room.unwrap_or(0);
            let message = format!(
                "the command line has {length} bytes, but the system allows only {room} bytes in addition to the \
                 environment variables"
            );
            vec![fault_of_length(message)]
        }
    }
}

/// The number of bytes of the environment.
fn environment_length() -> usize {
    std::env::vars_os().map(|(name, value)| name.len() + value.len() + 2 + POINTER).sum()
}

fn placeholders(settings: &Settings, command: &CommandLine) -> Vec<Fault> {
    let is_of_run = |name: &&str| RUN_PLACEHOLDERS.contains(name) || limits().any(|limit| limit == *name);
    if settings.name("mode") == SERVER
        && let Some(name) = command.names().find(is_of_run)
    {
        let message = format!(
            "`{{{name}}}` cannot be used with a server: the value may differ between runs, but one server answers \
             many runs"
        );
        return vec![fault("command", message, "remove this placeholder: the server receives the value with each run")];
    }
    let values = values(settings);
    let is_known = |name: &str| name == ALL_PARAMETERS || RUN_PLACEHOLDERS.contains(&name) || values.contains_key(name);
    let unknown = |name: &str| {
        if limits().any(|limit| limit == name) {
            let message = format!("the placeholder `{{{name}}}` stands for a limit that the budget does not set");
            return fault("command", message, &format!("set `{name}` in `budget`, or remove the placeholder"));
        }
        let names: Vec<&str> =
            RUN_PLACEHOLDERS.into_iter().chain([ALL_PARAMETERS]).chain(values.keys().map(String::as_str)).collect();
        fault("command", format!("unknown placeholder `{{{name}}}`"), &one_of(name, &names))
    };
    command.names().filter(|name| !is_known(name)).map(unknown).collect()
}

/// The fault of a program that does not exist or cannot be started. As the system does, a path is relative to the current folder, and a
/// name is searched in PATH.
fn program(name: &str) -> Option<Fault> {
    if let Some(system) = PROGRAMS_NEED {
        return Some(fault(
            "command",
            "external programs cannot run on this system, because the system cannot end the child processes of a \
             program"
                .to_owned(),
            &format!("needs {system}"),
        ));
    }
    let (message, expected) = if name.contains('/') {
        let path = Path::new(name);
        if may_be_run(path) {
            return None;
        } else if !path.exists() {
            (
                format!("program `{name}` not found"),
                "expected a path relative to the folder in which `runner` is started",
            )
        } else if path.is_dir() {
            (format!("`{name}` is a directory"), "expected the path of a program, not of a directory")
        } else {
            (
                format!("`{name}` is not executable"),
                "make the file executable (`chmod +x`), or write its interpreter before its name",
            )
        }
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if std::env::split_paths(&path).any(|folder| may_be_run(&folder.join(name))) {
            return None;
        }
        (format!("program `{name}` not found in PATH"), "install the program, or give its path, for example `./NAME`")
    };
    Some(fault("command", message, expected))
}

fn may_be_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && may_be_executed(&file))
}

fn fault(path: &str, message: String, expected: &str) -> Fault {
    Fault { path: path.to_owned(), part: SettingPart::Value, message, expected: expected.to_owned() }
}

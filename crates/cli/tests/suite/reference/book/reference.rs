//! The pages of the reference are what the program prints of its declarations.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use clap::Arg;
use evogrid_cli::arguments::Cli;
use evogrid_core::family::Family;
use evogrid_core::parameter::Declaration;

use super::blocks::{repository, text};

#[test]
fn the_reference_is_what_the_declarations_say() {
    for page in ["algorithms", "operators", "problems", "presets"] {
        hold(page, &printed(&["list", page, "--format", "markdown"]));
    }
    hold("experiment-keys", &printed(&["schema", "--format", "markdown"]));
    hold("commands", &commands());
}

#[test]
fn every_member_says_what_it_is_and_where_it_is_from() {
    let catalogue = evogrid_cli::catalogue();
    let check = |declared: &Declaration| {
        assert!(!declared.doc.is_empty() && !declared.source.is_empty(), "{}", declared.name);
        for parameter in declared.parameters {
            assert!(!parameter.doc.is_empty(), "{}: {}", declared.name, parameter.name);
        }
    };
    catalogue.algorithms.declarations().for_each(check);
    catalogue.operators.declarations().into_iter().flat_map(|(_, members)| members).for_each(check);
    catalogue.families().map(Family::declaration).for_each(check);
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(super::RUNNER).args(arguments).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Holds a page to what it is to be, or writes it.
fn hold(page: &str, expected: &str) {
    let path = format!("docs/reference/{page}.md");
    if std::env::var_os("EVOGRID_BLESS").is_some() {
        return fs::write(repository().join(path), expected).expect("the page is written");
    }
    assert!(text(&path) == expected, "{path} is not what the program says: EVOGRID_BLESS=1 rewrites it");
}

/// The page of the command line: each command with its arguments and options.
fn commands() -> String {
    let catalogue = evogrid_cli::catalogue();
    let family = catalogue.families().next().expect("a family").declaration().name;
    let command = Cli::with_families(&catalogue, Some(family));
    let mut text = format!(
        "# Command line\n\n<!-- Written by `EVOGRID_BLESS=1 cargo test -p evogrid-cli --test suite book`; do not edit. -->\n\n\
         `runner COMMAND --help` prints the same text. Some options of `solve`, `rate` and `generate` exist only for one family of problems. \
         This page lists the options for `{family}`. [Problems](problems.md) lists the options for the other families.\n"
    );
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let usage = command.clone().bin_name(format!("runner {}", command.get_name())).render_usage().to_string();
        let _ = write!(
            text,
            "\n## `{}`\n\n{}.\n\n```text\n{}\n```\n",
            command.get_name(),
            about(command),
            usage.trim_start_matches("Usage: ")
        );
        let rows: Vec<String> = command.get_arguments().filter(|argument| !argument.is_hide_set()).map(row).collect();
        if !rows.is_empty() {
            let _ = write!(text, "\n| argument or option | default | what it is |\n|---|---|---|\n{}", rows.concat());
        }
    }
    text
}

fn about(command: &clap::Command) -> String {
    command.get_about().expect("every command says what it does").to_string()
}

fn row(argument: &Arg) -> String {
    let values = argument.get_value_names().filter(|_| argument.get_action().takes_values());
    let values = values.map(|names| names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" "));
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let option = short.into_iter().chain(long).collect::<Vec<_>>().join(", ");
    let name = format!("{option} {}", values.unwrap_or_default());
    let default: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    let possible: Vec<String> =
        argument.get_possible_values().iter().filter(|_| argument.get_action().takes_values()).map(possible).collect();
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let possible = if possible.is_empty() { String::new() } else { format!(": {}", possible.join("; ")) };
    let help = help.replace("\n", " ").replace('|', "\\|") + &possible;
    format!("| `{}` | {} | {help} |\n", name.trim(), default.join(", "))
}

/// One of the values of an option.
fn possible(value: &clap::builder::PossibleValue) -> String {
    let help = value.get_help().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("`{}`{help}", value.get_name())
}

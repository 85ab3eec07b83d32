//! `runner list`: everything that an experiment can name.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::parameter::{Declaration, Default, Domain, Parameter};

use super::print;
use crate::cli::{ListArgs, Listed};
use crate::spec::presets;

/// Prints the catalogue.
pub(super) fn list(args: &ListArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let mut text = String::new();
    let wanted = |what| args.what.is_none_or(|only| only == what);
    if wanted(Listed::Algorithms) {
        section(&mut text, "algorithms", catalogue.algorithms.declarations());
        section(&mut text, "budget of every algorithm", [&budget::DECLARATION].into_iter());
    }
    if wanted(Listed::Operators) {
        for (family, declarations) in catalogue.operator_families() {
            section(&mut text, family, declarations.into_iter());
        }
    }
    if wanted(Listed::Problems) {
        section(&mut text, "problems", catalogue.problems.declarations());
    }
    if wanted(Listed::Presets) {
        text.push_str("presets\n");
        for preset in presets() {
            let _ = writeln!(text, "  {}: {}\n    {}", preset.name, preset.title, preset.source);
            for (path, value) in preset.settings.flat() {
                let _ = writeln!(text, "    {path} = {value}");
            }
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn section<'a>(text: &mut String, title: &str, declarations: impl Iterator<Item = &'a Declaration>) {
    let _ = writeln!(text, "{title}");
    for declared in declarations {
        let _ = writeln!(text, "  {}: {}", declared.name, declared.doc);
        if !declared.source.is_empty() {
            let _ = writeln!(text, "    {}", declared.source);
        }
        for parameter in declared.parameters {
            let _ = writeln!(text, "    {}: {}\n      {}", parameter.name, parameter.doc, domain(parameter));
        }
    }
    text.push('\n');
}

/// Type, range and default.
fn domain(parameter: &Parameter) -> String {
    let domain = match parameter.domain {
        Domain::Flag => "true or false".to_owned(),
        Domain::Integer { min, max: i64::MAX } => format!("whole number from {min}"),
        Domain::Integer { min, max } => format!("whole number from {min} to {max}"),
        Domain::Real { min: f64::MIN, max: f64::MAX } => "number".to_owned(),
        Domain::Real { min, max } => format!("number from {min} to {max}"),
        Domain::Choice(names) => names.join(" | "),
        Domain::Operator(family) => format!("a {family}"),
    };
    match parameter.default {
        Default::Required => format!("{domain}; must be given"),
        Default::Absent => format!("{domain}; none unless given"),
        Default::Value(literal) => format!("{domain}; {} unless given", literal.value()),
    }
}

//! `runner list`: everything that an experiment can name.

mod markdown;

use std::fmt::Write;

use anyhow::Result;
use evogrid_core::budget;
use evogrid_core::catalogue::{Catalogue, NESTED};
use evogrid_core::family::Family;
use evogrid_core::parameter::{Declaration, Domain, Parameter};
use evogrid_results::format::wrapped;

use crate::arguments::{ListArgs, ListFormat, Listed};
use crate::commands::output::{print, print_as_it_is};
use evogrid_runner::experiment::spec::presets;
use evogrid_runner::system::terminal::output_width;

/// The widest that a list is printed, in characters.
const LIST_WIDTH: usize = 80;

/// Prints the catalogue.
pub(crate) fn list(args: &ListArgs, catalogue: &Catalogue) -> Result<()> {
    if args.format == ListFormat::Markdown {
        return Ok(print_as_it_is(&markdown::pages(args.what, catalogue))?);
    }
    let mut text = String::new();
    let wanted = |what| args.what.is_none_or(|only| only == what);
    if wanted(Listed::Algorithms) {
        section(&mut text, "algorithms", catalogue.algorithms.declarations());
        section(&mut text, "budget of every algorithm", [&budget::DECLARATION].into_iter());
        text.truncate(text.trim_end().len());
        text.push_str("\n    the value \"none\" removes a limit that a preset sets\n");
        let form = "{ per = \"n*n\", times = 2 } is a number that grows with the instance: here twice the square of \
             its size `n`";
        paragraph(&mut text, 4, form);
        text.push('\n');
    }
    if wanted(Listed::Operators) {
        for (family, declarations) in catalogue.operators.declarations() {
            section(&mut text, family, declarations.into_iter());
        }
    }
    if wanted(Listed::Problems) {
        text.push_str("problems\n");
        catalogue.families().for_each(|family| problem(&mut text, family));
        text.push('\n');
    }
    if wanted(Listed::Presets) {
        text.push_str("presets\n");
        for preset in presets(catalogue) {
            paragraph(&mut text, 2, &format!("{}, for {}: {}", preset.name, preset.family, preset.title));
            paragraph(&mut text, 4, &preset.source);
            for (path, value) in preset.settings.flat() {
                let _ = writeln!(text, "    {path} = {value}");
            }
        }
    }
    Ok(print(&text)?)
}

fn section<'a>(text: &mut String, title: &str, declarations: impl Iterator<Item = &'a Declaration>) {
    let _ = writeln!(text, "{title}");
    declarations.for_each(|declared| member(text, declared));
    text.push('\n');
}

fn member(text: &mut String, declared: &Declaration) {
    paragraph(text, 2, &format!("{}: {}", declared.name, declared.doc));
    paragraph(text, 4, declared.source);
    if !declared.needs.is_empty() {
        let needs: Vec<&str> = declared.needs.iter().map(|needed| needed.doc()).collect();
        paragraph(text, 4, &format!("needs {}", needs.join(" and ")));
    }
    for parameter in declared.parameters {
        paragraph(text, 4, &format!("{}: {}", parameter.name, parameter.doc));
        let growing = if parameter.may_grow { ", or { per = \"n*n\", times = 2 }" } else { "" };
        paragraph(text, 6, &format!("{}{growing}; {}", domain(parameter), parameter.usage()));
    }
}

/// A family: its settings, and what else an experiment can name of it.
fn problem(text: &mut String, family: &dyn Family) {
    member(text, family.declaration());
    let mut others: Vec<String> = Vec::new();
    let objectives: Vec<&str> = family.objectives().iter().map(|objective| &*objective.name).collect();
    if !objectives.is_empty() {
        others.push(format!("objective: {}", objectives.join(" | ")));
    }
    let options = family.options().iter();
    others.extend(options.map(|option| match option.choices {
        [] => format!("{} of [[instances]]: {}", option.name, option.doc),
        choices => format!("{} of [[instances]]: {}; {}", option.name, option.doc, choices.join(" | ")),
    }));
    others.extend(family.file_forms().iter().map(|form| format!("files .{}: {}", form.extension, form.doc)));
    let sets = family.published_sets().iter();
    others.extend(sets.map(|set| format!("generate set {}: {} ({})", set.name, set.doc, set.source)));
    others.extend(family.sizes().iter().map(|size| format!("size {}: {}", size.name, size.doc)));
    others.extend(family.constructions().iter().map(|(name, doc)| format!("construction {name}: {doc}")));
    others.iter().for_each(|other| paragraph(text, 4, other));
}

/// Lines of at most 80 characters, fewer on a narrow terminal, the first indented by `indent`, the others by two more.
fn paragraph(text: &mut String, indent: usize, content: &str) {
    let width = output_width().map_or(LIST_WIDTH, |width| width.min(LIST_WIDTH));
    for (number, line) in wrapped(content, width - 2 - indent).into_iter().enumerate() {
        let indent = indent + if number > 0 { 2 } else { 0 };
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}

/// Type and range.
fn domain(parameter: &Parameter) -> String {
    match parameter.domain {
        Domain::Flag => "true or false".to_owned(),
        Domain::Integer { min, max: i64::MAX } => format!("whole number from {min}"),
        Domain::Integer { min, max } => format!("whole number from {min} to {max}"),
        Domain::Real { min: f64::MIN, max: f64::MAX } => "number".to_owned(),
        Domain::Real { min, max } => format!("number from {min} to {max}"),
        Domain::Choice(names) => names.join(" | "),
        Domain::Construction => "random | family | a construction that the problem offers".to_owned(),
        Domain::Operator(category) => member_of(category),
        Domain::Text => "text".to_owned(),
        Domain::Table => "table of numbers, texts and flags, with names that you choose".to_owned(),
    }
}

/// One member of a category.
fn member_of(category: &str) -> String {
    match NESTED.iter().find(|nested| nested.category == category) {
        // They stand among the algorithms.
        Some(nested) => {
            let names: Vec<&str> = nested.members.iter().map(|member| member.name).collect();
            format!("{}, {}", names.join(" | "), nested.doc)
        }
        None => format!("operator of the family {category}"),
    }
}

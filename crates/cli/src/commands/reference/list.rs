//! `runner list`: prints everything that an experiment can name.

use anyhow::Result;
use evogrid_core::budget;
use evogrid_core::catalogue::{Catalogue, NESTED};
use evogrid_core::family::{Family, OptionDeclaration};
use evogrid_core::parameter::{AddedNames, CONSTRUCTIONS, Declaration, DefaultValue, Domain, Parameter};
use evogrid_core::settings::setting::defaults;
use evogrid_results::format::wrapped;
use serde_json::{Value, json};

use crate::arguments::{ListArgs, ListFormat, Listed};
use crate::messages::{print, print_as_it_is, rendered};
use evogrid_runner::experiment::spec::{Preset, presets};
use evogrid_runner::system::terminal::output_width;

/// The largest width of a list, in characters.
const LIST_WIDTH: usize = 80;

/// Prints the catalogue.
pub(crate) fn list(args: &ListArgs, catalogue: &Catalogue) -> Result<()> {
    let listed = listed(args.what, catalogue);
    Ok(match args.format {
        ListFormat::Text => print(&rendered!("list/list.txt", listed).lines().map(paragraph).collect::<String>()),
        ListFormat::Markdown => print_as_it_is(&(rendered!("list/list.md.j2", listed).trim_end().to_owned() + "\n")),
    }?)
}

/// Wraps a line of the list. The continuation lines are indented further.
fn paragraph(line: &str) -> String {
    let width = output_width().map_or(LIST_WIDTH, |width| width.min(LIST_WIDTH));
    let content = line.trim_start();
    let indent = line.len() - content.len();
    let lines = wrapped(content, width - 2 - indent);
    format!("{:indent$}{}\n", "", lines.join(&format!("\n{:indent$}  ", "")))
}

/// The values of the templates: the requested pages and the catalogue.
fn listed(what: Option<Listed>, catalogue: &Catalogue) -> Value {
    let all = [Listed::Algorithms, Listed::Operators, Listed::Problems, Listed::Presets];
    let pages = all.into_iter().filter(|page| what.is_none_or(|only| only == *page));
    let operators = catalogue.operators.declarations().into_iter().map(
        |(category, members)| json!({ "name": category, "members": members.into_iter().map(member).collect::<Value>() }),
    );
    let has_names = |added| catalogue.families().any(|family| !family.added_names(added).is_empty());
    let added = AddedNames::CHOICES.iter().filter(|&&(_, added)| has_names(added));
    json!({
        "pages": pages.map(|page| format!("{page:?}").to_lowercase()).collect::<Vec<_>>(),
        "is_single": what.is_some(),
        "algorithms": catalogue.algorithms.declarations().map(member).collect::<Value>(),
        "budget": member(&budget::DECLARATION),
        "operators": operators.collect::<Value>(),
        "problems": catalogue.families().map(problem).collect::<Value>(),
        "presets": presets(catalogue).iter().map(preset).collect::<Value>(),
        "constructions": CONSTRUCTIONS,
        "added": added.map(|(name, _)| name).collect::<Vec<_>>(),
    })
}

fn member(declared: &Declaration) -> Value {
    json!({
        "name": declared.name,
        "doc": declared.doc,
        "source": declared.source,
        "needs": declared.needs.iter().map(|needed| needed.doc()).collect::<Vec<_>>(),
        "settings": declared.parameters.iter().map(setting).collect::<Value>(),
    })
}

fn setting(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "doc": parameter.doc,
        "domain": domain(parameter.domain),
        "may_grow": parameter.may_grow,
        "usage": parameter.usage(),
        "conditions": parameter.conditions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "default": match parameter.default {
            DefaultValue::Required => "must be given".to_owned(),
            DefaultValue::Absent => "none".to_owned(),
            DefaultValue::Value(literal) => format!("`{}`", literal.value()),
        },
    })
}

/// The values of a setting: its names, the members of a category, or a description.
fn domain(domain: Domain) -> Value {
    let text = match domain {
        Domain::Choice(names, added) => return json!({ "names": names, "added": added.map(AddedNames::name) }),
        Domain::Flag => return json!({ "names": ["true", "false"], "added": null }),
        Domain::Operator(category) => {
            let nested = NESTED.iter().find(|nested| nested.category == category);
            let members = nested.map(|nested| nested.members.iter().map(|member| member.name).collect::<Vec<_>>());
            return json!({ "category": category, "nested": members, "doc": nested.map(|nested| nested.doc) });
        }
        Domain::Integer { min, max: i64::MAX } => format!("whole number of at least {min}"),
        Domain::Integer { min, max } => format!("whole number from {min} to {max}"),
        Domain::Real { min: f64::MIN, max: f64::MAX } => "number".to_owned(),
        Domain::Real { min, max } => format!("number from {min} to {max}"),
        Domain::Text => "text".to_owned(),
        Domain::Table => "table of numbers, texts and flags, with names that you choose".to_owned(),
    };
    json!({ "text": text })
}

fn problem(family: &dyn Family) -> Value {
    let declared = family.declaration();
    let offers = family.offers(&defaults(declared.parameters));
    let forms = family.file_forms().iter().map(|form| (form.extension, form.doc));
    json!({
        "member": member(declared),
        "offers": offers.iter().map(|offered| offered.doc()).collect::<Vec<_>>(),
        "objectives": family.objectives().iter().map(|objective| &*objective.name).collect::<Vec<_>>(),
        "sizes": family.sizes().iter().map(|size| (size.name, size.doc)).collect::<Vec<_>>(),
        "constructions": family.added_names(AddedNames::Constructions),
        "neighbourhoods": family.added_names(AddedNames::Neighbourhoods),
        "has_genomes": family.has_genomes(),
        "forms": forms.collect::<Vec<_>>(),
        "options": family.options().iter().map(option).collect::<Value>(),
        "sets": family.published_sets().iter().map(|set| (set.name, set.doc, set.source)).collect::<Vec<_>>(),
        "generator": family.generator().map(|generator| generator.options.iter().map(option).collect::<Value>()),
    })
}

fn option(option: &OptionDeclaration) -> Value {
    json!({
        "name": option.name,
        "doc": option.doc,
        "choices": option.choices,
        "placeholder": option.placeholder,
        "default": option.default,
        "is_repeated": option.is_repeated,
    })
}

fn preset(preset: &Preset) -> Value {
    json!({
        "name": preset.name,
        "problem": preset.family,
        "title": preset.title,
        "source": preset.source,
        "text": preset.text.trim_end(),
        "settings": preset.settings.flat().iter().map(|(path, value)| (path, value.to_string())).collect::<Vec<_>>(),
    })
}

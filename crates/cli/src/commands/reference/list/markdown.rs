//! `runner list --format markdown`: reference pages, one for each category.

use std::fmt::Write;

use evogrid_core::budget;
use evogrid_core::catalogue::{Catalogue, NESTED};
use evogrid_core::family::{Family, OptionDeclaration};
use evogrid_core::parameter::{CONSTRUCTIONS, Declaration, DefaultValue, Domain, Parameter};
use evogrid_core::settings::setting::defaults;

use crate::arguments::Listed;

/// The requested pages, one after the other. Links to other pages name their file: `operators.md#crossover`.
pub(super) fn pages(what: Option<Listed>, catalogue: &Catalogue) -> String {
    let all = [Listed::Algorithms, Listed::Operators, Listed::Problems, Listed::Presets];
    let pages = all.into_iter().filter(|page| what.is_none_or(|only| only == *page));
    pages
        .map(|page| Page { text: String::new(), only: what.is_some(), page }.written(catalogue))
        .collect::<Vec<_>>()
        .join("\n")
}

/// One of the pages, being written.
struct Page {
    text: String,
    /// Whether the other pages are files of their own.
    only: bool,
    page: Listed,
}

impl Page {
    fn written(mut self, catalogue: &Catalogue) -> String {
        let name = file(self.page).trim_end_matches(".md");
        self.paragraph(&format!("# {}", sentence(name).trim_end_matches('.')));
        self.paragraph(&format!("<!-- Written by `runner list {name} --format markdown`; do not edit. -->"));
        match self.page {
            Listed::Algorithms => {
                self.paragraph("These are the values of `kind` in `[algorithms.NAME]`, each with its settings.");
                catalogue.algorithms.declarations().for_each(|declared| self.member("", declared));
                self.member("", &budget::DECLARATION);
                self.paragraph(
                    "The value `\"none\"` removes a limit that a preset sets. `{ per = \"n*n\", times = 2 }` is a \
                     number that grows with the instance: here twice the square of its size `n`.",
                );
            }
            Listed::Operators => {
                self.paragraph(
                    "Give an operator by its name, `mutation = \"insertion\"`, or as a table with its settings, \
                     `mutation = { kind = \"insertion\", gene_rate = 0.1 }`.",
                );
                for (category, declarations) in catalogue.operators.declarations() {
                    self.paragraph(&format!("## {category}"));
                    declarations.into_iter().for_each(|declared| self.member(category, declared));
                }
            }
            Listed::Problems => {
                self.paragraph(
                    "These are the values of `problem` in `[[instances]]`. Write their settings in \
                    `[algorithms.NAME]`, together with those of the algorithm.",
                );
                catalogue.families().for_each(|family| self.problem(family));
            }
            Listed::Presets => {
                self.paragraph(
                    "A preset gives published settings a name. Use one with `preset = \"NAME\"`; other settings of the \
                     same algorithm override it.",
                );
                catalogue.families().for_each(|family| self.presets(family));
            }
        }
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        self.text
    }

    fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}\n");
    }

    /// The heading, documentation, source, needs and settings of a member.
    fn member(&mut self, category: &str, declared: &Declaration) {
        let level = if category.is_empty() { "##" } else { "###" };
        self.paragraph(format!("{level} {category} `{}`", declared.name).replace("  ", " ").as_str());
        self.paragraph(&sentence(declared.doc));
        if !declared.source.is_empty() {
            self.paragraph(&format!("Source: {}.", declared.source.trim_end_matches('.')));
        }
        if !declared.needs.is_empty() {
            let needs: Vec<&str> = declared.needs.iter().map(|needed| needed.doc()).collect();
            self.paragraph(&format!("Needs a problem with {}.", needs.join(" and ")));
        }
        let rows = declared
            .parameters
            .iter()
            .map(|parameter| [code(parameter.name), self.domain(parameter), default(parameter), what(parameter)]);
        let rows: Vec<_> = rows.collect();
        self.table(["setting", "value", "default", "what it is"], &rows);
    }

    /// A table with a header, unless it has no rows.
    fn table<const N: usize>(&mut self, header: [&str; N], rows: &[[String; N]]) {
        if rows.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "| {} |\n|{}", header.join(" | "), "---|".repeat(N));
        for row in rows {
            let _ = writeln!(self.text, "| {} |", row.each_ref().map(|cell| cell.replace('|', "\\|")).join(" | "));
        }
        self.text.push('\n');
    }

    /// Describes a family: its settings, and everything else that an experiment can name.
    fn problem(&mut self, family: &dyn Family) {
        let declared = family.declaration();
        self.member("", declared);
        let offers: Vec<&str> =
            family.offers(&defaults(declared.parameters)).iter().map(|offered| offered.doc()).collect();
        if !offers.is_empty() {
            self.paragraph(&format!("With its default settings it provides: {}.", offers.join("; ")));
        }
        let objectives: Vec<String> = family.objectives().iter().map(|objective| objective.name.to_string()).collect();
        if !objectives.is_empty() {
            self.paragraph(&format!(
                "Its objective, in the column `objective` of the results: {}.",
                objectives.join(", or ")
            ));
        }
        let sizes: Vec<_> = family.sizes().iter().map(|size| [code(size.name), size.doc.to_owned()]).collect();
        self.table(["size, for limits that grow with it", "what it counts"], &sizes);
        let constructions = CONSTRUCTIONS.into_iter().chain(family.constructions());
        let constructions: Vec<_> = constructions.map(|(name, doc)| [code(name), doc.to_owned()]).collect();
        if family.has_genomes() {
            self.table(["construction, a value of `start`", "what it makes"], &constructions);
        }
        let form = |form: &evogrid_core::family::FileForm| [code(&format!(".{}", form.extension)), form.doc.to_owned()];
        let forms: Vec<_> = family.file_forms().iter().map(form).collect();
        self.table(["file format, in addition to CSV", "what such a file contains"], &forms);
        let options = |options: &[OptionDeclaration]| options.iter().map(option).collect::<Vec<_>>();
        self.table(["key of `[[instances]]`, or column of a CSV", "value", "what it is"], &options(family.options()));
        let sets = family.published_sets().iter();
        let sets: Vec<_> = sets.map(|set| [code(set.name), set.doc.to_owned(), set.source.to_owned()]).collect();
        self.table(["`generate = { set = ... }`", "what it is", "source"], &sets);
        if let Some(generator) = family.generator() {
            self.table(
                ["key of `generate`, option of `runner generate`", "value", "what it is"],
                &options(generator.options),
            );
        }
    }

    /// The presets of a family in their written form.
    fn presets(&mut self, family: &dyn Family) {
        let problem = family.declaration().name;
        for (name, text) in family.presets() {
            self.paragraph(&format!("## `{name}`"));
            self.paragraph(&format!("For {}:", self.link(Listed::Problems, problem, &code(problem))));
            self.paragraph(&format!("```toml preset\n{}\n```", text.trim_end()));
        }
    }

    /// Type and range.
    fn domain(&self, parameter: &Parameter) -> String {
        let domain = match parameter.domain {
            Domain::Flag => "`true`, `false`".to_owned(),
            Domain::Choice(names) => codes(names.iter().copied()),
            Domain::Construction => {
                let names = CONSTRUCTIONS.map(|(name, _)| name);
                format!("{}, or a construction of the {}", codes(names), self.link(Listed::Problems, "", "problem"))
            }
            Domain::Operator(category) => match NESTED.iter().find(|nested| nested.category == category) {
                Some(nested) => {
                    let names = nested
                        .members
                        .iter()
                        .map(|member| self.link(Listed::Algorithms, member.name, &code(member.name)));
                    format!("{}, {}", names.collect::<Vec<_>>().join(", "), nested.doc)
                }
                None => self.link(Listed::Operators, category, category),
            },
            Domain::Integer { .. } | Domain::Real { .. } | Domain::Text | Domain::Table => super::domain(parameter),
        };
        if parameter.may_grow { format!("{domain}, or `{{ per, times }}`") } else { domain }
    }

    /// A link to a heading on one of the pages, or to the page if the heading does not exist.
    fn link(&self, page: Listed, heading: &str, text: &str) -> String {
        let file = if self.only && page != self.page { file(page) } else { "" };
        let heading = if heading.is_empty() { file.is_empty().then_some("problems") } else { Some(heading) };
        let anchor = heading.map(|heading| format!("#{}", heading.replace(' ', "-"))).unwrap_or_default();
        format!("[{text}]({file}{anchor})")
    }
}

/// The file of a page.
fn file(page: Listed) -> &'static str {
    match page {
        Listed::Algorithms => "algorithms.md",
        Listed::Operators => "operators.md",
        Listed::Problems => "problems.md",
        Listed::Presets => "presets.md",
    }
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// The text with a capital letter at its beginning and a full stop at its end.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}

fn default(parameter: &Parameter) -> String {
    match parameter.default {
        DefaultValue::Required => "must be given".to_owned(),
        DefaultValue::Absent => "none".to_owned(),
        DefaultValue::Value(literal) => code(&literal.value().to_string()),
    }
}

/// What a parameter does, and the condition under which it has an effect.
fn what(parameter: &Parameter) -> String {
    let conditions: Vec<String> = parameter.conditions.iter().map(ToString::to_string).collect();
    let used = if conditions.is_empty() { String::new() } else { format!("; used only {}", conditions.join(" and ")) };
    format!("{}{used}", parameter.doc)
}

fn option(option: &OptionDeclaration) -> [String; 3] {
    let value = match (option.choices, option.placeholder) {
        ([], Some(placeholder)) => code(placeholder),
        ([], None) => "`true`, `false`".to_owned(),
        (choices, _) => codes(choices.iter().copied()),
    };
    let default = option.default.map(|default| format!("; default `{default}`")).unwrap_or_default();
    let repeated = if option.is_repeated { "; in an experiment file, a list" } else { "" };
    [code(option.name), value, format!("{}{repeated}{default}", option.doc)]
}

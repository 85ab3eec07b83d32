//! `problem = "external"`: a problem whose instances only external programs can read. The options of the problem are part of each instance.
//! So a results folder is complete.

use std::borrow::Cow;

use evogrid_core::family::{
    Direction, Family, FileForm, FirstExperiment, Instance, InstanceError, Objective, ObjectiveSource,
    OptionDeclaration, Options,
};
use evogrid_core::parameter::Declaration;
use serde_json::{Map, Number, Value};

use super::checker;
use super::instance::{ExternalInstance, Sizes};

/// The family of problems whose instances only external programs can read.
pub struct ExternalFamily;

/// The name of these problems in an experiment file.
pub(crate) const PROBLEM: &str = "external";

static DECLARATION: Declaration = Declaration {
    name: PROBLEM,
    doc: "a problem of your own. Only your programs read the instances. Your programs report the objectives of their \
        solutions. Another of your programs can check the reported objectives",
    source: "docs/external.md",
    version: 1,
    needs: &[],
    parameters: &[],
};

const OBJECTIVE: &str = "objective";
const DIRECTION: &str = "direction";
const UNIT: &str = "unit";
const TARGET: &str = "target";
pub(crate) const CHECK: &str = "check";

static OPTIONS: [OptionDeclaration; 5] = [
    OptionDeclaration::new(OBJECTIVE, "NAME", "for external problems, the name of the objective in tables and charts"),
    OptionDeclaration::choice(
        DIRECTION,
        "DIRECTION",
        "whether the objective is minimised or maximised",
        Direction::NAMES,
    ),
    OptionDeclaration::new(UNIT, "UNIT", "unit of the objective"),
    OptionDeclaration {
        is_number: true,
        ..OptionDeclaration::new(
            TARGET,
            "VALUE",
            "target value: a solution with this objective solves the instance, and the run stops",
        )
    },
    OptionDeclaration::new(
        CHECK,
        "COMMAND",
        "program that computes the objective of a solution. For each solution, the program reads one line of JSON and \
         writes one line",
    ),
];

impl Family for ExternalFamily {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn text_column(&self) -> &'static str {
        "text"
    }

    fn has_genomes(&self) -> bool {
        false
    }

    fn takes_columns(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [OptionDeclaration] {
        &OPTIONS
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm { extension: "txt", doc: "any text file; the whole content of the file is one instance" }]
    }

    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let option = |name: &str| options.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
        let is_option = |name: &str| OPTIONS.iter().any(|option| option.name == name);
        let columns: Map<String, Value> = options
            .iter()
            .filter(|(name, _)| !is_option(name))
            .map(|(name, value)| (name.clone(), json_value(value)))
            .collect();
        let sizes: Sizes = columns.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect();
        let text = match (text.is_empty(), columns.is_empty()) {
            (true, true) => return Err(InstanceError::new("the instance is empty")),
            (true, false) => Value::Object(columns).to_string(),
            (false, _) => text.to_owned(),
        };
        let objective = option(OBJECTIVE).unwrap_or(OBJECTIVE);
        let objective = match option(UNIT) {
            Some(unit) => format!("{objective} [{unit}]"),
            None => objective.to_owned(),
        };
        if objective.chars().any(char::is_control) || Direction::of_marked(&objective).1 != objective {
            let error = InstanceError::option(OBJECTIVE, format!("`{objective}` cannot be the name of an objective"));
            return Err(
                error.expecting("a short name for the objective; if the objective is maximised, also set `direction`")
            );
        }
        let is_maximised = option(DIRECTION) == Some(Direction::Maximise.name());
        let target = option(TARGET).map(|target| {
            let number = target.parse().ok().filter(|target: &f64| target.is_finite());
            number.ok_or_else(|| {
                InstanceError::option(TARGET, format!("`{target}` is not a target")).expecting("a number")
            })
        });
        let check = option(CHECK).map(|command| match checker::parse(command) {
            Ok(_) => Ok(command.to_owned()),
            Err(wrong) => Err(InstanceError::option(CHECK, wrong).expecting("a command")),
        });
        Ok(Box::new(ExternalInstance {
            check: check.transpose()?,
            is_maximised,
            objective,
            sizes,
            target: target.transpose()?,
            text,
        }))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        let instance = ExternalInstance::from_content(content)
            .ok_or_else(|| InstanceError::new("the text is not the content of an external instance"))?;
        Ok(Box::new(instance))
    }

    fn objective(&self, content: &str) -> Option<Objective> {
        let instance = ExternalInstance::from_content(content)?;
        let (solved, direction) = (instance.target, instance.direction());
        let source = match instance.check {
            Some(_) => ObjectiveSource::ByProgram(checker::objective),
            None => ObjectiveSource::Reported,
        };
        Some(Objective { name: Cow::Owned(instance.objective), direction, solved, source })
    }

    fn first_experiment(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment {
            experiment: include_str!("first/experiment.toml"),
            files: &[
                ("instances/knapsack.csv", include_str!("first/knapsack.csv")),
                ("programs/knapsack.py", include_str!("first/knapsack.py")),
                ("programs/check_knapsack.py", include_str!("first/check_knapsack.py")),
            ],
        })
    }
}

/// A cell of a table as JSON: a number if the cell has the form in which JSON writes this number, and text in all other cases.
fn json_value(cell: &str) -> Value {
    match serde_json::from_str::<Number>(cell) {
        Ok(number) if number.to_string() == cell => Value::Number(number),
        _ => Value::String(cell.to_owned()),
    }
}

/// Returns the command that starts the checker of an instance, or `None` if the instance has no checker. `content` is the text of the
/// instance. A checker is a program that checks solutions.
pub fn checker_command(content: &str) -> Option<String> {
    ExternalInstance::from_content(content)?.check
}

//! `runner schema`: the JSON schema of experiment files, for editors that complete and check. It is made from the same
//! declarations as the check of an experiment and `runner list`.

mod markdown;
mod setting;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::budget;
use evogrid_core::catalogue::{Catalogue, NESTED};
use evogrid_core::family::Family;
use evogrid_core::parameter::{Declaration, Domain, Parameter};
use serde_json::{Value, json};

use crate::arguments::{SchemaArgs, SchemaFormat};
use crate::commands::output::print_as_it_is;
use evogrid_runner::experiment::spec::{Preset, presets};
use setting::{closed, definition, described, full_doc, member, members_of, parameter_schema};

/// Prints the schema.
pub(crate) fn schema(args: &SchemaArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let schema = experiment(catalogue, &presets(catalogue));
    print_as_it_is(&match args.format {
        SchemaFormat::Json => format!("{}\n", serde_json::to_string_pretty(&schema)?),
        SchemaFormat::Markdown => markdown::page(&schema),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The schema of an experiment file.
fn experiment(catalogue: &Catalogue, presets: &[Preset]) -> Value {
    let operators = catalogue.operators.declarations().into_iter();
    let nested = NESTED.iter().map(|nested| (nested.category, nested.members.iter().collect()));
    let members = operators.chain(nested);
    let mut definitions: Value =
        members.map(|(category, members)| (definition(category), operator(category, &members))).collect();
    definitions["budget"] = described(closed(&limits()), budget::DECLARATION.doc);
    definitions["range"] = range();
    definitions["varied"] = varied(catalogue);
    definitions["algorithm"] = algorithm(catalogue, presets);
    let algorithms = json!({ "type": "object", "minProperties": 1, "additionalProperties": reference("algorithm") });
    let mut root = closed(&json!({
        "experiment": head(),
        "instances": instances(catalogue),
        "algorithms": described(algorithms, "the algorithms that are compared, a table for each"),
        "budget": reference("budget"),
        "record": record(),
    }));
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Evogrid experiment");
    root["description"] =
        json!("an experiment of the command `runner`; `runner check` says more where a value is wrong");
    root["required"] = json!(["experiment", "instances", "algorithms"]);
    root["$defs"] = definitions;
    root
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The table `experiment`.
fn head() -> Value {
    let text = |doc: &str| json!({ "type": "string", "description": doc });
    let mut head = closed(&json!({
        "name": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,100}$", "description": "names the results folder" },
        "title": text("for people"),
        "seed": { "type": "integer", "minimum": 0, "description": "all seeds follow from it" },
        "repetitions": {
            "type": "integer", "minimum": 1, "maximum": 1_000_000_000,
            "description": "runs of each configuration on each instance",
        },
        "seeding": {
            "enum": ["paired", "independent"], "default": "paired",
            "description": "whether all configurations use the same random stream on the same instance and repetition",
        },
        "published": text("published figures to show beside the results; relative to this file"),
    }));
    head["required"] = json!(["name", "seed", "repetitions"]);
    head
}

/// The data sets.
fn instances(catalogue: &Catalogue) -> Value {
    let texts =
        |doc: &str| json!({ "type": "array", "minItems": 1, "items": { "type": "string" }, "description": doc });
    let problems: Vec<Value> = catalogue.families().map(Family::declaration).map(member).collect();
    let mut keys = json!({
        "problem": { "oneOf": problems, "description": "the kind of problem" },
        "path": { "type": "string", "description": "a CSV file with the columns id, bucket and that of the family, or files of the family's own form, where * and ? stand for characters of a name; relative to this file" },
        "generate": described(generate(catalogue), "instances that are made: of a published set, or by size and seed"),
        "sha256": { "type": "string", "description": "SHA-256 checksum of the one file that `path` names: another file is refused" },
        "best_known": { "type": "string", "description": "a CSV file with the columns instance, best_known and, if there are any, status and objective; relative to this file" },
        "buckets": texts("only instances of these buckets"),
        "ids": texts("only these instances"),
        "limit": { "type": "integer", "minimum": 1, "description": "only so many of each bucket, the first" },
    });
    for option in catalogue.families().flat_map(Family::options) {
        keys[option.name] = json!({ "type": "string", "description": option.doc });
        if let Some(pattern) = option.pattern {
            keys[option.name]["pattern"] = json!(pattern);
        }
        if !option.choices.is_empty() {
            keys[option.name]["enum"] = json!(option.choices);
        }
    }
    let mut set = closed(&keys);
    set["required"] = json!(["problem"]);
    set["oneOf"] = json!([{ "required": ["path"] }, { "required": ["generate"] }]);
    json!({ "type": "array", "minItems": 1, "items": set, "description": "the data sets" })
}

/// Instances that are made.
fn generate(catalogue: &Catalogue) -> Value {
    let mut properties = json!({
        "ids": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "only these of the set" },
        "seed": { "type": "integer", "minimum": 0, "default": 0, "description": "what is drawn follows from it" },
        "count": { "type": "integer", "minimum": 1, "default": 1, "description": "how many of each bucket" },
    });
    let sets = catalogue.families().flat_map(Family::published_sets).map(|set| set.name);
    let sets = BTreeSet::from_iter(sets);
    properties["set"] = json!({ "enum": sets, "description": "a published set of instances" });
    for family in catalogue.families() {
        for option in family.generator().map(|generator| generator.options).unwrap_or_default() {
            let own = format!("{}: {}", family.declaration().name, option.doc);
            // Families may have an option of the same name.
            let doc = match properties[option.name]["description"].as_str() {
                Some(others) => format!("{others}; {own}"),
                None => own,
            };
            properties[option.name] = json!({ "description": doc });
        }
    }
    closed(&properties)
}

/// The table `record`.
fn record() -> Value {
    let every = json!({ "type": "integer", "minimum": 1, "description": "a number of generations" });
    let mut every = closed(&json!({ "every": every }));
    every["required"] = json!(["every"]);
    let trace = json!({
        "anyOf": [{ "enum": ["none", "improvements"] }, every], "default": "none",
        "description": "the moments of each run that its trace keeps",
    });
    closed(&json!({ "trace": trace }))
}

/// An operator of a family: a name, or a table with `kind` and its settings.
fn operator(family: &str, members: &[&Declaration]) -> Value {
    let mut properties = union(members.iter().flat_map(|member| member.parameters));
    properties["kind"] = members_of(members);
    let mut table = closed(&properties);
    table["allOf"] = members.iter().map(|member| only_for("kind", member.name, member.parameters, &["kind"])).collect();
    json!({
        "description": format!("a {family}, by name or as a table with its `kind` and settings"),
        "anyOf": [members_of(members), table],
    })
}

/// An algorithm: a preset or a kind, settings, and what is varied.
fn algorithm(catalogue: &Catalogue, presets: &[Preset]) -> Value {
    const OTHERS: [&str; 6] = ["preset", "kind", "budget", "grid", "zip", "exclude"];
    let algorithms: Vec<&Declaration> = catalogue.algorithms.declarations().collect();
    let of_problems: Vec<&Parameter> =
        catalogue.families().flat_map(|family| family.declaration().parameters).collect();
    let all = algorithms.iter().flat_map(|algorithm| algorithm.parameters).chain(of_problems.iter().copied());
    let mut properties = union(all);
    let names = presets
        .iter()
        .map(|preset| json!({ "const": preset.name, "description": format!("{} ({})", preset.title, preset.source) }));
    let names: Vec<Value> = names.collect();
    properties["preset"] =
        json!({ "oneOf": names, "description": "a named starting point; what stands here overrides it" });
    properties["kind"] = described(members_of(&algorithms), "the algorithm; the preset's unless given");
    properties["budget"] = described(reference("budget"), "limits of this algorithm, over those of all");
    let grid = "settings that are varied, by dotted path: a list, a range, or tables; all their combinations are run";
    properties["grid"] = described(reference("varied"), grid);
    let several =
        |item: Value, doc: &str| json!({ "anyOf": [item, { "type": "array", "items": item }], "description": doc });
    let zip = "settings that vary together: lists of the same length";
    properties["zip"] = several(reference("varied"), zip);
    let combination = json!({ "type": "object", "minProperties": 1 });
    properties["exclude"] = several(combination, "combinations of settings that are left out");

    let mut table = closed(&properties);
    let mut conditions = Vec::new();
    for algorithm in &algorithms {
        let parameters: Vec<Parameter> =
            algorithm.parameters.iter().chain(of_problems.iter().copied()).copied().collect();
        conditions.push(only_for("kind", algorithm.name, &parameters, &OTHERS));
        let settings = presets
            .iter()
            .filter(|preset| preset.settings.get("kind").is_some_and(|kind| kind.to_string() == algorithm.name));
        for preset in settings {
            let mut condition = only_for("preset", preset.name, &parameters, &OTHERS);
            // A kind of its own, or one that is varied, is not the preset's.
            condition["if"]["not"] = json!({ "anyOf": [
                { "required": ["kind"] },
                { "required": ["grid"], "properties": { "grid": { "required": ["kind"] } } },
            ]});
            conditions.push(condition);
        }
    }
    table["allOf"] = Value::Array(conditions);
    table["anyOf"] = json!([
        { "required": ["preset"] },
        { "required": ["kind"] },
        { "required": ["grid"], "properties": { "grid": { "required": ["kind"] } } },
    ]);
    table
}

/// Where `key` has this value, only these parameters are there, beside some other keys.
fn only_for(key: &str, value: &str, parameters: &[Parameter], others: &[&str]) -> Value {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).chain(others.iter().copied()).collect();
    json!({
        "if": { "required": [key], "properties": { key: { "const": value } } },
        "then": { "properties": by_name(parameters), "propertyNames": { "enum": names } },
    })
}

/// The schemas of parameters by their names.
fn by_name(parameters: &[Parameter]) -> Value {
    parameters.iter().map(|parameter| (parameter.name, parameter_schema(parameter))).collect()
}

/// The limits of a budget by their names.
fn limits() -> Value {
    let limits = budget::DECLARATION.parameters.iter().map(|limit| {
        let mut number = parameter_schema(limit);
        let default = number.as_object_mut().and_then(|number| number.remove("default"));
        let mut schema = json!({ "anyOf": [number, { "const": budget::UNSET }] });
        default.into_iter().for_each(|default| schema["default"] = default);
        (limit.name, described(schema, &format!("{}; \"{}\" removes a preset's", limit.doc, budget::UNSET)))
    });
    limits.collect()
}

/// Parameters by name; of those with the same name any fits.
fn union<'p>(parameters: impl Iterator<Item = &'p Parameter>) -> Value {
    let mut by_name: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for parameter in parameters {
        let schemas = by_name.entry(parameter.name).or_default();
        let schema = parameter_schema(parameter);
        if !schemas.contains(&schema) {
            schemas.push(schema);
        }
    }
    let one = |schemas: Vec<Value>| match <[Value; 1]>::try_from(schemas) {
        Ok([only]) => only,
        Err(several) => json!({ "anyOf": several }),
    };
    by_name.into_iter().map(|(name, schemas)| (name, one(schemas))).collect()
}

/// A range of a grid.
fn range() -> Value {
    let number = |doc: &str| json!({ "type": "number", "description": doc });
    let mut range = closed(&json!({
        "from": number("the first value"),
        "to": number("the last value, if a step leads there"),
        "step": { "type": "number", "exclusiveMinimum": 0, "description": "added from value to value" },
        "factor": { "type": "number", "exclusiveMinimum": 1, "description": "multiplied by" },
    }));
    range["required"] = json!(["from", "to"]);
    range["oneOf"] = json!([{ "required": ["step"] }, { "required": ["factor"] }]);
    range
}

/// What a `grid` or `zip` may vary: loosely, as only `runner check` knows what goes together.
fn varied(catalogue: &Catalogue) -> Value {
    let values = |item: Value| json!({ "type": "array", "minItems": 1, "items": item });
    let any = || json!({ "anyOf": [values(json!({})), reference("range")] });
    let of_problems = catalogue.families().flat_map(|family| family.declaration().parameters);
    let all = catalogue.algorithms.declarations().flat_map(|algorithm| algorithm.parameters).chain(of_problems);
    let mut properties = json!({});
    let mut tables = vec!["budget"];
    for parameter in all {
        let list = values(parameter_schema(parameter));
        let mut choices = match parameter.domain {
            Domain::Integer { .. } | Domain::Real { .. } => vec![list, reference("range")],
            // `mutation.other` without quotes is a table in a table.
            Domain::Operator(_) | Domain::Table => {
                tables.push(parameter.name);
                vec![list, json!({ "type": "object", "minProperties": 1, "additionalProperties": any() })]
            }
            Domain::Flag | Domain::Choice(_) | Domain::Construction | Domain::Text => vec![list],
        };
        if let Value::Array(before) = properties[parameter.name]["anyOf"].take() {
            choices.extend(before);
        }
        properties[parameter.name] = json!({ "anyOf": choices, "description": full_doc(parameter) });
    }
    let kinds: Vec<&Declaration> = catalogue.algorithms.declarations().collect();
    properties["kind"] = values(members_of(&kinds));
    properties["budget"] = json!({ "type": "object", "additionalProperties": any() });
    let mut varied = closed(&properties);
    tables.sort_unstable();
    tables.dedup();
    varied["minProperties"] = json!(1);
    varied["patternProperties"] = json!({ format!("^({})\\.", tables.join("|")): any() });
    varied
}

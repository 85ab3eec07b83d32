//! `runner schema`: the JSON schema of experiment files, for editors that complete and check. It is made from the same
//! declarations as the check of an experiment and `runner list`.

mod setting;

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use evogrid_core::budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::parameter::{Declaration, Domain, Parameter};
use serde_json::{Map, Value, json};

use super::output::print;
use crate::spec::{Preset, presets};
use setting::{closed, described, full_doc, member, members_of, parameter_schema};

/// Prints the schema.
pub(super) fn schema(catalogue: &Catalogue) -> Result<ExitCode> {
    let schema = experiment(catalogue, &presets(catalogue));
    print(&format!("{}\n", serde_json::to_string_pretty(&schema)?))?;
    Ok(ExitCode::SUCCESS)
}

/// The schema of an experiment file.
fn experiment(catalogue: &Catalogue, presets: &[Preset]) -> Value {
    let mut definitions = Map::new();
    for (family, members) in catalogue.operators.declarations() {
        definitions.insert(family.to_owned(), operator(family, &members));
    }
    let parameters = budget::DECLARATION.parameters.iter();
    let limits = parameters.map(|limit| (limit.name.to_owned(), parameter_schema(limit))).collect();
    definitions.insert("budget".to_owned(), described(closed(limits), budget::DECLARATION.doc));
    definitions.insert("range".to_owned(), range());
    definitions.insert("varied".to_owned(), varied(catalogue));
    definitions.insert("algorithm".to_owned(), algorithm(catalogue, presets));
    let algorithms = json!({ "type": "object", "minProperties": 1, "additionalProperties": reference("algorithm") });
    let mut root = closed(vec![
        ("experiment".to_owned(), head()),
        ("instances".to_owned(), instances(catalogue)),
        ("algorithms".to_owned(), described(algorithms, "the algorithms that are compared, a table for each")),
        ("budget".to_owned(), reference("budget")),
        ("record".to_owned(), record()),
    ]);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Evogrid experiment");
    root["description"] =
        json!("an experiment of the command `runner`; `runner check` says more where a value is wrong");
    root["required"] = json!(["experiment", "instances", "algorithms"]);
    root["$defs"] = Value::Object(definitions);
    root
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The table `experiment`.
fn head() -> Value {
    let text = |doc: &str| json!({ "type": "string", "description": doc });
    let mut head = closed(vec![
        (
            "name".to_owned(),
            json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,100}$", "description": "names the results folder" }),
        ),
        ("title".to_owned(), text("for people")),
        ("seed".to_owned(), json!({ "type": "integer", "minimum": 0, "description": "all seeds follow from it" })),
        (
            "repetitions".to_owned(),
            json!({
                "type": "integer", "minimum": 1, "maximum": 1_000_000_000,
                "description": "runs of each cell on each instance",
            }),
        ),
        (
            "seeding".to_owned(),
            json!({
                "enum": ["paired", "independent"], "default": "paired",
                "description": "whether all cells meet the same random stream on the same instance and repetition",
            }),
        ),
        ("published".to_owned(), text("published figures to show beside the results; relative to this file")),
    ]);
    head["required"] = json!(["name", "seed", "repetitions"]);
    head
}

/// The data sets.
fn instances(catalogue: &Catalogue) -> Value {
    let texts =
        |doc: &str| json!({ "type": "array", "minItems": 1, "items": { "type": "string" }, "description": doc });
    let problems: Vec<Value> = catalogue.families().map(|family| family.declaration()).map(member).collect();
    let mut keys = vec![
        ("problem".to_owned(), json!({ "oneOf": problems, "description": "the kind of problem" })),
        (
            "path".to_owned(),
            json!({ "type": "string", "description": "a CSV file with the columns id, bucket and that of the family; relative to this file" }),
        ),
        ("buckets".to_owned(), texts("only instances of these buckets")),
        ("ids".to_owned(), texts("only these instances")),
        (
            "limit".to_owned(),
            json!({ "type": "integer", "minimum": 1, "description": "only so many of them, the first" }),
        ),
    ];
    let options = catalogue.families().flat_map(|family| family.options());
    keys.extend(options.map(|option| {
        let mut schema = json!({ "type": "string", "description": option.doc });
        if let Some(pattern) = option.pattern {
            schema["pattern"] = json!(pattern);
        }
        (option.name.to_owned(), schema)
    }));
    let mut set = closed(keys);
    set["required"] = json!(["problem", "path"]);
    json!({ "type": "array", "minItems": 1, "items": set, "description": "the data sets" })
}

/// The table `record`.
fn record() -> Value {
    let every = json!({ "type": "integer", "minimum": 1, "description": "a number of generations" });
    let mut every = closed(vec![("every".to_owned(), every)]);
    every["required"] = json!(["every"]);
    let trace = json!({
        "anyOf": [{ "enum": ["none", "improvements"] }, every], "default": "none",
        "description": "the moments of each run that its trace keeps",
    });
    closed(vec![("trace".to_owned(), trace)])
}

/// An operator of a family: a name, or a table with `kind` and its settings.
fn operator(family: &str, members: &[&Declaration]) -> Value {
    let mut properties = union(members.iter().flat_map(|member| member.parameters));
    properties.insert("kind".to_owned(), members_of(members));
    let mut table = closed(properties.into_iter().collect());
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
    properties.insert(
        "preset".to_owned(),
        json!({ "oneOf": names, "description": "a named starting point; what stands here overrides it" }),
    );
    properties.insert("kind".to_owned(), members_of(&algorithms));
    properties.insert("budget".to_owned(), reference("budget"));
    let grid = "settings that are varied, by dotted path: a list, a range, or tables; all their combinations are run";
    properties.insert("grid".to_owned(), described(reference("varied"), grid));
    let several =
        |item: Value, doc: &str| json!({ "anyOf": [item, { "type": "array", "items": item }], "description": doc });
    let zip = "settings that move together: lists of the same length";
    properties.insert("zip".to_owned(), several(reference("varied"), zip));
    let combination = json!({ "type": "object", "minProperties": 1 });
    properties.insert("exclude".to_owned(), several(combination, "combinations of varied settings that are left out"));

    let mut table = closed(properties.into_iter().collect());
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
    let properties: Map<String, Value> =
        parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter_schema(parameter))).collect();
    json!({
        "if": { "required": [key], "properties": { key: { "const": value } } },
        "then": { "properties": properties, "propertyNames": { "enum": names } },
    })
}

/// Parameters by name; of those with the same name any fits.
fn union<'p>(parameters: impl Iterator<Item = &'p Parameter>) -> Map<String, Value> {
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
    by_name.into_iter().map(|(name, schemas)| (name.to_owned(), one(schemas))).collect()
}

/// A range of a grid.
fn range() -> Value {
    let number = |doc: &str| json!({ "type": "number", "description": doc });
    let mut range = closed(vec![
        ("from".to_owned(), number("the first value")),
        ("to".to_owned(), number("the last value, if a step leads there")),
        (
            "step".to_owned(),
            json!({ "type": "number", "exclusiveMinimum": 0, "description": "added from value to value" }),
        ),
        ("factor".to_owned(), json!({ "type": "number", "exclusiveMinimum": 1, "description": "multiplied by" })),
    ]);
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
    let mut properties = Map::new();
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
            Domain::Flag | Domain::Choice(_) | Domain::Text => vec![list],
        };
        let before = properties.remove(parameter.name).map(|mut schema: Value| schema["anyOf"].take());
        if let Some(Value::Array(before)) = before {
            choices.extend(before);
        }
        properties.insert(parameter.name.to_owned(), json!({ "anyOf": choices, "description": full_doc(parameter) }));
    }
    let kinds: Vec<&Declaration> = catalogue.algorithms.declarations().collect();
    properties.insert("kind".to_owned(), values(members_of(&kinds)));
    properties.insert("budget".to_owned(), json!({ "type": "object", "additionalProperties": any() }));
    let mut varied = closed(properties.into_iter().collect());
    tables.sort_unstable();
    tables.dedup();
    varied["minProperties"] = json!(1);
    varied["patternProperties"] = json!({ format!("^({})\\.", tables.join("|")): any() });
    varied
}

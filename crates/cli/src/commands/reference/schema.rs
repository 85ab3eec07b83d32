//! `runner schema`: prints the JSON schema of experiment files, which editors use to complete and check the files. The schema, the check of
//! an experiment and `runner list` are made from the same declarations.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use evogrid_analysis::metric::METRICS;
use evogrid_core::budget;
use evogrid_core::catalogue::{Catalogue, NESTED};
use evogrid_core::family::Family;
use evogrid_core::parameter::{AddedNames, Declaration, DefaultValue, Domain, Literal, Parameter};
use serde_json::{Value, json};

use crate::arguments::SchemaFormat;
use crate::messages::{print_as_it_is, rendered};
use evogrid_runner::experiment::spec::{Preset, presets};

/// Prints the schema.
pub(crate) fn schema(format: SchemaFormat, catalogue: &Catalogue) -> Result<()> {
    let schema = experiment(catalogue, &presets(catalogue));
    print_as_it_is(&match format {
        SchemaFormat::Json => format!("{}\n", serde_json::to_string_pretty(&schema)?),
        SchemaFormat::Markdown => {
            rendered!("schema/schema.md.j2", json!({ "schema": schema, "of_algorithms": OF_ALGORITHMS }))
        }
    })?;
    Ok(())
}

/// The part of the schema that does not depend on the catalogue: the tables of an experiment and their keys.
const FRAME: &str = include_str!("schema/frame.json");

/// The keys of an algorithm that are not settings of its kind.
const OF_ALGORITHMS: [&str; 8] = ["preset", "kind", "budget", "grid", "zip", "exclude", "space", "design"];

/// The schema of an experiment file. The catalogue and the presets complete the constant part of the schema.
fn experiment(catalogue: &Catalogue, presets: &[Preset]) -> Value {
    let mut root: Value = serde_json::from_str(FRAME).expect("the frame is valid JSON");
    add_instances(&mut root["properties"]["instances"]["items"]["properties"], catalogue);
    let metrics: Vec<&str> = METRICS.iter().map(|declared| declared.name).collect();
    root["properties"]["analysis"]["properties"]["metric"]["anyOf"] =
        json!([{ "enum": metrics }, { "type": "string", "pattern": "^diversity@[0-9]+$" }]);
    let definitions = &mut root["$defs"];
    let operators = catalogue.operators.declarations().into_iter();
    let nested = NESTED.iter().map(|nested| (nested.category, nested.members.iter().collect()));
    for (category, members) in operators.chain(nested) {
        definitions[definition(category)] = operator(category, &members);
    }
    for &(name, added) in AddedNames::CHOICES {
        let names = catalogue.families().flat_map(|family| family.added_names(added)).map(|(name, _)| name);
        let names = Vec::from_iter(BTreeSet::from_iter(names));
        definitions[name] = json!({ "type": "string", "pattern": format!("^({})$", names.join("|")) });
    }
    definitions["budget"]["properties"] = limits();
    definitions["budget"]["description"] = json!(budget::DECLARATION.doc);
    add_varied(&mut definitions["varied"], catalogue);
    // A space has the same settings, but another form of ranges.
    let space = definitions["varied"].to_string().replace("#/$defs/range", "#/$defs/dimension");
    definitions["space"] = serde_json::from_str(&space).expect("it was JSON");
    add_algorithm(&mut definitions["algorithm"], catalogue, presets);
    root
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Adds the problems and their options to the keys of a data set.
fn add_instances(keys: &mut Value, catalogue: &Catalogue) {
    keys["problem"]["oneOf"] = catalogue.families().map(Family::declaration).map(member).collect();
    for option in catalogue.families().flat_map(Family::options) {
        let kind = if option.is_number { "number" } else { "string" };
        let mut key = json!({ "type": kind, "description": option.doc });
        if let Some(pattern) = option.pattern {
            key["pattern"] = json!(pattern);
        }
        if !option.choices.is_empty() {
            key["enum"] = json!(option.choices);
        }
        // Families may have an option of the same name.
        if let Some(other) = keys.get(option.name) {
            let docs = [other, &key].map(|key| key["description"].as_str().unwrap_or_default());
            key = json!({ "description": docs.join("; "), "anyOf": [other, key] });
        }
        keys[option.name] = key;
    }
    let generate = &mut keys["generate"]["properties"];
    let sets = catalogue.families().flat_map(Family::published_sets).map(|set| set.name);
    generate["set"]["enum"] = json!(BTreeSet::from_iter(sets));
    for family in catalogue.families() {
        for option in family.generator().map(|generator| generator.options).unwrap_or_default() {
            let own = format!("{}: {}", family.declaration().name, option.doc);
            // Families may have an option of the same name.
            let doc = match generate[option.name]["description"].as_str() {
                Some(others) => format!("{others}; {own}"),
                None => own,
            };
            generate[option.name] = json!({ "description": doc });
        }
    }
}

/// The schema of an operator: a name, or a table with `kind` and its settings.
fn operator(family: &str, members: &[&Declaration]) -> Value {
    let mut properties: Value = union(members.iter().flat_map(|member| member.parameters)).collect();
    properties["kind"] = members_of(members);
    let mut table = closed(&properties);
    table["allOf"] = members.iter().map(|member| only_for("kind", member.name, member.parameters, &["kind"])).collect();
    json!({
        "description": format!("a {family}: its name, or a table with its `kind` and settings"),
        "anyOf": [members_of(members), table],
    })
}

/// The settings of every kind of algorithm and of every problem, in the order of the catalogue.
fn settings(catalogue: &Catalogue) -> impl Iterator<Item = &Parameter> {
    catalogue.algorithms.declarations().flat_map(|algorithm| algorithm.parameters).chain(of_problems(catalogue))
}

fn of_problems(catalogue: &Catalogue) -> impl Iterator<Item = &Parameter> {
    catalogue.families().flat_map(|family| family.declaration().parameters)
}

/// Adds the presets, the kinds and their settings to the table of an algorithm.
fn add_algorithm(table: &mut Value, catalogue: &Catalogue, presets: &[Preset]) {
    let algorithms: Vec<&Declaration> = catalogue.algorithms.declarations().collect();
    let properties = &mut table["properties"];
    for (name, schema) in union(settings(catalogue)) {
        properties[name] = schema;
    }
    let preset = |preset: &Preset| json!({ "const": preset.name, "description": format!("{} ({})", preset.title, preset.source) });
    properties["preset"]["oneOf"] = presets.iter().map(preset).collect();
    properties["kind"]["oneOf"] = members(&algorithms);
    let mut conditions = Vec::new();
    for algorithm in &algorithms {
        let parameters: Vec<Parameter> = algorithm.parameters.iter().chain(of_problems(catalogue)).copied().collect();
        conditions.push(only_for("kind", algorithm.name, &parameters, &OF_ALGORITHMS));
        let settings = presets
            .iter()
            .filter(|preset| preset.settings.get("kind").is_some_and(|kind| kind.to_string() == algorithm.name));
        for preset in settings {
            let mut condition = only_for("preset", preset.name, &parameters, &OF_ALGORITHMS);
            // If the table sets or varies `kind`, the kind of the preset does not apply.
            condition["if"]["not"] = json!({ "anyOf": [
                { "required": ["kind"] },
                { "required": ["grid"], "properties": { "grid": { "required": ["kind"] } } },
            ]});
            conditions.push(condition);
        }
    }
    table["allOf"] = Value::Array(conditions);
}

/// A condition: if `key` has this value, only these parameters and some other keys are allowed.
fn only_for(key: &str, value: &str, parameters: &[Parameter], others: &[&str]) -> Value {
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).chain(others.iter().copied()).collect();
    let properties: Value = parameters.iter().map(|parameter| (parameter.name, parameter_schema(parameter))).collect();
    json!({
        "if": { "required": [key], "properties": { key: { "const": value } } },
        "then": { "properties": properties, "propertyNames": { "enum": names } },
    })
}

/// The limits of a budget, each with its name.
fn limits() -> Value {
    let limits = budget::DECLARATION.parameters.iter().map(|limit| {
        let mut number = parameter_schema(limit);
        let default = number.as_object_mut().and_then(|number| number.remove("default"));
        let mut schema = json!({ "anyOf": [number, { "const": budget::UNSET }] });
        default.into_iter().for_each(|default| schema["default"] = default);
        schema["description"] =
            json!(format!("{}; \"{}\" removes the value that a preset sets", limit.doc, budget::UNSET));
        (limit.name, schema)
    });
    limits.collect()
}

/// Parameters by name. If several parameters have the same name, a value must fit one of these parameters.
fn union<'p>(parameters: impl Iterator<Item = &'p Parameter>) -> impl Iterator<Item = (&'p str, Value)> {
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
    by_name.into_iter().map(move |(name, schemas)| (name, one(schemas)))
}

/// Adds the settings that a `grid` or `zip` may vary. The schema accepts any combination of values, since only `runner check` knows which
/// values fit together.
fn add_varied(varied: &mut Value, catalogue: &Catalogue) {
    let values = |item: Value| json!({ "type": "array", "minItems": 1, "items": item });
    let any = varied["properties"]["budget"]["additionalProperties"].clone();
    let mut tables = BTreeSet::from(["budget"]);
    for parameter in settings(catalogue) {
        let list = values(parameter_schema(parameter));
        let mut choices = match parameter.domain {
            Domain::Integer { .. } | Domain::Real { .. } => vec![list, reference("range")],
            // In TOML, `mutation.other` without quotes is a table in a table.
            Domain::Operator(_) | Domain::Table => {
                tables.insert(parameter.name);
                vec![list, json!({ "type": "object", "minProperties": 1, "additionalProperties": any })]
            }
            Domain::Flag | Domain::Choice(..) | Domain::Text => vec![list],
        };
        let property = &mut varied["properties"][parameter.name];
        if let Value::Array(before) = property["anyOf"].take() {
            choices.extend(before);
        }
        *property = json!({ "anyOf": choices, "description": full_doc(parameter) });
    }
    let kinds: Vec<&Declaration> = catalogue.algorithms.declarations().collect();
    varied["properties"]["kind"] = values(members_of(&kinds));
    let tables: Vec<&str> = tables.into_iter().collect();
    varied["patternProperties"] = json!({ format!("^({})\\.", tables.join("|")): any });
}

/// The schema of a parameter: type, range, default and documentation.
fn parameter_schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.domain {
        Domain::Flag => json!({ "type": "boolean" }),
        Domain::Integer { min, max } => {
            let mut schema = json!({ "type": "integer", "minimum": min });
            if max < i64::MAX {
                schema["maximum"] = json!(max);
            }
            schema
        }
        Domain::Real { min, max } => {
            let mut schema = json!({ "type": "number" });
            if min > f64::MIN {
                schema["minimum"] = json!(min);
            }
            if max < f64::MAX {
                schema["maximum"] = json!(max);
            }
            schema
        }
        Domain::Choice(names, None) => json!({ "enum": names }),
        Domain::Choice(names, Some(added)) => json!({ "anyOf": [{ "enum": names }, reference(added.name())] }),
        Domain::Operator(family) => json!({ "$ref": format!("#/$defs/{}", definition(family)) }),
        Domain::Text => json!({ "type": "string" }),
        Domain::Table => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9_-]+$", "not": { "const": "kind" } },
            "additionalProperties": { "type": ["boolean", "number", "string"] },
        }),
    };
    if parameter.may_grow {
        // A table says how the number grows with the instance.
        let mut growing = closed(&json!({
            "per": { "type": "string", "description": "a formula that contains sizes of the problem, for example n*n" },
            "times": { "type": "number", "exclusiveMinimum": 0, "default": 1 },
        }));
        growing["required"] = json!(["per"]);
        schema = json!({ "anyOf": [schema, growing] });
    }
    schema["description"] = json!(full_doc(parameter));
    if let DefaultValue::Value(literal) = parameter.default {
        schema["default"] = match literal {
            Literal::Flag(flag) => json!(flag),
            Literal::Integer(integer) => json!(integer),
            Literal::Real(real) => json!(real),
            Literal::Name(name) => json!(name),
        };
    }
    schema
}

/// The name of a category's definition. The name has hyphens instead of spaces.
fn definition(category: &str) -> String {
    category.replace(' ', "-")
}

/// The description of a parameter, including its default and its conditions.
fn full_doc(parameter: &Parameter) -> String {
    format!("{}; {}", parameter.doc, parameter.usage())
}

/// The schema of one name with its documentation.
fn member(declared: &Declaration) -> Value {
    let source = if declared.source.is_empty() { String::new() } else { format!(" ({})", declared.source) };
    json!({ "const": declared.name, "description": format!("{}{source}", declared.doc) })
}

/// The schema of one of several names.
fn members_of(declared: &[&Declaration]) -> Value {
    json!({ "oneOf": members(declared) })
}

/// The schemas of several names with their documentation.
fn members(declared: &[&Declaration]) -> Value {
    declared.iter().map(|declared| member(declared)).collect()
}

/// The schema of a table that accepts no other keys.
fn closed(properties: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

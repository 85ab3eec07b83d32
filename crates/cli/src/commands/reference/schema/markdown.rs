//! `runner schema --format markdown`: the keys of an experiment file as a reference page, table by table.

use std::fmt::Write;

use serde_json::Value;

use super::OF_ALGORITHMS;

/// The tables of the page: heading, text, and the place of the table's schema in that of an experiment.
const TABLES: [(&str, &str, &str); 10] = [
    ("`[experiment]`", "These keys describe the experiment as a whole.", "/properties/experiment"),
    (
        "`[[instances]]`",
        "Each such table names one data set; an experiment may have several.",
        "/properties/instances/items",
    ),
    (
        "`generate`",
        "These keys of `[[instances]]` generate instances. Some belong to one family: [problems](problems.md).",
        "/properties/instances/items/properties/generate",
    ),
    (
        "`[algorithms.NAME]`",
        "Each such table defines one algorithm, with a name that you choose. Its other keys are the settings of its \
         `kind` ([algorithms](algorithms.md), [operators](operators.md)) and of the [problems](problems.md).",
        "/$defs/algorithm",
    ),
    ("a range", "`grid` and `zip` accept a range instead of a list of numbers.", "/$defs/range"),
    (
        "`[budget]`",
        "These limits hold for every run; `[algorithms.NAME.budget]` sets those of one algorithm.",
        "/$defs/budget",
    ),
    ("`[record]`", "These keys say what a run records besides its outcome.", "/properties/record"),
    (
        "`trace`",
        "`trace` as a table records the state at regular intervals of generations.",
        "/properties/record/properties/trace/anyOf/1",
    ),
    (
        "`[analysis]`",
        "These keys fix the analysis of the results before the first run. They do not change the runs.",
        "/properties/analysis",
    ),
    ("`margin`", "Of `[analysis]`.", "/properties/analysis/properties/margin"),
];

/// The page.
pub(super) fn page(schema: &Value) -> String {
    let mut text =
        "# Keys of an experiment file\n\n<!-- Written by `runner schema --format markdown`; do not edit. -->\n"
            .to_owned();
    for (heading, doc, place) in TABLES {
        let table = schema.pointer(place).expect("the schema has it");
        let _ = writeln!(text, "\n## {heading}\n\n{doc}\n\n| key | value | default | what it is |\n|---|---|---|---|");
        let required =
            |key: &str| table["required"].as_array().is_some_and(|keys| keys.iter().any(|other| other == key));
        let keys = table["properties"].as_object().expect("a table has keys");
        let is_algorithm = place.ends_with("algorithm");
        let mut keys: Vec<_> =
            keys.iter().filter(|(key, _)| !is_algorithm || OF_ALGORITHMS.contains(&key.as_str())).collect();
        keys.sort_by_key(|(key, _)| !required(key));
        for (key, value) in keys {
            let default = match &value["default"] {
                _ if required(key) => "must be given".to_owned(),
                Value::Null => "none".to_owned(),
                default => code(&plain(default)),
            };
            let doc = value["description"].as_str().unwrap_or_default();
            let row = format!("| `{key}` | {} | {default} | {} |", domain(value), doc.replace('|', "\\|"));
            let _ = writeln!(text, "{row}");
        }
    }
    text
}

/// The type and range of a value.
fn domain(schema: &Value) -> String {
    if let Some(one) = schema.get("const") {
        return code(&plain(one));
    }
    for several in ["enum", "oneOf", "anyOf"] {
        if let Some(values) = schema[several].as_array() {
            let each = |value| if several == "enum" { code(&plain(value)) } else { domain(value) };
            let mut each: Vec<String> = values.iter().map(each).collect();
            each.dedup();
            return each.join(", ");
        }
    }
    let bound = |key: &str| schema.get(key).map(plain);
    let range = match (bound("minimum"), bound("maximum"), bound("exclusiveMinimum")) {
        (Some(min), Some(max), _) => format!(" from {min} to {max}"),
        (Some(min), None, _) => format!(" from {min}"),
        (None, _, Some(min)) => format!(" above {min}"),
        _ => String::new(),
    };
    match schema["type"].as_str() {
        Some("integer") => format!("whole number{range}"),
        Some("number") => format!("number{range}"),
        Some("string") => match schema["pattern"].as_str() {
            Some(pattern) => format!("text, {}", code(pattern)),
            None => "text".to_owned(),
        },
        Some("boolean") => "`true`, `false`".to_owned(),
        Some("array") => format!("list of {}", domain(&schema["items"])),
        Some("object") if schema["properties"]["per"].is_object() => "`{ per, times }`".to_owned(),
        Some("object") => "table".to_owned(),
        _ if schema["$ref"].is_string() => "table".to_owned(),
        _ => "[of the family](problems.md)".to_owned(),
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A text without quotes, a number without needless digits, any other value as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        _ => value.to_string(),
    }
}

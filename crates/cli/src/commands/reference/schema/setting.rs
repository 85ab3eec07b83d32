//! Schemas of single settings: a parameter by its domain, or a choice of names.

use evogrid_core::parameter::{Declaration, DefaultValue, Domain, Literal, Parameter};
use serde_json::{Value, json};

/// The schema of a parameter: type, range, default and documentation.
pub(super) fn parameter_schema(parameter: &Parameter) -> Value {
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
        Domain::Choice(names) => json!({ "enum": names }),
        Domain::Operator(family) => json!({ "$ref": format!("#/$defs/{}", definition(family)) }),
        Domain::Construction | Domain::Text => json!({ "type": "string" }),
        Domain::Table => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9_-]+$", "not": { "const": "kind" } },
            "additionalProperties": { "type": ["boolean", "number", "string"] },
        }),
    };
    if parameter.may_grow {
        schema = or_growing(&schema);
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

/// The name of a category's definition, in which spaces are replaced.
pub(super) fn definition(category: &str) -> String {
    category.replace(' ', "-")
}

/// The schema of a number, or of how it grows with the instance.
fn or_growing(number: &Value) -> Value {
    let mut growing = closed(&json!({
        "per": { "type": "string", "description": "a formula over the sizes of the problem: n*n" },
        "times": { "type": "number", "exclusiveMinimum": 0, "default": 1 },
    }));
    growing["required"] = json!(["per"]);
    json!({ "anyOf": [number, growing] })
}

/// The description of a parameter, including its default and its conditions.
pub(super) fn full_doc(parameter: &Parameter) -> String {
    format!("{}; {}", parameter.doc, parameter.usage())
}

/// One name with its documentation.
pub(super) fn member(declared: &Declaration) -> Value {
    let source = if declared.source.is_empty() { String::new() } else { format!(" ({})", declared.source) };
    json!({ "const": declared.name, "description": format!("{}{source}", declared.doc) })
}

/// One of several names.
pub(super) fn members_of(declared: &[&Declaration]) -> Value {
    json!({ "oneOf": members(declared) })
}

/// Several names with their documentation.
pub(super) fn members(declared: &[&Declaration]) -> Value {
    declared.iter().map(|declared| member(declared)).collect()
}

/// A table that accepts no other keys.
pub(super) fn closed(properties: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

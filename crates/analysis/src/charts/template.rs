//! Templates of drawings: `templates.json` has the Vega-Lite layers of each chart. Short forms replace parts that many layers share:
//!
//! - `"$name"` is replaced by a value from the chart, or by an entry of `define` in the same template.
//! - `"x": "mean"` places a mark at the field `mean` along the axis of the chart; `"y": "low high"` extends a mark from the field `low` to
//!   the field `high`.
//! - `"color": "series"`, `"shape": "series"` and `"strokeDash": "series"` distinguish the series, if there are several series.
//! - `"text": "name"` shows the field `name` as a name. Any other channel may be used instead of `text`.
//! - An entry of a tooltip is `"field"`, `"field = title"` or `"field = title | number format"`.
//! - A layer with `"when": false` is left out.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::axis::Axis;
use super::vega::{Drawing, Styles};

static TEMPLATES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("templates.json")).expect("the templates are JSON"));

/// The content with which a template is filled in.
#[derive(Clone, Copy, Default)]
pub(super) struct Filling<'a> {
    /// The axes for the channels `x` and `y`.
    pub(super) axes: [Option<&'a Axis>; 2],
    pub(super) styles: Option<&'a Styles>,
    /// The values for the names that begin with `$`.
    pub(super) values: &'a [(&'a str, Value)],
}

impl Filling<'_> {
    /// Makes a panel of the standard width from a template.
    pub(super) fn drawing(&self, template: &str, title: &str, height: impl Into<Value>, rows: Vec<Value>) -> Drawing {
        let template = &TEMPLATES[template];
        let value = |part: &Value| self.value(part, &template["define"]);
        let layers = template["layer"].as_array().into_iter().flatten().map(value);
        Drawing {
            rows,
            encoding: self.encoding(&template["encoding"], &template["define"]),
            layers: layers.filter_map(shown).collect(),
            symbol: self.styles.map(|styles| styles.symbol).unwrap_or_default(),
            ..Drawing::new(title, height)
        }
    }

    /// Fills in a part of a template. `define` has the definitions of the template.
    fn value(&self, template: &Value, define: &Value) -> Value {
        match template {
            Value::String(text) => match text.strip_prefix('$') {
                Some(name) => match self.values.iter().find(|(known, _)| *known == name) {
                    Some((_, value)) => value.clone(),
                    None => {
                        let part =
                            define.get(name).unwrap_or_else(|| panic!("no template and no chart defines `${name}`"));
                        self.value(part, define)
                    }
                },
                None => template.clone(),
            },
            Value::Array(parts) => parts.iter().map(|part| self.value(part, define)).collect(),
            Value::Object(parts) => {
                let filled = |(name, part): (&String, &Value)| {
                    let is_encoding = name == "encoding";
                    let value = if is_encoding { self.encoding(part, define) } else { self.value(part, define) };
                    (name.clone(), value)
                };
                parts.iter().map(filled).collect()
            }
            _ => template.clone(),
        }
    }

    fn encoding(&self, template: &Value, define: &Value) -> Value {
        let mut encoding = Map::new();
        for (channel, part) in template.as_object().into_iter().flatten() {
            let axis = ["x", "y"].iter().position(|axis| axis == channel).and_then(|at| self.axes[at]);
            let filled = match (channel.as_str(), self.value(part, define), axis) {
                ("tooltip", Value::Array(fields), _) => tooltip(&fields),
                (_, Value::String(fields), Some(axis)) => match fields.split_once(' ') {
                    Some((from, to)) => {
                        encoding.insert(format!("{channel}2"), json!({ "field": to }));
                        axis.encoding(from)
                    }
                    None => axis.encoding(&fields),
                },
                ("color" | "shape" | "strokeDash", Value::String(_), _) => {
                    match self.styles.and_then(|styles| styles.channel(channel)) {
                        Some(styled) => styled,
                        None => continue,
                    }
                }
                (_, Value::String(field), _) => nominal(&field, &field),
                (_, value, _) => value,
            };
            encoding.insert(channel.clone(), filled);
        }
        Value::Object(encoding)
    }
}

/// The layer without its field `when`; `None` if `when` is false.
fn shown(mut layer: Value) -> Option<Value> {
    (layer.as_object_mut()?.remove("when") != Some(json!(false))).then_some(layer)
}

/// The Vega-Lite tooltip for the short form in a template.
fn tooltip(fields: &[Value]) -> Value {
    let entry = |field: &Value| {
        let text = field.as_str().unwrap_or_default();
        let (named, format) = text.rsplit_once(" | ").map_or((text, None), |(named, format)| (named, Some(format)));
        let (field, title) = named.split_once(" = ").unwrap_or((named, named));
        match format {
            Some(format) => json!({ "field": field, "type": "quantitative", "title": title, "format": format }),
            None => nominal(field, title),
        }
    };
    fields.iter().map(entry).collect()
}

fn nominal(field: &str, title: &str) -> Value {
    json!({ "field": field, "type": "nominal", "title": title })
}

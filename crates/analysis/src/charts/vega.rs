//! Pieces of Vega-Lite descriptions.
//!
//! Axis and legend titles are given to axes and legends, never to fields: from the titles of fields Vega-Lite builds expressions.
//! Panels stand side by side rather than as facets, since the order of facets is an expression with their names in it.

use serde_json::{Map, Value, json};

use super::labels::{lines, significant};

/// Size of a plain panel without its axes, in pixels: with them it is some 320 wide, a column of 8.5 cm.
pub(super) const WIDTH: u32 = 250;
pub(super) const HEIGHT: u32 = 165;

/// Pixels of a panel with its axes, of a sign in a legend with the room around it, and of a letter, about.
const COLUMN: usize = 310;
const SIGN: usize = 36;
pub(super) const LETTER: usize = 5;

/// Dashes that tell seven series apart without colour. Seven colours come from the theme.
const DASHES: [&[u32]; 7] = [&[], &[5, 2], &[1, 2], &[7, 2, 1, 2], &[3, 1], &[9, 3], &[5, 2, 1, 2, 1, 2]];

/// The theme has so many.
pub(super) const MOST_COLORS: usize = DASHES.len();

/// Where there are more series than colours, five dashes and five shapes: no two series share both.
const FEWER: usize = 5;
const FEWER_SHAPES: [&str; FEWER] = ["circle", "square", "triangle-up", "diamond", "cross"];

/// A panel: layers over their data.
pub(super) struct Drawing {
    /// What stands over it, if anything.
    pub(super) title: String,
    /// Pixels, or a step for each value.
    pub(super) width: Value,
    /// Pixels, or a step for each value.
    pub(super) height: Value,
    /// The rows of its layers, unless they have their own.
    pub(super) rows: Vec<Value>,
    /// Channels of all its layers.
    pub(super) encoding: Value,
    /// The layers.
    pub(super) layers: Vec<Value>,
    /// How its legend shows series.
    pub(super) sign: Sign,
}

/// Panels in a row.
const COLUMNS: usize = 2;

/// A description of panels.
pub(super) fn description(title: &str, drawings: Vec<Drawing>) -> Value {
    let mut spec = json!({ "$schema": "https://vega.github.io/schema/vega-lite/v6.json", "description": title });
    let mut panels: Vec<Map<String, Value>> = drawings.into_iter().map(panel).collect();
    if panels.len() == 1 {
        let only = panels.remove(0);
        spec.as_object_mut().expect("it is one").extend(only);
    } else {
        let n = panels.len();
        for (at, panel) in panels.iter_mut().enumerate() {
            // Panels share their axes: what stands beside or below another needs no second title.
            if at % COLUMNS > 0 {
                untitle(panel, "y");
            }
            if at + COLUMNS < n {
                untitle(panel, "x");
            }
        }
        spec["columns"] = json!(COLUMNS);
        spec["concat"] = json!(panels);
    }
    spec
}

/// Takes the title from an axis of a panel.
fn untitle(panel: &mut Map<String, Value>, channel: &str) {
    let (encoding, layers): (Vec<&mut Value>, Vec<&mut Value>) = panel
        .iter_mut()
        .map(|(_, part)| part)
        .filter(|part| part.is_object() || part.is_array())
        .partition(|part| part.is_object());
    let of_layers =
        layers.into_iter().filter_map(Value::as_array_mut).flatten().filter_map(|layer| layer.get_mut("encoding"));
    for encoding in encoding.into_iter().chain(of_layers) {
        if let Some(axis) =
            encoding.get_mut(channel).and_then(|channel| channel.get_mut("axis")).filter(|axis| axis.is_object())
        {
            axis["title"] = Value::Null;
        }
    }
}

fn panel(drawing: Drawing) -> Map<String, Value> {
    let Drawing { title, width, height, rows, encoding, layers, sign } = drawing;
    let mut panel = Map::new();
    if !title.is_empty() {
        let title = json!({
            "text": lines(&title), "anchor": "middle", "fontWeight": "normal", "fontSize": 10, "limit": WIDTH + 60,
        });
        panel.insert("title".to_owned(), title);
    }
    panel.extend([
        ("width".to_owned(), width),
        ("height".to_owned(), height),
        ("data".to_owned(), json!({ "values": rows })),
        ("encoding".to_owned(), encoding),
        ("layer".to_owned(), json!(layers)),
    ]);
    if sign == Sign::Marker {
        // Dashes are no part of the legend, which would else be merged with theirs.
        panel.insert("resolve".to_owned(), json!({ "legend": { "strokeDash": "independent" } }));
    }
    panel
}

/// How the legend shows a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// By its marker.
    Marker,
    /// By its line.
    Line,
}

/// The channels that tell series apart by the field `series`: colour for all layers, and markers and dashes for those that have
/// them. Nothing where there is one series.
pub(super) struct Styles {
    names: Vec<String>,
    legend: Value,
    sign: Sign,
}

impl Styles {
    /// Styles of series by their names; `title` says what the names are values of, `is_wide` that the legend has two panels' width.
    pub(super) fn new(names: &[String], title: Option<&str>, sign: Sign, is_wide: bool) -> Self {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let room = if is_wide { 2 * COLUMN } else { COLUMN };
        let columns = (room / (SIGN + LETTER * longest)).clamp(1, room / (2 * SIGN));
        let mut legend = json!({ "title": title, "columns": columns, "labelLimit": room / columns - SIGN });
        if sign == Sign::Line {
            legend["symbolType"] = json!("stroke");
            legend["symbolSize"] = json!(300);
        }
        Self { names: names.to_vec(), legend, sign }
    }

    fn channel(&self, legend: &Value, range: Option<Value>) -> Value {
        let mut scale = json!({ "domain": self.names });
        if let Some(range) = range {
            scale["range"] = range;
        }
        json!({ "field": "series", "type": "nominal", "title": "series", "scale": scale, "legend": legend })
    }

    /// Adds the colour to channels.
    pub(super) fn color(&self, mut encoding: Value) -> Value {
        if self.names.len() > 1 {
            encoding["color"] = self.channel(&self.legend, None);
        }
        encoding
    }

    /// Adds the marker to channels.
    pub(super) fn shape(&self, mut encoding: Value) -> Value {
        if self.names.len() > 1 {
            let range = (self.names.len() > DASHES.len()).then(|| json!(FEWER_SHAPES));
            encoding["shape"] = self.channel(&self.legend, range);
        }
        encoding
    }

    /// Adds the dash to channels, in the legend if that shows lines.
    pub(super) fn dash(&self, mut encoding: Value) -> Value {
        if self.names.len() > 1 {
            let most = if self.names.len() > DASHES.len() { FEWER } else { DASHES.len() };
            let legend = if self.sign == Sign::Line { &self.legend } else { &Value::Null };
            encoding["strokeDash"] = self.channel(legend, Some(json!(DASHES[..most])));
        }
        encoding
    }
}

/// A channel with a field that its mark shares with another: the other end of a bar.
pub(super) fn end(field: &str) -> Value {
    json!({ "field": field })
}

/// What a pointer shows: fields, with what they are called, and how their numbers are written (none: as they are).
pub(super) fn tooltip(fields: &[(&str, &'static str, Option<&str>)]) -> Value {
    let entry = |&(field, title, format): &(&str, &'static str, Option<&str>)| match format {
        Some(format) => json!({ "field": field, "type": "quantitative", "title": title, "format": format }),
        None => json!({ "field": field, "type": "nominal", "title": title }),
    };
    Value::Array(fields.iter().map(entry).collect())
}

/// A finite number with six significant digits: more than a drawing shows, and no noise.
pub(super) fn number(value: f64) -> f64 {
    significant(value, 6).unwrap_or(value)
}

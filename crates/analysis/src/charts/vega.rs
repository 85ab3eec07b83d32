//! Parts of Vega-Lite specifications.
//!
//! Titles from data are titles of axes and legends. They are never titles of fields, because Vega-Lite makes expressions from the titles of
//! fields. Panels are concatenated. Panels are not facets, because the order of facets is an expression that contains the names of the
//! facets.
//!
//! `templates.json` has the Vega-Lite layers of each chart. Short forms replace parts that many layers share:
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
use super::labels::lines;
use evogrid_results::format::wrapped_at;

/// The size in pixels of a standard panel without axes. With axes the panel is about 320 pixels wide, which is a column of 8.5 cm.
pub(super) const WIDTH: u32 = 250;
pub(super) const HEIGHT: u32 = 165;

/// The approximate widths in pixels of a panel with axes, of a legend symbol with its margin, and of a letter.
const COLUMN: usize = 310;
const SYMBOL: usize = 36;
/// The part of a symbol's margin into which a label may extend, if the label is wider than estimated.
const PADDING: usize = 10;
pub(super) const LETTER: usize = 5;

/// The dashes that distinguish seven series without colour. The theme has seven colours.
const DASHES: [&[u32]; 7] = [&[], &[5, 2], &[1, 2], &[7, 2, 1, 2], &[3, 1], &[9, 3], &[5, 2, 1, 2, 1, 2]];

/// The number of colours in the theme.
pub(super) const MOST_COLORS: usize = DASHES.len();

/// If there are more series than colours, this many dashes and this many shapes are used. Then no two series have the same dash and the
/// same shape.
const FEWER: usize = 5;
const FEWER_SHAPES: [&str; FEWER] = ["circle", "square", "triangle-up", "diamond", "cross"];

/// A panel: the layers and the data of the layers.
pub(super) struct Drawing {
    /// The title above the panel, if any.
    pub(super) title: String,
    pub(super) width: Value,
    /// The height in pixels, or the height of one row as a step.
    pub(super) height: Value,
    /// The data rows for all layers that have no data of their own.
    pub(super) rows: Vec<Value>,
    pub(super) encoding: Value,
    pub(super) layers: Vec<Value>,
    /// Layers that are drawn above the other layers. The axes of the other layers keep their titles.
    pub(super) upper_layers: Vec<Value>,
    /// The symbol of a series in the legend.
    pub(super) symbol: LegendSymbol,
    /// Whether each panel has different series, and therefore needs its own legend.
    pub(super) has_own_series: bool,
}

/// The specification of a chart. The caveats are above the panels, and `columns` panels are side by side.
pub(super) fn description(title: &str, mut drawings: Vec<Drawing>, columns: usize, caveats: &[String]) -> Value {
    let n = drawings.len();
    let has_title = |drawings: &[Drawing], at: usize, other: usize, channel: &str| {
        drawings[at].axis_title(channel) == drawings[other].axis_title(channel)
    };
    for at in 0..n {
        // If panels side by side or above each other have the same axis, only one of them has its title.
        let (is_beside, is_above) = (at % columns > 0, at + columns < n);
        if is_beside && has_title(&drawings, at, at - at % columns, "y") {
            drawings[at].remove_axis_title("y");
        }
        if is_above && has_title(&drawings, at, at + columns, "x") {
            drawings[at].remove_axis_title("x");
        }
    }
    let has_own_series = drawings.iter().any(|drawing| drawing.has_own_series);
    let mut panels: Vec<Value> = drawings.into_iter().map(Drawing::into_panel).collect();
    let mut spec = match panels.as_mut_slice() {
        [only] => only.take(),
        _ if has_own_series => {
            let own = json!({ "color": "independent", "shape": "independent", "strokeDash": "independent" });
            json!({ "columns": columns, "concat": panels, "resolve": { "scale": own, "legend": own } })
        }
        _ => json!({ "columns": columns, "concat": panels }),
    };
    let width = columns.min(n.max(1)) * COLUMN / LETTER;
    let wrapped = |caveat: &String| wrapped_at(caveat, width, |character| character == ' ');
    let mut heading: Vec<String> = caveats.iter().flat_map(wrapped).collect();
    if !heading.is_empty() {
        // If there is only one panel, its title is below the caveats.
        heading.extend(
            spec["title"]["text"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned),
        );
        spec["title"] =
            json!({ "text": heading, "anchor": "start", "frame": "bounds", "fontWeight": "normal", "fontSize": 9 });
    }
    spec["$schema"] = json!("https://vega.github.io/schema/vega-lite/v6.json");
    spec["description"] = json!(title);
    spec
}

impl Drawing {
    /// A panel of the standard width without content.
    pub(super) fn new(title: &str, height: impl Into<Value>) -> Self {
        Self {
            title: title.to_owned(),
            width: json!(WIDTH),
            height: height.into(),
            rows: Vec::new(),
            encoding: json!({}),
            layers: Vec::new(),
            upper_layers: Vec::new(),
            symbol: LegendSymbol::Marker,
            has_own_series: false,
        }
    }

    /// The title of an axis, from the layer that contains this title.
    fn axis_title(&self, channel: &str) -> Option<&Value> {
        let encodings = self.layers.iter().filter_map(|layer| layer.get("encoding")).chain([&self.encoding]);
        encodings
            .filter_map(|encoding| encoding.pointer(&format!("/{channel}/axis/title")))
            .find(|title| !title.is_null())
    }

    fn remove_axis_title(&mut self, channel: &str) {
        let of_layers = self.layers.iter_mut().filter_map(|layer| layer.get_mut("encoding"));
        for encoding in of_layers.chain([&mut self.encoding]) {
            let axis = encoding.pointer_mut(&format!("/{channel}/axis"));
            if let Some(axis) = axis.filter(|axis| axis.is_object()) {
                axis["title"] = Value::Null;
            }
        }
    }

    fn into_panel(mut self) -> Value {
        self.layers.append(&mut self.upper_layers);
        let mut panel = json!({
            "width": self.width,
            "height": self.height,
            "data": { "values": self.rows },
            "encoding": self.encoding,
            "layer": self.layers,
        });
        if !self.title.is_empty() {
            panel["title"] = json!({
                "text": lines(&self.title),
                "anchor": "middle",
                "fontWeight": "normal",
                "fontSize": 10,
                "limit": WIDTH + 60,
            });
        }
        if self.symbol == LegendSymbol::Marker {
            // The legend shows markers without dashes. Without this setting, both legends would be merged.
            panel["resolve"] = json!({ "legend": { "strokeDash": "independent" } });
        }
        panel
    }
}

/// The symbol of a series in a legend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LegendSymbol {
    /// The marker of the series.
    #[default]
    Marker,
    /// The line of the series.
    Line,
}

/// The channels that distinguish series by the field `series`. All layers use colours; some layers also use markers or dashes.
pub(super) struct Styles {
    names: Vec<String>,
    legend: Value,
    pub(super) symbol: LegendSymbol,
    /// Whether the series are not configurations. Series that are not configurations have different colours, so that each colour has one
    /// meaning.
    is_of_levels: bool,
}

impl Styles {
    /// The styles of series with these names. `title` has the names of the settings whose values are shown. The legend may be as wide as
    /// `panels` panels.
    pub(super) fn new(names: &[String], title: Option<&str>, symbol: LegendSymbol, panels: usize) -> Self {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let room = panels.max(1) * COLUMN;
        let columns = (room / (SYMBOL + LETTER * longest)).clamp(1, room / (2 * SYMBOL));
        let mut legend = json!({ "title": title, "columns": columns, "labelLimit": room / columns - SYMBOL + PADDING });
        if symbol == LegendSymbol::Line {
            legend["symbolType"] = json!("stroke");
            legend["symbolSize"] = json!(300);
        }
        Self { names: names.to_vec(), legend, symbol, is_of_levels: false }
    }

    /// The styles of series that are not configurations, such as buckets or values of a setting within a panel.
    pub(super) fn of_levels(names: &[String], title: Option<&str>, symbol: LegendSymbol, panels: usize) -> Self {
        Self { is_of_levels: true, ..Self::new(names, title, symbol, panels) }
    }

    /// The channel `color`, `shape` or `strokeDash`; `None` if there is one series. The legend shows dashes only if it shows lines.
    pub(super) fn channel(&self, channel: &str) -> Option<Value> {
        let is_many = self.names.len() > DASHES.len();
        let mut scale = json!({ "domain": self.names });
        match channel {
            "shape" if is_many => scale["range"] = json!(FEWER_SHAPES),
            "strokeDash" => scale["range"] = json!(DASHES[..if is_many { FEWER } else { DASHES.len() }]),
            _ => {}
        }
        let has_legend = channel != "strokeDash" || self.symbol == LegendSymbol::Line;
        let legend = if has_legend { &self.legend } else { &Value::Null };
        let kind = if self.is_of_levels && channel == "color" { "ordinal" } else { "nominal" };
        let encoding = json!({ "field": "series", "type": kind, "title": "series", "scale": scale, "legend": legend });
        (self.names.len() > 1).then_some(encoding)
    }
}

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

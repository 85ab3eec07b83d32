//! The themes of all charts, as a Vega-Lite `config`.
//!
//! A chart fits into one column of a paper: 320 pixels are 8.5 cm, and 10 pixels of text are 7.5 points. The first three colours are Okabe
//! and Ito's (jfly.uni-koeln.de/color, 2008). The others were chosen so that any two differ for readers with deuteranopia and protanopia,
//! and neighbours also in grey print; they include Tol's teal and wine (personal.sron.nl/~pault, 2021). Series that are not configurations
//! are grey, and marks without a series are dark grey, so that a colour stands for a configuration alone.

use serde_json::{Value, json};

use crate::font::FAMILIES;

/// Colours for series, in order: blue, orange, black, teal, dark brown, wine, brown. Neighbours differ in lightness.
pub const PALETTE: [&str; 7] = ["#0072B2", "#E69F00", "#000000", "#44AA99", "#661100", "#882255", "#A35C00"];

/// Colours for series on a dark background.
const DARK_PALETTE: [&str; 7] = ["#2E8BD0", "#F0B429", "#FFFFFF", "#B03060", "#8CD0F5", "#A35C00", "#E9C7A0"];

/// Marker shapes for series, in addition to their colour, by Vega's names.
const SHAPES: [&str; 7] = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"];

/// The theme for paper: dark on white. It is the `config` that a [`Renderer`](crate::Renderer) uses by default.
///
/// # Example
/// ```
/// use evogrid_render::{PALETTE, dark_theme, theme};
///
/// assert_eq!(theme()["range"]["category"][0], PALETTE[0]);
/// assert_ne!(theme()["background"], dark_theme()["background"]);
/// ```
pub fn theme() -> Value {
    config(&Colours {
        background: "#FFFFFF",
        strong: "#000000",
        text: "#222222",
        line: "#555555",
        grid: "#E2E2E2",
        palette: PALETTE,
        greys: [0.4, 1.0],
    })
}

/// The theme for a dark page.
pub fn dark_theme() -> Value {
    config(&Colours {
        background: "#16181D",
        strong: "#FFFFFF",
        text: "#D8D8D8",
        line: "#9A9A9A",
        grid: "#33363D",
        palette: DARK_PALETTE,
        greys: [0.0, 0.6],
    })
}

/// The colours that differ between paper and a dark page.
struct Colours {
    background: &'static str,
    strong: &'static str,
    text: &'static str,
    line: &'static str,
    grid: &'static str,
    palette: [&'static str; 7],
    /// The part of the greys, from white to black, for ordered series.
    greys: [f64; 2],
}

fn config(colours: &Colours) -> Value {
    let Colours { background, strong, text, line, grid, palette, greys } = colours;
    // From light to dark in both themes, so that the text colours of a heat map need not be exchanged.
    let ramp = || json!({ "scheme": "yellowgreenblue" });
    json!({
        "font": FAMILIES,
        "background": background,
        "padding": 4,
        "view": { "continuousWidth": 250, "continuousHeight": 165, "step": 18, "stroke": null },
        "title": {
            "anchor": "start", "color": strong, "fontSize": 11, "fontWeight": "bold", "offset": 6,
            "subtitleColor": text, "subtitleFontSize": 10
        },
        "axis": {
            "labelColor": text, "labelFontSize": 10, "labelPadding": 3, "labelLimit": 140,
            "titleColor": strong, "titleFontSize": 11, "titleFontWeight": "normal", "titlePadding": 5, "titleLimit": 300,
            "domainColor": line, "domainWidth": 1, "tickColor": line, "tickSize": 4, "tickWidth": 1,
            "gridColor": grid, "gridWidth": 0.75
        },
        "axisBand": { "grid": false },
        "axisXDiscrete": { "labelAngle": 0 },
        "legend": {
            "orient": "bottom", "columns": 2, "columnPadding": 12, "rowPadding": 2, "padding": 0, "offset": 8,
            "labelColor": text, "labelFontSize": 10, "labelLimit": 115,
            "titleColor": strong, "titleFontSize": 10, "titleFontWeight": "normal", "titleLimit": 300, "titlePadding": 3,
            "symbolSize": 60, "symbolStrokeWidth": 1.6, "symbolOpacity": 1,
            "gradientLength": 160, "gradientThickness": 8
        },
        "header": {
            "labelColor": strong, "labelFontSize": 10, "labelPadding": 4,
            "titleColor": strong, "titleFontSize": 11, "titleFontWeight": "normal", "titlePadding": 4
        },
        "facet": { "spacing": 12 },
        "concat": { "spacing": 14 },
        "range": {
            "category": palette,
            "symbol": SHAPES,
            "ordinal": { "scheme": "greys", "extent": greys },
            "ramp": ramp(),
            "heatmap": ramp(),
            "diverging": { "scheme": "blueorange" }
        },
        "mark": { "color": line },
        "line": { "strokeWidth": 1.6 },
        "trail": { "size": 1.6 },
        "point": { "filled": true, "size": 32, "opacity": 1 },
        "circle": { "size": 24, "opacity": 0.8 },
        "square": { "size": 24, "opacity": 0.8 },
        "rule": { "color": text, "strokeWidth": 1 },
        "tick": { "opacity": 1, "thickness": 1.6 },
        "text": { "color": text, "fontSize": 10 },
        "area": { "opacity": 0.25 },
        "bar": { "discreteBandSize": { "band": 0.8 } },
        "style": { "median": { "color": background, "size": 16, "thickness": 2 } },
        "rect": { "stroke": background, "strokeWidth": 0.5 },
        "errorbar": { "ticks": { "size": 5, "thickness": 1 }, "rule": { "strokeWidth": 1 } },
        "errorband": { "band": { "opacity": 0.2 } },
        "boxplot": {
            "size": 16,
            "box": { "opacity": 0.85 },
            "median": { "color": background, "strokeWidth": 1.6 },
            "rule": { "color": line },
            "outliers": { "filled": false, "size": 12, "strokeWidth": 0.8 }
        }
    })
}

//! The themes of all charts, as a Vega-Lite `config`.
//!
//! A chart fits into one column of a paper. 320 pixels are 8.5 cm, and text of 10 pixels has 7.5 points. The first three colours are from
//! Okabe and Ito (jfly.uni-koeln.de/color, 2008). Teal and wine are from Tol (personal.sron.nl/~pault, 2021). Readers with deuteranopia or
//! protanopia can distinguish any two colours. Neighbouring colours also differ in grey print. Series that are not configurations are grey,
//! and marks without a series are dark grey. A colour therefore always stands for a configuration.

use serde_json::{Value, json};

use crate::font::FAMILIES;

/// The theme without colours. A name that begins with `$` stands for a colour, the palette or the font.
const TEMPLATE: &str = include_str!("theme.json");

/// Colours for series: blue, orange, black, teal, dark brown, wine, brown. Colours that follow each other in the list differ in lightness.
pub const PALETTE: [&str; 7] = ["#0072B2", "#E69F00", "#000000", "#44AA99", "#661100", "#882255", "#A35C00"];

/// Colours for series on a dark background.
const DARK_PALETTE: [&str; 7] = ["#2E8BD0", "#F0B429", "#FFFFFF", "#B03060", "#8CD0F5", "#A35C00", "#E9C7A0"];

/// The theme for paper: dark on white. This theme is the `config` that a [`Renderer`](crate::Renderer) uses by default.
///
/// # Example
/// ```
/// use evogrid_render::{PALETTE, dark_theme, theme};
///
/// assert_eq!(theme()["range"]["category"][0], PALETTE[0]);
/// assert_ne!(theme()["background"], dark_theme()["background"]);
/// ```
pub fn theme() -> Value {
    filled(["#FFFFFF", "#000000", "#222222", "#555555", "#E2E2E2"], PALETTE, [0.4, 1.0])
}

/// The theme for a dark page.
pub fn dark_theme() -> Value {
    filled(["#16181D", "#FFFFFF", "#D8D8D8", "#9A9A9A", "#33363D"], DARK_PALETTE, [0.0, 0.6])
}

/// The theme with five colours, the colours of series, and the range of greys for ordered series.
fn filled([background, strong, text, line, grid]: [&str; 5], palette: [&str; 7], greys: [f64; 2]) -> Value {
    let values = [
        ("$font", json!(FAMILIES)),
        ("$background", json!(background)),
        ("$strong", json!(strong)),
        ("$text", json!(text)),
        ("$line", json!(line)),
        ("$grid", json!(grid)),
        ("$palette", json!(palette)),
        ("$greys", json!(greys)),
    ];
    let quoted = |name: &str| format!("\"{name}\"");
    let theme = values
        .iter()
        .fold(TEMPLATE.to_owned(), |theme, (name, value)| theme.replace(&quoted(name), &value.to_string()));
    serde_json::from_str(&theme).expect("the template of the theme is valid JSON")
}

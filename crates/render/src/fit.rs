//! Drawings of a given width: the widths of panels change, and texts keep their size.

use serde_json::{Value, json};

use crate::{RenderError, Renderer};

/// The number of CSS pixels per millimetre. An inch has 25.4 mm and 96 pixels.
pub const PIXELS_PER_MM: f64 = 96.0 / 25.4;

/// The maximum number of drawings until the width fits. Labels change with the widths of panels, so one correction may not suffice.
const MOST_DRAWINGS: usize = 4;

/// The accepted difference from the requested width in pixels. A margin fills the difference.
const TOLERANCE: f64 = 0.75;

/// The minimum width of a panel, and of a step of a discrete axis, in pixels.
const LEAST_WIDTHS: [f64; 2] = [60.0, 15.0];

/// The approximate width of a letter of a title in pixels.
const LETTER: f64 = 5.0;

/// A drawing of a given width.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedDrawing {
    /// The SVG document. The width of the drawing in millimetres is exactly the requested width.
    pub svg: String,
    /// The specification of this drawing, with the widths that the panels have in the drawing.
    pub spec: Value,
    /// The height of the drawing in CSS pixels.
    pub height: f64,
    /// The factor by which the drawing was scaled down. If the drawing was not scaled down, the factor is 1, and texts have the size that
    /// the theme defines.
    pub scale: f64,
}

impl Renderer {
    /// Draws a specification so that the drawing is `width` CSS pixels wide. A millimetre has [`PIXELS_PER_MM`] pixels. The renderer
    /// changes the width in the specification. If the specification has a `concat`, the renderer changes the widths of its panels. A square
    /// panel remains square. If the panels cannot become narrow enough, the drawing is scaled down.
    ///
    /// ```
    /// use evogrid_render::{PIXELS_PER_MM, Renderer};
    /// use serde_json::json;
    ///
    /// let spec = json!({
    ///     "width": 250, "height": 165,
    ///     "data": { "values": [{ "x": 1, "y": 2 }, { "x": 2, "y": 3 }] },
    ///     "mark": "point",
    ///     "encoding": { "x": { "field": "x", "type": "quantitative" }, "y": { "field": "y", "type": "quantitative" } },
    /// });
    /// let drawing = Renderer::new()?.svg_of_width(&spec, 85.0 * PIXELS_PER_MM)?;
    /// assert!(drawing.svg.contains(r#"width="85mm""#));
    /// # Ok::<(), evogrid_render::RenderError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`svg`](Self::svg).
    pub fn svg_of_width(&mut self, spec: &Value, width: f64) -> Result<FittedDrawing, RenderError> {
        let mut spec = spec.clone();
        wrap_title(&mut spec, (width / LETTER) as usize);
        let mut svg = self.svg(&spec)?;
        for _ in 1..MOST_DRAWINGS {
            let missing = width - size(&svg)[0];
            if missing.abs() <= TOLERANCE || !widen(&mut spec, missing) {
                break;
            }
            svg = self.svg(&spec)?;
        }
        let scale = (width / size(&svg)[0].max(1.0)).min(1.0);
        let height = size(&svg)[1] * scale;
        Ok(FittedDrawing { svg: framed(&svg, width), spec, height, scale })
    }
}

/// Breaks lines of the title between words, if they have more characters than `length`.
fn wrap_title(spec: &mut Value, length: usize) {
    let Some(lines) = spec.pointer_mut("/title/text").and_then(Value::as_array_mut) else { return };
    let mut broken: Vec<String> = Vec::new();
    for line in lines.iter().filter_map(Value::as_str) {
        broken.push(String::new());
        for word in line.split(' ') {
            let last = broken.last_mut().expect("the list contains the line that was just added");
            match last.chars().count() {
                0 => last.push_str(word),
                n if n + 1 + word.chars().count() <= length => last.extend([" ", word]),
                _ => broken.push(word.to_owned()),
            }
        }
    }
    *lines = broken.into_iter().map(Value::from).collect();
}

/// Widens the panels by `missing` pixels in total. Returns whether the width of a panel changed.
fn widen(spec: &mut Value, missing: f64) -> bool {
    let columns = spec["columns"].as_u64().unwrap_or(u64::MAX);
    let panels: Vec<&mut Value> = match spec.get_mut("concat").and_then(Value::as_array_mut) {
        Some(panels) => panels.iter_mut().collect(),
        None => vec![spec],
    };
    let each = missing / columns.min(panels.len() as u64).max(1) as f64;
    let mut is_changed = false;
    for panel in panels {
        let steps = panel["encoding"]["x"]["scale"]["domain"].as_array().map_or(1, Vec::len).max(1) as f64;
        let is_square = panel["width"] == panel["height"];
        let (place, least, each) = match panel["width"]["step"].as_f64() {
            Some(_) => ("/width/step", LEAST_WIDTHS[1], each / steps),
            None => ("/width", LEAST_WIDTHS[0], each),
        };
        let Some(old) = panel.pointer(place).and_then(Value::as_f64) else { continue };
        let new = (old + each).max(least);
        is_changed |= new != old;
        if let Some(width) = panel.pointer_mut(place) {
            *width = json!(new);
        }
        if is_square {
            panel["height"] = json!(new);
        }
    }
    is_changed
}

/// The width and the height of a drawing by Vega, in pixels.
fn size(svg: &str) -> [f64; 2] {
    let head = &svg[..svg.find('>').unwrap_or_default()];
    ["width", "height"].map(|side| {
        let value = head.split_once(&format!(" {side}=\"")).and_then(|(_, rest)| rest.split('"').next());
        value.and_then(|value| value.parse().ok()).unwrap_or(0.0)
    })
}

/// The drawing with exactly this width. A narrower drawing gets a margin, and a wider drawing is scaled down.
fn framed(svg: &str, width: f64) -> String {
    let Some((head, rest)) = svg.split_once('>') else { return svg.to_owned() };
    let [drawn, height] = size(svg);
    let scale = (width / drawn.max(1.0)).min(1.0);
    let set = |head: &str, name: &str, value: &str| {
        let (before, after) = head.split_once(&format!(" {name}=\""))?;
        let (_, after) = after.split_once('"')?;
        Some(format!("{before} {name}=\"{value}\"{after}"))
    };
    let two_decimals = |value: f64| ((value * 100.0).round() / 100.0).to_string();
    let millimetres = |pixels: f64| format!("{}mm", two_decimals(pixels / PIXELS_PER_MM));
    let framed = set(head, "width", &millimetres(width))
        .and_then(|head| set(&head, "height", &millimetres(height * scale)))
        .and_then(|head| set(&head, "viewBox", &format!("0 0 {} {height}", two_decimals(width / scale))));
    // The background includes the margin.
    let ground = format!("<rect width=\"{drawn}\"");
    let rest = rest.replacen(&ground, &format!("<rect width=\"{}\"", two_decimals(width / scale)), 1);
    framed.map_or_else(|| svg.to_owned(), |head| format!("{head}>{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_wider_than_the_drawing_is_broken_between_words() {
        let mut spec = json!({ "title": { "text": ["one two three", "four"] } });
        wrap_title(&mut spec, 7);
        assert_eq!(spec["title"]["text"], json!(["one two", "three", "four"]));
    }

    #[test]
    fn what_is_too_narrow_gets_a_margin_and_what_is_too_wide_is_scaled() {
        let svg = |sides: &str, ground: &str| {
            format!(r#"<svg class="a" {sides}"><rect width="{ground}" height="200"/></svg>"#)
        };
        let drawn = svg(r#"width="300" height="200" viewBox="0 0 300 200"#, "300");
        assert_eq!(framed(&drawn, 320.0), svg(r#"width="84.67mm" height="52.92mm" viewBox="0 0 320 200"#, "320"));
        assert_eq!(framed(&drawn, 150.0), svg(r#"width="39.69mm" height="26.46mm" viewBox="0 0 300 200"#, "300"));
    }
}

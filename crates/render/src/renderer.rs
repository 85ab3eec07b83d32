//! The renderer, which draws charts one after the other.

use serde_json::Value;

use crate::engine::Engine;
use crate::font::lacking;
use crate::{Limits, RenderError, theme};

/// The maximum number of nested levels in a specification.
pub const DEEPEST_NESTING: usize = 100;

/// Draws Vega-Lite specifications as SVG. Starting a renderer takes longer than drawing most charts. So use one renderer for several
/// charts.
///
/// A renderer can be used only on the thread that created it. To draw charts in parallel, create a renderer on each thread.
///
/// # Example
/// ```
/// use evogrid_render::{RenderError, Renderer};
/// use serde_json::json;
///
/// let mut spec = json!({
///     "data": { "values": [{ "x": 1, "y": 2 }, { "x": 2, "y": 3 }] },
///     "mark": "point",
///     "encoding": {
///         "x": { "field": "x", "type": "quantitative", "title": "generation" },
///         "y": { "field": "y", "type": "quantitative" }
///     }
/// });
/// let mut renderer = Renderer::new()?;
/// assert!(renderer.svg(&spec)?.contains(">generation<") && renderer.warnings().is_empty());
///
/// // A specification must hold its data.
/// spec["data"] = json!({ "url": "https://example.org/runs.csv" });
/// assert!(matches!(renderer.svg(&spec), Err(RenderError::ExternalReference { .. })));
/// # Ok::<(), RenderError>(())
/// ```
pub struct Renderer {
    limits: Limits,
    config: String,
    /// The engine, which is `None` after a drawing that exceeded its limits. In this case the next drawing starts a new engine.
    engine: Option<Engine>,
    warnings: Vec<String>,
    lacking: Vec<char>,
}

impl Renderer {
    /// Starts a renderer with the default limits.
    ///
    /// # Errors
    /// Returns [`RenderError::Start`] if the engine does not start.
    pub fn new() -> Result<Self, RenderError> {
        Self::with_limits(Limits::default())
    }

    /// Starts a renderer that applies these limits to each drawing.
    ///
    /// # Errors
    /// Returns an error if the engine does not start within the limits.
    pub fn with_limits(limits: Limits) -> Result<Self, RenderError> {
        let engine = Some(Engine::start(limits)?);
        Ok(Self { limits, config: theme().to_string(), engine, warnings: Vec::new(), lacking: Vec::new() })
    }

    /// Draws a Vega-Lite specification as an SVG document. If the `config` of the specification lacks a setting, the renderer takes this
    /// setting from the [`theme`].
    ///
    /// # Errors
    /// Returns an error if the value is not a specification or refers to external data. Also returns an error if the drawing exceeds the
    /// limits, or if the specification has more than [`DEEPEST_NESTING`] levels. The renderer can be used again after any error.
    pub fn svg(&mut self, spec: &Value) -> Result<String, RenderError> {
        self.warnings.clear();
        self.lacking.clear();
        if deeper_than(spec, DEEPEST_NESTING) {
            return Err(RenderError::Nesting { limit: DEEPEST_NESTING });
        }
        let config = self.config.clone();
        let (svg, warnings) = self.with_engine(|engine| engine.draw(&spec.to_string(), &config))?;
        self.warnings = warnings;
        self.lacking = lacking(&svg);
        Ok(svg)
    }

    /// Calls a function in JavaScript that makes a drawing. The function receives two texts. If a text is absent, the function receives
    /// `null` instead. The function returns an SVG document. If the function cannot make a drawing from the texts, the function returns
    /// `null`. The function can use only the built-in functions of JavaScript. The function has the same limits of time and memory as a
    /// chart.
    ///
    /// ```
    /// use evogrid_render::{RenderError, Renderer};
    ///
    /// let dot = "(radius, colour) => colour === null ? null : `<svg><circle r='${radius}' fill='${colour}'/></svg>`";
    /// let mut renderer = Renderer::new()?;
    /// assert_eq!(renderer.drawing(dot, [Some("3"), Some("red")])?.as_deref(), Some("<svg><circle r='3' fill='red'/></svg>"));
    /// assert_eq!(renderer.drawing(dot, [Some("3"), None])?, None);
    /// # Ok::<(), RenderError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a function. Also returns an error if the JavaScript function throws an error or exceeds the
    /// limits.
    pub fn drawing(&mut self, function: &str, arguments: [Option<&str>; 2]) -> Result<Option<String>, RenderError> {
        let svg = self.with_engine(|engine| engine.call(function, arguments))?;
        self.lacking = svg.as_deref().map(lacking).unwrap_or_default();
        Ok(svg)
    }

    /// Uses the engine, or starts a new engine after a drawing that exceeded its limits.
    fn with_engine<T>(&mut self, work: impl FnOnce(&Engine) -> Result<T, RenderError>) -> Result<T, RenderError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(self.limits)?,
        };
        let done = work(&engine);
        if !matches!(done, Err(RenderError::TimeLimit { .. } | RenderError::MemoryLimit { .. })) {
            self.engine = Some(engine);
        }
        done
    }

    /// The warnings of Vega and Vega-Lite about the last chart. An example is a warning that a mark does not support an encoding.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The characters of the last chart that are missing in our font. [`png`](crate::png) and [`pdf`](crate::pdf) show boxes for these
    /// characters. A program that shows the SVG may have a font with these characters.
    pub fn lacking(&self) -> &[char] {
        &self.lacking
    }
}

/// Returns true if a value has more nested levels than a limit. The function does not recurse, so deep nesting does not overflow the stack.
fn deeper_than(value: &Value, limit: usize) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > limit {
            return true;
        }
        match value {
            Value::Array(parts) => open.extend(parts.iter().map(|part| (part, depth + 1))),
            Value::Object(parts) => open.extend(parts.values().map(|part| (part, depth + 1))),
            _ => {}
        }
    }
    false
}

//! Draws charts, one after the other.

use serde_json::Value;

use crate::engine::{Drawing, Engine};
use crate::{Limits, RenderError, theme};

/// How deep a specification may be nested.
pub const DEEPEST: usize = 100;

/// Draws specifications as SVG. To start one takes longer than most drawings, so draw several charts with one.
///
/// It belongs to one thread; charts drawn side by side have one each.
pub struct Renderer {
    limits: Limits,
    config: String,
    /// None after a drawing that ran into its limits: the next one gets a new engine.
    engine: Option<Engine>,
    warnings: Vec<String>,
}

impl Renderer {
    /// A renderer with the usual limits.
    ///
    /// # Errors
    /// If the engine does not start.
    pub fn new() -> Result<Self, RenderError> {
        Self::with_limits(Limits::default())
    }

    /// A renderer with limits for each drawing.
    ///
    /// # Errors
    /// If the engine does not start within the limits.
    pub fn with_limits(limits: Limits) -> Result<Self, RenderError> {
        let engine = Some(Engine::start(limits)?);
        Ok(Self { limits, config: theme().to_string(), engine, warnings: Vec::new() })
    }

    /// Draws a Vega-Lite specification as an SVG document. It starts from [`theme`], whatever its own `config` leaves open.
    ///
    /// # Errors
    /// If it is no specification, points outside itself, is nested more than [`DEEPEST`] deep, or takes more than the limits.
    pub fn svg(&mut self, spec: &Value) -> Result<String, RenderError> {
        self.warnings.clear();
        if deeper_than(spec, DEEPEST) {
            return Err(RenderError::Deep { limit: DEEPEST });
        }
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(self.limits)?,
        };
        let drawn = engine.draw(&spec.to_string(), &self.config);
        if !matches!(drawn, Err(RenderError::Time { .. } | RenderError::Memory { .. })) {
            self.engine = Some(engine);
        }
        let Drawing { svg, warnings } = drawn?;
        self.warnings = warnings;
        Ok(svg)
    }

    /// What Vega and Vega-Lite did not like about the chart drawn last, such as an encoding that its mark does not know.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Whether a value is nested deeper than a limit. It does not recurse, so no depth can hurt it.
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

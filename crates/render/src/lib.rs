//! Charts: a Vega-Lite specification in, an SVG, a PNG or a PDF out. Nothing is installed for it, nothing is fetched.
//!
//! [`Renderer`] holds Vega and Vega-Lite in a small JavaScript engine and draws SVG; [`png`] and [`pdf`] turn SVG into pictures and
//! pages. All three are set in one font, which this crate carries, and look the same on every machine. Charts start from
//! [`theme`], the house's looks; what a specification's own `config` says goes before it.
//!
//! ```
//! use evogrid_render::{Renderer, pdf, png};
//! use serde_json::json;
//!
//! let spec = json!({
//!     "data": { "values": [{ "population": 100, "rate": 0.91 }, { "population": 500, "rate": 0.97 }] },
//!     "mark": { "type": "line", "point": true },
//!     "encoding": {
//!         "x": { "field": "population", "type": "quantitative", "title": "population" },
//!         "y": { "field": "rate", "type": "quantitative", "title": "success rate" }
//!     }
//! });
//! let mut renderer = Renderer::new()?;
//! let svg = renderer.svg(&spec)?;
//! assert!(svg.contains("success rate"));
//! assert!(png(&svg, 2.0)?.starts_with(b"\x89PNG"));
//! assert!(pdf(&svg)?.starts_with(b"%PDF"));
//! # Ok::<(), evogrid_render::RenderError>(())
//! ```
//!
//! **A specification holds all it shows**: one that points to a file, a page or an image is refused. **It decides nothing but its
//! drawing**: scripts have no files, no network, and bounded time and memory ([`Limits`]). **The same specification gives the same
//! bytes**, whatever was drawn before.

mod engine;
mod error;
mod font;
mod page;
mod picture;
mod renderer;
mod theme;

pub use engine::Limits;
pub use error::RenderError;
pub use page::pdf;
pub use picture::{LONGEST_SIDE, png};
pub use renderer::{DEEPEST, Renderer};
pub use theme::{DASHES, PALETTE, dark_theme, theme};

/// Vega as a script for a page, where it becomes `vega`. It holds no `</script`.
pub const VEGA: &str = include_str!("../vendor/vega/vega.min.js");

/// Vega-Lite as a script for a page, where it becomes `vegaLite`; it asks for [`VEGA`] before it.
pub const VEGA_LITE: &str = include_str!("../vendor/vega-lite/vega-lite.min.js");

/// Vega-Embed as a script for a page, where it becomes `vegaEmbed`; it asks for [`VEGA`] and [`VEGA_LITE`] before it. It is no part
/// of what draws here.
pub const VEGA_EMBED: &str = include_str!("../vendor/vega-embed/vega-embed.min.js");

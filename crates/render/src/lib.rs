#![doc = include_str!("../README.md")]
//!
//! [`Renderer`] runs Vega and Vega-Lite in a small JavaScript engine and draws SVG. [`png`] and [`pdf`] convert SVG to pictures and pages.
//! [`Renderer`], [`png`] and [`pdf`] use the same font. The font is part of this crate. So a chart looks the same on every machine. Charts
//! are drawn with the [`theme`]. If the `config` of a specification contains a setting, this setting replaces the setting of the theme.
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
//! The crate guarantees:
//!
//! - A specification contains all its data. The renderer refuses a specification that refers to files, pages or images.
//! - The scripts in a specification cannot access files or networks. The time and memory of scripts are limited ([`Limits`]).
//! - The same specification always gives the same bytes. Earlier drawings do not influence the bytes of a drawing.

mod engine;
mod error;
mod fit;
mod font;
mod page;
mod picture;
mod renderer;
mod theme;

pub use engine::Limits;
pub use error::RenderError;
pub use fit::{FittedDrawing, PIXELS_PER_MM};
pub use page::pdf;
pub use picture::{LONGEST_SIDE, png};
pub use renderer::{DEEPEST_NESTING, Renderer};
pub use theme::{PALETTE, dark_theme, theme};

/// Vega, as a script that a page can load. The script defines `vega`. The script does not contain the text `</script`.
pub const VEGA: &str = include_str!("../vendor/vega/vega.min.js");

/// Vega-Lite, as a script that a page can load. The script defines `vegaLite`. The page must load [`VEGA`] before this script.
pub const VEGA_LITE: &str = include_str!("../vendor/vega-lite/vega-lite.min.js");

/// Vega-Embed, as a script that a page can load. The script defines `vegaEmbed`. The page must load [`VEGA`] and [`VEGA_LITE`] before this
/// script. The [`Renderer`] does not use the script.
pub const VEGA_EMBED: &str = include_str!("../vendor/vega-embed/vega-embed.min.js");

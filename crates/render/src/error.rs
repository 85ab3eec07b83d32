//! What can go wrong with a chart.

/// Why a chart was not drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The engine did not start.
    #[error("the chart engine does not start: {message}")]
    Start {
        /// What it says.
        message: String,
    },
    /// Vega or Vega-Lite threw an exception, or logged an error.
    #[error("the chart cannot be drawn: {message}")]
    Chart {
        /// What it says.
        message: String,
    },
    /// The specification points outside itself.
    #[error("the chart points to `{url}`; expected one that holds all it shows, with no link, image or data file")]
    Outward {
        /// Where to.
        url: String,
    },
    /// The specification is a tower of lists and objects.
    #[error("the chart is nested more than {limit} deep")]
    Deep {
        /// How deep it may be.
        limit: usize,
    },
    /// The drawing took too long.
    #[error("the chart is not drawn after {seconds} s")]
    Time {
        /// How long it may take.
        seconds: f64,
    },
    /// The drawing took too much memory.
    #[error("the chart needs more than {bytes} bytes to draw")]
    Memory {
        /// How much it may take.
        bytes: usize,
    },
    /// What should be turned into a picture is no SVG.
    #[error("the drawing cannot be read: {message}")]
    Svg {
        /// What its reader says.
        message: String,
    },
    /// The picture would have no pixel, or too many.
    #[error("a picture of {width} x {height} pixels; expected sides of 1 to {limit}")]
    Size {
        /// Its width, in pixels.
        width: f64,
        /// Its height, in pixels.
        height: f64,
        /// How long a side may be, in pixels.
        limit: u32,
    },
    /// The picture or the page could not be written.
    #[error("the drawing cannot be turned into {format}: {message}")]
    Write {
        /// `PNG` or `PDF`.
        format: &'static str,
        /// What its writer says.
        message: String,
    },
}

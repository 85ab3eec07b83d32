//! Errors of drawing a chart.

/// Why a chart was not drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The JavaScript engine did not start.
    #[error("the chart engine does not start: {message}")]
    Start {
        /// Its message.
        message: String,
    },
    /// Vega or Vega-Lite threw an exception, or logged an error.
    #[error("the chart cannot be drawn: {message}")]
    Chart {
        /// Its message.
        message: String,
    },
    /// The specification refers to something outside itself.
    #[error("the chart points to `{url}`; expected one that holds all it shows, with no link, image or data file")]
    ExternalReference {
        /// The address.
        url: String,
    },
    /// The lists and objects of the specification are nested too deep.
    #[error("the chart is nested more than {limit} deep")]
    Nesting {
        /// The deepest nesting that is allowed.
        limit: usize,
    },
    /// The drawing took too long.
    #[error("drawing the chart took over {seconds} s")]
    TimeLimit {
        /// The limit, in seconds.
        seconds: f64,
    },
    /// The drawing took too much memory.
    #[error("the chart needs more than {bytes} bytes to draw")]
    MemoryLimit {
        /// The limit, in bytes.
        bytes: usize,
    },
    /// The drawing to be turned into a picture or a page is not SVG.
    #[error("the drawing cannot be read: {message}")]
    Svg {
        /// The reader's message.
        message: String,
    },
    /// The picture would have no pixel, or too many.
    #[error("a picture of {width} x {height} pixels; expected sides of 1 to {limit}")]
    PictureSize {
        /// Its width, in pixels.
        width: f64,
        /// Its height, in pixels.
        height: f64,
        /// The longest side that is allowed, in pixels.
        limit: u32,
    },
    /// The picture or the page could not be written.
    #[error("the drawing cannot be turned into {format}: {message}")]
    Write {
        /// `PNG` or `PDF`.
        format: &'static str,
        /// The writer's message.
        message: String,
    },
}

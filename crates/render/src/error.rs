//! Errors of drawing a chart.

/// The reason why a chart was not drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The JavaScript engine did not start.
    #[error("cannot start the chart engine: {message}")]
    Start {
        /// Its message.
        message: String,
    },
    /// Vega or Vega-Lite threw an exception, or logged an error.
    #[error("cannot draw the chart: {message}")]
    Chart {
        /// Its message.
        message: String,
    },
    /// The specification refers to external data.
    #[error(
        "the chart refers to `{url}`; expected a chart that contains all its data, without links, images and data files"
    )]
    ExternalReference {
        /// The address.
        url: String,
    },
    /// The lists and objects of the specification are nested too deeply.
    #[error("the chart has more than {limit} nested levels")]
    Nesting {
        /// The deepest nesting that is allowed.
        limit: usize,
    },
    /// The drawing took too long.
    #[error("drawing the chart took more than {seconds} s and was stopped")]
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
    /// The drawing to be converted to a picture or a page is not SVG.
    #[error("cannot read the drawing: {message}")]
    Svg {
        /// The reader's message.
        message: String,
    },
    /// The picture would be empty or too large.
    #[error("the picture would have {width} x {height} pixels; expected sides from 1 to {limit}")]
    PictureSize {
        /// Its width, in pixels.
        width: f64,
        /// Its height, in pixels.
        height: f64,
        /// The longest side that is allowed, in pixels.
        limit: u32,
    },
    /// The picture or the page could not be written.
    #[error("cannot convert the drawing to {format}: {message}")]
    Write {
        /// `PNG` or `PDF`.
        format: &'static str,
        /// The writer's message.
        message: String,
    },
}

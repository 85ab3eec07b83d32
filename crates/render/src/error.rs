//! Errors of drawing a chart.

/// The reason why a chart was not drawn. All sizes in these errors are in pixels.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
#[non_exhaustive]
pub enum RenderError {
    #[error("cannot start the chart engine: {message}")]
    Start { message: String },
    #[error("cannot draw the chart: {message}")]
    Chart { message: String },
    #[error("the chart refers to `{url}`; expected a chart without links, images and data files")]
    ExternalReference { url: String },
    #[error("the chart has more than {limit} nested levels")]
    Nesting { limit: usize },
    #[error("drawing the chart took more than {seconds} s, and was stopped")]
    TimeLimit { seconds: f64 },
    #[error("the chart needs more than {bytes} bytes to draw")]
    MemoryLimit { bytes: usize },
    #[error("cannot read the drawing: {message}")]
    Svg { message: String },
    #[error("the picture would have {width} x {height} pixels; expected sides from 1 to {limit}")]
    PictureSize { width: f64, height: f64, limit: u32 },
    #[error("cannot convert the drawing to {format}: {message}")]
    Write { format: &'static str, message: String },
}

//! Formats of tables.

use clap::ValueEnum;
use evogrid_analysis::table;

use evogrid_runner::system::terminal::output_width;

/// Formats of a table.
#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
pub enum Format {
    /// For a terminal, as wide as the terminal is; 80 columns elsewhere
    Text,
    /// Comma-separated
    Csv,
    /// For a page
    Markdown,
    /// For a paper; needs the LaTeX packages array and booktabs
    Latex,
}

impl From<Format> for table::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => table::Format::Text { width: output_width() },
            Format::Csv => table::Format::Csv,
            Format::Markdown => table::Format::Markdown,
            Format::Latex => table::Format::Latex,
        }
    }
}

//! Arguments of `runner list` and `runner schema`.

use clap::{Args, ValueEnum};

/// The arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Part of the catalogue; by default all parts
    #[arg(value_enum)]
    pub what: Option<Listed>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

/// The parts of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Search algorithms
    Algorithms,
    /// Operators by category
    Operators,
    /// Problem families
    Problems,
    /// Published settings
    Presets,
}

/// Formats of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For the terminal
    Text,
    /// A reference page
    Markdown,
}

/// Formats of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A JSON schema, draft 2020-12
    Json,
    /// The keys of an experiment file as a reference page
    Markdown,
}

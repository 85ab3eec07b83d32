//! Arguments of `runner list` and `runner schema`.

use clap::{Args, ValueEnum};

/// The arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to list; by default everything
    #[arg(value_enum)]
    pub what: Option<Listed>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Search algorithms
    Algorithms,
    /// Operators, by family
    Operators,
    /// Kinds of problem
    Problems,
    /// Published settings
    Presets,
}

/// Formats of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For the terminal
    Text,
    /// A page of a reference
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

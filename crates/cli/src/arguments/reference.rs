//! What can be named, the keys of an experiment file, and what completes an installation.

use std::path::PathBuf;

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

/// The arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// How it is written
    #[arg(long, value_enum, default_value_t = SchemaFormat::Json)]
    pub format: SchemaFormat,
}

/// Formats of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A JSON schema, draft 2020-12
    Json,
    /// The keys of an experiment file as a reference page
    Markdown,
}

/// For which shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Where to write the manual pages.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages, one for each command; created if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

//! Claims: what a paper says, in a file beside the experiments that try it, and what became of each.
//!
//! `claims.toml -> Claims -> (its experiments, run) -> runs.csv -> Finding -> page`. A claim is checked against its experiment's
//! plan before anything is run. How a claim is judged is in `evogrid_results::claim`; worked examples, which need a board or an
//! operator and no run, are judged here.

mod read;
mod selector;
mod worked;

use std::path::PathBuf;

use evogrid_results::claim::Kind;

use crate::document::{Document, Span};

pub use worked::Example;

/// A file of claims.
pub struct Claims {
    /// The file, to point into.
    pub document: Document,
    /// Heading of its chapter.
    pub title: String,
    /// The paper: author, title, place, year.
    pub source: String,
    /// What a reader should know first.
    pub text: String,
    /// The experiments that it names.
    pub experiments: Vec<Asked>,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// An experiment that claims rest on.
pub struct Asked {
    /// Its name in this file.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// What is set over it for the quick form, as by `--set`.
    pub quick: Vec<String>,
}

/// One claim.
pub struct Claim {
    /// Its name, unique in the file.
    pub id: String,
    /// Where in the paper it stands.
    pub place: String,
    /// What it says.
    pub says: String,
    /// Remarks for the page.
    pub note: Option<String>,
    /// How it is judged.
    pub judged: Judged,
    /// Where it stands in the file.
    pub span: Span,
}

/// How a claim is judged.
pub enum Judged {
    /// By the runs of an experiment, by its place among those of the file.
    ByRuns(usize, Kind),
    /// By working an example.
    ByExample(Example),
}

//! Claims: what a paper says, in a file beside the experiments that try it, and what became of each.
//!
//! `claims.toml -> Claims -> (its experiments, run) -> runs.csv -> Finding -> page`. A claim is checked against its experiment's
//! plan before anything is run. How a claim is judged is in `crate::judge`; worked examples, which need a board or an
//! operator and no run, are judged here.

mod kind;
mod read;
mod selector;

pub use read::examples;

use std::path::PathBuf;

use crate::judge::ClaimKind;

use evogrid_runner::experiment::document::{Document, Span};

/// A file of claims.
pub struct Claims {
    /// The file, to point into.
    pub document: Document,
    /// Title of the page, where it is not the usual one.
    pub page: Option<String>,
    /// Heading of its chapter.
    pub title: String,
    /// The paper: author, title, place, year.
    pub source: String,
    /// What a reader should know first.
    pub text: String,
    /// The document whose worked examples belong to it, by the name that families give it; there may be none.
    pub examples: Option<String>,
    /// The experiments that it names.
    pub experiments: Vec<ClaimExperiment>,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// An experiment that claims rest on.
pub struct ClaimExperiment {
    /// Its name in this file.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// What is set over it, as by `--set`. Where something is, it goes by its name in this file.
    pub sets: Vec<String>,
    /// What is set over it for the quick form besides.
    pub quick: Vec<String>,
    /// A file that it needs, which cannot be shipped and is not here: its claims are not judged.
    pub absent: Option<String>,
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
    /// By which method, in what time and on which machine the published figure was reached.
    pub by: Option<String>,
    /// The experiment whose runs judge it, by its place among those of the file.
    pub experiment: usize,
    /// The experiment, of fresh random streams, that says whether it was chance; there may be none.
    pub confirmation: Option<usize>,
    /// How they do.
    pub kind: ClaimKind,
    /// Where it stands in the file.
    pub span: Span,
}

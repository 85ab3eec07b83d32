//! Claims: what a paper says, in a file beside the experiments that test it, and the finding on each.
//!
//! `claims.toml -> Claims -> (its experiments, run) -> runs.csv -> Finding -> page`. A claim is checked against its experiment's plan
//! before anything runs. `crate::judge` judges a claim; worked examples, which need a board or an operator but no run, are judged here.

mod kind;
mod read;
mod selector;

pub use read::examples;

use std::path::PathBuf;

use crate::judge::ClaimKind;
use crate::judge::page::Role;

use evogrid_runner::experiment::document::{Document, Span};

/// A file of claims.
pub struct Claims {
    /// The file for diagnostics.
    pub document: Document,
    /// Title of the page, if it is not the usual one.
    pub page: Option<String>,
    /// Heading of its chapter.
    pub title: String,
    /// The paper: author, title, place, year.
    pub source: String,
    /// An introduction for the reader.
    pub text: String,
    /// The document whose worked examples belong to the paper, by the name that families use, if there is one.
    pub examples: Option<String>,
    /// The experiments that it names.
    pub experiments: Vec<ClaimExperiment>,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// An experiment that claims refer to.
pub struct ClaimExperiment {
    /// Its name in this file.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The settings laid over it, as by `--set`. Paths on the page use its name in this file.
    pub sets: Vec<String>,
    /// Further settings of the quick form.
    pub quick: Vec<String>,
    /// A required file that is missing because it cannot be distributed. Claims about this experiment are then not judged.
    pub absent: Option<String>,
}

/// One claim.
pub struct Claim {
    /// Its name, unique in the file.
    pub id: String,
    /// The place in the paper.
    pub place: String,
    /// The statement of the claim.
    pub says: String,
    /// Remarks for the page.
    pub note: Option<String>,
    /// The method, the time and the machine behind the published value.
    pub by: Option<String>,
    /// The number of the experiment whose runs judge the claim.
    pub experiment: usize,
    /// The experiment with new random streams that tests whether the finding was due to chance, if there is one.
    pub confirmation: Option<usize>,
    /// How the runs judge the claim.
    pub kind: ClaimKind,
    /// Whether it is a claim, another reading of a claim, or a goal.
    pub role: Role,
    /// Whether the threshold is ours, because the paper does not give one.
    pub has_own_threshold: bool,
    /// A short remark next to the verdict.
    pub caveat: Option<String>,
    /// The place of the claim in the file.
    pub span: Span,
}

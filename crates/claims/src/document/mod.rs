//! Files of claims. A file contains the claims of a paper, and names the experiments that test the claims.
//!
//! `claims.toml -> Claims -> (runs of its experiments) -> runs.csv -> Finding -> page`. Each claim is checked against its experiment's plan
//! before any run starts.

mod kind;
mod read;

use std::path::PathBuf;

use evogrid_runner::experiment::document::{Document, Span};

use crate::judge::ClaimKind;
use crate::judge::page::Statement;

pub use read::examples;

/// A file of claims.
pub struct Claims {
    /// The text of the file. Error messages refer to places in this text.
    pub document: Document,
    /// The title of the page, if the file gives one.
    pub page: Option<String>,
    /// The heading of the chapter.
    pub title: String,
    /// The paper: author, title, place, year.
    pub source: String,
    /// An introduction for the reader.
    pub text: String,
    /// The worked examples of the problem families refer to the paper by this name. The value is `None` if the paper has no worked
    /// examples.
    pub examples: Option<String>,
    /// The experiments that the claims refer to.
    pub experiments: Vec<ClaimExperiment>,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// An experiment that claims refer to.
pub struct ClaimExperiment {
    /// The name of the experiment in this file.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The settings that override the experiment's settings, in the same way as the option `--set`.
    pub sets: Vec<String>,
    /// The quick form of the experiment uses these settings in addition to `sets`. The settings override the experiment's settings.
    pub quick: Vec<String>,
    /// A required file that is missing, because the project is not allowed to distribute the file. If the file is missing, the claims of
    /// the experiment are not judged.
    pub absent: Option<String>,
    /// The index of the experiment among the planned experiments of the reproduction; `None` before the planning, or if a required file is
    /// missing.
    pub(crate) place: Option<usize>,
}

/// One claim.
pub struct Claim {
    /// The statement of the claim.
    pub statement: Statement,
    /// The method, the time limit and the machine that gave the published value.
    pub by: Option<String>,
    /// The index of the experiment that tests the claim.
    pub experiment: usize,
    /// The index of the experiment that tests the claim again with new random streams. The value is `None` if the claim is not tested
    /// again.
    pub confirmation: Option<usize>,
    /// The rule that decides from the runs whether the claim holds.
    pub kind: ClaimKind,
    /// Whether we set the threshold ourselves, because the paper gives no threshold.
    pub has_own_threshold: bool,
    /// The place of the claim in the file.
    pub span: Span,
}

//! Findings: what became of a claim.

use evogrid_analysis::samples::{Roster, Samples, SelectionError};

/// What every kind of claim can be asked.
pub(super) trait Judge {
    /// Whether the experiment has all that the claim is about.
    fn check(&self, roster: &Roster) -> Result<(), SelectionError>;

    /// What the runs say of it.
    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError>;
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Our runs say the same.
    Holds,
    /// Our runs say otherwise.
    DoesNotHold,
    /// Our runs, or what was printed, are not enough to say.
    CannotBeTold,
    /// Nothing was printed that could be judged: the figures are ours alone.
    OursAlone,
    /// The instances that it is about are not here.
    #[default]
    NotJudged,
}

/// What became of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Whether it holds.
    pub verdict: Verdict,
    /// Their figure, short.
    pub published: String,
    /// Ours, short, with its interval.
    pub ours: String,
    /// How many runs their figure rests on, where they say it.
    pub published_runs: Option<u64>,
    /// How many ours rests on; 0 if it needs none.
    pub runs: u64,
    /// Sentences that say why: the test, and its result.
    pub reasons: Vec<String>,
    /// The figures in full.
    pub grids: Vec<Grid>,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Names of the columns.
    pub header: Vec<String>,
    /// How many columns, from the left, are names and not figures.
    pub n_names: usize,
    /// Rows as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [Self::Holds, Self::DoesNotHold, Self::CannotBeTold, Self::OursAlone, Self::NotJudged];

    /// The verdict by two tests of which one at most succeeds: that the claim holds, and that it does not.
    pub(super) fn new(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (_, true) => Self::DoesNotHold,
            _ => Self::CannotBeTold,
        }
    }

    /// The verdict on a finding that was looked for again on fresh random streams: it holds where both say so, and does not where
    /// the confirmation says so.
    #[must_use]
    pub(crate) fn confirmed_by(self, confirmation: Self) -> Self {
        match (self, confirmation) {
            (Self::Holds, Self::Holds) => Self::Holds,
            (_, Self::DoesNotHold) => Self::DoesNotHold,
            (Self::OursAlone, Self::OursAlone) => Self::OursAlone,
            (Self::NotJudged, _) => Self::NotJudged,
            _ => Self::CannotBeTold,
        }
    }

    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::CannotBeTold => "cannot be told",
            Self::OursAlone => "ours alone",
            Self::NotJudged => "not judged here",
        }
    }
}

impl Grid {
    pub(super) fn new<'a>(header: impl IntoIterator<Item = &'a str>, n_names: usize) -> Self {
        Self { header: header.into_iter().map(str::to_owned).collect(), n_names, rows: Vec::new() }
    }
}

//! Findings: the verdict on a claim and its reasons.

use evogrid_analysis::samples::{Roster, Samples, SelectionError};

/// What every kind of claim can be asked.
pub(super) trait Judge {
    /// Whether the experiment has everything that the claim is about.
    fn check(&self, roster: &Roster) -> Result<(), SelectionError>;

    /// The finding of these runs.
    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError>;
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Our runs agree with it.
    Holds,
    /// Our runs say otherwise.
    DoesNotHold,
    /// Our runs, or the published figures, are not enough to decide.
    CannotBeTold,
    /// It is a time of another machine: it is shown, and no number of runs would judge it.
    Shown,
    /// Nothing was published that could be judged: the figures are only ours.
    OursAlone,
    /// The instances of the claim are missing here.
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
    /// Our figure, short, with its interval.
    pub ours: String,
    /// Number of runs behind their figure, if it was published.
    pub published_runs: Option<u64>,
    /// Number of runs behind our figure; 0 if it needs none.
    pub runs: u64,
    /// Sentences with the reason: the test, and its result.
    pub reasons: Vec<String>,
    /// The figures in full.
    pub grids: Vec<Grid>,
}

/// A table of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Number of columns, from the left, that are names and not figures.
    pub n_names: usize,
    /// Rows with as many entries as the header.
    pub rows: Vec<Vec<String>>,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 6] =
        [Self::Holds, Self::DoesNotHold, Self::CannotBeTold, Self::Shown, Self::OursAlone, Self::NotJudged];

    /// The verdict by two tests of which one at most succeeds: that the claim holds, and that it does not.
    pub(super) fn new(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (_, true) => Self::DoesNotHold,
            _ => Self::CannotBeTold,
        }
    }

    /// The verdict on a finding that was tested again on fresh random streams: it holds if both say so, and does not hold if the
    /// confirmation says so.
    #[must_use]
    pub(crate) fn confirmed_by(self, confirmation: Self) -> Self {
        match (self, confirmation) {
            (Self::Holds, Self::Holds) => Self::Holds,
            (_, Self::DoesNotHold) => Self::DoesNotHold,
            (Self::OursAlone | Self::Shown, again) if again == self => self,
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
            Self::Shown => "shown, not judged",
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

//! Findings: the verdict on a claim, and the reasons for the verdict.

use evogrid_analysis::samples::{Roster, Samples, Selection, SelectionError, Selector};
use serde::{Serialize, Serializer};

/// The rule of a claim about the runs `of`.
pub(super) trait Judge {
    /// Checks that the experiment has everything that the rule needs in addition to the runs.
    fn check(&self, _roster: &Roster, _of: &Selector) -> Result<(), SelectionError> {
        Ok(())
    }

    /// The finding from the selected runs. The claim is refused if the finding has no runs.
    fn judge(&self, samples: &Samples, of: &Selector, selection: &Selection) -> Result<Finding, SelectionError>;
}

evogrid_core::choices! {
    /// The verdict on a claim.
    #[derive(Default)]
    pub enum Verdict {
        /// Our runs agree with the claim.
        Holds = "holds",
        /// Our runs contradict the claim.
        DoesNotHold = "does not hold",
        /// Our runs and the published values do not show whether the claim holds.
        CannotBeTold = "cannot be told",
        /// The published value is a time on another machine. The page shows the published time. Runs on our machine can neither confirm nor
        /// contradict a time on another machine.
        Shown = "shown, not judged",
        /// The paper gives no value that our runs could confirm or contradict. The page shows only our values.
        OursAlone = "ours alone",
        /// The claim is not judged, because the instances of the experiment are missing on this machine.
        #[default]
        NotJudged = "not judged here",
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The result of judging a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The published value in short form.
    pub published: String,
    /// Our value in short form, with its interval.
    pub ours: String,
    /// The number of runs from which the published value was computed. `None` if the paper does not give the number.
    pub published_runs: Option<u64>,
    /// The number of our runs. The number is 0 if our value is computed without runs.
    pub runs: u64,
    /// Sentences with the reasons: the test and its result.
    pub reasons: Vec<String>,
    /// Tables with all values.
    pub grids: Vec<Grid>,
    /// The experiment that tests the claim. The value is `None` if the claim is judged without runs.
    pub experiment: Option<ExperimentLink>,
}

/// The experiment from which a finding was computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExperimentLink {
    /// The path of the experiment's file, relative to the page.
    pub path: String,
    /// The settings that override the experiment's settings.
    pub sets: Vec<String>,
}

/// A table whose cells are texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// Names of the columns.
    pub header: Vec<String>,
    /// The number of columns that contain names. The columns that contain names come first. The columns after the names contain values.
    pub n_names: usize,
    /// The rows. Each row has as many entries as the header.
    pub rows: Vec<Vec<String>>,
}

impl Verdict {
    /// The verdict from the results of two tests: whether the claim holds, and whether it fails. At most one result is true.
    pub(super) fn new(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (_, true) => Self::DoesNotHold,
            _ => Self::CannotBeTold,
        }
    }

    /// The verdict on a finding that was tested again with new random streams. The claim holds if it holds in the two experiments. It does
    /// not hold if the confirmation contradicts the claim.
    pub(crate) fn confirmed_by(self, confirmation: Self) -> Self {
        match (self, confirmation) {
            (Self::Holds, Self::Holds) => Self::Holds,
            (_, Self::DoesNotHold) => Self::DoesNotHold,
            (Self::OursAlone | Self::Shown, again) if again == self => self,
            (Self::NotJudged, _) => Self::NotJudged,
            _ => Self::CannotBeTold,
        }
    }
}

impl Grid {
    pub(super) fn new<'a>(header: impl IntoIterator<Item = &'a str>, n_names: usize) -> Self {
        Self { header: header.into_iter().map(str::to_owned).collect(), n_names, rows: Vec::new() }
    }
}

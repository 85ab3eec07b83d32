//! Why configurations cannot be compared.

use crate::samples::{MetricError, SelectionError};

/// The most configurations that are compared with each other: 190 pairs.
pub const MAX_CONFIGURATIONS: usize = 20;

/// Settings cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum CompareError {
    #[error(transparent)]
    By(#[from] SelectionError),
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error("there is only one configuration, {only}: nothing to compare it with")]
    One { only: String },
    #[error(
        "there are {found} configurations to compare, which makes too many pairs: at most {MAX_CONFIGURATIONS} \
             configurations"
    )]
    TooMany { found: usize },
    #[error("no run of {configuration} {lack}")]
    NoFigure { configuration: String, lack: &'static str },
    #[error("{first} and {second} have no instance in common")]
    NothingShared { first: String, second: String },
    #[error("`{baseline}` is not one of the configurations that are compared")]
    NoBaseline { baseline: String, expected: String },
    #[error("`{baseline}` is {found} configurations, and a baseline is one")]
    SeveralBaselines { baseline: String, found: usize },
}

impl CompareError {
    /// What to do, as a line to print below the message.
    pub fn help(&self) -> String {
        match self {
            Self::By(error) => return error.help(),
            Self::Metric(error) => error.help(),
            Self::NoBaseline { expected, .. } => return expected.clone(),
            Self::NoFigure { lack, .. } if lack.contains("gap") => {
                "give best known values with the instances, or compare `--metric objective`"
            }
            Self::NoFigure { .. } => "choose another `--metric`, for which all of them have figures",
            Self::One { .. } => "expected an experiment with several algorithms or a varied setting",
            Self::TooMany { .. } => {
                "group configurations by other settings, or compare the best of them with `--top 7`"
            }
            Self::NothingShared { .. } => "expected configurations that were run on the same instances",
            Self::SeveralBaselines { .. } => {
                "group its configurations with `--by algorithm`, or name one of them as the table does"
            }
        }
        .to_owned()
    }
}

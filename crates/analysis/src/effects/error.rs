//! Why effects cannot be shown.

use crate::samples::SelectionError;

/// Effects cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum EffectsError {
    #[error(transparent)]
    Metric(#[from] SelectionError),
    #[error("there is only one configuration: no setting varies")]
    One,
    #[error("there is no instance on which a run of every configuration {lack}")]
    NoSharedInstance { lack: &'static str },
}

impl EffectsError {
    /// What to do, as a line to print below the message.
    pub fn help(&self) -> &str {
        match self {
            Self::Metric(error) => error.help(),
            Self::One => "expected an experiment with a varied setting, or several algorithms",
            Self::NoSharedInstance { .. } => {
                "select configurations with `--where`, choose another `--metric`, or, of work, set a target with `--target`"
            }
        }
    }
}

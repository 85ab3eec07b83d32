//! The error for runs that cannot be chosen or compared.

/// The error if the requested runs do not exist, or cannot be paired or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SelectionError {
    /// What is wrong.
    pub message: String,
    /// What was expected and what to do, as a line below the message.
    pub help: String,
}

impl SelectionError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// The error if no run fits all of these conditions, or if the experiment has no runs.
    pub fn nothing(conditions: impl std::fmt::Display) -> Self {
        Self::new(format!("no run fits {conditions}"), "expected conditions that at least one run satisfies together")
    }

    /// The error if two sides of a comparison, with these labels, have no instance and repetition in common.
    pub fn no_pairs(left: &str, right: &str) -> Self {
        let help = "runs are paired by instance, repetition and every setting that neither side names";
        Self::new(format!("the runs of {left} have no partners in {right}"), help)
    }

    /// The help.
    pub fn help(&self) -> &str {
        &self.help
    }
}

//! The error if runs cannot be selected or compared.

/// The error for missing runs, and for runs that cannot be paired or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SelectionError {
    /// What is wrong.
    pub message: String,
    /// A help line below the message. The line states the expected input, and what the user can do.
    pub help: String,
}

impl SelectionError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// The error if no run satisfies all conditions, or there are no runs.
    pub fn nothing(conditions: impl std::fmt::Display) -> Self {
        Self::new(format!("no run fits {conditions}"), "expected at least one run that satisfies all conditions")
    }

    /// The error if two sides of a comparison have no instance and repetition in common. `left` and `right` are the labels of the sides.
    pub fn no_pairs(left: &str, right: &str) -> Self {
        let help = "paired runs agree in the instance, the repetition, and all settings that no side names";
        Self::new(format!("no run of {left} can be paired with a run of {right}"), help)
    }

    /// The help.
    pub fn help(&self) -> &str {
        &self.help
    }
}

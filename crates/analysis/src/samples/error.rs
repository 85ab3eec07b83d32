//! Errors of choosing runs.

/// Runs are asked for that an experiment does not have, or that cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it; `expected` is for the line below")]
#[non_exhaustive]
pub enum SelectionError {
    #[error("its runs are not told apart by `{key}`")]
    Key { key: String, expected: String },
    #[error("no run has `{key} = {value}`")]
    Value { key: String, value: String, expected: String },
    /// Conditions that each hold somewhere, but never together; or no run was done.
    #[error("no run fits {conditions}")]
    Nothing { conditions: String },
    /// Figures in different units.
    #[error(transparent)]
    Mixed(#[from] MixedFigures),
    /// Two sides of a comparison that share no instance and repetition.
    #[error("no run of {left} has its pair in {right}")]
    NoPairs { left: String, right: String },
    /// Several runs of one side for one of the other.
    #[error(
        "runs of {side} cannot be paired one by one: several have the same instance, repetition and other settings"
    )]
    Ambiguous { side: String },
}

/// Runs whose figures are in different units, or of different fitness functions, so that they cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {figure} of these runs cannot be compared: {}", described(.sides))]
pub struct MixedFigures {
    /// What cannot be compared: `evaluations`, `best fitness`.
    pub figure: String,
    /// Each unit or fitness, with the algorithms that have it.
    pub sides: Vec<(String, Vec<String>)>,
    /// What can be compared, as a line to print below the message.
    pub help: String,
}

fn described(sides: &[(String, Vec<String>)]) -> String {
    let side = |(unit, algorithms): &(String, Vec<String>)| format!("{unit} in {}", algorithms.join(", "));
    sides.iter().map(side).collect::<Vec<_>>().join("; ")
}

impl SelectionError {
    /// What was expected instead, as a line to print below the message.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Key { expected, .. } | Self::Value { expected, .. } => expected.clone(),
            Self::Mixed(mixed) => mixed.help.clone(),
            Self::Nothing { .. } => "expected conditions that hold together for some run".to_owned(),
            Self::NoPairs { .. } => {
                "runs are paired by instance, repetition and every setting that neither side names".to_owned()
            }
            Self::Ambiguous { .. } => "name, on both sides, every setting in which they differ".to_owned(),
        }
    }
}

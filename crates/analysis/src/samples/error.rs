//! Errors of choosing runs.

/// The error if the requested runs do not exist, or cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it; `expected` is for the line below")]
#[non_exhaustive]
pub enum SelectionError {
    #[error("`{key}` does not distinguish its runs")]
    Key { key: String, expected: String },
    #[error("no run has `{key} = {value}`")]
    Value { key: String, value: String, expected: String },
    #[error("no run fits `{condition}`")]
    Condition { condition: String, expected: String },
    /// Conditions that never hold together, although each of them holds for some run; or an experiment without runs.
    #[error("no run fits {conditions}")]
    Nothing { conditions: String },
    /// Values in different units.
    #[error(transparent)]
    Mixed(#[from] MixedFigures),
    /// Two sides of a comparison without a common instance and repetition.
    #[error("the runs of {left} have no partners in {right}")]
    NoPairs { left: String, right: String },
    /// Several runs of one side match one run of the other side.
    #[error(
        "runs of {side} cannot be paired one by one: several have the same instance, repetition and other settings"
    )]
    Ambiguous { side: String },
}

/// Runs that cannot be compared because their values have different units or fitness functions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot compare the {figure} of these runs: {}", described(.sides))]
pub struct MixedFigures {
    /// What cannot be compared: `evaluations`, `best fitness`.
    pub figure: String,
    /// Each unit or fitness function, with the algorithms that use it.
    pub sides: Vec<(String, Vec<String>)>,
    /// What can be compared, as a line below the message.
    pub help: String,
}

/// Runs cannot be judged by a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum MetricError {
    #[error("the file has no column `{column}`")]
    MissingColumn { column: &'static str },
    #[error(transparent)]
    Mixed(#[from] MixedFigures),
}

impl MetricError {
    /// What to do, as a line to print below the message.
    pub fn help(&self) -> &str {
        match self {
            Self::MissingColumn { .. } => "choose another `--metric`, or add the column",
            Self::Mixed(error) => &error.help,
        }
    }
}

fn described(sides: &[(String, Vec<String>)]) -> String {
    let side = |(unit, algorithms): &(String, Vec<String>)| format!("{unit} in {}", algorithms.join(", "));
    sides.iter().map(side).collect::<Vec<_>>().join("; ")
}

impl SelectionError {
    /// What was expected instead, as a line below the message.
    pub fn help(&self) -> String {
        match self {
            Self::Key { expected, .. } | Self::Value { expected, .. } | Self::Condition { expected, .. } => {
                expected.clone()
            }
            Self::Mixed(mixed) => mixed.help.clone(),
            Self::Nothing { .. } => "expected conditions that at least one run satisfies together".to_owned(),
            Self::NoPairs { .. } => {
                "runs are paired by instance, repetition and every setting that neither side names".to_owned()
            }
            Self::Ambiguous { .. } => "name, on both sides, every setting in which they differ".to_owned(),
        }
    }
}

//! Predictions of the values of further runs from the present runs.

pub(crate) mod count_prediction;
pub(crate) mod holdout_value;
pub(crate) mod joint_prediction;
pub(crate) mod mean_prediction;
pub(crate) mod outcome_prediction;

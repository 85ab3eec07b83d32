//! What further runs would show, by those that there are.

pub(crate) mod count_prediction;
pub(crate) mod joint_prediction;
pub(crate) mod mean_prediction;
pub(crate) mod outcome_prediction;

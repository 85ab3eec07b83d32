//! What further runs would show, predicted from the runs at hand.

pub(crate) mod count_prediction;
pub(crate) mod joint_prediction;
pub(crate) mod mean_prediction;
pub(crate) mod outcome_prediction;
pub(crate) mod split_figure;

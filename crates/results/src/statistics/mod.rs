//! Honest statistics: no rate without an interval.

mod binomial;
mod bootstrap;
mod holm;
mod interval;
mod joint;
mod mean_prediction;
mod normal;
mod order;
mod pairs;
mod prediction;
mod running_time;
mod wilson;

pub use bootstrap::Bootstrap;
pub use holm::holm;
pub use interval::Interval;
pub use joint::{TableCell, joint_p_value};
pub use mean_prediction::{MeanPrediction, predict_mean};
pub use order::{Median, median, quantile};
pub use pairs::Pairs;
pub use prediction::{Range, predict, two_sided_p};
pub use running_time::{ert, ert_interval};
pub use wilson::wilson;

//! Honest statistics: no rate without an interval.
//!
//! Pure functions of numbers. None panics on what a file may hold, but NaN is refused before. Their figures are held against
//! SciPy and statsmodels in `tests/statistics.rs`.

mod binomial;
mod bootstrap;
mod chi_squared;
mod clopper_pearson;
mod count_prediction;
mod draws;
mod ecdf;
mod friedman;
mod holm;
mod interval;
mod joint_prediction;
mod kruskal_wallis;
mod mann_whitney;
mod mean_prediction;
mod newcombe;
mod normal;
mod pair_counts;
mod quantiles;
mod ranks;
mod repetitions;
mod running_time;
mod student;
mod studentized_range;
mod vargha_delaney;
mod wilcoxon;
mod wilson;

pub use bootstrap::Bootstrap;
pub use clopper_pearson::clopper_pearson;
pub use count_prediction::{CountRange, count_p_value, predict_count};
pub use ecdf::{EcdfStep, ecdf};
pub use friedman::{FriedmanTest, friedman, nemenyi_critical_difference, nemenyi_p_value};
pub use holm::holm;
pub use interval::Interval;
pub use joint_prediction::{TableCell, joint_p_value};
pub use kruskal_wallis::{KruskalWallisTest, kruskal_wallis};
pub use mann_whitney::{MannWhitneyTest, mann_whitney};
pub use mean_prediction::{MeanPrediction, predict_mean};
pub use newcombe::{newcombe, newcombe_paired};
pub use pair_counts::PairCounts;
pub use quantiles::{MedianEstimate, median, quantile};
pub use repetitions::{repetitions_needed, repetitions_needed_paired};
pub use running_time::{ert, ert_interval, expected_remaining, par10};

pub use student::student_quantile_975;
pub use vargha_delaney::{VarghaDelaney, vargha_delaney};
pub use wilcoxon::{WilcoxonTest, wilcoxon};
pub use wilson::wilson;

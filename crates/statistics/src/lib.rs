#![doc = include_str!("../README.md")]
//!
//! A stochastic algorithm is run many times on many instances. Each run ends after a number of evaluations or after a time, and the run is
//! then *solved* or unsolved. The statistical methods of this crate draw conclusions from runs of stochastic algorithms. The methods are
//! pure functions of numbers. The methods read no file, print nothing, and know nothing about the experiment.
//!
//! # Which method answers which question
//!
//! | question | method |
//! |---|---|
//! | How large is the success rate behind `k` solved of `n` runs? | [`wilson`] |
//! | How large is the success rate on other instances of the same kind, if the `n` runs are on several instances? | [`clustered_rate`]; if instances have unequal numbers of runs, [`mean_instance_rate`] |
//! | By how much do two success rates differ, on one or more instances? | [`stratified_rates`]; runs in pairs: [`PairCounts::interval`] |
//! | Do two algorithms differ on other instances of the same kind? A difference for each instance. | [`instance_differences`], with its interval |
//! | Does one of two independent samples tend to larger numbers, on one or more instances? | [`stratified_test`]: on one instance, the test of Mann and Whitney |
//! | Is one solved sooner, if some runs stopped unsolved after unequal limits? | [`log_rank`] |
//! | How often is the first larger? | [`vargha_delaney`] (effect size A12) |
//! | Do several algorithms differ on the same instances? | [`friedman`]; where not every one ran on every instance: [`skillings_mack`] |
//! | Which of them differ? | after [`friedman`]: [`nemenyi_critical_difference`]; after any tests: [`holm`] |
//! | How low must a p-value be if results are looked at while runs are added? | [`look_levels`] |
//! | Is a configuration worse than the best, looked at after every block of a race? | [`RankEvidence`] |
//! | Which of many configurations should have more runs? | [`Race`] |
//! | Is an effect the same at each level of something? | [`cochran_q`] |
//! | Which of many may be the best? | [`best_set`] |
//! | Do several contrasts differ from 0? | [`contrast_test`] |
//! | How much of the differences on a complete grid does each setting explain? | [`factorial_terms`], [`shapley_shares`] |
//! | Where does a sample lie? | [`median`] with its interval, [`quantile`] |
//! | How large is a mean? | [`mean_estimate`]; for values that are never negative, such as gaps to optima: [`nonnegative_mean_estimate`] |
//! | What does one solution cost, failures included? | [`ert`], [`ert_interval`] |
//! | By what factor do two expected running times differ, over several instances? | [`instance_log_ratios`] |
//! | How does a cost grow with a size? | [`power_law`] |
//! | How are times to a target distributed, runs that did not reach it included? | [`shifted_exponential`] |
//! | How many runs are solved within a budget? | [`ecdf`] |
//! | How far does any other statistic vary over other samples? | [`Bootstrap`] |
//! | Does a published figure agree with our runs? | a count of solved runs: [`predict_count`], [`count_p_value`]; a table of counts: [`joint_p_value`]; means, one or a table of them: [`predict_means`]; how runs end: [`outcomes_p_value`] |
//! | What would the best of many configurations show with further runs? | [`holdout_value`] |
//! | How many instances are needed? | [`instances_needed`]; which difference do they show? [`detectable_difference`] |
//!
//! # Conventions
//!
//! - Intervals and p-values are two-sided. If a function has no parameter of the type [`Confidence`], the confidence is 95 %. Rates are
//!   fractions from 0 to 1.
//! - In comparisons of evaluations or times, an unsolved run has the value [`f64::INFINITY`]. Infinity is larger than the value of any
//!   solved run. Two unsolved runs have equal values.
//! - No number may be NaN. So a program must reject NaN when it reads data. Apart from NaN, no content of a data file causes a panic. Each
//!   function documents its results for empty samples, ties and equal numbers.
//! - Random methods take a seed. The same seed gives the same result on every machine and in every version.
//! - Exact methods and quantiles agree with SciPy and statsmodels. The relative error is below 1e-9, on at least 200 samples per method
//!   (`tests/suite/statistics.rs`).
//!
//! # Example
//!
//! Two algorithms are each run once on the same 20 instances. Both algorithms solve 9 instances. On 7 instances, the first algorithm
//! succeeds and the second algorithm fails. On 3 instances, the second algorithm succeeds and the first algorithm fails. Neither algorithm
//! solves the last instance.
//!
//! ```
//! use evogrid_statistics::{PairCounts, wilson};
//!
//! let rate = wilson(16, 20);
//! assert!(rate.low > 0.58 && rate.high < 0.92);
//!
//! let pairs = PairCounts { wins: 7, losses: 3, ties: 10 };
//! assert!(pairs.interval().contains(0.0), "20 pairs do not suffice to tell the two apart");
//! ```

mod confidence;
mod distributions;
mod ecdf;
mod factorial;
mod hypothesis;
mod interval;
mod intervals;
mod predictions;
mod race;
mod repetitions;
mod running_time;

pub use confidence::Confidence;
pub use distributions::student::student_quantile_975;
pub use ecdf::{EcdfStep, ecdf};
pub use factorial::{FactorialTerm, MOST_FACTORS, factorial_terms, shapley_shares};
pub use hypothesis::cochran::cochran_q;
pub use hypothesis::friedman::{FriedmanTest, friedman, nemenyi_critical_difference};
pub use hypothesis::holm::holm;
pub use hypothesis::instance_differences::{InstanceDifferences, instance_differences};
pub use hypothesis::log_rank::{ObservedTime, log_rank};
pub use hypothesis::look_levels::look_levels;
pub use hypothesis::pair_counts::PairCounts;
pub use hypothesis::rank_evidence::RankEvidence;
pub use hypothesis::sign_flips::{best_set, contrast_test};
pub use hypothesis::skillings_mack::skillings_mack;
pub use hypothesis::stratified::{RateDifference, StratifiedTest, stratified_rates, stratified_test};
pub use hypothesis::vargha_delaney::{VarghaDelaney, vargha_delaney};
pub use interval::Interval;
pub use intervals::bootstrap::Bootstrap;
pub use intervals::clustered::{ClusteredRate, clustered_rate, mean_instance_rate};
pub use intervals::mean::{MeanEstimate, mean_estimate, nonnegative_mean_estimate};
pub use intervals::power_law::{PowerLaw, power_law};
pub use intervals::quantiles::{MedianEstimate, median, quantile};
pub use intervals::shifted_exponential::{ShiftedExponential, shifted_exponential};
pub use intervals::wilson::wilson;
pub use predictions::count_prediction::{count_p_value, predict_count};
pub use predictions::holdout_value::{HoldoutValue, PartCosts, SPLIT_PARTS, holdout_value, holdout_values, least_cost};
pub use predictions::joint_prediction::{TableCell, joint_p_value};
pub use predictions::mean_prediction::{MeanCell, MeanPrediction, MeanTablePrediction, predict_means};
pub use predictions::outcome_prediction::outcomes_p_value;
pub use race::{DROPPED_AT, Fate, Race, RaceEntry};
pub use repetitions::{detectable_difference, instances_needed};
pub use running_time::{ert, ert_interval, ert_of_sums, instance_log_ratios};

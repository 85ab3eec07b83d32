#![doc = include_str!("../README.md")]
//!
//! A stochastic algorithm is run many times on many instances. A run ends *solved* or not, after some number of evaluations or
//! some time. This crate holds the methods that turn such runs into statements: pure functions of numbers, which read no file,
//! print nothing and know nothing of any experiment.
//!
//! # Which method answers which question
//!
//! | question | method |
//! |---|---|
//! | How large is the success rate behind `k` solved of `n` runs? | [`wilson`]; [`clopper_pearson`] where the interval must never be too narrow |
//! | The same, where the `n` runs are on several instances, for other instances of their kind? | [`clustered_rate`] |
//! | By how much do two success rates differ? | runs in pairs (same instance and seed): [`newcombe_paired`] or [`PairCounts::interval`]; independent runs: [`newcombe`] |
//! | Is one of two success rates larger? Paired runs only. | [`PairCounts::p_value`] (McNemar's exact test), [`PairCounts::mid_p_value`] |
//! | Do two algorithms differ on other instances of the kind? A difference an instance. | [`sign_flip`], with its interval |
//! | Does one of two samples tend to larger numbers? | pairs: [`wilcoxon`]; independent: [`mann_whitney`] |
//! | The same on several instances, each compared by itself? | [`stratified_mann_whitney`] |
//! | How often is the first larger? | [`vargha_delaney`] (effect size A12) |
//! | Do several algorithms differ? | on the same instances: [`friedman`]; on independent runs: [`kruskal_wallis`] |
//! | Which of them differ? | after [`friedman`]: [`nemenyi_critical_difference`], [`nemenyi_p_value`]; after any tests: [`holm`] |
//! | Where does a sample lie? | [`median`] with its interval, [`quantile`] |
//! | What does one solution cost, failures included? | [`ert`], [`ert_interval`], [`par10`] |
//! | When should a run be restarted? | [`expected_remaining`] |
//! | How many runs are solved within a budget? | [`ecdf`] |
//! | How far is any other figure from what other runs would show? | [`Bootstrap`] |
//! | Does a published figure agree with our runs? | a count of solved runs: [`predict_count`], [`count_p_value`]; a table of counts: [`joint_p_value`]; means, one or a table of them: [`predict_means`]; how runs end: [`outcomes_p_value`] |
//! | How many repetitions are needed? | [`repetitions_needed`], [`repetitions_needed_paired`]; how many instances? [`instances_needed`] |
//!
//! # Conventions
//!
//! - Intervals are two-sided and of 95 %, p-values two-sided, rates fractions from 0 to 1.
//! - An unsolved run stands as [`f64::INFINITY`] where a method compares evaluations or times: it takes longer than any solved
//!   run, and as long as any other unsolved one.
//! - No number may be NaN; refuse NaN where data is read. Nothing else that a data file may hold causes a panic: empty samples,
//!   ties and samples of equal numbers have the results that each function documents.
//! - Random methods take a seed. The same seed gives the same result on every machine and in every version.
//! - Exact methods and quantiles agree with SciPy, statsmodels and scikit-posthocs to a relative 1e-9, on 200 samples and more
//!   each (`tests/suite/statistics.rs`).
//!
//! # Example
//!
//! Two algorithms, each run once on the same 20 instances with the same seeds: both solve 9 instances, the first alone solves 7,
//! the second alone 3, and neither solves 1.
//!
//! ```
//! use evogrid_statistics::{PairCounts, newcombe_paired, wilson};
//!
//! let rate = wilson(16, 20);
//! assert!(rate.low > 0.58 && rate.high < 0.92);
//!
//! let difference = newcombe_paired(9, 7, 3, 1);
//! assert!(difference.contains(0.2) && difference.contains(0.0));
//!
//! let pairs = PairCounts { wins: 7, losses: 3, ties: 10 };
//! assert_eq!(pairs.net(), 0.2);
//! assert!(pairs.p_value() > 0.05, "20 pairs do not suffice to tell the two apart");
//! ```

mod binomial;
mod bisection;
mod bootstrap;
mod chi_squared;
mod clopper_pearson;
mod clustered;
mod count_prediction;
mod draws;
mod ecdf;
mod friedman;
mod holm;
mod interval;
mod joint_prediction;
mod kruskal_wallis;
mod mann_whitney;
mod mean;
mod mean_prediction;
mod newcombe;
mod normal;
mod outcome_prediction;
mod pair_counts;
mod quantiles;
mod ranks;
mod repetitions;
mod running_time;
mod sign_flip;
mod stratified;
mod student;
mod studentized_range;
mod vargha_delaney;
mod wilcoxon;
mod wilson;

pub use bootstrap::Bootstrap;
pub use clopper_pearson::clopper_pearson;
pub use clustered::{ClusteredRate, clustered_rate};
pub use count_prediction::{CountRange, count_p_value, predict_count};
pub use ecdf::{EcdfStep, ecdf};
pub use friedman::{FriedmanTest, friedman, nemenyi_critical_difference, nemenyi_p_value};
pub use holm::holm;
pub use interval::Interval;
pub use joint_prediction::{TableCell, joint_p_value};
pub use kruskal_wallis::{KruskalWallisTest, kruskal_wallis};
pub use mann_whitney::{MannWhitneyTest, mann_whitney};
pub use mean::{MeanEstimate, mean_estimate};
pub use mean_prediction::{MeanCell, MeanPrediction, MeanTablePrediction, predict_means};
pub use newcombe::{newcombe, newcombe_paired};
pub use outcome_prediction::outcomes_p_value;
pub use pair_counts::PairCounts;
pub use quantiles::{MedianEstimate, median, quantile};
pub use repetitions::{instances_needed, repetitions_needed, repetitions_needed_paired};
pub use running_time::{ert, ert_interval, ert_of_sums, expected_remaining, par10};
pub use sign_flip::{SignFlipTest, sign_flip};
pub use stratified::{StratifiedTest, stratified_mann_whitney};
pub use student::student_quantile_975;
pub use vargha_delaney::{VarghaDelaney, vargha_delaney};
pub use wilcoxon::{WilcoxonTest, wilcoxon};
pub use wilson::wilson;

//! Tests of hypotheses, their effect sizes, and corrections for several tests. Each method has its own file.

pub(crate) mod cochran;
pub(crate) mod friedman;
pub(crate) mod holm;
pub(crate) mod instance_differences;
pub(crate) mod log_rank;
pub(crate) mod look_levels;
pub(crate) mod pair_counts;
pub(crate) mod permutation;
pub(crate) mod rank_evidence;
pub(crate) mod ranks;
pub(crate) mod sign_flips;
pub(crate) mod skillings_mack;
pub(crate) mod stratified;
pub(crate) mod vargha_delaney;

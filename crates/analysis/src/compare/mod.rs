//! Comparisons of settings: every two of them, with effect sizes, intervals and tests, and a plain sentence for each.
//!
//! Rates are compared pair by pair (same instance, same repetition): McNemar's exact test, Newcombe's interval of the
//! difference. Any other figure is compared in blocks by instance, since instances differ more than settings do: on each, how
//! often a run of one setting does better than a run of the other (Vargha and Delaney's A12, 2000), averaged over instances,
//! and Wilcoxon's signed-rank test of these effects against one half. Of three settings and more, Friedman's test first
//! says whether any differ. All p-values have Holm's correction.

mod effect;
mod group;
mod table;
#[cfg(test)]
mod tests;
mod words;

use crate::samples::{Metric, Samples, Unselected};
use evogrid_statistics::{FriedmanTest, friedman, holm, nemenyi_critical_difference};

pub use effect::{Effect, Verdict};
pub use group::Group;
pub use table::render;

/// The most settings that are compared with each other: 190 pairs.
pub const MOST: usize = 20;

/// What came of comparing settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The figure that was compared.
    pub metric: Metric,
    /// The settings, in the order in which they come.
    pub groups: Vec<Group>,
    /// Every two of them.
    pub pairs: Vec<Pair>,
    /// How their runs were matched.
    pub matching: Matching,
    /// Whether any of three and more differ.
    pub omnibus: Option<Omnibus>,
}

/// Two settings beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The place of one among the groups.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// Over all instances.
    pub effect: Effect,
    /// The p-value with Holm's correction over all pairs of settings.
    pub p_holm: f64,
    /// In each bucket, where there are several.
    pub buckets: Vec<(String, Effect)>,
}

/// How runs of two settings belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By instance and repetition, which had the same seed: both met the same random stream.
    SameSeeds,
    /// By instance and repetition; their seeds differ, or are not known.
    Repetitions,
    /// By instance only: runs of a repetition are missing on one side, or stand there twice.
    Instances,
}

/// Friedman's test over instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Omnibus {
    /// The test; ranks count from 1, the best.
    pub friedman: FriedmanTest,
    /// Instances on which all settings have runs.
    pub instances: usize,
    /// Nemenyi's critical difference of two mean ranks at 5 %.
    pub critical_difference: f64,
}

/// Settings cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CompareError {
    #[error(transparent)]
    By(#[from] Unselected),
    #[error("the file has no column `{column}`")]
    MissingColumn { column: &'static str },
    #[error("there is only one setting, {only}: nothing to compare it with")]
    One { only: String },
    #[error("there are {found} settings to compare, which makes too many pairs: at most {MOST} settings")]
    TooMany { found: usize },
    #[error("{first} and {second} have no instance in common")]
    NothingShared { first: String, second: String },
}

/// Compares every two settings, which are told apart by these keys (`algorithm`, varied settings): by the algorithm and all
/// varied settings if there are none. What the keys do not name is taken together.
///
/// # Errors
/// If there are too few or too many settings, or they share nothing.
pub fn compare(samples: &Samples, metric: Metric, by: &[String]) -> Result<Comparison, CompareError> {
    if let Some(column) = metric.column().filter(|column| samples.missing.contains(column)) {
        return Err(CompareError::MissingColumn { column });
    }
    let groups = group::groups(samples, metric, by)?;
    match groups.as_slice() {
        [] => return Err(CompareError::One { only: "none".to_owned() }),
        [only] => return Err(CompareError::One { only: only.name.clone() }),
        groups if groups.len() > MOST => return Err(CompareError::TooMany { found: groups.len() }),
        _ => {}
    }
    let matching = group::matching(samples, &groups);
    let mut pairs = Vec::new();
    for first in 0..groups.len() {
        for second in first + 1..groups.len() {
            pairs.push(compare_two(samples, metric, matching, &groups, [first, second])?);
        }
    }
    let adjusted = holm(&pairs.iter().map(|pair| pair.effect.p_value).collect::<Vec<_>>());
    pairs.iter_mut().zip(adjusted).for_each(|(pair, p)| pair.p_holm = p);
    let omnibus = (groups.len() > 2).then(|| omnibus(metric, &groups)).flatten();
    Ok(Comparison { metric, groups, pairs, matching, omnibus })
}

fn compare_two(
    samples: &Samples,
    metric: Metric,
    matching: Matching,
    groups: &[Group],
    [first, second]: [usize; 2],
) -> Result<Pair, CompareError> {
    let (one, two) = (&groups[first], &groups[second]);
    let shared: Vec<usize> = one.blocks.keys().filter(|instance| two.blocks.contains_key(instance)).copied().collect();
    if shared.is_empty() {
        return Err(CompareError::NothingShared { first: one.name.clone(), second: two.name.clone() });
    }
    let effect = Effect::of(metric, matching, one, two, &shared);
    let mut buckets: Vec<&str> = Vec::new();
    for &instance in &shared {
        let bucket = samples.roster.instances[instance].bucket.as_str();
        if !buckets.contains(&bucket) {
            buckets.push(bucket);
        }
    }
    let buckets = if buckets.len() < 2 { Vec::new() } else { buckets };
    let in_bucket = |bucket: &str| {
        let is_in = |&&instance: &&usize| samples.roster.instances[instance].bucket == bucket;
        let shared: Vec<usize> = shared.iter().filter(is_in).copied().collect();
        (bucket.to_owned(), Effect::of(metric, matching, one, two, &shared))
    };
    let buckets = buckets.into_iter().map(in_bucket).collect();
    Ok(Pair { first, second, p_holm: effect.p_value, effect, buckets })
}

/// Friedman's test over the instances on which all settings have runs; none if there are fewer than two.
fn omnibus(metric: Metric, groups: &[Group]) -> Option<Omnibus> {
    let instances = groups[0].blocks.keys().filter(|at| groups.iter().all(|group| group.blocks.contains_key(at)));
    let of_instance = |at: &usize| groups.iter().map(|group| metric.cost(group.blocks[at].typical(metric))).collect();
    let blocks: Vec<Vec<f64>> = instances.map(of_instance).collect();
    if blocks.len() < 2 {
        return None;
    }
    let friedman = friedman(&blocks.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let critical_difference = nemenyi_critical_difference(groups.len(), blocks.len());
    Some(Omnibus { friedman, instances: blocks.len(), critical_difference })
}

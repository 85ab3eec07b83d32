//! Settings that changed nothing: every run of one value ended as its partner with another value did. That is often a mistake.

use std::collections::BTreeMap;

use evogrid_results::columns::differences;

use super::grid::Factor;
use crate::samples::Samples;

/// A setting that changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnchangedSetting {
    /// The name of the setting.
    pub name: String,
    /// The number of pairs of runs that differ only in this setting: all ended alike, but for their times.
    pub pairs: u64,
}

/// The settings that changed nothing in any paired run. Runs are paired if they have the same instance, repetition and random stream, and
/// differ in no other setting.
pub(super) fn unchanged(samples: &Samples, factors: &[Factor]) -> Vec<UnchangedSetting> {
    let find = |factor: &Factor| {
        let others: Vec<&Factor> = factors.iter().filter(|other| other.key != factor.key).collect();
        let mut first: BTreeMap<(usize, u64, u64, Vec<&str>), usize> = BTreeMap::new();
        let mut pairs = 0;
        for (at, run) in samples.runs.iter().enumerate() {
            let rest = others.iter().map(|other| samples.value(other.key, run)).collect();
            let partner = *first.entry((run.instance(), run.repetition, run.seed, rest)).or_insert(at);
            let partner = &samples.runs[partner];
            if partner.configuration() == run.configuration() {
                continue;
            }
            if partner.gap != run.gap || differences(&partner.outcome, &run.outcome).next().is_some() {
                return None;
            }
            pairs += 1;
        }
        (pairs > 0).then(|| UnchangedSetting { name: factor.name.clone(), pairs })
    };
    factors.iter().filter_map(find).collect()
}

//! Pairs of selected runs.

use std::collections::BTreeMap;

use super::roster::{Key, SelectionError};
use super::sample::{Sample, Samples};
use super::selection::{Selection, Selector};

/// Returns the pairs of runs from two sides. For each side, `sides` contains a selector and the runs that it selects. Paired runs have the
/// same instance and the same repetition. A key is the algorithm or a setting. If a key is named by neither of the two selectors, paired
/// runs also have the same value of this key. If the experiment has `seeding = "paired"`, paired runs also have the same random stream. If
/// a run has no partner, it is omitted.
///
/// # Errors
/// Returns an error if one run could be paired with several runs of the other side.
pub fn pairs<'a>(
    samples: &'a Samples,
    sides: [(&Selector, &Selection); 2],
) -> Result<Vec<(&'a Sample, &'a Sample)>, SelectionError> {
    let roster = &samples.roster;
    let is_named = |&key: &Key| {
        let conditions = sides.iter().flat_map(|(selector, _)| &selector.0);
        conditions.into_iter().any(|(name, _)| name == roster.name(key))
    };
    let shared: Vec<Key> = roster.configuration_keys().filter(|key| !is_named(key)).collect();
    let [left, right] = sides.map(|(selector, selection)| {
        by_partner(samples, &shared, selection).ok_or_else(|| {
            let side = selector.label();
            SelectionError::new(
                format!("the runs of {side} cannot be paired: several of them have the same instance and the same repetition, and differ only in settings that are named in the comparison"),
                "both sides of the comparison must name every setting in which these runs differ",
            )
        })
    });
    let (left, right) = (left?, right?);
    Ok(left.iter().filter_map(|(partner, &sample)| Some((sample, *right.get(partner)?))).collect())
}

/// The key that both runs of a pair have: instance, repetition, and the values of the shared keys.
type PartnerKey<'a> = (usize, u64, Vec<&'a str>);

/// The selected runs by partner key; `None` if two runs have the same partner key.
fn by_partner<'a>(
    samples: &'a Samples,
    shared: &[Key],
    selection: &Selection,
) -> Option<BTreeMap<PartnerKey<'a>, &'a Sample>> {
    let mut runs = BTreeMap::new();
    for sample in samples.chosen(selection) {
        let values = shared.iter().map(|&key| samples.value(key, sample)).collect();
        if runs.insert((sample.instance(), sample.repetition, values), sample).is_some() {
            return None;
        }
    }
    Some(runs)
}

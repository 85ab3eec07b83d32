//! Pairing: runs of one setting beside those of another.

use std::collections::BTreeMap;

use super::{Key, Roster, Sample, Samples, Selection, Selector, Unselected};

/// The pairs of two sides, each a selector and what it selects: same instance, same repetition (so the same random stream where
/// the experiment is seeded `paired`), and the same value of every setting that neither selector names. Runs without a
/// partner are left out.
///
/// # Errors
/// If several runs of a side have the same partners.
pub fn pairs<'a>(
    samples: &'a Samples,
    sides: [(&Selector, &Selection); 2],
) -> Result<Vec<(&'a Sample, &'a Sample)>, Unselected> {
    let free = free_keys(&samples.roster, sides.map(|(selector, _)| selector));
    let [left, right] = sides.map(|(selector, selection)| {
        let side = || Unselected::Ambiguous { side: selector.label() };
        by_key(samples, &free, selection).ok_or_else(side)
    });
    let (left, right) = (left?, right?);
    Ok(left.iter().filter_map(|(key, &sample)| Some((sample, *right.get(key)?))).collect())
}

/// The algorithm and the settings that no selector names: pairs must agree in them.
fn free_keys(roster: &Roster, selectors: [&Selector; 2]) -> Vec<Key> {
    let keys = std::iter::once(Key::Algorithm).chain((0..roster.varied.len()).map(Key::Setting));
    let is_named =
        |&key: &Key| selectors.iter().flat_map(|selector| &selector.0).any(|(name, _)| name == roster.name(key));
    keys.filter(|key| !is_named(key)).collect()
}

/// What the runs of a pair agree in: instance, repetition, and their values of the free keys.
type PairKey<'a> = (usize, u64, Vec<&'a str>);

/// The chosen runs by what pairs must agree in; `None` if two runs agree in it.
fn by_key<'a>(samples: &'a Samples, free: &[Key], selection: &Selection) -> Option<BTreeMap<PairKey<'a>, &'a Sample>> {
    let mut runs = BTreeMap::new();
    for sample in samples.chosen(selection) {
        let values = free.iter().map(|&key| samples.roster.value(key, sample.cell, sample.instance)).collect();
        if runs.insert((sample.instance, sample.repetition, values), sample).is_some() {
            return None;
        }
    }
    Some(runs)
}

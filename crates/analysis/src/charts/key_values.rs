//! Values of keys among runs: their number, order and names.

use std::collections::BTreeSet;

use super::labels;
use crate::samples::{Key, Sample, Samples, Selector};

/// The number of distinct combinations of the keys' values.
pub(super) fn n_distinct(samples: &Samples, runs: &[&Sample], keys: &[Key]) -> usize {
    let values = |run: &&Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
    runs.iter().map(values).collect::<BTreeSet<_>>().len()
}

/// The names of series by their values, and the names of the keys of these values.
pub(super) fn named(
    samples: &Samples,
    runs: &[&Sample],
    keys: &[Key],
    found: &[Vec<&str>],
) -> (Option<String>, Vec<String>) {
    let roster = &samples.roster;
    match keys {
        [] => {
            let algorithms: BTreeSet<&str> = runs.iter().map(|run| samples.value(Key::Algorithm, run)).collect();
            let only = algorithms.first().filter(|_| algorithms.len() == 1);
            (None, vec![only.map_or_else(|| Selector::default().label(), |name| labels::text(name))])
        }
        [key] => {
            let legend = (*key != Key::Algorithm).then(|| labels::text(roster.name(*key)));
            (legend, labels::values(&found.iter().map(|values| values[0]).collect::<Vec<_>>()))
        }
        keys => {
            let legend = keys.iter().map(|&key| labels::text(roster.name(key))).collect::<Vec<_>>().join(", ");
            let name = |values: &Vec<&str>| {
                let there = values.iter().filter(|value| !value.is_empty());
                there.map(|value| labels::value(value)).collect::<Vec<_>>().join(", ")
            };
            (Some(legend), labels::distinct(found.iter().map(name).collect()))
        }
    }
}

/// The values of a key. Numbers are in ascending order; if a value is not a number, all values are in the order of the runs.
pub(super) fn ordered<'a>(samples: &'a Samples, runs: &[&'a Sample], key: Key) -> Vec<&'a str> {
    let (mut values, mut known) = (Vec::new(), BTreeSet::new());
    for run in runs {
        let value = samples.value(key, run);
        if known.insert(value) {
            values.push(value);
        }
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    let Some(numbers) = numbers else { return values };
    let mut numbered: Vec<(f64, &str)> = numbers.into_iter().zip(values).collect();
    numbered.sort_by(|a, b| a.0.total_cmp(&b.0));
    numbered.into_iter().map(|(_, value)| value).collect()
}

//! Grids: the settings that vary, and which configurations form a complete grid of them.

use std::collections::BTreeMap;

use evogrid_statistics::MOST_FACTORS;

use crate::samples::{Key, Roster};

/// A setting that varies, or the algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Its key.
    pub key: Key,
    /// Its name: `population`.
    pub name: String,
    /// Its values: numbers in ascending order, names in the order of their first appearance. An algorithm without the setting has the empty
    /// value.
    pub levels: Vec<String>,
}

/// A complete grid: each combination of the levels is a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The settings with two levels and more.
    pub factors: Vec<Factor>,
    /// The configuration of each cell, by its index in the roster; the last factor changes fastest.
    pub cells: Vec<usize>,
    /// The levels that were left out, because other levels lack configurations with them.
    pub omitted: Vec<(String, Vec<String>)>,
}

/// All settings that vary, with all their levels.
pub(super) fn factors(roster: &Roster) -> Vec<Factor> {
    let factor = |key: Key| {
        let mut levels: Vec<String> = Vec::new();
        for at in 0..roster.configurations.len() {
            let value = roster.value(key, at, 0);
            if !levels.iter().any(|known| known == value) {
                levels.push(value.to_owned());
            }
        }
        let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.parse().ok()).collect();
        if let Some(numbers) = numbers {
            let mut order: Vec<(f64, String)> = numbers.into_iter().zip(levels).collect();
            order.sort_by(|one, other| one.0.total_cmp(&other.0));
            levels = order.into_iter().map(|(_, level)| level).collect();
        }
        Factor { key, name: roster.name(key).to_owned(), levels }
    };
    roster.differing_keys().into_iter().map(factor).collect()
}

impl Grid {
    /// The complete grid that remains when levels are removed, one at a time, until no configuration is missing: each time the level that
    /// lacks the largest share of its configurations; of several, the one with the fewest configurations, then the last. All configurations
    /// if they form a grid. `None` if fewer than two configurations remain, or more than [`MOST_FACTORS`] factors.
    pub fn complete_part(roster: &Roster) -> Option<Self> {
        let all = factors(roster);
        let mut kept: Vec<Vec<String>> = all.iter().map(|factor| factor.levels.clone()).collect();
        let values: Vec<Vec<&str>> = (0..roster.configurations.len())
            .map(|at| all.iter().map(|factor| roster.value(factor.key, at, 0)).collect())
            .collect();
        let is_in = |kept: &[Vec<String>], values: &[&str]| {
            kept.iter().zip(values).all(|(levels, value)| levels.iter().any(|level| level == value))
        };
        loop {
            let present: Vec<&Vec<&str>> = values.iter().filter(|values| is_in(&kept, values)).collect();
            let size: f64 = kept.iter().map(|levels| levels.len() as f64).product();
            if present.len() as f64 >= size {
                break;
            }
            let mut worst: Option<(f64, usize, (usize, usize))> = None;
            for (factor, levels) in kept.iter().enumerate().filter(|(_, levels)| levels.len() > 1) {
                for (place, level) in levels.iter().enumerate() {
                    let has = present.iter().filter(|values| values[factor] == level).count();
                    let lacking = 1.0 - has as f64 * levels.len() as f64 / size;
                    let is_worse = |&(most, fewest, _): &(f64, usize, _)| {
                        lacking > most + 1e-12 || lacking > most - 1e-12 && has <= fewest
                    };
                    if worst.as_ref().is_none_or(is_worse) {
                        worst = Some((lacking, has, (factor, place)));
                    }
                }
            }
            let (_, _, (factor, place)) = worst?;
            kept[factor].remove(place);
        }
        let cell_of: BTreeMap<&[&str], usize> =
            values.iter().enumerate().map(|(at, values)| (values.as_slice(), at)).collect();
        let mut cells: Vec<Vec<&str>> = vec![Vec::new()];
        for levels in &kept {
            let with = |cell: Vec<_>| levels.iter().map(move |level| [cell.as_slice(), &[level.as_str()]].concat());
            cells = cells.into_iter().flat_map(with).collect();
        }
        let cells: Vec<usize> =
            cells.iter().map(|cell| cell_of.get(cell.as_slice()).copied()).collect::<Option<_>>()?;
        let omitted = all.iter().zip(&kept).map(|(factor, kept)| {
            let omitted = factor.levels.iter().filter(|level| !kept.contains(level)).cloned().collect();
            (factor.name.clone(), omitted)
        });
        let omitted = omitted.filter(|(_, levels): &(String, Vec<String>)| !levels.is_empty()).collect();
        let factors: Vec<Factor> = all
            .into_iter()
            .zip(kept)
            .filter(|(_, kept)| kept.len() > 1)
            .map(|(factor, levels)| Factor { levels, ..factor })
            .collect();
        (cells.len() > 1 && factors.len() <= MOST_FACTORS).then_some(Self { factors, cells, omitted })
    }

    /// The level of a factor in a cell.
    pub fn level(&self, factor: usize, cell: usize) -> usize {
        let step: usize = self.factors[factor + 1..].iter().map(|factor| factor.levels.len()).product();
        cell / step % self.factors[factor].levels.len()
    }

    /// The number of levels of each factor.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.factors.iter().map(|factor| factor.levels.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::samples::Configuration;

    use super::*;

    fn roster(configurations: &[&str]) -> Roster {
        let configuration = |text: &&str| {
            let mut values = text.split(' ').map(|value| value.trim_matches('-').to_owned());
            Configuration { algorithm: values.next().expect("a name"), varied: values.collect() }
        };
        let configurations: Vec<Configuration> = configurations.iter().map(configuration).collect();
        let varied = (0..configurations[0].varied.len()).map(|at| format!("s{at}")).collect();
        Roster { varied, configurations, instances: vec![crate::samples::RosterInstance::default()] }
    }

    #[test]
    fn all_configurations_of_a_grid_are_in_it_and_numbers_ascend() {
        let grid = Grid::complete_part(&roster(&["a 10 x", "a 10 y", "a 9 x", "a 9 y"])).expect("a grid");
        assert_eq!(grid.factors.iter().map(|factor| factor.levels.join(" ")).collect::<Vec<_>>(), ["9 10", "x y"]);
        assert_eq!((grid.cells.as_slice(), grid.omitted.len()), (&[2, 3, 0, 1][..], 0));
        assert_eq!((grid.level(0, 2), grid.level(1, 2), grid.level(1, 3)), (1, 0, 1));
    }

    #[test]
    fn of_an_incomplete_grid_the_levels_that_lack_most_are_left_out() {
        // `b` has no population, and of `a` one combination is missing.
        let grid =
            Grid::complete_part(&roster(&["a 1 x", "a 1 y", "a 2 x", "a 2 y", "a 3 x", "b - x"])).expect("a part");
        assert_eq!(grid.cells, [0, 1, 2, 3]);
        let omitted: Vec<String> =
            grid.omitted.iter().map(|(name, levels)| format!("{name}: {}", levels.join("|"))).collect();
        assert_eq!(omitted, ["algorithm: b", "s0: 3|"]);
        assert_eq!(Grid::complete_part(&roster(&["a 1 x"])), None);
        assert_eq!(Grid::complete_part(&roster(&["a 1 x", "a 2 y"])), None, "a sample is no grid");
    }
}

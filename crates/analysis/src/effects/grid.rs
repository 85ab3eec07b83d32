//! Grids: the settings that vary, and the configurations that form a complete grid of these settings.

use std::collections::{BTreeMap, BTreeSet};

use evogrid_statistics::MOST_FACTORS;

use crate::samples::{Key, Roster};

/// A setting that varies, or the algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The key of the setting.
    pub key: Key,
    /// The name of the setting, for example `population`.
    pub name: String,
    /// The values of the setting. Numbers are in ascending order. Names are in the order of their first appearance. If an algorithm does
    /// not have the setting, the value is empty.
    pub levels: Vec<String>,
}

/// A complete grid. Each combination of the levels is a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The settings that have two or more levels.
    pub factors: Vec<Factor>,
    /// For each cell, the index of its configuration in the roster. The cells are ordered by their levels: the level of the last factor
    /// changes fastest.
    pub cells: Vec<usize>,
    /// The settings with omitted levels. Each entry has the name of a setting, and its omitted levels. A level is omitted if some
    /// configurations with this level are missing.
    pub omitted: Vec<(String, Vec<String>)>,
}

/// The distinct values. If all values are numbers, they are in ascending order. If not, they are in the order of their first appearance.
pub(crate) fn ordered<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = BTreeSet::new();
    let mut distinct: Vec<&str> = values.filter(|value| known.insert(*value)).collect();
    let numbers: Option<BTreeMap<&str, f64>> =
        distinct.iter().map(|value| Some((*value, value.parse().ok()?))).collect();
    if let Some(numbers) = numbers {
        distinct.sort_by(|one, other| numbers[one].total_cmp(&numbers[other]));
    }
    distinct
}

/// All settings that vary, with all their levels.
pub(super) fn factors(roster: &Roster) -> Vec<Factor> {
    let factor = |key: Key| {
        let levels = ordered((0..roster.configurations.len()).map(|at| roster.value(key, at, 0)));
        Factor { key, name: roster.name(key).to_owned(), levels: levels.into_iter().map(str::to_owned).collect() }
    };
    roster.differing_keys().into_iter().map(factor).collect()
}

impl Grid {
    /// Removes levels until a complete grid remains, and returns this grid. Levels are removed one by one, until every combination of the
    /// remaining levels is a configuration of the roster. Each step removes the level with the largest share of missing configurations. If
    /// several levels have this largest share, the step removes the one of these levels that has the fewest configurations. If several of
    /// these levels also have the same number of configurations, the step removes the last of them. The result is `None` if fewer than two
    /// configurations remain, or if more than [`MOST_FACTORS`] factors remain.
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
        assert_eq!(Grid::complete_part(&roster(&["a 1 x", "a 2 y"])), None, "a sample is not a grid");
    }
}

//! Arkieva's sanity checks, which show before any search that there is no solution, and because of which cells.
//!
//! They are pure functions of cells with any values. Messages count cells and units from 1.

use std::fmt;

use super::structure::Structure;

/// Why there is no solution, found without a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Infeasibility {
    /// The start violates the constraints: a unit has a value twice.
    Start(Vec<Duplicate>),
    /// No value is left for these cells.
    NoCandidates(Vec<usize>),
    /// Two cells of a unit are left with the same single value.
    Conflicts(Vec<Conflict>),
}

/// A value that a unit has more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The index of the unit in the structure.
    pub unit: usize,
    /// The value.
    pub value: u8,
    /// The cells that have it, ascending.
    pub cells: Vec<usize>,
}

/// Two neighbours (cells that share a unit) without a value that have the same single candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The cells, ascending.
    pub cells: [usize; 2],
    /// The candidate.
    pub value: u8,
}

/// All three checks, in the order of the article.
///
/// # Errors
/// What the first of them found that found anything.
pub fn check(structure: &Structure, cells: &[u8]) -> Result<(), Infeasibility> {
    let mut used = vec![0; structure.units().len() + 1];
    if !structure.write_used(cells, &mut used) {
        return Err(Infeasibility::Start(duplicates(structure, cells)));
    }
    let found = without_candidates(structure, cells);
    if !found.is_empty() {
        return Err(Infeasibility::NoCandidates(found));
    }
    let found = conflicts(structure, cells);
    if found.is_empty() { Ok(()) } else { Err(Infeasibility::Conflicts(found)) }
}

/// Duplicates (`SANITY_DUPE`): every value that stands more than once in a unit, by unit and value. Any of them makes the
/// start infeasible.
pub fn duplicates(structure: &Structure, cells: &[u8]) -> Vec<Duplicate> {
    let mut found = Vec::new();
    for (unit, members) in structure.units().iter().enumerate() {
        for value in 1..=structure.n_values() as u8 {
            let mut holders: Vec<usize> = members.iter().copied().filter(|&cell| cells[cell] == value).collect();
            if holders.len() > 1 {
                holders.sort_unstable();
                found.push(Duplicate { unit, value, cells: holders });
            }
        }
    }
    found
}

/// Options (`SANITY_CAND`): the cells that need a value and have no candidate, ascending. With one of them there is no
/// solution.
pub fn without_candidates(structure: &Structure, cells: &[u8]) -> Vec<usize> {
    let candidates = structure.candidates(cells);
    (0..cells.len()).filter(|&cell| cells[cell] == 0 && candidates[cell] == 0).collect()
}

/// Conflicts: the pairs of neighbours that need a value and have the same single candidate. With one of them there is no
/// solution.
pub fn conflicts(structure: &Structure, cells: &[u8]) -> Vec<Conflict> {
    let candidates = structure.candidates(cells);
    let singles: Vec<usize> = (0..candidates.len()).filter(|&cell| candidates[cell].is_power_of_two()).collect();
    let mut found = Vec::new();
    for (at, &one) in singles.iter().enumerate() {
        for &other in &singles[at + 1..] {
            if candidates[one] == candidates[other] && structure.are_neighbours(one, other) {
                let value = candidates[one].trailing_zeros() as u8 + 1;
                found.push(Conflict { cells: [one, other], value });
            }
        }
    }
    found
}

impl std::error::Error for Infeasibility {}

impl fmt::Display for Infeasibility {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Infeasibility::Start(duplicates) => {
                let said = duplicates.iter().map(|Duplicate { unit, value, cells }| {
                    format!("value {value} more than once in unit {}, in the cells {}", unit + 1, list(cells))
                });
                write!(formatter, "infeasible start: {}", said.collect::<Vec<_>>().join("; "))
            }
            Infeasibility::NoCandidates(cells) => {
                write!(formatter, "no solution: no candidate is left for the cells {}", list(cells))
            }
            Infeasibility::Conflicts(conflicts) => {
                let said = conflicts
                    .iter()
                    .map(|Conflict { cells, value }| format!("the cells {} both need value {value}", list(cells)));
                write!(formatter, "no solution: {}", said.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

/// Cells as people count them.
fn list(cells: &[usize]) -> String {
    cells.iter().map(|cell| (cell + 1).to_string()).collect::<Vec<_>>().join(", ")
}

//! Arkieva's sanity checks. Before a search, these checks can detect that there is no solution. If a check fails, its message lists the
//! cells where the check fails.
//!
//! The checks are pure functions of the cells. Messages count cells and units from 1.

use super::structure::Structure;

/// Makes all three checks, in the order of the article.
///
/// # Errors
/// Returns the message of the first check that fails:
///
/// - `SANITY_DUPE`: a unit has a value twice, so the start is infeasible;
/// - `SANITY_CAND`: an open cell has no candidate;
/// - conflicts: two open cells of a unit have the same single candidate.
pub fn check(structure: &Structure, cells: &[u8]) -> Result<(), String> {
    let mut used = vec![0; structure.units().len() + 1];
    if !structure.write_used(cells, &mut used) {
        return Err(format!("infeasible start: {}", duplicates(structure, cells).join("; ")));
    }
    let candidates = structure.candidates(cells);
    let without: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell] == 0 && candidates[cell] == 0).collect();
    if !without.is_empty() {
        return Err(format!(
            "no solution, because at least one cell has no candidate left (cell numbers: {})",
            list(&without)
        ));
    }
    let conflicts = conflicts(structure, &candidates);
    if conflicts.is_empty() { Ok(()) } else { Err(format!("no solution, because {}", conflicts.join("; "))) }
}

/// Describes every value that occurs more than once in a unit, in the order of units and values.
fn duplicates(structure: &Structure, cells: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for (unit, members) in (1..).zip(structure.units()) {
        for value in 1..=structure.n_values() as u8 {
            let mut holders: Vec<usize> = members.iter().copied().filter(|&cell| cells[cell] == value).collect();
            if holders.len() > 1 {
                holders.sort_unstable();
                let cells = list(&holders);
                found.push(format!("value {value} occurs more than once in unit {unit} (cells {cells})"));
            }
        }
    }
    found
}

/// Describes every pair of neighbours (open cells that share a unit) with the same single candidate.
fn conflicts(structure: &Structure, candidates: &[u64]) -> Vec<String> {
    let singles: Vec<usize> = (0..candidates.len()).filter(|&cell| candidates[cell].is_power_of_two()).collect();
    let mut found = Vec::new();
    for (at, &one) in singles.iter().enumerate() {
        for &other in &singles[at + 1..] {
            if candidates[one] == candidates[other] && structure.are_neighbours(one, other) {
                let value = candidates[one].trailing_zeros() + 1;
                found.push(format!("cell {} and cell {} both need the value {value}", one + 1, other + 1));
            }
        }
    }
    found
}

/// The numbers of cells for messages, which count cells from 1.
fn list(cells: &[usize]) -> String {
    cells.iter().map(|cell| (cell + 1).to_string()).collect::<Vec<_>>().join(", ")
}

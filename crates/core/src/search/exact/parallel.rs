//! Parallel search: the tree is cut into branches, one for each option of a cell, which are searched at the same time.
//!
//! The answer and the counts are those of the serial search: those of the first branch with a solution, in the order of the serial search,
//! and of all branches before it. The work done in the other branches is not counted.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::tree::{NextAction, SearchEnd, SearchResult, Tree};

/// Branches that the tree is cut into, at least, if it is large enough. It does not depend on the number of threads.
pub(super) const MIN_BRANCHES: usize = 64;

/// Rounds of cutting, at most: if almost every choice leads to a dead end, there are never enough branches.
const MAX_CUT_ROUNDS: usize = 24;

/// A branch: what the serial search meets between the branch before and this one, and the root of this one or how it ended.
struct Branch<'a> {
    nodes: u64,
    dead_ends: u64,
    at: BranchState<'a>,
}

enum BranchState<'a> {
    Open(Tree<'a>),
    Solved(Vec<u8>),
    DeadEnd,
}

/// Searches from a root with the result of the serial [`Tree::run`].
pub(super) fn search(root: &Tree<'_>, limit: u64, is_late: impl Fn() -> bool + Sync) -> SearchResult {
    let branches = cut(root);
    let progress: Vec<AtomicU64> = branches.iter().map(|branch| AtomicU64::new(branch.nodes)).collect();
    let first_solved = AtomicUsize::new(usize::MAX);
    let ends: Vec<SearchResult> = branches
        .par_iter()
        .enumerate()
        .map(|(at, branch)| {
            let found = branch.run(limit, |nodes| {
                progress[at].store(branch.nodes + nodes, Ordering::Relaxed);
                let before = || progress[..=at].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>();
                first_solved.load(Ordering::Relaxed) < at || is_late() || before() > limit
            });
            progress[at].store(found.nodes, Ordering::Relaxed);
            if found.end == SearchEnd::Solved {
                first_solved.fetch_min(at, Ordering::Relaxed);
            }
            found
        })
        .collect();
    merge(&branches, ends, limit, is_late)
}

/// Adds up what the serial search would have met.
fn merge(branches: &[Branch<'_>], ends: Vec<SearchResult>, limit: u64, is_late: impl Fn() -> bool) -> SearchResult {
    let mut total = SearchResult { nodes: 0, dead_ends: 0, end: SearchEnd::Exhausted, cells: Vec::new() };
    for (branch, mut found) in branches.iter().zip(ends) {
        let left = limit - total.nodes;
        // The limit lies in this branch: it exceeded what was left, or was stopped since it and those before it exceeded the limit.
        if found.nodes > left || matches!(found.end, SearchEnd::Limit | SearchEnd::Interrupted) {
            found = branch.run(left, |_| is_late());
        }
        total.nodes += found.nodes;
        total.dead_ends += found.dead_ends;
        if found.end != SearchEnd::Exhausted {
            return SearchResult { end: found.end, cells: found.cells, ..total };
        }
    }
    total
}

impl Branch<'_> {
    fn run(&self, limit: u64, interrupted: impl FnMut(u64) -> bool) -> SearchResult {
        if self.nodes > limit {
            return SearchResult { nodes: limit, dead_ends: 0, end: SearchEnd::Limit, cells: Vec::new() };
        }
        let (mut nodes, mut dead_ends) = (self.nodes, self.dead_ends);
        let (end, cells) = match &self.at {
            BranchState::Solved(cells) => (SearchEnd::Solved, cells.clone()),
            BranchState::DeadEnd => (SearchEnd::Exhausted, Vec::new()),
            BranchState::Open(root) => {
                let mut tree = root.clone();
                let end = tree.run(limit - self.nodes, interrupted, |_| ());
                nodes += tree.nodes;
                dead_ends += tree.dead_ends;
                (end, if end == SearchEnd::Solved { tree.cells().to_vec() } else { Vec::new() })
            }
        };
        SearchResult { nodes, dead_ends, end, cells }
    }
}

/// Cuts a tree into branches: in each round, every open branch at its first choice.
fn cut<'a>(root: &Tree<'a>) -> Vec<Branch<'a>> {
    let mut branches = vec![Branch { nodes: 0, dead_ends: 0, at: BranchState::Open(root.as_root()) }];
    for _ in 0..MAX_CUT_ROUNDS {
        let n_open = branches.iter().filter(|branch| matches!(branch.at, BranchState::Open(_))).count();
        if n_open == 0 || n_open >= MIN_BRANCHES {
            break;
        }
        branches = branches.into_iter().flat_map(split).collect();
    }
    branches
}

/// Replaces a branch by those that its first choice opens.
fn split(branch: Branch<'_>) -> Vec<Branch<'_>> {
    let Branch { nodes, dead_ends, at: BranchState::Open(mut tree) } = branch else { return vec![branch] };
    loop {
        let (cell, options) = match tree.next() {
            NextAction::Solved => {
                return vec![Branch {
                    nodes: nodes + tree.nodes,
                    dead_ends,
                    at: BranchState::Solved(tree.cells().to_vec()),
                }];
            }
            NextAction::DeadEnd(_) => {
                return vec![Branch { nodes: nodes + tree.nodes, dead_ends: dead_ends + 1, at: BranchState::DeadEnd }];
            }
            NextAction::Cell(cell, options) => (cell, options),
        };
        if options.is_power_of_two() {
            tree.assign(cell, options.trailing_zeros() as u8 + 1, 1);
            continue;
        }
        // The nodes on the way to the choice are counted with the first option.
        let mut way = nodes + tree.nodes;
        let values = (0..u64::BITS as u8).filter(|value| options >> value & 1 == 1).map(|value| value + 1);
        return values
            .map(|value| {
                let mut child = tree.clone();
                child.assign(cell, value, 1);
                Branch { nodes: std::mem::take(&mut way) + 1, dead_ends: 0, at: BranchState::Open(child.as_root()) }
            })
            .collect();
    }
}

//! Parallel search. The tree is cut into branches, one branch for each option of a cell. The branches are searched at the same time.
//!
//! The answer and the counts are the same as in the serial search. The branches are taken in the order of the serial search. The answer
//! comes from the first branch with a solution. The counts come from this branch and all earlier branches. The work in later branches is
//! not counted.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::options::NextAction;
use super::structure::ones;
use super::tree::{SearchResult, Tree};
use crate::budget::Stop;
use crate::budget::time_limit::{SharedTime, ThreadMeter};

/// The smallest number of branches, if the tree is large enough. This number does not depend on the number of threads.
pub(super) const MIN_BRANCHES: usize = 64;

/// The largest number of rounds in which branches are cut. If almost every choice leads to a dead end, there are never enough branches.
const MAX_CUT_ROUNDS: usize = 24;

/// A branch of the tree.
struct Branch {
    /// The number of nodes that the serial search visits after the previous branch and before this branch.
    nodes: u64,
    /// The root of the branch, or the result of a branch that has ended.
    at: Result<Box<dyn Tree>, SearchResult>,
}

/// Searches from a root, with the same result as the serial [`Tree::run`].
pub(super) fn search(root: &dyn Tree, limit: u64, time: &SharedTime) -> SearchResult {
    let branches = cut(root);
    let progress: Vec<AtomicU64> = branches.iter().map(|branch| AtomicU64::new(branch.nodes)).collect();
    let first_solved = AtomicUsize::new(usize::MAX);
    let ends: Vec<SearchResult> = branches
        .par_iter()
        .enumerate()
        .map(|(at, branch)| {
            let found = branch.run(limit, time, |nodes| {
                progress[at].store(branch.nodes + nodes, Ordering::Relaxed);
                let before = || progress[..=at].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>();
                first_solved.load(Ordering::Relaxed) < at || before() > limit
            });
            progress[at].store(found.nodes, Ordering::Relaxed);
            if found.end == Stop::Target {
                first_solved.fetch_min(at, Ordering::Relaxed);
            }
            found
        })
        .collect();
    merge(&branches, ends, limit, time)
}

/// Adds up the counts of the serial search.
fn merge(branches: &[Branch], ends: Vec<SearchResult>, limit: u64, time: &SharedTime) -> SearchResult {
    let mut total = SearchResult { nodes: 0, dead_ends: 0, end: Stop::Exhausted, cells: Vec::new() };
    for (branch, mut found) in branches.iter().zip(ends) {
        let left = limit - total.nodes;
        // The limit lies in this branch. Either the branch exceeded the limit, or it was stopped since the branches up to it exceeded the
        // limit.
        if found.nodes > left || matches!(found.end, Stop::Evaluations | Stop::Time) {
            found = branch.run(left, time, |_| false);
        }
        total.nodes += found.nodes;
        total.dead_ends += found.dead_ends;
        if found.end != Stop::Exhausted {
            return SearchResult { end: found.end, cells: found.cells, ..total };
        }
    }
    total
}

impl Branch {
    fn run(&self, limit: u64, time: &SharedTime, interrupted: impl Fn(u64) -> bool) -> SearchResult {
        if self.nodes > limit {
            return SearchResult { nodes: limit, dead_ends: 0, end: Stop::Evaluations, cells: Vec::new() };
        }
        let found = match &self.at {
            Err(found) => found.clone(),
            Ok(root) => {
                let mut tree = root.to_root();
                let mut meter = ThreadMeter::begin();
                let mut is_interrupted = |nodes| time.is_over(&mut meter) || interrupted(nodes);
                let end = tree.run(limit - self.nodes, &mut is_interrupted, None);
                time.is_over(&mut meter);
                tree.result(end)
            }
        };
        SearchResult { nodes: self.nodes + found.nodes, ..found }
    }
}

/// Cuts a tree into branches. In each round, every open branch is cut at its first choice.
fn cut(root: &dyn Tree) -> Vec<Branch> {
    let mut branches = vec![Branch { nodes: 0, at: Ok(root.to_root()) }];
    for _ in 0..MAX_CUT_ROUNDS {
        let n_open = branches.iter().filter(|branch| branch.at.is_ok()).count();
        if n_open == 0 || n_open >= MIN_BRANCHES {
            break;
        }
        branches = branches.into_iter().flat_map(split).collect();
    }
    branches
}

/// Replaces a branch by one branch for each option of its first choice.
fn split(branch: Branch) -> Vec<Branch> {
    let Branch { nodes, at: Ok(mut tree) } = branch else { return vec![branch] };
    loop {
        let options = |cell| ones(tree.options(cell));
        match tree.next() {
            NextAction::Solved => {
                return vec![Branch { nodes, at: Err(tree.result(Stop::Target)) }];
            }
            NextAction::DeadEnd(_) => {
                let found = SearchResult { dead_ends: 1, ..tree.result(Stop::Exhausted) };
                return vec![Branch { nodes, at: Err(found) }];
            }
            NextAction::Single(cell) => {
                let value = options(cell).next().expect("a single");
                tree.assign(cell, value);
            }
            NextAction::Choice(cell) => {
                // The nodes on the way to the choice are counted with the first option.
                let mut way = nodes + tree.result(Stop::Exhausted).nodes;
                let child = |value| {
                    let mut child = tree.to_root();
                    child.assign(cell, value);
                    Branch { nodes: std::mem::take(&mut way) + 1, at: Ok(child.to_root()) }
                };
                return options(cell).map(child).collect();
            }
        }
    }
}

//! Which cells the runs in flight are of: their notes name them by their identity, which is a hash, so that they are looked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use evogrid_core::identity::RunId;

use evogrid_runner::experiment::plan::{Blocks, Plan, Run};

/// Runs of the plan that are compared at a look: some 120 ns each.
const RUNS_A_LOOK: usize = 10_000;

/// The same at the first look, for a state that is shown once.
const RUNS_AT_FIRST: usize = 1_000_000;

/// Making a cell takes as long as comparing so many runs.
const RUNS_FOR_A_CELL: usize = 256;

/// Looks for runs, a part of the plan at a time.
pub(crate) struct RunFinder {
    plan: Arc<Plan>,
    /// The runs that are looked for, with their cell once it is known.
    wanted: BTreeMap<RunId, Option<usize>>,
    /// Where the search is; `None` once it has been through the plan.
    search: Option<Search>,
    is_first: bool,
}

struct Search {
    blocks: Blocks,
    /// The number of the cell whose runs are compared.
    n_cells: usize,
    block: Option<Box<dyn Iterator<Item = Run>>>,
}

impl RunFinder {
    /// Looks for none yet.
    pub(crate) fn new(plan: &Arc<Plan>) -> Self {
        Self { plan: Arc::clone(plan), wanted: BTreeMap::new(), search: None, is_first: true }
    }

    /// Looks on for these runs. A run that is still in flight at the next look is looked for; others would be over before they are found.
    pub(crate) fn look(&mut self, runs: &[RunId], is_complete: impl Fn(usize) -> bool) {
        let is_first = std::mem::take(&mut self.is_first);
        let before = std::mem::take(&mut self.wanted);
        self.wanted = runs.iter().map(|run| (*run, before.get(run).copied().flatten())).collect();
        let is_asked = |run: &RunId| is_first || before.contains_key(run);
        let n_open = self.wanted.iter().filter(|(run, cell)| cell.is_none() && is_asked(run)).count();
        if n_open == 0 {
            self.search = None;
            return;
        }
        let mut budget = if is_first { RUNS_AT_FIRST } else { RUNS_A_LOOK };
        let plan = &self.plan;
        let search =
            self.search.get_or_insert_with(|| Search { blocks: plan.blocks(None, u64::MAX), n_cells: 0, block: None });
        while budget > 0 {
            let Some(block) = &mut search.block else {
                let Some(block) = search.blocks.next() else {
                    self.search = None;
                    return;
                };
                budget = budget.saturating_sub(RUNS_FOR_A_CELL);
                search.n_cells += 1;
                search.block =
                    (!is_complete(search.n_cells - 1)).then(|| Box::new(block) as Box<dyn Iterator<Item = Run>>);
                continue;
            };
            let Some(run) = block.next() else {
                search.block = None;
                continue;
            };
            budget -= 1;
            if let Some(cell) = self.wanted.get_mut(&run.id) {
                *cell = Some(search.n_cells - 1);
                if self.wanted.values().all(Option::is_some) {
                    self.search = None;
                    return;
                }
            }
        }
    }

    /// The cells of those that were found, a cell for each run.
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.wanted.values().filter_map(|cell| *cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_runner::experiment::spec::Spec;

    /// The plan of three cells of 400 runs each.
    fn plan() -> Arc<Plan> {
        let folder = tempfile::tempdir().expect("a folder");
        let catalogue = crate::catalogue();
        let family = catalogue.families().next().expect("there are families");
        let (problem, column) = (family.declaration().name, family.text_column());
        let file = folder.path().join("test.toml");
        std::fs::write(folder.path().join("instances.csv"), format!("id,{column}\na,1...............\n"))
            .expect("a file");
        let algorithm = |evaluations: u32| {
            format!("[algorithms.a{evaluations}]\nkind = \"random-search\"\nbudget.evaluations = {evaluations}\n")
        };
        let text = format!(
            "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 400\n[[instances]]\nproblem = \"{problem}\"\n\
             path = \"instances.csv\"\n{}",
            (1..=3).map(algorithm).collect::<String>()
        );
        std::fs::write(&file, text).expect("a file");
        Arc::new(Plan::new(Spec::load(&file, &[], &catalogue).expect("an experiment"), catalogue))
    }

    fn found(finder: &RunFinder) -> Vec<usize> {
        let mut cells: Vec<usize> = finder.cells().collect();
        cells.sort_unstable();
        cells
    }

    #[test]
    fn runs_are_found_in_their_cells() {
        let plan = plan();
        let id = |number: u64| plan.run(number).expect("a run of the plan").id;
        let mut finder = RunFinder::new(&plan);
        finder.look(&[id(5), id(1199)], |_| false);
        assert_eq!(found(&finder), [0, 2]);
        finder.look(&[id(1199), id(700)], |_| false);
        assert_eq!(found(&finder), [2], "a new one may be over before it is found");
        finder.look(&[id(1199), id(700)], |_| false);
        assert_eq!(found(&finder), [1, 2]);
        finder.look(&[], |_| false);
        assert!(found(&finder).is_empty());
    }

    #[test]
    fn a_run_of_no_plan_or_of_a_complete_cell_ends_the_search() {
        let plan = plan();
        let run = plan.run(5).expect("a run of the plan").id;
        let mut finder = RunFinder::new(&plan);
        finder.look(&[run, RunId::from_bits(1)], |cell| cell == 0);
        assert!(found(&finder).is_empty() && finder.search.is_none());
    }
}

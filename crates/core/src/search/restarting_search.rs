//! Restarting search: random depth-first trees that are cut short and restarted, guided by what earlier ones learnt.

mod dive;

use self::dive::{Dive, DiveEnd};
use super::Search;
use super::exact::Structure;
use super::propagation::Propagation;
use crate::budget::Stop;
use crate::evaluator::{Evaluator, Outcome};
use crate::problem::{DynProblem, Problem};
use crate::random::RandomStream;
use crate::settings::capability::Capability;
use crate::settings::parameter::{Declaration, Parameter};

crate::parameters! {
    /// Restarting search with its settings.
    ///
    /// A generation is a depth-first tree, rooted at what the givens force. A node is a cell: the one with the fewest values divided by its
    /// weight, with ties broken at random, where the weight counts, from 1, how often the cell was the first to have no value left
    /// (dom/wdeg: Boussemart, Hemery, Lecoutre and Sais, ECAI 2004). The cell gets the value that it had in the fullest assignment of the
    /// trial, the latest among equals, or a random one (solution-guided search: Beck, JAIR 29, 2007, whose elite is here one solution
    /// without complete ones); then
    /// [singles](Propagation) are filled. A failure refutes the latest choice. The k-th tree ends at `conflicts` failures times the k-th number
    /// of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair and Zuckerman, Information Processing Letters 47(4), 1993). Weights and
    /// fullest assignment are kept until the trial ends; so are choices refuted at the root.
    ///
    /// Its work is counted in *placements*, which appear in the results as evaluations: a value that a cell gets, chosen or forced. The
    /// random solution with which a trial begins counts as one. They are not the evaluations of other searches: the time of a placement
    /// does not grow with the instance, while an evaluation of a board takes time for all its cells. The fullest assignment of each tree
    /// becomes a genome, with random alleles in the cells without a value, and its fitness is reported; that adds to no count.
    ///
    /// As the trees grow, the last one is the whole tree: an instance without a solution ends the run (`exhausted`).
    #[derive(Clone, Copy, Debug)]
    pub struct RestartingSearch {
        /// Failures at which the first tree ends, from 1.
        pub conflicts: u64 = Parameter::integer(
            "conflicts",
            1,
            1_000_000_000,
            30,
            "failures that end the first tree: Luby's numbers are multiplied by it",
        ),
        /// Whether cells that often had no value left are chosen earlier.
        pub weights: bool =
            Parameter::flag("weights", true, "whether cells that often had no value left are chosen earlier"),
        /// Whether a cell first gets the value that it had in the fullest assignment.
        pub memory: bool = Parameter::flag(
            "memory",
            true,
            "whether a cell first gets the value that it had in the fullest assignment so far",
        ),
    }
}

/// `restarting-search` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "restarting-search",
    "random depth-first trees with propagation, cut short and restarted with what they learnt; evaluations are placements",
    "restarts: Luby, Sinclair and Zuckerman, Information Processing Letters 47(4), 1993; weights: Boussemart, Hemery, Lecoutre \
     and Sais, ECAI 2004; values: Beck, Solution-guided multi-point constructive search, JAIR 29, 2007",
)
.needing(&[Capability::AllDifferent])
.with(RestartingSearch::PARAMETERS);

impl RestartingSearch {
    /// One trial.
    fn trial(&self, dive: &mut Dive<'_>, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Stop, Stop> {
        dive.begin_trial(evaluator)?;
        for tree in 1.. {
            let end = dive.tree(evaluator, self.conflicts.saturating_mul(luby(tree)));
            // What was filled when the budget was used up may be the best that there is.
            if end.is_err() {
                dive.learn();
            }
            dive.tell(evaluator)?;
            match end? {
                DiveEnd::Cut => evaluator.end_iteration()?,
                // The fitness of a solution need not be a target, and there is nothing better to find.
                DiveEnd::Solved | DiveEnd::Refuted => return Ok(Stop::Exhausted),
            }
        }
        unreachable!("trees have no end");
    }
}

impl Search for RestartingSearch {
    /// # Panics
    /// If the problem does not consist of all-different units.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let structure = Structure::from_problem(problem).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        let propagation = Propagation::new(&structure);
        let mut dive = Dive::new(self, problem.layout(), &propagation, random);
        evaluator.run_trials(|evaluator| self.trial(&mut dive, evaluator).unwrap_or_else(|stop| stop))
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        Some(structure.memory() + Propagation::memory(&structure, 2) + Dive::memory(&structure))
    }

    fn unit(&self) -> &'static str {
        "placements"
    }
}

/// The k-th number of Luby's sequence, from 1.
fn luby(k: u64) -> u64 {
    let mut rest = k;
    loop {
        let bits = u64::BITS - rest.leading_zeros();
        let power = 1 << (bits - 1);
        if rest == 2 * power - 1 {
            return power;
        }
        rest -= power - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sequence_is_lubys() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}

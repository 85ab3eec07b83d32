//! Restarting search: random depth-first trees that are cut short and restarted, guided by what earlier ones learnt.

mod dive;

use self::dive::Dive;
pub use self::dive::RestartingSearch;
use super::exact::Structure;
use super::propagation::Propagation;
use super::*;

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
            // The assignment at the end of the budget may be the fullest one.
            if end.is_err() {
                dive.learn();
            }
            dive.tell(evaluator)?;
            // The fitness of a solution need not be a target, but nothing better remains to be found.
            if end? {
                return Ok(Stop::Exhausted);
            }
            evaluator.end_iteration()?;
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

//! Random search: random solutions, one after the other. Random search is the baseline for all other searches.

use super::*;

/// Random search. In the results, each solution counts as one generation.
pub(crate) struct RandomSearch;

/// The declaration of `random-search` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "random-search",
    "random solutions, one after the other: the baseline for every other search",
    "Brooks, A Discussion of Random Methods for Seeking Maxima, Operations Research 6(2), 1958",
);

impl Search for RandomSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let mut genome = problem.layout().template().to_vec();
        let mut trial = |evaluator: &mut Evaluator<'_, dyn DynProblem>| -> Result<Infallible, Stop> {
            loop {
                problem.randomise(&mut genome, random);
                evaluator.evaluate(&genome)?;
                evaluator.end_iteration()?;
            }
        };
        evaluator.run_trials(|evaluator| trial(evaluator).expect_err("a trial ends only if there is a reason to stop"))
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        Some(size_of_val(problem.layout().template()) as u64)
    }
}

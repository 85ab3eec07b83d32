//! An exchange with a program, shown instead of done.

use std::sync::{Arc, Mutex, PoisonError};

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::family::Instance;
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Search;
use evogrid_core::settings::Settings;
use serde_json::json;

use super::search::ExternalSearch;

/// What a program is given for a run, and an answer that would be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The text on standard input, if there is any.
    pub input: Option<String>,
    /// A line that the program may answer, with a random solution.
    pub answer: String,
}

/// The exchange of a run with these settings, of an external program. The program is not started.
///
/// # Errors
/// Why the program cannot be given the run, as a message.
pub fn exchange(settings: &Settings, instance: &dyn Instance, budget: &Budget, seed: u64) -> Result<Exchange, String> {
    let shown = Arc::new(Mutex::new(None));
    let search = ShownSearch { search: ExternalSearch::new(settings), shown: Arc::clone(&shown) };
    let (algorithm, mut random) = (Algorithm::Custom(Box::new(search)), RandomStream::from_seed(seed));
    instance.prepare(settings).solve(&algorithm, budget, &mut random, &mut ());
    let shown = shown.lock().unwrap_or_else(PoisonError::into_inner).take();
    shown.unwrap_or_else(|| Err("the problem does not run external programs".to_owned()))
}

/// A search that notes what its program would be given.
struct ShownSearch {
    search: ExternalSearch,
    shown: Arc<Mutex<Option<Result<Exchange, String>>>>,
}

impl Search for ShownSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let exchange = self.search.request(&evaluator, random.seed()).map(|(words, input)| {
            let problem = evaluator.problem();
            let mut answer = json!({ "solution": "...", "objective": 0, "evaluations": 1 });
            let mut fitness = problem.direction().fitness(0.0);
            if problem.has_genomes() {
                let mut genome = vec![0; problem.layout().genome_len()];
                problem.randomise(&mut genome, random);
                fitness = problem.fitness(&genome);
                let best = problem.direction().value(fitness);
                answer = json!({ "solution": problem.describe(&genome), "best_fitness": best, "evaluations": 1 });
            }
            if evaluator.target().is_none_or(|target| fitness > target) {
                answer["stop"] = Stop::Evaluations.name().into();
            }
            Exchange { words, input, answer: answer.to_string() }
        });
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(exchange);
        evaluator.finish(Stop::Evaluations)
    }
}

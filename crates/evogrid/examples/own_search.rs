//! A search of one's own in a runner of one's own: tabu search by any neighbourhood, fast where the family has a fast one.
//!
//! ```sh
//! cargo run --release --example own_search -- list algorithms
//! cargo run --release --example own_search -- solve datasets/sudoku/printed.csv --id huke --algorithm tabu-search --set budget.evaluations=1000000
//! ```
//!
//! The first prints every algorithm with its settings, `tabu-search` among them; the second the board, and how the search ended.

use std::collections::VecDeque;
use std::convert::Infallible;

use evogrid::prelude::*;

/// Tabu search. A generation makes the best move of one random group, also a worse one, that leads to no cost of the tabu list.
struct TabuSearch {
    neighbourhood: NeighbourhoodName,
    /// How many costs are tabu: those of the last solutions.
    tenure: usize,
}

const MEMBER: Member<Algorithm> = Member {
    declaration: Declaration {
        parameters: &[
            Parameter::choice("neighbourhood", &NeighbourhoodKind::NAMES, "family", "the moves")
                .or_added(AddedNames::Neighbourhoods),
            Parameter::integer("tenure", 1, 100_000, 10, "number of costs that are tabu: those of the last solutions"),
        ],
        ..Declaration::new(
            "tabu-search",
            "the best move of a random group, also a worse one, that leads to none of the last costs",
            "Glover, Tabu Search - Part I, ORSA Journal on Computing 1(3), 1989",
        )
    },
    build: |settings, _| {
        let neighbourhood = settings.name("neighbourhood").to_owned().into();
        let search = TabuSearch { neighbourhood, tenure: settings.count("tenure") };
        Ok(Box::new(Algorithm::Custom(Box::new(search))))
    },
};

impl Search for TabuSearch {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let kind = problem.find_neighbourhood(&self.neighbourhood).expect("the settings were checked for the family");
        let mut moves = match problem.neighbourhood(kind, 1) {
            Ok(moves) => moves,
            Err(refusal) => return evaluator.fail(refusal),
        };
        let mut genome = problem.layout().template().to_vec();
        let mut trial = |evaluator: &mut Evaluator<'_, dyn DynProblem>| -> Result<Infallible, Stop> {
            problem.randomise(&mut genome, random);
            let mut tabu = VecDeque::from([evaluator.evaluate(&genome)?]);
            moves.load(0, &genome);
            while moves.n_groups() > 0 {
                let (group, limit) = (random.below(moves.n_groups()), evaluator.begin_batch()?);
                let scan = moves.best_in(0, group, limit, Pick::Best, &mut |_, after| !tabu.contains(&after));
                evaluator.count(scan.examined);
                if let Some((step, _)) = scan.best {
                    tabu.push_back(moves.apply(0, step));
                    tabu.drain(..tabu.len().saturating_sub(self.tenure));
                    let told = evaluator.tell(moves.now(0), |best| moves.write(0, best));
                    // The next move may be worse, so the best genome is written now.
                    evaluator.settle(|best| moves.write(0, best));
                    told?;
                }
                evaluator.end_iteration()?;
            }
            Err(Stop::Exhausted)
        };
        evaluator.run_trials(|evaluator| trial(evaluator).unwrap_err())
    }
}

fn main() -> std::process::ExitCode {
    let mut catalogue = evogrid::catalogue();
    catalogue.algorithms.add(MEMBER);
    evogrid::main(catalogue)
}

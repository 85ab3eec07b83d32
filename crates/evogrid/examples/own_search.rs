//! A researcher's own search in one file: a random walk that never takes a worse neighbour. Everything else is the runner's: grids,
//! journal, statistics, report.
//!
//! ```sh
//! cargo run --release --example own_search -- list algorithms
//! cargo run --release --example own_search -- solve datasets/sudoku/printed.csv --id huke --algorithm descent --set budget.evaluations=100000
//! ```

use std::convert::Infallible;
use std::process::ExitCode;

use evogrid::prelude::*;

/// Swaps two alleles of a random gene, and keeps the swap unless it is worse.
struct Descent;

impl Descent {
    fn trial(evaluator: &mut Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Result<Infallible, Stop> {
        let problem = evaluator.problem();
        let layout = problem.layout();
        let mut genome = layout.template().to_vec();
        problem.randomise(&mut genome, random);
        let mut fitness = evaluator.evaluate(&genome)?;
        loop {
            if let Some(&gene) = layout.movable_genes().get(random.below(layout.movable_genes().len().max(1))) {
                let free = layout.free(gene);
                let (one, other) = random.pair(free.len());
                genome.swap(free[one], free[other]);
                let changed = evaluator.evaluate(&genome)?;
                if changed > fitness {
                    genome.swap(free[one], free[other]);
                } else {
                    fitness = changed;
                }
            }
            evaluator.end_epoch()?;
        }
    }
}

impl Search for Descent {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        evaluator.run_trials(|evaluator| match Self::trial(evaluator, random) {
            Ok(never) => match never {},
            Err(stop) => stop,
        })
    }
}

fn main() -> ExitCode {
    let mut catalogue = evogrid::catalogue();
    catalogue.algorithms.add(Member {
        declaration: Declaration {
            name: "descent",
            doc: "a random walk over swaps that never takes a worse neighbour",
            source: "Hoos and Stützle, Stochastic Local Search, 2004, section 2.1",
            version: 1,
            needs: &[],
            parameters: &[],
        },
        build: |_, _| Ok(Box::new(Algorithm::Custom(Box::new(Descent)))),
    });
    evogrid::main(catalogue)
}

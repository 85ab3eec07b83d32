//! Ant colonies. Ants build solutions step by step. The pheromone of good solutions guides the ants. (Ant Colony System: Dorigo and
//! Gambardella, IEEE Transactions on Evolutionary Computation 1(1), 1997.)

mod cells;
mod positions;
#[cfg(test)]
mod tests;

use std::convert::Infallible;

use super::Search;
use crate::ants::{Candidate, StepwiseSolutions};
use crate::budget::Stop;
use crate::evaluator::{Evaluator, Outcome};
use crate::layout::{Allele, Layout};
use crate::memory;
use crate::problem::{DynProblem, Problem};
use crate::random::RandomStream;
use crate::settings::{Capability, Declaration, Parameter};

pub use cells::CellByCell;
pub use positions::PositionByPosition;

crate::parameters! {
    /// Ant Colony System with its settings.
    ///
    /// In each generation every ant builds one solution. The ants take their steps in turn. In each step, an ant decides between the
    /// candidates that the problem offers ([`StepwiseSolutions`]). With probability `greedy` the ant takes the best candidate. If several
    /// candidates are equally good, the ant takes the first of these candidates. With probability `1 - greedy` the ant draws a candidate.
    /// The probability of a candidate is proportional to `t h^beta`. Here `t` is the trail's pheromone, and `h` is the candidate's
    /// heuristic information.
    ///
    /// After a step, the pheromone `t` of the ant's trail becomes `(1 - local) t + local t0`. Here `t0` is the initial pheromone. At the
    /// end of a generation, the best solution's trails get new pheromone: `(1 - evaporation) t + evaporation d`. Here `d` is the pheromone
    /// value of the best solution. Solutions are compared by their pheromone values. After the best solution's trails get new pheromone,
    /// `d` becomes `(1 - best_evaporation) d`. Because the pheromone value `d` of the best solution falls, even a worse solution can later
    /// replace the best solution. (Best-value evaporation: Lloyd and Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions
    /// on Games 12(3), 2020.) Each trial begins with the initial pheromone and without a best solution.
    ///
    /// The unit of work is a *placement*: an ant places an element. A placement adds an element that an ant chose, or an element that
    /// follows from the choices of the ant. In the results, each placement counts as one evaluation. So the limit `evaluations` of the
    /// budget is a limit on the number of placements. A trial's random start solution counts as one placement. The number of solutions
    /// would not be a fair measure of work: the construction of a solution can take much longer than an evaluation. The ratio of
    /// construction time to evaluation time depends on the instance. The construction is especially slow if the ant also fills in the
    /// values that follow from its decisions. If a limit interrupts the construction of a solution, this solution is not reported.
    #[derive(Clone, Copy, Debug)]
    pub struct AntColony {
        /// number m of ants; each ant builds one solution in a generation
        pub ants: usize = Parameter::integer("ants", 1, 1000, 10, DOC),
        /// probability that an ant takes the best candidate (q0); otherwise the ant draws a candidate
        pub greedy: f64 = Parameter::share("greedy", 0.9, DOC),
        /// after each generation, this share of the pheromone on the best solution's trails is replaced (rho)
        pub evaporation: f64 = Parameter::share("evaporation", 0.1, DOC),
        /// when an ant uses a trail, this share of the trail's pheromone is replaced by initial pheromone (xi)
        pub local: f64 = Parameter::share("local", 0.1, DOC),
        /// exponent of the heuristic information
        pub beta: u32 = Parameter::integer("beta", 0, 20, 2, DOC),
        /// after each generation, the amount of pheromone that the best solution gives to its trails is reduced by this share
        pub best_evaporation: f64 = Parameter::share("best_evaporation", 0.0, DOC),
    }
}

/// The declaration of `ant-colony` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    version: 2,
    ..Declaration::new(
        "ant-colony",
        "Ant Colony System: ants build solutions step by step. The pheromone of the best solution guides the ants. Each placement of a value counts as an evaluation",
        "Dorigo and Gambardella, Ant Colony System, IEEE Transactions on Evolutionary Computation 1(1), 1997; best_evaporation: \
         Lloyd and Amos, Solving Sudoku with Ant Colony Optimization, IEEE Transactions on Games, 2019",
    )
    .needing(&[Capability::Steps])
    .with(AntColony::PARAMETERS)
};

impl Search for AntColony {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let Some(stepwise) = problem.stepwise() else {
            return evaluator.fail("the problem cannot build solutions step by step".to_owned());
        };
        let solutions = stepwise.solutions(self.ants);
        let n_trails = solutions.n_trails();
        let Ok(pheromone) = memory::filled(solutions.initial_pheromone(), n_trails) else {
            return evaluator.fail(memory::refusal("the trails", memory::blocks(n_trails, size_of::<f64>())));
        };
        let mut colony = Colony::new(*self, problem.layout(), solutions, pheromone, random);
        evaluator
            .run_trials(|evaluator| colony.trial(evaluator).expect_err("a trial always ends with a reason to stop"))
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        problem.stepwise()?.memory(self.ants)
    }

    fn unit(&self) -> &'static str {
        "placements"
    }
}

/// The state of a run.
struct Colony<'a> {
    search: AntColony,
    solutions: Box<dyn StepwiseSolutions + 'a>,
    /// The pheromone of each trail.
    pheromone: Vec<f64>,
    initial: f64,
    /// The number of placements before the first decision; 0 after these placements were counted.
    n_forced: u64,
    candidates: Vec<Candidate>,
    /// The pheromone of each candidate, weighted by the heuristic information.
    goodness: Vec<f64>,
    /// The ants that have not completed their solution of this generation.
    at_work: Vec<usize>,
    /// The trails of the best solution of the trial.
    best_trails: Vec<u32>,
    best_deposit: f64,
    genome: Vec<Allele>,
    random: &'a mut RandomStream,
}

impl<'a> Colony<'a> {
    fn new(
        search: AntColony,
        layout: &Layout,
        solutions: Box<dyn StepwiseSolutions + 'a>,
        pheromone: Vec<f64>,
        random: &'a mut RandomStream,
    ) -> Self {
        Self {
            search,
            pheromone,
            initial: solutions.initial_pheromone(),
            n_forced: solutions.n_forced(),
            solutions,
            candidates: Vec::with_capacity(layout.gene_len()),
            goodness: Vec::with_capacity(layout.gene_len()),
            at_work: Vec::with_capacity(search.ants),
            best_trails: Vec::with_capacity(layout.genome_len()),
            best_deposit: 0.0,
            genome: layout.template().to_vec(),
            random,
        }
    }

    fn trial(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Infallible, Stop> {
        self.pheromone.fill(self.initial);
        self.best_trails.clear();
        self.best_deposit = 0.0;
        evaluator.problem().randomise(&mut self.genome, self.random);
        evaluator.evaluate(&self.genome)?;
        while self.n_forced > 0 {
            let n_counted = evaluator.begin_batch()?.min(self.n_forced);
            evaluator.count(n_counted);
            self.n_forced -= n_counted;
        }
        loop {
            self.generation(evaluator)?;
            evaluator.end_iteration()?;
        }
    }

    fn generation(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<(), Stop> {
        self.at_work.clear();
        for ant in 0..self.search.ants {
            self.solutions.begin(ant, self.random);
            self.at_work.push(ant);
        }
        while !self.at_work.is_empty() {
            let mut n_left = 0;
            for turn in 0..self.at_work.len() {
                let ant = self.at_work[turn];
                if self.step(ant, evaluator)? {
                    self.at_work[n_left] = ant;
                    n_left += 1;
                } else {
                    self.judge(ant, evaluator)?;
                }
            }
            self.at_work.truncate(n_left);
        }
        let AntColony { evaporation, best_evaporation, .. } = self.search;
        for &trail in &self.best_trails {
            let pheromone = &mut self.pheromone[trail as usize];
            *pheromone = (1.0 - evaporation) * *pheromone + evaporation * self.best_deposit;
        }
        self.best_deposit *= 1.0 - best_evaporation;
        Ok(())
    }

    /// Makes a step of an ant. Returns false if the ant has no decision left to make.
    fn step(&mut self, ant: usize, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<bool, Stop> {
        self.solutions.decide(ant, &mut self.candidates);
        if self.candidates.is_empty() {
            return Ok(false);
        }
        let limit = evaluator.begin_batch()?;
        let chosen = self.choose();
        if let Some(pheromone) = self.pheromone.get_mut(self.candidates[chosen].trail as usize) {
            *pheromone = (1.0 - self.search.local) * *pheromone + self.search.local * self.initial;
        }
        evaluator.count(self.solutions.take(ant, chosen, limit));
        Ok(true)
    }

    fn choose(&mut self) -> usize {
        let Self { search, pheromone, initial, candidates, goodness, random, .. } = self;
        goodness.clear();
        goodness.extend(candidates.iter().map(|candidate| {
            let pheromone = pheromone.get(candidate.trail as usize).unwrap_or(initial);
            (0..search.beta).fold(*pheromone, |goodness, _| goodness * candidate.heuristic)
        }));
        if random.chance(search.greedy) {
            let mut best = 0;
            for (at, good) in goodness.iter().enumerate() {
                if *good > goodness[best] {
                    best = at;
                }
            }
            return best;
        }
        let mut rest = random.unit() * goodness.iter().sum::<f64>();
        // The sum is rounded. If a rest remains after the last candidate, the last candidate is drawn.
        let drawn = goodness.iter().position(|good| {
            rest -= good;
            rest < 0.0
        });
        drawn.unwrap_or(goodness.len() - 1)
    }

    /// Reports the solution of an ant to the evaluator, and keeps the solution if it is the best.
    fn judge(&mut self, ant: usize, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<(), Stop> {
        let finished = self.solutions.finish(ant, &mut self.genome, self.random);
        if finished.deposit > self.best_deposit {
            self.best_deposit = finished.deposit;
            self.best_trails.clear();
            self.solutions.trails(ant, &mut self.best_trails);
        }
        evaluator.end(finished.fitness, |best| best.copy_from_slice(&self.genome))
    }
}

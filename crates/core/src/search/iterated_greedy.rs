//! Iterated greedy: some elements are taken out of the solution at random and put back where that costs least, then a descent follows
//! (Ruiz and Stuetzle, EJOR 177(3), 2007).

use std::convert::Infallible;

use super::Start;
use super::descent::Descent;
use super::local::{self, LocalSearch};
use crate::budget::Stop;
use crate::capability::Capability;
use crate::construction::PartialSolution;
use crate::evaluator::{Evaluator, Outcome};
use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::neighbourhood::{Neighbourhood, NeighbourhoodKind, Pick};
use crate::parameter::{Declaration, Parameter};
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::Settings;

/// Iterated greedy with its settings.
///
/// A trial starts with a descent. In each generation some elements are removed at random, put back one after the other, in the order in
/// which they were removed, each at its best position, and a descent follows. A worse solution is accepted with probability
/// `exp(-worse / T)`, where `T` is the temperature times a tenth of the problem's [scale](Problem::scale): of a flow shop, the mean processing time.
#[derive(Clone, Debug)]
pub struct IteratedGreedy {
    /// Where a trial starts.
    pub start: Start,
    /// How many elements are removed, as far as there are so many.
    pub removed: usize,
    /// The temperature; at 0 no worse solution is accepted.
    pub temperature: f64,
    /// Whether a descent follows.
    pub local_search: bool,
    /// The moves of the descent; `None` for those that suit the problem best.
    pub neighbourhood: Option<NeighbourhoodKind>,
    /// Which better move of a group is made.
    pub pick: Pick,
}

/// `iterated-greedy` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    name: "iterated-greedy",
    doc: "some elements are removed at random and put back at their best positions, then a descent to a local optimum",
    source: "Ruiz and Stuetzle, A simple and effective iterated greedy algorithm for the permutation flowshop scheduling problem, EJOR \
             177(3), 2007",
    version: 1,
    needs: &[Capability::Construction],
    parameters: &[
        Parameter::construction("start", "family", "the solution at which a trial starts"),
        Parameter::integer("removed", 1, 65_535, 4, "elements that are removed and put back (d)"),
        Parameter::real(
            "temperature",
            0.0,
            1e9,
            0.4,
            "at which worse solutions are accepted, times a tenth of the problem's scale (T); 0 for never",
        ),
        Parameter::flag("local_search", true, "whether a descent follows"),
        local::NEIGHBOURHOOD,
        local::PICK,
    ],
};

impl IteratedGreedy {
    /// The algorithm that resolved settings describe.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        Self {
            start: Start::from_name(settings.name("start")),
            removed: settings.count("removed"),
            temperature: settings.real("temperature"),
            local_search: settings.flag("local_search"),
            neighbourhood: settings.choice("neighbourhood", &NeighbourhoodKind::CHOICES),
            pick: settings.choice("pick", &local::PICKS),
        }
    }
}

impl LocalSearch for IteratedGreedy {
    fn neighbourhood(&self) -> Option<NeighbourhoodKind> {
        self.neighbourhood
    }

    fn run<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: Evaluator<'_, P>,
        moves: N,
        random: &mut RandomStream,
    ) -> Outcome {
        let problem = evaluator.problem();
        let Some(partial) = problem.partial() else {
            return evaluator.fail("the problem does not know the cost of a part of a solution".to_owned());
        };
        let template = problem.layout().template();
        let mut run = GreedyRun {
            search: self,
            temperature: self.temperature * problem.scale() / 10.0,
            moves,
            partial,
            current: template.to_vec(),
            candidate: template.to_vec(),
            elements: template.to_vec(),
            descent: Descent::default(),
            random,
        };
        evaluator.run_trials(|evaluator| match run.trial(evaluator) {
            Ok(never) => match never {},
            Err(stop) => stop,
        })
    }
}

/// A run of the search on a neighbourhood.
struct GreedyRun<'a, N> {
    search: &'a IteratedGreedy,
    temperature: f64,
    moves: N,
    partial: Box<dyn PartialSolution + 'a>,
    /// The solution accepted last.
    current: Vec<Allele>,
    /// The one made of it.
    candidate: Vec<Allele>,
    /// All elements; those removed stand first.
    elements: Vec<Allele>,
    descent: Descent,
    random: &'a mut RandomStream,
}

impl<N: Neighbourhood> GreedyRun<'_, N> {
    fn trial<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<Infallible, Stop> {
        evaluator.begin()?;
        self.search.start.write(evaluator.problem(), &mut self.candidate, self.random);
        let cost = self.moves.load(0, &self.candidate);
        evaluator.end(cost, |best| best.copy_from_slice(&self.candidate))?;
        let mut now = self.descend(evaluator, cost)?;
        self.current.copy_from_slice(&self.candidate);
        loop {
            let rebuilt = self.rebuild(evaluator)?;
            let after = if self.search.local_search {
                // The candidate was judged when its last element came back: to load it is no evaluation.
                let cost = self.moves.load(0, &self.candidate);
                self.descend(evaluator, cost)?
            } else {
                rebuilt
            };
            if self.accepts(after, now) {
                self.current.copy_from_slice(&self.candidate);
                now = after;
            }
            evaluator.end_epoch()?;
        }
    }

    /// Makes the candidate from the current solution: elements are taken out and put back.
    fn rebuild<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<Fitness, Stop> {
        let Self { partial, elements, candidate, random, .. } = self;
        let mut fitness = partial.load(&self.current);
        let n_removed = self.search.removed.min(elements.len());
        for at in 0..n_removed {
            let drawn = at + random.below(elements.len() - at);
            elements.swap(at, drawn);
            partial.remove(elements[at]);
        }
        for &element in &elements[..n_removed] {
            let limit = evaluator.begin_batch()?;
            let best = partial.best_position(element, limit, false);
            evaluator.count(best.examined);
            partial.insert(element, best.position);
            fitness = best.fitness;
        }
        partial.write(candidate);
        evaluator.end(fitness, |genome| genome.copy_from_slice(candidate))?;
        Ok(fitness)
    }

    /// Improves the candidate, which the neighbourhood holds.
    fn descend<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>, cost: N::Cost) -> Result<Fitness, Stop> {
        let (moves, mut now) = (&mut self.moves, cost);
        if self.search.local_search {
            self.descent.fill(moves.n_groups(), self.random);
            let result = self.descent.run(evaluator, moves, 0, &mut now, self.search.pick);
            evaluator.settle(|genome| moves.write(0, genome));
            result?;
            moves.write(0, &mut self.candidate);
        }
        Ok(now.into())
    }

    fn accepts(&mut self, after: Fitness, before: Fitness) -> bool {
        let worse = after.value() - before.value();
        worse <= 0.0 || (self.temperature > 0.0 && self.random.chance(libm::exp(-worse / self.temperature)))
    }
}

//! Iterated greedy: some elements are taken out of the solution at random and put back where that costs least, then a descent follows
//! (Ruiz and Stuetzle, EJOR 177(3), 2007).

use std::convert::Infallible;

use super::Start;
use super::descent::Descent;
use super::local::{self, LocalSearch};
use crate::budget::Stop;
use crate::capability::Capability;
use crate::construction::PartialSolution;
use crate::evaluator::Evaluator;
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
    type State<'p, C> = GreedyState<'p>;

    fn start(&self) -> &Start {
        &self.start
    }

    fn neighbourhood(&self) -> Option<NeighbourhoodKind> {
        self.neighbourhood
    }

    fn state<'p, P: Problem, N: Neighbourhood>(&self, problem: &'p P, _: &N) -> Result<GreedyState<'p>, String> {
        let partial = problem.partial().ok_or("the problem does not know the cost of a part of a solution")?;
        let template = problem.layout().template();
        Ok(GreedyState {
            temperature: self.temperature * problem.scale() / 10.0,
            partial,
            current: template.to_vec(),
            candidate: template.to_vec(),
            elements: template.to_vec(),
            descent: Descent::default(),
        })
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        now: N::Cost,
        state: &mut GreedyState<'_>,
        random: &mut RandomStream,
    ) -> Result<Infallible, Stop> {
        let mut now = self.descend(evaluator, moves, now, state, random)?;
        moves.write(0, &mut state.current);
        loop {
            let mut after = self.rebuild(evaluator, state, random)?;
            if self.local_search {
                // The candidate was judged when its last element came back: to load it is no evaluation.
                let cost = moves.load(0, &state.candidate);
                after = self.descend(evaluator, moves, cost, state, random)?;
                moves.write(0, &mut state.candidate);
            }
            if accepts(after, now, state.temperature, random) {
                std::mem::swap(&mut state.current, &mut state.candidate);
                now = after;
            }
            evaluator.end_epoch()?;
        }
    }
}

/// What the search holds beside the solution.
pub(crate) struct GreedyState<'p> {
    /// At which worse solutions are accepted, in units of the fitness.
    temperature: f64,
    partial: Box<dyn PartialSolution + 'p>,
    /// The solution accepted last.
    current: Vec<Allele>,
    /// The one made of it.
    candidate: Vec<Allele>,
    /// All elements; those removed stand first.
    elements: Vec<Allele>,
    descent: Descent,
}

impl IteratedGreedy {
    /// Makes the candidate from the current solution: elements are taken out and put back.
    fn rebuild<P: Problem>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        state: &mut GreedyState<'_>,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop> {
        let GreedyState { partial, elements, candidate, .. } = state;
        let mut fitness = partial.load(&state.current);
        let n_removed = self.removed.min(elements.len());
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

    /// Improves the solution that the neighbourhood holds, if there is to be a local search.
    fn descend<P: Problem, N: Neighbourhood>(
        &self,
        evaluator: &mut Evaluator<'_, P>,
        moves: &mut N,
        mut now: N::Cost,
        state: &mut GreedyState<'_>,
        random: &mut RandomStream,
    ) -> Result<Fitness, Stop> {
        if self.local_search {
            state.descent.fill(moves.n_groups(), random);
            state.descent.run(evaluator, moves, &mut now, self.pick)?;
        }
        Ok(now.into())
    }
}

fn accepts(after: Fitness, before: Fitness, temperature: f64, random: &mut RandomStream) -> bool {
    let worse = after.value() - before.value();
    worse <= 0.0 || (temperature > 0.0 && random.chance(libm::exp(-worse / temperature)))
}

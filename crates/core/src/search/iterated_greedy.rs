//! Iterated greedy. Random elements of the solution are removed, and put back at their best positions. Then a descent follows (Ruiz and
//! Stuetzle, EJOR 177(3), 2007).

use super::*;
use crate::construction::{BestPosition, PartialSolution, Ties};
use crate::settings::Choice;

crate::parameters! {
    /// Iterated greedy with its settings.
    ///
    /// A trial starts with a descent. In each generation, some elements are removed at random. The removed elements are put back in the
    /// order of their removal. Each element gets its best position. Then a descent follows. The setting `partial_local_search` adds a
    /// further descent before the elements are put back (Dubois-Lacoste, Pagnozzi and Stuetzle, Computers and Operations Research 81,
    /// 2017). A solution that is worse by `d` is accepted with probability `exp(-d / T)`. Here `T` is the temperature times a tenth of the
    /// problem's [scale](Problem::scale). For a flow shop, the scale is the mean processing time.
    #[derive(Clone, Debug)]
    pub struct IteratedGreedy {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "family", DOC),
        /// number of elements to remove and put back (d); at most all elements
        pub removed: usize = Parameter::integer("removed", 1, 65_535, 4, DOC),
        /// temperature for accepting worse solutions (T), in tenths of the problem's scale; 0 accepts none
        pub temperature: f64 = Parameter::real("temperature", 0.0, 1e9, 0.4, DOC),
        /// whether a descent follows the reinsertion
        pub local_search: bool = Parameter::flag("local_search", true, DOC),
        /// the moves of the descent; `family` chooses the problem's most suitable moves
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC).only_where(&MOVES_ARE_MADE),
        /// which move of each group is made: the best move, or the first move that improves the solution
        pub pick: Pick = local::pick(DOC).only_where(&MOVES_ARE_MADE),
        /// the kind of descent: by moves, or by reinsertion of single elements at their best positions
        pub descent: DescentKind = Parameter::choice("descent", DescentKind::NAMES, "neighbourhood", DOC)
            .added_later()
            .only_where(&[MOVES_ARE_MADE[0]]),
        /// whether a descent by reinsertion improves the partial solution before elements are put back
        pub partial_local_search: bool = Parameter::flag("partial_local_search", false, DOC).added_later(),
        /// which position is chosen if several positions are equally good; `family` stands for the rule of the problem family
        ///
        /// With `random`, the search draws a random number for each element. This number decides between the equally good positions.
        pub ties: Ties = Parameter::choice("ties", &names(&TIES), "first", DOC).added_later(),
    }
}

const MOVES_ARE_MADE: [Condition; 2] =
    [Condition::Is("local_search", "true"), Condition::Is("descent", "neighbourhood")];

crate::choices! {
    /// The kind of descent in an iterated greedy search.
    pub enum DescentKind {
        /// The descent makes moves that improve the solution. If no group of moves contains such a move, the descent ends.
        Neighbourhood = "neighbourhood",
        /// The elements are taken in random order. Each element is removed and put back at its best position. If a pass through all
        /// elements brings no improvement, the descent ends.
        Reinsertion = "reinsertion",
    }
}

const TIES: [(&str, Ties); 4] =
    [("first", Ties::First), ("last", Ties::Last), ("random", Ties::Random(0)), ("family", Ties::Family)];

impl Choice for Ties {
    const CHOICES: &'static [(&'static str, Self)] = &TIES;
}

/// The declaration of `iterated-greedy` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "iterated-greedy",
    "removes random elements from the solution. Each element is inserted again at its best position. Then a descent \
     leads to a local optimum",
    "Ruiz and Stuetzle, A simple and effective iterated greedy algorithm for the permutation flowshop scheduling \
     problem, EJOR 177(3), \
     2007",
)
.needing(&[Capability::Construction])
.with(IteratedGreedy::PARAMETERS);

impl LocalSearch for IteratedGreedy {
    type State<'p, C> = GreedyState<'p>;

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, local::kind(problem, &self.neighbourhood))
    }

    fn state<'p, P: Problem, N: Neighbourhood>(&self, problem: &'p P, _: &N) -> Result<GreedyState<'p>, String> {
        let partial = problem.partial().ok_or("the problem cannot compute the cost of a partial solution")?;
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
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut GreedyState<'_>,
    ) -> Result<Infallible, Stop> {
        trial.moves.write(0, &mut state.candidate);
        let mut now = self.descend(trial, trial.now.into(), state)?;
        state.current.copy_from_slice(&state.candidate);
        loop {
            let rebuilt = self.rebuild(trial, state)?;
            let after = self.descend(trial, rebuilt, state)?;
            if accepts(after, now, state.temperature, trial.random) {
                std::mem::swap(&mut state.current, &mut state.candidate);
                now = after;
            }
            trial.evaluator.end_iteration()?;
        }
    }
}

/// The state of a run.
pub(crate) struct GreedyState<'p> {
    /// The temperature at which worse solutions are accepted, in units of the fitness.
    temperature: f64,
    partial: Box<dyn PartialSolution + 'p>,
    /// The accepted solution.
    current: Vec<Allele>,
    /// The new solution.
    candidate: Vec<Allele>,
    /// All elements. The removed elements come first.
    elements: Vec<Allele>,
    descent: Descent,
}

impl IteratedGreedy {
    /// Makes the candidate from the current solution: elements are removed and put back.
    fn rebuild<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut GreedyState<'_>,
    ) -> Result<Fitness, Stop> {
        let GreedyState { partial, elements, .. } = state;
        let mut fitness = partial.load(&state.current);
        let n_removed = self.removed.min(elements.len());
        for at in 0..n_removed {
            let drawn = at + trial.random.below(elements.len() - at);
            elements.swap(at, drawn);
            partial.remove(elements[at]);
        }
        if self.partial_local_search && n_removed < elements.len() {
            self.reinsert_all(trial, state, n_removed, None)?;
        }
        for at in 0..n_removed {
            let element = state.elements[at];
            let best = self.best_position(trial, state, element)?;
            state.partial.insert(element, best.position);
            fitness = best.fitness;
        }
        state.partial.write(&mut state.candidate);
        trial.evaluator.end(fitness, |genome| genome.copy_from_slice(&state.candidate))?;
        Ok(fitness)
    }

    /// Improves the candidate by the descent, if the settings ask for a descent.
    fn descend<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        fitness: Fitness,
        state: &mut GreedyState<'_>,
    ) -> Result<Fitness, Stop> {
        // The candidate was evaluated before, so loading it is not an evaluation.
        match self.descent {
            _ if !self.local_search => Ok(fitness),
            DescentKind::Neighbourhood => {
                trial.now = trial.moves.load(0, &state.candidate);
                state.descent.fill(trial.moves.n_groups(), trial.random);
                state.descent.run(trial, self.pick)?;
                trial.moves.write(0, &mut state.candidate);
                Ok(trial.now.into())
            }
            DescentKind::Reinsertion => {
                state.partial.load(&state.candidate);
                let after = self.reinsert_all(trial, state, 0, Some(fitness))?;
                state.partial.write(&mut state.candidate);
                Ok(after)
            }
        }
    }

    /// Makes a descent by reinsertion, in the solution without the first `n_missing` elements. `fitness` is the fitness of the solution if
    /// it is complete, or else `None`.
    ///
    /// An element also moves to an equally good position, so the search moves along plateaus. The descent ends when a pass through all
    /// elements brings no improvement.
    fn reinsert_all<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut GreedyState<'_>,
        n_missing: usize,
        fitness: Option<Fitness>,
    ) -> Result<Fitness, Stop> {
        let is_complete = fitness.is_some();
        let mut best = fitness;
        loop {
            let mut is_improved = false;
            trial.random.shuffle(&mut state.elements[n_missing..]);
            for at in n_missing..state.elements.len() {
                let element = state.elements[at];
                state.partial.remove(element);
                let found = self.best_position(trial, state, element)?;
                let is_better = best.is_none_or(|best| found.fitness < best);
                state.partial.insert(element, found.position);
                if is_better {
                    is_improved |= best.is_some();
                    best = Some(found.fitness);
                    if is_complete {
                        trial.evaluator.end(found.fitness, |genome| state.partial.write(genome))?;
                    }
                }
            }
            if !is_improved {
                return Ok(best.expect("at least one element was inserted again"));
            }
        }
    }

    /// Finds the best position for a missing element.
    fn best_position<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut GreedyState<'_>,
        element: Allele,
    ) -> Result<BestPosition, Stop> {
        let limit = trial.evaluator.begin_batch()?;
        let ties = match self.ties {
            Ties::Random(_) => Ties::Random(trial.random.bits() as u32),
            ties => ties,
        };
        let best = state.partial.best_position(element, limit, ties);
        trial.evaluator.count(best.examined);
        Ok(best)
    }
}

fn accepts(after: Fitness, before: Fitness, temperature: f64, random: &mut RandomStream) -> bool {
    let worse = after.value() - before.value();
    worse <= 0.0 || (temperature > 0.0 && random.chance(libm::exp(-worse / temperature)))
}

//! Tabu search makes the best move that is not tabu, even if this move does not improve the solution. The attributes that a move removes
//! are tabu for some iterations.

mod memory;

use super::*;
use crate::neighbourhood::{Attributes, Move};
use memory::HORIZON;

pub(super) use memory::TabuMemory;

#[cfg(test)]
mod tests;

crate::parameters! {
    /// Tabu search with its settings.
    ///
    /// An iteration counts as a generation. In each iteration the search evaluates all moves of the neighbourhood. The search makes the
    /// best admissible move. If several moves are equally good, the search makes the first of these moves. A move removes
    /// [attributes](Attributes) from the solution. After the move, each removed attribute is tabu for a random number of iterations. A move
    /// is tabu if all attributes that it adds are tabu. A tabu move is admissible only if the move leads to a new best solution of the
    /// trial. The rule that admits a tabu move to a new best solution is called aspiration by best.
    ///
    /// An iteration takes one evaluation for each move. There are approximately as many moves as there are pairs of free positions in the
    /// same gene. If the evaluations end during an iteration, the best evaluated move is made.
    ///
    /// The memory takes four bytes for each allele at each position. If the attributes are edges, the memory takes four bytes for each pair
    /// of cities. The tabu memory takes at most 16 MB. If there are more than 2048 cities, some edges share an entry of the tabu memory.
    /// Each iteration evaluates all moves again. On assignment problems, however, a matrix stores how much each move changes the cost.
    #[derive(Clone, Debug)]
    pub struct TabuSearch {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "random", DOC),
        /// the moves; `family` chooses the moves that suit the problem best
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC),
        /// smallest tenure, in units of `tenure_unit`; the tenure is the time for which an attribute is tabu
        pub tenure_min: f64 = Parameter::real("tenure_min", 0.0, 1e9, 0.9, DOC),
        /// largest tenure; a value below `tenure_min` counts as `tenure_min`
        pub tenure_max: f64 = Parameter::real("tenure_max", 0.0, 1e9, 1.1, DOC),
        /// the random number (0 to 1) for each tenure is raised to this power; 1 gives uniform tenures, larger powers give shorter tenures
        pub tenure_exponent: u32 = Parameter::integer("tenure_exponent", 1, 9, 1, DOC),
        /// unit of the tenures: one iteration, or one iteration per free position
        pub tenure_unit: TenureUnit = Parameter::choice("tenure_unit", TenureUnit::NAMES, "size", DOC),
        /// a move is forced if its new attributes were absent for `forced_after * n²` iterations; n is the number of free positions
        ///
        /// In each iteration, the search looks for forced moves in only one group of moves. The next iteration looks in the next group. If
        /// the setting is absent, the search forces no move.
        pub forced_after: Option<f64> = Parameter::optional_real("forced_after", 0.0, 1e9, DOC),
    }
}

crate::choices! {
    /// The unit of the tenures.
    pub enum TenureUnit {
        /// As many iterations as the instance has free positions.
        Size = "size",
        /// One iteration.
        Iterations = "iterations",
    }
}

/// The declaration of `tabu` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "tabu",
    "makes the best move that is not tabu, even if this move makes the solution worse. The attributes that a move \
     removes are tabu for some iterations. Each iteration needs one evaluation per move of the neighbourhood",
    "Glover, Tabu Search, ORSA Journal on Computing 1(3), 1989; tenures drawn, long-term aspiration: Taillard, \
     Robust taboo search \
     for the quadratic assignment problem, Parallel Computing 17, 1991",
)
.with(TabuSearch::PARAMETERS);

impl TabuSearch {
    /// The tenures on a layout.
    fn tenures(&self, layout: &Layout) -> Tenures {
        let unit = if self.tenure_unit == TenureUnit::Size { layout.all_free().len() as f64 } else { 1.0 };
        let [min, max] = [self.tenure_min, self.tenure_max].map(|tenure| ((tenure * unit).round() as u32).min(HORIZON));
        Tenures { min, span: max.saturating_sub(min), exponent: self.tenure_exponent }
    }

    fn age(&self, layout: &Layout) -> Option<u32> {
        let size = layout.all_free().len() as f64;
        self.forced_after.map(|times| ((times * size * size).round() as u32).min(HORIZON))
    }
}

/// The distribution of tenures.
#[derive(Clone, Copy, Debug)]
struct Tenures {
    min: u32,
    /// The largest number that is added to `min`.
    span: u32,
    exponent: u32,
}

impl Tenures {
    fn draw(self, random: &mut RandomStream) -> u32 {
        if self.exponent == 1 {
            return self.min + random.below(self.span as usize + 1) as u32;
        }
        let unit = random.unit();
        let power = (1..self.exponent).fold(unit, |power, _| power * unit);
        self.min + (power * f64::from(self.span + 1)) as u32
    }
}

impl LocalSearch for TabuSearch {
    type State<'p, C> = TabuState<C>;

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, local::kind(problem, &self.neighbourhood))
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, _: &N) -> Result<TabuState<N::Cost>, String> {
        let layout = problem.layout();
        let memory = TabuMemory::new(layout)?;
        Ok(TabuState { memory, tenures: self.tenures(layout), age: self.age(layout), listed: Vec::new() })
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        TabuMemory::bytes(problem.layout())
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut TabuState<N::Cost>,
    ) -> Result<Infallible, Stop> {
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        state.memory.clear();
        let mut best = trial.now;
        loop {
            state.memory.advance();
            let mut chosen = None;
            let judged = state.judge(trial, best, &mut chosen);
            if let Some(Chosen { step, cost, changes, .. }) = chosen {
                trial.settle();
                state.memory.forbid(&changes, || state.tenures.draw(trial.random));
                trial.moves.apply(0, step);
                trial.now = cost;
                best = if cost < best { cost } else { best };
                trial.evaluator.tell(cost, |genome| trial.moves.write(0, genome))?;
            }
            judged?;
            trial.evaluator.end_iteration()?;
        }
    }
}

/// The state of a run.
pub(crate) struct TabuState<C> {
    memory: TabuMemory,
    tenures: Tenures,
    /// A move is forced if the attributes that it adds were absent for this number of iterations.
    age: Option<u32>,
    /// The moves of a group that may be better than the move that was chosen so far.
    listed: Vec<(Move, C)>,
}

/// The chosen move.
struct Chosen<C> {
    step: Move,
    cost: C,
    changes: Attributes,
    /// True if the move leads to a new best solution of the trial, or is forced. Moves of this kind are preferred to all other moves.
    is_aspired: bool,
}

impl<C: Copy + PartialOrd + Into<Fitness>> TabuState<C> {
    /// Evaluates all moves and chooses the best admissible move, if there is one. If the evaluations of the run are used up earlier, the
    /// move is chosen from the evaluated moves.
    fn judge<P: Problem, N: Neighbourhood<Cost = C>>(
        &mut self,
        trial: &mut Trial<'_, '_, P, N>,
        best: C,
        chosen: &mut Option<Chosen<C>>,
    ) -> Result<(), Stop> {
        let (evaluator, moves, now) = (&mut *trial.evaluator, &mut *trial.moves, trial.now);
        // Only one group is examined for overdue moves, since examining all groups would double the time. The groups take turns.
        let turn = self.age.map(|_| self.memory.iteration() % moves.n_groups());
        for group in 0..moves.n_groups() {
            let limit = evaluator.begin_batch()?;
            let is_turn = turn == Some(group);
            let bound = if is_turn { None } else { chosen.as_ref().map(|chosen| chosen.cost) };
            self.listed.clear();
            let scope = Scope { place: 0, group, now, limit };
            evaluator.count(moves.list_below(scope, bound, &mut self.listed));
            for &(step, cost) in &self.listed {
                let changes = moves.attributes(0, step);
                let is_aspired =
                    cost < best || is_turn && self.age.is_some_and(|age| self.memory.is_overdue(&changes, age));
                let is_better = chosen
                    .as_ref()
                    .is_none_or(|chosen| if is_aspired == chosen.is_aspired { cost < chosen.cost } else { is_aspired });
                if is_better && (is_aspired || !self.memory.is_tabu(&changes)) {
                    *chosen = Some(Chosen { step, cost, changes, is_aspired });
                }
            }
        }
        Ok(())
    }
}

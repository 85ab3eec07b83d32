//! Walks. A walk draws random moves one by one. A walk makes each move that a rule accepts.

pub mod annealing;
pub mod late_acceptance;
mod metropolis;
mod schedule;
pub mod threshold_accepting;

use super::*;
use crate::settings::GrowingNumber;

/// The largest number of moves after which the clock is read again.
const MOVES_PER_CLOCK_CHECK: u64 = 256;

crate::parameters! {
    /// The settings of every walk.
    #[derive(Clone, Debug)]
    pub struct WalkSettings {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "random", DOC),
        /// the moves; `family` chooses the moves that suit the problem best
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC),
        /// number of moves drawn in each generation; by default the number of changeable positions
        pub chain: Option<GrowingNumber> = Parameter::optional_integer("chain", 1, 1 << 53, DOC).growing(),
    }
}

/// A search that draws random moves. A chain of moves counts as a generation.
pub(crate) trait Walk {
    /// The state of a run. It decides which moves are made.
    type Rule: WalkRule;

    /// The settings that every walk has.
    fn settings(&self) -> &WalkSettings;

    /// The rule for a run on a problem.
    ///
    /// # Errors
    /// The reason why the problem does not suit the walk, as a message.
    fn rule<P: Problem>(&self, problem: &P) -> Result<Self::Rule, String>;

    /// The approximate number of bytes of the rule.
    fn rule_memory<P: Problem>(&self, problem: &P) -> u64 {
        let _ = problem;
        0
    }
}

/// The rule that decides which moves a walk makes.
pub(crate) trait WalkRule {
    /// Begins a trial.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    fn begin<P: Problem, N: Neighbourhood>(&mut self, trial: &mut Trial<'_, '_, P, N>) -> Result<(), Stop>;

    /// Returns true if the walk moves from a solution of the fitness `now` to a solution of the fitness `after`. `bits` are 32 uniform
    /// bits.
    fn accepts(&mut self, now: f64, after: f64, bits: u32) -> bool;

    /// Ends a chain.
    ///
    /// # Errors
    /// The reason to end the trial, if the trial ends.
    fn end_chain<P: Problem>(&mut self, evaluator: &Evaluator<'_, P>, chain: &Chain) -> Result<(), Stop>;
}

/// The moves of a chain, and the fitness of the solution during the chain.
pub(crate) struct Chain {
    /// The fitness at the start.
    first: f64,
    /// The fitness at the end.
    last: f64,
    /// The best fitness.
    best: f64,
    /// The number of moves that were drawn.
    moves: u64,
}

impl<W: Walk> LocalSearch for W {
    /// The number of moves in a chain, and the rule for accepting moves.
    type State<'p, C> = (u64, W::Rule);

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.settings().start, local::kind(problem, &self.settings().neighbourhood))
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<(u64, W::Rule), String> {
        let chain = &self.settings().chain;
        let n_moves = chain.as_ref().map_or(Ok(moves.n_groups().max(1) as u64), |chain| chain.count_on(problem))?;
        Ok((n_moves, self.rule(problem)?))
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.rule_memory(problem)
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        (n_moves, rule): &mut (u64, W::Rule),
    ) -> Result<Infallible, Stop> {
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        rule.begin(trial)?;
        loop {
            let first = trial.now.into().value();
            let best = steps(trial, *n_moves, |now, after, bits| rule.accepts(now, after, bits))?;
            trial.evaluator.end_iteration()?;
            let chain = Chain { first, last: trial.now.into().value(), best, moves: *n_moves };
            rule.end_chain(trial.evaluator, &chain)?;
        }
    }
}

/// Draws moves of the solution and makes the accepted moves. `accepts` receives the present fitness, the fitness after the move, and 32
/// uniform bits. At the end, the function reports the genome of the best solution, unless the run must stop. Returns the best fitness that
/// the solution had.
///
/// # Errors
/// If the run must stop, the function returns the reason to stop.
fn steps<P: Problem, N: Neighbourhood>(
    trial: &mut Trial<'_, '_, P, N>,
    n_moves: u64,
    mut accepts: impl FnMut(f64, f64, u32) -> bool,
) -> Result<f64, Stop> {
    let Trial { evaluator, moves, now, random } = trial;
    let mut value = (*now).into().value();
    let (mut best, mut left) = (value, n_moves);
    while left > 0 {
        let batch = evaluator.begin_batch()?.min(left).min(MOVES_PER_CLOCK_CHECK);
        left -= batch;
        let mut counted = 0;
        for drawn in 1..=batch {
            let bits = random.bits();
            let step = moves.draw(0, (bits >> 32) as u32, random);
            let cost = moves.after(0, step, *now);
            let after = cost.into().value();
            if !accepts(value, after, bits as u32) {
                continue;
            }
            if after > value {
                evaluator.settle(|genome| moves.write(0, genome));
            }
            moves.apply(0, step);
            (*now, value) = (cost, after);
            if after < best {
                best = after;
                // The evaluator must have counted an evaluation before it is told the fitness.
                evaluator.count(drawn - counted);
                counted = drawn;
                evaluator.tell(cost, |genome| moves.write(0, genome))?;
            }
        }
        evaluator.count(batch - counted);
    }
    trial.settle();
    Ok(best)
}

//! Variable neighbourhood search changes a local optimum more and more strongly, until the search finds a better local optimum.

use super::iterated_local_search::Acceptance;
use super::*;
use crate::neighbourhood::DynNeighbourhood;
use crate::operator::Perturbation;

#[cfg(test)]
mod tests;

crate::parameters! {
    /// Variable neighbourhood search with its settings.
    ///
    /// A trial starts with a descent to a local optimum. At the start of a trial, `k` is 1. In each generation the solution is shaken `k`
    /// times. Then a descent follows. If the new solution is better, the search accepts this solution, and `k` becomes 1. If the new
    /// solution is not better, the changes are undone, and `k` increases by 1. When `k` exceeds `k_max`, `k` becomes 1 again.
    pub struct VariableNeighbourhood {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "family", DOC),
        /// the moves; `family` chooses the moves that suit the problem best
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC),
        /// a second kind of moves; the descent alternates until neither kind improves the solution
        ///
        /// A descent with two kinds of moves is called a variable neighbourhood descent.
        pub second: NeighbourhoodName =
            Parameter::choice("second_neighbourhood", &SECONDS, "none", DOC).or_added(AddedNames::Neighbourhoods),
        /// which move of each group is made: the best move, or the first move that improves the solution
        pub pick: Pick = local::pick(DOC),
        /// largest number of shakes (perturbations) before a descent
        pub k_max: usize = Parameter::integer("k_max", 1, 65_535, 5, DOC),
        /// shakes a solution; the default is a random move of the first neighbourhood
        pub perturbation: Option<Box<dyn Perturbation>> =
            Parameter::optional_operator("perturbation", "perturbation", DOC),
        /// which new local optima replace the present local optimum
        pub accept: Acceptance = Parameter::choice("accept", Acceptance::NAMES, "better", DOC),
    }
}

/// The declaration of `variable-neighbourhood` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "variable-neighbourhood",
    "shakes the present local optimum and descends to a new local optimum. The shakes become stronger until a better local optimum is found",
    "Mladenovic and Hansen, Variable neighborhood search, Computers and Operations Research 24(11), 1997",
)
.with(VariableNeighbourhood::PARAMETERS);

const SECONDS: [&str; 5] = {
    let mut seconds = NeighbourhoodKind::NAMES;
    seconds[0] = "none";
    seconds
};

impl VariableNeighbourhood {
    /// The strength of the shaking after a descent from a solution that was shaken `k` times.
    fn next(&self, k: usize, is_better: bool) -> usize {
        if is_better || k == self.k_max { 1 } else { k + 1 }
    }

    /// Shakes the solution at place 0, and queues the groups that may have a better move after the shaking.
    fn shake<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        k: usize,
        state: &mut VariableState<'_>,
    ) -> Result<(), Stop> {
        let Some(perturbation) = &self.perturbation else {
            let Trial { evaluator, moves, now, random } = trial;
            for _ in 0..k {
                evaluator.begin()?;
                let step = moves.draw(0, (random.bits() >> 32) as u32, random);
                *now = moves.after(0, step, *now);
                moves.apply(0, step);
                state.descent.touch(|groups| moves.touched(0, step, groups));
                evaluator.end(*now, |genome| moves.write(0, genome))?;
            }
            return Ok(());
        };
        state.changes.clear();
        // Perturbations depend on the layout, not on the solution. So all can be made at once, as one evaluation.
        for _ in 0..k {
            perturbation.perturb(trial.evaluator.problem().layout(), &mut state.changes, trial.random);
        }
        state.descent.touch(|groups| trial.rearrange(&state.changes, groups))
    }

    /// Descends to a local optimum of the neighbourhood. If there is a second neighbourhood, the solution is also a local optimum of the
    /// second neighbourhood.
    fn descend<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut VariableState<'_>,
    ) -> Result<(), Stop> {
        loop {
            state.descent.run(trial, self.pick)?;
            let Some(second) = &mut state.second else { return Ok(()) };
            trial.moves.write(0, &mut state.genome);
            second.load(0, &state.genome);
            let is_better = descend_second(trial.evaluator, &mut **second, self.pick);
            trial.evaluator.settle(|genome| second.write(0, genome));
            if !is_better? {
                return Ok(());
            }
            // The solution was evaluated before, so loading it is not an evaluation.
            second.write(0, &mut state.genome);
            trial.now = trial.moves.load(0, &state.genome);
            state.descent.fill(trial.moves.n_groups(), trial.random);
        }
    }
}

/// Makes better moves, group by group, until no group has a better move. Returns whether it made a move.
fn descend_second<P: Problem>(
    evaluator: &mut Evaluator<'_, P>,
    moves: &mut dyn DynNeighbourhood,
    pick: Pick,
) -> Result<bool, Stop> {
    let (mut is_better, mut group, mut n_without) = (false, 0, 0);
    while n_without < moves.n_groups() {
        let limit = evaluator.begin_batch()?;
        let scan = moves.better_in(0, group, limit, pick);
        evaluator.count(scan.examined);
        n_without += 1;
        if let Some((step, _)) = scan.best {
            let now = moves.apply(0, step);
            evaluator.tell(now, |genome| moves.write(0, genome))?;
            (is_better, n_without) = (true, 0);
        }
        group = (group + 1) % moves.n_groups();
    }
    Ok(is_better)
}

impl LocalSearch for VariableNeighbourhood {
    type State<'p, C> = VariableState<'p>;

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, local::kind(problem, &self.neighbourhood))
    }

    fn state<'p, P: Problem, N: Neighbourhood>(&self, problem: &'p P, _: &N) -> Result<VariableState<'p>, String> {
        let template = problem.layout().template();
        let second = (self.second.as_str() != SECONDS[0]).then(|| local::kind(problem, &self.second));
        Ok(VariableState {
            descent: Descent::default(),
            changes: Vec::new(),
            second: second.map(|kind| problem.neighbourhood(kind, 1)).transpose()?,
            genome: template.to_vec(),
            accepted: template.to_vec(),
        })
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut VariableState<'_>,
    ) -> Result<Infallible, Stop> {
        state.descent.fill(trial.moves.n_groups(), trial.random);
        self.descend(trial, state)?;
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        let mut k = 1;
        loop {
            let before = trial.now;
            // Loading a solution removes the mark, and a second neighbourhood loads its solution.
            if state.second.is_some() {
                trial.moves.write(0, &mut state.accepted);
            } else {
                trial.moves.mark(0);
            }
            self.shake(trial, k, state)?;
            self.descend(trial, state)?;
            k = self.next(k, trial.now < before);
            if !self.accept.accepts(trial.now, before) {
                if state.second.is_some() {
                    trial.moves.load(0, &state.accepted);
                } else {
                    trial.moves.rollback(0);
                }
                trial.now = before;
            }
            trial.evaluator.end_iteration()?;
        }
    }
}

/// The state of a run.
pub(crate) struct VariableState<'p> {
    descent: Descent,
    /// The changes of a perturbation.
    changes: Vec<Rearrangement>,
    second: Option<Box<dyn DynNeighbourhood + 'p>>,
    /// The solution, while it is copied from one neighbourhood to the other.
    genome: Vec<Allele>,
    /// The accepted solution. It is stored only if there is a second neighbourhood.
    accepted: Vec<Allele>,
}

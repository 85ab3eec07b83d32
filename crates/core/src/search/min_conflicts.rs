//! Min-conflicts with tabu. In each iteration, the search chooses a random position in conflict. Then the search makes the best swap of the
//! chosen position, even if the solution becomes worse. (Minton, Johnston, Philips and Laird, Artificial Intelligence 58, 1992; in an
//! iterated local search: Musliu and Winter, IEEE Intelligent Systems, 2017.)

use super::iterated_local_search::Acceptance;
use super::tabu::TabuMemory;
use super::*;
use crate::memory::blocks;
use crate::neighbourhood::Move;
use crate::operator::Perturbation;

crate::parameters! {
    /// Min-conflicts with its settings.
    ///
    /// An iteration counts as a generation. In each iteration the search draws a free position in conflict. If there is no conflict, the
    /// search draws any movable position. The search evaluates all swaps between the drawn position and the other free positions of the
    /// same gene. Then the search makes the best swap that is not tabu. If several swaps are equally good, the search chooses one of them
    /// at random. If a swap improves the best solution of the trial, the swap is never tabu (aspiration). Swapped alleles are tabu at their
    /// old positions for `tenure` iterations.
    ///
    /// If `patience` successive iterations find no better solution, a perturbation follows. "Better" means better than all solutions that
    /// were found since the last perturbation. Before each perturbation, the search compares two solutions: the accepted solution, and the
    /// best solution that was found since the last perturbation. The rule `accept` decides whether this best solution replaces the accepted
    /// solution. Then the search perturbs the accepted solution.
    pub struct MinConflicts {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "random", DOC),
        /// number of iterations for which swapped alleles are tabu at their old positions
        pub tenure: u32 = Parameter::integer("tenure", 0, 1_000_000, 10, DOC),
        /// number of successive iterations without a better solution before a perturbation
        pub patience: u64 = Parameter::integer("patience", 1, i64::MAX, 1000, DOC),
        /// changes the accepted solution
        pub perturbation: Box<dyn Perturbation> =
            Parameter::operator("perturbation", "perturbation", Some("random-swaps"), DOC),
        /// the rule that decides, before each perturbation, whether the best new solution replaces the accepted solution
        pub accept: Acceptance = Parameter::choice("accept", Acceptance::NAMES, "better-or-equal", DOC),
    }
}

/// The declaration of `min-conflicts` in the catalogue.
pub const DECLARATION: Declaration = Declaration {
    version: 2,
    ..Declaration::new(
        "min-conflicts",
        "chooses a random position in conflict, and makes the best swap of this position that is not tabu. This swap \
         may make the solution worse. After many iterations without improvement, a perturbation changes the solution",
        "Minton, Johnston, Philips and Laird, Minimizing Conflicts, Artificial Intelligence 58, 1992; iterated, with \
         tabu: Musliu and \
         Winter, IEEE Intelligent Systems, 2017",
    )
    .needing(&[Capability::Conflicts])
    .with(MinConflicts::PARAMETERS)
};

impl LocalSearch for MinConflicts {
    type State<'p, C> = ConflictState<C>;

    fn frame<P: Problem>(&self, _: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, NeighbourhoodKind::Swap)
    }

    fn state<P: Problem, N: Neighbourhood>(&self, problem: &P, moves: &N) -> Result<ConflictState<N::Cost>, String> {
        let layout = problem.layout();
        let memory = TabuMemory::new(layout)?;
        let positions = layout.movable_genes().iter().flat_map(|&gene| layout.free(gene).iter().copied());
        let positions: Vec<usize> = positions.collect();
        if moves.n_groups() != positions.len() {
            return Err(
                "the search needs one group of swaps for each position; this problem groups its moves in another way"
                    .to_owned(),
            );
        }
        Ok(ConflictState {
            memory,
            positions,
            conflicts: vec![0; layout.genome_len()],
            genome: layout.template().to_vec(),
            best: layout.template().to_vec(),
            accepted: layout.template().to_vec(),
            in_conflict: Vec::new(),
            listed: Vec::new(),
            changes: Vec::new(),
            touched: Vec::new(),
        })
    }

    fn memory<P: Problem>(&self, problem: &P) -> u64 {
        let layout = problem.layout();
        let each = size_of::<usize>() + size_of::<u32>() + 3 * size_of::<Allele>();
        TabuMemory::bytes(layout).saturating_add(blocks(layout.genome_len(), each))
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        state: &mut ConflictState<N::Cost>,
    ) -> Result<Infallible, Stop> {
        if trial.moves.is_empty() {
            return Err(Stop::Stagnation);
        }
        state.memory.clear();
        let mut best_of_trial = trial.now;
        trial.moves.write(0, &mut state.genome);
        state.accepted.copy_from_slice(&state.genome);
        let mut accepted = trial.now;
        loop {
            let mut best = trial.now;
            state.best.copy_from_slice(&state.genome);
            let mut n_idle = 0;
            while n_idle < self.patience {
                n_idle += 1;
                if self.swap(trial, best_of_trial, state)? {
                    best_of_trial = if trial.now < best_of_trial { trial.now } else { best_of_trial };
                    if trial.now < best {
                        (best, n_idle) = (trial.now, 0);
                        state.best.copy_from_slice(&state.genome);
                    }
                }
                trial.evaluator.end_iteration()?;
            }
            if self.accept.accepts(best, accepted) {
                accepted = best;
                state.accepted.copy_from_slice(&state.best);
            }
            // If every swap since the best solution was tabu, the solution has not been written.
            trial.settle();
            // The accepted solution was evaluated before, so loading it is not an evaluation.
            trial.now = trial.moves.load(0, &state.accepted);
            state.changes.clear();
            self.perturbation.perturb(trial.evaluator.problem().layout(), &mut state.changes, trial.random);
            state.touched.clear();
            trial.rearrange(&state.changes, &mut state.touched)?;
            best_of_trial = if trial.now < best_of_trial { trial.now } else { best_of_trial };
            trial.moves.write(0, &mut state.genome);
        }
    }
}

/// The state of a run.
pub(crate) struct ConflictState<C> {
    memory: TabuMemory,
    /// The position of each group of moves.
    positions: Vec<usize>,
    /// The number of conflicts at each position of `genome`.
    conflicts: Vec<u32>,
    genome: Vec<Allele>,
    /// The best solution since the last perturbation.
    best: Vec<Allele>,
    /// The accepted solution.
    accepted: Vec<Allele>,
    /// The groups of positions that are in conflict.
    in_conflict: Vec<u32>,
    /// The moves of a group.
    listed: Vec<(Move, C)>,
    /// The changes of a perturbation.
    changes: Vec<Rearrangement>,
    /// The groups that the perturbation touches.
    touched: Vec<u32>,
}

impl MinConflicts {
    /// Makes the best non-tabu swap of a position in conflict, if there is one. Returns whether it made a swap.
    fn swap<P: Problem, N: Neighbourhood>(
        &self,
        Trial { evaluator, moves, now, random }: &mut Trial<'_, '_, P, N>,
        best: N::Cost,
        state: &mut ConflictState<N::Cost>,
    ) -> Result<bool, Stop> {
        state.memory.advance();
        let group = state.draw_group(evaluator.problem(), random);
        let ConflictState { memory, genome, listed, .. } = state;
        let limit = evaluator.begin_batch()?;
        listed.clear();
        // The closure returns false, so the scan passes every move to it.
        let list = |step, cost| {
            listed.push((step, cost));
            false
        };
        let scope = Scope { place: 0, group, now: *now, limit };
        evaluator.count(moves.best_in(scope, Pick::Best, list).examined);
        let mut chosen: Option<(Move, N::Cost)> = None;
        let mut n_equal = 0;
        for &(step, cost) in &*listed {
            let is_worse = chosen.is_some_and(|(_, chosen)| cost > chosen);
            if is_worse || (cost >= best && memory.is_tabu(&moves.attributes(0, step))) {
                continue;
            }
            n_equal = if chosen.is_some_and(|(_, chosen)| cost == chosen) { n_equal + 1 } else { 1 };
            // The k-th of equally good moves replaces the previous one with probability 1/k. So all are equally likely.
            if n_equal == 1 || random.below(n_equal) == 0 {
                chosen = Some((step, cost));
            }
        }
        let Some((step, after)) = chosen else { return Ok(false) };
        evaluator.settle(|best| best.copy_from_slice(genome));
        memory.forbid(&moves.attributes(0, step), || self.tenure);
        moves.apply(0, step);
        moves.write(0, genome);
        *now = after;
        evaluator.tell(after, |best| best.copy_from_slice(genome))?;
        Ok(true)
    }
}

impl<C> ConflictState<C> {
    /// The group of a random position in conflict. If there is no conflict, it is the group of any random position.
    fn draw_group<P: Problem>(&mut self, problem: &P, random: &mut RandomStream) -> usize {
        let counted =
            problem.conflicts().expect("the declaration of the search requires a problem that counts conflicts");
        counted.count(&self.genome, &mut self.conflicts);
        self.in_conflict.clear();
        let groups = (0..).zip(&self.positions).filter(|&(_, &position)| self.conflicts[position] > 0);
        self.in_conflict.extend(groups.map(|(group, _): (u32, _)| group));
        if self.in_conflict.is_empty() {
            return random.below(self.positions.len());
        }
        self.in_conflict[random.below(self.in_conflict.len())] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::evaluator::Evaluator;
    use crate::fitness::Fitness;
    use crate::layout::Layout;
    use crate::neighbourhood::Scratch;
    use crate::problem::ConflictCount;

    /// Two genes of two; the fitness counts the columns that hold an allele twice.
    struct Columns(Layout);

    impl Problem for Columns {
        fn layout(&self) -> &Layout {
            &self.0
        }

        fn fitness(&self, genome: &[Allele]) -> Fitness {
            (0..2).map(|column| u32::from(genome[column] == genome[column + 2])).sum::<u32>().into()
        }

        fn conflicts(&self) -> Option<&dyn ConflictCount> {
            Some(self)
        }
    }

    impl ConflictCount for Columns {
        fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
            for (position, count) in conflicts.iter_mut().enumerate() {
                *count = u32::from(genome[position] == genome[(position + 2) % 4]);
            }
        }
    }

    /// Columns of which the second gene is locked: there is one swap, of the first.
    fn one_swap() -> Columns {
        Columns(Layout::new(2, &[None, None, Some(0), Some(1)]).expect("a layout"))
    }

    struct Nothing;

    impl Perturbation for Nothing {
        fn perturb(&self, _: &Layout, _: &mut Vec<Rearrangement>, _: &mut RandomStream) {}
    }

    /// Makes that one swap.
    struct TheSwap;

    impl Perturbation for TheSwap {
        fn perturb(&self, _: &Layout, changes: &mut Vec<Rearrangement>, _: &mut RandomStream) {
            changes.push(Rearrangement::Swap { gene: 0, one: 0, other: 1 });
        }
    }

    #[test]
    fn the_best_is_written_before_a_perturbation_though_all_swaps_were_tabu() {
        let problem = one_swap();
        let search = MinConflicts {
            start: Start::Random,
            tenure: 9,
            patience: 1,
            perturbation: Box::new(TheSwap),
            accept: Acceptance::Better,
        };
        let mut observer = ();
        let budget = Budget { evaluations: Some(5), ..Budget::default() };
        let mut evaluator = Evaluator::new(&problem, &budget, &mut observer);
        let mut moves = Scratch::new(&problem, NeighbourhoodKind::Swap, 1).expect("there is memory");
        let mut state = search.state(&problem, &moves).expect("a group for each position");
        let worst = [0, 1, 0, 1];
        evaluator.evaluate(&worst).expect("the budget is not used up");
        let now = moves.load(0, &worst);
        let mut random = RandomStream::from_seed(1);
        let mut trial = Trial { evaluator: &mut evaluator, moves: &mut moves, now, random: &mut random };
        let stop = trial.run(&search, &mut state);
        assert_eq!(stop, Stop::Evaluations);
        assert_eq!(evaluator.finish(stop).best_genome, [1, 0, 0, 1]);
    }

    #[test]
    fn a_swap_is_not_taken_back_for_its_tenure_unless_that_leads_below_the_best() {
        let problem = one_swap();
        let search = MinConflicts {
            start: Start::Random,
            tenure: 2,
            patience: 9,
            perturbation: Box::new(Nothing),
            accept: Acceptance::Always,
        };
        let mut random = RandomStream::from_seed(1);
        // The best cost so far, and what seven swaps lead to.
        let cases = [
            (0_u32, [Some(0_u32), None, None, Some(2), None, None, Some(0)]),
            (3, [Some(0), Some(2), Some(0), Some(2), Some(0), Some(2), Some(0)]),
        ];
        for (best, expected) in cases {
            let mut observer = ();
            let mut evaluator = Evaluator::new(&problem, &Budget::default(), &mut observer);
            let mut moves = Scratch::new(&problem, NeighbourhoodKind::Swap, 1).expect("there is memory");
            let mut state = search.state(&problem, &moves).expect("a group for each position");
            state.genome.copy_from_slice(&[0, 1, 0, 1]);
            let now = moves.load(0, &state.genome);
            let mut trial = Trial { evaluator: &mut evaluator, moves: &mut moves, now, random: &mut random };
            let made: Vec<Option<Fitness>> = std::iter::repeat_with(|| {
                let swapped = search.swap(&mut trial, best.into(), &mut state);
                trial.settle();
                swapped.expect("the budget is unlimited").then_some(trial.now)
            })
            .take(7)
            .collect();
            assert_eq!(made, expected.map(|cost| cost.map(Fitness::from)), "{best}");
            assert_eq!(problem.fitness(&state.genome), trial.now);
        }
    }
}

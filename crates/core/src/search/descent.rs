//! A descent makes better moves until it reaches a local optimum. A queue contains the groups of moves that may still have a better move.

use std::collections::VecDeque;

use super::*;

/// A first-in-first-out queue of the groups that may have a better move. In the terms of Bentley (1992), these groups have no don't-look
/// bits.
#[derive(Default)]
pub(crate) struct Descent {
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// All groups, in the random order of the first descent.
    order: Vec<u32>,
    /// The groups that a move touches.
    touched: Vec<u32>,
}

impl Descent {
    /// Queues all groups in random order.
    pub(super) fn fill(&mut self, n_groups: usize, random: &mut RandomStream) {
        self.order.clear();
        self.order.extend(0..n_groups as u32);
        random.shuffle(&mut self.order);
        self.is_queued.clear();
        self.is_queued.resize(n_groups, true);
        self.queue.clear();
        self.queue.extend(&self.order);
    }

    /// Queues the groups that a function appends to a list.
    pub(super) fn touch<T>(&mut self, touch: impl FnOnce(&mut Vec<u32>) -> T) -> T {
        self.touched.clear();
        let result = touch(&mut self.touched);
        // If all groups are touched, a random order is fairer than the order of their numbers.
        let touched = if self.touched.len() >= self.order.len() { &self.order } else { &self.touched };
        for &group in touched {
            if !std::mem::replace(&mut self.is_queued[group as usize], true) {
                self.queue.push_back(group);
            }
        }
        result
    }

    /// Makes improving moves until no group in the queue of groups has an improving move. Then the function reports the genome of the best
    /// solution, unless the run must stop.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason to stop.
    pub(super) fn run<P: Problem, N: Neighbourhood>(
        &mut self,
        trial: &mut Trial<'_, '_, P, N>,
        pick: Pick,
    ) -> Result<(), Stop> {
        let Trial { evaluator, moves, now, .. } = trial;
        while let Some(group) = self.queue.pop_front() {
            self.is_queued[group as usize] = false;
            let limit = evaluator.begin_batch()?;
            let scan = moves.better_in(Scope { place: 0, group: group as usize, now: *now, limit }, pick);
            evaluator.count(scan.examined);
            let Some((step, after)) = scan.best else { continue };
            moves.apply(0, step);
            *now = after;
            self.touch(|groups| {
                moves.touched(0, step, groups);
                groups.push(group);
            });
            evaluator.tell(after, |genome| moves.write(0, genome))?;
        }
        trial.settle();
        Ok(())
    }
}

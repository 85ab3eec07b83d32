//! The insertion neighbourhood, and partial sequences into which jobs are inserted. A group of moves consists of one job and all its new
//! positions. The makespans of a group are computed in time `O(nm)`.

use std::collections::TryReserveError;

use evogrid_core::prelude::*;

use super::machines::Machines;
use super::schedule::{Schedule, stride};
use super::times::{Criterion, Time};
use crate::solutions::{Cost, Places};

/// The maximum number of jobs for which 32 bits suffice to draw a move, with a bias below 2^-14.
const MAX_JOBS_OF_BITS: usize = 512;

/// The maximum number of jobs for which a computation from scratch keeps the completion times on the stack.
const MAX_FEW: usize = 256;

/// Machines whose times have any number type. Searches are compiled once for all number types, at the cost of one call for each group.
pub(super) trait AnyMachines: Send + Sync + std::fmt::Debug {
    /// The value of a sequence of jobs, computed from scratch. If a sequence lacks jobs, only the other jobs are scheduled.
    fn value(&self, criterion: Criterion, sequence: &[Allele]) -> u64;

    /// Creates an empty schedule into which jobs can be inserted.
    ///
    /// # Errors
    /// Returns an error if the system cannot provide enough memory.
    fn insertions(&self, criterion: Criterion) -> Result<Box<dyn Insertions + '_>, TryReserveError>;

    /// The approximate size of an empty schedule in bytes.
    fn memory(&self) -> u64;
}

impl<T: Time> AnyMachines for Machines<T> {
    fn value(&self, criterion: Criterion, sequence: &[Allele]) -> u64 {
        let (mut few, mut many) = ([T::default(); MAX_FEW], Vec::new());
        let completions = match few.get_mut(..sequence.len()) {
            Some(few) => few,
            None => {
                many.resize(sequence.len(), T::default());
                &mut many[..]
            }
        };
        self.forward.complete(sequence, completions);
        match criterion {
            Criterion::Makespan => completions.last().map_or(0, |&last| last.into()),
            Criterion::FlowTime => completions.iter().map(|&completion| completion.into()).sum(),
        }
    }

    fn insertions(&self, criterion: Criterion) -> Result<Box<dyn Insertions + '_>, TryReserveError> {
        Ok(Box::new(Schedule::new(self, criterion)?))
    }

    fn memory(&self) -> u64 {
        (5 * self.forward.n_rows() * stride(self) * size_of::<T>()) as u64
    }
}

/// A schedule with the values of all insertions of a job.
pub(super) trait Insertions: PartialSolution {
    /// For every new position of a job, the value after the job moves there. The positions include the present position of the job.
    fn reinsertions(&mut self, sequence: &[Allele], position: usize) -> &[u64];
}

impl<T: Time> Insertions for Schedule<'_, T> {
    fn reinsertions(&mut self, sequence: &[Allele], position: usize) -> &[u64] {
        Schedule::load(self, sequence);
        Schedule::reinsertions(self, position)
    }
}

/// The solution is a sequence of some of the jobs. A position is an index in the present sequence.
impl<T: Time> PartialSolution for Schedule<'_, T> {
    fn load(&mut self, genome: &[Allele]) -> Fitness {
        Schedule::load(self, genome);
        Cost(self.machines.value(self.criterion, genome) as i64).into()
    }

    fn clear(&mut self) {
        Schedule::load(self, &[]);
    }

    fn write(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(self.sequence());
    }

    fn remove(&mut self, element: Allele) {
        let position = self.sequence().iter().position(|&job| job == element);
        Schedule::remove(self, position.expect("the job is in the sequence"));
    }

    fn best_position(&mut self, element: Allele, limit: u64, mut ties: Ties) -> BestPosition {
        let n_examined = self.insertions(element).len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        let values = &self.values[..n_examined];
        let best = *values.iter().min().expect("a position is examined");
        let mut equal = values.iter().enumerate().filter(|&(_, &value)| value == best).map(|(position, _)| position);
        let position = if ties == Ties::Family && self.criterion == Criterion::Makespan {
            equal.min_by_key(|&position| self.idle_time(element, position))
        } else {
            let first = equal.next();
            (2..).zip(equal).filter(|&(n_equal, _)| ties.replaces(n_equal)).map(|(_, other)| other).last().or(first)
        };
        let position = position.expect("at least one position was examined");
        BestPosition { position, fitness: Cost(best as i64).into(), examined: n_examined as u64 }
    }

    fn insert(&mut self, element: Allele, position: usize) {
        Schedule::insert(self, element, position);
    }
}

/// The insertion neighbourhood of a flow shop. Each job is a group of moves. A move consists of the position of a job and its new position.
///
/// A scan computes the values of all positions of a job at once, even if a limit allows only a few positions. A single move is computed
/// from scratch.
pub(super) struct InsertionNeighbourhood<'p> {
    machines: &'p dyn AnyMachines,
    criterion: Criterion,
    insertions: Box<dyn Insertions + 'p>,
    n_jobs: usize,
    sequences: Places<Allele>,
    /// A copy of a sequence, which is used to evaluate a move.
    candidate: Vec<Allele>,
}

impl<'p> InsertionNeighbourhood<'p> {
    /// Creates a neighbourhood with this number of places.
    ///
    /// # Errors
    /// Returns an error if the system cannot provide enough memory.
    pub(super) fn new(
        machines: &'p dyn AnyMachines,
        criterion: Criterion,
        n_jobs: usize,
        places: usize,
    ) -> Result<Self, TryReserveError> {
        let (insertions, candidate) = (machines.insertions(criterion)?, vec![0; n_jobs]);
        let sequences = Places::new(&candidate, places)?;
        Ok(Self { machines, criterion, insertions, n_jobs, sequences, candidate })
    }

    fn value(&self, sequence: &[Allele]) -> Cost {
        Cost(self.machines.value(self.criterion, sequence) as i64)
    }
}

/// Moves the job at a position to another position.
fn reinsert(sequence: &mut [Allele], Move(from, to): Move) {
    let (from, to) = (from as usize, to as usize);
    if from < to { sequence[from..=to].rotate_left(1) } else { sequence[to..=from].rotate_right(1) }
}

impl Neighbourhood for InsertionNeighbourhood<'_> {
    type Cost = Cost;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Cost {
        self.sequences.at_mut(place).copy_from_slice(genome);
        self.value(genome)
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(self.sequences.at(place));
    }

    /// The number of jobs; 0 if there is only one job, which cannot be moved.
    fn n_groups(&self) -> usize {
        if self.n_jobs > 1 { self.n_jobs } else { 0 }
    }

    fn draw(&self, _: usize, bits: u32, random: &mut RandomStream) -> Move {
        let n = self.n_jobs;
        let [from, other] = if n <= MAX_JOBS_OF_BITS {
            let product = u64::from(bits) * n as u64;
            [(product >> 32) as usize, ((u64::from(product as u32) * (n - 1) as u64) >> 32) as usize]
        } else {
            random.batch([n, n - 1])
        };
        Move(from as u32, (other + usize::from(other >= from)) as u32)
    }

    fn after(&mut self, place: usize, step: Move, _: Cost) -> Cost {
        self.candidate.copy_from_slice(self.sequences.at(place));
        reinsert(&mut self.candidate, step);
        self.value(&self.candidate)
    }

    fn best_in(&mut self, scope: Scope<Cost>, pick: Pick, mut allowed: impl FnMut(Move, Cost) -> bool) -> Scan<Cost> {
        let Scope { place, group, limit, .. } = scope;
        let sequence = self.sequences.at(place);
        let from = sequence.iter().position(|&job| usize::from(job) == group).expect("every job is in the sequence");
        let values = self.insertions.reinsertions(sequence, from);
        let others = values.iter().enumerate().filter(|&(to, _)| to != from);
        let mut scan = Scan::EMPTY;
        for (to, &value) in others.take(usize::try_from(limit).unwrap_or(usize::MAX)) {
            if scan.judge(Move(from as u32, to as u32), Cost(value as i64), pick, &mut allowed) {
                break;
            }
        }
        scan
    }

    /// The jobs at both ends of the changed part.
    fn attributes(&self, place: usize, Move(from, to): Move) -> Attributes {
        let (sequence, from, to) = (self.sequences.at(place), from as usize, to as usize);
        let beside = if from < to { from + 1 } else { from - 1 };
        Attributes::of_positions([(from, beside), (to, from)].map(|(at, comes)| (at, sequence[at], sequence[comes])))
    }

    fn apply(&mut self, place: usize, step: Move) {
        reinsert(self.sequences.at_mut(place), step);
    }

    fn mark(&mut self, place: usize) {
        self.sequences.mark(place);
    }

    fn rollback(&mut self, place: usize) {
        self.sequences.rollback(place);
    }

    /// Appends all groups, because every completion time behind a changed position may change.
    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], _: Cost, groups: &mut Vec<u32>) -> Cost {
        let sequence = self.sequences.at_mut(place);
        for change in changes {
            match *change {
                Rearrangement::Swap { one, other, .. } => sequence.swap(one, other),
                Rearrangement::Exchange { start, middle, end, .. } => sequence[start..end].rotate_left(middle - start),
            }
        }
        groups.extend(0..self.n_groups() as u32);
        self.value(self.sequences.at(place))
    }
}

//! The insertion neighbourhood: a job and all its positions are a group, which takes `O(nm)` for makespans.

use std::collections::TryReserveError;

use evogrid_core::memory::filled;
use evogrid_core::prelude::*;

use super::schedule::Schedule;
use super::{Criterion, Machines, Time, Workspace};

/// The most jobs with which 32 bits draw a move, with a bias below 2^-14.
const MAX_JOBS_OF_BITS: usize = 512;

/// The minimised value: a makespan or a total flow time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value(pub(super) u64);

impl From<Value> for Fitness {
    #[inline]
    fn from(value: Value) -> Self {
        // Below 2^53, as processing times are checked.
        Self::new(value.0 as f64)
    }
}

/// Schedules at their places, and the values of all insertions of a job. It is used behind a trait object, so that searches are compiled
/// once for all types of times, at the cost of one call per group.
pub(super) trait Insertions {
    /// The value of the sequence at a place.
    fn value(&self, sequence: &[Allele]) -> u64;

    /// The values after moving the job at a position of a sequence to every possible position, including its own.
    fn reinsertions(&mut self, sequence: &[Allele], position: usize) -> &[u64];
}

/// The insertions into schedules of one kind of times.
pub(crate) struct TimedInsertions<'p, T> {
    pub(super) machines: &'p Machines<T>,
    pub(super) criterion: Criterion,
    pub(super) schedule: Schedule<T>,
    pub(super) workspace: Workspace<T>,
}

impl<'p, T: Time> TimedInsertions<'p, T> {
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(machines: &'p Machines<T>, criterion: Criterion) -> Result<Self, TryReserveError> {
        let (schedule, workspace) = (Schedule::new(machines)?, Workspace::new(machines, criterion)?);
        Ok(Self { machines, criterion, schedule, workspace })
    }
}

impl<T: Time> Insertions for TimedInsertions<'_, T> {
    fn value(&self, sequence: &[Allele]) -> u64 {
        self.machines.value(self.criterion, sequence)
    }

    fn reinsertions(&mut self, sequence: &[Allele], position: usize) -> &[u64] {
        self.schedule.load(sequence);
        self.schedule.reinsertions(self.machines, self.criterion, position, &mut self.workspace)
    }
}

/// The insertion neighbourhood of a flow shop. Its groups are the jobs; a move consists of the position of a job and its new position.
///
/// All positions of a job are computed at once, however few of them are examined; a single move from scratch.
pub(super) struct InsertionNeighbourhood<'p> {
    insertions: Box<dyn Insertions + 'p>,
    n_jobs: usize,
    sequences: Vec<Allele>,
    marks: Vec<Allele>,
    /// A sequence after a move that is judged.
    candidate: Vec<Allele>,
}

impl<'p> InsertionNeighbourhood<'p> {
    /// A neighbourhood with this number of places.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(
        insertions: Box<dyn Insertions + 'p>,
        n_jobs: usize,
        places: usize,
    ) -> Result<Self, TryReserveError> {
        let sequences = || filled(0, n_jobs.saturating_mul(places));
        Ok(Self { insertions, n_jobs, sequences: sequences()?, marks: sequences()?, candidate: vec![0; n_jobs] })
    }

    fn sequence(&self, place: usize) -> &[Allele] {
        &self.sequences[place * self.n_jobs..][..self.n_jobs]
    }

    fn sequence_mut(&mut self, place: usize) -> &mut [Allele] {
        &mut self.sequences[place * self.n_jobs..][..self.n_jobs]
    }
}

/// Moves the job at a position to another.
fn reinsert(sequence: &mut [Allele], Move(from, to): Move) {
    let (from, to) = (from as usize, to as usize);
    if from < to { sequence[from..=to].rotate_left(1) } else { sequence[to..=from].rotate_right(1) }
}

impl Neighbourhood for InsertionNeighbourhood<'_> {
    type Cost = Value;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Value {
        self.sequence_mut(place).copy_from_slice(genome);
        Value(self.insertions.value(genome))
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(self.sequence(place));
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

    fn after(&mut self, place: usize, step: Move, _: Value) -> Value {
        self.candidate.copy_from_slice(&self.sequences[place * self.n_jobs..][..self.n_jobs]);
        reinsert(&mut self.candidate, step);
        Value(self.insertions.value(&self.candidate))
    }

    fn best_in(
        &mut self,
        scope: Scope<Value>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Value) -> bool,
    ) -> Scan<Value> {
        let Scope { place, group, limit, .. } = scope;
        let sequence = &self.sequences[place * self.n_jobs..][..self.n_jobs];
        let from = sequence.iter().position(|&job| usize::from(job) == group).expect("every job is in the sequence");
        let values = self.insertions.reinsertions(sequence, from);
        let others = values.iter().enumerate().filter(|&(to, _)| to != from);
        let mut scan = Scan::EMPTY;
        for (to, &value) in others.take(usize::try_from(limit).unwrap_or(usize::MAX)) {
            if scan.judge(Move(from as u32, to as u32), Value(value), pick, &mut allowed) {
                break;
            }
        }
        scan
    }

    /// The jobs at both ends of the changed part.
    fn attributes(&self, place: usize, Move(from, to): Move) -> Attributes {
        let (sequence, from, to) = (self.sequence(place), from as usize, to as usize);
        let beside = if from < to { from + 1 } else { from - 1 };
        Attributes::of_positions([(from, beside), (to, from)].map(|(at, comes)| (at, sequence[at], sequence[comes])))
    }

    fn apply(&mut self, place: usize, step: Move) {
        reinsert(self.sequence_mut(place), step);
    }

    /// All groups, because every completion time after the job may change.
    fn mark(&mut self, place: usize) {
        let range = place * self.n_jobs..(place + 1) * self.n_jobs;
        self.marks[range.clone()].copy_from_slice(&self.sequences[range]);
    }

    fn rollback(&mut self, place: usize) {
        let range = place * self.n_jobs..(place + 1) * self.n_jobs;
        self.sequences[range.clone()].copy_from_slice(&self.marks[range]);
    }

    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], _: Value, groups: &mut Vec<u32>) -> Value {
        let sequence = &mut self.sequences[place * self.n_jobs..][..self.n_jobs];
        for change in changes {
            match *change {
                Rearrangement::Swap { one, other, .. } => sequence.swap(one, other),
                Rearrangement::Exchange { start, middle, end, .. } => sequence[start..end].rotate_left(middle - start),
            }
        }
        let value = Value(self.insertions.value(sequence));
        groups.extend(0..self.n_groups() as u32);
        value
    }
}

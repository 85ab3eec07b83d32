//! Schedules: a sequence of jobs with its heads and tails, and the makespan of every insertion into it.
//!
//! E. Taillard, "Some efficient heuristic methods for the flow shop sequencing problem", European Journal of Operational Research 47,
//! 1990: all insertions of a job into `n` others take `O(nm)` together.

use std::collections::TryReserveError;

use evogrid_core::layout::Allele;
use evogrid_core::memory::{filled, room};

use super::{Criterion, Machines, Time};

/// The number of insertion positions that are computed at once.
pub(super) const LANES: usize = 8;

/// The heads and tails of a sequence: a row of zeros, then one row of times per machine.
///
/// Column `i` of the heads is when each machine has done the first `i` jobs. Column `capacity - i` of the tails is how long it takes from
/// when each machine begins with the last `i` jobs until all is done; its rows begin with the last machine. So neither moves when a job is
/// inserted or removed, and all that is before the job, or behind it, stays as it is.
#[derive(Clone, Debug)]
pub(super) struct HeadsAndTails<T> {
    capacity: usize,
    stride: usize,
    heads: Vec<T>,
    tails: Vec<T>,
}

impl<T: Time> HeadsAndTails<T> {
    fn new(machines: &Machines<T>) -> Result<Self, TryReserveError> {
        let (capacity, stride) = (machines.n_jobs(), stride(machines));
        let rows = || filled(T::default(), stride * machines.forward.n_rows());
        Ok(Self { capacity, stride, heads: rows()?, tails: rows()? })
    }

    /// Copies the heads of the first `n` jobs of another schedule.
    #[inline]
    fn copy_heads(&mut self, other: &Self, n: usize) {
        copy_columns(&mut self.heads, &other.heads, self.stride, 0, n + 1);
    }

    /// Copies the tails of the last `n` jobs of another schedule.
    #[inline]
    fn copy_tails(&mut self, other: &Self, n: usize) {
        copy_columns(&mut self.tails, &other.tails, self.stride, self.capacity - n, self.capacity + 1);
    }

    /// Computes the heads of jobs that follow the first `n_before` jobs.
    #[inline]
    fn append(&mut self, machines: &Machines<T>, n_before: usize, jobs: &[Allele]) {
        machines.forward.extend::<false>(&mut self.heads, self.stride, jobs, n_before);
    }

    /// Computes the tails of jobs that precede the last `n_behind` jobs.
    #[inline]
    fn prepend(&mut self, machines: &Machines<T>, n_behind: usize, jobs: &[Allele]) {
        machines.backward.extend::<true>(&mut self.tails, self.stride, jobs, self.capacity - n_behind - jobs.len());
    }

    /// The time at which the last machine finishes each of the first `n` jobs.
    #[inline]
    fn completions(&self, machines: &Machines<T>, n: usize) -> &[T] {
        &self.heads[machines.n_machines * self.stride..][1..=n]
    }
}

/// Times in a row: one a column, and as many as there are lanes behind them, so that all lanes can be read from any column on.
fn stride<T: Time>(machines: &Machines<T>) -> usize {
    (machines.n_jobs() + 1).next_multiple_of(LANES) + LANES
}

/// Copies columns of every row, and some behind them so that they are a multiple of the lanes.
#[inline]
fn copy_columns<T: Time>(rows: &mut [T], from: &[T], stride: usize, start: usize, end: usize) {
    let n_chunks = (end - start).div_ceil(LANES);
    for (row, from) in rows.chunks_exact_mut(stride).zip(from.chunks_exact(stride)) {
        let (row, from) = (row[start..].as_chunks_mut::<LANES>().0, from[start..].as_chunks::<LANES>().0);
        for (row, from) in row[..n_chunks].iter_mut().zip(&from[..n_chunks]) {
            *row = *from;
        }
    }
}

/// A sequence of some of the jobs, with its known heads and tails.
#[derive(Clone, Debug)]
pub(super) struct Schedule<T> {
    sequence: Vec<Allele>,
    known: HeadsAndTails<T>,
    /// How many jobs from the first on have known heads.
    n_heads: usize,
    /// How many jobs from the last on have known tails.
    n_tails: usize,
}

/// The working memory for computing insertions into schedules.
#[derive(Clone, Debug)]
pub(crate) struct Workspace<T> {
    /// Heads and tails of the schedule without the job that is moved.
    others: HeadsAndTails<T>,
    /// One row a machine, one column an insertion position: when the machine has done the job. For makespans one row is enough.
    completions: Vec<T>,
    /// The makespan of every insertion position, as far as the machines that were reached tell.
    makespans: Vec<T>,
    /// The value of every insertion position.
    values: Vec<u64>,
}

impl<T: Time> Workspace<T> {
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(machines: &Machines<T>, criterion: Criterion) -> Result<Self, TryReserveError> {
        let n_rows = match criterion {
            Criterion::Makespan => 1,
            Criterion::FlowTime => machines.n_machines,
        };
        let stride = stride(machines);
        Ok(Self {
            others: HeadsAndTails::new(machines)?,
            completions: filled(T::default(), n_rows * stride)?,
            makespans: filled(T::default(), stride)?,
            values: filled(0, stride)?,
        })
    }

    /// The approximate bytes of a workspace and a [`Schedule`].
    pub(super) fn memory(machines: &Machines<T>) -> u64 {
        (5 * machines.forward.n_rows() * stride(machines) * size_of::<T>()) as u64
    }
}

/// The makespan of every insertion of a job among `n` others, whose heads and tails are known.
#[inline]
fn makespans<T: Time>(
    others: &HeadsAndTails<T>,
    n: usize,
    job: &[T],
    completions: &mut [T],
    makespans: &mut [T],
    values: &mut [u64],
) {
    let width = (n + 1).next_multiple_of(LANES);
    let (completions, makespans) = (&mut completions[..width], &mut makespans[..width]);
    completions.fill(T::default());
    makespans.fill(T::default());
    let heads = others.heads[others.stride..].chunks_exact(others.stride);
    let tails = others.tails[others.stride..][..job.len() * others.stride].chunks_exact(others.stride).rev();
    for ((heads, tails), &time) in heads.zip(tails).zip(job) {
        let heads = &heads[..width];
        let tails = &tails[others.capacity - n..][..width];
        for (((completion, makespan), &head), &tail) in
            completions.iter_mut().zip(&mut *makespans).zip(heads).zip(tails)
        {
            *completion = (*completion).max(head).plus(time);
            *makespan = (*makespan).max(completion.plus(tail));
        }
    }
    for (value, makespan) in values.iter_mut().zip(makespans) {
        *value = (*makespan).into();
    }
}

/// The total flow time of every insertion of a job into a sequence of others, whose heads are known.
///
/// The schedules that have the job at different positions are computed side by side: behind the job, the same jobs follow in all of them.
#[inline]
fn flow_times<T: Time>(
    machines: &Machines<T>,
    others: &HeadsAndTails<T>,
    sequence: impl Iterator<Item = Allele>,
    n: usize,
    job: &[T],
    completions: &mut [T],
    values: &mut [u64],
) {
    let (stride, width) = (others.stride, (n + 1).next_multiple_of(LANES));
    let heads = others.heads[stride..].chunks_exact(stride);
    let mut rows = completions.chunks_exact_mut(stride);
    let mut above: &mut [T] = &mut [];
    for ((row, heads), &time) in rows.by_ref().zip(heads).zip(job) {
        row[..width].copy_from_slice(&heads[..width]);
        pass(above, &mut row[..width], time);
        above = &mut row[..width];
    }
    let mut total = 0;
    let before = std::iter::once(0).chain(others.completions(machines, n).iter().map(|&completion| completion.into()));
    for ((value, completion), before) in values.iter_mut().zip(above).zip(before) {
        total += before;
        *value = total + (*completion).into();
    }
    for (step, next) in sequence.enumerate() {
        let width = step + 1;
        let mut above: &mut [T] = &mut [];
        for (row, &time) in completions.chunks_exact_mut(stride).zip(machines.of_job(next)) {
            pass(above, &mut row[..width], time);
            above = &mut row[..width];
        }
        for (value, completion) in values.iter_mut().zip(above) {
            *value += (*completion).into();
        }
    }
}

/// Completion times on a machine: from when it is free (`row`) and when the job arrives there; on the first machine it is always there.
#[inline]
fn pass<T: Time>(arrivals: &[T], row: &mut [T], time: T) {
    for (free_from, &arrival) in row.iter_mut().zip(arrivals) {
        *free_from = (*free_from).max(arrival);
    }
    for free_from in row {
        *free_from = free_from.plus(time);
    }
}

impl<T: Time> Schedule<T> {
    /// A schedule without jobs.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(machines: &Machines<T>) -> Result<Self, TryReserveError> {
        let sequence = room(machines.n_jobs())?;
        Ok(Self { sequence, known: HeadsAndTails::new(machines)?, n_heads: 0, n_tails: 0 })
    }

    /// The jobs in their order.
    pub(super) fn sequence(&self) -> &[Allele] {
        &self.sequence
    }

    /// Replaces the sequence. Heads and tails of unchanged parts stay known.
    pub(super) fn load(&mut self, sequence: &[Allele]) {
        if self.sequence == sequence {
            return;
        }
        let same = |(one, other): &(&Allele, &Allele)| one == other;
        let n_before = self.sequence.iter().zip(sequence).take_while(same).count();
        let n_behind = self.sequence.iter().rev().zip(sequence.iter().rev()).take_while(same).count();
        self.forget(n_before, n_behind);
        self.sequence.clear();
        self.sequence.extend_from_slice(sequence);
    }

    /// Inserts a job at a position.
    pub(super) fn insert(&mut self, job: Allele, position: usize) {
        self.forget(position, self.sequence.len() - position);
        self.sequence.insert(position, job);
    }

    /// Removes the job at a position.
    pub(super) fn remove(&mut self, position: usize) -> Allele {
        self.forget(position, self.sequence.len() - position - 1);
        self.sequence.remove(position)
    }

    fn forget(&mut self, n_before: usize, n_behind: usize) {
        self.n_heads = self.n_heads.min(n_before);
        self.n_tails = self.n_tails.min(n_behind);
    }

    /// Computes the unknown heads, and the unknown tails if the criterion needs them.
    #[inline]
    fn complete(&mut self, machines: &Machines<T>, criterion: Criterion) {
        let n = self.sequence.len();
        if self.n_heads < n {
            self.known.append(machines, self.n_heads, &self.sequence[self.n_heads..]);
            self.n_heads = n;
        }
        if self.n_tails < n && criterion == Criterion::Makespan {
            self.known.prepend(machines, self.n_tails, &self.sequence[..n - self.n_tails]);
            self.n_tails = n;
        }
    }

    /// The value after inserting a job that is not in the schedule, for every position.
    pub(super) fn insertions<'w>(
        &mut self,
        machines: &Machines<T>,
        criterion: Criterion,
        job: Allele,
        workspace: &'w mut Workspace<T>,
    ) -> &'w [u64] {
        self.complete(machines, criterion);
        let (n, job) = (self.sequence.len(), machines.of_job(job));
        let Workspace { completions, makespans: lanes, values, .. } = workspace;
        match criterion {
            Criterion::Makespan => makespans(&self.known, n, job, completions, lanes, values),
            Criterion::FlowTime => {
                flow_times(machines, &self.known, self.sequence.iter().copied(), n, job, completions, values);
            }
        }
        &values[..=n]
    }

    /// The idle time that a job brings at a position, by which equally good ones are told apart: on all machines but the first, in front of
    /// the job and of the one that follows it, less what was in front of that one before (Fernandez-Viagas and Framinan, Computers and
    /// Operations Research 45, 2014).
    ///
    /// The heads are known, by [`insertions`](Self::insertions).
    pub(super) fn idle_time(&self, machines: &Machines<T>, job: Allele, position: usize) -> i64 {
        let signed = |time: T| -> i64 { Into::<u64>::into(time) as i64 };
        let column = |at: usize| self.known.heads[self.known.stride + at..].iter().step_by(self.known.stride);
        let (heads, times) = (column(position), machines.of_job(job));
        let (mut done, mut next_done, mut idle) = (0, 0, 0);
        if let Some(&next) = self.sequence.get(position) {
            let next = machines.of_job(next).iter().zip(column(position + 1));
            for (machine, ((&head, &time), (&next_time, &next_head))) in heads.zip(times).zip(next).enumerate() {
                let start = signed(head).max(done);
                done = start + signed(time);
                let next_start = done.max(next_done);
                next_done = next_start + signed(next_time);
                if machine > 0 {
                    idle += start + next_start - done - (signed(next_head) - signed(next_time));
                }
            }
        } else {
            for (machine, (&head, &time)) in heads.zip(times).enumerate() {
                let start = signed(head).max(done);
                done = start + signed(time);
                if machine > 0 {
                    idle += start - signed(head);
                }
            }
        }
        idle
    }

    /// The value after moving the job at a position, for every possible position, including its own.
    pub(super) fn reinsertions<'w>(
        &mut self,
        machines: &Machines<T>,
        criterion: Criterion,
        position: usize,
        workspace: &'w mut Workspace<T>,
    ) -> &'w [u64] {
        self.complete(machines, criterion);
        let Workspace { others, completions, makespans: lanes, values } = workspace;
        let (before, behind) = (&self.sequence[..position], &self.sequence[position + 1..]);
        let (n, job) = (self.sequence.len() - 1, machines.of_job(self.sequence[position]));
        others.copy_heads(&self.known, position);
        others.append(machines, position, behind);
        match criterion {
            Criterion::Makespan => {
                others.copy_tails(&self.known, behind.len());
                others.prepend(machines, behind.len(), before);
                makespans(others, n, job, completions, lanes, values);
            }
            Criterion::FlowTime => {
                let sequence = before.iter().chain(behind).copied();
                flow_times(machines, others, sequence, n, job, completions, values);
            }
        }
        &values[..=n]
    }
}

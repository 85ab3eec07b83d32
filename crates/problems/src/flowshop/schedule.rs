//! Schedules: a sequence of jobs with its heads and tails, and the makespan of every insertion into the sequence.
//!
//! E. Taillard, "Some efficient heuristic methods for the flow shop sequencing problem", European Journal of Operational Research 47, 1990:
//! all insertions of a job into a sequence of `n` jobs together take `O(nm)`.

use std::collections::TryReserveError;

use evogrid_core::layout::Allele;
use evogrid_core::memory::{filled, room};

use super::machines::Machines;
use super::times::{Criterion, Time};

/// The number of insertion positions that are computed at once.
const LANES: usize = 8;

/// The heads and tails of a sequence. Heads and tails each begin with a row of zeros; one row of times per machine follows.
///
/// Column `i` of the heads contains the time at which each machine has finished the first `i` jobs. Column `capacity - i` of the tails
/// contains, for each machine, the time from its start of the last `i` jobs to the end of all jobs. The rows of the tails begin with the
/// last machine. If a job is inserted or removed, the heads before this job and the tails behind this job keep their columns and their
/// values.
#[derive(Debug)]
struct HeadsAndTails<T> {
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
}

/// The number of times in a row: one for each column, and one for each lane. So all lanes can be read from any column on.
pub(super) fn stride<T: Time>(machines: &Machines<T>) -> usize {
    (machines.n_jobs() + 1).next_multiple_of(LANES) + LANES
}

/// Copies columns of every row. The number of copied columns is rounded up to a multiple of the lanes.
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

/// A sequence of some of the jobs, with its known heads and tails, and the working memory for computing insertions.
#[derive(Debug)]
pub(super) struct Schedule<'p, T> {
    pub(super) machines: &'p Machines<T>,
    pub(super) criterion: Criterion,
    sequence: Vec<Allele>,
    known: HeadsAndTails<T>,
    /// The number of jobs at the beginning whose heads are known.
    n_heads: usize,
    /// The number of jobs at the end whose tails are known.
    n_tails: usize,
    /// Heads and tails of the schedule without the job that is moved.
    others: HeadsAndTails<T>,
    /// The time at which a machine has finished the job: one row per machine, one column per insertion position. Makespans need one row
    /// only.
    completions: Vec<T>,
    /// A lower bound of the makespan for every insertion position, computed from the previous machines.
    makespans: Vec<T>,
    /// The value for every insertion position.
    pub(super) values: Vec<u64>,
}

/// Computes the makespan of every insertion of a job among `n` other jobs, whose heads and tails are known.
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

/// Computes the total flow time of every insertion of a job into a sequence of other jobs, whose heads are known.
///
/// The schedules for the different positions of the job are computed side by side. In all these schedules, the same jobs follow the
/// inserted job.
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
    let last_machine = &others.heads[machines.n_machines * stride..][1..=n];
    let before = std::iter::once(0).chain(last_machine.iter().map(|&completion| completion.into()));
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

/// Replaces the times at which a machine is free (`row`) by the times at which the machine completes a job. `arrivals` are the times at
/// which the job arrives at the machine. At the first machine there are no arrivals: the job is always there.
#[inline]
fn pass<T: Time>(arrivals: &[T], row: &mut [T], time: T) {
    for (free_from, &arrival) in row.iter_mut().zip(arrivals) {
        *free_from = (*free_from).max(arrival);
    }
    for free_from in row {
        *free_from = free_from.plus(time);
    }
}

impl<'p, T: Time> Schedule<'p, T> {
    /// Creates a schedule without jobs.
    ///
    /// # Errors
    /// Returns an error if the system cannot provide enough memory.
    pub(super) fn new(machines: &'p Machines<T>, criterion: Criterion) -> Result<Self, TryReserveError> {
        let n_rows = if criterion == Criterion::Makespan { 1 } else { machines.n_machines };
        let stride = stride(machines);
        Ok(Self {
            machines,
            criterion,
            sequence: room(machines.n_jobs())?,
            known: HeadsAndTails::new(machines)?,
            n_heads: 0,
            n_tails: 0,
            others: HeadsAndTails::new(machines)?,
            completions: filled(T::default(), n_rows * stride)?,
            makespans: filled(T::default(), stride)?,
            values: filled(0, stride)?,
        })
    }

    /// The jobs in the order of the schedule.
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
    fn complete(&mut self) {
        let n = self.sequence.len();
        if self.n_heads < n {
            self.known.append(self.machines, self.n_heads, &self.sequence[self.n_heads..]);
            self.n_heads = n;
        }
        if self.n_tails < n && self.criterion == Criterion::Makespan {
            self.known.prepend(self.machines, self.n_tails, &self.sequence[..n - self.n_tails]);
            self.n_tails = n;
        }
    }

    /// For every position, the value after a new job is inserted there. The schedule does not contain this job yet.
    pub(super) fn insertions(&mut self, job: Allele) -> &[u64] {
        self.complete();
        let Self { machines, criterion, sequence, known, completions, makespans: lanes, values, .. } = self;
        let (n, job) = (sequence.len(), machines.of_job(job));
        match criterion {
            Criterion::Makespan => makespans(known, n, job, completions, lanes, values),
            Criterion::FlowTime => {
                flow_times(machines, known, sequence.iter().copied(), n, job, completions, values);
            }
        }
        &values[..=n]
    }

    /// The idle time that a job adds at a position. The idle time decides between equally good positions. On every machine except the
    /// first, the added idle time is the idle time before the job and before its successor, minus the idle time before the successor
    /// without the job (Fernandez-Viagas and Framinan, Computers and Operations Research 45, 2014).
    ///
    /// [`insertions`](Self::insertions) must have computed the heads.
    pub(super) fn idle_time(&self, job: Allele, position: usize) -> i64 {
        let signed = |time: T| -> i64 { Into::<u64>::into(time) as i64 };
        let column = |at: usize| self.known.heads[self.known.stride + at..].iter().step_by(self.known.stride);
        let (heads, times) = (column(position), self.machines.of_job(job));
        let (mut done, mut next_done, mut idle) = (0, 0, 0);
        let next = self.sequence.get(position).map(|&next| self.machines.of_job(next));
        let mut next = next.map(|times| times.iter().zip(column(position + 1)));
        for (machine, (&head, &time)) in heads.zip(times).enumerate() {
            let start = signed(head).max(done);
            done = start + signed(time);
            let mut added = start - signed(head);
            if let Some((&next_time, &next_head)) = next.as_mut().and_then(Iterator::next) {
                let next_start = done.max(next_done);
                next_done = next_start + signed(next_time);
                added = start + next_start - done - (signed(next_head) - signed(next_time));
            }
            idle += if machine > 0 { added } else { 0 };
        }
        idle
    }

    /// For every new position of a job, the value after the job moves there. The positions include the present position of the job.
    pub(super) fn reinsertions(&mut self, position: usize) -> &[u64] {
        self.complete();
        let Self { machines, criterion, sequence, known, others, completions, makespans: lanes, values, .. } = self;
        let (before, behind) = (&sequence[..position], &sequence[position + 1..]);
        let (n, job) = (sequence.len() - 1, machines.of_job(sequence[position]));
        let (stride, capacity) = (known.stride, known.capacity);
        copy_columns(&mut others.heads, &known.heads, stride, 0, position + 1);
        others.append(machines, position, behind);
        match criterion {
            Criterion::Makespan => {
                copy_columns(&mut others.tails, &known.tails, stride, capacity - behind.len(), capacity + 1);
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

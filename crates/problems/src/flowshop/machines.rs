//! The data that all schedules of an instance share: the processing times of the instance, in several orders.

use evogrid_core::layout::Allele;

use super::times::{ProcessingTimes, Time};

/// The processing times in several orders.
#[derive(Debug)]
pub(super) struct Machines<T> {
    pub(super) n_machines: usize,
    /// The machines in the order in which jobs pass them, for computing heads.
    pub(super) forward: MachineBlocks<T>,
    /// The machines in reverse order, for computing tails.
    pub(super) backward: MachineBlocks<T>,
    /// The times of one job after the other, with one time for each machine.
    of_job: Vec<T>,
}

impl<T: Time> Machines<T> {
    pub(super) fn new(times: &ProcessingTimes) -> Self {
        let jobs = 0..times.n_jobs();
        let of_job = jobs.flat_map(|job| times.machines().map(move |of_machine| narrowed(of_machine[job])));
        Self {
            n_machines: times.n_machines(),
            forward: MachineBlocks::new(times.n_jobs(), times.machines()),
            backward: MachineBlocks::new(times.n_jobs(), times.machines().rev()),
            of_job: of_job.collect(),
        }
    }

    /// The times of a job, one for each machine.
    #[inline]
    pub(super) fn of_job(&self, job: Allele) -> &[T] {
        &self.of_job[usize::from(job) * self.n_machines..][..self.n_machines]
    }

    pub(super) fn n_jobs(&self) -> usize {
        self.of_job.len() / self.n_machines
    }
}

/// A time of the instance in another number type, which all times fit.
fn narrowed<T: Time>(time: u32) -> T {
    T::try_from(time).unwrap_or_else(|_| panic!("the processing time {time} fits into the number type"))
}

/// The number of machines in a block. The completion times of a block stay in registers while jobs pass. The block size 5 divides 5, 10 and
/// 20, the numbers of machines in Taillard's instances. Other numbers of machines are filled up with machines that take no time and change
/// no completion time.
const BLOCK: usize = 5;

/// Processing times in blocks of machines: the times of the first machines of each block for job 0, for job 1, and so on.
#[derive(Debug)]
pub(super) struct MachineBlocks<T> {
    n_jobs: usize,
    times: Vec<[T; BLOCK]>,
}

impl<T: Time> MachineBlocks<T> {
    /// Divides machines into blocks, in the given order.
    fn new<'t>(n_jobs: usize, machines: impl Iterator<Item = &'t [u32]>) -> Self {
        let mut times = Vec::new();
        for (machine, of_machine) in machines.enumerate() {
            let (block, within) = (machine / BLOCK, machine % BLOCK);
            times.resize((block + 1) * n_jobs, [T::default(); BLOCK]);
            for (entry, &time) in times[block * n_jobs..].iter_mut().zip(of_machine) {
                entry[within] = narrowed(time);
            }
        }
        Self { n_jobs, times }
    }

    /// The number of rows for the completion times of a schedule: a row of zeros, a row for each machine, and rows for the machines that
    /// fill up the last block.
    pub(super) fn n_rows(&self) -> usize {
        1 + self.times.len() / self.n_jobs * BLOCK
    }

    /// Replaces the arrival times at the first machine by the completion times on the last machine.
    #[inline]
    pub(super) fn complete(&self, sequence: &[Allele], completions: &mut [T]) {
        for times in self.times.chunks_exact(self.n_jobs) {
            let mut free_from = [T::default(); BLOCK];
            for (completion, &job) in completions.iter_mut().zip(sequence) {
                for (free_from, &time) in free_from.iter_mut().zip(&times[usize::from(job)]) {
                    *completion = (*completion).max(*free_from).plus(time);
                    *free_from = *completion;
                }
            }
        }
    }

    /// Computes the completion times of several jobs in sequence, starting from the completion times of the previous job.
    ///
    /// `rows` are rows of `stride` times: a row of zeros, then a row for each machine. If `BACKWARD` is false, column `at` holds the
    /// completion times before the jobs, and the function writes the columns `at + 1`, `at + 2`, ... If `BACKWARD` is true, column
    /// `at + jobs.len()` holds the completion times behind the jobs, and the function writes the columns before it, from the last job on.
    #[inline]
    pub(super) fn extend<const BACKWARD: bool>(&self, rows: &mut [T], stride: usize, jobs: &[Allele], at: usize) {
        let n = jobs.len();
        let (from, to) = if BACKWARD { (at + n, at) } else { (at, at + 1) };
        let (mut above, mut rest) = rows.split_at_mut(stride);
        for times in self.times.chunks_exact(self.n_jobs) {
            let (block, below) = rest.split_at_mut(BLOCK * stride);
            let mut machines = block.chunks_exact_mut(stride);
            let mut free_from = [T::default(); BLOCK];
            // Slices of a known length: a call of `map` on the array of rows may hide the lengths from the compiler.
            let mut row_of = |machine: usize| {
                let row = machines.next().expect("a row each");
                free_from[machine] = row[from];
                &mut row[to..][..n]
            };
            let (first, second, third, fourth, fifth) = (row_of(0), row_of(1), row_of(2), row_of(3), row_of(4));
            let arrivals = &above[to..][..n];
            let step = |column: usize| {
                let times = &times[usize::from(jobs[column])];
                let mut completion = arrivals[column];
                let mut pass = |machine: usize, row: &mut [T]| {
                    completion = completion.max(free_from[machine]).plus(times[machine]);
                    free_from[machine] = completion;
                    row[column] = completion;
                };
                pass(0, first);
                pass(1, second);
                pass(2, third);
                pass(3, fourth);
                pass(4, fifth);
            };
            if BACKWARD {
                (0..n).rev().for_each(step);
            } else {
                (0..n).for_each(step);
            }
            (above, rest) = (&mut block[(BLOCK - 1) * stride..], below);
        }
    }
}

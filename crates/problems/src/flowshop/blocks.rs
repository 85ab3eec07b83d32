//! Processing times in blocks of machines, and the recurrence that runs along them.

use evogrid_core::layout::Allele;

use super::{ProcessingTimes, Time};

/// Machines of a block: their completion times stay in registers while jobs pass. 5 divides 5, 10 and 20, the machines of Taillard's
/// instances; any other number is filled up with machines that take no time, and leave every completion time as it is.
const BLOCK: usize = 5;

/// Processing times in blocks of machines: the times of the first machines of each block for job 0, for job 1, and so on.
#[derive(Clone, Debug)]
pub(super) struct MachineBlocks<T> {
    n_jobs: usize,
    times: Vec<[T; BLOCK]>,
}

impl<T: Time> MachineBlocks<T> {
    /// The blocks of the machines in an order.
    pub(super) fn new<'t>(n_jobs: usize, machines: impl Iterator<Item = &'t [u32]>) -> Self {
        let mut times = Vec::new();
        for (machine, of_machine) in machines.enumerate() {
            let (block, within) = (machine / BLOCK, machine % BLOCK);
            times.resize((block + 1) * n_jobs, [T::default(); BLOCK]);
            for (entry, &time) in times[block * n_jobs..].iter_mut().zip(of_machine) {
                entry[within] = T::narrow(time);
            }
        }
        Self { n_jobs, times }
    }

    /// The machines in their order, for computing heads.
    pub(super) fn forward(times: &ProcessingTimes) -> Self {
        Self::new(times.n_jobs(), times.machines())
    }

    /// The machines in reverse order, for computing tails.
    pub(super) fn backward(times: &ProcessingTimes) -> Self {
        Self::new(times.n_jobs(), times.machines().rev())
    }

    /// The number of rows for the completion times of a schedule: a row of zeros, one for each machine, and padding for machines without
    /// processing time.
    pub(super) fn n_rows(&self) -> usize {
        1 + self.times.len() / self.n_jobs * BLOCK
    }

    /// Replaces arrival times at the first machine by completion times on the last.
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

    /// Computes the completion times of several jobs in sequence, starting from those of the previous job.
    ///
    /// `rows` are rows of `stride` times: a row of zeros, then one a machine. Where the jobs follow (`BACKWARD` is false), column `at`
    /// holds the completion times of what is before the jobs, and columns `at + 1`, `at + 2`, ... are written. Where they precede, column
    /// `at + jobs.len()` holds those of what is behind them, and the columns before it are written, the jobs being taken from the last.
    #[inline]
    pub(super) fn extend<const BACKWARD: bool>(&self, rows: &mut [T], stride: usize, jobs: &[Allele], at: usize) {
        let n = jobs.len();
        let (from, to) = if BACKWARD { (at + n, at) } else { (at, at + 1) };
        let (mut above, mut rest) = rows.split_at_mut(stride);
        for times in self.times.chunks_exact(self.n_jobs) {
            let (block, below) = rest.split_at_mut(BLOCK * stride);
            let mut machines = block.chunks_exact_mut(stride);
            let machines: [&mut [T]; BLOCK] = std::array::from_fn(|_| machines.next().expect("a row each"));
            let mut free_from: [T; BLOCK] = std::array::from_fn(|machine| machines[machine][from]);
            let arrivals = &above[to..][..n];
            let [first, second, third, fourth, fifth] = machines.map(|row| &mut row[to..][..n]);
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

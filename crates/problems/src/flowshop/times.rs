//! Processing times of flow shops and their number types. The criterion of a schedule is here, too.

use std::fmt::Write;

use evogrid_core::prelude::*;

/// The maximum number of jobs of an instance, which is the maximum length of a gene.
pub(super) const MAX_JOBS: usize = Allele::MAX as usize;

/// The maximum number of processing times of an instance. This number of times takes 400 MB.
pub(crate) const MAX_TIMES: usize = 100_000_000;

evogrid_core::choices! {
    /// The property of a schedule that the search minimises.
    pub enum Criterion {
        /// The time at which the last job leaves the last machine.
        Makespan = "makespan",
        /// The sum of the times at which jobs leave the last machine.
        FlowTime = "flow-time",
    }
}

impl Criterion {
    /// The canonical text of an instance: the criterion, then the [times](ProcessingTimes::to_line).
    pub(super) fn content(self, times: &ProcessingTimes) -> String {
        format!("{} {}", self.name(), times.to_line())
    }
}

/// The number type of times and their sums. Sums of real jobs never overflow, because [`ProcessingTimes`] checks the sizes. Sums for unused
/// places may wrap around. Narrow numbers are used if every makespan fits, because the processor computes more narrow numbers at once.
pub(crate) trait Time:
    Copy + Ord + Default + Send + Sync + std::fmt::Debug + TryFrom<u32> + Into<u64> + 'static
{
    /// The sum of two times, which wraps around.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Time for u16 {
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Time for u32 {
    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// The processing times of a permutation flow shop. Every job is processed first on machine 0, then on machine 1, and so on. All machines
/// process the jobs in the same order.
///
/// Every makespan fits in 32 bits. Every total flow time fits in 53 bits. The longest path through `n` jobs and `m` machines has
/// `n + m - 1` operations. So [`new`](Self::new) multiplies the longest processing time by `n + m - 1`, and checks that the product fits in
/// 32 bits.
///
/// ```
/// use evogrid_problems::flowshop::ProcessingTimes;
///
/// // Three jobs on two machines; one row for each machine.
/// let times = ProcessingTimes::new(3, 2, vec![3, 1, 4, 1, 5, 9])?;
/// assert_eq!((times.n_jobs(), times.n_machines(), times.machines().nth(1)), (3, 2, Some([1, 5, 9].as_slice())));
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessingTimes {
    n_jobs: usize,
    /// The times on one machine after the other, with one time for each job.
    times: Vec<u32>,
}

impl ProcessingTimes {
    /// Creates the processing times of an instance. `times` lists all jobs on machine 0, then on machine 1, and so on.
    ///
    /// # Errors
    /// Returns an error if the number of jobs or machines is 0 or too large. Returns an error if `times` does not have one time for each
    /// job on each machine. Returns an error if a sum of times might overflow.
    pub fn new(n_jobs: usize, n_machines: usize, times: Vec<u32>) -> Result<Self, InstanceError> {
        check_size(n_jobs, n_machines)?;
        let (n_times, n_expected) = (times.len(), n_jobs * n_machines);
        if n_times != n_expected {
            let message = format!("{n_times} processing times do not fit {n_jobs} jobs on {n_machines} machines");
            return Err(InstanceError::new(message).expecting(n_expected.to_string()));
        }
        let longest = (u64::from(u32::MAX) / (n_jobs + n_machines - 1) as u64) as u32;
        match times.iter().max() {
            Some(&time) if time > longest => {
                let message =
                    format!("a processing time of {time} is too large for {n_jobs} jobs on {n_machines} machines");
                Err(InstanceError::new(message).expecting(format!("at most {longest}")))
            }
            _ => Ok(Self { n_jobs, times }),
        }
    }

    /// The number of jobs, from 1 to 65,535.
    #[inline]
    pub fn n_jobs(&self) -> usize {
        self.n_jobs
    }

    /// The number of machines, at least 1.
    #[inline]
    pub fn n_machines(&self) -> usize {
        self.times.len() / self.n_jobs
    }

    /// The times of every machine. The machines are in the order in which they process each job.
    pub fn machines(&self) -> impl ExactSizeIterator<Item = &[u32]> + DoubleEndedIterator {
        self.times.chunks_exact(self.n_jobs)
    }

    /// The sum of a job's times on all machines.
    pub(crate) fn total_of_job(&self, job: Allele) -> u64 {
        self.machines().map(|times| u64::from(times[usize::from(job)])).sum()
    }

    /// An upper bound for the completion times of all schedules.
    pub(super) fn longest_makespan(&self) -> u32 {
        (self.n_jobs + self.n_machines() - 1) as u32
            * self.times.iter().max().expect("there is at least one processing time")
    }

    /// Returns the times as one line of text. The line starts with the size, such as `20x5` (jobs and machines). After the size, the times
    /// of each machine follow. A `/` separates the machines.
    pub fn to_line(&self) -> String {
        let mut line = format!("{}x{}", self.n_jobs, self.n_machines());
        for (machine, times) in self.machines().enumerate() {
            line.push_str(if machine == 0 { "" } else { " /" });
            for time in times {
                write!(line, " {time}").expect("writing to a string cannot fail");
            }
        }
        line
    }
}

/// Checks a number of jobs and machines.
///
/// # Errors
/// Returns an error if a number is 0 or too large.
pub(super) fn check_size(n_jobs: usize, n_machines: usize) -> Result<(), InstanceError> {
    if n_jobs == 0 || n_jobs > MAX_JOBS {
        let error = InstanceError::new(format!("the number of jobs, {n_jobs}, is out of range"));
        return Err(error.expecting(format!("1 to {MAX_JOBS}")));
    }
    if n_machines == 0 || n_machines > MAX_TIMES / n_jobs {
        let message = format!("the number of machines, {n_machines}, is out of range for {n_jobs} jobs");
        return Err(InstanceError::new(message).expecting(format!("1 to {}", MAX_TIMES / n_jobs)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::value;
    use super::*;

    #[test]
    fn sizes_and_sums_are_checked() {
        let message = |n_jobs, n_machines, times| {
            let error = ProcessingTimes::new(n_jobs, n_machines, times).unwrap_err();
            format!("{error}: expected {}", error.expected.clone().unwrap())
        };
        assert_eq!(message(0, 2, vec![]), "the number of jobs, 0, is out of range: expected 1 to 65535");
        assert_eq!(message(70_000, 1, vec![]), "the number of jobs, 70000, is out of range: expected 1 to 65535");
        assert_eq!(
            message(3, 0, vec![]),
            "the number of machines, 0, is out of range for 3 jobs: expected 1 to 33333333"
        );
        assert_eq!(
            message(3, usize::MAX, vec![]),
            format!("the number of machines, {}, is out of range for 3 jobs: expected 1 to 33333333", usize::MAX)
        );
        assert_eq!(message(3, 2, vec![1; 5]), "5 processing times do not fit 3 jobs on 2 machines: expected 6");
        let longest = u32::MAX / 4;
        assert_eq!(
            message(3, 2, vec![1, 1, 1, 1, 1, longest + 1]),
            "a processing time of 1073741824 is too large for 3 jobs on 2 machines: expected at most 1073741823"
        );
        let times = ProcessingTimes::new(3, 2, vec![longest; 6]).unwrap();
        assert_eq!(value(Criterion::Makespan, &times, &[2, 0, 1]), u64::from(longest) * 4);
        assert_eq!(value(Criterion::FlowTime, &times, &[2, 0, 1]), u64::from(longest) * 9);
        assert_eq!(times.longest_makespan(), longest * 4);
    }
}

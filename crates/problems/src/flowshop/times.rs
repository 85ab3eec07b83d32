//! Processing times: how long every machine works on every job.

use std::fmt::Write;

use evogrid_core::prelude::*;

/// The maximum number of jobs of an instance, which is the maximum length of a gene.
pub(super) const MAX_JOBS: usize = Allele::MAX as usize;

/// The maximum number of processing times of an instance: 400 MB.
pub(crate) const MAX_TIMES: usize = 100_000_000;

/// The processing times of a permutation flow shop: every job passes machine 0, machine 1, and so on, and all machines process the jobs
/// in the same order.
///
/// No makespan can overflow 32 bits, no total flow time 53: the longest path through `n` jobs and `m` machines has `n + m - 1` operations,
/// and that many of the longest are checked to fit.
///
/// ```
/// use evogrid_problems::flowshop::ProcessingTimes;
///
/// // Three jobs on two machines; one row a machine.
/// let times = ProcessingTimes::new(3, 2, vec![3, 1, 4, 1, 5, 9])?;
/// assert_eq!((times.n_jobs(), times.n_machines(), times.of_machine(1)), (3, 2, [1, 5, 9].as_slice()));
/// assert_eq!(times.makespan(&[1, 0, 2]), 17);
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessingTimes {
    n_jobs: usize,
    /// Machine by machine, one time a job.
    times: Vec<u32>,
}

impl ProcessingTimes {
    /// The processing times of an instance: the times of all jobs on machine 0, then on machine 1, and so on.
    ///
    /// # Errors
    /// If the number of jobs or machines is 0 or too large, the times are not one for each, or a sum of them might overflow.
    pub fn new(n_jobs: usize, n_machines: usize, times: Vec<u32>) -> Result<Self, InstanceError> {
        check_size(n_jobs, n_machines)?;
        if times.len() != n_jobs * n_machines {
            let message = format!(
                "there are {} processing times, which does not match {n_jobs} jobs on {n_machines} machines",
                times.len()
            );
            return Err(InstanceError::new(message).expecting(format!("{}", n_jobs * n_machines)));
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

    /// Number of jobs, from 1 to 65,535.
    #[inline]
    pub fn n_jobs(&self) -> usize {
        self.n_jobs
    }

    /// Number of machines, at least 1.
    #[inline]
    pub fn n_machines(&self) -> usize {
        self.times.len() / self.n_jobs
    }

    /// The times of all jobs on a machine.
    #[inline]
    pub fn of_machine(&self, machine: usize) -> &[u32] {
        &self.times[machine * self.n_jobs..][..self.n_jobs]
    }

    /// The times of every machine, in the order in which jobs pass them.
    pub fn machines(&self) -> impl ExactSizeIterator<Item = &[u32]> + DoubleEndedIterator {
        self.times.chunks_exact(self.n_jobs)
    }

    /// The time that a job takes on all machines together.
    pub(crate) fn total_of_job(&self, job: Allele) -> u64 {
        self.machines().map(|times| u64::from(times[usize::from(job)])).sum()
    }

    /// A bound that no completion time of any schedule exceeds.
    pub(super) fn longest_makespan(&self) -> u32 {
        (self.n_jobs + self.n_machines() - 1) as u32 * self.times.iter().max().expect("there is a job on a machine")
    }

    /// The times as one line: the size `20x5` (jobs and machines), then the times machine by machine, separated by `/`.
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
/// If there are none, or too many.
pub(super) fn check_size(n_jobs: usize, n_machines: usize) -> Result<(), InstanceError> {
    if n_jobs == 0 || n_jobs > MAX_JOBS {
        return Err(
            InstanceError::new(format!("the number of jobs, {n_jobs}, is out of range")).expecting("1 to 65535")
        );
    }
    if n_machines == 0 || n_machines > MAX_TIMES / n_jobs {
        let error =
            InstanceError::new(format!("the number of machines, {n_machines} for {n_jobs} jobs, is out of range"));
        return Err(error.expecting(format!("1 to {}", MAX_TIMES / n_jobs)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
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
            "the number of machines, 0 for 3 jobs, is out of range: expected 1 to 33333333"
        );
        assert_eq!(
            message(3, usize::MAX, vec![]),
            format!("the number of machines, {} for 3 jobs, is out of range: expected 1 to 33333333", usize::MAX)
        );
        assert_eq!(
            message(3, 2, vec![1; 5]),
            "there are 5 processing times, which does not match 3 jobs on 2 machines: expected 6"
        );
        let longest = u32::MAX / 4;
        assert_eq!(
            message(3, 2, vec![1, 1, 1, 1, 1, longest + 1]),
            "a processing time of 1073741824 is too large for 3 jobs on 2 machines: expected at most 1073741823"
        );
        let times = ProcessingTimes::new(3, 2, vec![longest; 6]).unwrap();
        assert_eq!(times.makespan(&[2, 0, 1]), longest * 4);
        assert_eq!(times.total_flow_time(&[2, 0, 1]), u64::from(longest) * 9);
        assert_eq!(times.longest_makespan(), longest * 4);
    }
}

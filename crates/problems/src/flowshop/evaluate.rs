//! The value of a sequence of jobs from scratch: makespan and total flow time.

use evogrid_core::layout::Allele;

use super::ProcessingTimes;

evogrid_core::choices! {
    /// The criterion of a schedule.
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

    /// The value of a sequence of jobs, from scratch.
    ///
    /// # Panics
    /// If the job does not exist.
    pub fn value(self, times: &ProcessingTimes, sequence: &[Allele]) -> u64 {
        match self {
            Self::Makespan => times.makespan(sequence).into(),
            Self::FlowTime => times.total_flow_time(sequence),
        }
    }
}

impl ProcessingTimes {
    /// The makespan of a sequence of jobs: the time at which the last job leaves the last machine, if all jobs are available from time 0
    /// on. A sequence that lacks jobs is the schedule of the other jobs.
    ///
    /// # Panics
    /// If the job does not exist.
    pub fn makespan(&self, sequence: &[Allele]) -> u32 {
        let mut completions = vec![0; sequence.len()];
        self.complete(sequence, &mut completions);
        completions.last().copied().unwrap_or(0)
    }

    /// The total flow time of a sequence of jobs: the sum of the times at which they leave the last machine.
    ///
    /// # Panics
    /// If the job does not exist.
    pub(crate) fn total_flow_time(&self, sequence: &[Allele]) -> u64 {
        let mut completions = vec![0; sequence.len()];
        self.complete(sequence, &mut completions);
        completions.iter().map(|&completion| u64::from(completion)).sum()
    }

    /// Writes the time at which each job of a sequence leaves the last machine.
    ///
    /// A job starts on a machine when it has left the one before, and the job before it has left this one. Machine after machine, so that
    /// one machine's times lie together and only one completion time is carried along.
    ///
    /// # Panics
    /// If the job does not exist, or not room for one time a position.
    pub fn complete(&self, sequence: &[Allele], completions: &mut [u32]) {
        assert_eq!(sequence.len(), completions.len(), "a time for each position");
        completions.fill(0);
        for times in self.machines() {
            let mut free_from = 0u32;
            for (completion, &job) in completions.iter_mut().zip(sequence) {
                free_from = free_from.max(*completion).wrapping_add(times[usize::from(job)]);
                *completion = free_from;
            }
        }
    }
}

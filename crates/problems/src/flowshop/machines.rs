//! What the schedules of an instance share: its processing times in the orders in which they are read, and the value of a sequence.

use evogrid_core::layout::Allele;

use super::blocks::MachineBlocks;
use super::{Criterion, ProcessingTimes, Time};

/// Jobs whose completion times a computation from scratch has on the stack.
const MAX_FEW: usize = 256;

/// The data that all schedules of an instance share: its processing times in several orders.
#[derive(Clone, Debug)]
pub(crate) struct Machines<T> {
    pub(super) n_machines: usize,
    pub(super) forward: MachineBlocks<T>,
    pub(super) backward: MachineBlocks<T>,
    /// The times job by job, one for each machine.
    pub(super) of_job: Vec<T>,
}

impl<T: Time> Machines<T> {
    pub(super) fn new(times: &ProcessingTimes) -> Self {
        let jobs = 0..times.n_jobs();
        let of_job = jobs.flat_map(|job| times.machines().map(move |of_machine| T::narrow(of_machine[job])));
        Self {
            n_machines: times.n_machines(),
            forward: MachineBlocks::forward(times),
            backward: MachineBlocks::backward(times),
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

    /// The value of a sequence of jobs, from scratch.
    #[inline]
    pub(super) fn value(&self, criterion: Criterion, sequence: &[Allele]) -> u64 {
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
}

//! Sequences of some of the jobs, and the construction NEH.

use std::cmp::Reverse;

use evogrid_core::prelude::*;

use super::{Criterion, ProcessingTimes, Time, TimedInsertions, Value};

/// The schedule is a sequence of some of the jobs, and a position a place in it as it stands.
impl<T: Time> PartialSolution for TimedInsertions<'_, T> {
    fn load(&mut self, genome: &[Allele]) -> Fitness {
        self.schedule.load(genome);
        Value(self.machines.value(self.criterion, genome)).into()
    }

    fn clear(&mut self) {
        self.schedule.load(&[]);
    }

    fn write(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(self.schedule.sequence());
    }

    fn remove(&mut self, element: Allele) {
        let position = self.schedule.sequence().iter().position(|&job| job == element);
        self.schedule.remove(position.expect("the job is in the sequence"));
    }

    fn best_position(&mut self, element: Allele, limit: u64, mut ties: Ties) -> BestPosition {
        let Self { machines, criterion, schedule, workspace } = self;
        let values = schedule.insertions(machines, *criterion, element, workspace);
        let n_examined = values.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        let values = &values[..n_examined];
        let best = *values.iter().min().expect("a position is judged");
        let mut equal = values.iter().enumerate().filter(|&(_, &value)| value == best).map(|(position, _)| position);
        let mut position = equal.next().expect("one is the best");
        if ties == Ties::Family && *criterion == Criterion::Makespan {
            let mut least = schedule.idle_time(machines, element, position);
            for other in equal {
                let idle = schedule.idle_time(machines, element, other);
                if idle < least {
                    (position, least) = (other, idle);
                }
            }
        } else {
            for (n_equal, other) in (2..).zip(equal) {
                if ties.replaces(n_equal) {
                    position = other;
                }
            }
        }
        BestPosition { position, fitness: Value(best).into(), examined: n_examined as u64 }
    }

    fn insert(&mut self, element: Allele, position: usize) {
        self.schedule.insert(element, position);
    }
}

/// NEH: inserts all jobs in the order of descending total processing time, each at its best position; ties in the order keep the job
/// numbers, and ties between positions go to the first or the last one.
///
/// Where total flow times are minimised the order is that of rising total processing time (Framinan, Leisten and Ruiz-Usano, EJOR, 2002):
/// on Taillard's instances the sequences are 5.57 % above the best known values of 2021 in the mean, in falling order 7.67 %.
pub(super) fn insert_all(times: &ProcessingTimes, criterion: Criterion, partial: &mut dyn PartialSolution, ties: Ties) {
    let mut jobs: Vec<Allele> = (0..times.n_jobs() as Allele).collect();
    match criterion {
        Criterion::Makespan => jobs.sort_by_cached_key(|&job| Reverse(times.total_of_job(job))),
        Criterion::FlowTime => jobs.sort_by_cached_key(|&job| times.total_of_job(job)),
    }
    partial.clear();
    for job in jobs {
        let best = partial.best_position(job, u64::MAX, ties);
        partial.insert(job, best.position);
    }
}

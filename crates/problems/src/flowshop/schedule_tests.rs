//! Every insertion and every reinsertion into random schedules against the value from scratch.

use evogrid_core::layout::Allele;
use evogrid_core::random::RandomStream;

use super::machines::Machines;
use super::schedule::Schedule;
use super::tests::value;
use super::times::{Criterion, ProcessingTimes, Time};

fn random_times(n_jobs: usize, n_machines: usize, random: &mut RandomStream) -> ProcessingTimes {
    let times = (0..n_jobs * n_machines).map(|_| random.below(100) as u32).collect();
    ProcessingTimes::new(n_jobs, n_machines, times).unwrap()
}

fn check<T: Time>(times: &ProcessingTimes, criterion: Criterion, random: &mut RandomStream) {
    let machines = Machines::<T>::new(times);
    let mut schedule = Schedule::new(&machines, criterion).unwrap();
    let n = times.n_jobs();
    let mut left: Vec<Allele> = (0..n as Allele).collect();
    for _ in 0..6 * n {
        if !left.is_empty() && random.below(3) > 0 {
            let job = left.swap_remove(random.below(left.len()));
            let values = schedule.insertions(job).to_vec();
            for (position, &value) in values.iter().enumerate() {
                let mut sequence = schedule.sequence().to_vec();
                sequence.insert(position, job);
                assert_eq!(value, self::value(criterion, times, &sequence), "{times:?} {sequence:?}");
            }
            schedule.insert(job, random.below(schedule.sequence().len() + 1));
        } else if !schedule.sequence().is_empty() {
            let from = random.below(schedule.sequence().len());
            let values = schedule.reinsertions(from).to_vec();
            for (to, &value) in values.iter().enumerate() {
                let mut sequence = schedule.sequence().to_vec();
                let job = sequence.remove(from);
                sequence.insert(to, job);
                assert_eq!(value, self::value(criterion, times, &sequence), "{times:?} {sequence:?}");
            }
            match random.below(3) {
                0 => {
                    let job = schedule.remove(from);
                    schedule.insert(job, random.below(schedule.sequence().len() + 1));
                }
                1 => left.push(schedule.remove(from)),
                _ => {
                    let mut sequence = schedule.sequence().to_vec();
                    let other = random.below(sequence.len());
                    sequence.swap(from, other);
                    schedule.load(&sequence);
                }
            }
        }
    }
}

#[test]
fn every_insertion_has_the_value_of_its_sequence() {
    let mut random = RandomStream::from_seed(1);
    for n_jobs in (1..10).chain([16, 17, 31, 32, 33, 50]) {
        for n_machines in [1, 2, 4, 5, 6, 10, 11] {
            let times = random_times(n_jobs, n_machines, &mut random);
            for criterion in [Criterion::Makespan, Criterion::FlowTime] {
                check::<u16>(&times, criterion, &mut random);
                check::<u32>(&times, criterion, &mut random);
            }
        }
    }
}

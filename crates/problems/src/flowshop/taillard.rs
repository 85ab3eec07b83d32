//! Taillard's instances: the published 120 from their seeds, and others of any size in the same way.
//!
//! E. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993, 278-285.

use evogrid_core::family::{BestKnown, InstanceError};

use super::times::check_size;
use super::{Criterion, ProcessingTimes};
use crate::published::{number, rows};
use crate::seeds::Lehmer;

/// The 120 instances, a line each: seeds as published; the best makespans known in 2021 and 2025; the best total flow times known in 2021;
/// makespans of NEH, ties broken by the first and by the last of the best positions.
const TABLE: &str = include_str!("taillard.csv");

/// One of the 120 published instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaillardInstance {
    /// Its id, `ta001` to `ta120`.
    pub id: &'static str,
    /// Number of jobs.
    pub n_jobs: usize,
    /// Number of machines.
    pub n_machines: usize,
    /// The seed of its processing times.
    pub seed: u64,
    /// The best makespan known in 2021 (Libralesso, Focke, Secardin and Jost, EJOR 2022).
    pub makespan_2021: u32,
    /// The best makespan known in 2025 (data set 17028980 of Zenodo).
    pub makespan_2025: u32,
    /// The best total flow time known in 2021 (Libralesso, Focke, Secardin and Jost, EJOR 2022).
    pub flow_time_2021: u64,
    /// The makespans of NEH if ties go to the first, and if they go to the last position.
    pub neh_makespans: [u32; 2],
}

/// A list of best known makespans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestKnownList {
    /// The list of 2021, which published deviations use.
    Year2021,
    /// The list of 2025.
    Year2025,
}

impl TaillardInstance {
    /// All instances, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        rows(TABLE).map(|[id, jobs, machines, seed, makespan_2021, makespan_2025, flow_time_2021, first, last]| Self {
            id,
            n_jobs: number(jobs),
            n_machines: number(machines),
            seed: number(seed),
            makespan_2021: number(makespan_2021),
            makespan_2025: number(makespan_2025),
            flow_time_2021: number(flow_time_2021),
            neh_makespans: [number(first), number(last)],
        })
    }

    /// The instance with this id.
    pub fn find(id: &str) -> Option<Self> {
        Self::all().find(|instance| instance.id == id)
    }

    /// Its processing times.
    pub fn times(&self) -> ProcessingTimes {
        random_times(self.n_jobs, self.n_machines, self.seed).expect("a published size")
    }

    /// Its size class: `20x5`.
    pub fn class(&self) -> String {
        format!("{}x{}", self.n_jobs, self.n_machines)
    }

    /// The best known value of a criterion. For total flow time there is only the list of 2021.
    ///
    /// No value is called optimal: 97 of the makespans were proven by 2019 and more since (Gmys, INFORMS Journal on Computing 34, 2022),
    /// but this source was not used here to tell which.
    pub fn best_known(&self, criterion: Criterion, list: BestKnownList) -> BestKnown {
        let value = match (criterion, list) {
            (Criterion::Makespan, BestKnownList::Year2021) => f64::from(self.makespan_2021),
            (Criterion::Makespan, BestKnownList::Year2025) => f64::from(self.makespan_2025),
            (Criterion::FlowTime, _) => self.flow_time_2021 as f64,
        };
        BestKnown::new(value, false)
    }
}

/// Processing times from 1 to 99, drawn machine by machine.
///
/// ```
/// use evogrid_problems::flowshop::random_times;
///
/// // ta001
/// let times = random_times(20, 5, 873654221)?;
/// assert_eq!(times.of_machine(0)[..5], [54, 83, 15, 71, 77]);
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
///
/// # Errors
/// If the number of jobs or machines is 0 or too large.
///
/// # Panics
/// If the seed is 0, from which no random numbers come, or not below 2^31 - 1.
pub fn random_times(n_jobs: usize, n_machines: usize, seed: u64) -> Result<ProcessingTimes, InstanceError> {
    check_size(n_jobs, n_machines)?;
    let mut random = Lehmer::new(seed);
    let draw = || 1 + random.below(99) as u32;
    let times = std::iter::repeat_with(draw).take(n_jobs * n_machines).collect();
    ProcessingTimes::new(n_jobs, n_machines, times)
}

#[cfg(test)]
mod tests {
    use super::super::FlowShop;
    use super::*;

    /// BLAKE3 of the times of `ta001` to `ta120`, each as four bytes, little end first, machine by machine; 16 hex digits of each.
    const HASHES: &str = include_str!("taillard_hashes.txt");

    #[test]
    fn all_120_instances_have_their_published_times() {
        let hashes: Vec<(&str, &str)> = HASHES.lines().map(|line| line.split_once(' ').unwrap()).collect();
        assert_eq!(hashes.len(), 120);
        for (instance, (id, hash)) in TaillardInstance::all().zip(hashes) {
            let times = instance.times();
            let bytes: Vec<u8> = times.machines().flatten().flat_map(|time| time.to_le_bytes()).collect();
            assert_eq!((instance.id, &blake3::hash(&bytes).to_hex()[..16]), (id, hash));
            assert_eq!((times.n_jobs(), times.n_machines()), (instance.n_jobs, instance.n_machines));
        }
    }

    #[test]
    fn neh_gives_the_published_makespans_of_all_120_instances_with_both_rules_for_ties() {
        let mut gaps = [0.0; 2];
        let mut count = 0;
        for instance in TaillardInstance::all() {
            let times = instance.times();
            let problem = FlowShop::new(times.clone(), Criterion::Makespan);
            let best = instance.best_known(Criterion::Makespan, BestKnownList::Year2021);
            for (rule, takes_last) in [false, true].into_iter().enumerate() {
                let makespan = times.makespan(&problem.neh(takes_last));
                assert_eq!(makespan, instance.neh_makespans[rule], "{}, last of ties: {takes_last}", instance.id);
                gaps[rule] += (f64::from(makespan) / best.value - 1.0) / 1.2;
            }
            count += 1;
        }
        assert_eq!(count, 120);
        assert_eq!(gaps.map(|gap| format!("{gap:.2}")), ["3.33", "3.36"]);
    }

    #[test]
    fn lists_agree_where_they_must() {
        for instance in TaillardInstance::all() {
            let [old, new] = [BestKnownList::Year2021, BestKnownList::Year2025]
                .map(|list| instance.best_known(Criterion::Makespan, list));
            assert!(new.value <= old.value);
            // No schedule is shorter than the work of a machine, with the shortest way to it and from it.
            let times = instance.times();
            assert!(times.machines().all(|times| new.value >= times.iter().sum::<u32>().into()));
            assert!(instance.neh_makespans.iter().all(|&neh| f64::from(neh) >= old.value));
            assert_eq!(TaillardInstance::find(instance.id), Some(instance));
        }
        assert_eq!(TaillardInstance::find("ta121"), None);
    }
}

//! Makes Taillard's 120 published instances from their seeds. The module can also make instances of sizes that Taillard did not publish.
//!
//! Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993, 278-285.

use evogrid_core::prelude::*;

use super::times::{MAX_JOBS, MAX_TIMES, ProcessingTimes, check_size};
use crate::published::{Lehmer, MODULUS, Published, derived_seed};

/// The 120 instances, one in each line: the published seeds, the best makespans known in 2021 (Libralesso, Focke, Secardin and Jost, EJOR
/// 2022) and in 2025 (data set 17028980 of Zenodo), and the best total flow times known in 2021 (Libralesso and others). The last two
/// columns contain the makespans of NEH: one if ties go to the first best position, and one if ties go to the last best position.
///
/// The table does not say which values are optimal. By 2019, 97 of the makespans were proven optimal, and more were proven later (Gmys,
/// INFORMS Journal on Computing 34, 2022). This source was not used here.
pub(super) const TABLE: &str = include_str!("taillard.csv");

/// The 120 published instances `ta001` to `ta120`, as rows of a table. The table has the columns `jobs`, `machines` and `time_seed`.
/// Further columns contain the best known values, and the makespans of NEH.
pub fn published() -> impl Iterator<Item = Published> {
    Published::all(TABLE)
}

/// The processing times of a published instance.
///
/// # Panics
/// Panics if no instance has this id.
pub fn times(id: &str) -> ProcessingTimes {
    let instance = Published::find(TABLE, id);
    let [n_jobs, n_machines] = ["jobs", "machines"].map(|column| instance.number(column));
    random_times(n_jobs, n_machines, instance.number("time_seed")).expect("a published size")
}

/// Draws processing times from 1 to 99. The times are drawn machine by machine.
///
/// ```
/// use evogrid_problems::flowshop::taillard::random_times;
///
/// // ta001
/// let times = random_times(20, 5, 873654221)?;
/// assert!(times.machines().next().is_some_and(|times| times.starts_with(&[54, 83, 15, 71, 77])));
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
///
/// # Errors
/// Returns an error if the number of jobs or machines is 0 or too large.
///
/// # Panics
/// Panics if the seed is 0 or not below 2^31 - 1. If the seed were 0, all drawn numbers would be equal.
pub fn random_times(n_jobs: usize, n_machines: usize, seed: u64) -> Result<ProcessingTimes, InstanceError> {
    check_size(n_jobs, n_machines)?;
    let mut random = Lehmer::new(seed);
    let draw = || 1 + random.below(99) as u32;
    let times = std::iter::repeat_with(draw).take(n_jobs * n_machines).collect();
    ProcessingTimes::new(n_jobs, n_machines, times)
}

/// The generator of `runner generate flowshop`.
pub(super) const GENERATOR: Generator =
    Generator { options: &[JOBS, MACHINES], help: include_str!("help/generate.txt").trim_ascii_end(), request };

const JOBS: OptionDeclaration =
    OptionDeclaration { default: Some("20"), ..OptionDeclaration::new("n", "JOBS", "Number of jobs") };

const MACHINES: OptionDeclaration =
    OptionDeclaration { default: Some("5"), ..OptionDeclaration::new("m", "MACHINES", "Number of machines") };

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let n_jobs = JOBS.number(options, 1..=MAX_JOBS, "number of jobs")?;
    let n_machines = MACHINES.number(options, 1..=MAX_TIMES / n_jobs, "number of machines")?;
    Ok(GeneratorRequest::new(count, move |number| {
        let parts = [n_jobs as u64, n_machines as u64, number as u64, seed];
        let time_seed = 1 + derived_seed("evogrid 1 seed of a generated flow shop", &parts, "") % (MODULUS - 1);
        let times = random_times(n_jobs, n_machines, time_seed)?;
        let bucket = format!("{n_jobs}x{n_machines}");
        let fields =
            vec![GeneratedField::new("times", times.to_line()), GeneratedField::new("seed", time_seed.to_string())];
        Ok(GeneratedInstance { id: format!("{bucket}-{}", number + 1), bucket, fields })
    }))
}

#[cfg(test)]
mod tests {
    use super::super::times::Criterion;
    use super::super::{FlowShop, tests::value};
    use super::*;

    /// BLAKE3 of the times of `ta001` to `ta120`, each as four bytes, little end first, machine by machine; 16 hex digits of each.
    const HASHES: &str = include_str!("taillard_hashes.txt");

    #[test]
    fn all_120_instances_have_their_published_times() {
        let hashes: Vec<(&str, &str)> = HASHES.lines().map(|line| line.split_once(' ').unwrap()).collect();
        assert_eq!(hashes.len(), 120);
        for (instance, (id, hash)) in published().zip(hashes) {
            let times = times(id);
            let bytes: Vec<u8> = times.machines().flatten().flat_map(|time| time.to_le_bytes()).collect();
            assert_eq!((instance.id, &blake3::hash(&bytes).to_hex()[..16]), (id, hash));
            assert_eq!(
                [times.n_jobs(), times.n_machines()],
                ["jobs", "machines"].map(|column| instance.number(column))
            );
        }
    }

    #[test]
    fn neh_gives_the_published_makespans_of_all_120_instances_with_both_rules_for_ties() {
        let mut gaps = [0.0; 2];
        let mut count = 0;
        for instance in published() {
            let times = times(instance.id);
            let problem = FlowShop::new(times.clone(), Criterion::Makespan);
            let best = instance.number::<f64>("best_known_cmax_2021");
            for (rule, takes_last) in [false, true].into_iter().enumerate() {
                let makespan = value(Criterion::Makespan, &times, &problem.neh(takes_last));
                let published = instance.number(["neh_cmax_first_tie", "neh_cmax_last_tie"][rule]);
                assert_eq!(makespan, published, "{}, last of ties: {takes_last}", instance.id);
                gaps[rule] += (makespan as f64 / best - 1.0) / 1.2;
            }
            count += 1;
        }
        assert_eq!(count, 120);
        assert_eq!(gaps.map(|gap| format!("{gap:.2}")), ["3.33", "3.36"]);
    }

    #[test]
    fn lists_agree_where_they_must() {
        for instance in published() {
            let [old, new, first, last] =
                ["best_known_cmax_2021", "best_known_cmax_2025", "neh_cmax_first_tie", "neh_cmax_last_tie"]
                    .map(|column| instance.number::<u32>(column));
            assert!(new <= old && old <= first && old <= last);
            // No schedule is shorter than the work of a machine.
            assert!(times(instance.id).machines().all(|times| new >= times.iter().sum()));
            assert_eq!(Published::find(TABLE, instance.id), instance);
        }
    }

    fn request(options: &[(&'static str, &str)], seed: u64) -> Result<Vec<GeneratedInstance>, OptionError> {
        let options = options.iter().map(|&(name, value)| (name, vec![value.to_owned()])).collect();
        let request = super::request(&options, 3, seed)?;
        (0..request.n_instances).map(|number| request.make(number)).collect()
    }

    #[test]
    fn instances_depend_on_size_number_and_seed_alone() {
        let made = request(&[("n", "6"), ("m", "3")], 7).unwrap();
        assert_eq!(made, request(&[("m", "3"), ("n", "6")], 7).unwrap());
        assert_eq!((made[2].id.as_str(), made[2].bucket.as_str()), ("6x3-3", "6x3"));
        assert_ne!(made[0].fields, made[1].fields);
        assert_ne!(made, request(&[("n", "6"), ("m", "3")], 8).unwrap());
        for instance in &made {
            let seed = instance.fields[1].value.parse().unwrap();
            assert_eq!(random_times(6, 3, seed).unwrap().to_line(), instance.fields[0].value);
        }
        assert_eq!(request(&[], 1).unwrap()[0].bucket, "20x5");
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        let message = |options: &[(&'static str, &str)]| {
            let error = request(options, 1).unwrap_err();
            [error.message, error.expected]
        };
        assert_eq!(message(&[("n", "many")]), ["--n many: not a number of jobs", "expected 1 to 65535"]);
        assert_eq!(message(&[("n", "0")]), ["--n 0: not a number of jobs", "expected 1 to 65535"]);
        assert_eq!(message(&[("m", "0")]), ["--m 0: not a number of machines", "expected 1 to 5000000"]);
    }
}

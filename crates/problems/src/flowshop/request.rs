//! Requests for flow shops of given sizes.

use evogrid_core::prelude::*;

use super::taillard::random_times;
use super::times::{MAX_JOBS, MAX_TIMES};
use crate::seeds::{MODULUS, derived_seed};

/// `runner generate` for flow shops.
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
        let time_seed = time_seed(n_jobs, n_machines, number, seed);
        let times = random_times(n_jobs, n_machines, time_seed)?;
        let bucket = format!("{n_jobs}x{n_machines}");
        let fields =
            vec![GeneratedField::new("times", times.to_line()), GeneratedField::new("seed", time_seed.to_string())];
        Ok(GeneratedInstance { id: format!("{bucket}-{}", number + 1), bucket, fields })
    }))
}

/// The seed of an instance's times: a stable hash (BLAKE3) of all that names it, in the range of Taillard's seeds.
fn time_seed(n_jobs: usize, n_machines: usize, number: usize, seed: u64) -> u64 {
    let parts = [n_jobs as u64, n_machines as u64, number as u64, seed];
    1 + derived_seed("evogrid 1 seed of a generated flow shop", &parts, "") % (MODULUS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

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

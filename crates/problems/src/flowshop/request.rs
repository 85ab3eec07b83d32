//! Flow shops that are asked for by their size.

use evogrid_core::family::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, RequestOptions,
};

use super::taillard::{MODULUS, random_times};
use super::times::check_size;

/// `runner generate` for flow shops.
pub(super) struct FlowShopGenerator;

const OPTIONS: &[OptionDeclaration] = &[
    OptionDeclaration { default: Some("20"), ..OptionDeclaration::new("n", "JOBS", "Number of jobs") },
    OptionDeclaration { default: Some("5"), ..OptionDeclaration::new("m", "MACHINES", "Number of machines") },
];

const HELP: &str = "\
Processing times are whole numbers from 1 to 99, drawn machine by machine by
Taillard's generator of random numbers (EJOR 64, 1993), from a seed that stands
in the data set: anybody's copy of his generator makes the same instance of it.
His 120 instances themselves are made by `generate = { set = \"taillard\" }` in an
experiment.

Columns of the CSV:
  id      the size, and the number of the instance
  bucket  the size: `20x5` for 20 jobs on 5 machines
  times   the size, then the times, machine by machine with a `/` between
  seed    the seed of its times, from 1 to 2147483646";

impl Generator for FlowShopGenerator {
    fn options(&self) -> &'static [OptionDeclaration] {
        OPTIONS
    }

    fn help(&self) -> &'static str {
        HELP
    }

    fn request(
        &self,
        options: &RequestOptions,
        count: usize,
        seed: u64,
    ) -> Result<Box<dyn GeneratorRequest>, OptionError> {
        let number = |option: &OptionDeclaration| {
            let given = options.get(option.name).and_then(|values| values.first()).map(String::as_str);
            let text = given.or(option.default).unwrap_or_default();
            text.parse::<usize>().map_err(|_| OptionError {
                message: format!("--{} {text}: not a number", option.name),
                expected: "expected a whole number".to_owned(),
            })
        };
        let (n_jobs, n_machines) = (number(&OPTIONS[0])?, number(&OPTIONS[1])?);
        check_size(n_jobs, n_machines)
            .map_err(|error| OptionError { message: error.to_string(), expected: String::new() })?;
        Ok(Box::new(FlowShopRequest { n_jobs, n_machines, count, seed }))
    }
}

/// Flow shops of one size.
struct FlowShopRequest {
    n_jobs: usize,
    n_machines: usize,
    count: usize,
    seed: u64,
}

impl GeneratorRequest for FlowShopRequest {
    fn n_instances(&self) -> usize {
        self.count
    }

    fn make(&self, number: usize) -> Result<GeneratedInstance, OptionError> {
        let Self { n_jobs, n_machines, seed, .. } = *self;
        let time_seed = time_seed(n_jobs, n_machines, number, seed);
        let times = random_times(n_jobs, n_machines, time_seed)
            .map_err(|error| OptionError { message: error.to_string(), expected: String::new() })?;
        let bucket = format!("{n_jobs}x{n_machines}");
        let field = |column, value| GeneratedField { column, value, default: None };
        let fields = vec![field("times", times.to_line()), field("seed", time_seed.to_string())];
        Ok(GeneratedInstance { id: format!("{bucket}-{}", number + 1), bucket, fields })
    }
}

/// The seed of an instance's times: a stable hash (BLAKE3) of all that names it, in the range of Taillard's seeds.
fn time_seed(n_jobs: usize, n_machines: usize, number: usize, seed: u64) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("evogrid 1 seed of a generated flow shop");
    for part in [n_jobs as u64, n_machines as u64, number as u64, seed] {
        hasher.update(&part.to_le_bytes());
    }
    let (first, _) =
        hasher.finalize().as_bytes().split_first_chunk().map(|(first, rest)| (*first, rest)).expect("32 bytes");
    1 + u64::from_le_bytes(first) % (MODULUS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(options: &[(&'static str, &str)], seed: u64) -> Result<Vec<GeneratedInstance>, OptionError> {
        let options = options.iter().map(|&(name, value)| (name, vec![value.to_owned()])).collect();
        let request = FlowShopGenerator.request(&options, 3, seed)?;
        (0..request.n_instances()).map(|number| request.make(number)).collect()
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
        let message = |options: &[(&'static str, &str)]| request(options, 1).unwrap_err().message;
        assert_eq!(message(&[("n", "many")]), "--n many: not a number");
        assert_eq!(message(&[("n", "0")]), "0 jobs are out of range: expected 1 to 65535");
        assert_eq!(message(&[("m", "0")]), "0 machines for 20 jobs are out of range: expected 1 to 5000000");
    }
}

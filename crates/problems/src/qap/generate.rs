//! Uniform instances that are asked for on the command line.

use evogrid_core::family::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, RequestOptions,
};

use super::Matrices;
use super::instance::MAX_SIZE;
use super::taillard::{self, MODULUS};

/// `runner generate qap`.
pub(super) struct UniformGenerator;

const OPTIONS: &[OptionDeclaration] = &[
    OptionDeclaration {
        default: Some("20"),
        is_repeated: true,
        ..OptionDeclaration::new("size", "N", "Rows of a matrix. May be given several times")
    },
    OptionDeclaration {
        pattern: Some("^ *[0-9]+ *(, *[0-9]+ *)?$"),
        ..OptionDeclaration::new(
            "seeds",
            "A,B",
            "Seeds of Taillard's generator for the two matrices; with one, both are drawn from it. One instance a size",
        )
    },
];

const HELP: &str = "\
As Taillard's instances taiXXa: both matrices are symmetric, their diagonals 0,
and the other entries uniform from 0 to 99, by his generator. His own thirteen
are the published set `taillard`.

Columns of the CSV:
  id        the size and the number in it, or the size and the seeds
  bucket    the size
  matrices  the size and the two matrices, row by row";

impl Generator for UniformGenerator {
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
        let values = |name: &str| options.get(name).map(Vec::as_slice).unwrap_or_default();
        let sizes = match values("size") {
            [] => vec![20],
            sizes => sizes.iter().map(|size| parse_size(size)).collect::<Result<_, _>>()?,
        };
        match values("seeds").first() {
            None => Ok(Box::new(UniformRequest { sizes, seeds: Seeds::Derived { seed, count } })),
            Some(seeds) => Ok(Box::new(UniformRequest { sizes, seeds: parse_seeds(seeds)? })),
        }
    }
}

fn parse_size(text: &str) -> Result<usize, OptionError> {
    let size = text.trim().parse().ok().filter(|size| (2..=MAX_SIZE).contains(size));
    size.ok_or_else(|| OptionError {
        message: format!("`{text}` is not the size of a matrix"),
        expected: format!("a whole number from 2 to {MAX_SIZE}"),
    })
}

fn parse_seeds(text: &str) -> Result<Seeds, OptionError> {
    let seeds = text.split(',').map(|seed| seed.trim().parse().ok().filter(|seed| (1..MODULUS).contains(seed)));
    match seeds.collect::<Option<Vec<u32>>>().as_deref() {
        Some(&[seed]) => Ok(Seeds::One(seed)),
        Some(&[a, b]) => Ok(Seeds::Two([a, b])),
        _ => Err(OptionError {
            message: format!("`{text}` is not one or two seeds"),
            expected: format!("whole numbers from 1 to {}, with a comma between", MODULUS - 1),
        }),
    }
}

/// Which seeds instances have.
enum Seeds {
    /// `count` of each size, each from a seed of its own, which depends on this one.
    Derived { seed: u64, count: usize },
    /// One of each size.
    One(u32),
    /// One of each size.
    Two([u32; 2]),
}

struct UniformRequest {
    sizes: Vec<usize>,
    seeds: Seeds,
}

impl GeneratorRequest for UniformRequest {
    fn n_instances(&self) -> usize {
        self.sizes.len() * if let Seeds::Derived { count, .. } = self.seeds { count } else { 1 }
    }

    fn make(&self, number: usize) -> Result<GeneratedInstance, OptionError> {
        let (n, id, matrices): (usize, String, Matrices) = match self.seeds {
            Seeds::Derived { seed, count } => {
                let (n, number) = (self.sizes[number / count], number % count + 1);
                let matrices = taillard::uniform_from_one(n, derived_seed(seed, n, number));
                (n, format!("{n}-{number:03}"), matrices)
            }
            Seeds::One(seed) => {
                let n = self.sizes[number];
                (n, format!("{n}-{seed}"), taillard::uniform_from_one(n, seed))
            }
            Seeds::Two([a, b]) => {
                let n = self.sizes[number];
                (n, format!("{n}-{a}-{b}"), taillard::uniform(n, [a, b]))
            }
        };
        let fields = vec![GeneratedField { column: "matrices", value: matrices.content(), default: None }];
        Ok(GeneratedInstance { id, bucket: n.to_string(), fields })
    }
}

/// The seed of the instance of a size and number, spread over the seeds that the generator has.
fn derived_seed(seed: u64, n: usize, number: usize) -> u32 {
    let words = [seed, n as u64, number as u64].map(u64::to_le_bytes);
    let hash = blake3::derive_key("evogrid 1 seed of a uniform assignment problem", words.as_flattened());
    let [a, b, c, d, ..] = hash;
    u32::from_le_bytes([a, b, c, d]) % (MODULUS - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(size: &str, seeds: Option<&str>) -> Result<Vec<GeneratedInstance>, OptionError> {
        let mut options = RequestOptions::from([("size", vec![size.to_owned()])]);
        options.extend(seeds.map(|seeds| ("seeds", vec![seeds.to_owned()])));
        let request = UniformGenerator.request(&options, 2, 7)?;
        (0..request.n_instances()).map(|number| request.make(number)).collect()
    }

    #[test]
    fn the_seeds_of_a_published_instance_make_it() {
        let [instance] = &made("12", Some("792100592, 123456789")).unwrap()[..] else { panic!("one is asked for") };
        assert_eq!(instance.id, "12-792100592-123456789");
        assert_eq!(instance.fields[0].value, taillard::uniform(12, [792_100_592, 123_456_789]).content());
    }

    #[test]
    fn instances_of_a_seed_differ_and_never_change() {
        let instances = made("5", None).unwrap();
        let contents: Vec<&str> = instances.iter().map(|instance| instance.fields[0].value.as_str()).collect();
        assert_eq!(instances.iter().map(|instance| instance.id.as_str()).collect::<Vec<_>>(), ["5-001", "5-002"]);
        let starts = contents.iter().map(|content| &content[..22]).collect::<Vec<_>>();
        assert_eq!(starts, ["5 0 42 12 13 60 42 0 6", "5 0 38 0 84 92 38 0 60"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(made("1", None).unwrap_err().message, "`1` is not the size of a matrix");
        for seeds in ["0", "2147483647", "1,2,3", "x"] {
            assert_eq!(made("5", Some(seeds)).unwrap_err().message, format!("`{seeds}` is not one or two seeds"));
        }
    }
}

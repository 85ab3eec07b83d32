//! Makes Taillard's uniform instances, `taiXXa`, from their seeds. The module can also make further instances of this kind from any seeds.
//!
//! Both matrices are symmetric, and the entries on their diagonals are 0. The upper triangles of the matrices are drawn row by row.
//! Taillard's random number generator draws the entries of the upper triangles, which are integers from 0 to 99 ("Benchmarks for basic
//! scheduling problems", European Journal of Operational Research 64, 1993, 278-285). No paper prints the seeds. The seeds were found by
//! trial: many seeds were tried until the matrices were equal to the matrices of QAPLIB.

use evogrid_core::memory::filled;
use evogrid_core::prelude::*;

use super::instance::{MAX_SIZE, Matrices, refused};
use crate::published::{Lehmer, MODULUS, Published, derived_seed};

/// The thirteen instances. The best known values are the costs of QAPLIB's permutations, recomputed. The value of `tai10a` is proven
/// optimal by full search, and the value of `tai30a` by Fujii and others, "Solving challenging large scale QAPs", 2021.
pub(super) const TABLE: &str = include_str!("taillard.csv");

/// The thirteen published instances. The table of instances has the columns `rows`, `seed_a`, `seed_b` and `best_known_cost`.
pub fn published() -> impl Iterator<Item = Published> {
    Published::all(TABLE)
}

/// The matrices of a published instance.
///
/// # Errors
/// Returns an error if the system cannot provide enough memory.
///
/// # Panics
/// Panics if no instance has this id.
pub fn matrices(id: &str) -> Result<Matrices, InstanceError> {
    let instance = Published::find(TABLE, id);
    draw(instance.number("rows"), instance.number("seed_a"), Some(instance.number("seed_b")))
}

/// Draws two matrices, each from its own seed.
///
/// # Panics
/// Panics if a seed is not between 1 and 2^31 - 2. Panics if the size is invalid for [`Matrices`]. Panics if the system cannot provide
/// enough memory.
///
/// ```
/// use evogrid_problems::qap::taillard::uniform;
///
/// assert_eq!(uniform(12, [792_100_592, 123_456_789]).a()[..6], [0, 27, 85, 2, 1, 15]);
/// ```
pub fn uniform(n: usize, [a, b]: [u32; 2]) -> Matrices {
    draw(n, a, Some(b)).expect("the size is valid, and the numbers are small")
}

/// Draws two matrices. Without a second seed, the draws for B continue the draws for A.
fn draw(n: usize, seed: u32, second: Option<u32>) -> Result<Matrices, InstanceError> {
    let mut generator = Lehmer::new(seed.into());
    let a = symmetric(n, &mut generator)?;
    if let Some(seed) = second {
        generator = Lehmer::new(seed.into());
    }
    let b = symmetric(n, &mut generator)?;
    Matrices::new(n, a, b)
}

fn symmetric(n: usize, generator: &mut Lehmer) -> Result<Vec<i64>, InstanceError> {
    let mut matrix = filled(0, n * n).map_err(|_| refused(n, 0))?;
    for row in 0..n {
        for column in row + 1..n {
            let entry = generator.below(100) as i64;
            matrix[row * n + column] = entry;
            matrix[column * n + row] = entry;
        }
    }
    Ok(matrix)
}

/// The generator of `runner generate qap`.
pub(super) const GENERATOR: Generator =
    Generator { options: &[SIZE, SEEDS], help: include_str!("help/generate.txt").trim_ascii_end(), request };

const SIZE: OptionDeclaration = OptionDeclaration {
    default: Some("20"),
    is_repeated: true,
    ..OptionDeclaration::new("size", "N", "Number of rows of a matrix. This option may be given several times")
};

const SEEDS: OptionDeclaration = OptionDeclaration {
    pattern: Some("^ *[0-9]+ *(, *[0-9]+ *)?$"),
    ..OptionDeclaration::new(
        "seeds",
        "A,B",
        "Seeds of Taillard's generator for the two matrices. If one seed is given, both matrices use it. For each \
         size, one instance is generated",
    )
};

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let sizes = SIZE.numbers(options, 2..=MAX_SIZE, "size of a matrix")?;
    let seeds = SEEDS.value(options).map(parse_seeds).transpose()?;
    let each = if seeds.is_some() { 1 } else { count };
    Ok(GeneratorRequest::new(sizes.len() * each, move |number| {
        let (n, number) = (sizes[number / each], number % each + 1);
        let (id, first, second) = match seeds.as_deref() {
            Some(&[a, b]) => (format!("{n}-{a}-{b}"), a, Some(b)),
            Some(&[seed, ..]) => (format!("{n}-{seed}"), seed, None),
            _ => {
                let parts = [seed, n as u64, number as u64];
                let hash = derived_seed("evogrid 1 seed of a uniform assignment problem", &parts, "");
                (format!("{n}-{number:03}"), hash as u32 % (MODULUS as u32 - 1) + 1, None)
            }
        };
        let fields = vec![GeneratedField::new("matrices", draw(n, first, second)?.content())];
        Ok(GeneratedInstance { id, bucket: n.to_string(), fields })
    }))
}

/// Reads one seed for both matrices, or one seed for each matrix.
fn parse_seeds(text: &str) -> Result<Vec<u32>, OptionError> {
    let in_range = |seed: &u32| (1..MODULUS).contains(&u64::from(*seed));
    let seeds = text.split(',').map(|seed| seed.trim().parse().ok().filter(in_range));
    let seeds: Option<Vec<u32>> = seeds.collect();
    seeds.filter(|seeds| seeds.len() <= 2).ok_or_else(|| {
        let expected = format!("whole numbers from 1 to {}, separated by a comma", MODULUS - 1);
        OptionError::new(format!("`{text}` is not a list of one or two seeds")).expecting(expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BLAKE3 of the contents, the first 16 hex digits, from the matrices of QAPLIB's own files.
    const HASHES: [&str; 13] = [
        "15ebc84665ccfd9a",
        "28ef659759ca3e19",
        "cf3e3c82ee7b129c",
        "c138b2540857b8ad",
        "fdf3b9d9ed8b3c63",
        "cfb6979f0d51e1c6",
        "bbb8155bd8aabc5b",
        "562e690bbbb905a2",
        "b3bde52d56aed7ed",
        "02555eb9f5b71a15",
        "11e4faf5b5c2e917",
        "f78d3bdc6c6043fc",
        "4cee4903ccc45a86",
    ];

    #[test]
    fn all_thirteen_published_instances_come_out() {
        assert_eq!(published().count(), HASHES.len());
        for (instance, hash) in published().zip(HASHES) {
            let content = matrices(instance.id).expect("it is small").content();
            assert_eq!(blake3::hash(content.as_bytes()).to_hex()[..16], *hash, "{}", instance.id);
        }
    }

    #[test]
    fn one_seed_gives_two_different_matrices() {
        let (one, two) = (draw(9, 7, None).expect("it is small"), uniform(9, [7, 7]));
        assert_eq!(one.a(), two.a());
        assert_ne!(one.a(), one.b());
    }

    fn made(size: &str, seeds: Option<&str>) -> Result<Vec<GeneratedInstance>, OptionError> {
        let mut options = RequestOptions::from([("size", vec![size.to_owned()])]);
        options.extend(seeds.map(|seeds| ("seeds", vec![seeds.to_owned()])));
        let request = request(&options, 2, 7)?;
        (0..request.n_instances).map(|number| request.make(number)).collect()
    }

    #[test]
    fn the_seeds_of_a_published_instance_make_it() {
        let [instance] = &made("12", Some("792100592, 123456789")).unwrap()[..] else { panic!("one is asked for") };
        assert_eq!(instance.id, "12-792100592-123456789");
        assert_eq!(instance.fields[0].value, uniform(12, [792_100_592, 123_456_789]).content());
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
        assert_eq!(made("1", None).unwrap_err().message, "--size 1: not a size of a matrix");
        for seeds in ["0", "2147483647", "1,2,3", "x"] {
            assert_eq!(
                made("5", Some(seeds)).unwrap_err().message,
                format!("`{seeds}` is not a list of one or two seeds")
            );
        }
    }
}

//! Uniform instances that are asked for on the command line.

use evogrid_core::prelude::*;

use super::{MAX_SIZE, taillard};
use crate::seeds::{MODULUS, derived_seed};

/// `runner generate qap`.
pub(super) const GENERATOR: Generator =
    Generator { options: &[SIZE, SEEDS], help: include_str!("help/generate.txt").trim_ascii_end(), request };

const SIZE: OptionDeclaration = OptionDeclaration {
    default: Some("20"),
    is_repeated: true,
    ..OptionDeclaration::new("size", "N", "Number of rows of a matrix. May be given several times")
};

const SEEDS: OptionDeclaration = OptionDeclaration {
    pattern: Some("^ *[0-9]+ *(, *[0-9]+ *)?$"),
    ..OptionDeclaration::new(
        "seeds",
        "A,B",
        "Seeds of Taillard's generator for the two matrices; if only one is given, both matrices are drawn from it. Each size gives one instance",
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
            _ => (format!("{n}-{number:03}"), seed_of(seed, n, number), None),
        };
        let matrices = taillard::draw(n, first, second)?;
        let fields = vec![GeneratedField::new("matrices", matrices.content())];
        Ok(GeneratedInstance { id, bucket: n.to_string(), fields })
    }))
}

/// One seed for both matrices, or one for each.
fn parse_seeds(text: &str) -> Result<Vec<u32>, OptionError> {
    let in_range = |seed: &u32| (1..MODULUS).contains(&u64::from(*seed));
    let seeds = text.split(',').map(|seed| seed.trim().parse().ok().filter(in_range));
    let seeds: Option<Vec<u32>> = seeds.collect();
    seeds.filter(|seeds| seeds.len() <= 2).ok_or_else(|| {
        let expected = format!("whole numbers from 1 to {}, separated by a comma", MODULUS - 1);
        OptionError::new(format!("`{text}` does not consist of one or two seeds")).expecting(expected)
    })
}

/// The seed of the instance of a size and number, spread over the seeds that the generator has.
fn seed_of(seed: u64, n: usize, number: usize) -> u32 {
    let parts = [seed, n as u64, number as u64];
    let hash = derived_seed("evogrid 1 seed of a uniform assignment problem", &parts, "");
    hash as u32 % (MODULUS as u32 - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(made("1", None).unwrap_err().message, "--size 1: not a size of a matrix");
        for seeds in ["0", "2147483647", "1,2,3", "x"] {
            assert_eq!(
                made("5", Some(seeds)).unwrap_err().message,
                format!("`{seeds}` does not consist of one or two seeds")
            );
        }
    }
}

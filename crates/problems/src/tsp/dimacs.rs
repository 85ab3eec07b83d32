//! Instances of the 8th DIMACS implementation challenge. The cities are uniformly distributed in a square. The coordinates of the cities
//! are made from a seed.

use evogrid_core::prelude::*;

use super::instance::{MAX_CITIES, MIN_CITIES, TspInstance};
use super::weights::WeightKind;
use crate::published::Published;

/// The seeds and lengths, collected from the pages of the challenge in November 2026.
const TABLE: &str = include_str!("dimacs.csv");

/// The published instances with up to 65,535 cities. The table of instances has the columns `cities`, `seed`, `best_known_length` and
/// `is_optimal`.
pub fn published() -> impl Iterator<Item = Published> {
    Published::all(TABLE)
}

/// Generates the published instance with this id.
///
/// # Panics
/// Panics if no instance has this id.
pub fn instance(id: &str) -> TspInstance {
    let published = Published::find(TABLE, id);
    uniform(published.number("cities"), published.number("seed"))
}

/// Makes the same instance as the program call `portgen N SEED`. The coordinates are numbers from 0 to 999,999. The kind of the weights is
/// `EUC_2D`.
///
/// Source: Johnson and McGeoch, "Experimental analysis of heuristics for the STSP", 2002, and the programs of the challenge.
///
/// # Panics
/// Panics if the seed is 10^9 or larger.
pub fn uniform(n_cities: usize, seed: u32) -> TspInstance {
    assert!(seed < MODULUS, "a seed is below 10^9");
    let mut generator = Knuth55::new(seed);
    let coordinates = (0..2 * n_cities).map(|_| f64::from(generator.next() / 1000)).collect();
    TspInstance::from_coordinates(WeightKind::Euc2D, coordinates)
}

/// The generator of the challenge's random numbers, modulo 10^9.
///
/// The generator is subtractive with the lags 55 and 24 (Knuth, "The Art of Computer Programming", volume 2, section 3.2.2).
struct Knuth55 {
    numbers: [u32; 55],
    at: usize,
    lagged: usize,
}

/// The upper limit of random numbers.
const MODULUS: u32 = 1_000_000_000;

impl Knuth55 {
    fn new(seed: u32) -> Self {
        let mut numbers = [0; 55];
        let (mut last, mut next) = (seed, 1);
        numbers[0] = seed;
        for place in (1..55).map(|step| 21 * step % 55) {
            numbers[place] = next;
            next = difference(last, next);
            last = numbers[place];
        }
        let mut generator = Self { numbers, at: 0, lagged: 24 };
        for _ in 0..165 {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u32 {
        let before = |place: usize| if place == 0 { 54 } else { place - 1 };
        (self.at, self.lagged) = (before(self.at), before(self.lagged));
        self.numbers[self.at] = difference(self.numbers[self.at], self.numbers[self.lagged]);
        self.numbers[self.at]
    }
}

fn difference(one: u32, other: u32) -> u32 {
    if one >= other { one - other } else { one + MODULUS - other }
}

/// The published set `dimacs`.
pub(super) const DIMACS_SET: PublishedSet = PublishedSet {
    name: "dimacs",
    doc: "uniform instances of 1,000 to 31,623 cities (E1k to E31k) of the 8th DIMACS implementation challenge",
    source: "Johnson and McGeoch, Experimental Analysis of Heuristics for the STSP, in: The Traveling Salesman Problem and Its \
             Variations, 2002",
    ids: || Published::ids(TABLE),
    make: |id, _| {
        Ok(PublishedInstance {
            bucket: id.split('.').next().unwrap_or(id).to_owned(),
            best_known: Published::find(TABLE, id).best_known("best_known_length"),
            instance: Box::new(instance(id)),
        })
    },
};

/// The generator of `runner generate tsp`.
pub(super) const GENERATOR: Generator =
    Generator { options: &[SIZE], help: include_str!("help/generate.txt").trim_ascii_end(), request };

const SIZE: OptionDeclaration =
    OptionDeclaration { default: Some("1000"), ..OptionDeclaration::new("size", "N", "Number of cities, 3 to 65535") };

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let n_cities = SIZE.number(options, MIN_CITIES..=MAX_CITIES, "number of cities")?;
    if seed.saturating_add(count as u64) > MODULUS.into() {
        let message = format!(
            "--seed {seed} is too large: {count} instances use successive seeds, and the last seeds exceed the limit"
        );
        return Err(OptionError::new(message).expecting(format!("expected seeds of at most {}", MODULUS - 1)));
    }
    Ok(GeneratorRequest::new(count, move |number| {
        let seed = seed + number as u64;
        Ok(GeneratedInstance {
            id: format!("u{n_cities}-{seed}"),
            bucket: n_cities.to_string(),
            fields: vec![GeneratedField::new("cities", uniform(n_cities, seed as u32).content())],
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a of the content.
    fn hash(content: &str) -> u64 {
        content.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    }

    #[test]
    fn the_instances_of_the_challenge_are_made_to_the_bit() {
        // The hashes are of instances that an independent program in another language made from the same seeds.
        let expected = [
            ("E1k.0", 0x20bdc93e339a3fb7),
            ("E1k.1", 0x7f886b43abea85e4),
            ("E1k.2", 0x72dabf01d9f2269b),
            ("E1k.3", 0xd3a82da8ab27f707),
            ("E1k.4", 0x952c1043a2f9b39a),
            ("E1k.5", 0x20c1acdb5c2b5573),
            ("E1k.6", 0xa19e17795e7fbc1e),
            ("E1k.7", 0x221e99e28afb56ce),
            ("E1k.8", 0x30557449531ba29c),
            ("E1k.9", 0x890d82c18b8ec3dd),
            ("E3k.0", 0xccaf83cc84734f5b),
            ("E3k.1", 0x451cf85a2b229aed),
            ("E3k.2", 0x298b8f1d1560f846),
            ("E3k.3", 0x7e45caaa187398cf),
            ("E3k.4", 0x255016f0760de627),
            ("E10k.0", 0x43a8428b172e0bfb),
            ("E10k.1", 0x81d671490e99ae31),
            ("E10k.2", 0xea7cb64a845e0757),
            ("E31k.0", 0xc58e893600014bab),
            ("E31k.1", 0x4602186b574b4c3c),
        ];
        assert_eq!((DIMACS_SET.ids)(), expected.map(|(id, _)| id));
        for (id, expected) in expected {
            let made = (DIMACS_SET.make)(id, &Default::default()).expect("it can be made");
            assert_eq!(hash(&made.instance.content()), expected, "{id}");
            assert!(made.bucket == id[..id.len() - 2]);
        }
    }

    #[test]
    fn the_first_cities_of_a_seed_are_known() {
        let content = uniform(1000, 1000).content();
        assert!(content.starts_with("EUC_2D 140237 801141 169837 196125 685585 729516 "), "{}", &content[..60]);
    }

    #[test]
    fn instances_are_asked_for_by_size_and_seed() {
        let ask = |size: &str, count, seed| {
            super::request(&RequestOptions::from([("size", vec![size.to_owned()])]), count, seed)
        };
        let request = ask("12", 2, 7).expect("it can be");
        let made = request.make(1).expect("it is made");
        assert_eq!((request.n_instances, made.id.as_str(), made.bucket.as_str()), (2, "u12-8", "12"));
        assert_eq!(TspInstance::from_content(&made.fields[0].value).expect("an instance").n_cities(), 12);
        assert_eq!(made.fields[0].value, uniform(12, 8).content());
        for (size, seed) in [("2", 1), ("65536", 1), ("x", 1), ("10", 999_999_999), ("10", u64::MAX)] {
            assert!(ask(size, 2, seed).is_err(), "{size} {seed}");
        }
    }
}

//! Generated instances: uniform ones by size and seed, and those of the DIMACS challenge.

use evogrid_core::prelude::*;

use super::{DimacsInstance, MAX_CITIES, MIN_CITIES, uniform};

/// The largest seed of `portgen`.
const MAX_SEED: u64 = 999_999_999;

/// `dimacs` among the published sets.
pub(super) const DIMACS_SET: PublishedSet = PublishedSet {
    name: "dimacs",
    doc: "uniform instances of 1,000 to 31,623 cities (E1k to E31k) of the 8th DIMACS implementation challenge",
    source: "Johnson and McGeoch, Experimental Analysis of Heuristics for the STSP, in: The Traveling Salesman Problem and Its \
             Variations, 2002",
    ids: || DimacsInstance::all().map(|instance| instance.id.to_owned()).collect(),
    make: |id, _| {
        let found = DimacsInstance::find(id).ok_or_else(|| InstanceError::new(format!("`{id}` does not exist")))?;
        let best_known = found.best_known.map(|(length, is_optimal)| BestKnown::new(length as f64, is_optimal));
        let bucket = id.split('.').next().unwrap_or(id).to_owned();
        Ok(PublishedInstance { bucket, best_known, instance: Box::new(found.make()) })
    },
};

/// `runner generate tsp`.
pub(super) const GENERATOR: Generator =
    Generator { options: &[SIZE], help: include_str!("help/generate.txt").trim_ascii_end(), request };

const SIZE: OptionDeclaration =
    OptionDeclaration { default: Some("1000"), ..OptionDeclaration::new("size", "N", "Number of cities, 3 to 65535") };

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let n_cities = SIZE.number(options, MIN_CITIES..=MAX_CITIES, "number of cities")?;
    let last = (count as u64).checked_sub(1).map_or(Some(seed), |more| seed.checked_add(more));
    if last.is_none_or(|last| last > MAX_SEED) {
        let message = format!("--seed {seed}: the generator does not have a seed for each of {count} instances");
        return Err(OptionError::new(message).expecting(format!("expected seeds up to {MAX_SEED}")));
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
    use crate::tsp::TspInstance;

    /// FNV-1a of the content.
    fn hash(content: &str) -> u64 {
        content.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    }

    #[test]
    fn the_instances_of_the_challenge_are_made_to_the_bit() {
        // Of what a program of its own made from the same seeds, in another language.
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
        assert!((DIMACS_SET.make)("E1k.10", &Default::default()).is_err());
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

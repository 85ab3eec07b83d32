//! Seeds of instances that are made, and Taillard's generator of random numbers, which two families have their published instances from.

/// The modulus of [Taillard's generator](Lehmer), 2^31 - 1: its seeds lie between 1 and 2^31 - 2.
pub(crate) const MODULUS: u64 = (1 << 31) - 1;

/// Lehmer's generator with the multiplier 16807 (P. Bratley, B. L. Fox and L. E. Schrage, "A guide to simulation", 1983), as E. Taillard,
/// "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993, 278-285 uses it.
pub(crate) struct Lehmer {
    state: u64,
}

impl Lehmer {
    /// # Panics
    /// If the seed is 0, from which no random numbers come, or not below the modulus.
    pub(crate) fn new(seed: u64) -> Self {
        assert!((1..MODULUS).contains(&seed), "a seed is between 1 and 2^31 - 2");
        Self { state: seed }
    }

    /// A whole number below a limit. Taillard divides doubles here; on the published instances this is the same.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state * 16_807 % MODULUS;
        self.state * limit / MODULUS
    }
}

/// A seed derived from all parts of an instance's name: a stable hash (BLAKE3) of its numbers, followed by a text. The text is the only
/// part of varying length, so different lists of parts never have the same encoding.
pub(crate) fn derived_seed(context: &str, numbers: &[u64], text: &str) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    let hash = hasher.update(text.as_bytes()).finalize();
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}

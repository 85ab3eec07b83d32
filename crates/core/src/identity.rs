//! Identity: the seed of a run, and the id that follows from everything that determines its outcome.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// The version of the results. It is raised whenever a change of the code changes the outcome of some run, so that old and new runs have
/// different ids.
pub const RESULTS_VERSION: u32 = 1;

/// Seeds are below 2^53, so that every program that reads a CSV can hold them exactly.
pub(crate) const SEED_LIMIT: u64 = 1 << 53;

/// The stable hash of the content of an instance, or of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of an instance of the family `problem` with this canonical text. Its id and bucket have no part in it.
    pub fn of_instance(problem: &str, content: &str) -> Self {
        static PURPOSE: Purpose = Purpose::new("evogrid 1 instance content");
        Self(PURPOSE.digest().field(problem.as_bytes()).field(content.as_bytes()).finish())
    }

    /// The fingerprint of all settings, the budget among them, by their [canonical text](crate::settings::Settings::canonical).
    pub fn of_settings(canonical: &str) -> Self {
        static PURPOSE: Purpose = Purpose::new("evogrid 1 settings");
        Self(PURPOSE.digest().field(canonical.as_bytes()).finish())
    }

    /// The same settings carried out by other code: the fingerprint with the [versions](crate::catalogue::Catalogue::versions) of the
    /// members that are used. If all have version 1, the fingerprint is unchanged.
    #[must_use]
    pub fn with_versions(self, versions: &[(String, u32)]) -> Self {
        static PURPOSE: Purpose = Purpose::new("evogrid 1 versions of members");
        if versions.is_empty() {
            return self;
        }
        let mut digest = PURPOSE.digest();
        digest.field(&self.0);
        for (member, version) in versions {
            digest.field(member.as_bytes()).field(&version.to_le_bytes());
        }
        Self(digest.finish())
    }
}

/// The seed of a run, below 2^53.
///
/// It depends on the seed of the experiment, the content of the instance and the repetition; and on the settings, unless they are
/// `None`: then all settings get the same stream (paired seeding).
pub fn run_seed(experiment_seed: u64, instance: &Fingerprint, repetition: u64, settings: Option<&Fingerprint>) -> u64 {
    static PURPOSE: Purpose = Purpose::new("evogrid 1 seed of a run");
    let hash = PURPOSE
        .digest()
        .field(&experiment_seed.to_le_bytes())
        .field(&instance.0)
        .field(&repetition.to_le_bytes())
        .field(settings.map_or(&[], |settings| &settings.0))
        .finish();
    first_bits(&hash) % SEED_LIMIT
}

/// The id of a run: an `r` and 16 hexadecimal digits. The default, all zeros, stands for a run of another program.
///
/// ```
/// use evogrid_core::identity::{Fingerprint, RunId, run_seed};
///
/// let instance = Fingerprint::of_instance("tour", "0 0; 3 4; 6 0");
/// let settings = Fingerprint::of_settings("kind=\"genetic\"\npopulation=100\n");
/// let seed = run_seed(2016, &instance, 0, None);
/// let id = RunId::new(&settings, &instance, seed);
/// assert_eq!(id.to_string().parse(), Ok(id));
/// assert_ne!(id, RunId::new(&settings, &instance, run_seed(2016, &instance, 1, None)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(u64);

impl RunId {
    /// The id with this number.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The id as a number.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The id of the run with this seed, on an instance, under settings.
    pub fn new(settings: &Fingerprint, instance: &Fingerprint, seed: u64) -> Self {
        static PURPOSE: Purpose = Purpose::new("evogrid 1 identity of a run");
        let hash = PURPOSE
            .digest()
            .field(&RESULTS_VERSION.to_le_bytes())
            .field(&settings.0)
            .field(&instance.0)
            .field(&seed.to_le_bytes())
            .finish();
        Self(first_bits(&hash))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "r{:016x}", self.0)
    }
}

/// The text is not a run id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a run id: expected an `r` and 16 hexadecimal digits")]
pub struct RunIdError(String);

impl FromStr for RunId {
    type Err = RunIdError;

    fn from_str(text: &str) -> Result<Self, RunIdError> {
        let digits = text.strip_prefix('r').filter(|digits| {
            digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        });
        let bits = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        bits.map(Self).ok_or_else(|| RunIdError(text.to_owned()))
    }
}

/// The purpose of a hash, which separates it from hashes for other purposes. It is hashed once, not for every run.
struct Purpose(&'static str, OnceLock<blake3::Hasher>);

impl Purpose {
    const fn new(purpose: &'static str) -> Self {
        Self(purpose, OnceLock::new())
    }

    fn digest(&self) -> Digest {
        Digest(self.1.get_or_init(|| blake3::Hasher::new_derive_key(self.0)).clone())
    }
}

/// BLAKE3 of a list of fields, each preceded by its length, so that different lists never give the same input.
struct Digest(blake3::Hasher);

impl Digest {
    fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn finish(&self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }
}

fn first_bits(hash: &[u8; 32]) -> u64 {
    u64::from_le_bytes(hash[..8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_matters_changes_the_seed() {
        let (one, other) = (Fingerprint::of_instance("latin", "a"), Fingerprint::of_instance("latin", "b"));
        let seeds = [
            run_seed(1, &one, 0, None),
            run_seed(2, &one, 0, None),
            run_seed(1, &other, 0, None),
            run_seed(1, &one, 1, None),
            run_seed(1, &one, 0, Some(&Fingerprint::of_settings("population=100\n"))),
        ];
        for (at, seed) in seeds.iter().enumerate() {
            assert!(*seed < SEED_LIMIT && !seeds[..at].contains(seed));
        }
    }

    #[test]
    fn a_run_id_is_read_back_and_anything_else_is_refused() {
        let id = RunId(0x0123_4567_89ab_cdef);
        assert_eq!(id.to_string(), "r0123456789abcdef");
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "r", "0123456789abcdef", "r0123456789ABCDEF", "r+123456789abcdef", "r0123456789abcdef0"] {
            assert!(wrong.parse::<RunId>().is_err(), "{wrong}");
        }
    }
}

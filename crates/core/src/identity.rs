//! The identity of a run: its seed and its id. The id is a hash of everything that determines the run's outcome.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use blake3::Hasher;

/// The version of the results. Every run id depends on the version of the results. If a change of the code alters the outcome of any run,
/// the version is raised. Therefore runs of the old code and runs of the changed code have different ids.
pub const RESULTS_VERSION: u32 = 1;

/// The limit of seeds: every seed is below it. Every program that reads a CSV represents numbers below 2^53 exactly.
pub(crate) const SEED_LIMIT: u64 = 1 << 53;

/// The stable hash of the content of an instance, or of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of an instance of the family `problem` with this text. The fingerprint ignores the id and the bucket of the
    /// instance.
    pub fn of_instance(problem: &str, content: &str) -> Self {
        static PURPOSE: Purpose = Purpose::new(|| Hasher::new_derive_key("evogrid 1 instance content"));
        Self(hash(&PURPOSE, &[problem.as_bytes(), content.as_bytes()]))
    }

    /// The fingerprint of all settings, including the budget. The fingerprint is computed from the [canonical
    /// text](crate::settings::Settings::canonical) of the settings.
    pub fn of_settings(canonical: &str) -> Self {
        static PURPOSE: Purpose = Purpose::new(|| Hasher::new_derive_key("evogrid 1 settings"));
        Self(hash(&PURPOSE, &[canonical.as_bytes()]))
    }

    /// Computes a fingerprint of the settings and of the [versions](crate::catalogue::Catalogue::versions) of the chosen members. The
    /// chosen members are the algorithm and its operators. If all chosen members have version 1, the result equals the fingerprint of the
    /// settings alone.
    #[must_use]
    pub fn with_versions(self, versions: &[(String, u32)]) -> Self {
        static PURPOSE: Purpose = Purpose::new(|| Hasher::new_derive_key("evogrid 1 versions of members"));
        if versions.is_empty() {
            return self;
        }
        let numbers: Vec<[u8; 4]> = versions.iter().map(|(_, version)| version.to_le_bytes()).collect();
        let members = versions.iter().zip(&numbers).flat_map(|((member, _), number)| [member.as_bytes(), number]);
        Self(hash(&PURPOSE, &[&self.0[..]].into_iter().chain(members).collect::<Vec<_>>()))
    }
}

/// The seed of a run, below 2^53.
///
/// The seed depends on the experiment's seed, the instance's content and the repetition. If `settings` is given, the seed also depends on
/// the settings. If `settings` is `None`, runs with different settings have the same random stream (paired seeding).
pub fn run_seed(experiment_seed: u64, instance: &Fingerprint, repetition: u64, settings: Option<&Fingerprint>) -> u64 {
    static PURPOSE: Purpose = Purpose::new(|| Hasher::new_derive_key("evogrid 1 seed of a run"));
    let (seed, repetition) = (experiment_seed.to_le_bytes(), repetition.to_le_bytes());
    let settings = settings.map_or(&[][..], |settings| &settings.0);
    first_bits(&hash(&PURPOSE, &[&seed, &instance.0, &repetition, settings])) % SEED_LIMIT
}

/// The id of a run: an `r` and 16 hexadecimal digits. In the default id, all digits are zeros. The default id stands for a run of another
/// program.
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

    /// The id of the run with these settings, this instance and this seed.
    pub fn new(settings: &Fingerprint, instance: &Fingerprint, seed: u64) -> Self {
        static PURPOSE: Purpose = Purpose::new(|| Hasher::new_derive_key("evogrid 1 identity of a run"));
        let version = RESULTS_VERSION.to_le_bytes();
        Self(first_bits(&hash(&PURPOSE, &[&version, &settings.0, &instance.0, &seed.to_le_bytes()])))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "r{:016x}", self.0)
    }
}

/// The error for a text that is not a run id.
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

/// A hasher for one purpose. Its hashes differ from hashes for other purposes. The hasher is made once, not for every run.
type Purpose = LazyLock<Hasher>;

/// BLAKE3 of a list of fields. The length of each field precedes the field. Therefore different lists never give the same input.
fn hash(purpose: &Hasher, fields: &[&[u8]]) -> [u8; 32] {
    let mut hasher = purpose.clone();
    for field in fields {
        hasher.update(&(field.len() as u64).to_le_bytes());
        hasher.update(field);
    }
    *hasher.finalize().as_bytes()
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

//! Detects a run that appears twice in a file of runs. Also detects a bucket whose name is reserved for all buckets together.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use evogrid_core::identity::RunId;

use super::Row;
use crate::format::quoted;
use crate::run::ALL_BUCKETS;

/// The number of sets in which the runs are stored. A set doubles its memory when it grows. With many sets, only a small part of the memory
/// is copied at a time.
const N_SETS: usize = 64;

/// The set of runs in a file, as hashes of 10 to 21 bytes each. For two million different runs, the probability that two of them have the
/// same hash is one in ten million.
#[derive(Debug)]
pub(super) struct RunSet([HashSet<u64>; N_SETS]);

impl Default for RunSet {
    fn default() -> Self {
        Self(std::array::from_fn(|_| HashSet::new()))
    }
}

impl RunSet {
    /// Adds a run; returns false if it is already in the set.
    pub(super) fn insert(&mut self, row: &Row) -> bool {
        let hash = Self::hash(row);
        self.0[hash as usize % N_SETS].insert(hash)
    }

    /// The hash of the properties that distinguish runs: the algorithm, and the id or (in files of other programs) the names. The algorithm
    /// is included since two algorithms of an experiment may share a run.
    pub(super) fn hash(row: &Row) -> u64 {
        let key = &row.key;
        let mut hasher = DefaultHasher::new();
        key.algorithm.hash(&mut hasher);
        if key.run_id == RunId::default() {
            (&row.varied, &key.problem, &key.instance, &key.bucket, key.repetition).hash(&mut hasher);
        } else {
            key.run_id.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The description of a run in messages; `varied` are the names of its settings.
    pub(super) fn describe(row: &Row, varied: &[String]) -> String {
        let key = &row.key;
        if key.run_id != RunId::default() {
            return format!("the run {} of `{}`", key.run_id, quoted(&key.algorithm));
        }
        let settings = varied.iter().zip(&row.varied).filter(|(_, value)| !value.is_empty());
        let settings: Vec<String> =
            settings.map(|(name, value)| format!("{} = {}", quoted(name), quoted(value))).collect();
        let settings = if settings.is_empty() { String::new() } else { format!(" ({})", settings.join(", ")) };
        let (algorithm, instance) = (quoted(&key.algorithm), quoted(&key.instance));
        format!("the run of `{algorithm}`{settings} on `{instance}` with repetition {}", key.repetition)
    }
}

/// Detects whether a file has a bucket called `all` as well as other buckets. The values of this bucket could not be distinguished from the
/// values of all buckets together.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    /// The line of the first row in that bucket.
    first_of_all: Option<u64>,
    has_others: bool,
}

impl Buckets {
    /// Notes the bucket of the row on a line. If the file has a bucket `all` and another bucket, the line of the first row in `all` is
    /// returned.
    pub(super) fn mixed(&mut self, bucket: &str, line: u64) -> Option<u64> {
        if bucket == ALL_BUCKETS {
            self.first_of_all.get_or_insert(line);
        } else {
            self.has_others = true;
        }
        self.first_of_all.filter(|_| self.has_others)
    }
}

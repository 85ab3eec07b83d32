//! A random sample of runs.

use evogrid_core::random::RandomStream;

use evogrid_runner::experiment::plan::Run;

/// A random sample of the offered runs, each equally likely (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
pub(super) struct Sample {
    size: usize,
    offered: usize,
    runs: Vec<Run>,
    random: RandomStream,
}

impl Sample {
    /// A sample of this size; the choice depends on the seed.
    pub(super) fn new(size: usize, seed: u64) -> Self {
        Self { size, offered: 0, runs: Vec::new(), random: RandomStream::from_seed(seed) }
    }

    /// Offers a run to the sample; it may replace another one.
    pub(super) fn offer(&mut self, run: Run) {
        self.offered += 1;
        if self.runs.len() < self.size {
            self.runs.push(run);
            return;
        }
        let place = self.random.below(self.offered);
        if place < self.size {
            self.runs[place] = run;
        }
    }

    /// Whether the sample omits some of the offered runs.
    pub(super) fn is_part(&self) -> bool {
        self.offered > self.runs.len()
    }

    /// The runs in the sample.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }
}

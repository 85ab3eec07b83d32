//! A random sample of runs.

use evogrid_core::random::RandomStream;

use evogrid_runner::experiment::plan::Run;

/// Some of the runs that are offered, each equally likely (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
pub(super) struct Sample {
    size: usize,
    offered: usize,
    runs: Vec<Run>,
    random: RandomStream,
}

impl Sample {
    /// A sample of so many; which they are follows from the seed.
    pub(super) fn new(size: usize, seed: u64) -> Self {
        Self { size, offered: 0, runs: Vec::new(), random: RandomStream::from_seed(seed) }
    }

    /// Takes a run in, perhaps in the place of another.
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

    /// Whether there are runs that it does not have.
    pub(super) fn is_part(&self) -> bool {
        self.offered > self.runs.len()
    }

    /// The runs.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }
}

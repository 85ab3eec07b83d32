//! Repeats a sample of the runs, within the memory of the machine and the time that the user permits.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use evogrid_core::random::RandomStream;
use evogrid_results::journal::Index;
use evogrid_runner::engine::memory;
use evogrid_runner::engine::replay::{Difference, Repetition, Unrepeatable, repeat};
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::external;

use super::findings::Findings;

/// Repeats the runs of a sample. Runs that have not ended after `time` count as not repeated, since a folder may contain a run that never
/// ends. Runs that never end stop when this process ends.
pub(super) fn repeat_sample(
    (plan, index): (&Arc<Plan>, &Arc<Index>),
    sample: &Sample,
    time: Duration,
    found: &mut Findings,
) {
    let n_runs = sample.runs.len();
    if n_runs == 0 {
        return;
    }
    let deadline = Instant::now() + time;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(n_runs);
    // The runs have threads of their own, because a run that never ends blocks its thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(memory::jobs_that_fit(plan, &sample.runs, jobs)).build();
    let pool = pool.expect("the system can start threads");
    let (sender, ended) = mpsc::channel();
    for (number, run) in sample.runs.iter().enumerate() {
        let (plan, index, run, sender) = (Arc::clone(plan), Arc::clone(index), run.clone(), sender.clone());
        // After the time is over, nobody receives the outcome.
        pool.spawn_fifo(move || drop(sender.send((number, repeated(&plan, &index, &run)))));
    }
    drop(sender);
    let mut outcomes: Vec<Option<Result<Vec<Difference>>>> = (0..n_runs).map(|_| None).collect();
    while let Ok((number, outcome)) = ended.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        outcomes[number] = Some(outcome);
    }
    if outcomes.iter().any(Option::is_none) {
        external::end_all();
    }
    let late = || Err(Unrepeatable(format!("the run did not finish within {} s (`--seconds`)", time.as_secs())).into());
    for (run, outcome) in sample.runs.iter().zip(outcomes) {
        let (outcome, instance) = (outcome.unwrap_or_else(late), plan.instance(run).id);
        found.repeated += u64::from(outcome.is_ok());
        match outcome {
            Ok(differences) => {
                if let Some((column, recorded, now)) = differences.first() {
                    let change = format!("{column} was recorded as {recorded} and is now {now}");
                    found.faults.add(format!("{} on {instance}, repeated: {change}", run.id));
                }
            }
            Err(error) => match error.downcast_ref() {
                Some(Unrepeatable(why)) => found.unrepeatable(1, (run.id, instance), why),
                None => found.faults.add(format!("{} on {instance} failed when repeated: {error:#}", run.id)),
            },
        }
    }
}

/// Repeats a run, and returns the differences from its record.
fn repeated(plan: &Plan, index: &Index, run: &Run) -> Result<Vec<Difference>> {
    // The record is read again instead of kept, since a record and its solution may be long.
    let record = index.get(run.id)?.context("the record of the run is missing")?;
    let (family, instance) = plan.restore(run)?;
    let (settings, search) = (&*plan.settings(run), &run.projection().search);
    let (instance, content) = (instance.as_ref(), plan.instance(run).content);
    repeat(&record, &Repetition { family, instance, content, settings, search })
}

/// A random sample of the offered runs, each equally likely (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
pub(super) struct Sample {
    size: usize,
    pub(super) offered: usize,
    pub(super) runs: Vec<Run>,
    random: RandomStream,
}

impl Sample {
    /// A sample of this size; the choice depends on the seed.
    pub(super) fn new(size: usize, seed: u64) -> Self {
        Self { size, offered: 0, runs: Vec::new(), random: RandomStream::from_seed(seed) }
    }

    /// Offers a run to the sample. The run may replace another run of the sample.
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
}

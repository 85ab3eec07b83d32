//! The watch, which looks at results folders repeatedly and keeps aggregates between two looks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::{JournalTail, RunInFlight, runs_in_flight};

use super::experiment::WatchedExperiment;
use super::processes::{Life, ProcessState, Sessions, last_dead};
use super::standing::Standing;
use super::state::{LiveState, Phase, RunTotals};
use super::tally::{ConfigurationTally, Tallies, TallyVisitor};
use crate::messages::{going_on, rendered, shell_word};
use evogrid_runner::engine::folder::manifest::stamp;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::forecast::runs_at_a_time;
use evogrid_runner::experiment::schedule::Schedule;
use evogrid_runner::experiment::spec::AnalysisPlan;
use evogrid_runner::system::clock::utc_now;
use serde_json::json;

/// If no record is written for longer than this, the forecast changes. Shorter pauses are normal, since the journal is written only from
/// time to time.
const SILENCE_THAT_TELLS: Duration = Duration::from_secs(10);

/// A watch on an experiment, with the aggregates of its runs.
pub(crate) struct Watch {
    folders: Vec<PathBuf>,
    words: Vec<String>,
    journals: Vec<PathBuf>,
    catalogue: Arc<Catalogue>,
    experiment: WatchedExperiment,
    go_on: String,
    tails: Vec<JournalTail>,
    tallies: Tallies,
    sessions: Sessions,
    /// For each journal file, the number of its runs, and the time when this number last changed.
    arrivals: BTreeMap<PathBuf, (u64, Instant)>,
    rate: RateWindow,
    interval: Option<Duration>,
}

impl Watch {
    /// Watches the folders, which must belong to one experiment; `go_on` returns the command that continues the experiment in the first
    /// folder.
    ///
    /// # Errors
    /// If a manifest cannot be read or planned, or if the manifests belong to different experiments.
    pub(crate) fn open(folders: &[PathBuf], catalogue: Catalogue, interval: Option<Duration>) -> Result<Self> {
        let catalogue = Arc::new(catalogue);
        let experiment = WatchedExperiment::open(folders, &catalogue)?;
        let journals: Vec<PathBuf> = folders.iter().map(|folder| Folder::new(folder.clone()).journal()).collect();
        let (tallies, tails) = empty(&experiment, &journals);
        Ok(Self {
            words: folders.iter().map(|folder| shell_word(folder)).collect(),
            go_on: going_on(
                Schedule::command(experiment.schedule.as_ref()),
                Path::new(&experiment.experiment.file),
                &experiment.experiment.sets,
                folders.first().filter(|_| folders.len() == 1).map(PathBuf::as_path),
            ),
            tails,
            tallies,
            sessions: Sessions::default(),
            arrivals: BTreeMap::new(),
            rate: RateWindow::default(),
            folders: folders.to_vec(),
            journals,
            catalogue,
            experiment,
            interval,
        })
    }

    /// Ends the watch: the next look is the last one.
    pub(crate) fn end(&mut self) {
        self.interval = None;
    }

    /// Reads the changes since the previous call, and returns the state.
    ///
    /// # Errors
    /// If a file cannot be read, or [`Cancelled`](evogrid_results::journal::JournalError::Cancelled) as soon as
    /// `is_cancelled` returns true.
    pub(crate) fn look(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<LiveState<'_>> {
        self.reopen_if_outdated();
        // Processes and active runs are read before the journal. So a run that ends in between counts as finished.
        let mut found: Vec<(usize, ProcessState)> = Vec::new();
        for (folder, journal) in self.journals.iter().enumerate() {
            found.extend(self.sessions.processes(journal).into_iter().map(|process| (folder, process)));
        }
        self.note_runs_in_flight(&found);
        self.read_journals(is_cancelled)?;
        let is_any_alive = found.iter().any(|(_, process)| process.life == Life::Alive);
        self.rate.add(Instant::now(), self.tallies.n_runs(), is_any_alive);
        for (folder, process) in &mut found {
            let file = self.tails[*folder].files().position(|file| file == process.journal);
            if let Some(&tally) = file.and_then(|file| self.tallies.files[*folder].get(file)) {
                (process.n_runs, process.wall_ms) = tally;
            }
            process.idle = idle_time(&mut self.arrivals, process);
        }
        let processes: Vec<ProcessState> = found.into_iter().map(|(_, process)| process).collect();
        let (mut n_running, mut running) = (0, vec![0; self.tallies.configurations.len()]);
        for (run, _) in self.tallies.in_flight.iter().filter(|(_, is_finished)| !is_finished) {
            n_running += 1;
            if let Some(running) = run.configuration.and_then(|configuration| running.get_mut(configuration as usize)) {
                *running += 1;
            }
        }
        let runs = RunTotals::of(&self.tallies.configurations);
        let phase = phase(&processes, runs);
        let at_a_time = at_a_time(&processes);
        let living = processes.iter().filter(|process| process.life == Life::Alive);
        let silent = living.map(|process| process.idle).min().unwrap_or_default();
        let spec = self.experiment.plan.spec();
        let n_families = spec.instances.problems().len();
        let metric = self.experiment.experiment.analysis.as_ref().and_then(AnalysisPlan::metric);
        let sizes = (self.experiment.n_instances(), n_families, self.experiment.direction);
        let standing = Standing::new(&self.tallies.configurations, sizes, metric);
        let mut notes = self.notes(&processes);
        if !standing.places.is_empty() {
            notes.extend_from_slice(&self.experiment.limit_notes);
        }
        Ok(LiveState {
            name: &spec.name,
            title: &spec.title,
            folders: &self.words,
            phase,
            names: &self.experiment.configurations.names,
            tallies: &self.tallies.configurations,
            running,
            runs_per_configuration: self.experiment.runs_per_configuration,
            runs,
            n_running: if phase == Phase::Running { n_running } else { 0 },
            speed: self.rate.speed(),
            forecast: self.tallies.times.forecast(at_a_time, silent.saturating_sub(SILENCE_THAT_TELLS).as_secs_f64()),
            at_a_time,
            failures: &self.tallies.failures,
            standing,
            are_tables_made: self.experiment.are_tables_made,
            notes,
            go_on: &self.go_on,
            at: utc_now(),
            interval: self.interval.map(|interval| interval.as_secs()),
            processes,
        })
    }

    /// Reads the manifests again if one of them was written, since the experiment may have grown or ended. If a manifest cannot be read
    /// now, the next look tries again.
    fn reopen_if_outdated(&mut self) {
        if self.folders.iter().map(|folder| stamp(folder)).eq(self.experiment.stamps.iter().copied()) {
            return;
        }
        let Ok(found) = WatchedExperiment::open(&self.folders, &self.catalogue) else { return };
        if !found.is_same_as(&self.experiment) {
            (self.tallies, self.tails) = empty(&found, &self.journals);
            self.rate = RateWindow::default();
        }
        self.experiment = found;
    }

    fn note_runs_in_flight(&mut self, processes: &[(usize, ProcessState)]) {
        let is_alive = |journal: &PathBuf| {
            processes.iter().any(|(_, process)| process.life == Life::Alive && process.journal == *journal)
        };
        let before = std::mem::take(&mut self.tallies.in_flight);
        for journal in self.journals.iter().filter(|_| !processes.is_empty()) {
            // A file that cannot be read names no runs.
            for (file, runs) in runs_in_flight(journal).unwrap_or_default() {
                if is_alive(&file) {
                    // An idle thread still names its last run.
                    let is_finished = |run: RunInFlight| before.contains(&(run, true));
                    self.tallies.in_flight.extend(runs.into_iter().map(|run| (run, is_finished(run))));
                }
            }
        }
    }

    fn read_journals(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<()> {
        let mut was_reset = false;
        for (folder, tail) in self.tails.iter_mut().enumerate() {
            let Self { tallies, experiment, .. } = self;
            let change = tail.look(&mut TallyVisitor { tallies, experiment, folder }, is_cancelled)?;
            tallies.n_damaged += change.n_damaged;
            was_reset |= change.is_reset;
        }
        if was_reset {
            // The counts contain runs of files that no longer exist.
            (self.tallies, self.tails) = empty(&self.experiment, &self.journals);
            self.rate = RateWindow::default();
            return self.read_journals(is_cancelled);
        }
        Ok(())
    }

    fn notes(&self, processes: &[ProcessState]) -> Vec<String> {
        let configurations = self.tallies.configurations.iter().filter(|configuration| !configuration.is_shared);
        let excess = |tally: &ConfigurationTally| (tally.done + tally.failed).saturating_sub(tally.planned);
        let idle = idle_shards(processes);
        let values = json!({
            "n_idle": idle.map(|(n_idle, _)| n_idle),
            "n_shards": idle.map(|(_, n_shards)| n_shards),
            "n_damaged": self.tallies.n_damaged,
            "n_foreign": self.tallies.n_foreign,
            "excess": configurations.map(excess).sum::<u64>(),
        });
        rendered!("watch/notes.txt", values).lines().map(str::to_owned).collect()
    }
}

/// The counters and the tails of journals before anything is read.
fn empty(experiment: &WatchedExperiment, journals: &[PathBuf]) -> (Tallies, Vec<JournalTail>) {
    let tails = journals.iter().map(|journal| JournalTail::new(journal)).collect();
    (Tallies::new(experiment, journals.len()), tails)
}

/// The time since a process last finished a run.
fn idle_time(arrivals: &mut BTreeMap<PathBuf, (u64, Instant)>, process: &ProcessState) -> Duration {
    let now = Instant::now();
    let before_watch = || now.checked_sub(process.silence.unwrap_or_default()).unwrap_or(now);
    let (n_runs, since) = arrivals.entry(process.journal.clone()).or_insert_with(|| (process.n_runs, before_watch()));
    if *n_runs != process.n_runs {
        (*n_runs, *since) = (process.n_runs, now);
    }
    now.duration_since(*since)
}

fn phase(processes: &[ProcessState], runs: RunTotals) -> Phase {
    let is_alive = processes.iter().any(|process| process.life == Life::Alive);
    let n_dead = last_dead(processes).len() as u64;
    match (is_alive, runs.left()) {
        (true, 0) => Phase::Finishing,
        (true, _) => Phase::Running,
        (false, 0) => Phase::Finished,
        (false, _) if processes.is_empty() && runs.present() == 0 => Phase::NotBegun,
        (false, _) => Phase::Stopped { n_dead },
    }
}

/// The number of shards without a process, and the number of all shards; `None` if every shard has a process. The forecast then counts fewer
/// simultaneous runs than there will be, or runs that no process does.
fn idle_shards(processes: &[ProcessState]) -> Option<(usize, &str)> {
    let shards = |life: Life| {
        let of_life = processes.iter().filter(move |process| process.life == life);
        of_life.filter_map(|process| process.shard.as_deref()?.split_once('/'))
    };
    let n_alive = processes.iter().filter(|process| process.life == Life::Alive).count();
    let (_, count) = shards(Life::Alive).next()?;
    let of_count = |life: Life| shards(life).filter(|(_, n)| *n == count).map(|(shard, _)| shard);
    let (alive, ended): (BTreeSet<&str>, BTreeSet<&str>) =
        (of_count(Life::Alive).collect(), of_count(Life::Ended).collect());
    let n_idle = count.parse::<usize>().ok()?.saturating_sub(alive.union(&ended).count());
    (n_idle > 0 && alive.len() == n_alive).then_some((n_idle, count))
}

/// The number of simultaneous runs of the living processes.
fn at_a_time(processes: &[ProcessState]) -> f64 {
    let of_process = |process: &ProcessState| {
        // The durations of the active runs are not known.
        let busy = process.age.map_or(0.0, |age| age.saturating_sub(process.idle).as_secs_f64());
        runs_at_a_time(process.jobs as f64, process.n_runs, process.wall_ms / 1e3, busy)
    };
    let n: f64 = processes.iter().filter(|process| process.life == Life::Alive).map(of_process).sum();
    if n > 0.0 { n } else { 1.0 }
}

/// The period over which the rate is measured.
const RATE_TIME: Duration = Duration::from_mins(1);

/// The numbers of runs at the last looks, starting with the first look at which a process was alive.
#[derive(Debug, Default)]
struct RateWindow {
    counts: VecDeque<(Instant, u64)>,
}

impl RateWindow {
    /// Adds a look. Time without a living process is not counted: the window starts again after this time.
    fn add(&mut self, at: Instant, n_runs: u64, is_any_alive: bool) {
        if !is_any_alive {
            self.counts.clear();
            return;
        }
        self.counts.push_back((at, n_runs));
        while self.counts.len() > 2 && self.counts.get(1).is_some_and(|(one, _)| at.duration_since(*one) > RATE_TIME) {
            self.counts.pop_front();
        }
    }

    /// The rate of runs in the window; `None` before the second look.
    fn speed(&self) -> Option<(u64, f64)> {
        let ((first, before), (last, now)) = (self.counts.front()?, self.counts.back()?);
        let seconds = last.duration_since(*first).as_secs_f64();
        (seconds > 0.0).then_some((now - before, seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_a_living_process_is_not_counted() {
        let (begin, mut window) = (Instant::now(), RateWindow::default());
        let mut add = |second: u64, n_runs, is_any_alive| {
            window.add(begin + Duration::from_secs(second), n_runs, is_any_alive);
            window.speed()
        };
        assert_eq!(add(0, 5, true), None);
        assert_eq!(add(10, 105, true), Some((100, 10.0)));
        assert_eq!(add(12, 110, false), None);
        assert_eq!(add(22, 110, true), None);
        assert_eq!(add(24, 150, true), Some((40, 2.0)));
        // The window is the shortest one that contains a minute.
        assert_eq!(add(70, 200, true), Some((90, 48.0)));
        assert_eq!(add(90, 300, true), Some((150, 66.0)));
    }
}

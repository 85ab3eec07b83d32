//! The state of an experiment at one look, as aggregates.

use super::experiment::ConfigurationName;
use super::processes::{Life, ProcessState, last_dead};
use super::standing::Standing;
use super::tally::{ConfigurationTally, Failure};
use crate::messages::{counted, counted_are, duration, grouped, program, rendered};
use evogrid_runner::engine::forecast::Forecast;
use serde_json::{Value, json};

/// The state of an experiment at one look.
pub(crate) struct LiveState<'w> {
    /// The experiment's name and title; the title may be empty.
    pub(crate) name: &'w str,
    pub(crate) title: &'w str,
    /// The names of the folders, in the form in which a command needs them.
    pub(crate) folders: &'w [String],
    pub(crate) phase: Phase,
    /// The configurations by number: their names, their results, and the numbers of their active runs.
    pub(crate) names: &'w [ConfigurationName],
    pub(crate) tallies: &'w [ConfigurationTally],
    pub(crate) running: Vec<u64>,
    pub(crate) runs_per_configuration: u64,
    pub(crate) runs: RunTotals,
    /// The number of active runs of all configurations.
    pub(crate) n_running: u64,
    pub(crate) processes: Vec<ProcessState>,
    pub(crate) speed: Option<(u64, f64)>,
    pub(crate) forecast: Option<Forecast>,
    /// The number of simultaneous runs that the forecast assumes.
    pub(crate) at_a_time: f64,
    pub(crate) failures: &'w [Failure],
    pub(crate) standing: Standing,
    pub(crate) are_tables_made: bool,
    /// Notes about runs that the counts omit.
    pub(crate) notes: Vec<String>,
    /// The command that continues the experiment.
    pub(crate) go_on: &'w str,
    /// The time of the look, in UTC.
    pub(crate) at: String,
    /// The seconds between two looks; `None` if there is only one look.
    pub(crate) interval: Option<u64>,
}

/// The numbers of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunTotals {
    pub(crate) planned: u64,
    pub(crate) done: u64,
    pub(crate) failed: u64,
}

/// The phase of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No process has started.
    NotBegun,
    /// Processes are doing runs.
    Running,
    /// All runs are finished, but processes are still writing.
    Finishing,
    /// Runs are missing, and no process is alive. This many processes ended abnormally, and no process has started since then.
    Stopped { n_dead: u64 },
    /// All runs are finished, and no process is alive.
    Finished,
}

impl RunTotals {
    /// The totals of some configurations.
    pub(crate) fn of(configurations: &[ConfigurationTally]) -> Self {
        let done = |configuration: &ConfigurationTally| configuration.done.min(configuration.planned);
        Self {
            planned: configurations.iter().map(|configuration| configuration.planned).sum(),
            done: configurations.iter().map(done).sum(),
            failed: configurations
                .iter()
                .map(|configuration| configuration.failed.min(configuration.planned - done(configuration)))
                .sum(),
        }
    }

    /// The number of finished and failed runs.
    pub(crate) fn present(self) -> u64 {
        self.done + self.failed
    }

    /// The number of missing runs.
    pub(crate) fn left(self) -> u64 {
        self.planned.saturating_sub(self.present())
    }

    /// The percentage of present runs, rounded down; 100 only if all are present.
    pub(crate) fn percent(self) -> u64 {
        (100.0 * self.present() as f64 / self.planned.max(1) as f64) as u64
    }

    /// The numbers of failed and active runs, if there are any: `, 2 failed, 3 running`.
    pub(crate) fn remarks(self, running: u64) -> String {
        let counts = [(self.failed, "failed"), (running, "running")].into_iter().filter(|(n, _)| *n > 0);
        counts.map(|(n, what)| format!(", {} {what}", grouped(n))).collect()
    }
}

impl LiveState<'_> {
    /// The name of the phase in one or two words.
    pub(crate) fn heading(&self) -> &'static str {
        match self.phase {
            Phase::NotBegun => "not begun",
            Phase::Running => "running",
            Phase::Finishing => "writing tables",
            Phase::Stopped { n_dead: 0 } => "stopped",
            Phase::Stopped { .. } => "died",
            Phase::Finished if self.runs.failed > 0 => "finished, with failures",
            Phase::Finished => "finished",
        }
    }

    /// Sentences that advise the user; empty while everything runs normally.
    pub(crate) fn advice(&self) -> Vec<String> {
        let n_dead = if let Phase::Stopped { n_dead } = self.phase { n_dead } else { 0 };
        let values = json!({
            "heading": self.heading(),
            "go_on": self.go_on,
            "left": counted_are(self.runs.left(), "run"),
            "n_dead": grouped(n_dead),
            "n_failed": self.runs.failed,
            "are_tables_made": self.are_tables_made,
            "folders": self.folders,
        });
        rendered!("state/advice.txt", values).lines().map(str::to_owned).collect()
    }

    /// `12 of 40 runs (30 %), 2 failed, 4 running`.
    pub(crate) fn progress(&self) -> String {
        let runs = self.runs;
        let [present, planned] = [grouped(runs.present()), counted(runs.planned, "run")];
        format!("{present} of {planned} ({} %){}", runs.percent(), runs.remarks(self.n_running))
    }

    /// The remaining time: `12 min, likely 10 min to 15 min`; `None` unless runs are being done.
    pub(crate) fn time_left(&self) -> Option<String> {
        (self.phase == Phase::Running).then(|| Forecast::text(self.forecast.as_ref()))
    }

    /// How the remaining time and its range are computed; `None` without a forecast.
    pub(crate) fn method(&self) -> Option<String> {
        let forecast = self.forecast.filter(|_| self.phase == Phase::Running)?;
        Some(forecast.method(self.at_a_time))
    }

    /// `3.2 runs/s over the last 60 s`.
    pub(crate) fn rate(&self) -> Option<String> {
        let is_at_work = matches!(self.phase, Phase::Running | Phase::Finishing);
        let (n_runs, seconds) = self.speed.filter(|(_, seconds)| is_at_work && *seconds > 0.0)?;
        let rate = n_runs as f64 / seconds;
        let text = match rate {
            _ if n_runs == 0 => return Some(format!("no run has finished in the last {}", duration(seconds))),
            100.0.. => format!("{} runs/s", grouped(rate as u64)),
            1.0.. => format!("{rate:.1} runs/s"),
            _ if rate * 60.0 >= 1.0 => format!("{:.1} runs/min", rate * 60.0),
            _ => format!("{:.1} runs/h", rate * 3600.0),
        };
        Some(format!("{text} over the last {}", duration(seconds)))
    }

    /// The processes to show: the living processes, or else the processes that ended abnormally after the last normal end.
    pub(crate) fn shown_processes(&self) -> Vec<&ProcessState> {
        let living: Vec<&ProcessState> = self.processes.iter().filter(|process| process.life == Life::Alive).collect();
        if living.is_empty() { last_dead(&self.processes) } else { living }
    }

    /// The name of a configuration.
    pub(crate) fn name_of(&self, configuration: usize) -> String {
        self.names[configuration].text()
    }

    /// The leading configurations for a template, or null. `best` is the result of the best complete configuration on instances that were
    /// not used to choose it.
    pub(crate) fn leaders(&self) -> Value {
        let Standing { measure, places, best, note } = &self.standing;
        if self.names.len() < 2 || places.is_empty() && note.is_none() {
            return Value::Null;
        }
        json!({
            "is_finished": self.phase == Phase::Finished,
            "measure": measure,
            "places": places.iter().map(|(number, figure)| (self.name_of(*number), figure)).collect::<Vec<_>>(),
            "best": best.map(|best| best.sentence(&self.name_of(best.place))),
            "note": note,
        })
    }

    /// The command that repeats the first failed run and prints its message.
    pub(crate) fn replay(&self, failure: &Failure) -> String {
        let option = if failure.starts_program { " --run-programs" } else { "" };
        format!("{} replay {} {}{option}", program::name(), self.folders[failure.folder], failure.run_id)
    }
}

impl ProcessState {
    /// `process 4711 on node7, shard 2/8: alive, 4 runs at a time, 120 done, last sign of life 3 s ago`.
    pub(crate) fn text(&self) -> String {
        let values = json!({
            "name": self.name,
            "shard": self.shard,
            "life": format!("{:?}", self.life),
            "jobs": self.jobs,
            "n_runs": grouped(self.n_runs),
            "silence": self.silence.map(|silence| duration(silence.as_secs_f64())),
        });
        rendered!("state/process.txt", values)
    }
}

/// Configurations that are shown together; usually a group is a single configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfigurationGroup {
    /// The number of the first configuration, and the number of configurations.
    pub(crate) first: usize,
    pub(crate) n_configurations: usize,
    pub(crate) runs: RunTotals,
    pub(crate) running: u64,
}

/// Returns the configurations of a state in at most `most` groups, in order. A group contains only one algorithm, unless there are too
/// many algorithms.
pub(crate) fn groups(state: &LiveState<'_>, most: usize) -> Vec<ConfigurationGroup> {
    let names = state.names;
    let mut size = names.len().div_ceil(most.max(1)).max(1);
    let mut bounds = bounds(names, size, true);
    while bounds.len() > most && size < names.len() {
        size += size.div_ceil(8);
        bounds = self::bounds(names, size, true);
    }
    if bounds.len() > most {
        bounds = self::bounds(names, names.len().div_ceil(most.max(1)), false);
    }
    bounds.into_iter().map(|(first, n_configurations)| group(state, first, n_configurations)).collect()
}

/// Returns the first configuration and the size of each group of at most `size` configurations.
fn bounds(names: &[ConfigurationName], size: usize, is_by_algorithm: bool) -> Vec<(usize, usize)> {
    let mut bounds: Vec<(usize, usize)> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        match bounds.last_mut() {
            Some((first, n)) if *n < size && (!is_by_algorithm || names[*first].algorithm == name.algorithm) => {
                *n += 1;
            }
            _ => bounds.push((number, 1)),
        }
    }
    bounds
}

fn group(state: &LiveState<'_>, first: usize, n_configurations: usize) -> ConfigurationGroup {
    let configurations = first..first + n_configurations;
    let runs = RunTotals::of(&state.tallies[configurations.clone()]);
    ConfigurationGroup { first, n_configurations, runs, running: state.running[configurations].iter().sum() }
}

impl ConfigurationGroup {
    /// `40 of 100, 2 failed, 3 running`.
    pub(crate) fn counts(&self) -> String {
        let [present, planned] = [self.runs.present(), self.runs.planned].map(grouped);
        format!("{present} of {planned}{}", self.runs.remarks(self.running))
    }
}

//! A state for tests. Some configurations are complete, some have begun, and one has a failed run.

use evogrid_core::family::Direction;
use evogrid_core::identity::RunId;
use evogrid_runner::engine::forecast::Forecast;

use super::experiment::ConfigurationName;
use super::standing::Standing;
use super::state::{LiveState, Phase, RunTotals};
use super::tally::{ConfigurationTally, Failure};

/// The data that a state in a test borrows.
pub(super) struct StateParts {
    names: Vec<ConfigurationName>,
    tallies: Vec<ConfigurationTally>,
    failures: Vec<Failure>,
    folders: Vec<String>,
}

/// The parts of a state with this many configurations. Each configuration has ten runs, and each algorithm has a hundred configurations.
pub(super) fn parts(n_configurations: usize) -> StateParts {
    let name = |configuration: usize| {
        let algorithm = format!("algorithm with a long name {}", configuration / 100);
        let values = (configuration % 100).to_string();
        ConfigurationName {
            algorithm,
            paths: "population".to_owned(),
            varied: format!("population = {values}"),
            values,
        }
    };
    let tally = |configuration: usize| match (3 * configuration).cmp(&n_configurations) {
        _ if configuration == 1 => ConfigurationTally {
            planned: 10,
            done: 3,
            failed: 1,
            judged: 4,
            solved: 3,
            ..ConfigurationTally::default()
        },
        std::cmp::Ordering::Less => {
            ConfigurationTally { planned: 10, done: 10, judged: 10, solved: 5, ..ConfigurationTally::default() }
        }
        _ => ConfigurationTally { planned: 10, ..ConfigurationTally::default() },
    };
    let failure = Failure {
        run_id: RunId::from_bits(7),
        folder: 0,
        instance: "an instance".to_owned(),
        message: "it failed ".repeat(40),
        configuration: 1,
        starts_program: true,
    };
    StateParts {
        names: (0..n_configurations).map(name).collect(),
        tallies: (0..n_configurations).map(tally).collect(),
        failures: vec![failure],
        folders: vec!["results/test".to_owned()],
    }
}

impl StateParts {
    /// The state of an experiment that is running.
    pub(super) fn state(&self) -> LiveState<'_> {
        let mut running = vec![0; self.names.len()];
        running[1] = 2;
        LiveState {
            name: "test",
            title: "A test",
            folders: &self.folders,
            phase: Phase::Running,
            names: &self.names,
            tallies: &self.tallies,
            running,
            runs_per_configuration: 10,
            runs: RunTotals::of(&self.tallies),
            n_running: 2,
            processes: Vec::new(),
            speed: Some((30, 60.0)),
            forecast: Some(Forecast {
                seconds: 600.0,
                low: 500.0,
                high: Some(720.0),
                n_unknown: 10,
                is_by_limits: false,
            }),
            at_a_time: 2.0,
            failures: &self.failures,
            standing: Standing::new(&self.tallies, (1, 1, Some(Direction::Minimise)), None),
            are_tables_made: false,
            notes: vec!["1 damaged journal line left out".to_owned()],
            go_on: "runner run test.toml",
            at: "2016-11-01T08:00:00Z".to_owned(),
            interval: Some(2),
        }
    }
}

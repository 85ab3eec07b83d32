//! The findings in a results folder, and the text that reports them.

use std::collections::BTreeSet;

use evogrid_core::identity::RunId;
use evogrid_results::journal::Index;

use crate::messages::{counted, counted_are, rendered};
use evogrid_runner::engine::finished_runs::describe_failure;
use serde::Serialize;

/// The report shows at most this many faults, and at most this many notes.
const SHOWN_LIMIT: usize = 20;

/// The report shows at most this many commands.
const COMMANDS_SHOWN: usize = 5;

/// The findings so far.
#[derive(Default, Serialize)]
pub(super) struct Findings {
    /// The number of runs of the plan whose record was checked.
    pub(super) runs: u64,
    /// The number of solutions that were checked.
    pub(super) solutions: u64,
    /// The number of runs that were repeated.
    pub(super) repeated: u64,
    /// The seed that chose the repeated runs. This field is `None` if the user gave the seed, or if all runs were chosen.
    pub(super) drawn_seed: Option<u64>,
    /// The number of runs with a solution whose family has no objective.
    pub(super) unchecked: u64,
    /// The number of runs whose objective only an external program reports.
    pub(super) reported: u64,
    /// The number of runs whose objective was not computed again, because the user did not allow the start of the checker.
    uncomputed: u64,
    /// The commands of the checkers that the user did not allow to start.
    checkers: BTreeSet<String>,
    /// The number of failed runs, which have no result to check.
    pub(super) failed: u64,
    /// The number of runs with a fitness but without a solution, in journal files without a session.
    pub(super) unsaid: u64,
    /// The number of runs that were recorded with another name or bucket of their instance.
    pub(super) renamed: u64,
    /// The number of runs that a time limit may have ended.
    pub(super) timed: u64,
    /// The number of runs that this program cannot repeat on this machine, and the reason for the first of these runs.
    unrepeatable: u64,
    first_unrepeatable: Option<String>,
    /// The number of runs that were not repeated because the user did not allow the start of external programs, and the commands of these
    /// programs.
    unasked: u64,
    commands: Vec<String>,
    /// Whether an instance or an algorithm of the experiment is unknown to this program, or has another version.
    pub(super) is_partly_unknown: bool,
    /// Whether runs are missing, probably because they were done with another version of a component.
    pub(super) is_of_other_version: bool,
    /// Whether runs of the plan are missing.
    pub(super) is_unfinished: bool,
    pub(super) faults: Lines,
    /// The notes, which are not faults.
    pub(super) notes: Lines,
}

/// The number of lines of one kind, and the first lines.
#[derive(Default, Serialize)]
pub(super) struct Lines {
    pub(super) n_lines: u64,
    first: Vec<String>,
}

impl Lines {
    pub(super) fn add(&mut self, line: String) {
        self.n_lines += 1;
        if self.first.len() < SHOWN_LIMIT {
            self.first.push(line);
        }
    }
}

impl Findings {
    /// Reports that runs of the plan are missing.
    pub(super) fn unfinished(&mut self, fault: String) {
        self.is_unfinished = true;
        self.faults.add(fault);
    }

    /// Reports that some runs cannot be repeated here. The second argument names one of these runs and its instance.
    pub(super) fn unrepeatable(&mut self, n_runs: u64, (id, instance): (RunId, &str), why: &str) {
        self.unrepeatable += n_runs;
        self.first_unrepeatable.get_or_insert_with(|| describe_failure(id, instance, why));
    }

    /// Reports a run of an external program, which the user did not allow to start.
    pub(super) fn unasked(&mut self, command: &str) {
        self.unasked += 1;
        if self.commands.len() < COMMANDS_SHOWN && !self.commands.iter().any(|known| known == command) {
            self.commands.push(command.to_owned());
        }
    }

    /// Reports a run whose objective a checker with this command would compute, if the user allowed to start it.
    pub(super) fn uncomputed(&mut self, checker: Option<String>) {
        self.uncomputed += 1;
        if self.checkers.len() < COMMANDS_SHOWN {
            self.checkers.extend(checker);
        }
    }

    /// Reports surplus records in the journal. The journal needs only one record for each run of the plan.
    pub(super) fn count_records(&mut self, index: &Index, n_foreign: u64) {
        if n_foreign > 0 {
            let runs = counted_are(n_foreign, "run");
            self.notes.add(format!("{runs} in the journal but not in the plan; the results do not use such runs"));
        }
        if index.n_repeated() > 0 {
            let records = counted(index.n_repeated() as u64, "record");
            self.notes.add(format!("ignored {records} that repeat an earlier record of the same run"));
        }
        // A lost line is a fault only if its run is missing.
        for damage in &index.damages {
            if self.is_unfinished {
                self.faults.add(damage.to_string());
            } else {
                self.notes.add(format!("{damage}; no run of the plan is missing"));
            }
        }
    }

    /// All findings as text.
    pub(super) fn report(&self) -> String {
        rendered!("report.txt", self)
    }

    /// The exit status: 1 if something is wrong, 2 if nothing is wrong but some runs were not repeated or cannot be repeated.
    pub(super) fn exit_status(&self) -> u8 {
        match (self.faults.n_lines, self.unrepeatable + self.unasked) {
            (0, 0) => 0,
            (0, _) => 2,
            _ => 1,
        }
    }
}

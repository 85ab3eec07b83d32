//! Random interleavings: two processes of one experiment (and now and then one of another) in one folder are started, killed, interrupted
//! and waited for, with narrow and wide grids, with `--fresh` and without. Whatever happens, no process says that it is done without all
//! of its runs, no finished run is lost, and when all is quiet one more `run` makes the files of an undisturbed one.
// It sends signals.
#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "the seed is printed, so that a failure can be repeated")]

use std::collections::BTreeSet;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use evogrid_core::random::RandomStream;
use rustix::process::{Pid, Signal, kill_process};

use crate::test_folder::TestFolder;

const STEPS: usize = 60;

/// A narrow plan and a wide one, by what is set.
const GRIDS: [&str; 2] = ["experiment.repetitions=3", "experiment.repetitions=6"];

struct Model {
    folder: TestFolder,
    random: RandomStream,
    /// Two processes that may run, with their grids.
    processes: [Option<(Child, usize)>; 2],
    /// Finished runs that the journals held when all was quiet last.
    known: BTreeSet<String>,
    log: Vec<String>,
}

impl Model {
    fn step(&mut self) {
        let slot = self.random.below(2);
        match (self.processes[slot].take(), self.random.below(8)) {
            (None, choice) => self.start(slot, choice),
            (Some((child, grid)), 0 | 1) => self.end(child, grid, Some(Signal::KILL)),
            (Some((child, grid)), 2) => self.end(child, grid, Some(Signal::INT)),
            (Some((child, grid)), 3) => self.end(child, grid, None),
            (running, _) => {
                self.processes[slot] = running;
                sleep(Duration::from_millis(self.random.below(60) as u64));
            }
        }
        if self.processes.iter().all(Option::is_none) && self.random.below(3) == 0 {
            self.check_quiet();
        }
    }

    fn start(&mut self, slot: usize, choice: usize) {
        let grid = self.random.below(2);
        let mut arguments = vec!["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet", "--set", GRIDS[grid]];
        match choice {
            0 => arguments.push("--fresh"),
            1 => arguments[1] = "other.toml",
            _ => {}
        }
        self.log.push(format!("{slot}: {arguments:?}"));
        if choice == 1 && self.folder.path("o/manifest.json").exists() {
            // Of another experiment: refused, whoever runs.
            assert_eq!(self.folder.report(&arguments).0, Some(2), "{:#?}", self.log);
        } else if choice != 1 {
            self.processes[slot] = Some((self.folder.start(&arguments), grid));
        }
    }

    /// Ends a process, by a signal or by waiting for it.
    fn end(&mut self, child: Child, grid: usize, signal: Option<Signal>) {
        if let Some(signal) = signal {
            let id = Pid::from_child(&child);
            // It may have ended by itself.
            let _ = kill_process(id, signal);
        }
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        self.log.push(format!("ended, grid {grid}, {signal:?}: {:?} {told}", output.status.code()));
        let is_expected = match output.status.code() {
            Some(0) => true,
            Some(1) => [
                " safe in ",
                "still has the runs of both experiments",
                "no run was started, and no data were lost",
                " is in use by ",
                "ended abnormally twice",
                "are missing in o/journal",
            ]
            .iter()
            .any(|part| told.contains(part)),
            Some(130) | None => signal.is_some(),
            _ => false,
        };
        assert!(is_expected, "{:#?}", self.log);
    }

    /// Nobody runs: nothing finished is lost, and one more `run` makes what an undisturbed one makes.
    fn check_quiet(&mut self) {
        let found = self.finished();
        assert!(found.is_superset(&self.known), "{:#?}", self.log);
        let grid = self.random.below(2);
        let arguments = ["--out", "o", "--set", GRIDS[grid]];
        let (status, _, told) = self.folder.report(&[&["run", "test.toml"], &arguments[..]].concat());
        self.log.push(format!("quiet, grid {grid}: {status:?} {told}"));
        if status == Some(1) {
            assert!(told.contains("ended abnormally twice"), "{:#?}", self.log);
            self.folder.run(&arguments);
        }
        assert_eq!(self.folder.rows("o"), self.folder.rows(&format!("whole-{grid}")), "{:#?}", self.log);
        self.folder.outputs(0, &["verify", "o"]);
        let joined = format!("joined-{}", self.log.len());
        self.folder.outputs(0, &["merge", "o", "--out", &joined, "--quiet"]);
        assert_eq!(self.folder.rows(&joined), self.folder.rows("o"), "{:#?}", self.log);
        self.known = self.finished();
    }

    /// The ids of finished runs in the journal and in those that `--fresh` set aside.
    fn finished(&self) -> BTreeSet<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path("o")) else { return BTreeSet::new() };
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let journals = names.filter(|name| name.starts_with("journal"));
        let files = journals.flat_map(|name| {
            let files = std::fs::read_dir(self.folder.path("o").join(name)).expect("a folder");
            files
                .map(|file| file.expect("a file").path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        });
        let lines = files.flat_map(|file| self.folder.read(file).lines().map(str::to_owned).collect::<Vec<_>>());
        let id = |line: String| Some(line.split_once("\"run_id\":\"")?.1.split_once('"')?.0.to_owned());
        lines
            .filter(|line| line.contains("\"crc32\"") && !line.contains("\"stop\":\"failed\""))
            .filter_map(id)
            .collect()
    }
}

#[test]
fn random_interleavings_keep_the_promises() {
    let seed = match std::env::var("EVOGRID_TORTURE_SEED") {
        Ok(seed) => seed.parse().expect("EVOGRID_TORTURE_SEED is a number"),
        Err(_) => std::process::id().into(),
    };
    println!("EVOGRID_TORTURE_SEED={seed}");
    let folder = TestFolder::new("[400]", 4);
    let other = folder.read("test.toml").replace("name = \"test\"", "name = \"other\"");
    folder.write("other.toml", other);
    for (grid, set) in GRIDS.iter().enumerate() {
        folder.run(&["--out", &format!("whole-{grid}"), "--set", set]);
    }
    let random = RandomStream::from_seed(seed);
    let mut model = Model { folder, random, processes: [None, None], known: BTreeSet::new(), log: Vec::new() };
    for _ in 0..STEPS {
        model.step();
    }
    for slot in 0..2 {
        if let Some((child, grid)) = model.processes[slot].take() {
            model.end(child, grid, None);
        }
    }
    model.check_quiet();
    println!("{:#?}", model.log);
}

//! A folder with programs, an experiment that runs them, and the real runner.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

use evogrid_results::record::Record;
use tempfile::TempDir;

/// A solution of the first board.
pub(crate) const SOLUTION: &str = "1234341221434321";

/// The head of every experiment here: boards of side 4, and room for algorithms.
const HEAD: &str = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n\n[[instances]]\nproblem = \"sudoku\"\n\
                    path = \"boards.csv\"\n\n[budget]\nevaluations = 100\n";

/// A temporary folder.
pub(crate) struct Bench(TempDir);

impl Bench {
    /// A bench with one board and these algorithms.
    pub(crate) fn new(algorithms: &str) -> Self {
        let bench = Self(TempDir::new().expect("a temporary folder"));
        bench.write("boards.csv", "id,puzzle\none,1...............\n");
        bench.experiment(algorithms);
        bench
    }

    /// A bench on which each of these shell scripts is an algorithm of its own.
    pub(crate) fn of_scripts(scripts: &[(&str, &str)]) -> Self {
        let algorithm = |(name, _): &(&str, &str)| {
            format!("[algorithms.{name}]\nkind = \"external\"\ncommand = \"./{name} {{instance}} {{seed}}\"\n")
        };
        let bench = Self::new(&scripts.iter().map(algorithm).collect::<String>());
        scripts.iter().for_each(|(name, text)| bench.script(name, text));
        bench
    }

    /// Writes the experiment with these algorithms.
    pub(crate) fn experiment(&self, algorithms: &str) {
        self.write("test.toml", &format!("{HEAD}\n{algorithms}"));
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the file is written");
    }

    /// Writes a program for the shell.
    pub(crate) fn script(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("it becomes executable");
    }

    /// A path on the bench.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command `runner` on the bench.
    pub(crate) fn runner(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// What it does and says.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.runner(arguments).output().expect("the runner runs")
    }

    /// Runs the experiment to this exit status, and returns what was said on standard error.
    pub(crate) fn run(&self, status: i32) -> String {
        self.run_with(&[], status)
    }

    /// The same with more arguments.
    pub(crate) fn run_with(&self, arguments: &[&str], status: i32) -> String {
        let output = self.output(&[&["run", "test.toml"], arguments].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{told}");
        told
    }

    /// Runs the experiment, which has failed runs or not, and returns the record of every algorithm.
    pub(crate) fn records(&self) -> BTreeMap<String, Record> {
        self.output(&["run", "test.toml"]);
        let records = self.journal().into_iter().map(|record| (record.key.algorithm.clone(), record));
        records.collect()
    }

    /// All records in the journal.
    pub(crate) fn journal(&self) -> Vec<Record> {
        let Ok(files) = fs::read_dir(self.path("results/test/journal")) else { return Vec::new() };
        let paths = files.map(|file| file.expect("a file").path());
        let journals = paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        let texts = journals.map(|path| fs::read_to_string(path).expect("a journal"));
        let texts: Vec<String> = texts.collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        lines.map(|line| serde_json::from_str(line).expect("a record")).collect()
    }

    /// Waits until the process whose number is in a file is dead. That it was told to die says not when it does.
    pub(crate) fn expect_dead(&self, name: &str) {
        let number = self.read(name);
        for _ in 0..1000 {
            if !is_alive(number.trim()) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the process in `{name}` is alive");
    }
}

fn is_alive(number: &str) -> bool {
    match fs::read_to_string(format!("/proc/{number}/stat")) {
        // A dead process that nobody has asked after yet is a zombie.
        Ok(state) => !state.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with(['Z', 'X'])),
        Err(_) if fs::exists("/proc/self").unwrap_or(false) => false,
        Err(_) => Command::new("kill").args(["-0", number]).status().is_ok_and(|status| status.success()),
    }
}

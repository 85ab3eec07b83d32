//! A folder with a small experiment, and the real binary `runner` in it.
#![allow(dead_code, reason = "no test uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Eight boards of all four difficulties.
const BOARDS: &str = "../../datasets/sudoku/huke-40.csv";

/// A temporary folder with `test.toml` and its boards.
pub(crate) struct ExperimentFolder(TempDir);

impl ExperimentFolder {
    /// A folder whose experiment varies the population over `populations`, a list in TOML.
    pub(crate) fn new(populations: &str, repetitions: u32) -> Self {
        let folder = Self(TempDir::new().expect("a temporary folder"));
        let boards = fs::read_to_string(BOARDS).expect("the data set is there");
        let kept = boards.lines().filter(|line| ["id,", "-01,", "-02,"].iter().any(|part| line.contains(part)));
        fs::write(folder.path("boards.csv"), kept.collect::<Vec<_>>().join("\n")).expect("the boards are written");
        folder.write(populations, repetitions);
        folder
    }

    /// Writes the experiment anew.
    pub(crate) fn write(&self, populations: &str, repetitions: u32) {
        let text = format!(
            "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = {repetitions}\n\n\
             [[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\n\
             [algorithms.huke]\npreset = \"huke\"\n\n[algorithms.huke.grid]\npopulation = {populations}\n"
        );
        fs::write(self.path("test.toml"), text).expect("the experiment is written");
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `runner run test.toml` with more arguments, in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command.current_dir(self.0.path()).args(["run", "test.toml"]).args(arguments);
        command
    }

    /// What that command does.
    pub(crate) fn attempt(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the runner runs")
    }

    /// Runs the experiment to its good end and returns what was written to standard error.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.attempt(arguments);
        let messages = stderr(&output);
        assert!(output.status.success(), "{messages}");
        messages
    }

    /// What `runner` does with these arguments, in the folder.
    pub(crate) fn runner(&self, arguments: &[&str]) -> Output {
        runner(self.0.path(), arguments)
    }

    /// `runs.csv` of a results folder without its timing columns.
    pub(crate) fn rows(&self, results: &str) -> String {
        let text = fs::read_to_string(self.path(results).join("runs.csv")).expect("runs.csv is there");
        assert!(text.lines().next().is_some_and(|header| header.ends_with(",stop,wall_ms,cpu_ms")), "{text}");
        let without_times = |line: &str| line.rsplitn(3, ',').last().map(str::to_owned);
        text.lines().filter_map(without_times).collect::<Vec<_>>().join("\n")
    }

    /// The journal files of a results folder, by name.
    pub(crate) fn journals(&self, results: &str) -> Vec<PathBuf> {
        journals(&self.path(results))
    }

    /// Takes the checksums out of the journal of a results folder, as whoever wants to forge a record would.
    pub(crate) fn unseal(&self, results: &str) {
        for path in self.journals(results) {
            let text = fs::read_to_string(&path).expect("a journal");
            let unsealed = text.lines().map(|line| match line.rsplit_once(",\"crc32\":") {
                Some((record, _)) => format!("{record}}}\n"),
                None => format!("{line}\n"),
            });
            fs::write(&path, unsealed.collect::<String>()).expect("it is written");
        }
    }

    /// Whole lines in the journal of a results folder.
    pub(crate) fn journal_lines(&self, results: &str) -> usize {
        // A writer that had nothing to write removes its file.
        let journals = self.journals(results).into_iter().filter_map(|path| fs::read(path).ok());
        journals.map(|bytes| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
    }
}

/// What `runner` does with these arguments, in a folder.
pub(crate) fn runner(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(folder).args(arguments).output().expect("the runner runs")
}

/// The journal files of a results folder, by name.
pub(crate) fn journals(results: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(results.join("journal")) else { return Vec::new() };
    let paths = files.map(|file| file.expect("a file").path());
    let mut journals: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect();
    journals.sort();
    journals
}

/// What was written to standard error.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What was written to standard output.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The number before some words.
pub(crate) fn number_before(text: &str, words: &str) -> usize {
    let (before, _) = text.split_once(words).unwrap_or_else(|| panic!("`{words}` is written: {text}"));
    let number: String = before.rsplit([' ', '\n']).next().unwrap_or_default().replace(',', "");
    number.parse().unwrap_or_else(|_| panic!("a number before `{words}`: {text}"))
}

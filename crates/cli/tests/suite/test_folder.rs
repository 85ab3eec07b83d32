//! A temporary folder, with a small experiment or without, and the real binary `runner` in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, sleep};
use std::time::Duration;

use tempfile::TempDir;

/// Ten boards of each of four difficulties.
const BOARDS: &str = "../../datasets/sudoku/huke-40.csv";

/// How long a process may last: one that hangs is killed then, and its test fails for its exit status.
const PATIENCE: Duration = Duration::from_mins(5);

/// What a process left: its exit status, its standard output and its standard error.
pub(crate) type Report = (Option<i32>, String, String);

/// A temporary folder.
pub(crate) struct TestFolder(TempDir);

impl TestFolder {
    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    /// A folder with two boards of each difficulty, and an experiment `test.toml` that varies the population over `populations`, a
    /// list in TOML.
    pub(crate) fn new(populations: &str, repetitions: u32) -> Self {
        let folder = Self::empty();
        let boards = fs::read_to_string(BOARDS).expect("the data set is there");
        let kept = boards.lines().filter(|line| ["id,", "-01,", "-02,"].iter().any(|part| line.contains(part)));
        folder.write("boards.csv", kept.collect::<Vec<_>>().join("\n"));
        folder.write_experiment(populations, repetitions);
        folder
    }

    /// Writes the experiment again.
    pub(crate) fn write_experiment(&self, populations: &str, repetitions: u32) {
        let text = format!(
            "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = {repetitions}\n\n\
             [[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\n\
             [algorithms.huke]\npreset = \"huke\"\n\n[algorithms.huke.grid]\npopulation = {populations}\n"
        );
        self.write("test.toml", text);
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the file is written");
    }

    /// Writes a program for the shell. Another process writes it: a process that some other test starts meanwhile would have it open for
    /// writing, too, and then the system executes it for nobody.
    #[cfg(unix)]
    pub(crate) fn script(&self, name: &str, text: &str) {
        let mut writer = Command::new("sh");
        writer.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(self.path(name));
        assert_eq!(report(&mut writer, &format!("#!/bin/sh\n{text}\n")).0, Some(0), "it becomes executable");
    }

    /// Changes the text of a file.
    pub(crate) fn change(&self, name: impl AsRef<Path>, change: impl FnOnce(&str) -> String) {
        let before = self.read(&name);
        let after = change(&before);
        assert_ne!(before, after, "it is changed");
        self.write(name, after);
    }

    /// Changes the first line of a file that holds some text.
    pub(crate) fn change_line(&self, name: impl AsRef<Path>, holds: &str, change: impl FnOnce(&str) -> String) {
        self.change(name, |text| {
            let line = text.lines().find(|line| line.contains(holds)).expect("a line holds it");
            text.replacen(line, &change(line), 1)
        });
    }

    /// `runner` with these arguments, in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command(self.0.path(), arguments)
    }

    /// What `runner` does with these arguments.
    pub(crate) fn report(&self, arguments: &[&str]) -> Report {
        report(&mut self.command(arguments), "")
    }

    /// What it writes to standard output and to standard error, where it ends with this status.
    pub(crate) fn outputs(&self, status: i32, arguments: &[&str]) -> (String, String) {
        let (ended, printed, messages) = self.report(arguments);
        assert_eq!(ended, Some(status), "{printed}{messages}");
        (printed, messages)
    }

    /// What it writes to standard error, where it ends with this status and prints nothing.
    pub(crate) fn refused(&self, status: i32, arguments: &[&str]) -> String {
        let (printed, messages) = self.outputs(status, arguments);
        assert_eq!(printed, "", "{messages}");
        messages
    }

    /// Runs the experiment to its good end and returns what was written to standard error.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.run_to(0, arguments)
    }

    /// Runs the experiment to this exit status and returns what was written to standard error.
    pub(crate) fn run_to(&self, status: i32, arguments: &[&str]) -> String {
        self.outputs(status, &[&["run", "test.toml"], arguments].concat()).1
    }

    /// Starts `runner` with these arguments.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the runner starts")
    }

    /// The same, and waits until the journal of a results folder has so many lines.
    pub(crate) fn start_until(&self, results: &str, n_lines: usize, arguments: &[&str]) -> Child {
        let mut child = self.start(arguments);
        while self.journal_lines(results) < n_lines {
            assert!(child.try_wait().expect("its state is known").is_none(), "it ended before the journal had them");
            sleep(Duration::from_millis(1));
        }
        child
    }

    /// `runs.csv` of a results folder without its timing columns.
    pub(crate) fn rows(&self, results: &str) -> String {
        let text = self.read(self.path(results).join("runs.csv"));
        assert!(text.lines().next().is_some_and(|header| header.ends_with(",stop,wall_ms,cpu_ms")), "{text}");
        let without_times = |line: &str| line.rsplitn(3, ',').last().map(str::to_owned);
        text.lines().filter_map(without_times).collect::<Vec<_>>().join("\n")
    }

    /// A column of `runs.csv` of a results folder.
    pub(crate) fn column(&self, results: &str, name: &str) -> Vec<String> {
        let rows = self.rows(results);
        let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let at = header.iter().position(|column| *column == name).expect("the column is there");
        lines.map(|fields| fields[at].to_owned()).collect()
    }

    /// The journal files of a results folder, by name.
    pub(crate) fn journals(&self, results: &str) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(self.path(results).join("journal")) else { return Vec::new() };
        let paths = files.map(|file| file.expect("a file").path());
        let mut journals: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect();
        journals.sort();
        journals
    }

    /// Gives every line in the journal of a results folder the checksum of what it says, as whoever forges a record would.
    pub(crate) fn reseal(&self, results: &str) {
        for path in self.journals(results) {
            let text = self.read(&path);
            self.write(&path, text.lines().map(sealed).collect::<String>());
        }
    }

    /// Whole lines in the journal of a results folder.
    pub(crate) fn journal_lines(&self, results: &str) -> usize {
        // A writer that had nothing to write removes its file.
        let journals = self.journals(results).into_iter().filter_map(|path| fs::read(path).ok());
        journals.map(|bytes| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
    }
}

/// A line of a journal with the checksum of what it says.
pub(crate) fn sealed(line: &str) -> String {
    let record = match line.rsplit_once(",\"crc32\":") {
        Some((record, _)) => record,
        None => line.strip_suffix('}').expect("a record is an object"),
    };
    format!("{record},\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(record.as_bytes()))
}

/// `runner` with these arguments, in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(folder).args(arguments);
    command
}

/// What a command does with this on standard input.
pub(crate) fn report(command: &mut Command, input: &str) -> Report {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // It need not read what it does not want.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    report_at_end(child)
}

/// What a process has left when it ends.
pub(crate) fn report_at_end(child: Child) -> Report {
    let number = child.id().to_string();
    let (end, is_ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        if is_ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let (program, option) = if cfg!(windows) { ("taskkill", "/F /PID") } else { ("kill", "-9") };
            let _ = Command::new(program).args(option.split(' ')).arg(number).status();
        }
    });
    let output = child.wait_with_output().expect("it ends");
    drop(end);
    // Paths are expected with `/`.
    let is_windows = cfg!(windows);
    let text = |bytes| {
        let text = String::from_utf8(bytes).expect("what is said is UTF-8");
        if is_windows { text.replace('\\', "/") } else { text }
    };
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Sends a process a signal, `INT` or another.
#[cfg(unix)]
pub(crate) fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

/// The number before some words.
pub(crate) fn number_before(text: &str, words: &str) -> usize {
    let (before, _) = text.split_once(words).unwrap_or_else(|| panic!("`{words}` is written: {text}"));
    let number: String = before.rsplit([' ', '\n']).next().unwrap_or_default().replace(',', "");
    number.parse().unwrap_or_else(|_| panic!("a number before `{words}`: {text}"))
}

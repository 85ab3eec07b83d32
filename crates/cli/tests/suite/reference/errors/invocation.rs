//! A start of the runner in a folder of its own, and what holds of every refusal.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// A valid experiment. Its lines are numbered in the messages.
const EXPERIMENT: &str = include_str!("../../../errors/demo.toml");

/// A valid data set.
pub(crate) const BOARDS: &str = include_str!("../../../errors/boards.csv");

/// What the runner is given.
#[derive(Clone)]
pub(crate) struct Invocation {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The name of the experiment on the command line.
    pub(crate) experiment: String,
    /// The values of `--set`.
    pub(crate) settings: Vec<String>,
}

impl Invocation {
    /// The valid experiment and data set.
    pub(crate) fn valid() -> Self {
        let files = [("demo.toml", EXPERIMENT), ("boards.csv", BOARDS)];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        Self { files: files.into(), experiment: "demo.toml".to_owned(), settings: Vec::new() }
    }

    /// Replaces lines of the experiment, which must occur once.
    pub(crate) fn replace(&mut self, old: &[Vec<u8>], new: &[Vec<u8>]) -> Result<(), String> {
        if old.is_empty() {
            return Err("the line before or after the new ones is missing".to_owned());
        }
        let experiment = self.files.get_mut("demo.toml").expect("there is always an experiment");
        let lines: Vec<&[u8]> = experiment.split(|&byte| byte == b'\n').collect();
        let mut places = lines.windows(old.len()).enumerate().filter(|(_, window)| *window == old);
        let Some((at, _)) = places.next() else { return Err("the experiment has no such lines".to_owned()) };
        if places.next().is_some() {
            return Err("the experiment has these lines twice".to_owned());
        }
        let new: Vec<&[u8]> = new.iter().map(Vec::as_slice).collect();
        *experiment = [&lines[..at], &new, &lines[at + old.len()..]].concat().join(&b'\n');
        Ok(())
    }

    /// The message with which the runner refuses this, or which promise about refusals it breaks.
    pub(crate) fn refusal(&self) -> Result<String, String> {
        let (output, is_unchanged) = self.start("run");
        message(output.status.code(), &output.stdout, is_unchanged, output.stderr)
    }

    /// Whether the runner takes this, or what it says against it.
    pub(crate) fn acceptance(&self) -> Result<(), String> {
        let (output, _) = self.start("check");
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    /// What the runner says, and whether it left the folder as it was.
    fn start(&self, subcommand: &str) -> (Output, bool) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in &self.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder for the file");
            std::fs::write(path, content).expect("the file is written");
        }
        let before = listing(folder.path());
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        command.args([subcommand, &self.experiment]).args(self.settings.iter().flat_map(|value| ["--set", value]));
        let output = command.current_dir(folder.path()).output().expect("the runner starts");
        (output, listing(folder.path()) == before)
    }
}

/// The message of a refusal: exit status 2, nothing on standard output, nothing written, and lines that a terminal can show.
fn message(status: Option<i32>, stdout: &[u8], is_unchanged: bool, stderr: Vec<u8>) -> Result<String, String> {
    let message = String::from_utf8(stderr).map_err(|_| "the message is not UTF-8")?;
    let is_shown = |character: char| character == '\n' || !character.is_control();
    let is_narrow = |line: &str| {
        let is_advice = line.starts_with("  ") && !line.contains('|');
        !is_advice || line.chars().count() <= 80 || line.matches('`').count() == 2
    };
    let promises = [
        ("the exit status is not 2", status == Some(2)),
        ("standard output is not empty", stdout.is_empty()),
        ("a file was written", is_unchanged),
        ("the message does not begin with `error: `", message.starts_with("error: ")),
        ("the message does not end its last line", message.ends_with('\n')),
        ("the message has control characters", message.chars().all(is_shown)),
        ("the message has a line of over 80 columns", message.lines().all(is_narrow)),
    ];
    match promises.iter().find(|(_, is_kept)| !is_kept) {
        Some((complaint, _)) => Err(format!("{complaint}: {message:?}")),
        None => Ok(message),
    }
}

/// All files and folders below a folder, with the length of each.
fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is read") {
            let entry = entry.expect("the entry is read");
            let metadata = entry.metadata().expect("the entry is there");
            found.push(format!("{} {}", entry.path().display(), if metadata.is_dir() { 0 } else { metadata.len() }));
            if metadata.is_dir() {
                open.push(entry.path());
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn a_refusal_that_breaks_a_promise_is_no_refusal() {
    let right = "error: x\n  expected y\n";
    assert_eq!(message(Some(2), b"", true, right.into()), Ok(right.to_owned()));
    assert!(message(Some(1), b"", true, right.into()).is_err());
    assert!(message(Some(2), b"x", true, right.into()).is_err());
    assert!(message(Some(2), b"", false, right.into()).is_err());
    let wide = format!("error: x\n  expected {}\n", "y ".repeat(36));
    for wrong in ["warning: x\n", "error: x", "error: \u{1b}[2J\n", &wide] {
        assert!(message(Some(2), b"", true, wrong.into()).is_err(), "{wrong:?}");
    }
}

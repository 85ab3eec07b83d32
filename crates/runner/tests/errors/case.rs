//! A case: a valid experiment and data set with something wrong in them, and what the runner says to it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// A valid experiment. Its lines are numbered in the messages.
pub(crate) const EXPERIMENT: &str = r#"[experiment]
name = "demo"
seed = 1
repetitions = 1

[[instances]]
problem = "sudoku"
path = "boards.csv"

[algorithms.huke]
preset = "huke"
population = 20

[algorithms.huke.grid]
mutation_rate = [0.5, 1.0]

[budget]
generations = 3
"#;

/// A valid data set.
pub(crate) const BOARDS: &str = "\
id,bucket,puzzle
one,easy,12..34..........
two,hard,1..............4
";

/// What the runner is given.
pub(crate) struct Case {
    files: BTreeMap<String, Vec<u8>>,
    arguments: Vec<String>,
}

impl Case {
    /// The valid experiment and data set.
    pub(crate) fn new() -> Self {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let files = BTreeMap::from([file("demo.toml", EXPERIMENT), file("boards.csv", BOARDS)]);
        Self { files, arguments: vec!["run".to_owned(), "demo.toml".to_owned()] }
    }

    /// The experiment with `old`, which it has, replaced.
    pub(crate) fn with(mut self, old: &str, new: &str) -> Self {
        let text = String::from_utf8(self.files["demo.toml"].clone()).expect("the experiment is text");
        assert!(text.contains(old), "the experiment has no `{old}`");
        self.files.insert("demo.toml".to_owned(), text.replacen(old, new, 1).into_bytes());
        self
    }

    /// The experiment with a setting of the algorithm added.
    pub(crate) fn setting(self, line: &str) -> Self {
        self.with("population = 20", &format!("population = 20\n{line}"))
    }

    /// The experiment with a setting of the data set added.
    pub(crate) fn data_set(self, line: &str) -> Self {
        self.with("path = \"boards.csv\"", &format!("path = \"boards.csv\"\n{line}"))
    }

    /// The experiment with another grid.
    pub(crate) fn grid(self, line: &str) -> Self {
        self.with("mutation_rate = [0.5, 1.0]", line)
    }

    /// The experiment with lines added to `zip` or `exclude`, which the algorithm's grid goes with.
    pub(crate) fn beside_grid(self, lines: &str) -> Self {
        self.with("[algorithms.huke.grid]", &format!("{lines}\n\n[algorithms.huke.grid]"))
    }

    /// Another data set.
    pub(crate) fn boards(self, text: &str) -> Self {
        self.file("boards.csv", text)
    }

    /// One more file, or another one.
    pub(crate) fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.files.insert(name.to_owned(), content.as_ref().to_vec());
        self
    }

    /// One more setting on the command line.
    pub(crate) fn set(mut self, option: &str) -> Self {
        self.arguments.extend(["--set".to_owned(), option.to_owned()]);
        self
    }

    /// Another experiment file on the command line.
    pub(crate) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.arguments[1]);
        self
    }

    /// Asserts that the runner refuses this as it promises: exit status 2, nothing on standard output, no file written,
    /// and a message that a terminal can show. Returns the message.
    pub(crate) fn refused(self) -> String {
        let (output, before, after) = self.run();
        let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(output.stdout.is_empty(), "{message}");
        assert_eq!(after, before, "no file was to be written");
        assert!(message.starts_with("error: "), "{message}");
        let is_shown = |character: char| character == '\n' || !character.is_control();
        assert!(message.chars().all(is_shown), "{message:?}");
        for line in message.lines().filter(|line| line.starts_with("  ") && !line.contains('|')) {
            assert!(line.chars().count() <= 80 || line.matches('`').count() == 2, "over 80 columns: {line}");
        }
        message
    }

    /// The same where the message lists every operator or preset there is; a list that grows is shown as `...`.
    pub(crate) fn refused_listing(self) -> String {
        let message = self.refused();
        let mut shown = String::new();
        let mut lines = message.lines().peekable();
        while let Some(line) = lines.next() {
            let mut line = line.to_owned();
            if line.starts_with("  expected `") {
                while let Some(more) = lines.next_if(|next| next.starts_with("  ") && !next.contains('|')) {
                    line.push_str(&more[1..]);
                }
                let end = line.find([';', ':']).or_else(|| line.find(", by name")).unwrap_or(line.len());
                let end = line[..end].find(", or a").unwrap_or(end);
                line.replace_range("  expected ".len()..end, "...");
                if let Some(at) = line.find("`preset`: ") {
                    line.replace_range(at + "`preset`: ".len().., "...");
                }
            }
            // Of a single name there is no list.
            shown.push_str(&line.replace("  did you mean", "  expected ...; did you mean"));
            shown.push('\n');
        }
        shown
    }

    /// Asserts that the runner takes this.
    pub(crate) fn accepted(mut self) {
        "check".clone_into(&mut self.arguments[0]);
        let output = self.run().0;
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn run(self) -> (Output, Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in &self.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder for the file");
            std::fs::write(path, content).expect("the file is written");
        }
        let before = listing(folder.path());
        let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
        let output = command.args(&self.arguments).current_dir(folder.path()).output().expect("the runner starts");
        (output, before, listing(folder.path()))
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

//! Whoever forges: the files of a results folder, changed with care, so that they agree with each other wherever he can make them.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::test_folder::{TestFolder, sealed};

/// Three cells on five boards, of which some are solved, with traces.
const EXPERIMENT: &str = r#"[experiment]
name = "test"
seed = 1
repetitions = 1
[[instances]]
problem = "sudoku"
path = "boards.csv"
[algorithms.huke]
preset = "huke"
[algorithms.huke.grid]
population = [20, 40]
[algorithms.cerv]
preset = "cervigon"
population = 20
[budget]
generations = 40
restarts = 0
evaluations = 5000
[record]
trace = "improvements"
"#;

const BOARDS: &str = "../../datasets/sudoku/huke-40.csv";

const INSTANCES: [&str; 6] = ["id,", "easy-01,", "easy-02,", "medium-01,", "hard-01,", "expert-01,"];

/// A folder with an experiment that was run.
pub(crate) struct Forger(TestFolder);

/// The rows of a CSV, the names of its columns first.
pub(crate) type Rows = Vec<Vec<String>>;

impl Forger {
    /// An honest folder.
    pub(crate) fn new() -> Self {
        let folder = TestFolder::empty();
        let boards = fs::read_to_string(BOARDS).expect("the data set is there");
        let kept = boards.lines().filter(|line| INSTANCES.iter().any(|name| line.starts_with(name)));
        folder.write("boards.csv", kept.collect::<Vec<_>>().join("\n"));
        folder.write("test.toml", EXPERIMENT);
        folder.run(&["--jobs", "1"]);
        Self(folder)
    }

    /// A copy of it.
    pub(crate) fn copy(&self) -> Self {
        let folder = TestFolder::empty();
        fs::create_dir_all(folder.path("results/test/journal")).expect("a folder");
        for part in ["", "results/test", "results/test/journal"] {
            for file in fs::read_dir(self.0.path(part)).expect("a folder").map(|file| file.expect("a file").path()) {
                if file.is_file() {
                    let name = file.file_name().expect("a name");
                    fs::copy(&file, folder.path(part).join(name)).expect("it is copied");
                }
            }
        }
        Self(folder)
    }

    /// What `verify` prints, with its exit status.
    pub(crate) fn verified(&self) -> (Option<i32>, String) {
        let (status, printed, messages) = self.0.report(&["verify", "results/test"]);
        (status, printed + &messages)
    }

    /// Another run of the experiment with this seed, and its records.
    pub(crate) fn records_of_seed(&self, seed: u64) -> Vec<Value> {
        let other = TestFolder::empty();
        for name in ["boards.csv", "test.toml"] {
            other.write(name, fs::read(self.0.path(name)).expect("it is there"));
        }
        other.run(&["--set", &format!("experiment.seed={seed}")]);
        let journals = other.journals("results/test");
        let mut found: Vec<Value> = journals.iter().flat_map(|path| records(&other.read(path))).collect();
        let rows = other.read("results/test/runs.csv");
        found.sort_by_key(|record| rows.find(record["run_id"].as_str().expect("an id")));
        found
    }

    /// A path in the results folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path("results/test").join(name)
    }

    /// The only journal file.
    pub(crate) fn journal(&self) -> PathBuf {
        self.0.journals("results/test").remove(0)
    }

    /// Changes a text, `runs.csv` for example.
    pub(crate) fn text(&self, name: impl AsRef<Path>, change: impl FnOnce(String) -> String) {
        let path = self.path("").join(name);
        let before = self.0.read(&path);
        let after = change(before.clone());
        assert_ne!(before, after, "something is changed");
        self.0.write(&path, after);
    }

    /// Changes a CSV.
    pub(crate) fn rows(&self, name: &str, change: impl FnOnce(&mut Rows)) {
        self.text(name, |text| {
            let mut rows: Rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
            change(&mut rows);
            rows.iter().map(|row| row.join(",") + "\n").collect()
        });
    }

    /// Changes a column of some row of `runs.csv`, which says something else then.
    pub(crate) fn field(&self, row: usize, column: &str, value: &str) {
        self.rows("runs.csv", |rows| {
            let at = column_of(rows, column);
            value.clone_into(&mut rows[row][at]);
        });
    }

    /// Changes the trace, decompressed.
    pub(crate) fn trace(&self, change: impl FnOnce(String) -> String) {
        let path = self.path("trace.csv.gz");
        let mut text = String::new();
        GzDecoder::new(fs::File::open(&path).expect("it is there")).read_to_string(&mut text).expect("text");
        let changed = change(text.clone());
        assert_ne!(text, changed, "something is changed");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(changed.as_bytes()).expect("memory");
        fs::write(path, encoder.finish().expect("memory")).expect("it is written");
    }

    /// Changes the records of the journal, and seals them again.
    pub(crate) fn records(&self, change: impl FnOnce(&mut Vec<Value>)) {
        self.text(self.journal(), |text| {
            let mut changed = records(&text);
            // Runs finish in any order: that of the plan is the one that forgeries speak of.
            let rows = self.0.read("results/test/runs.csv");
            changed.sort_by_key(|record| rows.find(record["run_id"].as_str().expect("an id")));
            change(&mut changed);
            changed.iter().map(|record| sealed(&record.to_string())).collect()
        });
    }

    /// Changes the first record that fits, and seals it again.
    pub(crate) fn record(&self, fits: impl Fn(&Value) -> bool, change: impl FnOnce(&mut Value)) {
        self.records(|records| change(records.iter_mut().find(|record| fits(record)).expect("one fits")));
    }

    /// Writes records to another file of the journal.
    pub(crate) fn more_records(&self, name: &str, records: &[Value]) {
        let text: String = records.iter().map(|record| sealed(&record.to_string())).collect();
        fs::write(self.path("journal").join(name), text).expect("it is written");
    }

    /// Changes a file of JSON.
    pub(crate) fn json(&self, name: impl AsRef<Path>, change: impl FnOnce(&mut Value)) {
        self.text(name, |text| {
            let mut value: Value = serde_json::from_str(&text).expect("JSON");
            change(&mut value);
            value.to_string()
        });
    }

    /// Changes the manifest.
    pub(crate) fn manifest(&self, change: impl FnOnce(&mut Value)) {
        self.json("manifest.json", change);
    }

    /// Changes what the process that did the runs says of itself.
    pub(crate) fn session(&self, change: impl FnOnce(&mut Value)) {
        self.json(self.journal().with_extension("session.json"), change);
    }

    /// Has the files made anew of manifest and journal, by the program itself.
    pub(crate) fn remake(&self) {
        let (status, _, messages) = self.0.report(&["merge", "results/test", "--quiet"]);
        assert!(matches!(status, Some(0 | 1)), "{messages}");
    }
}

/// The records of a journal file, without their checksums.
fn records(text: &str) -> Vec<Value> {
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        record.as_object_mut().expect("an object").remove("crc32");
        record
    };
    text.lines().map(record).collect()
}

/// The place of a column.
pub(crate) fn column_of(rows: &Rows, name: &str) -> usize {
    rows[0].iter().position(|column| column == name).expect("the column is there")
}

/// Whether a record is of a run that was not solved.
pub(crate) fn is_unsolved(record: &Value) -> bool {
    record["solved"] == false
}

/// Whether a record is of a run that was solved.
pub(crate) fn is_solved(record: &Value) -> bool {
    record["solved"] == true
}

/// Changes some record, and has all files made of it.
pub(crate) fn forge(forger: &Forger, fits: impl Fn(&Value) -> bool, change: impl FnOnce(&mut Value)) {
    forger.record(fits, change);
    forger.remake();
}

/// Gives a member of an unsolved run's record a value.
pub(crate) fn set(forger: &Forger, name: &str, value: &Value) {
    forge(forger, is_unsolved, |record| record[name] = value.clone());
}

/// Gives a member of all records a value.
pub(crate) fn set_all(forger: &Forger, name: &str, value: &Value) {
    forger.records(|records| records.iter_mut().for_each(|record| record[name] = value.clone()));
    forger.remake();
}

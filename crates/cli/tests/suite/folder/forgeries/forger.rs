//! Whoever forges: the files of a results folder, changed with care, so that they agree with each other wherever he can make them.

use std::fs;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::test_folder::{TestFolder, sealed};

/// Three configurations on five boards, of which some are solved, with traces.
pub(super) const BOARDS: &str = r#"
experiment = { name = "test", seed = 1, repetitions = 1 }
instances = [{ problem = "sudoku", path = "boards.csv" }]
algorithms.huke = { preset = "huke", grid.population = [20, 40] }
algorithms.cerv = { preset = "cervigon", population = 20 }
budget = { generations = 40, restarts = 0, evaluations = 5000 }
record.trace = "improvements"
"#;

/// Two configurations on three flow shops, with a target by the gap.
pub(super) const SHOPS: &str = r#"
experiment = { name = "test", seed = 5, repetitions = 3 }
instances = [{ problem = "flowshop", generate = { set = "taillard", ids = ["ta001", "ta002", "ta011"] } }]
algorithms.ours = { kind = "iterated-local-search", perturbation = { kind = "random-swaps", count = 3 } }
algorithms.theirs.kind = "iterated-greedy"
budget = { evaluations = 1000, target_gap = 1 }
"#;

/// One configuration on two tours, without a target.
pub(super) const TOURS: &str = r#"
experiment = { name = "test", seed = 5, repetitions = 2 }
instances = [{ problem = "tsp", generate = { size = 30, count = 2, seed = 7 } }]
algorithms.theirs.kind = "annealing"
budget = { evaluations = 500 }
"#;

const DATA_SET: &str = "../../datasets/sudoku/huke-40.csv";

const INSTANCES: [&str; 6] = ["id,", "easy-01,", "easy-02,", "medium-01,", "hard-01,", "expert-01,"];

/// A folder with an experiment that was run.
pub(super) struct Forger(TestFolder);

/// The rows of a CSV, the names of its columns first.
pub(super) type Rows = Vec<Vec<String>>;

impl Forger {
    /// An honest folder of this experiment.
    pub(super) fn of(experiment: &str) -> Self {
        let folder = TestFolder::empty();
        let boards = fs::read_to_string(DATA_SET).expect("the data set is there");
        let kept = boards.lines().filter(|line| INSTANCES.iter().any(|name| line.starts_with(name)));
        folder.write("boards.csv", kept.collect::<Vec<_>>().join("\n"));
        folder.write("test.toml", experiment);
        folder.run(&["--jobs", "1"]);
        Self(folder)
    }

    /// A copy of it.
    pub(super) fn copy(&self) -> Self {
        let folder = TestFolder::empty();
        fs::create_dir_all(folder.path("results/test/journal")).expect("a folder");
        for part in ["", "results/test", "results/test/journal"] {
            let files = fs::read_dir(self.0.path(part)).expect("a folder").map(|file| file.expect("a file"));
            for file in files.filter(|file| file.path().is_file()) {
                fs::copy(file.path(), folder.path(part).join(file.file_name())).expect("it is copied");
            }
        }
        Self(folder)
    }

    /// What `verify` prints, with its exit status.
    pub(super) fn verified(&self) -> (Option<i32>, String) {
        let (status, printed, messages) = self.0.report(&["verify", "results/test"]);
        (status, printed + &messages)
    }

    /// The records of the experiment with other seeds.
    pub(super) fn records_of_seeds(&self, seeds: Range<u64>) -> Vec<Value> {
        let records_of_seed = |seed| {
            let other = TestFolder::empty();
            ["boards.csv", "test.toml"].iter().for_each(|name| other.write(name, self.0.read(name)));
            other.run(&["--set", &format!("experiment.seed={seed}")]);
            let texts = other.journals("results/test").into_iter().map(|path| other.read(path));
            records(&texts.collect::<String>(), &other)
        };
        seeds.flat_map(records_of_seed).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path("results/test").join(name)
    }

    /// The only journal file.
    pub(super) fn journal(&self) -> PathBuf {
        self.0.journals("results/test").remove(0)
    }

    /// Removes a file or a folder.
    pub(super) fn remove(&self, name: &str) {
        let path = self.path(name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("it is there");
    }

    /// Changes a file, and sees to it that it is another then.
    pub(super) fn bytes(&self, name: impl AsRef<Path>, change: impl FnOnce(&mut Vec<u8>)) {
        let path = self.path("").join(name);
        let before = fs::read(&path).expect("it is there");
        let mut after = before.clone();
        change(&mut after);
        assert_ne!(before, after, "something is changed");
        fs::write(path, after).expect("it is written");
    }

    /// Changes a text.
    pub(super) fn text(&self, name: impl AsRef<Path>, change: impl FnOnce(String) -> String) {
        self.bytes(name, |bytes| *bytes = change(String::from_utf8(bytes.clone()).expect("text")).into_bytes());
    }

    /// Changes a CSV.
    pub(super) fn rows(&self, name: &str, change: impl FnOnce(&mut Rows)) {
        self.text(name, |text| changed_rows(&text, change));
    }

    /// Changes the trace, decompressed.
    pub(super) fn trace(&self, change: impl FnOnce(&mut Rows)) {
        self.bytes("trace.csv.gz", |bytes| {
            let mut text = String::new();
            GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("text");
            let changed = changed_rows(&text, change);
            assert_ne!(text, changed, "something is changed");
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(changed.as_bytes()).expect("memory");
            *bytes = encoder.finish().expect("memory");
        });
    }

    /// Changes a column of some row of a CSV.
    pub(super) fn field(&self, name: &str, row: usize, column: &str, value: &str) {
        self.rows(name, |rows| {
            let at = column_of(rows, column);
            value.clone_into(&mut rows[row][at]);
        });
    }

    /// Changes the records of the journal, in the order of the plan, and seals them again.
    pub(super) fn sealed(&self, change: impl FnOnce(&mut Vec<Value>)) {
        self.text(self.journal(), |text| {
            let mut changed = records(&text, &self.0);
            change(&mut changed);
            changed.iter().map(|record| sealed(&record.to_string())).collect()
        });
    }

    /// The same, and has all files made of them.
    pub(super) fn records(&self, change: impl FnOnce(&mut Vec<Value>)) {
        self.sealed(change);
        self.remake();
    }

    /// Changes the first record of a run that was not solved, and has all files made of it.
    pub(super) fn unsolved(&self, change: impl FnOnce(&mut Value)) {
        self.records(|records| change(first(records, is_unsolved)));
    }

    /// Changes the first record of a run that was solved, and has all files made of it.
    pub(super) fn solved(&self, change: impl FnOnce(&mut Value)) {
        self.records(|records| change(first(records, is_solved)));
    }

    /// Gives a member of an unsolved run's record a value.
    pub(super) fn set(&self, name: &str, value: Value) {
        self.unsolved(|record| record[name] = value);
    }

    /// Changes every record, and has all files made of them.
    pub(super) fn each(&self, change: impl FnMut(&mut Value)) {
        self.records(|records| records.iter_mut().for_each(change));
    }

    /// For each run that is not solved, one of another experiment's seeds that is, if there is one; of its own it keeps these members.
    pub(super) fn lucky(&self, own: &[&str]) {
        let others = self.records_of_seeds(2..8);
        self.records(|records| {
            let mut n_forged = 0;
            for record in records.iter_mut().filter(|record| is_unsolved(record)) {
                let same = ["instance", "algorithm", "settings"];
                let fits = |other: &&Value| is_solved(other) && same.iter().all(|name| other[name] == record[name]);
                let Some(mut lucky) = others.iter().find(fits).cloned() else { continue };
                own.iter().for_each(|name| lucky[name] = record[name].take());
                *record = lucky;
                n_forged += 1;
            }
            assert!(n_forged > 0, "some run is lucky");
        });
    }

    /// Adds a file of records to the journal, and has all files made.
    pub(super) fn add(&self, name: &str, records: impl IntoIterator<Item = Value>) {
        let text: String = records.into_iter().map(|record| sealed(&record.to_string())).collect();
        fs::write(self.path("journal").join(name).with_extension("jsonl"), text).expect("it is written");
        self.remake();
    }

    /// Adds a second record of an unsolved run, changed, in a file of its own.
    pub(super) fn second_alone(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let mut second = Value::Null;
        self.sealed(|records| {
            let record = first(records, is_unsolved);
            record["wall_ms"] = json!(1.0);
            second = record.clone();
        });
        change(&mut second);
        self.add(name, [second]);
    }

    /// The same, with a session of its own.
    pub(super) fn second(&self, change: impl FnOnce(&mut Value)) {
        fs::write(self.path("journal/second.session.json"), "{}").expect("it is written");
        self.second_alone("second", change);
    }

    fn json(&self, name: impl AsRef<Path>, change: impl FnOnce(&mut Value)) {
        self.text(name, |text| {
            let mut value: Value = serde_json::from_str(&text).expect("JSON");
            change(&mut value);
            value.to_string()
        });
    }

    /// Changes the manifest.
    pub(super) fn manifest(&self, change: impl FnOnce(&mut Value)) {
        self.json("manifest.json", change);
    }

    /// Changes what the manifest says at some place.
    pub(super) fn fact(&self, place: &str, value: Value) {
        self.manifest(|manifest| *at(manifest, place) = value);
    }

    /// Changes what the process that did the runs says of itself.
    pub(super) fn session(&self, place: &str, value: Value) {
        self.json(self.journal().with_extension("session.json"), |session| *at(session, place) = value);
    }

    /// Changes the experiment in the manifest, and has all files made of it.
    pub(super) fn experiment(&self, change: impl FnOnce(&mut Value)) {
        self.manifest(|manifest| change(&mut manifest["experiment"]));
        self.remake();
    }

    /// Changes the experiment at some place, and has all files made of it.
    pub(super) fn plan(&self, place: &str, value: Value) {
        self.experiment(|experiment| *at(experiment, place) = value);
    }

    /// Swaps the names of two members of a list of the experiment, and brings this member of the records into line.
    pub(super) fn swap_names(&self, members: &str, [one, other]: [usize; 2], name: &str, in_records: &str) {
        let mut names = [Value::Null, Value::Null];
        self.experiment(|experiment| {
            names = [one, other].map(|at| experiment[members][at][name].clone());
            swap(list(&mut experiment[members]), one, other, name);
        });
        assert_ne!(names[0], names[1]);
        self.records(|records| {
            for record in records {
                if let Some(at) = names.iter().position(|name| *name == record[in_records]) {
                    record[in_records] = names[1 - at].clone();
                }
            }
        });
    }

    /// Has the files rebuilt from manifest and journal, by the program itself.
    pub(super) fn remake(&self) {
        let (status, _, messages) = self.0.report(&["merge", "results/test", "--quiet"]);
        assert!(matches!(status, Some(0 | 1)), "{messages}");
    }
}

/// The records of a journal file, without their checksums, in the order of the plan: runs finish in any.
fn records(text: &str, folder: &TestFolder) -> Vec<Value> {
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        record.as_object_mut().expect("an object").remove("crc32");
        record
    };
    let (mut records, rows): (Vec<Value>, _) =
        (text.lines().map(record).collect(), folder.read("results/test/runs.csv"));
    records.sort_by_key(|record| rows.find(record["run_id"].as_str().expect("an id")));
    records
}

fn first(records: &mut [Value], fits: impl Fn(&Value) -> bool) -> &mut Value {
    records.iter_mut().find(|record| fits(record)).expect("one fits")
}

fn changed_rows(text: &str, change: impl FnOnce(&mut Rows)) -> String {
    let mut rows: Rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    change(&mut rows);
    rows.iter().map(|row| row.join(",") + "\n").collect()
}

/// What stands at a place, a JSON pointer.
fn at<'value>(value: &'value mut Value, place: &str) -> &'value mut Value {
    value.pointer_mut(place).unwrap_or_else(|| panic!("nothing is at {place}"))
}

pub(super) fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list")
}

pub(super) fn column_of(rows: &Rows, name: &str) -> usize {
    rows[0].iter().position(|column| column == name).expect("the column is there")
}

/// Swaps a member of two of a list.
pub(super) fn swap(values: &mut [Value], one: usize, other: usize, name: &str) {
    let values_of = [one, other].map(|at| values[at][name].clone());
    [values[other][name], values[one][name]] = values_of;
}

/// The record of each unsolved run becomes that of the first other that fits it, with its own identity; how many found one.
pub(super) fn solve_with(records: &mut [Value], fits: impl Fn(&Value, &Value) -> bool) -> usize {
    const OUTCOME: &str =
        "solved stop objective best_fitness solution trace evaluations evaluations_to_best generations restarts";
    let before = records.to_vec();
    let mut n_forged = 0;
    for record in records.iter_mut().filter(|record| is_unsolved(record)) {
        let Some(other) = before.iter().find(|other| fits(record, other)) else { continue };
        OUTCOME.split(' ').for_each(|name| record[name] = other[name].clone());
        n_forged += 1;
    }
    n_forged
}

/// Whether a record is of a run that was not solved.
pub(super) fn is_unsolved(record: &Value) -> bool {
    record["solved"] == false
}

/// Whether a record is of a run that was solved.
pub(super) fn is_solved(record: &Value) -> bool {
    record["solved"] == true
}

//! Old folders: what a release wrote is read by this version, with the figures of then. docs/formats.md has the rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::test_folder::TestFolder;

/// A folder for each release, with a folder for each thing that it wrote; its README.md says what they are, and that they are never changed.
const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/old_folders");

/// Columns of the table by buckets that say the same in every version, where they are there.
const TABLE_FIGURES: [&str; 10] = [
    "algorithm",
    "runs",
    "instances",
    "solved %",
    "mean gap %",
    "median gap %",
    "best gap %",
    "mean objective",
    "median objective",
    "best objective",
];

/// What names a machine or a place on one, and may not stand in stored files.
const PLACES: [&str; 7] = ["\"/", "/tmp/", "/home/", "/root/", "/work/", "/Users/", ":\\\\"];

/// Files by their paths in a folder.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What a release wrote: an experiment, its results folder and what that release printed of it.
struct OldFolder {
    version: String,
    /// `0.2.0/sudoku`.
    name: String,
    path: PathBuf,
}

impl OldFolder {
    /// A copy in a temporary folder.
    fn copy(&self) -> TestFolder {
        let folder = TestFolder::empty();
        for (path, bytes) in files(&self.path) {
            let target = folder.path(path);
            fs::create_dir_all(target.parent().expect("it is in a folder")).expect("a folder");
            fs::write(target, bytes).expect("the file is written");
        }
        folder
    }

    fn read(&self, name: &str) -> String {
        let path = self.path.join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn sheet(&self, name: &str) -> Sheet {
        Sheet::new(&self.read(name))
    }

    fn runs(&self) -> Sheet {
        self.sheet("results/runs.csv")
    }

    fn n_failed(&self) -> usize {
        self.runs().column("stop").iter().filter(|&&stop| stop == "failed").count()
    }

    /// What `runner` prints with these arguments in the copy, where it ends well and changes nothing in the results folder.
    fn printed(&self, folder: &TestFolder, arguments: &[&str]) -> String {
        self.printed_at(0, folder, arguments)
    }

    fn printed_at(&self, status: i32, folder: &TestFolder, arguments: &[&str]) -> String {
        let (ended, printed, messages) = folder.report(arguments);
        assert_eq!(ended, Some(status), "{}: {arguments:?}: {printed}{messages}", self.name);
        let (before, after) = (files(&self.path.join("results")), files(&folder.path("results")));
        let changed: Vec<_> =
            before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(changed.is_empty(), "{}: {arguments:?} changes {changed:?}", self.name);
        printed
    }
}

/// All that are stored, by version and name.
fn old_folders() -> Vec<OldFolder> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).expect("the folder is there").map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let last = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let of_version = |version: PathBuf| {
        let found = folders(&version).into_iter().map(move |path| (last(&version), last(&path), path));
        found.map(|(version, name, path)| OldFolder { name: format!("{version}/{name}"), version, path })
    };
    // Other systems start no external programs.
    let is_possible = |folder: &OldFolder| cfg!(unix) || !folder.read("experiment.toml").contains("\"external\"");
    folders(Path::new(STORED)).into_iter().flat_map(of_version).filter(is_possible).collect()
}

/// All files below a folder.
fn files(folder: &Path) -> Files {
    fn add(folder: &Path, below: &Path, files: &mut Files) {
        for entry in fs::read_dir(folder.join(below)).expect("the folder is there") {
            let entry = entry.expect("an entry");
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                add(folder, &path, files);
            } else {
                files.insert(path, fs::read(entry.path()).expect("the file is read"));
            }
        }
    }
    let mut found = Files::new();
    add(folder, Path::new(""), &mut found);
    found
}

/// A CSV.
struct Sheet {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    fn new(text: &str) -> Self {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let fields = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
        let mut rows: Vec<Vec<String>> = reader.records().map(|record| fields(record.expect("a row"))).collect();
        assert!(!rows.is_empty(), "it has a header");
        Self { names: rows.remove(0), rows }
    }

    /// The fields of a column; it must be there.
    fn column(&self, name: &str) -> Vec<&str> {
        let at = self.names.iter().position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column `{name}`: {:?}", self.names));
        self.rows.iter().map(|row| row[at].as_str()).collect()
    }

    /// Fails where one of these columns is another one here than in `before`, which has it.
    fn assert_has<'n>(&self, before: &Self, names: impl Iterator<Item = &'n str>, what: &str) {
        assert_eq!(self.rows.len(), before.rows.len(), "{what}: rows");
        for name in names {
            for (row, (now, then)) in self.column(name).into_iter().zip(before.column(name)).enumerate() {
                assert!(
                    is_same_figure(now, then),
                    "{what}: row {row}, column `{name}`: it was `{then}`, and is `{now}`"
                );
            }
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// Whether a field says what it said then: the same text, or the same number to the decimals that it had.
fn is_same_figure(now: &str, then: &str) -> bool {
    let decimals = then.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    now == then || now.parse::<f64>().is_ok_and(|now| format!("{now:.decimals$}") == then)
}

#[test]
fn what_is_stored_is_whole_and_names_no_machine() {
    let folders = old_folders();
    assert!(folders.iter().any(|old| old.version == "0.2.0"), "the folders are found");
    for old in folders {
        let manifest: Value = serde_json::from_str(&old.read("results/manifest.json")).expect("it is JSON");
        assert_eq!(manifest["evogrid"]["version"], old.version, "{}", old.name);
        let rows = old.runs().rows.len();
        assert_eq!(manifest["runs"]["present"], json!(rows), "{}", old.name);
        old.sheet("results/summary.csv");
        let stored = files(&old.path);
        let journals = stored.keys().filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        for path in journals {
            assert!(stored.contains_key(&path.with_extension("session.json")), "{}: {}", old.name, path.display());
        }
        for (path, bytes) in &stored {
            let text = String::from_utf8_lossy(bytes);
            let is_text = path.extension().is_none_or(|extension| extension != "gz");
            for place in PLACES.iter().filter(|_| is_text && path.starts_with("results")) {
                assert!(!text.contains(place), "{}: `{place}` stands in {}", old.name, path.display());
            }
        }
    }
}

#[test]
fn a_table_has_the_figures_of_then() {
    for old in old_folders() {
        let folder = old.copy();
        let table = |arguments: &[&str]| old.printed(&folder, &[&["table", "results"], arguments].concat());
        let (summary, printed) = (old.sheet("results/summary.csv"), old.sheet("printed/table.csv"));
        let long = Sheet::new(&table(&["--layout", "long", "--format", "csv"]));
        long.assert_has(&summary, summary.names(), &old.name);
        let buckets = Sheet::new(&table(&["--format", "csv"]));
        let figures = TABLE_FIGURES.into_iter().filter(|figure| printed.names().any(|name| name == *figure));
        assert!(figures.clone().count() > 2, "{}", old.name);
        buckets.assert_has(&printed, figures, &old.name);
        for format in ["text", "markdown"] {
            let text = table(&["--format", format]);
            for algorithm in summary.column("algorithm") {
                assert!(text.contains(algorithm), "{}: {text}", old.name);
            }
        }
        // Where there is nothing but the summary, it is read in the place of the runs.
        fs::rename(folder.path("results/summary.csv"), folder.path("alone.csv")).expect("it is moved");
        let (printed, _) = folder.outputs(0, &["table", "alone.csv", "--layout", "long", "--format", "csv"]);
        Sheet::new(&printed).assert_has(&summary, summary.names(), &old.name);
    }
}

#[test]
fn a_comparison_rests_on_the_runs_of_then() {
    for old in old_folders() {
        let folder = old.copy();
        let printed = old.sheet("printed/compare.csv");
        let now = Sheet::new(&old.printed(&folder, &["compare", "results", "--format", "csv"]));
        let names = ["first algorithm", "second algorithm", "instances", "runs of first", "runs of second"];
        now.assert_has(&printed, names.into_iter(), &old.name);
        old.printed(&folder, &["compare", "results"]);
    }
}

#[test]
#[cfg(feature = "charts")]
fn every_chart_of_then_is_drawn() {
    for old in old_folders() {
        let folder = old.copy();
        old.printed(&folder, &["plot", "results", "--format", "vega", "--out", "charts"]);
        for name in old.read("printed/charts.txt").lines() {
            let path = Path::new("charts").join(name);
            assert!(folder.path(&path).exists(), "{}: {name}", old.name);
            let chart: Value = serde_json::from_str(&folder.read(&path)).expect("a chart is JSON");
            assert!(chart.is_object(), "{}: {name}", old.name);
        }
    }
}

#[test]
#[cfg(feature = "charts")]
fn a_report_has_every_run_of_then() {
    for old in old_folders() {
        let folder = old.copy();
        old.printed(&folder, &["report", "results", "--out", "report.html"]);
        let page = folder.read("report.html");
        let (_, rest) = page.split_once("id=\"data\">").expect("the page has data");
        let (text, _) = rest.split_once("</script>").expect("they end");
        let data: Value = serde_json::from_str(text).expect("they are JSON");
        assert_eq!(data["runs"].as_array().map(Vec::len), Some(old.runs().rows.len()), "{}", old.name);
        let summary = old.sheet("results/summary.csv");
        for (row, solved) in data["summary"].as_array().expect("rows").iter().zip(summary.column("solved")) {
            assert_eq!(row["solved"], json!(solved.parse().unwrap_or(0)), "{}", old.name);
        }
    }
}

#[test]
fn the_live_view_and_an_export_take_the_runs_of_then() {
    for old in old_folders() {
        let folder = old.copy();
        old.printed(&folder, &["live", "results", "--once"]);
        old.printed(&folder, &["export", "results", "--format", "ioh", "--out", "ioh"]);
        assert!(fs::read_dir(folder.path("ioh")).expect("a folder").count() > 0, "{}", old.name);
    }
}

#[test]
fn a_folder_of_then_is_verified_and_its_runs_come_out_the_same() {
    for old in old_folders() {
        let folder = old.copy();
        let (runs, all) = (old.runs(), ["--sample", "1000", "--run-programs"]);
        let told = old.printed(&folder, &[&["verify", "results"], all.as_slice()].concat());
        assert!(told.contains(&runs.rows.len().to_string()), "{}: {told}", old.name);
        let numbered = runs.column("run").into_iter().zip(runs.column("run_id")).zip(runs.column("stop"));
        let finished: Vec<(&str, &str)> = numbered.filter(|(_, stop)| *stop != "failed").map(|(run, _)| run).collect();
        for (number, id) in [finished.first(), finished.last()].into_iter().flatten() {
            for run in [number, id] {
                let told = old.printed(&folder, &["replay", "results", run, "--run-programs"]);
                assert!(told.contains(id), "{}: {told}", old.name);
            }
        }
    }
}

#[test]
fn the_tables_that_a_journal_of_then_makes_are_those_of_then() {
    for old in old_folders() {
        let folder = old.copy();
        let status = i32::from(old.n_failed() > 0);
        old.printed_at(status, &folder, &["merge", "results", "--out", "merged", "--quiet"]);
        for table in ["runs.csv", "summary.csv"] {
            let (before, after) = (old.read(&format!("results/{table}")), folder.read(format!("merged/{table}")));
            let (then, now) = (Sheet::new(&before), Sheet::new(&after));
            for name in then.names() {
                assert_eq!(now.column(name), then.column(name), "{}: {table}, column `{name}`", old.name);
            }
            // A column may have come since.
            assert!(now.names != then.names || before == after, "{}: {table}", old.name);
        }
        old.printed(&folder, &["verify", "merged", "--sample", "1000", "--run-programs"]);
        // In the place of the old ones, too, and whatever the folder lacks.
        for table in ["runs.csv", "summary.csv", "csv-metadata.json"] {
            fs::remove_file(folder.path("results").join(table)).expect("it is there");
        }
        folder.outputs(status, &["merge", "results", "--quiet"]);
        assert_eq!(folder.read("results/runs.csv"), folder.read("merged/runs.csv"), "{}", old.name);
    }
}

#[test]
fn no_run_of_then_is_done_again() {
    for old in old_folders() {
        let folder = old.copy();
        let (n_failed, before) = (old.n_failed(), folder.journal_lines("results"));
        let status = i32::from(n_failed > 0);
        let (_, told) = folder.outputs(0, &["missing", "results", "--shards", "1"]);
        assert!(told.contains(&format!("{n_failed} of ")), "{}: {told}", old.name);
        folder.outputs(status, &["run", "experiment.toml", "--out", "results", "--quiet"]);
        assert_eq!(
            folder.journal_lines("results") - before,
            n_failed,
            "{}: those that failed are tried again",
            old.name
        );
        let (then, now) = (old.runs(), Sheet::new(&folder.read("results/runs.csv")));
        for name in then.names().filter(|name| !["wall_ms", "cpu_ms"].contains(name)) {
            assert_eq!(now.column(name), then.column(name), "{}: column `{name}`", old.name);
        }
    }
}

#[test]
fn what_a_later_version_might_add_to_a_manifest_and_a_journal_is_passed_over() {
    for old in old_folders() {
        let folder = old.copy();
        let mut manifest: Value = serde_json::from_str(&folder.read("results/manifest.json")).expect("it is JSON");
        manifest["later"] = json!({ "value": 1 });
        manifest["experiment"]["later"] = json!(1);
        manifest["experiment"]["algorithms"][0]["later"] = json!("one");
        manifest["experiment"]["instances"][0]["later"] = json!([1]);
        folder.write("results/manifest.json", manifest.to_string());
        for journal in folder.journals("results") {
            folder.change(&journal, |text| text.replace("\"seed\":", "\"later\":{\"value\":1},\"seed\":"));
        }
        folder.reseal("results");
        folder.outputs(0, &["verify", "results", "--sample", "1000", "--run-programs"]);
        folder.outputs(0, &["table", "results"]);
    }
}

#[test]
fn a_folder_of_another_results_version_is_read_and_its_runs_are_not_taken_for_ours() {
    let mut one_of_each = old_folders();
    one_of_each.dedup_by(|later, first| later.version == first.version);
    for old in one_of_each {
        let folder = old.copy();
        let manifest: Value = serde_json::from_str(&folder.read("results/manifest.json")).expect("it is JSON");
        let is = format!("\"results_version\": {}", manifest["evogrid"]["results_version"]);
        folder.change("results/manifest.json", |text| text.replace(&is, "\"results_version\": 99"));
        let before = files(&folder.path("results"));
        for reading in [
            "table results",
            "compare results",
            #[cfg(feature = "charts")]
            "plot results --format vega --out charts",
            #[cfg(feature = "charts")]
            "report results --out report.html",
            "export results --format ioh --out ioh",
        ] {
            folder.outputs(0, &reading.split(' ').collect::<Vec<_>>());
        }
        for (status, refused) in [
            (1, "verify results"),
            (1, "replay results 0"),
            (1, "merge results"),
            (1, "merge results --out merged"),
            (1, "missing results --shards 2"),
            (2, "live results --once"),
            (2, "run experiment.toml --out results"),
        ] {
            let told = folder.refused(status, &refused.split(' ').collect::<Vec<_>>());
            assert!(told.contains("results version 99"), "{}: {refused}: {told}", old.name);
        }
        assert_eq!(files(&folder.path("results")), before, "{}", old.name);
    }
}

//! Converts results in the format of IOHprofiler to our own files. IOHprofiler's loggers from version 0.3 on and our own export write this
//! format.
//!
//! A file `IOHprofiler_f*.json` describes the runs of an algorithm on a function. A dat file contains the courses of these runs. Values are
//! not changed. If larger values are better, the fitness of the function has `(maximised)` in the name. In our files, an instance combines
//! IOHprofiler's function, instance number and dimension. In our own exports, each function is one instance.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use super::course::Courses;
use super::description::{Description, Scenario, descriptions};
use crate::columns::COLUMNS;
use crate::export::ConversionError;
use crate::export::folder::NewFolder;
use crate::files::{FilePlace, create, replace};
use crate::format::quoted;
use crate::names::{NameCounts, NameTable};
use crate::runs::{Row, Writer};
use crate::trace::{self, Trigger};

/// The columns that are known after an import.
const KNOWN: &str = "run algorithm problem instance bucket repetition solved objective fitness best_fitness unit evaluations \
                     evaluations_to_best";

/// What was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// The number of runs.
    pub runs: u64,
    /// The number of algorithms.
    pub algorithms: usize,
    /// The number of instances.
    pub instances: usize,
    /// The number of functions that are maximised.
    pub maximised: usize,
}

/// Imports folders of IOHprofiler. If `out` ends in `.csv`, the runs are written to this new file. The courses are not written. Otherwise
/// `out` is a new folder with `runs.csv` and `trace.csv.gz`.
///
/// # Errors
/// If a file cannot be read or written. If a file is not in this format or contradicts another file. If the output exists already. If an
/// error occurs, no output file or folder is written.
pub fn import(folders: &[PathBuf], out: &Path) -> Result<ImportReport, ConversionError> {
    let descriptions = descriptions(folders)?;
    if out.extension().is_some_and(|extension| extension == "csv") {
        let written = create(out, |runs| -> Result<_, ConversionError> { Import::new(runs, None)?.all(&descriptions) });
        return written?.ok_or_else(|| ConversionError::exists(out));
    }
    let folder = NewFolder::create(out)?;
    let imported = replace(&folder.inside.join("trace.csv.gz"), |trace| {
        replace(&folder.inside.join("runs.csv"), |runs| -> Result<_, ConversionError> {
            Import::new(runs, Some(trace))?.all(&descriptions)
        })
    })?;
    folder.put_in_place()?;
    Ok(imported)
}

type Output<'a> = &'a mut dyn Write;

/// An import that is being written.
struct Import<'a> {
    runs: Writer<Output<'a>>,
    trace: Option<trace::Writer<Output<'a>>>,
    row: Row,
    algorithms: NameTable,
    instances: NameTable,
    maximised: BTreeSet<String>,
    /// The number of runs of each algorithm on each instance.
    repetitions: NameCounts,
}

impl<'a> Import<'a> {
    fn new(runs: Output<'a>, trace: Option<Output<'a>>) -> Result<Self, ConversionError> {
        let missing = COLUMNS.iter().map(|column| column.name);
        let missing: Vec<&str> = missing.filter(|name| KNOWN.split(' ').all(|known| known != *name)).collect();
        Ok(Self {
            runs: Writer::without(runs, &[], &missing)?,
            trace: trace.map(|output| trace::Writer::new(output, Trigger::Improvements)).transpose()?,
            row: Row { unit: "evaluations".to_owned(), ..Row::default() },
            algorithms: NameTable::default(),
            instances: NameTable::default(),
            maximised: BTreeSet::new(),
            repetitions: NameCounts::default(),
        })
    }

    fn all(mut self, descriptions: &[PathBuf]) -> Result<ImportReport, ConversionError> {
        for path in descriptions {
            let description = Description::read(path)?;
            for scenario in &description.scenarios {
                self.add(path, &description, scenario)?;
            }
        }
        self.runs.finish()?;
        self.trace.map_or(Ok(()), trace::Writer::finish)?;
        Ok(ImportReport {
            runs: self.row.run,
            algorithms: self.algorithms.names().len(),
            instances: self.instances.names().len(),
            maximised: self.maximised.len(),
        })
    }

    fn add(&mut self, path: &Path, description: &Description, scenario: &Scenario) -> Result<(), ConversionError> {
        let dat = dat_path(path, scenario)?;
        let place = FilePlace::below(&dat, scenario.path.split(['/', '\\']).count());
        let mut courses = self.trace.is_some().then(|| Courses::open(place, description.maximization)).transpose()?;
        self.row.key.algorithm.clone_from(&description.algorithm.name);
        self.row.key.problem = description.problem().to_owned();
        (self.row.key.bucket, self.row.fitness) = (description.bucket(scenario), description.fitness());
        self.algorithms.number(&description.algorithm.name);
        if description.maximization {
            self.maximised.insert(self.row.fitness.clone());
        }
        for run in &scenario.runs {
            self.row.key.instance = description.instance(scenario, run);
            self.instances.number(&self.row.key.instance);
            let n_before = self.repetitions.next([&self.row.key.algorithm, &self.row.key.instance]);
            let own = run.repetition.filter(|own| description.is_own() && *own >= 0.0);
            self.row.key.repetition = own.map_or(n_before, |own| own as u64);
            let outcome = &mut self.row.outcome;
            outcome.solved = run.solved.filter(|_| description.is_own()).map(|solved| solved > 0.0);
            (outcome.objective, outcome.best_fitness) = (Some(run.best.y), Some(run.best.y));
            (outcome.evaluations, outcome.evaluations_to_best) = (run.evaluations, run.best.evaluations);
            self.runs.write(&self.row)?;
            if let (Some(courses), Some(trace)) = (&mut courses, &mut self.trace) {
                trace.write(self.row.run, &courses.next(&dat, run)?)?;
            }
            self.row.run += 1;
        }
        courses.map_or(Ok(()), Courses::finish)
    }
}

/// The dat file of a scenario, in the folder of its description.
fn dat_path(description: &Path, scenario: &Scenario) -> Result<PathBuf, ConversionError> {
    // A logger on Windows writes backslashes.
    let path: PathBuf = scenario.path.split(['/', '\\']).collect();
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_inside || scenario.path.starts_with(['/', '\\']) || path.as_os_str().is_empty() {
        let (file, path) = (quoted(&description.to_string_lossy()), quoted(&scenario.path));
        return Err(ConversionError::Refused(format!(
            "{file}: the path `{path}` leads outside the folder of this file: expected a path inside the folder"
        )));
    }
    Ok(description.with_file_name("").join(path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    const DESCRIPTION: &str = r#"{"version": "0.3.22", "suite": "PBO", "function_id": 1, "function_name": "OneMax",
        "maximization": true, "algorithm": {"name": "ga", "info": "x"}, "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": 4, "path": "data_f1\\d.dat", "runs": [
        {"instance": 1, "evals": 9, "best": {"evals": 7, "y": 3.00000000004, "x": [1, 0]}},
        {"instance": 1, "evals": 2, "best": {"evals": 1, "y": 2, "x": []}}]}]}"#;

    const COURSES: &str =
        "evaluations raw_y x0\n1 1.0 0\n3 1.0 0\n7 3.0000000000 1\n9 2 1\nevaluations raw_y x0\n1 2 0\n";

    fn imported(description: &[u8], courses: &[u8]) -> Result<(ImportReport, String, usize), ConversionError> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("data_f1")).expect("a folder");
        fs::write(folder.path().join("IOHprofiler_f1_OneMax.json"), description).expect("it is written");
        fs::write(folder.path().join("data_f1/d.dat"), courses).expect("it is written");
        let out = folder.path().join("out");
        let report = import(&[folder.path().to_owned()], &out)?;
        let trace = fs::File::open(out.join("trace.csv.gz")).expect("a trace");
        let points = std::io::read_to_string(flate2::read::GzDecoder::new(trace)).expect("text").lines().count() - 1;
        Ok((report, fs::read_to_string(out.join("runs.csv")).expect("runs"), points))
    }

    #[test]
    fn paths_of_windows_and_columns_after_the_value_are_read() {
        let (report, runs, points) = imported(DESCRIPTION.as_bytes(), COURSES.as_bytes()).expect("it is imported");
        assert_eq!((report.runs, report.algorithms, report.instances, report.maximised, points), (2, 1, 1, 1, 3));
        assert!(
            runs.contains("\n0,ga,PBO,f1-OneMax-i1-d4,f1-OneMax-d4,0,,3.00000000004,OneMax (maximised),3.00000000004,")
        );
    }

    proptest! {
        #[test]
        fn whatever_is_damaged_the_import_ends_without_a_panic(
            at in 0usize..400,
            bytes in proptest::collection::vec(any::<u8>(), 0..4),
            removed in 0usize..5,
            is_course in any::<bool>(),
        ) {
            let mut texts = [DESCRIPTION.as_bytes().to_vec(), COURSES.as_bytes().to_vec()];
            let text = &mut texts[usize::from(is_course)];
            let at = at % text.len();
            let end = (at + removed).min(text.len());
            text.splice(at..end, bytes);
            if let Ok((report, runs, _)) = imported(&texts[0], &texts[1]) {
                prop_assert_eq!(report.runs as usize + 1, runs.lines().count());
            }
        }
    }
}

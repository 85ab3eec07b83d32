//! Converts results in the format of IOHprofiler to our own files. The loggers of IOHprofiler write this format from version 0.3 on. Our
//! own export writes this format, too.
//!
//! A file `IOHprofiler_f*.json` describes the runs of an algorithm on a function. A dat file describes the course of each run that is in
//! the JSON file. The import does not change the values. If larger values are better, the name of the fitness ends in `(maximised)`. In our
//! files, an instance combines IOHprofiler's function, instance number and dimension. If our own export wrote the files, each function is
//! one instance.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use super::description::{Best, Description, Run, Scenario, descriptions};
use crate::columns::COLUMNS;
use crate::export::ConversionError;
use crate::export::folder::NewFolder;
use crate::files::{FileError, FilePlace, create, open_regular, replace};
use crate::format::quoted;
use crate::names::{NameCounts, NameTable};
use crate::runs::{Row, Writer};
use crate::sheet::{number, whole};
use crate::trace::{self, Point, ThinnedPoints, Trigger};

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

/// Imports folders of IOHprofiler. If `out` ends in `.csv`, the function writes the runs to the new file `out`. If `out` ends in `.csv`,
/// the traces of the runs are not written. If `out` does not end in `.csv`, the function makes the new folder `out` with `runs.csv` and
/// `trace.csv.gz`.
///
/// # Errors
/// Returns an error if a file cannot be read or written. Returns an error if a file does not have the format of IOHprofiler, or contradicts
/// another file. Returns an error if the output exists already. If an error occurs, no output file or folder is written.
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

/// The maximum length of a line in bytes; a line may contain positions.
const LINE_LIMIT: u64 = 1 << 24;

/// The relative rounding error of the values in a dat file, which have ten digits.
const ROUNDING: f64 = 1e-9;

/// A dat file, positioned at one of its lines.
struct Courses {
    file: String,
    reader: BufReader<File>,
    text: String,
    line: u64,
    maximises: bool,
}

impl Courses {
    fn open(place: FilePlace<'_>, maximises: bool) -> Result<Self, ConversionError> {
        let file = open_regular(place).map_err(FileError::from_io("read", place.path))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        let mut courses =
            Self { file: quoted(&place.path.to_string_lossy()), reader, text: String::new(), line: 0, maximises };
        courses.advance(place.path)?;
        Ok(courses)
    }

    /// The improvements of the next run; the last point has the best value.
    fn next(&mut self, path: &Path, run: &Run) -> Result<Vec<Point>, ConversionError> {
        let names: Vec<&str> = self.text.split_whitespace().map(|name| name.trim_matches('"')).collect();
        let place = |name: &str| names.iter().position(|own| *own == name);
        let Some((at, y)) = place("evaluations").zip(place("raw_y").or_else(|| place("raw_y_best"))) else {
            return Err(self.bad(
                "a line of column names before the points of each run, with the columns `evaluations` and `raw_y`",
            ));
        };
        let Best { evaluations: best_at, y: best } = run.best;
        let sign = if self.maximises { -1.0 } else { 1.0 };
        let is_better = |one: f64, other: f64| sign * one < sign * other;
        let (mut thinned, mut last, mut before) = (ThinnedPoints::default(), None, 0);
        while self.advance(path)? && self.text.starts_with(|first: char| !first.is_alphabetic() && first != '"') {
            let field = |column: usize| self.text.split_whitespace().nth(column);
            let most = run.evaluations.max(1);
            let evaluations = field(at).and_then(whole).filter(|at| (before + 1..=most).contains(at));
            let Some((evaluations, value)) = evaluations.zip(field(y).and_then(number)) else {
                return Err(self.bad(&format!("a number of evaluations from {} to {most}, and a value", before + 1)));
            };
            before = evaluations;
            if is_better(value, best - sign * ROUNDING * (1.0 + best.abs())) {
                return Err(self
                    .bad(&format!("a value that is not better than {best}, the best value in the run's description")));
            }
            // The last point of a course has the best value of the description, which is exact.
            let is_before = evaluations < best_at && is_better(best, value);
            if is_before && last.is_none_or(|last| is_better(value, last)) {
                last = Some(value);
                if thinned.is_next_kept() {
                    thinned.kept.push(point(evaluations, value));
                }
            }
        }
        let mut points = thinned.kept;
        points.push(point(best_at, best));
        Ok(points)
    }

    /// Returns an error if the file has further runs.
    fn finish(self) -> Result<(), ConversionError> {
        if self.text.is_empty() {
            Ok(())
        } else {
            Err(self.bad("the end of the file, because the description of the file contains no further runs"))
        }
    }

    /// Moves to the next line that is not empty; returns false after the last one.
    fn advance(&mut self, path: &Path) -> Result<bool, ConversionError> {
        loop {
            self.text.clear();
            self.line += 1;
            let read = self.reader.by_ref().take(LINE_LIMIT).read_line(&mut self.text);
            let is_end = read.map_err(FileError::from_io("read", path))? == 0;
            if is_end || !self.text.trim().is_empty() {
                return Ok(!is_end);
            }
        }
    }

    fn bad(&self, expected: &str) -> ConversionError {
        const SHOWN: usize = 80;
        let shown: String = self.text.trim().chars().take(SHOWN).collect();
        let found = if shown.is_empty() { "the end of the file".to_owned() } else { quoted(&shown) };
        ConversionError::Refused(format!("{}:{}: expected {expected}, found `{found}`", self.file, self.line))
    }
}

fn point(evaluations: u64, best_fitness: f64) -> Point {
    Point { evaluations, generation: 0, best_fitness, mean_fitness: None, diversity: None }
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

//! Results in the format of IOHprofiler. The programs IOHanalyzer and `iohinspector` can read this format.
//!
//! Wang, Vermetten, Ye, Doerr and Baeck, "IOHanalyzer: detailed performance analyses for iterative optimization heuristics",
//! ACM Transactions on Evolutionary Learning and Optimization 2(1), 2022, doi:10.1145/3510426.
//!
//! The export has a folder for each configuration. For each instance, the folder has a JSON file with a list of the runs. A dat file
//! describes the course of each run that is in this list. In IOHprofiler, each of our instances is called a function. The readers of the
//! format require this form:
//!
//! - Every run has a row at evaluation 1. If there is no trace, or if the trace records generations, the fitness at evaluation 1 is
//!   unknown. In this case, the export writes a substitute fitness, which is worse by 1 than the worst fitness in the file of runs and in
//!   the trace. If a run failed before it found a solution, the run has no fitness. For such a run, the export writes the substitute
//!   fitness, too.
//! - Each row describes an improvement, or the last evaluation of a run.
//! - The functions are numbered in the order of the instances. The number of a function has 16 bits.

mod course;
mod dataset;
mod survey;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use evogrid_core::family::Direction;

use self::course::Course;
use self::dataset::{Dataset, Header};
pub use self::survey::Request;
use self::survey::{Survey, survey};
use super::ConversionError;
use super::folder::NewFolder;
use crate::points::Points;
use crate::runs::{Reader, Row, RunKey};
use crate::trace::Point;

/// A report about an export. The report says how much data was written, and which data are missing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct IohReport {
    /// The number of runs.
    pub runs: u64,
    /// The number of configurations; the export has one folder for each of them.
    pub settings: usize,
    /// The number of instances; IOHprofiler calls each of them a function.
    pub functions: usize,
    /// The columns that the file of runs lacks.
    pub missing: Vec<&'static str>,
    /// True if the trace records generations instead of every improvement.
    pub has_generations: bool,
    /// The number of runs without a point in the trace. If there is no trace, all runs are counted.
    pub untraced: u64,
    /// The number of runs whose fitness at evaluation 1 is unknown.
    pub assumed: u64,
    /// The values that are written if a fitness is unknown. There is one value for minimised fitnesses, and one value for maximised
    /// fitnesses.
    pub unknown_fitness: Vec<f64>,
    /// The number of instances whose dimension is unknown or exceeds 16 bits. The export writes 1 as the
    /// dimension of these instances.
    pub without_dimension: usize,
}

/// Exports runs.
///
/// # Errors
/// Returns an error if a file cannot be read or written. Returns an error if the folder is in use, or there are too many instances. Returns
/// an error if a run lacks its evaluations, or a solved run lacks its best fitness. If an error occurs, the output folder contains no
/// files.
pub fn export(request: &Request<'_>) -> Result<IohReport, ConversionError> {
    let folder = NewFolder::create(request.out)?;
    let survey = survey(request)?;
    let reader = Reader::open_named(request.runs, request.columns)?;
    let mut export = Export {
        request,
        root: &folder.inside,
        varied: reader.varied.clone(),
        points: survey.trace.map(Points::open).transpose()?,
        settings: BTreeMap::new(),
        open: None,
        unmeasured: BTreeSet::new(),
        exported: IohReport {
            functions: survey.functions.names().len(),
            missing: reader.missing.clone(),
            ..IohReport::default()
        },
        survey,
    };
    export.exported.has_generations = export.points.as_ref().is_some_and(Points::has_population);
    for row in reader {
        export.add(&row?)?;
    }
    let exported = export.finish()?;
    folder.put_in_place()?;
    Ok(exported)
}

/// An algorithm, and the values of its varied settings.
type Setting = (String, Vec<String>);

/// An export that is being written.
struct Export<'a> {
    request: &'a Request<'a>,
    root: &'a Path,
    varied: Vec<String>,
    survey: Survey<'a>,
    points: Option<Points>,
    /// The folder of each configuration.
    settings: BTreeMap<Setting, PathBuf>,
    /// The key and the varied settings of the last row, with the open files to which this row was written.
    open: Option<((RunKey, Vec<String>), Dataset)>,
    /// The functions without a dimension.
    unmeasured: BTreeSet<u16>,
    exported: IohReport,
}

impl Export<'_> {
    fn add(&mut self, row: &Row) -> Result<(), ConversionError> {
        let outcome = &row.outcome;
        let columns = ["best_fitness", "evaluations_to_best", "seed"];
        let [has_best, has_evaluations_to_best, has_seed] = columns.map(|name| !self.exported.missing.contains(&name));
        // Without fitnesses, a solved run has the fitness 0, and an unsolved run 1. This fitness is minimised.
        let direction = if has_best { row.direction() } else { Direction::Minimise };
        self.open(row, direction)?;
        let Some((_, dataset)) = &mut self.open else { unreachable!("the output files are already open") };
        let best =
            if has_best { outcome.best_fitness } else { outcome.solved.map(|solved| if solved { 0.0 } else { 1.0 }) };
        let best = best.map(|best| direction.cost(best));
        let at = has_evaluations_to_best.then_some(outcome.evaluations_to_best);
        let cost = |point: Point| Point { best_fitness: direction.cost(point.best_fitness), ..point };
        let next = || match &mut self.points {
            Some(points) => Ok(points.next_in_run(row.run)?.map(cost)),
            None => Ok(None),
        };
        let unknown = self.survey.unknown;
        let course = Course::new(outcome.evaluations, best, at, unknown, next)?;
        dataset.add(row, &course, has_seed, direction)?;
        if course.is_assumed && !self.exported.unknown_fitness.contains(&direction.cost(unknown)) {
            self.exported.unknown_fitness.push(direction.cost(unknown));
        }
        self.exported.runs += 1;
        self.exported.untraced += u64::from(!course.is_traced);
        self.exported.assumed += u64::from(course.is_assumed);
        Ok(())
    }

    /// Opens the files that belong to a run.
    fn open(&mut self, row: &Row, direction: Direction) -> Result<(), ConversionError> {
        let Row { key, varied, .. } = row;
        let is_open = self.open.as_ref().is_some_and(|((open, open_varied), _)| {
            (&open.instance, &open.problem, &open.algorithm, open_varied.as_slice())
                == (&key.instance, &key.problem, &key.algorithm, varied.as_slice())
        });
        if is_open {
            return Ok(());
        }
        if let Some((_, dataset)) = self.open.take() {
            dataset.close()?;
        }
        let head = self.head(row, direction)?;
        let setting = (key.algorithm.clone(), varied.clone());
        let number = self.settings.len() + 1;
        let folder = self.settings.entry(setting).or_insert_with(|| {
            // The number distinguishes configurations whose names are equal in file names.
            self.root.join(format!("{number}-{}", safe(&head.algorithm)))
        });
        self.open = Some(((key.clone(), varied.clone()), Dataset::open(folder, &head)?));
        Ok(())
    }

    fn head(
        &mut self,
        Row { key, varied, fitness, .. }: &Row,
        direction: Direction,
    ) -> Result<Header, ConversionError> {
        let n_known = self.survey.functions.names().len();
        let place = self.survey.functions.number_of_list([&key.problem, &key.instance]);
        if place >= n_known {
            return Err(ConversionError::changed(self.request.runs));
        }
        let function = place as u16 + 1;
        let dimension = self.request.dimensions.get(&key.instance).and_then(|&dimension| dimension.try_into().ok());
        if dimension.is_none() {
            self.unmeasured.insert(function);
        }
        let set = || self.varied.iter().zip(varied).filter(|(_, value)| !value.is_empty());
        let mut algorithm = key.algorithm.clone();
        set().for_each(|(path, value)| algorithm += &format!(", {path} = {value}"));
        let more = [("bucket", &key.bucket), ("fitness", fitness)].map(|(name, text)| (name.to_owned(), text.clone()));
        Ok(Header {
            suite: if key.problem.is_empty() { "unknown".to_owned() } else { key.problem.clone() },
            function,
            function_name: key.instance.clone(),
            safe_name: safe(&key.instance),
            algorithm,
            attributes: set()
                .map(|(path, value)| (path.clone(), value.clone()))
                .chain(more.into_iter().filter(|(_, text)| !text.is_empty()))
                .collect(),
            dimension: dimension.unwrap_or(1),
            direction,
        })
    }

    fn finish(mut self) -> Result<IohReport, ConversionError> {
        if let Some((_, dataset)) = self.open.take() {
            dataset.close()?;
        }
        if self.exported.runs != self.survey.runs {
            return Err(ConversionError::changed(self.request.runs));
        }
        self.exported.settings = self.settings.len();
        self.exported.without_dimension = self.unmeasured.len();
        Ok(self.exported)
    }
}

/// The maximum length of a safe name, in bytes.
const PART_LENGTH: usize = 60;

/// A text in a form that is safe in file names. It contains ASCII letters and digits, `-`, and `_` for every other character. Long texts
/// are cut. Different texts may give the same result, so a number must be added to distinguish them.
///
/// The result has no dots, because readers look for file extensions anywhere in a path.
fn safe(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        if name.len() == PART_LENGTH {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '-' {
            name.push(character);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_matches('_');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests;

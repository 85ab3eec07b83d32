//! Reads the courses of runs from a dat file. Each run has a line of names, and then lines with evaluations and values.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::description::{Best, Run};
use crate::export::ConversionError;
use crate::files::{FileError, FilePlace, open_regular};
use crate::format::quoted;
use crate::sheet::{number, whole};
use crate::trace::{Point, ThinnedPoints};

/// The maximum length of a line in bytes; a line may contain positions.
const LINE_LIMIT: u64 = 1 << 24;

/// The relative rounding error of the values in a dat file, which have ten digits.
const ROUNDING: f64 = 1e-9;

/// A dat file, positioned at one of its lines.
pub(super) struct Courses {
    file: String,
    reader: BufReader<File>,
    text: String,
    line: u64,
    maximises: bool,
}

impl Courses {
    pub(super) fn open(place: FilePlace<'_>, maximises: bool) -> Result<Self, ConversionError> {
        let file = open_regular(place).map_err(FileError::from_io("read", place.path))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        let mut courses =
            Self { file: quoted(&place.path.to_string_lossy()), reader, text: String::new(), line: 0, maximises };
        courses.advance(place.path)?;
        Ok(courses)
    }

    /// The improvements of the next run; the last point has the best value.
    pub(super) fn next(&mut self, path: &Path, run: &Run) -> Result<Vec<Point>, ConversionError> {
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
    pub(super) fn finish(self) -> Result<(), ConversionError> {
        if self.text.is_empty() {
            Ok(())
        } else {
            Err(self.bad("the end of the file; it has the points of more runs than its description"))
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

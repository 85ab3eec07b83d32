//! Reads `trace.csv.gz` together with the runs. `runs.csv` and `trace.csv.gz` are in the order of the plan.

use std::fs::File;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::files::{FileError, open_regular};
use crate::sheet::{NUMBER, ReadError, Sheet, WHOLE};
use crate::trace::Point;

/// The points of a trace, one after the other.
#[derive(Debug)]
pub struct Points {
    sheet: Sheet<MultiGzDecoder<File>>,
    columns: [usize; 4],
    population: Option<[usize; 2]>,
    /// The next point, which was read and not yet returned, with its run.
    next: Option<(u64, Point)>,
    /// The run of the point that was read last.
    last: u64,
}

impl Points {
    /// Opens a trace and reads its first point.
    ///
    /// # Errors
    /// If the file cannot be read. If a column is missing. If the first row is not valid.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let input = MultiGzDecoder::new(open_regular(path).map_err(FileError::from_io("read", path))?);
        let sheet = Sheet::open(&path.to_string_lossy(), input)?;
        let columns = sheet.columns_named(["run", "evaluations", "generation", "best_fitness"])?;
        let population = sheet.find("mean_fitness").zip(sheet.find("diversity")).map(<[usize; 2]>::from);
        let mut points = Self { sheet, columns, population, next: None, last: 0 };
        points.advance()?;
        Ok(points)
    }

    /// Whether the trace describes populations. If the trace describes populations, each row describes a generation, and the trace does not
    /// contain all improvements.
    pub fn has_population(&self) -> bool {
        self.population.is_some()
    }

    /// The next point, with the number of its run.
    ///
    /// # Errors
    /// If the next row is not valid. If the next row belongs to an earlier run.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator could return further points after an error; this method does not"
    )]
    pub fn next(&mut self) -> Result<Option<(u64, Point)>, ReadError> {
        let point = self.next.take();
        if point.is_some() {
            self.advance()?;
        }
        Ok(point)
    }

    /// The next point of a run; points of earlier runs are skipped.
    ///
    /// # Errors
    /// Those of [`next`](Self::next).
    pub fn next_in_run(&mut self, run: u64) -> Result<Option<Point>, ReadError> {
        while self.next.is_some_and(|(other, _)| other < run) {
            self.advance()?;
        }
        if self.next.is_none_or(|(other, _)| other > run) {
            return Ok(None);
        }
        Ok(self.next()?.map(|(_, point)| point))
    }

    fn advance(&mut self) -> Result<(), ReadError> {
        self.next = None;
        if !self.sheet.advance()? {
            return Ok(());
        }
        let [run, evaluations, generation, best_fitness] = self.columns;
        let (sheet, before) = (&self.sheet, self.last);
        let optional = |at: usize| self.population.map_or(Ok(None), |columns| sheet.optional(columns[at], &NUMBER));
        let point = Point {
            evaluations: sheet.value(evaluations, &WHOLE)?,
            generation: sheet.value(generation, &WHOLE)?,
            best_fitness: sheet.value(best_fitness, &NUMBER)?,
            mean_fitness: optional(0)?,
            diversity: optional(1)?,
        };
        let run = sheet.value(run, &WHOLE)?;
        if run < before {
            return Err(ReadError::Unsorted { file: sheet.file.clone(), run, before });
        }
        (self.last, self.next) = (run, Some((run, point)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Trigger;
    use crate::trace::tests::{point, written};

    fn points(runs: &[u64]) -> Result<Points, ReadError> {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let runs = runs.iter().zip(1..).map(|(&run, evaluations)| (run, [point(evaluations, 1.5)]));
        std::fs::write(file.path(), written(Trigger::Improvements, runs)).expect("it is written");
        Points::open(file.path())
    }

    #[test]
    fn each_run_gets_its_points_and_no_others() {
        let mut points = points(&[0, 0, 2, 5, 5]).expect("a trace");
        let mut evaluations_of = |run: u64| {
            let mut evaluations = Vec::new();
            while let Some(point) = points.next_in_run(run).expect("a point") {
                evaluations.push(point.evaluations);
            }
            evaluations
        };
        assert_eq!([0, 1, 5, 6].map(&mut evaluations_of), [vec![1, 2], vec![], vec![4, 5], vec![]]);
    }

    #[test]
    fn a_trace_out_of_order_is_an_error() {
        let mut points = points(&[0, 3, 1]).expect("a trace");
        let error = points.next_in_run(3).and_then(|_| points.next_in_run(3)).expect_err("out of order").to_string();
        assert!(
            error.ends_with(
                "run 1 comes after run 3: sort the rows of the trace by `run`, or move the trace to another folder"
            ),
            "{error}"
        );
    }
}

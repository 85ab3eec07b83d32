//! Reads `runs.csv`, or any CSV with its columns.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;

use super::{FIRST, LAST, Lead, Outcome, Row};
use crate::files::FileError;
use crate::sheet::{Kind, MILLISECONDS, NUMBER, ReadError, Sheet, TRUTH, WHOLE};

/// Reads rows one by one, an iterator.
///
/// Columns are found by name, in any order, and all are needed. Every other column with a name is taken for a varied
/// setting: the format says nowhere which settings vary, and a column that is none (a remark, say) shows itself by splitting
/// the groups. After an error nothing more is read.
#[derive(Debug)]
pub struct Reader<R> {
    sheet: Sheet<R>,
    varied: Vec<String>,
    varied_columns: Vec<usize>,
    columns: Columns,
    is_done: bool,
}

impl Reader<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or a column is missing.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(FileError::of("read", path))?;
        Self::new(&path.to_string_lossy(), file)
    }
}

impl<R: Read> Reader<R> {
    /// Reads the names of the columns; `file` is the name to use in messages.
    ///
    /// # Errors
    /// If the input cannot be read, or a column is missing.
    pub fn new(file: &str, input: R) -> Result<Self, ReadError> {
        let sheet = Sheet::open(file, input)?;
        let columns = Columns::find(&sheet)?;
        let known: Vec<&str> = FIRST.into_iter().chain(LAST).collect();
        let (varied_columns, varied) = sheet.columns_besides(&known).into_iter().unzip();
        Ok(Self { sheet, varied, varied_columns, columns, is_done: false })
    }

    /// The paths of the varied settings, in the order of their columns.
    #[must_use]
    pub fn varied(&self) -> &[String] {
        &self.varied
    }

    fn read(&mut self) -> Result<Option<Row>, ReadError> {
        if !self.sheet.advance()? {
            return Ok(None);
        }
        let varied = self.varied_columns.iter().map(|&column| self.sheet.text(column).to_owned()).collect();
        self.columns.row(&self.sheet, varied).map(Some)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let row = self.read().transpose();
        self.is_done = !matches!(row, Some(Ok(_)));
        row
    }
}

const ID: Kind<RunId> = Kind::new("an `r` and 16 hexadecimal digits", |text| text.parse().ok());
const STOP: Kind<Stop> = Kind::new(
    "one of `target`, `generations`, `evaluations`, `stagnation`, `time`, `restarts`, `exhausted`, `failed`",
    |text| text.parse().ok(),
);

/// Where the known columns stand.
#[derive(Debug)]
struct Columns {
    run: usize,
    run_id: usize,
    algorithm: usize,
    problem: usize,
    instance: usize,
    bucket: usize,
    repetition: usize,
    seed: usize,
    solved: usize,
    best_fitness: usize,
    evaluations: usize,
    generations: usize,
    restarts: usize,
    evaluations_to_best: usize,
    stop: usize,
    wall_ms: usize,
    cpu_ms: usize,
}

impl Columns {
    fn find<R: Read>(sheet: &Sheet<R>) -> Result<Self, ReadError> {
        Ok(Self {
            run: sheet.column("run")?,
            run_id: sheet.column("run_id")?,
            algorithm: sheet.column("algorithm")?,
            problem: sheet.column("problem")?,
            instance: sheet.column("instance")?,
            bucket: sheet.column("bucket")?,
            repetition: sheet.column("repetition")?,
            seed: sheet.column("seed")?,
            solved: sheet.column("solved")?,
            best_fitness: sheet.column("best_fitness")?,
            evaluations: sheet.column("evaluations")?,
            generations: sheet.column("generations")?,
            restarts: sheet.column("restarts")?,
            evaluations_to_best: sheet.column("evaluations_to_best")?,
            stop: sheet.column("stop")?,
            wall_ms: sheet.column("wall_ms")?,
            cpu_ms: sheet.column("cpu_ms")?,
        })
    }

    fn row<R: Read>(&self, sheet: &Sheet<R>, varied: Vec<String>) -> Result<Row, ReadError> {
        let lead = Lead {
            run: sheet.value(self.run, &WHOLE)?,
            run_id: sheet.value(self.run_id, &ID)?,
            algorithm: sheet.text(self.algorithm).to_owned(),
            varied,
            problem: sheet.text(self.problem).to_owned(),
            instance: sheet.text(self.instance).to_owned(),
            bucket: sheet.text(self.bucket).to_owned(),
            repetition: sheet.value(self.repetition, &WHOLE)?,
            seed: sheet.value(self.seed, &WHOLE)?,
        };
        let outcome = Outcome {
            solved: sheet.value(self.solved, &TRUTH)?,
            best_fitness: sheet.optional(self.best_fitness, &NUMBER)?,
            evaluations: sheet.value(self.evaluations, &WHOLE)?,
            generations: sheet.value(self.generations, &WHOLE)?,
            restarts: sheet.value(self.restarts, &WHOLE)?,
            evaluations_to_best: sheet.value(self.evaluations_to_best, &WHOLE)?,
            stop: sheet.value(self.stop, &STOP)?,
            wall_ms: sheet.value(self.wall_ms, &MILLISECONDS)?,
            cpu_ms: sheet.optional(self.cpu_ms, &MILLISECONDS)?,
        };
        Ok(Row { lead, outcome })
    }
}

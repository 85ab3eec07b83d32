//! Reads `runs.csv`, or any CSV with its columns.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;

use super::{FIRST, LAST, Outcome, Row};
use crate::files::FileError;
use crate::sheet::{Kind, MILLISECONDS, NUMBER, ReadError, Sheet, TRUTH, WHOLE};

/// Reads rows one by one, an iterator.
///
/// Columns are found by name, in any order. A file of another program may have few of them: `algorithm`, `instance` and
/// `solved` are needed; what a missing one would say is 0 or empty, and [`missing`](Self::missing) names it, so that nobody
/// takes it for a figure. Without `repetition` the runs of an algorithm, its settings and an instance are numbered as they
/// come. Every other column with a name is taken for a varied setting: the format says nowhere which settings vary, and
/// a column that is none (a remark, say) shows itself by splitting the groups. After an error nothing more is read.
#[derive(Debug)]
pub struct Reader<R> {
    sheet: Sheet<R>,
    varied: Vec<String>,
    varied_columns: Vec<usize>,
    columns: Columns,
    missing: Vec<&'static str>,
    /// Rows read so far.
    n_rows: u64,
    /// How many runs there were of a group, where the file does not number them.
    repetitions: Option<HashMap<Vec<String>, u64>>,
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
        let known: Vec<&'static str> = FIRST.into_iter().chain(LAST).collect();
        let (varied_columns, varied) = sheet.columns_besides(&known).into_iter().unzip();
        let missing: Vec<&'static str> = known.into_iter().filter(|name| sheet.find(name).is_none()).collect();
        let repetitions = columns.repetition.is_none().then(HashMap::new);
        Ok(Self { sheet, varied, varied_columns, columns, missing, n_rows: 0, repetitions, is_done: false })
    }

    /// The paths of the varied settings, in the order of their columns.
    #[must_use]
    pub fn varied(&self) -> &[String] {
        &self.varied
    }

    /// The name of the file, as messages have it.
    pub fn file(&self) -> &str {
        self.sheet.file()
    }

    /// The columns that the file does not have.
    #[must_use]
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// Reads the next row over another one, whose memory it takes; false after the last.
    ///
    /// # Errors
    /// If the row is not what it should be.
    pub fn read_over(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        if self.is_done {
            return Ok(false);
        }
        let read = self.try_read_over(row);
        self.is_done = !matches!(read, Ok(true));
        read
    }

    fn try_read_over(&mut self, row: &mut Row) -> Result<bool, ReadError> {
        if !self.sheet.advance()? {
            return Ok(false);
        }
        row.lead.varied.resize_with(self.varied_columns.len(), String::new);
        for (value, &column) in row.lead.varied.iter_mut().zip(&self.varied_columns) {
            overwrite(value, self.sheet.text(column));
        }
        self.columns.read_over(&self.sheet, row, self.n_rows)?;
        self.n_rows += 1;
        if let Some(repetitions) = &mut self.repetitions {
            let lead = &row.lead;
            let mut group = vec![lead.algorithm.clone(), lead.instance.clone()];
            group.extend(lead.varied.iter().cloned());
            let next = repetitions.entry(group).or_insert(0);
            row.lead.repetition = *next;
            *next += 1;
        }
        Ok(true)
    }
}

fn overwrite(text: &mut String, by: &str) {
    text.clear();
    text.push_str(by);
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut row = Row::default();
        self.read_over(&mut row).map(|is_there| is_there.then_some(row)).transpose()
    }
}

const ID: Kind<RunId> = Kind::new("an `r` and 16 hexadecimal digits", |text| text.parse().ok());
const STOP: Kind<Stop> = Kind::new(
    "one of `target`, `generations`, `evaluations`, `stagnation`, `time`, `restarts`, `exhausted`, `failed`",
    |text| text.parse().ok(),
);

/// Where the known columns stand. Those that every run needs stand somewhere.
#[derive(Debug)]
struct Columns {
    algorithm: usize,
    instance: usize,
    solved: usize,
    run: Option<usize>,
    run_id: Option<usize>,
    problem: Option<usize>,
    bucket: Option<usize>,
    repetition: Option<usize>,
    seed: Option<usize>,
    best_fitness: Option<usize>,
    evaluations: Option<usize>,
    generations: Option<usize>,
    restarts: Option<usize>,
    evaluations_to_best: Option<usize>,
    stop: Option<usize>,
    wall_ms: Option<usize>,
    cpu_ms: Option<usize>,
}

impl Columns {
    fn find<R: Read>(sheet: &Sheet<R>) -> Result<Self, ReadError> {
        Ok(Self {
            algorithm: sheet.column("algorithm")?,
            instance: sheet.column("instance")?,
            solved: sheet.column("solved")?,
            run: sheet.find("run"),
            run_id: sheet.find("run_id"),
            problem: sheet.find("problem"),
            bucket: sheet.find("bucket"),
            repetition: sheet.find("repetition"),
            seed: sheet.find("seed"),
            best_fitness: sheet.find("best_fitness"),
            evaluations: sheet.find("evaluations"),
            generations: sheet.find("generations"),
            restarts: sheet.find("restarts"),
            evaluations_to_best: sheet.find("evaluations_to_best"),
            stop: sheet.find("stop"),
            wall_ms: sheet.find("wall_ms"),
            cpu_ms: sheet.find("cpu_ms"),
        })
    }

    /// Reads the row in which the sheet stands over another one; `number` counts the rows before it.
    fn read_over<R: Read>(&self, sheet: &Sheet<R>, row: &mut Row, number: u64) -> Result<(), ReadError> {
        let whole = |column: Option<usize>, otherwise: u64| column.map_or(Ok(otherwise), |at| sheet.value(at, &WHOLE));
        let lead = &mut row.lead;
        lead.run = whole(self.run, number)?;
        lead.run_id = self.run_id.map_or(Ok(RunId::default()), |column| sheet.value(column, &ID))?;
        let texts = [
            (&mut lead.algorithm, Some(self.algorithm)),
            (&mut lead.problem, self.problem),
            (&mut lead.instance, Some(self.instance)),
            (&mut lead.bucket, self.bucket),
        ];
        for (text, column) in texts {
            overwrite(text, column.map_or("", |column| sheet.text(column)));
        }
        lead.repetition = whole(self.repetition, 0)?;
        lead.seed = whole(self.seed, 0)?;
        let solved = sheet.value(self.solved, &TRUTH)?;
        let ended = if solved { Stop::Target } else { Stop::Exhausted };
        row.outcome = Outcome {
            solved,
            best_fitness: self.best_fitness.map_or(Ok(None), |column| sheet.optional(column, &NUMBER))?,
            evaluations: whole(self.evaluations, 0)?,
            generations: whole(self.generations, 0)?,
            restarts: whole(self.restarts, 0)?,
            evaluations_to_best: whole(self.evaluations_to_best, 0)?,
            stop: self.stop.map_or(Ok(ended), |column| sheet.value(column, &STOP))?,
            wall_ms: self.wall_ms.map_or(Ok(0.0), |column| sheet.value(column, &MILLISECONDS))?,
            cpu_ms: self.cpu_ms.map_or(Ok(None), |column| sheet.optional(column, &MILLISECONDS))?,
        };
        Ok(())
    }
}

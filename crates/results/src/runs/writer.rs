//! Writes `runs.csv`.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::{FIRST, LAST, Row};
use crate::format::{fixed, shortest};

/// Writes rows behind a line of column names.
#[derive(Debug)]
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
    /// A field on its way; kept for its memory.
    field: String,
}

impl<W: Write> Writer<W> {
    /// Writes the names of the columns; `varied` are the paths of the varied settings.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn new(output: W, varied: &[String]) -> io::Result<Self> {
        let mut csv = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(output);
        csv.write_record(FIRST.into_iter().chain(varied.iter().map(String::as_str)).chain(LAST))?;
        Ok(Self { csv, field: String::new() })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Those of the output, and a row with another number of varied settings than there are columns.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        let (lead, outcome) = (&row.lead, &row.outcome);
        self.show(&lead.run)?;
        self.show(&lead.run_id)?;
        self.text(&lead.algorithm)?;
        lead.varied.iter().try_for_each(|value| self.text(value))?;
        self.text(&lead.problem)?;
        self.text(&lead.instance)?;
        self.text(&lead.bucket)?;
        self.show(&lead.repetition)?;
        self.show(&lead.seed)?;
        self.show(&outcome.solved)?;
        self.text(&shortest(outcome.best_fitness))?;
        self.show(&outcome.evaluations)?;
        self.show(&outcome.generations)?;
        self.show(&outcome.restarts)?;
        self.show(&outcome.evaluations_to_best)?;
        self.show(&outcome.stop)?;
        self.text(&fixed(Some(outcome.wall_ms), 3))?;
        self.text(&fixed(outcome.cpu_ms, 3))?;
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    /// Hands all that was written to the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.csv.flush()
    }

    fn show(&mut self, value: &dyn fmt::Display) -> io::Result<()> {
        self.field.clear();
        let _ = write!(self.field, "{value}");
        Ok(self.csv.write_field(&self.field)?)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.csv.write_field(text)?)
    }
}

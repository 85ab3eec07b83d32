//! Reads `trace.csv.gz`: the course of one quantity of each run.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use evogrid_results::files::{FileError, open_regular};
use evogrid_results::sheet::{NUMBER, ReadError, Sheet, WHOLE};

/// A quantity that a trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The best fitness so far, by evaluations.
    BestFitness,
    /// The gene diversity of the population, by generations.
    Diversity,
}

/// Reads a compressed trace. For each row, `visit` receives the number of the run, its evaluations or generation, and the quantity; rows
/// without a value are skipped.
pub(crate) fn open(path: &Path, quantity: Quantity, visit: impl FnMut(u64, u64, f64)) -> Result<(), ReadError> {
    let file = open_regular(path).map_err(FileError::from_io("read", path))?;
    read(&path.to_string_lossy(), MultiGzDecoder::new(file), quantity, visit)
}

/// Reads an uncompressed trace; `name` is the name of the file in messages.
pub(crate) fn read(
    name: &str,
    input: impl Read,
    quantity: Quantity,
    mut visit: impl FnMut(u64, u64, f64),
) -> Result<(), ReadError> {
    let (at, value) = match quantity {
        Quantity::BestFitness => ("evaluations", "best_fitness"),
        Quantity::Diversity => ("generation", "diversity"),
    };
    let mut sheet = Sheet::open(name, input)?;
    let (run, at, value) = (sheet.column("run")?, sheet.column(at)?, sheet.column(value)?);
    while sheet.advance()? {
        if let Some(value) = sheet.optional(value, &NUMBER)? {
            visit(sheet.value(run, &WHOLE)?, sheet.value(at, &WHOLE)?, value);
        }
    }
    Ok(())
}

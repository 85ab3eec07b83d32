//! The first pass over the runs: it finds the functions, and a fitness that is worse than every fitness in the files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evogrid_core::family::Direction;

use super::super::ConversionError;
use crate::format::quoted;
use crate::names::NameTable;
use crate::points::Points;
use crate::runs::{ColumnName, Reader, Row};
use crate::sheet::ReadError;

/// The input and the output of an export.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file of runs. The runs of a configuration on an instance should be consecutive.
    pub runs: &'a Path,
    /// The columns of `runs` that have other headers than in our own files. Each entry gives the header of one column.
    pub columns: &'a [ColumnName],
    /// The trace, if there is a trace. If there is a trace, the file of runs and the trace must be sorted by run number.
    pub trace: Option<&'a Path>,
    /// The number of free positions of each instance. The key is the id of the instance.
    pub dimensions: &'a BTreeMap<String, usize>,
    /// The output folder; it must be new or empty.
    pub out: &'a Path,
}

/// The result of a first pass over the runs.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    /// The number of runs.
    pub(super) runs: u64,
    /// The pairs of a problem and an instance; each pair is a function.
    pub(super) functions: NameTable,
    /// A cost that is larger by one than the worst cost in the files.
    pub(super) unknown: f64,
    /// The trace, if it can be used.
    pub(super) trace: Option<&'a Path>,
}

/// Reads the runs, and the trace if there is one, in a first pass.
pub(super) fn survey<'a>(request: &Request<'a>) -> Result<Survey<'a>, ConversionError> {
    let reader = Reader::open_named(request.runs, request.columns)?;
    let file = quoted(&request.runs.to_string_lossy());
    let refused = |what: &str| Err(ConversionError::Refused(format!("{file}{what}")));
    let has = |column: &str| !reader.missing.contains(&column);
    if !has("evaluations") {
        return refused(" has no column `evaluations`; the format of IOHprofiler needs this column");
    }
    let (has_best, has_run) = (has("best_fitness"), has("run"));
    // The points of a run are found by its number. Without fitnesses, the points do not fit the runs.
    let trace = request.trace.filter(|_| has_best && has_run);
    let mut functions = NameTable::default();
    let mut worst = if has_best { f64::NEG_INFINITY } else { 1.0 };
    let mut directions: BTreeSet<Direction> = BTreeSet::new();
    let (mut n_runs, mut before) = (0, None);
    for row in reader {
        let row = row?;
        let direction = row.direction();
        directions.insert(direction);
        let Row { run, key, outcome, .. } = row;
        if has_best && outcome.is_solved() && outcome.best_fitness.is_none() {
            return refused(&format!(": run {run} is solved, but its `best_fitness` is missing"));
        }
        if let Some(before) = before.filter(|&before| trace.is_some() && before >= run) {
            return Err(ReadError::Unsorted { file: file.clone(), run, before }.into());
        }
        before = Some(run);
        n_runs += 1;
        worst = worst.max(outcome.best_fitness.map_or(f64::NEG_INFINITY, |best| direction.cost(best)));
        if functions.number_of_list([&key.problem, &key.instance]) >= u16::MAX.into() {
            let most = u16::MAX;
            return refused(&format!(
                " has more than {most} instances, the limit of IOHprofiler: export the rows of fewer instances"
            ));
        }
    }
    if let Some(trace) = trace {
        let mut points = Points::open(trace)?;
        while let Some((_, point)) = points.next()? {
            worst = directions.iter().map(|direction| direction.cost(point.best_fitness)).fold(worst, f64::max);
        }
    }
    Ok(Survey { runs: n_runs, functions, unknown: worse(worst), trace })
}

/// The fitness plus one, or the next larger number if adding one changes nothing.
fn worse(fitness: f64) -> f64 {
    if fitness.is_finite() { (fitness + 1.0).max(fitness.next_up()).min(f64::MAX) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::worse;

    #[test]
    fn what_stands_for_the_unknown_is_worse_than_any() {
        assert_eq!([worse(43.0), worse(-7.5), worse(f64::NEG_INFINITY)], [44.0, -6.5, 1.0]);
        assert!(worse(1e300) > 1e300 && worse(f64::MAX).is_finite());
    }
}

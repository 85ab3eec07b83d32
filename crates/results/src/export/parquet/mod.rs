//! The tables as Parquet files, with types: `runs.parquet`, and `trace.parquet` if there is a trace.
//!
//! The Parquet files have the columns of the CSVs, in the same order. Columns that the CSVs lack are missing here, too. An empty field is
//! null. A varied setting is a column of the narrowest type for all its values. The types are whole numbers, numbers, booleans and text.

mod table;

use std::path::Path;

use self::table::Table;
use super::folder::NewFolder;
use super::{ConversionError, open_typed};
use crate::columns::{Column, Value, around_settings, column_of_setting};
use crate::metadata::ColumnType;
use crate::points::Points;
use crate::runs::{ColumnName, Row};
use crate::trace::Point;

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParquetReport {
    /// The number of runs.
    pub runs: u64,
    /// The number of points in the trace.
    pub points: u64,
    /// The columns that the file of runs lacks.
    pub missing: Vec<&'static str>,
}

/// Exports a file of runs to a new or empty folder. If there is a trace, exports the trace, too. `names` says which header a column has in
/// the file of runs.
///
/// # Errors
/// Returns an error if a file cannot be read or written. Returns an error if the folder is in use. If an error occurs, the output folder
/// contains no files.
pub fn export(
    runs: &Path,
    names: &[ColumnName],
    trace: Option<&Path>,
    out: &Path,
) -> Result<ParquetReport, ConversionError> {
    let folder = NewFolder::create(out)?;
    let (n_runs, missing) = write_runs(runs, names, &folder.inside.join("runs.parquet"))?;
    let points = match trace {
        Some(trace) => write_trace(trace, &folder.inside.join("trace.parquet"))?,
        None => 0,
    };
    folder.put_in_place()?;
    Ok(ParquetReport { runs: n_runs, points, missing })
}

fn write_runs(runs: &Path, names: &[ColumnName], path: &Path) -> Result<(u64, Vec<&'static str>), ConversionError> {
    let (mut reader, kinds) = open_typed(runs, names)?;
    let [before, after] = around_settings(&reader.missing);
    let mut row = Row::default();
    let known = |column: &&Column| (column.name.to_owned(), ColumnType::from(column.get(&row)));
    let varied = reader.varied.iter().map(|path| column_of_setting(path).into_owned()).zip(kinds);
    let columns: Vec<_> = before.iter().map(known).chain(varied).chain(after.iter().map(known)).collect();
    let mut table = Table::create(path, &columns)?;
    let mut n_runs = 0;
    while reader.read_over(&mut row)? {
        let known = |column: &&'static Column| column.get(&row);
        if !table.write(before.iter().map(known), &row.varied, after.iter().map(known))? {
            return Err(ConversionError::changed(runs));
        }
        n_runs += 1;
    }
    table.finish()?;
    Ok((n_runs, reader.missing))
}

fn write_trace(trace: &Path, path: &Path) -> Result<u64, ConversionError> {
    let mut points = Points::open(trace)?;
    let whole = ["run", "evaluations", "generation"].map(|name| (name.to_owned(), ColumnType::Whole));
    let real = ["best_fitness", "mean_fitness", "diversity"].map(|name| (name.to_owned(), ColumnType::Real));
    let n_columns = if points.has_population() { 6 } else { 4 };
    let mut table = Table::create(path, &[whole, real].concat()[..n_columns])?;
    let mut n_points = 0;
    while let Some((run, point)) = points.next()? {
        let Point { evaluations, generation, best_fitness, mean_fitness, diversity } = point;
        let counts = [run, evaluations, generation].map(Value::Count);
        let numbers = [Some(best_fitness), mean_fitness, diversity].map(Value::Real);
        table.write(counts.into_iter().chain(numbers).take(n_columns), &[], std::iter::empty())?;
        n_points += 1;
    }
    table.finish()?;
    Ok(n_points)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;
    use crate::trace::{Trigger, tests::written};

    /// The schema of a file, and its rows as JSON.
    fn read(path: &Path) -> (String, Vec<String>) {
        let reader = SerializedFileReader::new(File::open(path).expect("it is there")).expect("Parquet");
        let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
        let types = columns.iter().map(|column| format!("{} {}", column.name(), column.physical_type()));
        let rows = reader.get_row_iter(None).expect("rows");
        (types.collect::<Vec<_>>().join(", "), rows.map(|row| row.expect("a row").to_string()).collect())
    }

    #[test]
    fn runs_have_typed_columns() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = "run,algorithm,population,rate,kind,flag,instance,solved,best_fitness,evaluations\n\
                    0,huke,100,1,swap,true,a,true,0,700\n1,huke,,0.5,2,false,é,false,,900\n";
        let runs = folder.path().join("runs.csv");
        fs::write(&runs, text).expect("it is written");
        let exported = export(&runs, &[], None, &folder.path().join("out")).expect("it is exported");
        assert_eq!((exported.runs, exported.points, exported.missing.len()), (2, 0, 16));
        let (types, rows) = read(&folder.path().join("out/runs.parquet"));
        insta::assert_snapshot!(types, @"run INT64, algorithm BYTE_ARRAY, population INT64, rate DOUBLE, kind BYTE_ARRAY, flag BOOLEAN, instance BYTE_ARRAY, solved BOOLEAN, best_fitness DOUBLE, evaluations INT64");
        insta::assert_snapshot!(rows.join("\n"), @r#"
        {run: 0, algorithm: "huke", population: 100, rate: 1.0, kind: "swap", flag: true, instance: "a", solved: true, best_fitness: 0E0, evaluations: 700}
        {run: 1, algorithm: "huke", population: null, rate: 0.5, kind: "2", flag: false, instance: "é", solved: false, best_fitness: null, evaluations: 900}
        "#);
        assert!(!folder.path().join("out/trace.parquet").exists());
    }

    #[test]
    fn many_points_are_read_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let points: Vec<Point> = (0..150_000u64)
            .map(|at| {
                let diversity = Some(at as f64 / 7.0).filter(|_| at % 3 > 0);
                Point { evaluations: at, generation: at / 2, best_fitness: 0.5, mean_fitness: diversity, diversity }
            })
            .collect();
        let (runs, trace) = (folder.path().join("runs.csv"), folder.path().join("trace.csv.gz"));
        fs::write(&trace, written(Trigger::Every(1), [(7, points)])).expect("it is written");
        fs::write(&runs, "algorithm,instance,solved\n").expect("it is written");
        let exported = export(&runs, &[], Some(&trace), &folder.path().join("out")).expect("it is exported");
        assert_eq!((exported.runs, exported.points), (0, 150_000));
        let (types, rows) = read(&folder.path().join("out/trace.parquet"));
        insta::assert_snapshot!(types, @"run INT64, evaluations INT64, generation INT64, best_fitness DOUBLE, mean_fitness DOUBLE, diversity DOUBLE");
        assert_eq!(rows.len(), 150_000);
        insta::assert_snapshot!(rows[99_999..100_001].join("\n"), @"
        {run: 7, evaluations: 99999, generation: 49999, best_fitness: 0.5, mean_fitness: null, diversity: null}
        {run: 7, evaluations: 100000, generation: 50000, best_fitness: 0.5, mean_fitness: 14285.714285714286, diversity: 14285.714285714286}
        ");
        assert_eq!(read(&folder.path().join("out/runs.parquet")).1, [""; 0]);
    }
}

//! Writes and reads `summary.csv`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::metadata::WHOLE as WHOLE_COLUMNS;
use super::{COUNTS, FIGURES, FigureDeclaration, Figures, Place, RATE, Summary, SummaryRow};
use crate::metric::Rate;
use evogrid_statistics::Interval;

use evogrid_results::files::FileError;
use evogrid_results::format::{fixed, quoted, with_point, without_point};
use evogrid_results::sheet::{NUMBER, Parser, ReadError, Sheet, WHOLE};

const SHARE: Parser<f64> =
    Parser::new("a number from 0 to 1", |text| text.parse().ok().filter(|share| (0.0..=1.0).contains(share)));

const AT_LEAST_0: Parser<f64> = Parser::new("a number of at least 0", |text| {
    text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
});

const RUNS: Parser<u64> =
    Parser::new("a whole number of at least 1", |text| text.parse().ok().filter(|&runs: &u64| runs > 0));

impl Summary {
    /// Writes a line of column names, followed by all rows. Rates have four decimals, and other figures have three decimals. If a figure is
    /// absent, its field is empty. For each varied setting, `fractions` says whether its values may be fractions. If a setting may have
    /// fractions, all its values are written with a decimal point. The list `fractions` may be empty.
    ///
    /// # Errors
    /// Returns an error if writing to `output` fails.
    pub fn write_csv(&self, output: impl Write, fractions: &[bool]) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(output);
        csv.write_record(self.columns())?;
        for row in &self.rows {
            let mut fields = row.fields();
            for (field, _) in fields[1..].iter_mut().zip(fractions).filter(|(_, is_fraction)| **is_fraction) {
                *field = with_point(field).into_owned();
            }
            csv.write_record(fields)?;
        }
        csv.flush()
    }

    /// Opens and reads a `summary.csv`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(FileError::from_io("read", path))?;
        Self::read_csv(&path.to_string_lossy(), file)
    }

    /// Reads a `summary.csv`, or another CSV with the same columns in any order. Error messages use `file` as the name of the file. The
    /// rate is computed from the columns `runs` and `solved`. A second interval of the rate is computed from the same two columns. The
    /// second interval holds only for the instances on which the runs were done. A column that is not one of the fixed columns of
    /// `summary.csv` is read as a varied setting.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn read_csv(file: &str, input: impl Read) -> Result<Self, ReadError> {
        let mut sheet = Sheet::open(file, input)?;
        let [algorithm, bucket] = sheet.columns_named(["algorithm", "bucket"])?;
        let [runs, failed, instances, solved] = sheet.columns_named(["runs", "failed", "instances", "solved"])?;
        let [low, high, effective_runs] = sheet.columns_named(["success_low", "success_high", "effective_runs"])?;
        let judged = sheet.find("judged");
        let column_of = |declared: &FigureDeclaration| match declared.place {
            Place::Column => sheet.column(declared.name).map(Some),
            Place::LaterColumn => Ok(sheet.find(declared.name)),
            Place::Nowhere => Ok(None),
        };
        let means: Vec<Option<usize>> = FIGURES.iter().map(column_of).collect::<Result<_, _>>()?;
        let known: Vec<&str> = ["algorithm", "bucket"].into_iter().chain(figure_names()).collect();
        let (varied_columns, varied): (Vec<usize>, _) = sheet.columns_besides(&known).into_iter().unzip();
        let figures = |sheet: &Sheet<_>| -> Result<Figures, ReadError> {
            let mut figures = Figures { runs: sheet.value(runs, &RUNS)?, ..Figures::default() };
            let solved_runs = sheet.optional(solved, &WHOLE)?;
            figures.solved = solved_runs.unwrap_or_default();
            figures.judged = match judged {
                Some(judged) => sheet.value(judged, &WHOLE)?,
                None => solved_runs.map_or(0, |_| figures.runs),
            };
            figures.failed = sheet.value(failed, &WHOLE)?;
            figures.instances = sheet.value(instances, &WHOLE)?;
            for (count, column) in [(figures.failed, failed), (figures.instances, instances), (figures.solved, solved)]
            {
                if count > figures.runs {
                    return Err(sheet.bad(column, "a number from 0 to `runs`"));
                }
            }
            if let Some(judged) = judged.filter(|_| !(figures.solved..=figures.runs).contains(&figures.judged)) {
                return Err(sheet.bad(judged, "a number from `solved` to `runs`"));
            }
            if figures.judged > 0 {
                figures.effective_runs = sheet.value(effective_runs, &AT_LEAST_0)?;
                figures.success = Interval { low: sheet.value(low, &SHARE)?, high: sheet.value(high, &SHARE)? };
                let (interval, effective_runs) = (figures.success, figures.effective_runs);
                figures.rate = Rate { interval, effective_runs, ..Rate::of_these(figures.solved, figures.judged) };
            }
            for (figure, column) in FIGURES.iter().zip(&means) {
                if let Some(column) = *column {
                    figures.values[figure.figure as usize] = sheet.optional(column, &NUMBER)?;
                }
            }
            Ok(figures)
        };
        let (mut rows, mut lines) = (Vec::new(), BTreeMap::new());
        while sheet.advance()? {
            let row = SummaryRow {
                algorithm: sheet.text(algorithm).to_owned(),
                varied: varied_columns.iter().map(|&column| without_point(sheet.text(column)).to_owned()).collect(),
                bucket: sheet.text(bucket).to_owned(),
                figures: figures(&sheet)?,
            };
            let line = sheet.line();
            let first = *lines.entry((row.algorithm.clone(), row.varied.clone(), row.bucket.clone())).or_insert(line);
            if first != line {
                let run = format!("the row of `{}` in the bucket `{}`", quoted(&row.algorithm), quoted(&row.bucket));
                let (file, first) = (sheet.file.clone(), format!("on line {first}"));
                return Err(ReadError::RepeatedRun { file, line, run, first });
            }
            rows.push(row);
        }
        Ok(Self { varied, rows, ..Self::default() })
    }

    /// The names of the columns.
    pub fn columns(&self) -> Vec<&str> {
        let varied = self.varied.iter().map(String::as_str);
        ["algorithm"].into_iter().chain(varied).chain(["bucket"]).chain(figure_names()).collect()
    }
}

/// The figures that are columns of `summary.csv`.
fn columns() -> impl Iterator<Item = &'static FigureDeclaration> {
    FIGURES.iter().filter(|figure| figure.is_column())
}

/// The names of the columns after the bucket.
fn figure_names<'a>() -> impl Iterator<Item = &'a str> {
    let names = |columns: &'static [(&str, &str)]| columns.iter().map(|(name, _)| *name);
    names(&RATE).chain(columns().map(|figure| figure.name)).chain(names(&COUNTS))
}

impl SummaryRow {
    /// The row as text, in the order of the columns.
    pub fn fields(&self) -> Vec<String> {
        let figures = &self.figures;
        // What no run says is an empty field.
        let rate = |rate: f64| fixed(Some(rate).filter(|_| figures.judged > 0), 4);
        let (like_these, here) = (figures.success, figures.here());
        let mut fields = vec![self.algorithm.clone()];
        fields.extend_from_slice(&self.varied);
        let solved = if figures.judged > 0 { figures.solved.to_string() } else { String::new() };
        fields.extend([self.bucket.clone(), figures.runs.to_string(), solved]);
        let share = figures.pooled_rate().unwrap_or_default();
        fields.extend([share, like_these.low, like_these.high, here.low, here.high].map(rate));
        let decimals = |declared: &FigureDeclaration| if WHOLE_COLUMNS.contains(&declared.name) { 0 } else { 3 };
        fields.extend(columns().map(|declared| fixed(figures[declared.figure], decimals(declared))));
        fields.extend([figures.failed.to_string(), figures.instances.to_string()]);
        fields.push(fixed(Some(figures.effective_runs).filter(|_| figures.judged > 0), 3));
        fields.push(figures.judged.to_string());
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{run, summary};
    use super::*;
    use crate::summary::Figure;

    fn written(summary: &Summary) -> String {
        let mut text = Vec::new();
        summary.write_csv(&mut text, &[]).expect("memory");
        String::from_utf8(text).expect("text")
    }

    fn example() -> Summary {
        summary(&[
            run(100, "easy", true, 10.125, 5, 500),
            run(100, "easy", true, 20.0, 8, 800),
            run(100, "easy", false, 40.0, 25, 2500),
            run(100, "a,b", false, 40.0, 25, 2500),
        ])
    }

    #[test]
    fn columns_stand_in_the_order_of_the_contract() {
        insta::assert_snapshot!(written(&example()), @r#"
        algorithm,population,bucket,runs,solved,success_rate,success_low,success_high,success_low_here,success_high_here,mean_ms_solved,mean_generations_solved,mean_generations,mean_ms_unsolved,mean_cpu_ms,median_evaluations_solved,ert_evaluations,par10_ms,mean_best_fitness,mean_objective,median_objective,best_objective,median_gap,mean_gap,gap_low,gap_high,best_gap,mean_generations_to_best,par2_ms,instances_never_solved,median_instance_ert,mean_gap_low,mean_gap_high,failed,instances,effective_runs,judged
        huke,100,easy,3,2,0.6667,0.2077,0.9385,0.2077,0.9385,15.062,6.500,12.667,40.000,1.125,650.000,1900.000,143.375,1.000,1.667,0.000,0.000,,,,,,6.333,36.708,0,1900.000,,,0,1,3.000,3
        huke,100,"a,b",1,0,0.0000,0.0000,0.7935,0.0000,0.7935,,,25.000,40.000,1.125,,,400.000,3.000,5.000,5.000,5.000,,,,,,12.500,80.000,1,,,,0,1,1.000,1
        huke,100,all,4,2,0.5000,0.0061,0.9939,0.1500,0.8500,15.062,6.500,15.750,40.000,1.125,650.000,3150.000,207.531,1.500,2.500,,0.000,,,,,,7.875,47.531,1,,,,0,2,4.000,4
        "#);
    }

    #[test]
    fn what_was_written_is_read_back() {
        let text = written(&example());
        let read = Summary::read_csv("summary.csv", text.as_bytes()).expect("its own file");
        assert_eq!(written(&read), text);
        assert_eq!(read.varied, ["population"]);
    }

    #[test]
    fn a_minimising_experiment_is_written_and_read_back() {
        let csv = "algorithm,instance,objective,best_known\na,x,102,100\na,y,104,100\n";
        let reader = evogrid_results::runs::Reader::new("x.csv", csv.as_bytes()).expect("columns");
        let text = written(&Summary::from_runs(reader).expect("rows"));
        insta::assert_snapshot!(text, @"
        algorithm,bucket,runs,solved,success_rate,success_low,success_high,success_low_here,success_high_here,mean_ms_solved,mean_generations_solved,mean_generations,mean_ms_unsolved,mean_cpu_ms,median_evaluations_solved,ert_evaluations,par10_ms,mean_best_fitness,mean_objective,median_objective,best_objective,median_gap,mean_gap,gap_low,gap_high,best_gap,mean_generations_to_best,par2_ms,instances_never_solved,median_instance_ert,mean_gap_low,mean_gap_high,failed,instances,effective_runs,judged
        a,,2,,,,,,,,,,,,,,,,103.000,,102.000,3.000,3.000,-9.706,15.706,2.000,,,,,0.000,15.706,0,2,,0
        a,all,2,,,,,,,,,,,,,,,,103.000,,102.000,3.000,3.000,-9.706,15.706,2.000,,,,,0.000,15.706,0,2,,0
        ");
        let read = Summary::read_csv("summary.csv", text.as_bytes()).expect("its own file");
        assert_eq!(written(&read), text);
    }

    #[test]
    fn a_file_from_before_there_were_gaps_is_read() {
        let text = written(&example());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let is_old =
            |name: &str| !name.contains("gap") && !["median_objective", "best_objective", "judged"].contains(&name);
        let columns: Vec<bool> = reader.headers().expect("names").iter().map(is_old).collect();
        let mut older = csv::Writer::from_writer(Vec::new());
        let mut keep = |record: &csv::StringRecord| {
            let kept = record.iter().zip(&columns).filter(|(_, is_kept)| **is_kept);
            older.write_record(kept.map(|(field, _)| field)).expect("memory");
        };
        keep(reader.headers().expect("names"));
        reader.records().for_each(|record| keep(&record.expect("a row")));
        let older = older.into_inner().expect("memory");
        let read = Summary::read_csv("summary.csv", older.as_slice()).expect("an older file");
        let mut expected = example();
        for row in &mut expected.rows {
            row.figures.values[Figure::MedianObjective as usize] = None;
            row.figures.values[Figure::BestObjective as usize] = None;
        }
        assert_eq!(written(&read), written(&expected));
    }

    #[test]
    fn a_row_that_stands_twice_is_refused() {
        let text = written(&example());
        let rows = text.split_once('\n').expect("a line of names").1;
        let error =
            Summary::read_csv("summary.csv", format!("{text}{rows}").as_bytes()).expect_err("twice").to_string();
        insta::assert_snapshot!(error, @"summary.csv:5: the row of `huke` in the bucket `easy` already occurs on line 2, and would count twice: remove one of the two rows");
    }

    #[test]
    fn impossible_counts_are_refused() {
        let text = written(&example());
        for (from, to, message) in [
            ("easy,3,2", "easy,3,4", "summary.csv:2: column `solved`: expected a number from 0 to `runs`, found `4`"),
            ("easy,3,2", "easy,0,0", "summary.csv:2: column `runs`: expected a whole number of at least 1, found `0`"),
            (
                ",runs,",
                ",n,",
                "summary.csv: no column `runs`; the columns are `algorithm`, `population`, `bucket`, `n`,",
            ),
        ] {
            let error = Summary::read_csv("summary.csv", text.replacen(from, to, 1).as_bytes());
            let error = error.expect_err("impossible").to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}

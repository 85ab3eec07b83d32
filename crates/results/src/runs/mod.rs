//! `runs.csv`: one row a run, in plan order.

mod reader;
mod writer;

pub use crate::run::{Row, RunKey, RunOutcome};
pub use reader::Reader;
pub use writer::Writer;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::{Record, tests::record};

    fn row(run: u64, varied: &[&str]) -> Row {
        let Record { key, outcome, .. } = record(run);
        let varied = varied.iter().map(|&value| value.to_owned()).collect();
        Row { run, key, varied, fitness: "collisions".into(), unit: "evaluations".into(), outcome }
    }

    fn write(varied: &[&str], rows: &[Row]) -> String {
        let varied: Vec<String> = varied.iter().map(|&name| name.to_owned()).collect();
        let mut text = Vec::new();
        let mut writer = Writer::new(&mut text, &varied).expect("memory");
        rows.iter().for_each(|row| writer.write(row).expect("memory"));
        writer.finish().expect("memory");
        String::from_utf8(text).expect("text")
    }

    fn read_error(text: &str) -> String {
        let rows: Result<Vec<Row>, _> = Reader::new("runs.csv", text.as_bytes()).and_then(std::iter::Iterator::collect);
        rows.expect_err("an error").to_string()
    }

    #[test]
    fn columns_stand_in_the_order_of_the_contract() {
        let mut failed = row(1, &["500"]);
        failed.outcome.stop = evogrid_core::budget::Stop::Failed;
        failed.outcome.solved = false;
        (failed.outcome.best_fitness, failed.outcome.cpu_ms) = (None, None);
        let mut half = row(2, &["a,\"b\""]);
        (half.outcome.best_fitness, half.outcome.wall_ms) = (Some(42.5), 1234.56789);
        insta::assert_snapshot!(write(&["population"], &[row(0, &["100"]), failed, half]), @r#"
        run,run_id,algorithm,population,problem,instance,bucket,repetition,seed,solved,objective,fitness,best_fitness,unit,evaluations,generations,restarts,evaluations_to_best,stop,wall_ms,cpu_ms
        0,r0000000000000000,huke,100,tour,huke-01,easy,3,8019042476458226,true,0.0,collisions,0.0,evaluations,4200,42,0,4190,target,1.250,1.125
        1,r0000000000000001,huke,500,tour,huke-01,easy,3,8019042476458226,false,0.0,collisions,,evaluations,4200,42,0,4190,failed,1.250,
        2,r0000000000000002,huke,"a,""b""",tour,huke-01,easy,3,8019042476458226,true,0.0,collisions,42.5,evaluations,4200,42,0,4190,target,1234.568,1.125
        "#);
    }

    #[test]
    fn a_varied_setting_with_the_name_of_a_column_has_a_column_of_its_own() {
        let text = write(&["fitness", "population"], &[row(0, &["missing", "100"])]);
        assert!(text.starts_with("run,run_id,algorithm,setting.fitness,population,"), "{text}");
        let mut reader = Reader::new("runs.csv", text.as_bytes()).expect("columns");
        assert_eq!(reader.varied(), ["fitness", "population"]);
        assert_eq!(reader.next().expect("a row").expect("a row"), row(0, &["missing", "100"]));
    }

    #[test]
    fn rows_are_read_in_any_order_of_columns_and_behind_a_byte_order_mark() {
        let written = write(&["population"], &[row(0, &["100"])]);
        let mirrored: Vec<String> =
            written.lines().map(|line| line.split(',').rev().chain(["7"]).collect::<Vec<_>>().join(",")).collect();
        let text = format!("\u{feff}{}", mirrored.join("\r\n").replacen(",7", ",", 1));
        let mut reader = Reader::new("runs.csv", text.as_bytes()).expect("columns");
        assert_eq!(reader.varied(), ["population"]);
        assert_eq!(reader.next().expect("a row").expect("a row"), row(0, &["100"]));
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_needed_column_that_is_missing_is_named_beside_those_found() {
        insta::assert_snapshot!(read_error("run,run_id,algo\u{1b}[31m\n"), @r"runs.csv: no column `algorithm`; the columns are `run`, `run_id`, `algo\u{1b}[31m`");
        insta::assert_snapshot!(read_error(""), @"runs.csv: no column `algorithm`; the columns are ");
    }

    #[test]
    fn a_bad_value_is_named_with_its_place() {
        let written = write(&[], &[row(0, &[]), row(1, &[])]);
        for (from, to, expected) in [
            ("1,r", "one,r", "3: column `run`: expected a whole number from 0, found `one`"),
            ("r0000000000000001", "r1", "3: column `run_id`: expected an `r` and 16 hexadecimal digits, found `r1`"),
            ("true", "yes", "2: column `solved`: expected `true` or `false`, or 1 or 0, found `yes`"),
            ("1.250", "inf", "2: column `wall_ms`: expected milliseconds from 0, found `inf`"),
            (
                "target",
                "tired",
                "2: column `stop`: expected one of `target`, `generations`, `evaluations`, `stagnation`, `time`, \
                 `restarts`, `exhausted`, `failed`, found `tired`",
            ),
        ] {
            assert_eq!(read_error(&written.replacen(from, to, 1)), format!("runs.csv:{expected}"));
        }
        let twice = written.replacen("problem", "run", 1);
        insta::assert_snapshot!(read_error(&twice), @"runs.csv: two columns are named `run`; rename or remove one");
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back(
            value in any::<String>(),
            bucket in any::<String>(),
            fitness in proptest::option::of(-1e9..1e9f64),
            counts in any::<[u32; 4]>(),
            milliseconds in 0u32..,
        ) {
            let mut row = row(7, &[]);
            row.varied = vec![value, "x".into()];
            row.key.bucket = bucket;
            row.outcome.best_fitness = fitness;
            row.outcome.evaluations = counts[0].into();
            row.outcome.generations = counts[1].into();
            row.outcome.restarts = counts[2].into();
            row.outcome.evaluations_to_best = counts[3].into();
            row.outcome.wall_ms = f64::from(milliseconds) / 1000.0;
            let text = write(&["a", "b"], std::slice::from_ref(&row));
            let mut reader = Reader::new("runs.csv", text.as_bytes()).expect("columns");
            let read = reader.next().expect("a row").expect("a row");
            prop_assert!((read.outcome.wall_ms - row.outcome.wall_ms).abs() < 1e-9);
            row.outcome.wall_ms = read.outcome.wall_ms;
            prop_assert_eq!(read, row);
        }

        #[test]
        fn whatever_the_bytes_reading_ends_without_panic(bytes in any::<Vec<u8>>()) {
            let written = write(&["a"], &[row(0, &["1"])]);
            let text = [written.as_bytes(), &bytes].concat();
            let rows = Reader::new("runs.csv", &text[..]).expect("columns");
            prop_assert!(rows.count() >= 1);
        }
    }
}

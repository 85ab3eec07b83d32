//! `runs.csv`: one row for each run, in plan order.

mod headers;
mod reader;
mod repeats;
mod writer;

pub use crate::run::{Row, RunKey, RunOutcome};
pub use headers::{ColumnName, column_named};
pub use reader::Reader;
pub use writer::Writer;

#[cfg(test)]
mod tests {
    use evogrid_core::identity::RunId;
    use proptest::prelude::*;

    use super::*;
    use crate::record::{Record, tests::record};
    use crate::run::gap;

    fn row(run: u64, varied: &[&str]) -> Row {
        let Record { key, outcome, .. } = record(run);
        let varied = varied.iter().map(|&value| value.to_owned()).collect();
        Row { run, key, varied, fitness: "collisions".into(), unit: "evaluations".into(), outcome, ..Row::default() }
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
        failed.outcome.solved = Some(false);
        (failed.outcome.best_fitness, failed.outcome.cpu_ms) = (None, None);
        let mut half = row(2, &["a,\"b\""]);
        (half.outcome.best_fitness, half.outcome.wall_ms) = (Some(42.5), 1234.56789);
        insta::assert_snapshot!(write(&["population"], &[row(0, &["100"]), failed, half]), @r#"
        run,run_id,algorithm,population,problem,instance,bucket,repetition,seed,solved,objective,best_known,gap,fitness,best_fitness,unit,evaluations,generations,restarts,evaluations_to_best,stop,wall_ms,cpu_ms
        0,r0000000000000000,huke,100,tour,huke-01,easy,3,8019042476458226,true,0.0,,,collisions,0.0,evaluations,4200,42,0,4190,target,1.250,1.125
        1,r0000000000000001,huke,500,tour,huke-01,easy,3,8019042476458226,false,0.0,,,collisions,,evaluations,4200,42,0,4190,failed,1.250,
        2,r0000000000000002,huke,"a,""b""",tour,huke-01,easy,3,8019042476458226,true,0.0,,,collisions,42.5,evaluations,4200,42,0,4190,target,1234.568,1.125
        "#);
    }

    #[test]
    fn a_run_without_a_target_says_nothing_of_being_solved() {
        let mut row = row(0, &[]);
        (row.outcome.solved, row.outcome.objective) = (None, Some(1297.0));
        (row.best_known, row.gap) = (Some(1278.0), gap(1297.0, 1278.0, row.direction()));
        let text = write(&[], std::slice::from_ref(&row));
        assert!(text.ends_with(",8019042476458226,,1297.0,1278.0,1.486697965571205,collisions,0.0,evaluations,4200,42,0,4190,target,1.250,1.125\n"), "{text}");
        assert_eq!(
            Reader::new("runs.csv", text.as_bytes()).expect("columns").next().expect("a row").expect("a row"),
            row
        );
    }

    #[test]
    fn a_file_needs_no_column_of_success_where_it_has_one_of_quality() {
        let read = |text: &str| -> Vec<Row> {
            Reader::new("x.csv", text.as_bytes()).expect("columns").collect::<Result<_, _>>().expect("rows")
        };
        let rows = read("algorithm,instance,objective,best_known\na,x,110,100\na,y,90,NA\na,z,3,0\n");
        assert_eq!(rows.iter().map(|row| row.gap).collect::<Vec<_>>(), [Some(10.0), None, None]);
        assert!(
            rows.iter()
                .all(|row| row.outcome.solved.is_none() && row.outcome.stop == evogrid_core::budget::Stop::Exhausted)
        );
        let text = "algorithm,instance,objective,best_known\n";
        assert!(!Reader::new("x.csv", text.as_bytes()).expect("columns").missing.contains(&"gap"), "it follows");
        assert_eq!(read("algorithm,instance,gap\na,x,-0.5\n")[0].gap, Some(-0.5));
        insta::assert_snapshot!(read_error("algorithm,instance,best_fitness\n"), @"runs.csv: no column `solved`; the columns are `algorithm`, `instance`, `best_fitness`; a column with another header needs `--column solved=HEADER`");
    }

    #[test]
    fn a_varied_setting_with_the_name_of_a_column_has_a_column_of_its_own() {
        let text = write(&["fitness", "population"], &[row(0, &["missing", "100"])]);
        assert!(text.starts_with("run,run_id,algorithm,setting.fitness,population,"), "{text}");
        let mut reader = Reader::new("runs.csv", text.as_bytes()).expect("columns");
        assert_eq!(reader.varied, ["fitness", "population"]);
        assert_eq!(reader.next().expect("a row").expect("a row"), row(0, &["missing", "100"]));
    }

    #[test]
    fn rows_are_read_in_any_order_of_columns_and_behind_a_byte_order_mark() {
        let written = write(&["population"], &[row(0, &["100"])]);
        let mirrored: Vec<String> =
            written.lines().map(|line| line.split(',').rev().chain(["7"]).collect::<Vec<_>>().join(",")).collect();
        let text = format!("\u{feff}{}", mirrored.join("\r\n").replacen(",7", ",", 1));
        let mut reader = Reader::new("runs.csv", text.as_bytes()).expect("columns");
        assert_eq!(reader.varied, ["population"]);
        assert_eq!(reader.next().expect("a row").expect("a row"), row(0, &["100"]));
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_needed_column_that_is_missing_is_named_beside_those_found() {
        insta::assert_snapshot!(read_error("run,run_id,algo\u{1b}[31m\n"), @r"runs.csv: no column `algorithm`; the columns are `run`, `run_id`, `algo\u{1b}[31m`; a column with another header needs `--column algorithm=HEADER`");
        insta::assert_snapshot!(read_error(""), @"runs.csv: no column `algorithm`; the columns are none");
    }

    #[test]
    fn a_bad_value_is_named_with_its_place() {
        let written = write(&[], &[row(0, &[]), row(1, &[])]);
        for (from, to, expected) in [
            ("1,r", "one,r", "3: column `run`: expected a whole number of at least 0, found `one`"),
            ("r0000000000000001", "r1", "3: column `run_id`: expected an `r` and 16 hexadecimal digits, found `r1`"),
            ("true", "yes", "2: column `solved`: expected `true`, `false`, 1 or 0, found `yes`"),
            ("1.250", "inf", "2: column `wall_ms`: expected a time of at least 0 ms, found `inf`"),
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

    #[test]
    fn a_run_that_stands_twice_is_refused() {
        let [mut one, mut other] = [row(1, &["100"]), row(2, &["100"])];
        other.key.run_id = one.key.run_id;
        insta::assert_snapshot!(read_error(&write(&["population"], &[one.clone(), row(3, &["9"]), other.clone()])), @"runs.csv:4: the run r0000000000000001 of `huke` already occurs in an earlier row, and would count twice: remove one of the two rows");
        // Two algorithms of an experiment may have a run in common.
        other.key.algorithm = "same".into();
        assert_eq!(write(&["population"], &[one.clone(), other.clone()]).lines().count(), 3);
        // Without ids the names tell runs apart, all of them.
        (one.key.run_id, other.key.run_id) = (RunId::default(), RunId::default());
        let changes: [fn(&mut Row); 6] = [
            |row| row.key.algorithm.push('x'),
            |row| row.varied[0].push('0'),
            |row| row.key.problem.push('x'),
            |row| row.key.instance.push('x'),
            |row| row.key.bucket.push('x'),
            |row| row.key.repetition += 1,
        ];
        for change in changes {
            let mut changed = one.clone();
            change(&mut changed);
            let text = write(&["population"], &[one.clone(), changed]);
            assert_eq!(Reader::new("runs.csv", text.as_bytes()).expect("columns").filter(Result::is_ok).count(), 2);
        }
        other.clone_from(&one);
        other.run = 7;
        insta::assert_snapshot!(read_error(&write(&["population"], &[one, other])), @"runs.csv:3: the run of `huke` (population = 100) on `huke-01` with repetition 3 already occurs in an earlier row, and would count twice: remove one of the two rows");
        insta::assert_snapshot!(read_error("algorithm,instance,solved,repetition\na,x,1,0\na,x,1,1\na,x,0,1\n"), @"runs.csv:4: the run of `a` on `x` with repetition 1 already occurs in an earlier row, and would count twice: remove one of the two rows");
        let numbered = "algorithm,instance,solved\na,x,1\na,x,1\n";
        assert_eq!(Reader::new("runs.csv", numbered.as_bytes()).expect("columns").filter(Result::is_ok).count(), 2);
    }

    #[test]
    fn a_run_that_occurs_twice_in_a_file_is_told_with_both_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.csv");
        let text = write(&[], &[row(1, &[]), row(2, &[]), row(3, &[])]);
        // A second copy of the rows follows the first copy, as if two files were joined.
        let rows = text.split_once('\n').expect("a line of names").1;
        std::fs::write(&path, format!("{text}{rows}")).expect("a file");
        let error =
            Reader::open(&path).and_then(std::iter::Iterator::collect::<Result<Vec<Row>, _>>).expect_err("twice");
        let message = error.to_string().replace(&path.display().to_string(), "runs.csv");
        insta::assert_snapshot!(message, @"runs.csv:5: the run r0000000000000001 of `huke` already occurs on line 2, and would count twice: remove one of the two rows");
    }

    #[test]
    fn a_bucket_called_all_is_refused_beside_others() {
        let bucket = |run: u64, bucket: &str| {
            let mut row = row(run, &[]);
            row.key.bucket = bucket.to_owned();
            row
        };
        for buckets in [["easy", "all"], ["all", "easy"], ["all", ""], ["", "all"]] {
            let rows = [bucket(0, buckets[0]), bucket(1, buckets[1])];
            let line = 2 + buckets.iter().position(|bucket| *bucket == "all").expect("one is");
            assert!(
                read_error(&write(&[], &rows))
                    .starts_with(&format!("runs.csv:{line}: give the bucket `all` another name"))
            );
        }
        let alone = write(&[], &[bucket(0, "all"), bucket(1, "all")]);
        assert!(Reader::new("runs.csv", alone.as_bytes()).expect("columns").all(|row| row.is_ok()));
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

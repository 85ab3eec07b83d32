//! A CSV that another program wrote: `table` and `compare` work on it, and report what they cannot do without a column.

mod test_folder;

use test_folder::TestFolder;

/// As a script with DEAP might write it: two algorithms, four instances, five repetitions.
fn foreign() -> TestFolder {
    let mut text = "algorithm,instance,repetition,solved,evaluations\n".to_owned();
    for (algorithm, step) in [("eaSimple", 1), ("eaMuPlusLambda", 3)] {
        for instance in 0..4 {
            for repetition in 0..5 {
                let solved = (instance + repetition) % 4 < step;
                let word = if solved { "True" } else { "False" };
                text += &format!("{algorithm},s{instance},{repetition},{word},{}\n", 1000 * (instance + 1));
            }
        }
    }
    let folder = TestFolder::empty();
    folder.write("deap.csv", text);
    folder
}

#[test]
fn a_foreign_csv_has_a_table_and_says_what_it_lacks() {
    let (table, notes) = foreign().outputs(0, &["table", "deap.csv"]);
    insta::assert_snapshot!(table);
    insta::assert_snapshot!(notes, @"
    note: deap.csv has no column `bucket`: no difference of buckets
    note: deap.csv has no column `best_fitness`: no best fitness
    note: deap.csv has no column `generations`: no generations
    note: deap.csv has no column `wall_ms`: no times and no PAR10
    ");
}

#[test]
fn a_foreign_csv_can_be_compared() {
    insta::assert_snapshot!(foreign().outputs(0, &["compare", "deap.csv"]).0);
}

#[test]
fn what_a_comparison_lacks_is_reported_with_what_to_do() {
    let folder = foreign();
    for (arguments, expected) in [
        (
            ["compare", "deap.csv", "--metric", "wall_ms"],
            "the file has no column `wall_ms`\n  choose another `--metric`",
        ),
        (["compare", "deap.csv", "--metric", "evalations"], "unknown metric `evalations`\n  expected `solved`"),
        (
            ["compare", "deap.csv", "--by", "algoritm"],
            "its runs are not told apart by `algoritm`\n  expected `algorithm`",
        ),
        (["compare", "none.csv", "--by", "algorithm"], "none.csv is not there\n  expected a results folder or a CSV"),
    ] {
        let error = folder.refused(2, &arguments);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn of_many_settings_the_best_are_compared_and_it_is_said() {
    let folder = TestFolder::empty();
    let rows: String =
        (0..30).flat_map(|size| (0..20).map(move |run| format!("ga,{size},tour,{}\n", run < size))).collect();
    folder.write("many.csv", format!("algorithm,size,instance,solved\n{rows}"));
    let (table, _) = folder.outputs(0, &["compare", "many.csv"]);
    assert!(table.contains("The best 7 of 30 settings by success rate, chosen by these very runs"), "{table}");
    let refused = folder.refused(2, &["compare", "many.csv", "--by", "size"]);
    assert!(refused.contains("leave `--by` out"), "{refused}");
}

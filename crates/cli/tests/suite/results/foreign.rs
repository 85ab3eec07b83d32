//! A CSV that another program wrote: `table` and `compare` work on it, and report what they cannot do without a column.

use crate::test_folder::TestFolder;

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
    note: deap.csv has no column `bucket`: buckets are not distinguished
    note: deap.csv has no column `best_fitness`: the best fitness is unknown
    note: deap.csv has no column `generations`: the generations are unknown
    note: deap.csv has no column `wall_ms`: the times and PAR10 are unknown
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
        (["compare", "deap.csv", "--metric", "evalations"], "did you mean `evaluations`?"),
        (["compare", "deap.csv", "--by", "algoritm"], "the runs do not differ in `algoritm`\n  expected `algorithm`"),
        (
            ["compare", "none.csv", "--by", "algorithm"],
            "`none.csv` does not exist\n  expected a results folder or a CSV file",
        ),
    ] {
        let error = folder.refused(2, &arguments);
        assert!(error.contains(expected), "{error}");
    }
}

/// Thirty sizes on one instance: each solves as many of twenty runs as it is large, at most all.
fn many() -> TestFolder {
    let folder = TestFolder::empty();
    let rows: String =
        (0..30).flat_map(|size| (0..20).map(move |run| format!("ga,{size},tour,{}\n", run < size))).collect();
    folder.write("many.csv", format!("algorithm,size,instance,solved\n{rows}"));
    folder
}

#[test]
fn of_many_settings_the_best_are_compared_and_it_is_said() {
    let folder = many();
    let (table, _) = folder.outputs(0, &["compare", "many.csv"]);
    let head = "The best 7 of 30 configurations by success rate are shown. These runs were also\nused to choose the configurations. Therefore the results may look too good.\n\n";
    assert!(table.starts_with(head), "{table}");
    let best = "Best of 30 configurations by success rate in these runs: ga, size = 20";
    assert!(table.contains(best) && folder.outputs(0, &["table", "many.csv"]).0.contains(best), "{table}");
    let page = folder.outputs(0, &["compare", "many.csv", "--format", "markdown"]).0;
    assert!(page.starts_with("The best 7 of 30 configurations by success rate"), "{page}");
    let paper = folder.outputs(0, &["compare", "many.csv", "--format", "latex"]).0;
    assert!(paper.contains("\\caption{The best 7 of 30 configu"), "{paper}");
    let refused = folder.refused(2, &["compare", "many.csv", "--by", "size"]);
    assert!(refused.contains("compare only the best with `--top 7`"), "{refused}");
}

#[test]
fn as_many_are_compared_as_are_asked_for_and_the_baseline() {
    let folder = many();
    let compared = |arguments: &[&str]| {
        let shown = folder.outputs(0, &[&["compare", "many.csv", "--format", "csv"], arguments].concat()).0;
        shown.lines().count() - 1
    };
    assert_eq!(compared(&["--top", "3"]), 3, "every pair of three");
    assert_eq!(compared(&["--top", "20", "--baseline", "ga, size = 4"]), 20);
    assert_eq!(compared(&["--top", "2", "--by", "size"]), 1);
    for name in ["ga, size = 4", "size = 4"] {
        let shown = folder.outputs(0, &["compare", "many.csv", "--top", "4", "--baseline", name]).0;
        assert!(
            shown.starts_with("The best 4 of 30 configurations by success rate and the baseline are shown."),
            "{shown}"
        );
        assert!(shown.contains("size = 20 solves more than size = 4: 80 points"), "{shown}");
    }
    for (arguments, expected) in [
        (["compare", "many.csv", "--top", "1"], "1 is not in 2..=20"),
        (["table", "many.csv", "--baseline", "ga"], "`runner table` cannot use `--baseline`"),
        (["compare", "many.csv", "--baseline", "ga"], "`ga` matches 30 configurations; expected only one"),
        (["compare", "many.csv", "--baseline", "size = 31"], "`size = 31` is not one of the configurations"),
    ] {
        let refused = folder.refused(2, &arguments);
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn by_work_the_best_are_those_that_solve_most_and_without_a_target_those_of_least_gap() {
    let folder = TestFolder::empty();
    let rows = |solved: fn(usize) -> &'static str| -> String {
        let row = |size, instance| format!("ga,{size},i{instance},{},{size},100,5\n", solved(size));
        let rows = (0..25).flat_map(|size| (0..3).map(move |instance| row(size, instance)));
        "algorithm,size,instance,solved,gap,evaluations,cpu_ms\n".to_owned() + &rows.collect::<String>()
    };
    folder.write("solved.csv", rows(|size| if size > 17 { "1" } else { "0" }));
    folder.write("gaps.csv", rows(|_| ""));
    let shown = folder.outputs(0, &["compare", "solved.csv", "--metric", "evaluations"]).0;
    assert!(
        shown.starts_with("The best 7 of 25 configurations by success rate") && shown.contains("size = 18"),
        "{shown}"
    );
    assert!(shown.contains("Best of 25 configurations by success rate in these runs: ga, size = 18"), "{shown}");
    let shown = folder.outputs(0, &["compare", "gaps.csv"]).0;
    assert!(shown.starts_with("The best 7 of 25 configurations by mean gap") && !shown.contains("size = 7"), "{shown}");
}

#[test]
fn the_best_of_equal_configurations_flatters_itself_and_its_holdout_value_does_not() {
    let folder = TestFolder::empty();
    // 72 configurations that solve each instance in one of two runs, by a pattern that no other has.
    let solved = |size: usize, instance: usize| (size * 2_654_435_761) >> (instance + 3) & 1 == 1;
    let rows = (0..72)
        .flat_map(|size| (0..20).map(move |instance| format!("ga,{size},i{instance},{}\n", solved(size, instance))));
    folder.write("even.csv", "algorithm,size,instance,solved\n".to_owned() + &rows.collect::<String>());
    let rates = |arguments: &[&str]| {
        let shown = folder.outputs(0, arguments).0.replace('\n', " ");
        let figure = |before: &str| {
            let (_, rest) = shown.split_once(before).unwrap_or_else(|| panic!("no {before}: {shown}"));
            rest.split(' ').next().and_then(|text| text.parse::<f64>().ok()).expect("a rate")
        };
        assert!(shown.contains(
            "In each split, the configuration is chosen on one half of the instances and measured on the other half. The holdout value is the mean of the values from 126 splits."
        ));
        [figure(" with "), figure("Holdout value: ")]
    };
    let [best, split] = rates(&["table", "even.csv"]);
    assert!(best >= 70.0 && (40.0..=60.0).contains(&split), "{best} {split}");
    assert_eq!(rates(&["compare", "even.csv"]), [best, split]);
    assert_eq!(rates(&["compare", "even.csv", "--by", "size", "--top", "2"]), [best, split]);
}

/// What each command that counts runs says to a file or a results folder.
fn refusals(folder: &TestFolder, results: &str) -> Vec<String> {
    let commands: [&[&str]; 5] = [
        &["table", results],
        &["compare", results],
        &["plot", results, "--out", "charts"],
        &["report", results, "--out", "report.html"],
        &["export", results, "--format", "ioh", "--out", "ioh"],
    ];
    let refusals = commands.iter().map(|command| folder.refused(2, command)).collect();
    for made in ["charts", "report.html", "ioh"] {
        assert!(!folder.path(made).exists(), "{made} is of no use");
    }
    refusals
}

#[test]
fn a_run_that_stands_twice_is_refused_by_every_command_with_both_lines() {
    let folder = foreign();
    // A row copied to the end, and all rows of the file behind each other, as by `cat`.
    let text = folder.read("deap.csv");
    let rows = text.split_once('\n').expect("a line of names").1.to_owned();
    folder.write("copied.csv", format!("{text}{}\n", rows.lines().nth(2).expect("a row")));
    folder.write("joined.csv", format!("{text}{rows}"));
    for (file, lines) in [("copied.csv", (42, 4)), ("joined.csv", (42, 2))] {
        for refusal in refusals(&folder, file) {
            let expected = format!("{file}:{}: the run of `eaSimple` on `s0` with repetition", lines.0);
            assert!(refusal.contains(&expected), "{refusal}");
            assert!(refusal.contains(&format!("already occurs on line {}", lines.1)), "{refusal}");
        }
    }
}

#[test]
fn a_row_copied_in_a_results_folder_is_refused_by_its_id() {
    let folder = TestFolder::new("[10, 20]", 2);
    folder.run(&["--out", "out", "--set", "budget.generations=2"]);
    // A lucky run counted twice, under another number.
    folder.change("out/runs.csv", |text| {
        let row = text.lines().nth(3).expect("a row");
        format!("{text}99{}\n", &row[row.find(',').expect("a number")..])
    });
    for refusal in refusals(&folder, "out") {
        assert!(refusal.contains("runs.csv:34: the run r"), "{refusal}");
        assert!(refusal.contains(" of `huke` already occurs on line 4"), "{refusal}");
    }
}

#[test]
fn a_bucket_called_all_is_refused_by_every_command() {
    let folder = TestFolder::empty();
    folder.write("all.csv", "algorithm,instance,bucket,solved,evaluations\na,x,easy,1,9\na,y,all,0,9\nb,x,,1,9\n");
    for refusal in refusals(&folder, "all.csv") {
        assert!(refusal.contains("all.csv:3: give the bucket `all` another name"), "{refusal}");
    }
}

#[test]
fn algorithms_that_have_runs_in_common_are_no_runs_that_stand_twice() {
    let folder = TestFolder::new("[10, 20]", 2);
    folder.change("test.toml", |text| format!("{text}[algorithms.small]\npreset = \"huke\"\npopulation = 10\n"));
    folder.run(&["--out", "out", "--set", "budget.generations=2"]);
    let (table, _) = folder.outputs(0, &["table", "out"]);
    assert!(table.contains("small"), "{table}");
    folder.outputs(0, &["compare", "out"]);
}

/// A results folder of two populations and two rates, and its runs as a spreadsheet of a country with decimal commas writes them.
fn spreadsheet() -> TestFolder {
    let folder = TestFolder::new("[10, 20]", 2);
    folder.run(&[
        "--out",
        "out",
        "--set",
        "budget.generations=2",
        "--set",
        "algorithms.huke.grid.mutation_rate=[0.25, 0.5]",
    ]);
    let text = folder.read("out/runs.csv");
    let (header, rows) = text.split_once('\n').expect("a line of names");
    let header = header.replace("best_fitness", "Best Fitness").replace("algorithm", "Method").replace("solved", "OK?");
    folder.write("own.csv", &text);
    folder.write("theirs.csv", format!("{header}\n{rows}").replace(',', ";").replace('.', ","));
    folder
}

#[test]
fn a_file_with_semicolons_decimal_commas_and_other_headers_has_the_same_tables() {
    let folder = spreadsheet();
    let options = ["--column", "algorithm=Method", "--column", "solved=OK?"];
    for command in [&["table"][..], &["table", "--layout", "long", "--format", "csv"], &["compare"]] {
        let own = folder.outputs(0, &[command, &["own.csv"]].concat()).0;
        let (theirs, notes) = folder.outputs(0, &[command, &["theirs.csv"], &options].concat());
        assert_eq!(theirs, own);
        assert!(notes.starts_with(
            "note: theirs.csv: semicolons separate the columns, and numbers may have decimal commas; `Best Fitness` is \
             `best_fitness`\n"
        ), "{notes}");
    }
    folder.write("theirs.columns.toml", "algorithm = \"Method\"\nsolved = \"unknown\"\n");
    let own = folder.outputs(0, &["compare", "own.csv"]).0;
    assert_eq!(folder.outputs(0, &["compare", "theirs.csv", "--column", "solved=OK?"]).0, own, "the option goes first");
    folder.outputs(0, &["plot", "theirs.csv", "--column=solved=OK?", "--format", "vega", "--out", "charts"]);
    folder.outputs(0, &["report", "theirs.csv", "--column=solved=OK?", "--out", "report.html"]);
    folder.outputs(0, &["export", "theirs.csv", "--column=solved=OK?", "--format", "csv", "--out", "csv"]);
    assert_eq!(folder.read("csv/runs.csv"), folder.read("own.csv"));
    folder.outputs(0, &["export", "theirs.csv", "--column=solved=OK?", "--format", "ioh", "--out", "ioh"]);
}

#[test]
fn a_wrong_name_of_a_column_is_refused_with_its_place() {
    let folder = spreadsheet();
    let mut told = String::new();
    for options in
        [&[][..], &["--column", "algoritm=Method"], &["--column", "algorithm=Methd"], &["--column", "Method"]]
    {
        told += &folder.refused(2, &[&["table", "theirs.csv"], options].concat());
    }
    for text in ["algorithm = \"Methd\"\n", "algoritm = \"Method\"\nsolved = true\n", "algorithm = Method\n"] {
        folder.write("theirs.columns.toml", text);
        told += &folder.refused(2, &["compare", "theirs.csv"]);
    }
    insta::assert_snapshot!(told, @r#"
    error: theirs.csv: no column `algorithm`; the columns are `run`, `run_id`, `Method`, `population`, `mutation_rate`, `problem`, `instance`, `bucket`, `repetition`, `seed`, `OK?`, `objective`, `best_known`, `gap`, `fitness`, `Best Fitness`, `unit`, `evaluations`, `generations`, `restarts`, `evaluations_to_best`, `stop`, `wall_ms`, `cpu_ms`; did you mean `--column algorithm=Method`?
    error: `--column algoritm=Method` does not name a column
      expected a column of runs.csv; did you mean `algorithm`?
    error: theirs.csv:1: `--column` gives the header `Methd` for the column `algorithm`, but no column of the file has this header; the columns are `run`, `run_id`, `Method`, `population`, `mutation_rate`, `problem`, `instance`, `bucket`, `repetition`, `seed`, `OK?`, `objective`, `best_known`, `gap`, `fitness`, `Best Fitness`, `unit`, `evaluations`, `generations`, `restarts`, `evaluations_to_best`, `stop`, `wall_ms`, `cpu_ms`; did you mean `Method`?
    error: `--column Method` does not name a column
      expected `--column NAME=HEADER`, for example `--column algorithm=Method`
    error: theirs.csv:1: `theirs.columns.toml` gives the header `Methd` for the column `algorithm`, but no column of the file has this header; the columns are `run`, `run_id`, `Method`, `population`, `mutation_rate`, `problem`, `instance`, `bucket`, `repetition`, `seed`, `OK?`, `objective`, `best_known`, `gap`, `fitness`, `Best Fitness`, `unit`, `evaluations`, `generations`, `restarts`, `evaluations_to_best`, `stop`, `wall_ms`, `cpu_ms`; did you mean `Method`?
    error: theirs.columns.toml:1:1: `algoritm` is not a column
       |
     1 | algoritm = "Method"
       | ^^^^^^^^
      expected a column of runs.csv; did you mean `algorithm`?

    error: theirs.columns.toml:2:10: `solved` is true or false, not a header
       |
     2 | solved = true
       |          ^^^^
      expected the header in quotes: `solved = "Header"`

    2 errors
    error: theirs.columns.toml:1:13: not valid TOML: no value
       |
     1 | algorithm = Method
       |             ^^^^^^
      expected a value, for example 1, 0.5, true or "text" in quotes
    "#);
}

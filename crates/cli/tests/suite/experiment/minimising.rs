//! Experiments that minimise: every command that reads results speaks of gaps or objectives, and says what it cannot compare.

use crate::test_folder::TestFolder;

/// Two algorithms on six instances in a CSV of another program, with best known values; `best_known` writes one.
fn results(best_known: impl Fn(u32) -> String) -> TestFolder {
    let mut text = "algorithm,instance,bucket,repetition,objective,best_known,cpu_ms\n".to_owned();
    for (algorithm, worse) in [("ils", 0), ("ga", 40)] {
        for instance in 0..6 {
            for repetition in 0..5 {
                let objective = 1000 + worse + 3 * instance + 5 * repetition;
                text +=
                    &format!("{algorithm},ta00{instance},20x5,{repetition},{objective},{},7.5\n", best_known(instance));
            }
        }
    }
    let folder = TestFolder::empty();
    folder.write("runs.csv", text);
    folder
}

fn known(instance: u32) -> String {
    (1000 + instance).to_string()
}

#[test]
fn a_table_and_a_comparison_are_of_gaps() {
    let folder = results(known);
    let (table, notes) = folder.outputs(0, &["table", "runs.csv"]);
    insta::assert_snapshot!(table, @"
    ils
    bucket gap %      95 %  med best runs   cpu stopped
    20x5    1.50 1.15-1.94 1.50 0.00   30 7.500 -
    all     1.50 1.15-1.94 1.50 0.00   30 7.500 -

    ga
    bucket gap %      95 %  med best runs   cpu stopped
    20x5    5.49 5.11-5.89 5.49 4.00   30 7.500 -
    all     5.49 5.11-5.89 5.49 4.00   30 7.500 -

    gap %: mean distance from the best known value, in per cent. The mean is taken
    over the runs of each instance, then over instances. 95 %: interval of the mean
    gap, rounded outwards. The interval holds for instances like these. With only
    one instance, the interval holds for further runs on this instance. med: median
    gap of runs. best: lowest gap of runs; cpu: mean processor ms; stopped: reasons
    why runs stopped.
    Best of 2 configurations by mean gap in these runs: ils with 1.50 %. Holdout
    value: 1.50 %. In each split, the configuration is chosen on one half of the
    instances and measured on the other half. The holdout value is the mean of the
    values from 10 splits.
    ");
    insta::assert_snapshot!(notes, @"
    note: runs.csv has no column `solved`: the success rates are unknown
    note: runs.csv has no column `best_fitness`: the best fitness is unknown
    note: runs.csv has no column `evaluations`: the evaluations and the expected running time are unknown
    note: runs.csv has no column `generations`: the generations are unknown
    note: runs.csv has no column `wall_ms`: the times and PAR10 are unknown
    ");
    let (comparison, _) = folder.outputs(0, &["compare", "runs.csv"]);
    assert!(
        comparison.contains("mean gap % (95 %)") && comparison.contains("ils ends at a lower gap than ga"),
        "{comparison}"
    );
    let (by_objective, _) = folder.outputs(0, &["compare", "runs.csv", "--metric", "objective"]);
    assert!(by_objective.contains("ils ends at a lower objective than ga"), "{by_objective}");
    let (table, _) = folder.outputs(0, &["table", "runs.csv", "--metric", "objective", "--format", "csv"]);
    assert!(table.starts_with("algorithm,bucket,mean objective,median objective,best objective,"), "{table}");
}

#[test]
fn what_no_run_says_is_refused_with_what_to_do() {
    let folder = results(|_| String::new());
    for (arguments, expected) in [
        (["--metric", "solved"], "no run of ils records whether it was solved\n  choose another `--metric`"),
        (
            ["--metric", "cpu_ms"],
            "no run of ils records whether it was solved and how much work it needed\n  choose another `--metric`",
        ),
        (
            ["--metric", "gap"],
            "no run of ils has a gap: the best known value of the instance is missing or 0\n  give best known values with the instances, or compare objectives with `--metric objective`",
        ),
    ] {
        let error = folder.refused(2, &[&["compare", "runs.csv"], &arguments[..]].concat());
        assert!(error.contains(expected), "{error}");
    }
    assert!(folder.outputs(0, &["compare", "runs.csv"]).0.contains("ends at a lower objective"));
    assert!(folder.outputs(0, &["table", "runs.csv"]).0.contains("obj: mean objective of runs"));
}

#[test]
fn a_best_known_value_that_is_beaten_is_a_warning() {
    let folder = results(|instance| if instance == 2 { "1010".to_owned() } else { known(instance) });
    let (table, _) = folder.outputs(0, &["table", "runs.csv"]);
    let told = table.replace('\n', " ");
    assert!(
        told.contains(
            "A run found a better value than the best known one, by 0.3961 % (ils at 20x5): if that value is optimal, it or the objective is wrong."
        ),
        "{table}"
    );
}

#[test]
fn plot_and_report_are_of_gaps() {
    let folder = results(known);
    let (status, named, said) = folder.report(&["plot", "runs.csv", "--format", "vega", "--out", "charts"]);
    let expected =
        ["gap", "gap-distribution", "gap-ecdf", "bucket-heatmap", "front", "pairs", "main-effects", "ranks", "scatter"];
    let expected = expected.map(|name| format!("charts/{name}.vl.json\n")).concat();
    assert_eq!((status, named), (Some(0), expected), "{said}");
    assert!(said.contains("note: no chart `success`: no run had a target, so `solved` is undefined"), "{said}");
    let asked = ["plot", "runs.csv", "--chart", "gap", "--metric", "objective", "--format", "vega", "--out", "charts"];
    let (_, _, said) = folder.report(&asked);
    assert!(
        said.contains("gap: The excess says by how many per cent the objective of a run is above the best objective"),
        "{said}"
    );
    folder.outputs(0, &["report", "runs.csv", "--out", "page.html"]);
    let page = folder.read("page.html");
    assert!(page.contains("\"metric\":\"gap\"") && page.contains("\"ordered_by\":\"mean gap %\""));
    assert!(!page.contains("\"ordered_by\":\"solved %\""), "nothing is said of success");
}

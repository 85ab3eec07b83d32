//! Experiments that maximise: every command shows the values themselves, and says that higher ones are better.

use crate::own_runner::own_runner;
use crate::test_folder::{TestFolder, report};

/// A search that looks at one list of numbers, and one that looks at many.
const EXPERIMENT: &str = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 6\n\
    [[instances]]\nproblem = \"wide\"\npath = \"lists.csv\"\n\
    [algorithms.hasty]\nkind = \"random-search\"\nbudget.evaluations = 1\n\
    [algorithms.patient]\nkind = \"random-search\"\nbudget.evaluations = 300\n\
    [record]\ntrace = \"improvements\"\n";

/// What a command prints and says if numbers in place are maximised.
fn outputs(folder: &TestFolder, arguments: &[&str]) -> (String, String) {
    let (ended, printed, messages) = report(&mut own_runner("wide, maximised", &folder.path(""), arguments), "");
    assert_eq!(ended, Some(0), "{arguments:?}: {printed}{messages}");
    (printed, messages)
}

/// The lines of a text after the first that begins so, up to an empty one.
fn after(text: &str, start: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.trim_start().starts_with(start));
    lines.take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn every_command_says_that_higher_values_are_better() {
    let folder = TestFolder::empty();
    folder.write("lists.csv", "id,list\nten,10 0\nsix,6 0\n");
    folder.write("test.toml", EXPERIMENT);
    outputs(&folder, &["run", "test.toml", "--out", "o"]);
    let values: Vec<f64> =
        folder.column("o", "objective").iter().map(|value| value.parse().expect("a number")).collect();
    assert!(values.iter().all(|&value| value >= 0.0) && values.contains(&6.0), "{values:?}");
    assert_eq!(folder.column("o", "fitness")[0], "numbers in place (maximised)");
    let told = outputs(&folder, &["verify", "o", "--sample", "100"]).0;
    assert!(told.contains("nothing is wrong"), "{told}");

    let table = outputs(&folder, &["table", "o"]).0;
    assert!(table.contains("Objectives are maximised: higher is better."), "{table}");
    insta::assert_snapshot!(after(&table, "Best of"), @"
    Best of 2 configurations by mean objective in these runs: patient with 5.250.
    Holdout value: 5.250. In each split, the configuration is chosen on one half of
    the instances and measured on the other half. The holdout value is the mean of
    the values from 1 split.
    The algorithms have different limits: hasty: evaluations 1; patient: evaluations
    300.
    ");
    let compared = outputs(&folder, &["compare", "o"]).0;
    assert!(compared.contains("patient ends at a higher objective than hasty: a run of"), "{compared}");
    let live = outputs(&folder, &["live", "--once", "o"]).0;
    insta::assert_snapshot!(after(&live, "complete configurations"), @"
    complete configurations, mean objective, largest first:
    patient: 5.250
    hasty: 1.333
    Best of 2 configurations by mean objective in these runs: patient with 5.250.
    Holdout value: 5.250. In each split, the configuration is chosen on one half of
    the instances and measured on the other half. The holdout value is the mean of
    the values from 1 split.
    note: the algorithms have different limits: hasty: evaluations 1; patient:
    evaluations 300.
    ");

    outputs(&folder, &["plot", "o", "--format", "vega", "--out", "charts"]);
    let curve = folder.read("charts/convergence.vl.json");
    assert!(curve.contains("best numbers in place (maximised)") && !curve.contains("minimised"), "{curve}");
    outputs(&folder, &["report", "o", "--out", "page.html"]);
    assert!(folder.read("page.html").contains("\"direction\":\"maximised\""));
    outputs(&folder, &["export", "o", "--format", "ioh", "--out", "ioh"]);
    let exported = folder.read("ioh/2-patient/IOHprofiler_f1_ten.json");
    assert!(exported.contains("\"maximization\":true") && !exported.contains("\"y\":-"), "{exported}");
}

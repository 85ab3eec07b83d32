//! `[analysis]`: what an experiment decides of its evaluation, before its first run or after it.

use serde_json::Value;

use crate::test_folder::TestFolder;

/// Two boards of each difficulty, three algorithms, and these lines in `[analysis]`.
fn experiment(repetitions: u32, analysis: &str) -> TestFolder {
    let folder = TestFolder::new("[20]", 1);
    write(&folder, repetitions, analysis);
    folder
}

fn write(folder: &TestFolder, repetitions: u32, analysis: &str) {
    let algorithm = |(name, population)| format!("[algorithms.{name}]\npreset = \"huke\"\npopulation = {population}\n");
    let algorithms: String = [("small", 10), ("middle", 20), ("large", 40)].map(algorithm).concat();
    let text = format!(
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = {repetitions}\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\
         {algorithms}[budget]\ngenerations = 5\n[analysis]\n{analysis}\n"
    );
    folder.write("test.toml", text);
}

fn run(folder: &TestFolder) {
    folder.outputs(0, &["run", "test.toml", "--quiet"]);
}

/// What is printed, in one line.
fn printed(folder: &TestFolder, arguments: &[&str]) -> String {
    let (output, _) = folder.outputs(0, arguments);
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn manifest(folder: &TestFolder) -> Value {
    serde_json::from_str(&folder.read("results/test/manifest.json")).expect("a manifest")
}

const DECIDED: &str = "metric = \"evaluations\"\nbaseline = \"small\"\nmargin = { points = 2, ratio = 1.5 }";

#[test]
fn what_is_decided_before_is_followed_and_options_that_depart_from_it_are_said() {
    let folder = experiment(2, DECIDED);
    let plan = printed(&folder, &["plan", "test.toml"]);
    assert!(plan.contains("analysis: baseline small; margin points 2, ratio 1.5; metric evaluations"), "{plan}");
    assert!(plan.contains("(Holm, 2 comparisons)"), "two with the baseline, not three pairs: {plan}");
    run(&folder);
    let compared = printed(&folder, &["compare", "results/test"]);
    assert!(compared.contains("median evaluations to solve") && compared.contains("is corrected for 2 comparisons"));
    let decided = "These parts of the analysis were decided before the first run: baseline small; margin points 2, ratio 1.5; metric evaluations.";
    assert!(
        compared.contains(decided)
            && !compared.contains("the analysis were decided after")
            && !compared.contains("This request changes these parts of the analysis")
    );

    let (output, told) = folder.outputs(0, &["compare", "results/test", "--metric", "solved", "--baseline", "large"]);
    assert_eq!(told, "note: this analysis differs from `[analysis]` of the experiment: metric and comparisons\n");
    assert!(
        output.contains("solved (95 %)")
            && output.contains("This request changes these parts of the analysis: metric and comparisons.")
    );
    let (_, told) = folder.outputs(0, &["compare", "results/test", "--metric", "evaluations", "--baseline", "small"]);
    assert_eq!(told, "", "the same as decided");
    let (_, told) = folder.outputs(0, &["table", "results/test"]);
    assert_eq!(
        told, "note: this analysis differs from `[analysis]` of the experiment: metric\n",
        "a table shows no medians"
    );

    folder.outputs(0, &["report", "results/test"]);
    assert!(folder.read("results/test/report.html").contains(decided));
}

#[test]
fn a_declared_confidence_is_used_and_named_wherever_differences_are_told() {
    let folder = experiment(2, "confidence = 0.99");
    let plan = printed(&folder, &["plan", "test.toml"]);
    assert!(plan.contains("A test at p < 0.01 finds") && plan.contains("analysis: confidence 0.99"), "{plan}");
    run(&folder);
    let compared = printed(&folder, &["compare", "results/test"]);
    assert!(compared.contains(" 99 % like ") && compared.contains("Nemenyi, 1 %"), "{compared}");
    let said = "The experiment sets a confidence of 99 % for intervals of differences. A difference counts as found if p < 0.01.";
    assert!(compared.contains(said), "{compared}");
    assert!(compared.contains("solved (95 %)"), "figures of one configuration keep their interval: {compared}");
    assert!(!compared.contains("p < 0.05"), "{compared}");
    let (csv, _) = folder.outputs(0, &["compare", "results/test", "--format", "csv"]);
    assert!(csv.contains(",these 99 % low,") && !csv.contains("95 %"), "{csv}");
    folder.outputs(0, &["report", "results/test"]);
    assert!(folder.read("results/test/report.html").contains("\"confidence\":\"99 %\""));
}

#[test]
fn what_is_changed_after_the_first_run_is_told_from_what_was_decided_before() {
    let folder = experiment(2, DECIDED);
    run(&folder);
    let runs = folder.read("results/test/runs.csv");
    write(&folder, 2, "metric = \"evaluations\"\nbaseline = \"large\"");
    run(&folder);
    assert_eq!(folder.read("results/test/runs.csv"), runs, "no run depends on it");
    let manifest = manifest(&folder);
    assert_eq!(manifest["experiment"]["analysis"]["baseline"], "large");
    assert_eq!(manifest["sessions"][0]["plan"]["analysis"]["baseline"], "small");
    let compared = printed(&folder, &["compare", "results/test"]);
    assert!(compared.contains("the analysis were decided before the first run: metric evaluations. "), "{compared}");
    let after = "baseline large (before: small); margin not decided (before: points 2, ratio 1.5)";
    assert!(
        compared.contains(&format!("These parts of the analysis were decided after the first run: {after}.")),
        "{compared}"
    );
    let verified = printed(&folder, &["verify", "results/test"]);
    assert!(verified.contains(&format!("`analysis` was changed after the first run: {after}")), "{verified}");
    assert!(verified.contains("nothing is wrong"));
}

#[test]
fn planned_looks_hold_p_values_and_others_are_said() {
    let folder = experiment(1, "looks = [2, 4]\ncomparisons = [[\"large\", \"small\"]]");
    let (_, told) = folder.outputs(0, &["run", "test.toml"]);
    let planned = "in `[analysis]`, looks are planned after 2, 4 repetitions, but the experiment now has 1\n";
    assert!(told.replace("\n  ", " ").contains(planned), "{told}");
    let compared = printed(&folder, &["compare", "results/test"]);
    assert!(compared.contains("Unplanned look, at repetition 1 (looks are planned at 2, 4): "), "{compared}");
    assert!(!compared.contains("middle"), "one pair alone is compared: {compared}");
    for (repetitions, look) in
        [(2, "Planned look 1 of 2, at repetition 2 of 4: "), (4, "Planned look 2 of 2, at repetition 4 of 4: ")]
    {
        write(&folder, repetitions, "looks = [2, 4]\ncomparisons = [[\"large\", \"small\"]]");
        run(&folder);
        let compared = printed(&folder, &["compare", "results/test"]);
        assert!(compared.contains(look), "{compared}");
    }
    let compared = printed(&folder, &["compare", "results/test"]);
    let said = "Results were visible after 24 runs, before all 96 runs were finished. If you stop at the first";
    assert!(compared.contains(said), "the look after one repetition was not planned: {compared}");
    folder.outputs(0, &["verify", "results/test"]);
}

#[test]
fn a_plan_that_cannot_be_followed_is_refused_in_a_manifest_too() {
    let folder = experiment(2, "looks = [2, 4]");
    run(&folder);
    folder.change("results/test/manifest.json", |text| {
        text.replacen("\"looks\": [\n        2,", "\"looks\": [\n        9,", 1)
    });
    for command in ["compare", "verify", "merge"] {
        let (_, told) = folder.outputs(1, &[command, "results/test"]);
        assert!(
            told.contains(
                "the planned look after 4 repetitions is too early, because the previous look is after 9 repetitions"
            ),
            "{command}: {told}"
        );
    }
}

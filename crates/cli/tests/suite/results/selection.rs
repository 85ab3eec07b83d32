//! Which runs count: `--where`, `--by`, several results and several targets at once, and the answer that ends a run of several settings.

use crate::test_folder::TestFolder;

/// A folder with flow shops, and an experiment in which two settings of a search vary.
fn grid() -> TestFolder {
    let folder = TestFolder::empty();
    folder.outputs(0, &["init", "flow", "--problem", "flowshop"]);
    folder.change("flow.toml", |text| {
        let (start, _) = text.split_once("[algorithms.").expect("an algorithm");
        format!(
            "{start}[algorithms.ig]\nkind = \"iterated-greedy\"\nstart = \"neh\"\n\n[algorithms.ig.grid]\nremoved = [2, 4, 6]\ntemperature = [0, 0.4]\n\n[budget]\nevaluations = 400\n"
        )
    });
    folder
}

fn run(folder: &TestFolder, out: &str, sets: &[&str]) -> String {
    let mut arguments = vec!["run", "flow.toml", "--out", out];
    ["experiment.repetitions=2"].iter().chain(sets).for_each(|set| arguments.extend(["--set", set]));
    folder.outputs(0, &arguments).0
}

#[test]
fn a_run_of_two_settings_ends_with_their_effects_and_the_command_says_the_same() {
    let folder = grid();
    let printed = run(&folder, "o", &[]);
    let effects = folder.outputs(0, &["effects", "o"]).0;
    let (told, _) = effects.split_once("Intervals (95 %)").expect("a note");
    assert!(printed.contains(told), "{printed}\n{effects}");
    assert!(told.contains("removed  temperature  ") && told.contains("explains "), "{told}");
    assert!(effects.lines().all(|line| line.chars().count() <= 80), "{effects}");
    assert_eq!(effects, folder.outputs(0, &["effects", "o"]).0, "the same bytes");
    let one = run(&folder, "one", &["algorithms.ig.temperature=0.4"]);
    assert!(!one.contains("explains"), "one setting has a table: {one}");
}

#[test]
fn conditions_select_the_same_runs_in_every_command() {
    let folder = grid();
    run(&folder, "o", &[]);
    let chosen = ["--where", "removed=2,4", "--where", "temperature<0.1", "--where", "n>=1"];
    let shown = |words: &[&str]| folder.outputs(0, &[words, &chosen].concat());
    for command in ["table", "compare", "effects"] {
        let (text, _) = shown(&[command, "o"]);
        let said = text.replace('\n', " ").contains("Only runs with removed=2,4 and temperature<0.1 and n>=1.");
        assert!(said && !text.contains("removed = 6"), "{command}: {text}");
    }
    let csv = shown(&["table", "o", "--format", "csv"]).0;
    assert_eq!(csv.lines().filter(|line| line.contains(",all,")).count(), 2, "{csv}");
    shown(&["report", "o", "--out", "page.html"]);
    assert!(folder.read("page.html").contains("Only runs with removed=2,4"));
    let (_, notes) = shown(&["plot", "o", "--chart", "gap", "--out", "charts", "--format", "vega"]);
    assert!(notes.contains("Only runs with removed=2,4") && !notes.contains("Incomplete"), "{notes}");
}

#[test]
fn what_is_averaged_over_is_said_and_several_results_stand_beside_each_other() {
    let folder = grid();
    run(&folder, "o", &[]);
    run(&folder, "other", &["budget.evaluations=800"]);
    let by = folder.outputs(0, &["table", "o", "--by", "removed"]).0.replace('\n', " ");
    assert!(
        by.contains("Runs are averaged over temperature: all groups have equal numbers of runs for each combination of these values."),
        "{by}"
    );
    let both = folder.outputs(0, &["table", "o", "other", "--rows", "removed", "--columns", "results"]).0;
    assert!(
        both.lines().any(|line| line.starts_with("removed") && line.contains(" o ") && line.ends_with("other")),
        "{both}"
    );
    let targets = folder
        .outputs(
            0,
            &[
                "table",
                "o",
                "--target",
                "best=1",
                "--target",
                "best=5",
                "--rows",
                "target",
                "--columns",
                "removed",
                "--metric",
                "evaluations",
                "--show",
                "ert",
            ],
        )
        .0;
    assert!(targets.contains("\nbest 1 %") && targets.contains("\nbest 5 %"), "{targets}");
    // Of an instance with another content nothing can be said together.
    let manifest = folder.read("other/manifest.json");
    let id = manifest.split("\"content\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a content");
    folder.write("other/manifest.json", manifest.replacen(id, &id.replacen('1', "2", 1), 1));
    let refused = folder.refused(2, &["table", "o", "other"]);
    assert!(refused.contains("is the name of different instances in o and other"), "{refused}");
}

#[test]
fn what_cannot_be_selected_is_refused() {
    let folder = grid();
    run(&folder, "o", &[]);
    let refused: Vec<String> = [
        &["table", "o", "--where", "removd=2"][..],
        &["compare", "o", "--where", "removed=3"],
        &["effects", "o", "--where", "removed"],
        &["table", "o", "--metric", "gap", "--metric", "objective"],
        &["table", "o", "--rows", "bucket", "--sort", "best"],
        &["table", "o", "--sort", "wall"],
        &["plot", "o", "o"],
        &["effects", "o", "--top", "3"],
    ]
    .into_iter()
    .map(|arguments| format!("{}\n{}", arguments.join(" "), folder.refused(2, arguments)))
    .collect();
    insta::assert_snapshot!(refused.join("\n"));
}

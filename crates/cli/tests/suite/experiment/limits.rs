//! Limits: a preset's can be taken back, and where those of the algorithms differ every command says so.

use crate::test_folder::TestFolder;

const HEAD: &str = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n\n[[instances]]\nproblem = \"sudoku\"\n\
                    path = \"boards.csv\"\nids = [\"easy-01\"]\n\n[algorithms.huke]\npreset = \"huke\"\n\n";

/// Two presets, of which the second has fewer limits of its own.
fn two_presets(budget: &str) -> TestFolder {
    let folder = TestFolder::new("[20]", 1);
    folder.write("test.toml", format!("{HEAD}[algorithms.cervigon]\npreset = \"cervigon\"\n\n[budget]\n{budget}\n"));
    folder
}

#[test]
fn every_command_says_where_limits_differ() {
    let folder = two_presets("evaluations = 2000");
    for command in ["check", "plan", "run"] {
        let (_, messages) = folder.outputs(0, &[command, "test.toml"]);
        assert!(messages.lines().all(|line| line.chars().count() <= 80), "{messages}");
        let joined = messages.replace("\n  ", " ");
        assert!(
            joined.starts_with("note: the algorithms have different limits: huke: evaluations 2000,"),
            "{messages}"
        );
        assert!(joined.contains("stagnation 25, no restarts; cervigon: evaluations 2000"), "{joined}");
    }
}

#[test]
fn every_command_says_where_equal_generations_are_unequal_work() {
    let folder = TestFolder::new("[10, 20]", 1);
    let said = "the configurations have the same number of generations (1000), but populations of 10, 20 need \
                different numbers of evaluations.";
    for command in ["check", "plan", "run"] {
        let (_, messages) = folder.outputs(0, &[command, "test.toml"]);
        assert!(messages.replace("\n  ", " ").starts_with(&format!("note: {said} ")), "{command}: {messages}");
    }
    for command in ["table", "compare"] {
        let (printed, _) = folder.outputs(0, &[command, "results/test"]);
        assert!(printed.replace('\n', " ").contains(&said.replacen('t', "T", 1)), "{command}: {printed}");
    }
    folder.outputs(0, &["report", "results/test"]);
    assert!(folder.read("results/test/report.html").contains(&said.replacen('t', "T", 1)));
    let equal = ["--set", "budget.evaluations=500"];
    assert_eq!(folder.outputs(0, &[&["check", "test.toml"][..], &equal].concat()).1, "");
}

#[test]
fn a_limit_of_none_takes_a_presets_back_in_the_file_and_on_the_command_line() {
    let same = "evaluations = 2000\nstagnation = \"none\"\ngenerations = \"none\"\nrestarts = \"none\"";
    let folder = two_presets(same);
    let (_, messages) = folder.outputs(0, &["check", "test.toml"]);
    assert_eq!(messages, "");
    folder.run(&[]);
    let manifest = folder.read("results/test/manifest.json");
    assert!(!manifest.contains("\"budget.stagnation\""), "{manifest}");
    let ids = folder.column("results/test", "run_id");

    let folder = two_presets("evaluations = 2000");
    let sets = ["stagnation", "generations", "restarts"].map(|limit| format!("budget.{limit}=none"));
    let arguments: Vec<&str> = sets.iter().flat_map(|set| ["--set", set.as_str()]).collect();
    assert!(!folder.run(&arguments).contains("note:"), "the limits are the same");
    assert_eq!(folder.column("results/test", "run_id"), ids);
}

#[test]
fn none_is_a_point_of_a_grid_and_no_combination_goes_without_a_limit() {
    let folder = two_presets("evaluations = 500");
    let grid = "[algorithms.huke.grid]\nbudget.stagnation = [5, \"none\"]\n";
    folder.write("test.toml", format!("{HEAD}{grid}[budget]\nevaluations = 500\n"));
    folder.run(&[]);
    assert_eq!(folder.column("results/test", "budget.stagnation"), ["5", "none"]);
    folder.outputs(0, &["verify", "results/test"]);

    let grid = "[algorithms.huke.grid]\nbudget.stagnation = [5, \"none\"]\nbudget.generations = [5, \"none\"]\n";
    folder.write("test.toml", format!("{HEAD}{grid}"));
    assert!(folder.refused(2, &["run", "test.toml"]).contains("the search has no limit"));
}

#[test]
fn check_says_where_more_elements_are_removed_than_there_are() {
    let folder = TestFolder::empty();
    let instances = "[[instances]]\nproblem = \"flowshop\"\ngenerate = { set = \"taillard\", ids = [\"ta001\"] }\n";
    let algorithm = "[algorithms.greedy]\nkind = \"iterated-greedy\"\ngrid.removed = [4, 20, 30, 50]\n";
    let head = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n";
    folder.write("test.toml", format!("{head}{instances}{algorithm}[budget]\nevaluations = 5000\n"));
    let (_, messages) = folder.outputs(0, &["check", "test.toml"]);
    let said = |removed: u32| {
        format!(
            "note: `removed = {removed}` of `greedy` exceeds the 20 elements of ta001: the search uses `removed = 20`\n"
        )
    };
    assert_eq!(messages.replace("\n  ", " "), said(30) + &said(50));
}

#[test]
fn check_says_that_tabu_search_without_forced_moves_may_cycle() {
    let folder = TestFolder::new("[20]", 1);
    let (head, _) = HEAD.split_once("[algorithms.huke]").expect("it is there");
    let check = |settings: &str| {
        folder.write(
            "test.toml",
            format!("{head}[algorithms.plain]\nkind = \"tabu\"\n{settings}[budget]\nevaluations = 5000\n"),
        );
        folder.outputs(0, &["check", "test.toml"]).1
    };
    insta::assert_snapshot!(check(""), @"
    note: `plain` has no value for `forced_after`. On structured instances, the
      search may return to the same local optimum for ever; `forced_after = 5`
      prevents this
    ");
    assert_eq!(check("forced_after = 5\n"), "");
}

#[test]
fn check_says_where_restarts_never_come() {
    let folder = TestFolder::new("[20]", 1);
    let (head, _) = HEAD.split_once("[algorithms.huke]").expect("it is there");
    let check = |more: &str, limits: &str| {
        let algorithms = "[algorithms.walk]\nkind = \"tabu\"\nforced_after = 5\n\n[algorithms.ils]\nkind = \
                          \"iterated-local-search\"\n\n";
        folder.write(
            "test.toml",
            format!("{head}{algorithms}{more}[budget]\nevaluations = 5000\nrestarts = 10\n{limits}"),
        );
        folder.outputs(0, &["check", "test.toml"]).1
    };
    insta::assert_snapshot!(check("", ""), @"
    note: `restarts` has no effect on `walk` and `ils`: only `generations` or
      `stagnation` end a trial, and the budget sets neither
    ");
    assert_eq!(check("", "stagnation = 50\n"), "");
    assert_eq!(check("[algorithms.climb]\nkind = \"hill-climbing\"\n\n", ""), "");
}

#[test]
fn every_command_says_where_evaluations_end_within_the_first_generation() {
    let folder = TestFolder::new("[20]", 1);
    let (head, _) = HEAD.split_once("[algorithms.huke]").expect("it is there");
    let algorithms = [
        ("tabu", "forced_after = 5\n", 50, 500),
        ("genetic", "preset = \"huke\"\n", 999, 3000),
        ("annealing", "sample = 300\nchain = 10\n", 200, 400),
    ];
    for (kind, settings, few, enough) in algorithms {
        let kind = if settings.starts_with("preset") { String::new() } else { format!("kind = \"{kind}\"\n") };
        let write = |limit: u32| {
            folder.write("test.toml", format!("{head}[algorithms.a]\n{kind}{settings}budget.evaluations = {limit}\n"));
        };
        write(few);
        for command in ["check", "plan", "run"] {
            let (_, messages) = folder.outputs(0, &[command, "test.toml"]);
            let said = format!("warning: the first generation of `a` on easy-01 already uses all {few} evaluations");
            assert!(messages.replace("\n  ", " ").starts_with(&said), "{command}: {messages}");
        }
        write(enough);
        assert_eq!(folder.outputs(0, &["check", "test.toml"]).1, "");
    }
}

#[test]
fn a_limit_of_many_seconds_may_have_been_meant_in_milliseconds() {
    let folder = TestFolder::new("[20]", 1);
    for (limit, said) in [
        ("seconds=60000", "60000 s (16.7 h)"),
        ("cpu_seconds=1000", "1000 s (17 min)"),
        ("seconds={ per = \"n\", times = 1000 }", "9000 s (2.5 h)"),
        ("seconds=900", ""),
    ] {
        let (_, messages) = folder.outputs(0, &["check", "test.toml", "--set", &format!("budget.{limit}")]);
        let note =
            format!("note: a run of `huke` may take {said} on easy-01: check the time limit (its unit is seconds)\n");
        let told = messages.replace("\n  ", " ");
        assert!(if said.is_empty() { told.is_empty() } else { told.contains(&note) }, "{limit}: {messages}");
    }
}

// To Windows a name of dots alone is that of a folder.
#[cfg(unix)]
#[test]
fn every_command_says_where_a_preset_is_for_another_family() {
    let folder = TestFolder::new("[20]", 1);
    let (head, _) = HEAD.split_once("[algorithms.huke]").expect("it is there");
    let algorithm = "[algorithms.a]\npreset = \"robust-tabu\"\nbudget.evaluations = 1000\n";
    folder.write("test.toml", format!("{head}{algorithm}"));
    let said = "note: the preset `robust-tabu` was published only for `qap`, not for `sudoku`\n";
    for command in ["check", "plan", "run"] {
        let (_, messages) = folder.outputs(0, &[command, "test.toml"]);
        assert!(messages.replace("\n  ", " ").starts_with(said), "{command}: {messages}");
    }
    let solve = ["solve", &".".repeat(81), "--algorithm", "robust-tabu", "--set", "budget.evaluations=1000"];
    let (_, _, messages) = folder.report(&solve);
    assert!(messages.replace("\n  ", " ").contains(said), "{messages}");
    let solve = [&solve[..3], &["ruiz-stuetzle"]].concat();
    let (_, _, messages) = folder.report(&solve);
    assert!(
        messages.contains("error: the preset `ruiz-stuetzle` was published for `flowshop`; its settings"),
        "{messages}"
    );
    let solve = [
        &solve[..3],
        &["annealing", "--set", "cooling=constant", "--set", "factor=0.9", "--set", "budget.evaluations=9"],
    ]
    .concat();
    let (_, _, messages) = folder.report(&solve);
    assert!(messages.contains("`factor` has an effect only if `cooling` is `geometric`"), "{messages}");
}

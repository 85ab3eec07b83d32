//! `runner tune`: the same race at any number of threads, after any interruption, in shards, and with more runs later.

use crate::test_folder::TestFolder;

/// A tuning of a search on generated flow shops, with runs of a millisecond.
fn tuning() -> TestFolder {
    let folder = TestFolder::empty();
    let experiment = r#"
        [experiment]
        name = "shops"
        seed = 3
        repetitions = 2
        [[instances]]
        problem = "flowshop"
        generate = { n = 30, m = 10, count = 4, seed = 1 }
        [[instances]]
        problem = "flowshop"
        generate = { n = 30, m = 5, count = 3, seed = 2 }
        role = "test"
        [algorithms.greedy]
        kind = "iterated-greedy"
        removed = 15
        start = "random"
        [algorithms.greedy.budget]
        evaluations = 2000
        [algorithms.greedy.space]
        removed = { from = 1, to = 15 }
        temperature = { from = 0.01, to = 2.0, scale = "log" }
        start = ["family", "random"]
        [tune]
        budget = 200
        metric = "objective"
        path = 4
    "#;
    folder.write("shops.toml", experiment);
    folder
}

/// Carries out the tuning to its good end, and returns what was written to standard error.
fn tune(folder: &TestFolder, arguments: &[&str]) -> String {
    folder.outputs(0, &[&["tune", "shops.toml"], arguments].concat()).1
}

/// What a tuning decided, and its runs without their times.
fn decided(folder: &TestFolder, out: &str) -> [String; 4] {
    let [race, winner, path] = ["race.csv", "winner.toml", "path.csv"].map(|name| folder.read(format!("{out}/{name}")));
    [race, winner, path, folder.rows(out)]
}

#[test]
fn a_race_is_the_same_at_any_number_of_threads_and_with_its_runs_in_two_parts() {
    let folder = tuning();
    tune(&folder, &["--jobs", "1", "--out", "one"]);
    let race = folder.read("one/race.csv");
    assert!(race.lines().count() > 24 && race.contains(",winner,") && race.contains(",set aside,"), "{race}");
    tune(&folder, &["--jobs", "2", "--out", "two"]);
    assert_eq!(decided(&folder, "one"), decided(&folder, "two"));
    tune(&folder, &["--out", "longer", "--set", "tune.budget=90"]);
    assert_ne!(decided(&folder, "one")[0], decided(&folder, "longer")[0]);
    tune(&folder, &["--out", "longer"]);
    assert_eq!(decided(&folder, "one"), decided(&folder, "longer"), "a longer race begins with the shorter one");
    let again = tune(&folder, &["--out", "two"]);
    assert!(again.contains("0 runs done"), "{again}");
    assert_eq!(decided(&folder, "one"), decided(&folder, "two"));
}

#[test]
fn a_race_that_is_killed_goes_on_where_it_stopped() {
    let folder = tuning();
    let slower = ["--set", "algorithms.greedy.budget.evaluations=20000"];
    let arguments = |out| [&["--out", out][..], &slower].concat();
    tune(&folder, &arguments("whole"));
    for _ in 0..4 {
        let n_lines = folder.journal_lines("killed") + 30;
        let mut child =
            folder.start_until("killed", n_lines, &[&["tune", "shops.toml"], &arguments("killed")[..]].concat());
        child.kill().expect("it can be killed");
        child.wait().expect("it is waited for");
    }
    assert!(!folder.path("killed/race.csv").exists(), "it did not end before");
    let (live, _) = folder.outputs(0, &["live", "killed", "--once"]);
    assert!(live.contains("runner tune shops.toml"), "{live}");
    tune(&folder, &arguments("killed"));
    assert_eq!(decided(&folder, "whole"), decided(&folder, "killed"));
}

#[test]
fn shards_do_a_race_block_by_block_and_folders_are_merged_between_decisions() {
    let folder = tuning();
    tune(&folder, &["--out", "whole"]);
    // In one folder.
    let call = |shard: &str, out: &str| tune(&folder, &["--out", out, "--shard", shard]);
    let mut n_calls = 0;
    while !(call("1/2", "shared") + &call("2/2", "shared")).contains("the race is over") {
        n_calls += 1;
        assert!(n_calls < 200);
    }
    assert!(n_calls > 5);
    tune(&folder, &["--out", "shared"]);
    assert_eq!(decided(&folder, "whole"), decided(&folder, "shared"));
    // In folders of their own, merged after the first block.
    call("1/2", "first");
    call("2/2", "second");
    folder.outputs(0, &["merge", "first", "second", "--out", "merged"]);
    assert_eq!(folder.rows("merged").lines().count(), 1 + 24);
    tune(&folder, &["--out", "merged"]);
    assert_eq!(decided(&folder, "whole"), decided(&folder, "merged"));
}

#[test]
fn what_a_race_leaves_is_a_results_folder_for_every_command() {
    let folder = tuning();
    let (printed, _) = folder.outputs(0, &["tune", "shops.toml"]);
    for said in [
        "The race used the metric objective,",
        "Dropped because other",
        "greedy-tuned",
        "path from the default configuration",
    ] {
        assert!(printed.contains(said), "`{said}` in\n{printed}");
    }
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let results = "results/shops-tune";
    let commands = [
        &["verify", results, "--sample", "3"][..],
        &["table", results],
        &["compare", "results/shops-tune/test"],
        &["replay", results, "7"],
        &["plot", results, "--chart", "race"],
        &["report", results],
    ];
    for words in commands {
        folder.outputs(0, words);
    }
    let page = folder.read("results/shops-tune/report.html");
    assert!(
        page.contains("\"test\":\"runner report results/shops-tune/test\""),
        "the page names the command of the test"
    );
    let (table, _) = folder.outputs(0, &["table", results]);
    assert!(table.contains("These are the runs of a race"), "{table}");
    let (live, _) = folder.outputs(0, &["live", results, "--once"]);
    assert!(live.contains("100 %"), "{live}");
    let winner: toml::Table = folder.read("results/shops-tune/winner.toml").parse().expect("TOML");
    let table = winner["algorithms"].as_table().expect("a table").values().next().expect("an algorithm");
    assert_eq!(table["kind"].as_str(), Some("iterated-greedy"));
}

// Programs are scripts.
#[cfg(unix)]
#[test]
fn a_failing_configuration_is_dropped_and_the_race_goes_on() {
    let folder = tuning();
    folder.script("search.py", "import sys\nif float(sys.argv[1]) > 0.5: sys.exit(3)\nprint('{\"stop\": \"exhausted\", \"best_fitness\": %f}' % -float(sys.argv[1]))");
    folder.change("shops.toml", |text| {
        let (before, _) = text.split_once("[algorithms.greedy]").expect("an algorithm");
        format!(
            "{before}\n[algorithms.own]\nkind = \"external\"\nversion = \"1\"\n\
             command = \"python3 search.py {{rate}} {{instance}}\"\nparameters = {{ rate = 0.2 }}\n\
             [algorithms.own.space]\n\"parameters.rate\" = {{ from = 0.0, to = 1.0 }}\n\
             [tune]\nbudget = 120\nmetric = \"best_fitness\"\n"
        )
    });
    tune(&folder, &[]);
    let race = folder.read("results/shops-tune/race.csv");
    let failed: Vec<&str> = race.lines().skip(1).filter(|line| line.split(',').nth(8) != Some("0")).collect();
    assert!(!failed.is_empty() && failed.iter().all(|line| !line.contains(",winner,")), "{race}");
}

#[test]
fn a_longer_race_leaves_no_winner_of_the_shorter_one_until_it_has_ended() {
    let folder = tuning();
    tune(&folder, &["--out", "longer", "--set", "tune.budget=90"]);
    let slower = ["--set", "algorithms.greedy.budget.evaluations=30000"];
    let again = [&["tune", "shops.toml", "--out", "longer"][..], &slower].concat();
    let mut child = folder.start_until("longer", folder.journal_lines("longer") + 10, &again);
    child.kill().expect("it can be killed");
    child.wait().expect("it is waited for");
    for name in ["race.csv", "winner.toml", "path.csv"] {
        assert!(!folder.path(format!("longer/{name}")).exists(), "{name}");
    }
}

#[test]
fn a_space_of_few_configurations_is_raced_until_one_is_left_or_the_budget_is_used_up() {
    let folder = tuning();
    folder.change("shops.toml", |text| {
        let (before, rest) = text.split_once("[algorithms.greedy.space]").expect("a space");
        let (_, after) = rest.split_once("[tune]").expect("a tuning");
        format!("{before}[algorithms.greedy.space]\nremoved = [2, 15]\n[tune]{after}")
    });
    tune(&folder, &["--quiet"]);
    let race = folder.read("results/shops-tune/race.csv");
    assert_eq!(race.lines().count(), 1 + 2, "{race}");
}

#[test]
fn a_budget_below_the_first_block_and_a_tuning_without_training_are_refused() {
    let folder = tuning();
    insta::assert_snapshot!(folder.refused(2, &["tune", "shops.toml", "--set", "tune.budget=20"]), @r"
    error: a budget of 20 runs is too small: the first part of the race needs 24 runs
      raise `tune.budget`: before the first decision, each candidate does one run in
      each block
    ");
    folder.change("shops.toml", |text| text.replace("seed = 1 }", "seed = 1 }\nrole = \"test\""));
    let told = folder.refused(2, &["tune", "shops.toml"]);
    assert!(told.contains("all instances have the role `test`"), "{told}");
    assert!(!folder.path("results").exists());
}

#[test]
fn what_is_not_a_tuning_is_refused() {
    let folder = tuning();
    folder.change("shops.toml", |text| text.split("[tune]").next().expect("a part").to_owned());
    insta::assert_snapshot!(folder.refused(2, &["tune", "shops.toml"]), @r"
    error: shops.toml has no table `[tune]`
      add `[tune]` with the number of runs, for example `budget = 1000`; in `[algorithms.NAME.space]`,
      write the settings that may vary
    ");
}

//! A results folder watched: while a process fills it, after that was killed, of shards, with torn lines and names that want to be more.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout};

#[cfg(unix)]
use crate::test_folder::send;
use crate::test_folder::{TestFolder, report_at_end};

/// What one look says.
fn look(folder: &TestFolder, results: &[&str]) -> String {
    folder.outputs(0, &[&["live", "--once"], results].concat()).0
}

/// An experiment of runs that do not end: random search on boards that it does not solve.
#[cfg(target_os = "linux")]
fn endless(folder: &TestFolder) {
    folder.change("test.toml", |text| {
        let (head, _) = text.split_once("[algorithms").expect("there are algorithms");
        format!("{head}[algorithms.quick]\nkind = \"random-search\"\nbudget.evaluations = 1\n\n[algorithms.slow]\nkind = \"random-search\"\nbudget.evaluations=1000000000000\n")
    });
}

/// `runner live` with its output.
struct Watching(Child, Lines<BufReader<ChildStdout>>);

impl Watching {
    fn start(folder: &TestFolder, arguments: &[&str]) -> Self {
        let mut child = folder.start(&[&["live", "--every", "1"], arguments].concat());
        let output = child.stdout.take().expect("it is piped");
        Self(child, BufReader::new(output).lines())
    }

    /// Waits for a line that has some text.
    fn wait_for(&mut self, text: &str) {
        let mut seen = String::new();
        while !seen.contains(text) {
            let line = self.1.next().unwrap_or_else(|| panic!("`{text}` never came: {seen}"));
            seen += &(line.expect("text") + "\n");
        }
    }
}

/// The timing that differs from run to run, left out.
fn settled(text: &str) -> String {
    let settled = text.lines().map(|line| match line.split_once(" (as of 20") {
        Some((name, _)) => format!("{name} (as of TIME)"),
        None => line.to_owned(),
    });
    settled.map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn what_is_finished_is_said_and_ends_the_watch() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "done"]);
    let (shown, _) = folder.outputs(0, &["live", "done", "--html", "page.html"]);
    insta::assert_snapshot!(settled(&shown), @"
    test: finished (as of TIME)
    [########################################] 48 of 48 runs (100 %)
    all runs are finished
    ##### huke, population = 20: 24 of 24
    ##### huke, population = 60: 24 of 24
    complete configurations, solved (the 95 % interval holds only for these
    instances; the table shows a wider interval):
      huke, population = 60: 41.7 % (24 to 62)
      huke, population = 20: 25 % (11 to 45)
    Best of 2 configurations by success rate in these runs: huke, population = 60
    with 41.7 %. Holdout value: 33.6 %. In each split, the configuration is chosen
    on one half of the instances and measured on the other half. The holdout value
    is the mean of the values from 35 splits.
    note: the configurations have the same number of generations (1000), but
    populations of 20, 60 need different numbers of evaluations.
    ");
    let page = folder.read("page.html");
    assert!(page.contains(">finished</span>") && !page.contains("http-equiv=\"refresh\""), "{page}");
    // It is the same everywhere.
    let figure = "Best of 2 configurations by success rate in these runs: huke, population = 60 with 41.7 %. Holdout value: 33.6 %. ";
    folder.outputs(0, &["report", "done", "--out", "report.html"]);
    let others = ["table", "compare"].map(|command| folder.outputs(0, &[command, "done"]).0.replace('\n', " "));
    for text in others.iter().chain(&[page]) {
        assert!(text.contains(figure), "{text}");
    }
    assert!(folder.read("report.html").contains("measured on the other half, the result is: solved 33.6 %."));
}

// Elsewhere a process that was killed counts as alive for five minutes.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_killed_is_missed_while_it_is_watched() {
    let folder = TestFolder::new("[20]", 1);
    endless(&folder);
    let mut runner = folder.start_until("out", 1, &["run", "test.toml", "--out", "out", "--jobs", "1"]);
    let mut live = Watching::start(&folder, &["out", "--html", "page.html"]);
    live.wait_for("1 of 16 runs (6 %), 1 running");
    let page = folder.read("page.html");
    assert!(page.contains(">running</span>") && page.contains("0 of 8, 1 running"), "{page}");
    assert!(page.contains("<meta http-equiv=\"refresh\" content=\"2\">"), "{page}");
    runner.kill().expect("it can be killed");
    runner.wait().expect("it is waited for");
    live.wait_for(" died: 1 of 16 runs");
    live.wait_for("the process was killed or died, and 15 runs are still to do");
    live.wait_for("continue with: runner run test.toml --out out");
    assert!(folder.read("page.html").contains(">died</span>"));

    send("INT", &live.0);
    assert_eq!(report_at_end(live.0).0, Some(130));
    let page = folder.read("page.html");
    assert!(page.contains("not watched") && !page.contains("http-equiv=\"refresh\""), "{page}");

    // Another process goes on where the killed one was.
    let shorter = ["run", "test.toml", "--out", "out", "--set", "algorithms.slow.budget.evaluations=1"];
    folder.outputs(0, &[&shorter[..], &["--overwrite"]].concat());
    assert!(look(&folder, &["out"]).starts_with("test: finished"));
}

// It sends a signal.
#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_ends_the_watch_unless_there_is_a_page() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "out"]);
    let journal = folder.journals("out").remove(0);
    let text = folder.read(&journal);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let cut_to = |n_lines: usize| folder.write(&journal, lines[..n_lines].concat());
    for page in [None, Some("page.html")] {
        cut_to(lines.len() - 3);
        let options: Vec<&str> = page.iter().flat_map(|page| ["--html", page]).collect();
        let mut watching = Watching::start(&folder, &[&["out"], &options[..]].concat());
        watching.wait_for("5 of 8 runs");
        let Watching(mut live, output) = watching;
        drop(output);
        cut_to(lines.len() - 2);
        let Some(page) = page else {
            assert_eq!(report_at_end(live), (Some(0), String::new(), String::new()));
            continue;
        };
        // The second count comes after the first write that failed.
        for n_left in [2, 1] {
            cut_to(lines.len() - n_left);
            while !folder.read(page).contains(&format!("{} of 8 runs", 8 - n_left)) {
                assert_eq!(live.try_wait().expect("its state is known"), None, "it goes on");
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        send("INT", &live);
        assert_eq!(report_at_end(live).0, Some(130));
    }
}

#[test]
fn shards_are_counted_together_wherever_they_are() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "one", "--shard", "1/3"]);
    folder.run(&["--out", "two", "--shard", "2/3"]);
    let shown = look(&folder, &["one", "two"]);
    assert!(shown.contains("32 of 48 runs (66 %)") && shown.contains("test: stopped"), "{shown}");
    assert!(shown.contains("no process is active, and 16 runs are still to do"), "{shown}");
    folder.run(&["--out", "two", "--shard", "3/3"]);
    let shown = look(&folder, &["one", "two"]);
    assert!(shown.contains("48 of 48 runs (100 %)") && shown.contains("test: finished"), "{shown}");
    assert!(shown.contains("to write the tables: runner merge one two"), "{shown}");

    folder.write_experiment("[20]", 3);
    folder.run(&["--out", "other"]);
    let told = folder.outputs(2, &["live", "one", "other", "--once"]).1;
    assert!(told.contains("one and other belong to different experiments"), "{told}");
}

#[test]
fn a_torn_line_is_no_run_until_it_is_whole() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "out"]);
    let journal = folder.journals("out").remove(0);
    let text = fs::read(&journal).expect("a journal");
    fs::write(&journal, &text[..text.len() - 20]).expect("it is cut");
    assert!(look(&folder, &["out"]).contains("7 of 8 runs (87 %)"));
    let mut file = OpenOptions::new().append(true).open(&journal).expect("a journal");
    file.write_all(&text[text.len() - 20..]).expect("the rest is written");
    assert!(look(&folder, &["out"]).contains("8 of 8 runs (100 %)"));

    let mut damaged = text;
    damaged[100] ^= 1;
    fs::write(&journal, damaged).expect("it is written");
    let shown = look(&folder, &["out"]);
    assert!(shown.contains("7 of 8 runs") && shown.contains("note: 1 damaged journal line ignored"), "{shown}");
}

// `check` refuses external programs elsewhere.
#[cfg(unix)]
#[test]
fn a_failure_is_shown_with_the_command_that_does_it_again_until_it_has_succeeded() {
    let folder = TestFolder::new("[20]", 1);
    folder.script(
        "program",
        "test -e works && { echo '{\"stop\": \"exhausted\"}'; exit; }\necho \"no \\033[31m<b>luck</b>\" >&2\nexit 3",
    );
    folder.change("test.toml", |text| {
        let (head, _) = text.split_once("[algorithms").expect("there are algorithms");
        format!("{head}[algorithms.\"<i>&\\\"'\"]\nkind = \"external\"\ncommand = \"./program\"\nbudget.seconds = 10\n")
    });
    folder.run_to(1, &["--out", "out"]);
    let (shown, _) = folder.outputs(0, &["live", "out", "--once", "--html", "page.html"]);
    assert!(shown.contains("test: finished, with failures") && shown.contains("8 failed"), "{shown}");
    assert!(!shown.contains('\x1b') && shown.contains("first failure: <i>&\"'"), "{shown}");
    let id =
        shown.split("runner replay out ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a command");
    let command = format!("runner replay out {id} --run-programs");
    assert!(shown.contains(&format!("  {command}\n")), "{shown}");
    folder.outputs(0, &["replay", "out", id, "--run-programs"]);
    let page = folder.read("page.html");
    assert!(!page.contains("<i>&") && !page.contains("<b>luck") && page.contains("&lt;i&gt;&amp;&quot;"), "{page}");
    assert!(page.contains("8 runs failed") && page.contains(&command), "{page}");

    folder.write("works", "");
    folder.run(&["--out", "out"]);
    let shown = look(&folder, &["out"]);
    assert!(shown.contains("8 of 8 runs (100 %)") && !shown.contains("fail"), "those that failed before: {shown}");
}

#[test]
fn configurations_are_known_whatever_stands_for_their_target_and_where_algorithms_have_one_in_common() {
    let folder = TestFolder::empty();
    let gap = |name: &str, gap: u32| {
        format!("[algorithms.{name}]\nkind = \"random-search\"\nbudget = {{ evaluations = 50, target_gap = {gap} }}\n")
    };
    folder.write(
        "test.toml",
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n[[instances]]\nproblem = \"qap\"\n\
         generate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }\n"
            .to_owned()
            + &gap("near", 1)
            + &gap("again", 1)
            + &gap("far", 90),
    );
    folder.run(&["--out", "out"]);
    let shown = look(&folder, &["out"]);
    let counts: Vec<&str> = shown.lines().filter(|line| line.starts_with("##### ")).collect();
    assert_eq!(counts, ["##### near: 4 of 4", "##### again: 4 of 4", "##### far: 4 of 4"], "{shown}");
    assert!(
        shown.contains("far: 100 % (51 to 100)") && shown.contains("note: the algorithms have different limits:"),
        "{shown}"
    );
    assert_eq!(shown.matches("note:").count(), 1, "{shown}");
    // Without a target the table is of gaps, and so is what leads.
    folder.change("test.toml", |text| text.replace(", target_gap = 1 ", " ").replace(", target_gap = 90 ", " "));
    folder.change("test.toml", |text| text.replacen("evaluations = 50", "evaluations = 5", 1));
    folder.run(&["--out", "gaps"]);
    let shown = look(&folder, &["gaps"]);
    assert!(shown.contains("complete configurations, mean gap to the best known values:\n  "), "{shown}");
    let is_place = |line: &&str| line.starts_with("  ") && line.ends_with(" %");
    assert_eq!(shown.lines().filter(is_place).count(), 3, "{shown}");
}

#[test]
fn a_large_grid_of_hostile_names_has_a_small_page() {
    let folder = TestFolder::new("[20]", 1);
    let algorithm = |number: usize| {
        let name = format!("{number}<script>alert(\\\"{}\\\")</script>&", "\\\"".repeat(40));
        format!("[algorithms.\"{name}\"]\nkind = \"random-search\"\nbudget.evaluations = {number}\n")
    };
    folder.change("test.toml", |text| {
        let (head, _) = text.split_once("[algorithms").expect("there are algorithms");
        head.to_owned() + &(1..=900).map(algorithm).collect::<String>()
    });
    folder.run(&["--out", "out", "-q"]);
    // No experiment may have such a name, but a manifest may say anything.
    folder.change("out/manifest.json", |text| text.replace("</script>&", "</script>&\u{202e}"));
    folder.outputs(0, &["live", "out", "--once", "--html", "page.html"]);
    let page = folder.read("page.html");
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert!(page.contains("900 configurations") && page.contains("neighbours form"), "it says what is missing");
    assert_eq!(page.matches("<script>").count(), 1, "its own");
    assert!(!page.contains('\u{202e}'), "nothing turns the text round");
    let shown = look(&folder, &["out"]);
    assert!(!shown.contains('\u{202e}') && shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

// Elsewhere a path in a command is quoted, for its `\`.
#[cfg(unix)]
#[test]
fn a_folder_that_is_none_is_told_so() {
    let folder = TestFolder::new("[20]", 1);
    let told = folder.refused(2, &["live", "none"]);
    assert!(told.contains("none is not a results folder: it has no manifest.json"), "{told}");
    assert!(
        folder
            .refused(2, &["live", "test.toml"])
            .contains("create the results folder results/test with `runner run test.toml`")
    );
    assert!(folder.refused(2, &["live", "none", "--once", "--every", "3"]).contains("cannot be used with"));
    for every in ["x", "0", "3601"] {
        let told = folder.refused(2, &["live", "none", "--every", every]);
        assert!(told.contains("invalid value"), "{told}");
    }
}

#[test]
fn an_experiment_that_grows_and_a_journal_set_aside_are_noticed() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--out", "out"]);
    // One run is missing, so that the watch goes on.
    let journal = folder.journals("out").remove(0);
    let text = fs::read(&journal).expect("a journal");
    let cut = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("several lines") + 1;
    fs::write(&journal, &text[..cut]).expect("it is cut");
    let mut live = Watching::start(&folder, &["out"]);
    live.wait_for("7 of 8 runs");
    folder.write_experiment("[20]", 2);
    folder.run(&["--out", "out"]);
    live.wait_for("finished: 16 of 16 runs (100 %)");
    assert_eq!(report_at_end(live.0).0, Some(0));
}

#[test]
fn what_leads_with_other_limits_is_said_to() {
    let folder = TestFolder::empty();
    folder.outputs(0, &["init", "test"]);
    let [few, set] = ["algorithms.annealing.budget.evaluations=50", "--set"];
    let repetitions = "experiment.repetitions=1";
    folder.outputs(0, &["run", "test.toml", "--quiet", set, repetitions, "--out", "equal"]);
    folder.outputs(0, &["run", "test.toml", "--quiet", set, repetitions, set, few, "--out", "unequal"]);
    assert!(!look(&folder, &["equal"]).contains("the algorithms have different limits"));
    let said = look(&folder, &["unequal"]).replace('\n', " ");
    assert!(said.contains("the algorithms have different limits") && said.contains("evaluations 50"), "{said}");
}

//! Nothing that stands in a file steers the terminal that it is shown on.

use crate::test_folder::TestFolder;

/// Turns red, goes to the start of the line, and writes from right to left.
const STEERING: &str = "\\u001B[31m\\r\\u202E";

/// A folder with a small experiment.
fn folder() -> TestFolder {
    let folder = TestFolder::empty();
    let experiment = format!(
        "[experiment]\nname = \"x\"\ntitle = \"red{STEERING}\"\nseed = 1\nrepetitions = 1\n\
         [[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n[algorithms.huke]\npreset = \"huke\"\npopulation = 10\n"
    );
    folder.write("x.toml", experiment);
    folder.write("boards.csv", "id,puzzle\na,1...............\n");
    folder
}

fn is_harmless(text: &str) -> bool {
    !text.contains(|character: char| character != '\n' && character.is_control() || character == '\u{202e}')
}

#[test]
fn the_title_of_an_experiment_does_not() {
    let (printed, messages) = folder().outputs(0, &["plan", "x.toml"]);
    let told = printed + &messages;
    assert!(told.starts_with("x: red\u{fffd}[31m\u{fffd}\u{fffd}\n"), "{told:?}");
    assert!(is_harmless(&told), "{told:?}");
}

#[test]
fn what_a_run_failed_of_does_not() {
    let folder = folder();
    folder.outputs(0, &["run", "x.toml"]);
    for journal in folder.journals("results/x") {
        folder.change(journal, |line| {
            let (before, after) = line.split_once("\"stop\":\"").expect("why it stopped");
            let (_, after) = after.split_once('"').expect("why it stopped");
            let (outcome, seal) = after.split_once(",\"crc32\"").expect("a checksum");
            format!("{before}\"stop\":\"failed\"{outcome},\"message\":\"red{STEERING}\",\"crc32\"{seal}")
        });
    }
    folder.reseal("results/x");
    // The run is tried again, and merging shows what there is.
    let (printed, messages) = folder.outputs(1, &["merge", "results/x"]);
    let told = printed + &messages;
    assert!(told.contains("red\u{fffd}[31m"), "{told:?}");
    assert!(is_harmless(&told), "{told:?}");
}

#[test]
fn a_table_of_more_keys_than_are_compared_with_each_other_is_refused_at_once() {
    let folder = TestFolder::new("[20]", 1);
    let head = folder.read("test.toml");
    let keys = |n: usize, value: &str| (0..n).map(|key| format!("k{key} = {value}\n")).collect::<String>();
    let tables = |n: usize| (0..n).map(|key| format!("[algorithms.a{key}]\nkind = 1\n")).collect::<String>();
    let zip = format!("[[algorithms.b.zip]]\n{}", keys(900, "[1, 2]"));
    let external = "[algorithms.b]\nkind = \"external\"\ncommand = \"true\"\n[algorithms.b.parameters]\n";
    let many = "error: test.toml:";
    for (text, expected) in [
        (keys(1001, "1"), "this table has too many keys\n"),
        (format!("[algorithms.b]\n{}", keys(1001, "1")), "this table has too many keys\n"),
        (format!("[algorithms.b.grid]\n{}", keys(1001, "[1]")), "this table has too many keys\n"),
        (
            format!("[algorithms.b]\nx = [[{{ {} }}]]", keys(1001, "1").trim().replace('\n', ", ")),
            "this table has too many keys\n",
        ),
        (format!("{external}{}", keys(1001, "1")), "this table has too many keys\n"),
        (format!("[budget]\n{}", keys(1001, "1")), "this table has too many keys\n"),
        (tables(10_001), "this table has too many keys\n"),
        (format!("[algorithms.b]\nkind = \"genetic\"\n{zip}{zip}"), "`b` varies more than 1000 settings\n"),
        // Many algorithms, each with as many faults as fit into its table: few of them are read.
        (format!("[budget]\n{}{}", keys(900, "1"), tables(5000)), " are shown\n"),
    ] {
        folder.write("test.toml", format!("{head}{text}"));
        let said = folder.refused(2, &["check", "test.toml"]);
        assert!(said.starts_with(many) && said.contains(expected), "{expected}: {said:.500}");
    }
    // Elsewhere no program is an algorithm.
    if cfg!(not(unix)) {
        return;
    }
    let named: String = (0..1000).map(|key| format!(" {{k{key}}}")).collect();
    let known = external.replace("\"true\"", &format!("\"true{named}\"")) + &keys(1000, "1");
    folder.write("test.toml", format!("{head}{known}"));
    folder.outputs(0, &["check", "test.toml"]);
}

//! Solutions too long for a line of the journal: every command that copies, reads or continues a journal takes them along, with real
//! processes.
// It makes links and pipes, and limits the size of files by `ulimit`.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::own_runner::own_runner;
use crate::test_folder::{TestFolder, number_before, report, sealed};

/// Two lists with long solutions, one of which a random search sorts, and one with short ones.
const LISTS: &str = "id,list\nlong,1200 0\nlong-solved,1200 1198\nshort,6 0\n";

/// `runner` with the family of these lists.
fn runner(folder: &TestFolder, arguments: &[&str]) -> Command {
    own_runner("wide", &folder.path(""), arguments)
}

fn folder(repetitions: u32, evaluations: u32) -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("lists.csv", LISTS);
    folder.write(
        "test.toml",
        format!(
            "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = {repetitions}\n[[instances]]\nproblem = \"wide\"\n\
             path = \"lists.csv\"\n[algorithms.a]\nkind = \"random-search\"\n[budget]\nevaluations = {evaluations}\n"
        ),
    );
    folder
}

/// What a command prints and says, where it ends with this status.
fn outputs(folder: &TestFolder, status: i32, arguments: &[&str]) -> (String, String) {
    let (ended, printed, messages) = report(&mut runner(folder, arguments), "");
    assert_eq!(ended, Some(status), "{arguments:?}: {printed}{messages}");
    (printed, messages)
}

/// What `run` says.
fn run(folder: &TestFolder, out: &str, arguments: &[&str]) -> String {
    outputs(folder, 0, &[&["run", "test.toml", "--out", out], arguments].concat()).1
}

/// The files of solutions of a results folder.
fn solutions(folder: &TestFolder, results: &str) -> Vec<PathBuf> {
    folder.journals(results).iter().map(|path| path.with_extension("solutions")).filter(|path| path.exists()).collect()
}

fn verify(folder: &TestFolder, status: i32, results: &str) -> String {
    outputs(folder, status, &["verify", results, "--sample", "100"]).0
}

#[test]
fn every_command_reads_a_folder_with_long_solutions() {
    let folder = folder(4, 50);
    run(&folder, "o", &[]);
    let file = solutions(&folder, "o").remove(0);
    assert_eq!(folder.read(&file).lines().count(), 8, "those of the short list stand in its lines");
    assert!(folder.read(&folder.journals("o")[0]).lines().all(|line| line.len() < 1000));
    let told = verify(&folder, 0, "o");
    assert!(told.contains("12 runs checked: 12 solutions, 12 runs repeated\nnothing is wrong"), "{told}");
    for run in ["0", "4", "8"] {
        let (told, _) = outputs(&folder, 0, &["replay", "o", run]);
        assert!(
            told.contains("the outcome is the same") && told.contains(if run == "8" { "[" } else { "1199" }),
            "{told}"
        );
    }
    for arguments in [
        &["table", "o"][..],
        &["report", "o"],
        &["export", "o", "--format", "ioh", "--out", "ioh"],
        &["plan", "test.toml", "--out", "o"],
    ] {
        outputs(&folder, 0, arguments);
    }
    assert_eq!(outputs(&folder, 0, &["missing", "o", "--shards", "2"]).1, "0 of 12 runs left to do, in 0 shards\n");
    // Nothing is held of the solutions that are not asked for: the files are made without them.
    fs::remove_file(folder.path("o/runs.csv")).expect("it is there");
    assert!(run(&folder, "o", &[]).contains("0 runs done, 12 found"));
    let told = run(&folder, "o", &["--fresh"]);
    assert!(told.contains("12 runs done, 0 found"), "{told}");
    let name = file.file_name().expect("a name");
    assert!(folder.path("o/journal.old-1").join(name).exists() && !file.exists());
}

#[test]
fn runs_with_a_damaged_or_missing_solution_are_told_and_done_again() {
    let folder = folder(2, 50);
    run(&folder, "whole", &[]);
    type Harm = fn(&[u8]) -> Option<Vec<u8>>;
    let harms: [(&str, Harm, usize); 4] = [
        (
            "does not have the BLAKE3 hash that the line of the journal gives",
            |bytes| Some([&bytes[..100], b"x", &bytes[101..]].concat()),
            1,
        ),
        ("is truncated: the file contains only ", |bytes| Some(bytes[..bytes.len() - 2].to_vec()), 1),
        ("is truncated: the file contains only 0 bytes of the solution", |_| Some(Vec::new()), 4),
        ("is missing: file not found", |_| None, 4),
    ];
    for (expected, harm, n_lost) in harms {
        run(&folder, "o", &[]);
        let file = solutions(&folder, "o").remove(0);
        match harm(&fs::read(&file).expect("a file")) {
            Some(bytes) => fs::write(&file, bytes).expect("a file"),
            None => fs::remove_file(&file).expect("it is there"),
        }
        let told = verify(&folder, 1, "o");
        let left = 6 - n_lost;
        assert!(told.contains(&format!("wrong: unfinished: {left} of 6 runs are in the journal")), "{told}");
        assert!(told.contains("ignored a damaged line: its solution (") && told.contains(expected), "{told}");
        let told = run(&folder, "o", &[]);
        assert_eq!(told.matches(expected).count(), n_lost, "{told}");
        assert_eq!(number_before(&told, " found in the journal"), left, "{told}");
        assert_eq!(folder.rows("o"), folder.rows("whole"));
        assert!(verify(&folder, 0, "o").contains("; no run of the plan is missing"));
        assert!(!run(&folder, "o", &[]).contains("damaged"), "it is told once");
        fs::remove_dir_all(folder.path("o")).expect("it goes");
    }
}

#[test]
fn a_long_solution_that_was_forged_is_found_by_its_objective() {
    let folder = folder(1, 50);
    run(&folder, "o", &["--jobs", "1"]);
    let (journal, file) = (folder.journals("o").remove(0), solutions(&folder, "o").remove(0));
    let (lines, texts) = (folder.read(&journal), folder.read(&file));
    let mut numbers: Vec<usize> = (0..1200).collect();
    numbers.swap(7, 8);
    let forged = format!("{numbers:?}");
    for (number, id) in ["long", "long-solved"].into_iter().enumerate() {
        let solution = texts.lines().nth(number).expect("its solution");
        fs::write(&file, texts.replace(solution, &forged)).expect("a file");
        let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
        let sealed_lines = lines.replace(&hash(solution), &hash(&forged)).lines().map(sealed).collect::<String>();
        folder.write(&journal, sealed_lines);
        let told = verify(&folder, 1, "o");
        assert!(told.contains(&format!(" on {id}: the recorded solution has 2 numbers out of place, not ")), "{told}");
        assert!(told.contains("2 solutions, 2 runs repeated"), "{told}");
    }
    folder.write(&journal, lines);
    fs::write(&file, texts).expect("a file");
    verify(&folder, 0, "o");
}

#[test]
fn a_merge_takes_the_solutions_along() {
    let folder = folder(4, 50);
    run(&folder, "whole", &[]);
    for (out, shard) in [("one", "1/2"), ("two", "2/2"), ("divided", "1/2"), ("divided", "2/2")] {
        run(&folder, out, &["--shard", shard]);
    }
    outputs(&folder, 0, &["merge", "divided"]);
    outputs(&folder, 0, &["merge", "one", "two", "--out", "joined"]);
    for results in ["divided", "joined"] {
        assert_eq!((folder.rows(results), solutions(&folder, results).len()), (folder.rows("whole"), 2));
        assert!(verify(&folder, 0, results).contains("12 runs checked: 12 solutions, 12 runs repeated"));
    }
    // Copies that were made while the files still grew, and one by a program that knew of no solutions.
    let (journals, files) = (folder.journals("joined"), solutions(&folder, "joined"));
    let whole = [&journals, &files].map(|paths| paths.iter().map(|path| folder.read(path)).collect::<Vec<_>>());
    let line_end = whole[0][0].find('\n').expect("a line") + 1;
    fs::write(&journals[0], &whole[0][0][..line_end]).expect("a file");
    fs::write(&files[0], &whole[1][0][..7000]).expect("a file");
    fs::remove_file(&files[1]).expect("it is there");
    outputs(&folder, 0, &["merge", "one", "two", "--out", "joined"]);
    assert_eq!([&journals, &files].map(|paths| paths.iter().map(|path| folder.read(path)).collect::<Vec<_>>()), whole);
    // Another file under the name is not taken for an older copy.
    fs::write(&files[0], "another").expect("a file");
    let (_, messages) = outputs(&folder, 1, &["merge", "one", "two", "--out", "joined"]);
    assert!(messages.contains(".solutions have the same name but different contents"), "{messages}");
}

#[test]
fn what_is_no_file_in_the_place_of_solutions_ends_every_command_at_once() {
    let folder = folder(1, 50);
    run(&folder, "o", &[]);
    let file = solutions(&folder, "o").remove(0);
    fs::rename(&file, folder.path("there")).expect("it is there");
    let link = |target: &str| std::os::unix::fs::symlink(target, &file).expect("a link");
    let makers: [(&str, &dyn Fn()); 4] = [
        ("it is a link; links in", &|| link("/dev/zero")),
        ("it is a link; links in", &|| link("../../there")),
        ("it is a directory", &|| fs::create_dir(&file).expect("a folder")),
        ("it is a device, a pipe or a socket", &|| {
            assert!(Command::new("mkfifo").arg(&file).status().expect("it is there").success());
        }),
    ];
    for (expected, make) in makers {
        make();
        for arguments in [
            &["run", "test.toml", "--out", "o"][..],
            &["plan", "test.toml", "--out", "o"],
            &["merge", "o"],
            &["merge", "o", "--out", "joined"],
            &["missing", "o", "--shards", "2"],
            &["verify", "o"],
            &["replay", "o", "0"],
        ] {
            let (_, messages) = outputs(&folder, 1, arguments);
            assert!(messages.contains(expected) && messages.contains(".solutions"), "{arguments:?}: {messages}");
        }
        assert!(folder.journals("joined").is_empty(), "no line without its solution");
        fs::remove_file(&file).or_else(|_| fs::remove_dir(&file)).expect("it goes");
    }
}

#[test]
fn a_limit_on_the_size_of_files_keeps_what_fitted_and_the_next_process_goes_on() {
    let folder = folder(4, 50);
    run(&folder, "whole", &[]);
    let unlimited = runner(&folder, &["run", "test.toml", "--out", "o", "--jobs", "1", "--quiet"]);
    let mut limited = Command::new("sh");
    // 20 KiB: three solutions.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\""])
        .arg(unlimited.get_program())
        .args(unlimited.get_args());
    limited.current_dir(folder.path("")).envs(unlimited.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let (status, _, messages) = report(&mut limited, "");
    assert_eq!(status, Some(1), "{messages}");
    let file = solutions(&folder, "o").remove(0);
    let journal = folder.read(folder.journals("o").remove(0));
    let n_places = journal.lines().filter(|line| line.contains("solution_place")).count();
    assert_eq!((n_places, folder.read(file).lines().count()), (3, 3), "nothing incomplete is left");
    let told = run(&folder, "o", &[]);
    // Of the others, which stand in their lines, as many as had finished.
    let n_found = journal.lines().count();
    assert!(told.contains(&format!("{} runs done, {n_found} found", 12 - n_found)), "{told}");
    assert!(!told.contains("damaged"), "{told}");
    assert_eq!(folder.rows("o"), folder.rows("whole"));
    verify(&folder, 0, "o");
}

#[test]
fn processes_killed_while_they_write_solutions_lose_what_was_in_flight_and_no_more() {
    let folder = folder(60, 100);
    run(&folder, "whole", &[]);
    let mut random = evogrid_core::random::RandomStream::from_seed(7);
    for _ in 0..12 {
        let arguments = ["run", "test.toml", "--out", "o", "--jobs", "2", "--quiet"];
        let mut process = runner(&folder, &arguments);
        let mut process = process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        // From the first line on, so that each leaves something.
        let before = folder.journal_lines("o");
        while folder.journal_lines("o") == before && process.try_wait().expect("its state is known").is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(random.below(20_000) as u64));
        process.kill().expect("it can be killed");
        process.wait().expect("it is waited for");
        let (_, told) = outputs(&folder, 0, &["missing", "o", "--shards", "1"]);
        // A run that was given up after two kills has a line, and is left to do.
        let lines: String = folder.journals("o").iter().map(|path| folder.read(path)).collect();
        let n_done = lines.matches("}\n").count() - lines.matches("\"stop\":\"failed\"").count();
        assert_eq!(number_before(&told, " of 180 runs left"), 180 - n_done, "{told}");
    }
    // How many come to write depends on the machine.
    assert!(solutions(&folder, "o").len() > 1, "some process was killed before all was done");
    let (status, printed, told) = report(&mut runner(&folder, &["run", "test.toml", "--out", "o"]), "");
    if status != Some(0) {
        assert!(told.contains("ended abnormally twice"), "{printed}{told}");
        run(&folder, "o", &[]);
    }
    assert!(!told.contains("damaged"), "{told}");
    assert_eq!(folder.rows("o"), folder.rows("whole"));
    let told = verify(&folder, 0, "o");
    assert!(told.contains("180 runs checked: 180 solutions, 100 runs repeated"), "{told}");
}

#[test]
fn reused_and_moved_runs_take_their_long_solutions_along() {
    let folder = folder(4, 50);
    run(&folder, "o", &["--set", "experiment.repetitions=2"]);
    run(&folder, "whole", &[]);
    run(&folder, "n", &["--reuse", "o"]);
    verify(&folder, 0, "n");
    assert_eq!(solutions(&folder, "n").len(), 2);
    let n_bytes = |path: &PathBuf| fs::metadata(path).expect("a file").len();
    let whole = n_bytes(&solutions(&folder, "whole")[0]);
    assert_eq!(solutions(&folder, "n").iter().map(n_bytes).sum::<u64>(), whole, "only those of these runs");

    // Half of the lines of one file, and all of the other one.
    run(&folder, "whole", &["--set", "experiment.repetitions=1"]);
    run(&folder, "n", &["--set", "experiment.repetitions=1"]);
    for (results, n_left) in [("whole", 1), ("n", 1)] {
        outputs(&folder, 0, &["clean", results, "--yes"]);
        verify(&folder, 0, results);
        assert_eq!(solutions(&folder, results).len(), n_left, "{results}");
    }
    let aside = solutions(&folder, "whole/aside");
    assert_eq!(aside.iter().map(n_bytes).sum::<u64>(), whole / 4 * 3);
    for (from, out) in [("whole", "p"), ("n", "q")] {
        let messages = run(&folder, out, &["--reuse", from, &format!("{from}/aside")]);
        assert_eq!(number_before(&messages, " found in the journal"), 12, "{messages}");
        verify(&folder, 0, out);
    }
    // One that is damaged is not reused.
    let mut bytes = fs::read(&aside[0]).expect("a file");
    bytes[0] ^= 1;
    fs::write(&aside[0], bytes).expect("it is written");
    let messages = run(&folder, "r", &["--reuse", "whole/aside"]);
    assert!(messages.contains("ignored in whole/aside: 1 damaged journal line"), "{messages}");
    verify(&folder, 0, "r");
}

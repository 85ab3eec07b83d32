//! Several families of problems in one experiment, instances that are made, best known values, and limits that grow.

use crate::test_folder::TestFolder;

/// An experiment on two published instances, with this below them.
fn folder(rest: &str) -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("boards.csv", "id,puzzle\nsmall,1...............\n");
    write(&folder, "", rest);
    folder
}

/// Writes the experiment again, with these further instances.
fn write(folder: &TestFolder, instances: &str, rest: &str) {
    let head = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n";
    let made = "[[instances]]\nproblem = \"qap\"\ngenerate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }\n";
    folder.write("test.toml", format!("{head}{made}{instances}{rest}"));
}

const BOARDS: &str = "[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n";

const CLIMBING: &str = "[algorithms.climbing]\nkind = \"iterated-local-search\"\nbudget.evaluations = 500\n";

#[test]
fn runs_of_one_family_stay_what_they_are_when_another_comes() {
    for seeding in ["paired", "independent"] {
        let folder = folder(CLIMBING);
        let seeding = format!("experiment.seeding={seeding}");
        folder.run(&["--set", &seeding]);
        let before = folder.column("results/test", "run_id");
        write(&folder, BOARDS, CLIMBING);
        let said = folder.run(&["--set", &seeding]);
        assert!(said.contains("2 runs done, 4 found in the journal"), "{said}");
        assert_eq!(folder.column("results/test", "run_id")[..4], before);
        let (checked, _) = folder.outputs(0, &["verify", "results/test", "--sample", "6"]);
        assert!(checked.contains("6 solutions, 6 runs repeated"), "{checked}");
    }
}

#[test]
fn a_setting_of_another_family_is_no_part_of_a_run() {
    let folder = folder(CLIMBING);
    write(&folder, BOARDS, &format!("{CLIMBING}representation = \"rows\"\n"));
    folder.run(&[]);
    let ids = folder.column("results/test", "run_id");
    let journal = folder.read(&folder.journals("results/test")[0]);
    for line in journal.lines() {
        assert_eq!(line.contains("\"representation\":\"rows\""), line.contains("\"problem\":\"sudoku\""), "{line}");
    }
    write(&folder, BOARDS, CLIMBING);
    folder.run(&["--out", "default"]);
    let others = folder.column("default", "run_id");
    assert_eq!(ids[..4], others[..4]);
    assert!(ids[4..].iter().all(|id| !others.contains(id)), "{ids:?} {others:?}");
}

#[test]
fn a_limit_grows_with_the_instance_and_the_formula_is_what_tells_runs_apart() {
    let rest =
        "[algorithms.walk]\nkind = \"random-search\"\nbudget.evaluations = { per = \"n * (n - 1) / 2\", times = 2 }\n";
    let folder = folder(rest);
    write(&folder, BOARDS, rest);
    folder.run(&[]);
    assert_eq!(folder.column("results/test", "evaluations"), ["132", "132", "210", "210", "12", "12"]);
    assert_eq!(folder.column("results/test", "stop"), ["evaluations"; 6]);
    let ids = folder.column("results/test", "run_id");
    write(&folder, BOARDS, &rest.replace("n * (n - 1) / 2", "(n*(n-1))/2").replace("times = 2", "times = 2.0"));
    assert!(folder.run(&[]).contains("0 runs done, 6 found"));
    write(&folder, BOARDS, &rest.replace("times = 2", "times = 3"));
    folder.run(&[]);
    assert!(folder.column("results/test", "run_id").iter().all(|id| !ids.contains(id)));
    folder.outputs(0, &["verify", "results/test", "--sample", "6"]);
    let run = folder.column("results/test", "run_id")[0].clone();
    folder.outputs(0, &["replay", "results/test", &run]);
}

#[test]
fn a_target_gap_ends_runs_near_the_best_known_value_and_is_recorded_as_the_target() {
    let rest =
        "[algorithms.climbing]\nkind = \"iterated-local-search\"\nbudget = { evaluations = 100000, target_gap = 5 }\n";
    let folder = folder(rest);
    folder.run(&[]);
    assert_eq!(folder.column("results/test", "stop"), ["target"; 4]);
    assert_eq!(folder.column("results/test", "solved"), ["true"; 4]);
    assert!(folder.column("results/test", "gap").iter().all(|gap| gap.parse::<f64>().is_ok_and(|gap| gap <= 5.0)));
    let journal = folder.read(&folder.journals("results/test")[0]);
    assert!(journal.contains("\"budget.target\":235636.8") && !journal.contains("target_gap"), "{journal}");
    folder.outputs(0, &["verify", "results/test", "--sample", "4"]);
    let run = folder.column("results/test", "run_id")[0].clone();
    folder.outputs(0, &["replay", "results/test", &run]);
    // The target itself makes the same runs.
    let one = "generate = { set = \"taillard\", ids = [\"tai12a\"] }";
    folder.change("test.toml", |text| {
        let text = text.replace("generate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }", one);
        text.replace("target_gap = 5", "target = 235636.8")
    });
    folder.run(&["--out", "by-target"]);
    assert_eq!(folder.column("by-target", "run_id"), folder.column("results/test", "run_id")[..2]);
}

#[test]
fn a_best_known_value_that_is_beaten_is_news_and_below_an_optimum_it_is_an_error() {
    let folder = folder(CLIMBING);
    let known = |status: &str| {
        folder.write("known.csv", format!("instance,best_known,status\ntai12a,900000,{status}\nother,1,best\n"));
    };
    folder
        .change("test.toml", |text| text.replace("problem = \"qap\"", "problem = \"qap\"\nbest_known = \"known.csv\""));
    known("best");
    let said = folder.run(&[]).replace("\n  ", " ");
    assert!(
        said.contains("new best value: r") && said.contains("on tai12a; the best known value was 900000"),
        "{said}"
    );
    assert_eq!(folder.column("results/test", "best_known")[..2], ["900000.0"; 2]);
    assert_eq!(folder.column("results/test", "best_known")[2..], ["388214.0"; 2], "of those that the set brings");
    let ids = folder.column("results/test", "run_id");
    known("optimal");
    let said = folder.run_to(1, &[]).replace("\n  ", " ");
    assert!(said.contains("0 runs done, 4 found"), "what is known is not part of a run: {said}");
    assert!(said.contains("below the optimum 900000 is impossible: the optimum or the objective is"), "{said}");
    assert_eq!(folder.column("results/test", "run_id"), ids);
    let (found, _) = folder.outputs(1, &["verify", "results/test"]);
    assert!(found.replace("\n  ", " ").contains("below the optimum 900000"), "{found}");
}

#[test]
fn best_known_values_that_fit_no_instance_and_instances_without_one_are_told() {
    let folder = folder(CLIMBING);
    folder.change("test.toml", |text| {
        let known = "path = \"small.csv\"\nbest_known = \"known.csv\"";
        text.replace("generate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }", known)
    });
    folder.write("small.csv", "id,matrices\na,2 0 1 1 0 0 1 1 0\nb,2 0 1 1 0 0 2 2 0\nc,2 0 1 1 0 0 3 3 0\n");
    folder.write("known.csv", "id,best_known\na,2\nB,4\nd,1\ne,1\nf,1\n");
    let (_, said) = folder.outputs(0, &["check", "test.toml"]);
    let said = said.replace("\n  ", " ");
    let strangers = "note: the file of best known values contains 4 ids that the data set does not contain: `B`, `d`, \
                     `e` and 1 more\n";
    assert!(said.contains(strangers), "{said}");
    assert!(said.contains("note: the best known value is missing for 2 of 3 instances: `b` and `c`\n"), "{said}");
    folder.write("known.csv", "id,best_known\na,2\nb,4\nc,6\n");
    assert!(!folder.outputs(0, &["check", "test.toml"]).1.contains("note"));
}

#[test]
fn instances_are_read_from_all_files_that_match_and_are_called_as_they_are() {
    let folder = folder(CLIMBING);
    folder.write("b.dat", "2\n0 1\n2 0\n\n0 3\n4 0\n");
    folder.write("a.dat", "3\n0 1 2\n1 0 3\n2 3 0\n0 1 2\n1 0 3\n2 3 0\n");
    folder.write("boards.txt", "1...............\n.2..............\n");
    folder.change("test.toml", |text| {
        let text =
            text.replace("generate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }", "path = \"?.dat\"");
        text.replace("[algorithms", "[[instances]]\nproblem = \"sudoku\"\npath = \"boards.txt\"\n[algorithms")
    });
    folder.run(&["--set", "experiment.repetitions=1"]);
    assert_eq!(folder.column("results/test", "instance"), ["a", "b", "boards-1", "boards-2"]);
}

#[test]
fn instances_are_made_by_size_and_seed() {
    let folder = folder(CLIMBING);
    folder.change("test.toml", |text| {
        let made = "generate = { size = 4, givens = 6, count = 2, seed = 7 }";
        text.replace("generate = { set = \"taillard\", ids = [\"tai12a\", \"tai15a\"] }", made).replace("qap", "sudoku")
    });
    folder.run(&["--set", "experiment.repetitions=1"]);
    assert_eq!(folder.column("results/test", "instance"), ["givens-6-01", "givens-6-02"]);
    let arguments = ["generate", "--size", "4", "--givens", "6", "--count", "2", "--seed", "7"];
    let (data_set, _) = folder.outputs(0, &arguments);
    let manifest = folder.read("results/test/manifest.json");
    for row in data_set.lines().skip(1) {
        let board = row.split(',').nth(2).expect("the board");
        assert!(manifest.contains(board), "{board}");
    }
}

#[test]
fn solve_keeps_growing_limits_and_refuses_what_does_not_fit() {
    let folder = folder(CLIMBING);
    let board = "1...............";
    let growing = "budget.evaluations={ per = \"n*n\", times = 1 }";
    let walk = ["solve", board, "--algorithm", "random-search", "--set", growing, "--seed", "1"];
    let (_, said) = folder.outputs(1, &walk);
    assert!(said.contains(" 16 evaluations"), "{said}");
    let ring = ["solve", board, "--algorithm", "backtracking", "--set", "equivalence=ring"];
    let said = folder.refused(2, &ring).replace("\n  ", " ");
    assert!(said.contains("`sudoku` offers it with `equivalence = \"none\"`"), "{said}");
    let gap = ["solve", board, "--algorithm", "random-search", "--set", "budget={ evaluations = 9, target_gap = 1 }"];
    let said = folder.refused(2, &gap);
    assert!(said.contains("needs a best known value"), "{said}");
}

#[test]
fn processor_time_is_a_limit() {
    let rest = "[algorithms.walk]\nkind = \"random-search\"\nbudget.cpu_seconds = 0.05\n";
    let folder = folder(rest);
    folder.run(&["--set", "experiment.repetitions=1"]);
    assert_eq!(folder.column("results/test", "stop"), ["time"; 2]);
    let (checked, _) = folder.outputs(0, &["verify", "results/test"]);
    assert!(checked.contains("0 runs repeated"), "{checked}");
}

#[test]
fn work_after_a_step_that_is_not_counted_is_in_another_unit() {
    let folder = TestFolder::empty();
    folder.write("boards.csv", "id,puzzle\nsmall,1...............\n");
    let climbing = |name: &str, propagate: &str| {
        format!("[algorithms.{name}]\nkind = \"hill-climbing\"\npropagate = \"{propagate}\"\n")
    };
    let head = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n";
    folder.write("test.toml", format!("{head}{BOARDS}{}{}", climbing("plain", "none"), climbing("helped", "singles")));
    folder.run(&[]);
    let units = folder.column("results/test", "unit");
    assert_eq!(units, ["evaluations", "evaluations", "evaluations after propagation", "evaluations after propagation"]);
    let refusal = folder.outputs(2, &["compare", "results/test", "--metric", "evaluations"]).1;
    assert!(refusal.contains("cannot compare the work of these runs"), "{refusal}");
}

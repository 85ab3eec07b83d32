//! `problem = "external"`: instances that only programs understand, in either direction, with and without a checker.
#![cfg(target_os = "linux")]

use std::fs;

use evogrid_core::budget::Stop;

use crate::test_folder::TestFolder;

/// A program that answers with the length of the instance, or with what its parameter says.
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    run = json.loads(line)
    value = run["settings"].get("value", len(run["instance"]))
    answer = {"solution": "x" * int(value), "objective": value, "evaluations": 7}
    if value != run["limits"].get("target"):
        answer["stop"] = "evaluations"
    if "before" in run["settings"]:
        print(json.dumps({"improvement": True, "evaluations": 3, "objective": run["settings"]["before"]}))
    print(json.dumps(answer), flush=True)
"#;

/// Counts the letters of a solution; knows no solution of more than 50.
const CHECKER: &str = r#"
import json, sys
for line in sys.stdin:
    solution = json.loads(line)["solution"]
    print(json.dumps({"error": "too long"} if len(solution) > 50 else {"objective": len(solution)}), flush=True)
"#;

/// An experiment on two rows, with these keys of its instances and these parameters of its program.
fn folder(keys: &str, parameters: &str) -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("program.py", PROGRAM);
    folder.write("check.py", CHECKER);
    folder.write("rows.csv", "id,n,bucket,best_known,status\na,10,small,20,optimal\nb,200,large,20,\n");
    let experiment = format!(
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n[[instances]]\nproblem = \"external\"\npath = \"rows.csv\"\n\
         {keys}\n[algorithms.mine]\nkind = \"external\"\ncommand = \"python3 program.py\"\nmode = \"server\"\n{parameters}\n\
         [budget]\nevaluations = {{ per = \"n\", times = 1 }}\n[record]\ntrace = \"improvements\"\n"
    );
    folder.write("test.toml", experiment);
    folder
}

const MAXIMISED: &str =
    "direction = \"maximise\"\nobjective = \"profit\"\nunit = \"EUR\"\ncheck = \"python3 check.py\"";

fn columns(folder: &TestFolder, names: &[&str]) -> Vec<Vec<String>> {
    names.iter().map(|name| folder.column("results/test", name)).collect()
}

#[test]
fn values_are_as_people_see_them_in_either_direction() {
    for (direction, gap, before, fitness) in
        [("minimise", "-25", 16, "profit [EUR]"), ("maximise", "25", 14, "profit [EUR] (maximised)")]
    {
        let keys = MAXIMISED.replace("maximise", direction);
        let folder = folder(&keys, &format!("parameters = {{ value = 15, before = {before} }}"));
        let (status, _, said) = folder.report(&["run", "test.toml"]);
        // A value below the optimum of `a` cannot be.
        let is_wrong = direction == "minimise";
        assert_eq!((status, said.contains("below the optimum 20")), (Some(i32::from(is_wrong)), is_wrong), "{said}");
        let found = columns(&folder, &["objective", "best_fitness", "gap", "fitness", "solved"]);
        let gap = format!("{gap}.0");
        assert_eq!(found, [["15.0"; 4], ["15.0"; 4], [gap.as_str(); 4], [fitness; 4], [""; 4]]);
        let trace = folder.journal()[0].trace.clone().expect("a trace");
        let values: Vec<f64> = trace.points.iter().map(|point| point.best_fitness).collect();
        assert_eq!(values, [f64::from(before), 15.0]);
        // An improvement must be better than the one before, and lead to the answer.
        let worse =
            folder.read("test.toml").replace(&format!("before = {before}"), &format!("before = {}", 30 - before));
        folder.write("test.toml", worse);
        folder.report(&["run", "test.toml", "--fresh"]);
        let told = folder.journal()[0].message.clone().unwrap_or_default();
        assert!(told.contains(&format!("reports {}, but the reply's `objective` is 15", 30 - before)), "{told}");
    }
}

#[test]
fn a_row_is_handed_on_as_json_and_a_file_as_it_is() {
    let shown = folder("", "").outputs(0, &["external", "show", "test.toml"]).0;
    assert!(shown.contains(r#""instance":"{\"n\":10}","limits":{"evaluations":10,"#), "{shown}");
    let folder = folder("objective = \"size\"", "");
    fs::create_dir(folder.path("files")).expect("a folder");
    folder.write("files/one.dat", "3 4\n\"5\" \u{e4}\n");
    let experiment =
        folder.read("test.toml").replace("rows.csv", "files/*.dat").replace("{ per = \"n\", times = 1 }", "9");
    folder.write("test.toml", experiment);
    folder.run(&[]);
    assert_eq!(columns(&folder, &["instance", "objective"]), [["one"; 2], ["10.0"; 2]]);
}

#[test]
fn a_target_is_an_objective_and_ends_a_run() {
    for (target, solved) in [("15", "true"), ("15.5", "false"), ("14.5", "true")] {
        let folder = folder(&format!("{MAXIMISED}\ntarget = {target}"), "parameters = { value = 15 }");
        folder.run(&[]);
        assert_eq!(columns(&folder, &["solved"]), [[solved; 4]], "{target}");
        folder.outputs(0, &["verify", "results/test", "--run-programs"]);
    }
}

#[test]
fn what_a_checker_denies_is_a_failed_run() {
    for (parameters, checker, message) in [
        ("parameters = { value = 12.5 }", CHECKER, "the search found 12.5 profit [EUR], but the checker computes 12"),
        ("parameters = { value = 60 }", CHECKER, "the checker rejects the solution: too long"),
        ("", "print('what?')", "the answer is not JSON"),
        ("", "import sys\nsys.exit('broken')", "its standard error: broken"),
        ("", "import sys\nsys.stdin.readline()\nprint('{}')", "no `objective` and no `error`"),
    ] {
        let folder = folder(MAXIMISED, parameters);
        folder.write("check.py", checker);
        folder.report(&["run", "test.toml"]);
        for record in folder.journal() {
            assert_eq!(record.outcome.stop, Stop::Failed);
            let told = record.message.unwrap_or_default();
            assert!(told.contains(message), "{message}: {told}");
        }
    }
}

#[test]
fn a_checker_that_ends_after_an_answer_is_started_again() {
    let folder = folder(MAXIMISED, "");
    folder.write("check.py", CHECKER.replace("for line in sys.stdin:", "for line in [sys.stdin.readline()]:"));
    folder.run(&["--jobs", "1"]);
    assert_eq!(columns(&folder, &["objective"]), [["8.0", "8.0", "9.0", "9.0"]]);
}

#[test]
fn verify_computes_objectives_only_where_it_may_start_programs() {
    let folder = folder(MAXIMISED, "parameters = { value = 15 }");
    folder.run(&[]);
    // What comes from elsewhere starts nothing, its checker neither.
    folder.write("check.py", "open('executed', 'w')\n");
    for command in ["table", "plot", "report", "missing", "verify", "merge"] {
        folder.report(&[command, "results/test"]);
        assert!(!folder.path("executed").exists(), "{command}");
    }
    folder.write("check.py", CHECKER);
    let (_, told, _) = folder.report(&["verify", "results/test"]);
    assert!(
        told.contains("the objectives of 4 runs were not computed again; `--run-programs` starts these checkers:\n  python3 check.py\n"),
        "{told}"
    );
    let told = folder.outputs(0, &["verify", "results/test", "--run-programs"]).0;
    assert!(told.contains("4 solutions"), "{told}");
    // A checker of other rules finds what the runs do not have.
    folder.write("check.py", CHECKER.replace("len(solution)}", "len(solution) + 1}"));
    let (status, told, _) = folder.report(&["verify", "results/test", "--run-programs"]);
    assert_eq!((status, told.contains("the recorded solution has 16 profit [EUR], not 15")), (Some(1), true), "{told}");
}

#[test]
fn without_a_checker_the_objective_is_reported_and_that_is_said() {
    let folder = folder("objective = \"profit\"", "parameters = { value = 15 }");
    folder.write("rows.csv", folder.read("rows.csv").replace("20,optimal", "15,"));
    folder.run(&[]);
    assert_eq!(columns(&folder, &["fitness"]), [["profit (reported)"; 4]]);
    let (table, notes) = folder.outputs(0, &["table", "results/test"]);
    assert!((table + &notes).contains("Objectives were reported by external programs and were not checked."));
    let told = folder.outputs(0, &["verify", "results/test", "--run-programs"]).0;
    assert!(told.contains("the objectives of 4 runs are reported by their programs, not checked"), "{told}");
    // No solution is needed, but the objective is, and why the run ended.
    for (answer, message) in [
        (
            r#"{"solution": "x", "stop": "evaluations"}"#,
            "the reply has a `solution`, but no `objective` of this solution",
        ),
        (r#"{"objective": 3}"#, "gives no reason for the stop"),
    ] {
        let folder = folder_with_answer(answer);
        folder.report(&["run", "test.toml"]);
        let told = folder.journal()[0].message.clone().unwrap_or_default();
        assert!(told.contains(message), "{told}");
    }
    let folder = folder_with_answer(r#"{"objective": 3, "evaluations": 2, "stop": "evaluations"}"#);
    folder.run(&[]);
    assert_eq!(columns(&folder, &["objective", "evaluations"]), [["3.0"; 4], ["2"; 4]]);
}

fn folder_with_answer(answer: &str) -> TestFolder {
    let folder = folder("", "");
    folder.write("answer", answer);
    folder.write("rows.csv", "id,n\na,10\nb,200\n");
    let experiment =
        folder.read("test.toml").replace("python3 program.py", "cat answer").replace("\"server\"", "\"json\"");
    folder.write("test.toml", experiment);
    folder
}

#[test]
fn what_does_not_fit_an_external_problem_is_refused_with_its_place() {
    let cases = [
        folder("check = \"no-such-program\"", ""),
        folder("check = \"python3 {seed}\"", ""),
        folder("target = \"many\"", ""),
        folder("direction = \"up\"", ""),
        folder("objective = \"profit (maximised)\"", ""),
    ];
    let mut said: Vec<String> = cases.iter().map(|folder| folder.refused(2, &["check", "test.toml"])).collect();
    for (from, to) in [
        ("per = \"n\"", "per = \"m\""),
        ("kind = \"external\"\ncommand = \"python3 program.py\"\nmode = \"server\"", "kind = \"hill-climbing\""),
    ] {
        let folder = folder("", "");
        folder.write("test.toml", folder.read("test.toml").replace(from, to));
        said.push(folder.refused(2, &["check", "test.toml"]));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_program_that_ignores_its_seed_its_limit_or_a_new_run_is_found() {
    const SEARCH: &str = r#"
import json, random, sys
draws = random.Random(SEED)
for line in sys.stdin:
    run = json.loads(line)
    NEW
    evaluations = min(LIMIT, run["limits"]["evaluations"] * FACTOR)
    best = max(draws.random() for _ in range(evaluations))
    print(json.dumps({"objective": best, "evaluations": evaluations, "stop": "evaluations"}), flush=True)
"#;
    let tested = |seed: &str, new: &str, factor: &str, limit: &str| {
        let folder = folder("", "");
        let program =
            SEARCH.replace("SEED", seed).replace("NEW", new).replace("FACTOR", factor).replace("LIMIT", limit);
        folder.write("program.py", program);
        let (status, told, said) = folder.report(&["external", "test", "test.toml"]);
        (status, told + &said)
    };
    let good = tested("1", "draws = random.Random(run['seed'])", "1", "10**9");
    assert!(good.0 == Some(0) && !good.1.contains("WRONG"), "{}", good.1);
    assert!(
        good.1.contains("reported by the program and not checked") && good.1.contains("nothing is left over"),
        "{}",
        good.1
    );
    for (program, message) in [
        (tested("None", "", "1", "10**9"), "the same seed gives another answer"),
        (tested("1", "", "1", "10**9"), "the server keeps something from run to run"),
        (
            tested("1", "draws = random.Random(run['seed'])", "2", "10**9"),
            "a run fails: the program made 20 evaluations",
        ),
    ] {
        assert!(program.0 == Some(1) && program.1.contains(message), "{}", program.1);
    }
    let ignored = tested("1", "draws = random.Random(run['seed'])", "1", "1");
    assert!(ignored.1.contains("with a tenth of the evaluations it still makes 1"), "{}", ignored.1);
}

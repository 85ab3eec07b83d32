//! Answers: what a program says is counted, and what it claims is checked.

use evogrid_core::budget::Stop;

use crate::bench::{Bench, SOLUTION};

#[test]
fn a_solution_is_evaluated_here_and_the_counts_are_the_programs() {
    let reply = format!(
        r#"{{"solution": "{SOLUTION}", "evaluations": 90, "generations": 9, "restarts": 2, "evaluations_to_best": 80}}"#
    );
    let bench = Bench::of_scripts(&[
        ("full", &format!("echo generation 1\necho '{reply}'")),
        ("brief", "printf '%s' '{\"solution\": \"1234 3412 2143 4321\"}'"),
    ]);
    let told = bench.run(0);
    assert!(told.contains("2 runs done"), "{told}");
    let records = bench.records();
    let full = &records["full"];
    assert!(
        full.outcome.solved && full.solution.as_deref() == Some(SOLUTION) && full.outcome.best_fitness == Some(0.0)
    );
    assert_eq!(
        (full.outcome.evaluations, full.outcome.generations, full.outcome.restarts, full.outcome.evaluations_to_best),
        (90, 9, 2, 80)
    );
    assert_eq!((full.outcome.stop, full.message.as_deref()), (Stop::Target, None));
    let brief = &records["brief"];
    assert!(brief.outcome.solved && brief.solution.as_deref() == Some(SOLUTION) && brief.outcome.evaluations == 0);
}

/// What becomes of a reply.
fn judged(reply: &str) -> (Stop, Option<f64>, String) {
    let bench = Bench::of_scripts(&[("liar", &format!("echo '{reply}'"))]);
    let record = bench.records().remove("liar").expect("its record");
    assert!(!record.outcome.solved && record.solution.is_none(), "{reply}");
    (record.outcome.stop, record.outcome.best_fitness, record.message.unwrap_or_default())
}

#[test]
fn a_candidate_that_solves_nothing_is_an_unsolved_run_with_the_fitness_that_it_has() {
    let wrong = r#"{"solution": "1243342121434312", "stop": "evaluations", "evaluations": 100}"#;
    assert_eq!(judged(wrong), (Stop::Evaluations, Some(2.0), String::new()));
    let right = r#"{"solution": "1243342121434312", "best_fitness": 2, "stop": "restarts"}"#;
    assert_eq!(judged(right), (Stop::Restarts, Some(2.0), String::new()));
    assert_eq!(judged(r#"{"best_fitness": 2.5, "stop": "stagnation"}"#), (Stop::Stagnation, Some(2.5), String::new()));
    assert_eq!(judged(r#"{"stop": "exhausted"}"#), (Stop::Exhausted, None, String::new()));
}

#[test]
fn a_claim_that_does_not_hold_is_a_failed_run_that_says_why() {
    let failed = |reply: &str| {
        let (stop, best_fitness, message) = judged(reply);
        assert_eq!((stop, best_fitness), (Stop::Failed, None), "{reply}");
        message
    };
    insta::assert_snapshot!(
        failed(r#"{"solution": "1243342121434312"}"#),
        @"the `solution` solves nothing, and the reply does not say why the search stopped: expected `stop`"
    );
    insta::assert_snapshot!(
        failed(r#"{"solution": "1243342121434312", "best_fitness": 0, "stop": "evaluations"}"#),
        @"the reply's `best_fitness` is 0, and the fitness of its `solution` is 2"
    );
    insta::assert_snapshot!(
        failed(r#"{"solution": "2143341212344321"}"#),
        @"the `solution` is none that there could be: row 1, column 1: 1 is given, and it has 2"
    );
    insta::assert_snapshot!(
        failed(r#"{"solution": "1234"}"#),
        @"the `solution` is none that there could be: it has 4 cells, and the board 16"
    );
    insta::assert_snapshot!(
        failed(r#"{"best_fitness": 0, "stop": "evaluations"}"#),
        @"the `best_fitness` 0 is a solution's, and the reply has no `solution`"
    );
    insta::assert_snapshot!(
        failed(r#"{"evaluations": 7}"#),
        @"the reply has no `solution`, and does not say why the search stopped: expected `solution` or `stop`"
    );
    insta::assert_snapshot!(
        failed(r#"{"solution": "1234341221434321", "evaluations": 101}"#),
        @"the program made 101 evaluations, and the budget allows 100: pass it `{evaluations}`, and let it stop in time"
    );
}

#[test]
fn the_trace_of_a_run_ends_with_the_fitness_that_was_found() {
    let bench =
        Bench::of_scripts(&[("solver", &format!("echo '{{\"solution\": \"{SOLUTION}\", \"evaluations\": 5}}'"))]);
    bench.write("test.toml", &format!("{}\n[record]\ntrace = \"improvements\"\n", bench.read("test.toml")));
    let record = bench.records().remove("solver").expect("its record");
    let points = record.trace.expect("a trace").points;
    assert_eq!((points.len(), points[0].evaluations, points[0].best_fitness), (1, 5, 0.0));
}

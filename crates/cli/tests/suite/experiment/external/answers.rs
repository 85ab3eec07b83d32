//! Answers: what a program says is counted, and what it claims is checked.

use evogrid_core::budget::Stop;

use super::program_folder::{SOLUTION, in_both_modes};
use crate::test_folder::TestFolder;

in_both_modes!(
    a_solution_is_evaluated_here_and_the_counts_are_the_programs,
    a_candidate_that_solves_nothing_is_an_unsolved_run_with_the_fitness_that_it_has,
    a_claim_that_does_not_hold_is_a_failed_run_that_says_why,
    the_trace_of_a_run_ends_with_the_fitness_that_was_found,
    improvements_that_cannot_be_or_do_not_lead_to_the_answer_are_a_failed_run,
);

fn a_solution_is_evaluated_here_and_the_counts_are_the_programs(mode: &str) {
    let reply = format!(
        r#"{{"solution": "{SOLUTION}", "evaluations": 90, "generations": 9, "restarts": 2, "evaluations_to_best": 80}}"#
    );
    // A server prints nothing but its answer, and ends the line.
    let (first, end) = if mode == "process" { ("echo generation 1", "") } else { ("echo generation 1 >&2", "\\n") };
    let folder = TestFolder::with_scripts(
        mode,
        &[
            ("full", &format!("{first}\necho '{reply}'")),
            ("brief", &format!("printf '%s{end}' '{{\"solution\": \"1234 3412 2143 4321\"}}'")),
        ],
    );
    let told = folder.run(&[]);
    assert!(told.contains("2 runs done"), "{told}");
    let records = folder.records();
    let full = &records["full"];
    assert!(
        full.outcome.is_solved()
            && full.solution.as_deref() == Some(SOLUTION)
            && full.outcome.best_fitness == Some(0.0)
    );
    assert_eq!(
        (full.outcome.evaluations, full.outcome.generations, full.outcome.restarts, full.outcome.evaluations_to_best),
        (90, 9, 2, 80)
    );
    assert_eq!((full.outcome.stop, full.message.as_deref()), (Stop::Target, None));
    let brief = &records["brief"];
    assert!(brief.outcome.is_solved() && brief.solution.as_deref() == Some(SOLUTION) && brief.outcome.evaluations == 0);
}

/// What the candidate of these tests lacks: its columns lack 2 digits, and its boxes none.
const DIGITS_MISSING: f64 = 2.0;

/// What becomes of a reply.
fn judged(mode: &str, reply: &str) -> (Stop, Option<f64>, String) {
    let folder = TestFolder::with_scripts(mode, &[("liar", &format!("echo '{reply}'"))]);
    let record = folder.records().remove("liar").expect("its record");
    let candidate = (record.outcome.stop != Stop::Failed && reply.contains("solution")).then_some("1243342121434312");
    assert!(!record.outcome.is_solved() && record.solution.as_deref() == candidate, "{reply}");
    assert_eq!(record.outcome.objective, candidate.map(|_| DIGITS_MISSING), "{reply}");
    (record.outcome.stop, record.outcome.best_fitness, record.message.unwrap_or_default())
}

fn a_candidate_that_solves_nothing_is_an_unsolved_run_with_the_fitness_that_it_has(mode: &str) {
    let wrong = r#"{"solution": "1243342121434312", "stop": "evaluations", "evaluations": 100}"#;
    assert_eq!(judged(mode, wrong), (Stop::Evaluations, Some(2.0), String::new()));
    let right = r#"{"solution": "1243342121434312", "best_fitness": 2, "stop": "restarts"}"#;
    assert_eq!(judged(mode, right), (Stop::Restarts, Some(2.0), String::new()));
    assert_eq!(
        judged(mode, r#"{"best_fitness": 2.5, "stop": "stagnation"}"#),
        (Stop::Stagnation, Some(2.5), String::new())
    );
    assert_eq!(judged(mode, r#"{"stop": "exhausted"}"#), (Stop::Exhausted, None, String::new()));
}

fn a_claim_that_does_not_hold_is_a_failed_run_that_says_why(mode: &str) {
    let replies = [
        r#"{"solution": "1243342121434312"}"#,
        r#"{"solution": "1243342121434312", "best_fitness": 0, "stop": "evaluations"}"#,
        r#"{"solution": "2143341212344321"}"#,
        r#"{"solution": "1234"}"#,
        r#"{"best_fitness": 0, "stop": "evaluations"}"#,
        r#"{"evaluations": 7}"#,
        r#"{"solution": "1234341221434321", "evaluations": 101}"#,
    ];
    let messages = replies.map(|reply| {
        let (stop, best_fitness, message) = judged(mode, reply);
        assert_eq!((stop, best_fitness), (Stop::Failed, None), "{reply}");
        format!("{reply}\n  {message}\n")
    });
    insta::assert_snapshot!("a_claim_that_does_not_hold_is_a_failed_run_that_says_why", messages.concat());
}

fn the_trace_of_a_run_ends_with_the_fitness_that_was_found(mode: &str) {
    let folder = TestFolder::with_scripts(
        mode,
        &[("solver", &format!("echo '{{\"solution\": \"{SOLUTION}\", \"evaluations\": 5}}'"))],
    );
    folder.change("test.toml", |text| format!("{text}\n[record]\ntrace = \"improvements\"\n"));
    let record = folder.records().remove("solver").expect("its record");
    let points = record.trace.expect("a trace").points;
    assert_eq!((points.len(), points[0].evaluations, points[0].best_fitness), (1, 5, 0.0));
}

fn improvements_that_cannot_be_or_do_not_lead_to_the_answer_are_a_failed_run(mode: &str) {
    let answer = r#"{"solution": "1243342121434312", "stop": "evaluations", "evaluations": 100}"#;
    let told = |improvements: &str| {
        let script = format!("cat <<'END'\n{improvements}\n{answer}\nEND");
        let folder = TestFolder::with_scripts(mode, &[("mine", &script)]);
        folder.records().remove("mine").expect("its record").message.unwrap_or_default()
    };
    assert_eq!(told(r#"{"improvement": true, "evaluations": 7, "best_fitness": 4}"#), "");
    for (improvements, message) in [
        (r#"{"improvement": true, "evaluations": 7}"#, "needs `best_fitness`"),
        (r#"{"improvement": true, "evaluation": 7, "best_fitness": 4}"#, "unknown field `evaluation`"),
        (r#"{"improvement": true, "evaluations": 101, "best_fitness": 4}"#, "reports 101 evaluations"),
        (
            r#"{"improvement": true, "evaluations": 7, "best_fitness": 1}"#,
            "an `improvement` reports 1, but the fitness",
        ),
        (
            "{\"improvement\": true, \"evaluations\": 7, \"best_fitness\": 4}\n\
             {\"improvement\": true, \"evaluations\": 8, \"best_fitness\": 4}",
            "a better `best_fitness`",
        ),
    ] {
        let told = told(improvements);
        assert!(told.contains(message), "{improvements}: {told}");
    }
}

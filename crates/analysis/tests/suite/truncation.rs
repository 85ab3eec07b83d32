//! Targets and limits that are set after the runs, outcome by outcome.

use std::fs;

use evogrid_results::RunOutcome;
use evogrid_results::trace::{Point, Trigger, Writer};
use tempfile::TempDir;

use evogrid_analysis::truncation::{EarlierEnd, Target, TargetKind, Truncation};
use evogrid_results::runs::Reader;
use evogrid_results::{ReadError, Row};

const COLUMNS: &str = "run,algorithm,instance,solved,objective,best_known,gap,fitness,best_fitness,evaluations,\
                       generations,evaluations_to_best,stop\n";

/// Three runs on two instances that minimise, the last without a trace; then one that maximised; then a failed one.
const RUNS: &str = "0,a,x,,101.0,100.0,1.0,length,101.0,50,5,40,evaluations\n\
                    1,a,y,,210.0,200.0,5.0,length,210.0,50,5,30,evaluations\n\
                    2,b,x,,103.0,100.0,3.0,length,103.0,50,5,20,evaluations\n\
                    3,c,z,,9.0,10.0,10.0,profit (maximised),9.0,50,5,25,evaluations\n\
                    4,c,z,false,,10.0,,profit (maximised),,7,0,0,failed\n";

const TRACE: [(u64, &[(u64, f64)]); 3] = [
    (0, &[(1, 120.0), (10, 104.0), (40, 101.0)]),
    (1, &[(1, 260.0), (30, 210.0)]),
    (3, &[(1, 2.0), (12, 7.5), (25, 9.0)]),
];

fn written(runs: &str, trace: &[(u64, &[(u64, f64)])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("runs.csv"), format!("{COLUMNS}{runs}")).expect("a file");
    let file = fs::File::create(folder.path().join("trace.csv.gz")).expect("a file");
    let mut writer = Writer::new(file, Trigger::Improvements).expect("a header");
    for (run, course) in trace {
        let point = |&(evaluations, best_fitness): &(u64, f64)| Point {
            evaluations,
            generation: 0,
            best_fitness,
            mean_fitness: None,
            diversity: None,
        };
        writer.write(*run, &course.iter().map(point).collect::<Vec<_>>()).expect("rows");
    }
    writer.finish().expect("an end");
    folder
}

fn truncated(runs: &str, trace: &[(u64, &[(u64, f64)])], end: EarlierEnd) -> Result<(Vec<Row>, String), ReadError> {
    let folder = written(runs, trace);
    let [file, trace] = ["runs.csv", "trace.csv.gz"].map(|name| folder.path().join(name));
    let mut truncation = Truncation::open(&file, &[], &trace, end)?;
    let mut rows = Vec::new();
    for row in Reader::open(&file)? {
        let mut row = row?;
        truncation.read_course(&row)?;
        truncation.end_at(&mut row, end)?;
        rows.push(row);
    }
    Ok((rows, truncation.notes().join("\n")))
}

/// What is new of each run: solved, evaluations, those to the best, objective, gap, and why it stopped.
fn outcomes(target: Option<&str>, evaluations: Option<u64>) -> (Vec<String>, String) {
    let target = target.map(|target| target.parse().expect("a target"));
    let (rows, notes) = truncated(RUNS, &TRACE, EarlierEnd { target, evaluations }).expect("outcomes");
    let said = |row: &Row| {
        let RunOutcome { solved, evaluations, evaluations_to_best, objective, stop, .. } = row.outcome;
        let [objective, gap] = [objective, row.gap].map(shortest_or_none);
        let solved = solved.map_or_else(|| "-".to_owned(), |solved| solved.to_string());
        format!("{solved} {evaluations} {evaluations_to_best} {objective} {gap} {stop}")
    };
    (rows.iter().map(said).collect(), notes)
}

fn shortest_or_none(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

#[test]
fn a_run_counts_as_if_it_had_ended_at_the_target() {
    let (found, notes) = outcomes(Some("gap=4"), None);
    let expected = [
        "true 10 10 104 4 target",
        "false 50 30 210 5 evaluations",
        "true 20 20 103 3 target",
        "false 50 25 9 10 evaluations",
        "false 7 0 - - failed",
    ];
    assert_eq!(found, expected);
    insta::assert_snapshot!(notes, @"
    The target was set after the runs: a gap of 4 % or less.
    Runs that reach the target but have no trace (their evaluations are counted until the best value is found): 1.
    ");
}

#[test]
fn a_target_may_be_a_value_or_the_best_that_any_run_found() {
    assert_eq!(
        outcomes(Some("best=0"), None).0[..4],
        [
            "true 40 40 101 1 target",
            "true 30 30 210 5 target",
            "false 50 20 103 3 evaluations",
            "true 25 25 9 10 target",
        ]
    );
    // At least 7.5 of what is maximised, at most 7.5 of what is minimised.
    assert_eq!(
        outcomes(Some("objective=7.5"), None).0[2..4],
        ["false 50 20 103 3 evaluations", "true 12 12 7.5 25 target"]
    );
    assert_eq!(outcomes(Some("fitness=104"), None).0[0], "true 10 10 104 4 target");
    assert_eq!(outcomes(Some("best=16%"), None).0[3], "true 25 25 9 10 target");
    assert_eq!(outcomes(Some("best=17%"), None).0[3], "true 12 12 7.5 25 target");
}

#[test]
fn a_run_is_cut_at_a_limit() {
    let (found, notes) = outcomes(None, Some(25));
    let expected = [
        "- 25 10 104 4 evaluations",
        "- 25 1 260 30 evaluations",
        "- 25 20 103 3 evaluations",
        "- 25 25 9 10 evaluations",
        "false 7 0 - - failed",
    ];
    assert_eq!(found, expected);
    assert_eq!(notes, "Each run is cut at 25 evaluations. Generations, restarts and times of cut runs are unknown.");
    assert_eq!(outcomes(Some("gap=1"), Some(25)).0[0], "false 25 10 104 4 evaluations");
}

#[test]
fn a_limit_and_a_target_that_change_nothing_leave_the_runs() {
    let rows: Vec<Row> = Reader::new("runs.csv", format!("{COLUMNS}{RUNS}").as_bytes())
        .and_then(std::iter::Iterator::collect)
        .expect("rows");
    let end = EarlierEnd { target: None, evaluations: Some(50) };
    assert_eq!(truncated(RUNS, &TRACE, end).expect("outcomes").0, rows);
}

#[test]
fn what_the_trace_does_not_hold_is_refused() {
    let end = EarlierEnd { target: None, evaluations: Some(19) };
    let error = truncated(RUNS, &TRACE, end).expect_err("no trace of run 2").to_string();
    insta::assert_snapshot!(error, @r#"
    run 2 has no trace: its best value after 19 evaluations is unknown
      `run --fresh` repeats the runs with `[record] trace = "improvements"`
    "#);
    let others = "0,a,x,true,0.0,,,mistakes,3.0,50,5,40,target\n";
    let of_gap = EarlierEnd { target: Some(Target { kind: TargetKind::Gap, value: 1.0 }), evaluations: None };
    let error = truncated(others, &TRACE[..1], of_gap).expect_err("another fitness").to_string();
    insta::assert_snapshot!(error, @"
    run 0 optimised `mistakes` instead of its objective, and its trace has no objectives
      expected `--target fitness=VALUE` or `--target best=PERCENT`
    ");
    let backwards = RUNS.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
    let error = truncated(&backwards, &TRACE, end).expect_err("not sorted").to_string();
    assert!(
        error.ends_with(
            "run 3 comes after run 4: sort the rows of the trace by `run`, or move the trace to another folder"
        ),
        "{error}"
    );
}

#[test]
fn a_fitness_that_is_no_objective_has_none_at_the_cut() {
    let runs = "0,a,x,true,0.0,7.0,,mistakes,3.0,50,5,40,target\n";
    let end = EarlierEnd { target: Some(Target { kind: TargetKind::Best, value: 100.0 }), evaluations: Some(20) };
    let (rows, notes) = truncated(runs, &[(0, &[(1, 9.0), (10, 4.0), (40, 3.0)])], end).expect("an outcome");
    let Row { outcome, best_known, gap, .. } = &rows[0];
    assert_eq!((outcome.solved, outcome.evaluations, outcome.best_fitness), (Some(true), 10, Some(4.0)));
    assert_eq!((outcome.objective, *best_known, *gap), (None, None, None));
    insta::assert_snapshot!(notes, @"
    The target was set after the runs: a fitness at most 100 % worse than the best fitness found on the instance.
    Each run is cut at 20 evaluations. Generations, restarts and times of cut runs are unknown.
    Runs whose objective is unknown when the new target or limit is reached (the trace gives the fitness, which is not the objective): 1.
    Runs that optimised a fitness other than the objective (this fitness is compared with the target): 1.
    ");
}

#[test]
fn a_long_trace_is_said_to_be_thinned() {
    let course: Vec<(u64, f64)> = (1..=600).map(|at| (at, 1000.0 - at as f64)).collect();
    let runs = "0,a,x,,400.0,,,length,400.0,900,5,600,evaluations\n";
    let end = EarlierEnd { target: Some(Target { kind: TargetKind::Objective, value: 500.0 }), evaluations: None };
    let notes = truncated(runs, &[(0, &course)], end).expect("an outcome").1;
    assert!(notes.ends_with("or may have found a better value than shown): 1."), "{notes}");
}

//! The plan: which runs an experiment asks for, in which order, without holding them.

use std::fs;
use std::sync::Arc;

use evogrid_runner::catalogue;
use evogrid_runner::plan::{Plan, Run};
use evogrid_runner::spec::Spec;
use tempfile::TempDir;

/// The plan of an experiment with two small boards and one algorithm with these lines.
fn plan(repetitions: u32, algorithm: &str) -> Arc<Plan> {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("boards.csv"), "id,bucket,puzzle\na,x,1...............\nb,y,.2..............\n")
        .unwrap();
    let experiment = format!(
        "[experiment]\nname = \"plan\"\nseed = 1\nrepetitions = {repetitions}\n[[instances]]\nproblem = \"sudoku\"\n\
         path = \"boards.csv\"\n[algorithms.huke]\npreset = \"huke\"\n{algorithm}\n"
    );
    let path = folder.path().join("plan.toml");
    fs::write(&path, experiment).unwrap();
    let catalogue = catalogue();
    let spec = Spec::load(&path, &[], &catalogue).unwrap_or_else(|faults| panic!("{faults}"));
    Arc::new(Plan::new(spec, catalogue))
}

/// The varied settings of each cell, in order.
fn cells(plan: &Arc<Plan>) -> Vec<String> {
    let mut cells: Vec<String> = plan.runs().map(|run| run.cell.varied.join(" ")).collect();
    cells.dedup();
    cells
}

#[test]
fn a_grid_is_a_full_cross_and_the_last_setting_moves_fastest() {
    let plan = plan(
        2,
        "[algorithms.huke.grid]\npopulation = [10, 20]\n\"mutation.other\" = { from = 0.0, to = 0.2, step = 0.1 }",
    );
    assert_eq!(plan.varied(), ["population", "mutation.other"]);
    assert_eq!(cells(&plan), ["10 0", "10 0.1", "10 0.2", "20 0", "20 0.1", "20 0.2"]);
    assert_eq!((plan.n_cells(), plan.n_runs()), (6, 24));
    let first: Vec<(usize, u64)> = plan.runs().take(5).map(|run| (run.instance, run.repetition)).collect();
    assert_eq!(first, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)]);
}

#[test]
fn settings_in_a_zip_move_together() {
    let plan = plan(
        1,
        "[algorithms.huke.grid]\n\"budget.stagnation\" = [5, 10]\n\
         [algorithms.huke.zip]\npopulation = [10, 20]\n\"selection.fraction\" = [0.5, 0.25]",
    );
    assert_eq!(plan.varied(), ["budget.stagnation", "population", "selection.fraction"]);
    assert_eq!(cells(&plan), ["5 10 0.5", "5 20 0.25", "10 10 0.5", "10 20 0.25"]);
}

#[test]
fn what_is_excluded_is_left_out_and_not_counted() {
    let plan = plan(
        3,
        "exclude = [{ population = 10, \"mutation.other\" = 0.5 }, { population = 30 }]\n\
         [algorithms.huke.grid]\npopulation = [10, 20, 30]\n\"mutation.other\" = [0.0, 0.5]",
    );
    assert_eq!(cells(&plan), ["10 0", "20 0", "20 0.5"]);
    assert_eq!((plan.n_cells(), plan.n_runs()), (3, 18));
    assert_eq!(plan.runs().count(), 18);
}

#[test]
fn a_grid_over_operators_keeps_what_a_table_leaves_unsaid() {
    let plan = plan(
        1,
        "[algorithms.huke.grid]\nselection = [{ kind = \"truncation\", fraction = 0.1 }, { kind = \"sus\" }, \"truncation\"]",
    );
    assert_eq!(cells(&plan), ["truncation(fraction=0.1)", "sus", "truncation"]);
    let last = plan.runs().last().expect("there are runs");
    assert_eq!(last.cell.settings.at("selection.fraction").map(ToString::to_string).as_deref(), Some("0.2"));
}

#[test]
fn a_run_is_the_same_whether_it_is_reached_or_asked_for() {
    let plan = plan(
        3,
        "exclude = [{ population = 20 }]\n[algorithms.huke.grid]\npopulation = [10, 20, 30]\n\"mutation.other\" = [0.0, 0.5]",
    );
    let key = |run: &Run| (run.number, run.id, run.seed, run.instance, run.repetition, run.cell.varied.clone());
    for (number, run) in (0..).zip(plan.runs()) {
        assert_eq!(plan.run(number).as_ref().map(key), Some(key(&run)));
    }
    assert!(plan.run(plan.n_runs()).is_none());
}

#[test]
fn every_run_has_an_id_of_its_own() {
    let plan = plan(50, "[algorithms.huke.grid]\npopulation = [10, 20, 30]");
    let mut ids: Vec<u64> = plan.runs().map(|run| run.id.bits()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len() as u64, plan.n_runs());
}

#[test]
fn ten_million_runs_are_planned_without_being_made() {
    let plan = plan(
        5,
        "[algorithms.huke.grid]\npopulation = { from = 1, to = 1000, step = 1 }\n\"budget.stagnation\" = { from = 1, to = 1000, step = 1 }",
    );
    assert_eq!(plan.n_runs(), 10_000_000);
    let (first, last) = (plan.runs().next(), plan.run(9_999_999));
    assert_eq!(first.expect("the first").cell.varied, ["1", "1"]);
    assert_eq!(last.expect("the last").cell.varied, ["1000", "1000"]);
}

#[test]
fn a_run_of_a_grid_that_nobody_could_finish_is_found_without_going_through_it() {
    let axes = ["mutation_rate", "crossover_rate", "\"mutation.other\"", "\"selection.fraction\""]
        .map(|path| format!("{path} = {{ from = 0.001, to = 1, step = 0.001 }}\n"));
    let plan = plan(1000, &format!("[algorithms.huke.grid]\n{}", axes.concat()));
    assert_eq!(plan.n_runs(), 2_000_000_000_000_000);
    let last = plan.run(plan.n_runs() - 1).expect("the last");
    assert_eq!((last.cell.varied.join(" ").as_str(), last.instance, last.repetition), ("1 1 1 1", 1, 999));
    assert!(plan.run(plan.n_runs()).is_none());
}

#[test]
fn an_instance_that_was_written_in_another_way_is_the_same() {
    let ids = |content: &str| -> Vec<String> {
        let experiment = serde_json::json!({
            "file": "x.toml", "name": "x", "title": "", "seed": 1, "repetitions": 2, "seeding": "paired",
            "record": { "trace": "none" },
            "algorithms": [{
                "name": "a", "settings": {}, "base": { "kind": "backtracking" }, "varied": [], "excluded": [],
            }],
            "instances": [{ "id": "a", "bucket": "", "problem": "sudoku", "content": content }],
        });
        let experiment: evogrid_runner::manifest::Experiment =
            serde_json::from_value(experiment).expect("an experiment");
        let plan = Arc::new(experiment.plan(catalogue()).expect("a plan"));
        plan.runs().map(|run| run.id.to_string()).collect()
    };
    assert_eq!(ids("2x2 1...............").len(), 2);
    assert_eq!(ids("2x2 1..............."), ids("2x2 1000 0000 **** ____"));
}

//! The plan: which runs an experiment asks for, in which order, without holding them.

use std::fs;
use std::sync::Arc;

use evogrid_cli::catalogue;
use evogrid_results::metadata::ColumnType;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;
use tempfile::TempDir;

/// The plan of an experiment with two small boards and one algorithm with these lines.
pub(super) fn plan(repetitions: u32, algorithm: &str) -> Arc<Plan> {
    plan_with(repetitions, algorithm, &[])
}

/// The same with options of `--set`.
fn plan_with(repetitions: u32, algorithm: &str, sets: &[&str]) -> Arc<Plan> {
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
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let spec = Spec::load(&path, &sets, &catalogue).unwrap_or_else(|faults| panic!("{faults}"));
    Arc::new(Plan::new(spec, catalogue))
}

/// The varied settings of each configuration, in order.
fn configurations(plan: &Arc<Plan>) -> Vec<String> {
    let mut configurations: Vec<String> = plan.runs().map(|run| run.configuration.varied.join(" ")).collect();
    configurations.dedup();
    configurations
}

#[test]
fn a_grid_is_a_full_cross_and_the_last_setting_moves_fastest() {
    let plan = plan(
        2,
        "[algorithms.huke.grid]\npopulation = [10, 20]\n\"mutation.other\" = { from = 0.0, to = 0.2, step = 0.1 }",
    );
    assert_eq!(plan.varied(), ["population", "mutation.other"]);
    assert_eq!(configurations(&plan), ["10 0", "10 0.1", "10 0.2", "20 0", "20 0.1", "20 0.2"]);
    assert_eq!((plan.n_configurations(), plan.n_runs()), (6, 24));
    let first: Vec<(usize, u64)> = plan.runs().take(5).map(|run| (run.instance, run.repetition)).collect();
    assert_eq!(first, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)]);
}

#[test]
fn settings_added_later_change_no_run_that_does_not_use_them() {
    let ids = |lines: &str| -> Vec<String> {
        let algorithm = format!("[algorithms.mccaffrey]\npreset = \"mccaffrey\"\n{lines}");
        plan(1, &algorithm).runs().map(|run| run.id.to_string()).collect()
    };
    // From before there were any.
    let before = ["rbcdb5515a518c396", "r962f8789b3c713e7", "r6a0a6ec4ae9039f0", "r43532be2a0d782ba"];
    assert_eq!(ids(""), before);
    assert_eq!(ids("mistake_resets_age = false"), before);
    let equivalence = ids("equivalence = \"ring\"");
    assert_eq!(ids("equivalence = \"ring\"\nequivalence_conflicts = false"), equivalence);
    let is_changed = |changed: &str, before: &[String]| {
        let ids = ids(changed);
        assert!(ids[..2] == before[..2] && ids[2] != before[2] && ids[3] != before[3], "{changed}");
    };
    is_changed("mistake_resets_age = true", &before.map(str::to_owned));
    is_changed("equivalence = \"ring\"\nequivalence_conflicts = true", &equivalence);
    let varied = ids("[algorithms.mccaffrey.grid]\nmistake_resets_age = [true, false]");
    assert_eq!((&varied[..2], &varied[4..]), (&before.map(str::to_owned)[..2], &before.map(str::to_owned)[2..]));
}

#[test]
fn an_option_reaches_every_key_of_a_grid_and_every_name() {
    let grid = "[algorithms.huke.grid]\n\"mutation.other\" = [0.0, 0.1]\n\"budget.stagnation\" = [5, 10]\n\
                [algorithms.\"huke-0.5\"]\npreset = \"huke\"\nmutation_rate = 0.5\n";
    let with = |sets: &[&str]| {
        let plan = plan_with(1, grid, sets);
        (configurations(&plan), plan.n_runs())
    };
    let before = with(&[]);
    assert_eq!(before.0, ["0 5", "0 10", "0.1 5", "0.1 10", "0.1111111111111111 25"]);
    for path in [
        "algorithms.huke.grid.mutation.other",
        "algorithms.huke.grid.\"mutation.other\"",
        "algorithms.huke.grid.'mutation.other'",
        " algorithms . \"huke\" . grid . mutation . other ",
    ] {
        let changed = with(&[&format!("{path}=[0.25]")]);
        assert_eq!(changed.0, ["0.25 5", "0.25 10", "0.1111111111111111 25"], "{path}");
    }
    let tables = grid.replace("\"mutation.other\"", "mutation.other");
    let plan = plan_with(1, &tables, &["algorithms.huke.grid.mutation.other=[0.25]"]);
    assert_eq!(configurations(&plan), ["5 0.25", "10 0.25", "25 0.1111111111111111"]);
    // What the grid does not vary yet is varied, too.
    assert_eq!(with(&["algorithms.huke.grid.population=[10, 20]"]).1, 2 * before.1 - 2);
    let renamed = plan_with(1, grid, &["algorithms.\"huke-0.5\".mutation.other=0.75"]);
    assert_eq!(configurations(&renamed).last().unwrap(), "0.75 25");
}

#[test]
fn settings_in_a_zip_move_together() {
    let plan = plan(
        1,
        "[algorithms.huke.grid]\n\"budget.stagnation\" = [5, 10]\n\
         [algorithms.huke.zip]\npopulation = [10, 20]\n\"selection.fraction\" = [0.5, 0.25]",
    );
    assert_eq!(plan.varied(), ["budget.stagnation", "population", "selection.fraction"]);
    assert_eq!(configurations(&plan), ["5 10 0.5", "5 20 0.25", "10 10 0.5", "10 20 0.25"]);
}

#[test]
fn what_is_excluded_is_left_out_and_not_counted() {
    let plan = plan(
        3,
        "exclude = [{ population = 10, \"mutation.other\" = 0.5 }, { population = 30 }]\n\
         [algorithms.huke.grid]\npopulation = [10, 20, 30]\n\"mutation.other\" = [0.0, 0.5]",
    );
    assert_eq!(configurations(&plan), ["10 0", "20 0", "20 0.5"]);
    assert_eq!((plan.n_configurations(), plan.n_runs()), (3, 18));
    assert_eq!(plan.runs().count(), 18);
}

// `check` refuses external programs elsewhere.
#[cfg(unix)]
#[test]
fn what_is_excluded_is_judged_by_what_it_comes_to() {
    let grid = "[algorithms.huke.grid]\ncrossover_rate = [0.5, 1.0]\n\
                selection = [\"sus\", { kind = \"truncation\", fraction = 0.4 }, \"truncation\"]\n";
    let all = [
        "0.5 sus",
        "0.5 truncation(fraction=0.4)",
        "0.5 truncation",
        "1 sus",
        "1 truncation(fraction=0.4)",
        "1 truncation",
    ];
    let without = |left_out: &[&str]| {
        all.into_iter().filter(|configuration| !left_out.contains(configuration)).collect::<Vec<_>>()
    };
    for (exclusion, left_out) in [
        // A whole number and a fraction.
        ("crossover_rate = 1", &all[3..]),
        // The short and the long form of an operator, and a default that is written out.
        ("selection = { kind = \"sus\" }", &["0.5 sus", "1 sus"]),
        ("selection = { kind = \"sus\", scaling = \"inverse\" }", &["0.5 sus", "1 sus"]),
        ("crossover_rate = 1, selection = \"truncation\"", &["1 truncation"]),
        ("selection = { kind = \"truncation\", fraction = 0.2 }", &["0.5 truncation", "1 truncation"]),
        // A part of what an axis varies, and the default of that part.
        ("\"selection.fraction\" = 0.4", &["0.5 truncation(fraction=0.4)", "1 truncation(fraction=0.4)"]),
        ("selection.kind = \"sus\", selection.fraction = 0.2", &["0.5 sus", "1 sus"]),
        // A value of the preset that no axis names.
        ("mutation_rate = 1, crossover_rate = 0.5", &all[..3]),
        ("mutation = { kind = \"collision-swap\" }, crossover_rate = 0.5", &all[..3]),
        ("\"budget.stagnation\" = 25, selection = \"sus\"", &["0.5 sus", "1 sus"]),
    ] {
        assert_eq!(
            configurations(&plan(1, &format!("exclude = [{{ {exclusion} }}]\n{grid}"))),
            without(left_out),
            "{exclusion}"
        );
    }
    let limits =
        plan(1, "exclude = { budget.stagnation = \"none\" }\ngrid = { \"budget.stagnation\" = [\"none\", 5] }");
    assert_eq!(configurations(&limits), ["5"]);
    let of_program = |exclusion: &str| {
        let other =
            "[algorithms.other]\nkind = \"external\"\ncommand = \"sh {a} {b}\"\nparameters = { a = 1, b = 1 }\n";
        let grid = "parameters = [{ b = 2 }, { b = 3 }]\n\"parameters.a\" = [4, 5]";
        configurations(&plan(1, &format!("{other}exclude = {exclusion}\n[algorithms.other.grid]\n{grid}")))[1..]
            .to_vec()
    };
    assert_eq!(of_program("{ \"parameters.a\" = 5.0 }"), ["(b=2) 4", "(b=3) 4"]);
    assert_eq!(of_program("{ parameters = { b = 3 }, \"parameters.a\" = 4 }"), ["(b=2) 4", "(b=2) 5", "(b=3) 5"]);
}

#[test]
fn the_kind_of_an_operator_does_not_take_back_a_setting_beside_it() {
    // In whatever order the axes are written.
    let plan = plan(1, "[algorithms.huke.grid]\n\"selection.fraction\" = [0.3, 0.4]\n\"selection.kind\" = [\"sus\"]");
    let fractions =
        plan.runs().map(|run| run.configuration.settings.at("selection.fraction").expect("it is there").to_string());
    assert_eq!(fractions.collect::<Vec<_>>(), ["0.3", "0.3", "0.4", "0.4"]);
    assert_eq!(configurations(&plan), ["0.3 sus", "0.4 sus"]);
}

#[test]
fn settings_of_one_operator_count_in_whatever_order_their_keys_stand() {
    let ids = |lines: &str, sets: &[&str]| -> Vec<String> {
        plan_with(1, lines, sets).runs().map(|run| run.id.to_string()).collect()
    };
    let expected = ids("mutation = { kind = \"collision-swap\", other = 0.25, genes = \"one\" }", &[]);
    for lines in [
        "\"mutation.other\" = 0.25\n\"mutation.kind\" = \"collision-swap\"\nmutation.genes = \"one\"",
        "\"mutation.other\" = 0.25\nmutation = { kind = \"collision-swap\", genes = \"one\" }",
        "\"mutation.genes\" = \"one\"\n\"mutation.other\" = 0.25",
    ] {
        assert_eq!(ids(lines, &[]), expected, "{lines}");
    }
    // The command line replaces what the file has, under whatever key.
    for (lines, set) in [
        ("\"mutation.genes\" = \"one\"\n\"mutation.other\" = 0.5", "algorithms.huke.mutation.other=0.25"),
        ("mutation.genes = \"one\"\nmutation.other = 0.5", "\"mutation.other\"=0.25"),
        ("mutation.genes = \"one\"\n\"mutation.other\" = 0.5", "algorithms.huke.\"mutation.other\"=0.25"),
        ("\"mutation.other\" = 0.5", "mutation={kind=\"collision-swap\", other=0.25, genes=\"one\"}"),
    ] {
        assert_eq!(ids(lines, &[set]), expected, "{lines} {set}");
    }
}

#[test]
fn a_grid_over_operators_keeps_what_a_table_leaves_unsaid() {
    let plan = plan(
        1,
        "[algorithms.huke.grid]\nselection = [{ kind = \"truncation\", fraction = 0.1 }, { kind = \"sus\" }, \"truncation\"]",
    );
    assert_eq!(configurations(&plan), ["truncation(fraction=0.1)", "sus", "truncation"]);
    let last = plan.runs().last().expect("there are runs");
    assert_eq!(last.configuration.settings.at("selection.fraction").map(ToString::to_string).as_deref(), Some("0.2"));
}

#[test]
fn a_run_is_the_same_whether_it_is_reached_or_asked_for() {
    let plan = plan(
        3,
        "exclude = [{ population = 20 }]\n[algorithms.huke.grid]\npopulation = [10, 20, 30]\n\"mutation.other\" = [0.0, 0.5]",
    );
    let key =
        |run: &Run| (run.number, run.id, run.seed, run.instance, run.repetition, run.configuration.varied.clone());
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
    assert_eq!(first.expect("the first").configuration.varied, ["1", "1"]);
    assert_eq!(last.expect("the last").configuration.varied, ["1000", "1000"]);
}

#[test]
fn a_run_of_a_grid_that_nobody_could_finish_is_found_without_going_through_it() {
    let axes = ["mutation_rate", "crossover_rate", "\"mutation.other\"", "\"selection.fraction\""]
        .map(|path| format!("{path} = {{ from = 0.001, to = 1, step = 0.001 }}\n"));
    let plan = plan(1000, &format!("[algorithms.huke.grid]\n{}", axes.concat()));
    assert_eq!(plan.n_runs(), 2_000_000_000_000_000);
    let last = plan.run(plan.n_runs() - 1).expect("the last");
    assert_eq!((last.configuration.varied.join(" ").as_str(), last.instance, last.repetition), ("1 1 1 1", 1, 999));
    assert!(plan.run(plan.n_runs()).is_none());
}

// `check` refuses external programs elsewhere.
#[cfg(unix)]
#[test]
fn the_settings_of_every_configuration_are_those_that_the_whole_resolves_to() {
    let grids = [
        // An operator and its own settings, settings of the algorithm, the budget.
        "[algorithms.huke.grid]\nselection = [{ kind = \"truncation\" }, { kind = \"sus\", scaling = \"windowing\" }, \"sus\"]\n\
         \"selection.fraction\" = [0.5, 1]\npopulation = [10, 20]\n\"budget.stagnation\" = [5, 10]\n\"budget.seconds\" = [1, 2.5]",
        // Settings of two operators that move together.
        "[algorithms.huke.grid]\ncrossover_rate = [0, 1]\n[algorithms.huke.zip]\n\"mutation.other\" = [0, 0.5, 1]\n\
         \"selection.fraction\" = [0.1, 0.2, 0.3]",
        // Algorithms, and settings that move with them.
        "[algorithms.other]\nfitness = \"collisions\"\n[algorithms.other.zip]\nkind = [\"combinatorial-evolution\", \"backtracking\"]\n\
         \"budget.generations\" = [10, 20]\n[algorithms.other.grid]\n\"budget.evaluations\" = [100, 200]\nrepresentation = [\"boxes\", \"rows\"]",
        // A table of names of one's own, as a whole and in parts.
        "[algorithms.other]\nkind = \"external\"\ncommand = \"sh {a} {b} {c}\"\nparameters = { a = 1, c = 1 }\n[algorithms.other.grid]\n\
         parameters = [{ b = 1 }, { b = 2.0, c = 3 }]\n\"parameters.a\" = [4, 5.5]",
    ];
    let catalogue = catalogue();
    for grid in grids {
        let plan = plan(1, grid);
        let mut n_configurations = 0;
        for algorithm in &plan.spec().algorithms {
            let spec = algorithm.spec();
            let lengths: Vec<usize> = spec.axes.iter().map(|axis| axis.points.len()).collect();
            for number in 0..lengths.iter().product() {
                let mut left: usize = number;
                let points: Vec<usize> = lengths.iter().map(|len| (left % len, left /= len).0).collect();
                let whole = catalogue.resolve(&spec.settings(&points), &["sudoku"]).expect("it is right");
                assert_eq!(algorithm.settings(&points), whole, "{} at {points:?}", spec.name);
                n_configurations += 1;
            }
        }
        assert_eq!(plan.n_configurations(), n_configurations);
    }
}

/// A manifest's experiment with one algorithm.
fn experiment(content: &str, algorithm: &serde_json::Value) -> Experiment {
    let experiment = serde_json::json!({
        "file": "x.toml", "name": "x", "title": "", "seed": 1, "repetitions": 2, "seeding": "paired",
        "record": { "trace": "none" },
        "algorithms": [algorithm],
        "instances": [{ "id": "a", "bucket": "", "problem": "sudoku", "content": content }],
    });
    serde_json::from_value(experiment).expect("an experiment")
}

#[test]
fn a_manifest_that_was_changed_by_hand_is_refused_with_what_is_wrong() {
    let refusal = |base: serde_json::Value, varied: serde_json::Value| {
        let algorithm =
            serde_json::json!({ "name": "a", "settings": {}, "base": base, "varied": varied, "excluded": [] });
        let plan = experiment("2x2 1...............", &algorithm).plan(catalogue());
        let message = format!("{:#}", plan.err().expect("it is refused"));
        message.split(';').next().unwrap_or_default().to_owned()
    };
    let exact = serde_json::json!({ "kind": "backtracking", "budget": { "evaluations": 10 } });
    let axis =
        |path: &str, points: [f64; 2]| serde_json::json!({ "settings": [path], "points": points.map(|point| [point]) });
    let refusals = [
        refusal(serde_json::json!({ "kind": "backtraking" }), serde_json::json!([])),
        refusal(exact.clone(), serde_json::json!([axis("budget.seconds", [1.0, -1.0])])),
        refusal(exact.clone(), serde_json::json!([axis("kind", [1.0, 2.0]), axis("kind", [1.0, 2.0])])),
        refusal(exact.clone(), serde_json::json!([axis("", [1.0, 2.0])])),
        refusal(exact, serde_json::json!([axis("budget.", [1.0, 2.0])])),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn an_instance_that_was_written_in_another_way_is_the_same() {
    let ids = |content: &str| -> Vec<String> {
        let algorithm = serde_json::json!({
            "name": "a", "settings": {}, "base": { "kind": "backtracking" }, "varied": [], "excluded": [],
        });
        let experiment = experiment(content, &algorithm);
        let plan = Arc::new(experiment.plan(catalogue()).expect("a plan"));
        plan.runs().map(|run| run.id.to_string()).collect()
    };
    assert_eq!(ids("2x2 1...............").len(), 2);
    assert_eq!(ids("2x2 1..............."), ids("2x2 1000 0000 **** ____"));
}

#[test]
fn the_type_of_a_varied_setting_is_that_of_all_its_values() {
    let plan = plan(
        1,
        "[algorithms.huke.grid]\npopulation = [10, 20]\nmutation_rate = [0, 1]\nmutation = [\"collision-swap\", \"rotation\"]\n\
         \"budget.stagnation\" = [5, \"none\"]",
    );
    let types = plan.varied_types();
    let of = |path: &str| types.iter().find(|varied| varied.path == path).expect("it is varied");
    assert_eq!((of("population").column, of("population").may_be_fraction), (ColumnType::Whole, false));
    assert_eq!((of("mutation_rate").column, of("mutation_rate").may_be_fraction), (ColumnType::Real, true));
    assert_eq!(of("mutation").column, ColumnType::Text);
    assert_eq!(of("budget.stagnation").column, ColumnType::Text, "a number, or none");
    assert_eq!(types.iter().map(|varied| varied.path).collect::<Vec<_>>(), plan.varied());
}

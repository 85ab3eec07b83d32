//! Spaces and designs: which configurations a design has, and that they stay what they are.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use evogrid_cli::catalogue;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::space::{DimensionCondition, Values};

use super::plan::plan;
use crate::test_folder::TestFolder;

/// A space with ranges of every kind, and settings that have an effect with some choices alone.
const SPACE: &str = "[algorithms.huke.space]\n\
    population = { from = 10, to = 100, scale = \"log\" }\n\
    selection = [\"truncation\", \"sus\", { kind = \"tournament\" }]\n\
    \"selection.size\" = { from = 2, to = 9 }\n\
    \"selection.scaling\" = [\"inverse\", \"windowing\"]\n\
    crossover_rate = { from = 0, to = 1 }\n\
    equivalence = [\"none\", \"ring\"]\n\
    equivalence_weight = { from = 0.01, to = 100, scale = \"log\" }\n";

fn sampled(design: &str) -> Arc<Plan> {
    plan(1, &format!("{SPACE}{design}"))
}

fn ids(plan: &Arc<Plan>) -> Vec<String> {
    plan.runs().map(|run| run.id.to_string()).collect()
}

#[test]
fn conditions_and_types_follow_from_the_declarations() {
    let plan = sampled("");
    let space = &plan.spec().algorithms[0].spec().space;
    assert_eq!(plan.n_configurations(), 1, "a space alone changes nothing");
    let condition = |path: &str| {
        let dimension = space.dimensions.iter().find(|dimension| dimension.path == path).expect("it is there");
        dimension.condition.as_ref().map(|DimensionCondition { dimension, choices }| (*dimension, choices.clone()))
    };
    assert_eq!(condition("selection.size"), Some((1, vec![2])));
    assert_eq!(condition("selection.scaling"), Some((1, vec![1])));
    assert_eq!(condition("equivalence_weight"), Some((5, vec![1])));
    assert_eq!(["population", "selection", "crossover_rate"].map(condition), [None, None, None]);
    assert_eq!(space.dimensions[0].values, Values::Whole { low: 10, high: 100, is_log: true });
    assert_eq!(space.dimensions[4].values, Values::Real { low: 0.0, high: 1.0, is_log: false });
}

// `check` refuses external programs elsewhere.
#[cfg(unix)]
#[test]
fn the_settings_of_every_point_are_those_that_the_whole_resolves_to() {
    let designs = [
        format!("{SPACE}[algorithms.huke.design]\nsample = {{ count = 200, method = \"sobol\" }}"),
        format!("{SPACE}[algorithms.huke.design]\nsample = {{ count = 50, method = \"latin-hypercube\" }}\nspace = {{ equivalence = [\"ring\", \"lines\"] }}"),
        "[algorithms.huke.design]\ngrid = { selection = [\"sus\", \"tournament\"], \"selection.size\" = [2, 4], population = [10, 20] }".to_owned(),
        // Here 1.0 is 1.
        "[algorithms.other]\nkind = \"external\"\ncommand = \"sh {a} {b}\"\nparameters = { b = 1 }\n[algorithms.other.space]\n\
         \"parameters.a\" = { from = 0.9, to = 1.1 }\n\"parameters.b\" = { from = 1, to = 3 }\n\
         [algorithms.other.design]\nsample = { count = 2000, method = \"random\" }"
            .to_owned(),
    ];
    let catalogue = catalogue();
    for design in designs {
        let plan = plan(1, &design.replace("parameters = { b = 1 }", "parameters = { a = 1.05, b = 1 }"));
        for algorithm in &plan.spec().algorithms {
            let mut seen = BTreeSet::new();
            for number in 0..algorithm.n_configurations() {
                let points = algorithm.configuration(number);
                let whole = catalogue.resolve(&algorithm.spec().settings(&points), &["sudoku"]).expect("it is right");
                assert_eq!(algorithm.settings(&points), whole, "{number} of {design}");
                assert!(seen.insert(whole.canonical()), "{number} of {design} is there twice");
            }
        }
    }
}

#[test]
fn united_designs_have_each_configuration_once() {
    let grid = "[[algorithms.huke.design]]\ngrid = { population = [10, 1000], crossover_rate = [0.0, 1.0] }\n";
    let narrow = "[[algorithms.huke.design]]\ngrid = { population = [10, 50] }\n";
    let n_configurations = |designs: &[&str]| sampled(&designs.concat()).n_configurations();
    assert_eq!(n_configurations(&[grid]), 4);
    // The preset has a rate of 1: a population of 10 is in both.
    assert_eq!(n_configurations(&[grid, narrow]), 5);
    assert_eq!(n_configurations(&[grid, narrow, grid]), 5);
    let sample = "[[algorithms.huke.design]]\nsample = { count = 30, method = \"halton\" }\n";
    let united = sampled(&[sample, grid, sample].concat());
    assert_eq!(united.n_configurations(), 34);
    let ids = ids(&united);
    assert_eq!(BTreeSet::from_iter(&ids).len(), ids.len());
}

#[test]
fn a_small_space_has_each_point_once_and_a_choice_without_effect_counts_once() {
    let sample = |space: &str| {
        let lines = format!(
            "[algorithms.huke.space]\n{space}[algorithms.huke.design]\nsample = {{ count = 500, method = \"sobol\" }}"
        );
        plan(1, &lines)
    };
    let plan = sample(
        "population = { from = 10, to = 12 }\nselection = [\"truncation\", \"tournament\"]\n\"selection.size\" = [2, 3]\n",
    );
    assert_eq!(plan.n_configurations(), 9);
    assert_eq!(plan.spec().notes, ["the designs of `huke` leave out 491 points: equal to an earlier point"]);
    let plan = sample("population = { from = 10, to = 12 }\ncrossover_rate = [0.5, 1]\n");
    assert_eq!(plan.n_configurations(), 6);
    assert_eq!(plan.run(11).expect("the last").configuration.varied.len(), 2);
}

#[test]
fn an_exclusion_leaves_out_points_of_a_space() {
    let plan = plan(
        1,
        "exclude = [{ selection = { kind = \"sus\" }, population = 11.0 }, { \"selection.size\" = 3 }]\n\
         [algorithms.huke.space]\npopulation = { from = 10, to = 12 }\nselection = [\"sus\", \"tournament\"]\n\
         \"selection.size\" = { from = 2, to = 4 }\n\
         [algorithms.huke.design]\nsample = { count = 500, method = \"random\" }",
    );
    assert_eq!(plan.n_configurations(), 2 + 6);
    let spec = plan.spec().algorithms[0].spec();
    assert_eq!(spec.space.forbidden.len(), 2);
    let varied = plan.configurations().map(|configuration| configuration.varied.join(" "));
    assert!(varied.into_iter().all(|varied| varied != "11 sus " && !varied.ends_with(" 3")));
}

#[test]
fn more_points_keep_the_runs_of_fewer_except_with_a_latin_hypercube() {
    for (method, is_kept) in [("sobol", true), ("halton", true), ("random", true), ("latin-hypercube", false)] {
        let of = |count| {
            ids(&sampled(&format!("[algorithms.huke.design]\nsample = {{ count = {count}, method = \"{method}\" }}")))
        };
        let (few, many) = (of(20), of(30));
        assert_eq!(many.starts_with(&few), is_kept, "{method}");
    }
}

#[test]
fn a_manifest_holds_spaces_and_designs() {
    let plan = sampled(
        "[[algorithms.huke.design]]\nsample = { count = 50, method = \"sobol\", seed = 3 }\n\
         [[algorithms.huke.design]]\ngrid = { population = [10, 20] }",
    );
    let written = serde_json::to_string(&Experiment::new(&plan, Path::new("plan.toml"), &[])).expect("it is written");
    let read: Experiment = serde_json::from_str(&written).expect("it is read");
    let again = Arc::new(read.plan(catalogue()).expect("a plan"));
    assert_eq!(ids(&plan), ids(&again));
    assert_eq!(again.spec().algorithms[0].spec().space, plan.spec().algorithms[0].spec().space);
    assert!(
        plan.runs()
            .map(|run| run.configuration.varied.clone())
            .eq(again.runs().map(|run| run.configuration.varied.clone()))
    );
    assert_eq!(Experiment::new(&again, Path::new("plan.toml"), &[]).difference(&read), None);
}

#[test]
fn a_design_that_was_changed_by_hand_is_refused() {
    let plan = sampled("[algorithms.huke.design]\nsample = { count = 50, method = \"sobol\" }");
    let written = serde_json::to_value(Experiment::new(&plan, Path::new("plan.toml"), &[])).expect("it is written");
    let refusal = |pointer: &str, value: serde_json::Value| {
        let mut changed = written.clone();
        *changed.pointer_mut(&format!("/algorithms/0/designs/0/{pointer}")).expect("it is there") = value;
        let plan = serde_json::from_value::<Experiment>(changed)
            .map_err(anyhow::Error::from)
            .and_then(|read| read.plan(catalogue()));
        let message = format!("{:#}", plan.err().expect("it is refused"));
        message.split(';').next().unwrap_or_default().to_owned()
    };
    let refusals = [
        refusal("sample/count", 0.into()),
        refusal("sample/count", 4_000_000_000_u32.into()),
        refusal("sample/method", "lhs".into()),
        refusal("sample", serde_json::Value::Null),
        refusal("space/dimensions/0/values/whole/low", (-5).into()),
        refusal("space/dimensions/0/values/whole/high", i64::MAX.into()),
        refusal("space/dimensions/0/values/whole/high", 5.into()),
        refusal("space/dimensions/0/path", "crossover_rate".into()),
        refusal("space/dimensions/0/path", "mutation_rate".into()),
        refusal("space/dimensions/1/values/choices", serde_json::json!([])),
        refusal("space/dimensions/1/values/choices/0", serde_json::json!([1])),
        refusal("space/dimensions/2/condition/dimension", 4.into()),
        refusal("space/dimensions/2/condition/choices/0", 7.into()),
        refusal("space/dimensions/2/condition/choices/0", 1.into()),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn the_plan_shows_how_designs_cover_their_spaces() {
    let folder = TestFolder::new("[10]", 1);
    let text = folder.read("test.toml");
    let design = "[algorithms.huke.budget]\ngenerations = 1\n[[algorithms.huke.design]]\nsample = { count = 100, method = \"sobol\" }\n\
                  [[algorithms.huke.design]]\nsample = { count = 9, method = \"latin-hypercube\" }\nspace = { mutation = [\"swap-random\", \"collision-swap\", \
                  { kind = \"collision-swap\", other = 0.25 }] }\n\
                  [[algorithms.huke.design]]\ngrid = { population = [10, 20], crossover_rate = [0, 1] }\n";
    folder.write("test.toml", text.replace("[algorithms.huke.grid]\npopulation = [10]", &format!("{SPACE}{design}")));
    let (status, shown, said) = folder.report(&["plan", "test.toml"]);
    assert_eq!(status, Some(0), "{said}");
    let shown = shown.split("  113 configurations").next().expect("a part");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn a_setting_without_effect_has_an_empty_field() {
    let folder = TestFolder::new("[10]", 1);
    let text = folder.read("test.toml");
    let design = "[algorithms.huke.budget]\ngenerations = 1\n[algorithms.huke.design]\nsample = { count = 6, method = \"sobol\" }\n";
    folder.write("test.toml", text.replace("[algorithms.huke.grid]\npopulation = [10]", &format!("{SPACE}{design}")));
    let (status, _, said) = folder.report(&["run", "test.toml", "--out", "results"]);
    assert_eq!(status, Some(0), "{said}");
    let rows = folder.read("results/runs.csv");
    let fields: BTreeSet<String> =
        rows.lines().map(|row| row.split(',').skip(4).take(6).collect::<Vec<_>>().join(",")).collect();
    insta::assert_snapshot!(fields.into_iter().collect::<Vec<_>>().join("\n"));
    let (status, _, said) = folder.report(&["verify", "results"]);
    assert_eq!(status, Some(0), "{said}");
}

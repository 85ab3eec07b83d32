//! `--timing`: in which order runs are done, and that nothing but their times depends on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::shard::Shard;
use evogrid_runner::experiment::spec::Spec;
use proptest::prelude::*;
use serde_json::Value;

use crate::test_folder::TestFolder;

/// A plan of so many configurations, one of which is left out where there are several, on so many instances.
fn plan(n_configurations: u64, n_instances: usize, repetitions: u64) -> Arc<Plan> {
    let folder = TestFolder::empty();
    let boards: String = (1..=n_instances).map(|digit| format!("{digit},{digit}{}\n", ".".repeat(15))).collect();
    folder.write("boards.csv", format!("id,puzzle\n{boards}"));
    let populations: Vec<String> =
        (0..n_configurations).map(|configuration| (10 + configuration).to_string()).collect();
    let excluded = if n_configurations > 1 { "exclude = [{ population = 11 }]" } else { "" };
    let text = format!(
        "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = {repetitions}\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\
         [algorithms.huke]\npreset = \"huke\"\n{excluded}\n[algorithms.huke.grid]\npopulation = [{}]\n\
         [algorithms.random]\nkind = \"random-search\"\nbudget.evaluations = 1\n",
        populations.join(", ")
    );
    folder.write("test.toml", text);
    let catalogue = evogrid_cli::catalogue();
    let spec = Spec::load(&folder.path("test.toml"), &[], &catalogue).expect("an experiment");
    Arc::new(Plan::new(spec, catalogue))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn each_repetition_of_all_configurations_comes_before_the_next(
        n_configurations in 1u64..6, n_instances in 1usize..5, repetitions in 1u64..5, shard in 1u64..4
    ) {
        let plan = plan(n_configurations, n_instances, repetitions);
        let runs: Vec<Run> = plan.interleaved(None).flatten().collect();
        let place = |run: &Run| (run.repetition, run.instance, run.configuration_number);
        prop_assert!(runs.is_sorted_by(|one, other| place(one) < place(other)), "configuration by configuration, then instance, then repetition");
        let by_number: BTreeMap<u64, &Run> = runs.iter().map(|run| (run.number, run)).collect();
        prop_assert_eq!(by_number.len(), runs.len());
        prop_assert_eq!(runs.len() as u64, plan.n_runs());
        for run in plan.runs() {
            let same = by_number[&run.number];
            prop_assert_eq!((run.id, run.seed, run.instance, run.repetition), (same.id, same.seed, same.instance, same.repetition));
            prop_assert_eq!(&run.configuration.varied, &same.configuration.varied);
        }
        let shard: Shard = format!("{shard}/3").parse().expect("a shard");
        let mut of_shard: Vec<u64> = plan.interleaved(Some(shard)).flatten().map(|run| run.number).collect();
        of_shard.sort_unstable();
        prop_assert_eq!(of_shard, plan.blocks(Some(shard), 7).flatten().map(|run| run.number).collect::<Vec<_>>());
    }
}

fn manifest(folder: &TestFolder, results: &str) -> Value {
    serde_json::from_str(&folder.read(format!("{results}/manifest.json"))).expect("it is JSON")
}

#[test]
fn timed_runs_are_the_same_but_for_their_times_and_the_manifest_says_how_they_were_timed() {
    let folder = TestFolder::new("[20, 60]", 3);
    folder.run(&["--out", "plain"]);
    let told = folder.run(&["--out", "timed", "--timing"]);
    assert!(told.contains("timing: one run at a time"), "{told}");
    assert_eq!(folder.rows("plain"), folder.rows("timed"));
    let [plain, timed] = ["plain", "timed"].map(|results| manifest(&folder, results)["sessions"][0].clone());
    assert_eq!(plain["timing"], Value::Null);
    let timing = &timed["timing"];
    assert_eq!((&timing["order"], &timing["warm_up_seconds"]), (&"interleaved".into(), &1.0.into()));
    // What the system does not tell is said to be unknown.
    let facts = ["/timing/cpus", "/timing/pinned", "/timing/warm_up_share", "/timing/mhz"];
    let governing = ["governor", "min_mhz", "max_mhz", "turbo"].map(|fact| format!("/timing/frequency/{fact}"));
    let topology = ["sockets", "cores", "threads", "usable_cores", "virtual"].map(|fact| format!("/topology/{fact}"));
    let load = ["/load_average", "/at_end/load_average", "/at_end/stolen_share", "/at_end/mhz"];
    for fact in facts.into_iter().chain(load).chain(governing.iter().chain(&topology).map(String::as_str)) {
        assert!(timed.pointer(fact).is_some_and(|value| !value.is_null()), "{fact}: {timed}");
    }
    if let Some(cpus) = timing["cpus"].as_array() {
        assert_eq!(Some(cpus.len() as u64), timed["jobs"].as_u64());
        assert!(timed["jobs"].as_u64() <= timed["topology"]["usable_cores"].as_u64(), "{timed}");
    }
    folder.outputs(0, &["verify", "timed"]);
    folder.outputs(0, &["report", "timed"]);
}

#[cfg(target_os = "linux")]
#[test]
fn more_runs_at_a_time_than_physical_cores_are_refused_before_anything_is_written() {
    let folder = TestFolder::new("[20]", 1);
    let told = folder.refused(2, &["run", "test.toml", "--timing", "--jobs", "4096"]);
    assert!(
        told.starts_with("error: `--timing`")
            && told.contains("`--jobs` asks for 4096")
            && told.contains("\n  expected at most `--jobs "),
        "{told}"
    );
    assert!(!folder.path("results").exists());
}

// Windows tells no processor times.
#[cfg(unix)]
#[test]
fn runs_that_were_timed_and_others_are_not_taken_for_the_same() {
    let folder = TestFolder::new("[20]", 1);
    folder.run(&["--timing"]);
    folder.write_experiment("[20, 40]", 1);
    folder.run(&[]);
    let (table, _) = folder.outputs(0, &["table", "results/test"]);
    let note = "Times were measured in two ways (8 runs with `--timing` and 8 without";
    assert!(table.replace('\n', " ").contains(note), "{table}");
    let (compared, _) = folder.outputs(0, &["compare", "results/test", "--metric", "wall_ms"]);
    assert!(compared.replace('\n', " ").contains(note) && compared.contains("median cpu ms to solve"), "{compared}");
    let (compared, _) = folder.outputs(0, &["compare", "results/test", "--metric", "cpu_ms"]);
    assert!(!compared.contains("two ways"), "it shows no wall time: {compared}");
}

// It sends a signal.
#[cfg(unix)]
#[test]
fn the_command_to_go_on_with_times_as_before() {
    use crate::test_folder::{report_at_end, send};

    let folder = TestFolder::new("[1000]", 200);
    let child = folder.start_until("o", 1, &["run", "test.toml", "--out", "o", "--timing", "--jobs", "1"]);
    send("INT", &child);
    let (status, _, told) = report_at_end(child);
    assert_eq!(status, Some(130), "{told}");
    assert!(told.contains("continue with\n  runner run test.toml --out o --timing\n"), "{told}");
}

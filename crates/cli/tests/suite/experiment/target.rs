//! `runner target`: what algorithm configurators call, and read.

use crate::test_folder::TestFolder;

/// Flow shops, and an algorithm of whose settings some are tuned.
const SHOPS: &str = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 2\n\n[[instances]]\nproblem = \"flowshop\"\n\n\
                     [instances.generate]\nset = \"taillard-2021\"\nids = [\"ta001\", \"ta011\"]\n\n\
                     [algorithms.greedy]\nkind = \"iterated-greedy\"\n\n[budget]\nevaluations = 2000\n";

fn shops() -> TestFolder {
    let folder = TestFolder::empty();
    folder.write("test.toml", SHOPS);
    folder
}

impl TestFolder {
    /// What `target` prints for these words, of which those up to `--` are its own; nothing may be on standard error.
    fn target(&self, words: &str) -> String {
        let words: Vec<&str> = ["target", "test.toml"].into_iter().chain(words.split_whitespace()).collect();
        let (answer, told) = self.outputs(0, &words);
        assert_eq!(told, "", "{words:?}");
        answer
    }
}

/// An answer without its time, which is positive and no longer than a minute.
fn timeless(answer: &str) -> String {
    let is_time = |word: &&str| word.len() == 8 && word.parse().is_ok_and(|time: f64| 0.0 < time && time < 60.0);
    let words = answer.split_inclusive([' ', ',', ';', '\n', '=', '}']).map(|word| {
        let end = word.len() - 1;
        if is_time(&&word[..end]) { format!("[time]{}", &word[end..]) } else { word.to_owned() }
    });
    words.collect()
}

#[test]
fn each_configurator_gets_the_answer_that_it_reads() {
    let folder = shops();
    let settings = "--removed=2 --temperature=0.5";
    let answers: Vec<String> = [
        format!("--style irace -- 7 1 42 ta011 {settings}"),
        format!("--style irace -- 7 1 42 ta011 60 {settings}"),
        format!("--style irace --time --metric objective -- 7 1 42 ta011 {settings}"),
        format!("--style smac -- --instance=ta011 --instance_features=[] --seed=42 {settings}"),
        format!("--style smac -- --instance=ta011 --seed=42 --budget=100.0 --cutoff=inf {settings}"),
        "--style aclib -- ta011 0 60 2147483647 42 -removed '2' -temperature 0.5".to_owned(),
        "--style aclib -- --cutoff 60 --instance ta011 --seed 42 --config -removed 2 -temperature 0.5".to_owned(),
    ]
    .iter()
    .map(|words| format!("{words}\n{}", timeless(&folder.target(words))))
    .collect();
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_space_and_its_designs_change_no_answer() {
    let folder = shops();
    let words = "--style irace -- 7 1 42 ta011 --removed=2 --temperature=0.5";
    let answer = folder.target(words);
    let space = "[algorithms.greedy.space]\nremoved = { from = 2, to = 9 }\ntemperature = { from = 0.1, to = 1 }\n\
                 [[algorithms.greedy.design]]\nsample = { count = 20, method = \"sobol\" }\n\n[budget]";
    folder.write("test.toml", SHOPS.replace("[budget]", space));
    assert_eq!(folder.target(words), answer);
}

#[test]
fn the_cost_is_that_of_the_run_of_the_experiment_however_its_settings_are_written() {
    let folder = shops();
    folder.run(&["--set", "removed=3", "--quiet"]);
    let column = |name: &str| folder.column("results/test", name);
    for ((seed, instance), objective) in column("seed").iter().zip(column("instance")).zip(column("objective")) {
        for setting in ["--removed=3", "--removed 3", "-removed 3", "removed=3", "--algorithms.greedy.removed=3"] {
            let call = format!("--metric objective --style irace -- 1 1 {seed} some/where/{instance}.txt {setting}");
            assert_eq!(format!("{}.0", folder.target(&call).trim()), *objective, "{call}");
        }
        let call = format!("--metric objective --style smac -- --seed={seed} --instance={instance} --removed=3");
        let cost = objective.trim_end_matches(".0");
        assert!(folder.target(&call).starts_with(&format!("cost={cost}; ")), "{call}");
    }
}

#[test]
fn a_call_that_is_wrong_ends_the_configurator_and_says_why() {
    let folder = shops();
    folder.change("test.toml", |text| format!("{text}\n[algorithms.other]\nkind = \"iterated-greedy\"\nremoved = 3\n"));
    let told: Vec<String> = [
        "--algorithm greedy --style irace -- 1 1 5 ta001 --remved=2 --temperature=0.5",
        "--algorithm greedy --style irace -- 1 1 5 ta001 --removed=0 --temperature=0.5",
        "--algorithm greedy --style irace -- 1 1 5 ta001 --removed",
        "--algorithm greedy --style irace -- 1 1 5 ta0001",
        "--algorithm greedy --style irace -- 1 1 -5 ta001",
        "--algorithm greedy --style irace -- 1 1 5",
        "--algorithm greedy --style smac -- ta001",
        "--algorithm greedy --style smac -- --seed=5 --budget=0.1",
        "--algorithm greedy --style smac -- --seed=5",
        "--algorithm greedy --style aclib -- ta001 0 60",
        "--algorithm greedy --style aclib -- --instance ta001 --sed 5 --config",
        "--algorithm greedy --style aclib -- ta001 0 long 0 5",
        "--algorithm greedy --metric cpu_ms --style irace -- 1 1 5 ta001",
        "--algorithm greedy --metric speed --style irace -- 1 1 5 ta001",
        "--algorithm greedy --set algorithms.greedy.grid.removed=[1,2] --style irace -- 1 1 5 ta001",
        "--algorithm greedi --style irace -- 1 1 5 ta001",
        "--style irace -- 1 1 5 ta001 --removed=2",
    ]
    .iter()
    .map(|words| {
        let arguments: Vec<&str> = ["target", "test.toml"].into_iter().chain(words.split_whitespace()).collect();
        let (told, answer) = (folder.report(&arguments), "");
        assert_eq!((told.0, told.1.as_str()), (Some(2), answer), "{words}");
        format!("{words}\n{}", told.2)
    })
    .collect();
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(folder.target("--algorithm greedy --style irace -- 1 1 5 ta001 --removed=2").lines().count(), 1);
}

#[test]
fn settings_that_are_refused_together_reject_the_configuration() {
    let folder = TestFolder::new("[20]", 1);
    folder.change("test.toml", |text| {
        let operators = "selection = \"truncation\"\ncrossover = \"three-segment\"\nmutation = \"swap-next\"\n";
        let text = text.replace("preset = \"huke\"", &format!("kind = \"steady-state\"\n{operators}"));
        format!("{text}\n[budget]\nevaluations = 100\n")
    });
    let irace = "--style irace --time -- 1 1 5 easy-01";
    assert_eq!(folder.target(&format!("{irace} --population=20 --offspring=30")), "Inf 0.000001\n");
    let smac = "target test.toml --style smac -- --instance=easy-01 --seed=5 --population=20 --offspring=30";
    let (answer, told) = folder.outputs(0, &smac.split(' ').collect::<Vec<_>>());
    assert_eq!(answer, "cost=inf; runtime=0.000001; status=CRASHED; additional_info=failed\n");
    assert!(told.contains("30") && told.contains("--set"), "{told}");
    // One by one, they are refused with what the experiment has.
    assert_eq!(folder.target(&format!("{irace} --offspring=30")), "Inf 0.000001\n");
    let told = folder.refused(
        2,
        &"target test.toml --set offspring=30 --style irace -- 1 1 5 easy-01".split(' ').collect::<Vec<_>>(),
    );
    assert!(told.contains("30"), "{told}");
}

#[test]
fn a_limit_of_time_cuts_a_run_whose_cost_is_then_the_penalty() {
    let folder = TestFolder::new("[20]", 1);
    // No board is better than solved.
    folder.change("test.toml", |text| {
        format!("{text}\n[budget]\ngenerations = 100_000_000\nstagnation = \"none\"\ntarget = -1\n")
    });
    assert_eq!(folder.target("--style irace -- 1 1 5 easy-01 0.05 --population=50"), "0.5 0.050000\n");
    let limited = "--set budget.cpu_seconds=0.1 --penalty 2";
    assert_eq!(
        folder.target(&format!("{limited} --style irace -- 1 1 5 easy-01 0.05 --population=50")),
        "0.2 0.050000\n"
    );
    let answer = folder.target("--style aclib -- easy-01 0 0.05 0 5 -population 50");
    assert!(
        answer.starts_with("Result for ParamILS: TIMEOUT, 0.050000, ") && answer.ends_with(", 0.5, 5\n"),
        "{answer}"
    );
    let answer = folder.target("--style smac -- --instance=easy-01 --cutoff=0.05 --seed=5 --population=50");
    assert_eq!(answer, "cost=0.5; runtime=0.050000; status=SUCCESS; additional_info=time\n");
    // The work of an unsolved run is multiplied, and success is a negative cost.
    let few = "--set budget.evaluations=500 --style irace";
    assert_eq!(folder.target(&format!("{few} --metric evaluations -- 1 1 5 easy-01 --population=50")), "5000\n");
    assert_eq!(folder.target(&format!("{few} --metric solved -- 1 1 5 easy-01 --population=50")), "0\n");
    assert_eq!(
        folder.target("--set budget.target=1000 --style irace --metric solved -- 1 1 5 easy-01 --population=50"),
        "-1\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_external_program_is_tuned_and_its_failure_costs_infinitely_much() {
    let good = "[ $3 = 7 ] || exit 3\necho '{\"solution\": \"1234341221434321\", \"evaluations\": 12}'";
    let folder = TestFolder::with_algorithms(
        "[algorithms.good]\nkind = \"external\"\ncommand = \"./good {instance} {seed} {level}\"\nparameters = { level = 1 }\n",
    );
    folder.script("good", good);
    let call = "--metric evaluations --style irace -- 1 1 5 one";
    assert_eq!(folder.target(&format!("{call} --parameters.level=7")), "12\n");
    assert_eq!(folder.target(&format!("{call} --parameters.level=6")), "Inf\n");
    let smac = "target test.toml --style aclib -- one 0 60 0 5 -parameters.level 6";
    let (answer, told) = folder.outputs(0, &smac.split(' ').collect::<Vec<_>>());
    assert_eq!(timeless(&answer), "Result for ParamILS: CRASHED, [time], 0, 4294967295, 5\n");
    assert!(told.starts_with("the run failed: the program ended with exit status 3"), "{told}");
    let missing = format!("target test.toml --set command=./missing {call}");
    folder.refused(2, &missing.split(' ').collect::<Vec<_>>());
}

#[cfg(target_os = "linux")]
#[test]
fn a_parameter_without_effect_is_not_given_to_the_program() {
    let folder = TestFolder::with_algorithms(
        "[algorithms.good]\nkind = \"external\"\ncommand = \"./good {seed} {parameters}\"\n\
         parameters = { mode = \"fast\", rate = 0.5 }\n\n[algorithms.good.space]\n\
         \"parameters.mode\" = [\"fast\", \"exact\"]\n\
         \"parameters.rate\" = { from = 0.1, to = 1.0, when = { \"parameters.mode\" = [\"fast\"] } }\n",
    );
    folder.script("good", "echo \"$*\" >> calls\necho '{\"solution\": \"1234341221434321\", \"evaluations\": 12}'");
    let call = "--metric evaluations --style irace -- 1 1 5 one";
    for settings in ["", " --parameters.mode=exact", " --parameters.mode=fast --parameters.rate=0.2"] {
        assert_eq!(folder.target(&format!("{call}{settings}")), "12\n");
    }
    assert_eq!(folder.read("calls"), "5 --mode=fast --rate=0.5\n5 --mode=exact\n5 --mode=fast --rate=0.2\n");
    folder.change("test.toml", |text| text.replace("{parameters}", "{mode} {rate}"));
    assert_eq!(folder.target(&format!("{call} --parameters.mode=exact")), "12\n");
    assert!(folder.read("calls").ends_with("\n5 exact 0.5\n"));
}

//! Memory: more than there is, is said by `check` before anything runs; what the system refuses is a failed run, not the end of the process.
// `ulimit` for address space and data is what Linux has.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::test_folder::{Report, TestFolder, report};

/// A command in a process that may have so many kilobytes, of address space (`-v`) or of data (`-d`).
fn limited(folder: &TestFolder, limit: &str, kilobytes: usize, arguments: &str) -> Report {
    let limited = format!("ulimit {limit} {kilobytes}; exec {} {arguments}", env!("CARGO_BIN_EXE_runner"));
    let mut command = Command::new("sh");
    report(command.args(["-c", &limited]).current_dir(folder.path("")), "")
}

/// A folder with an experiment of which one configuration in the middle needs gigabytes.
fn folder(algorithm: &str) -> TestFolder {
    let folder = TestFolder::new("[20]", 1);
    let text = folder.read("test.toml");
    let (head, _) = text.split_once("[algorithms.huke]").expect("it is there");
    folder.write("test.toml", format!("{head}[budget]\ngenerations = 5\n[algorithms.a]\n{algorithm}\n"));
    folder
}

const HUGE: [(&str, &str); 4] = [
    ("preset = \"huke\"\ngrid.population = [20, 10000000, 40]", "a population of 10000000"),
    ("preset = \"huke\"\nmutated = \"all\"\ngrid.population = [20, 4000000, 40]", "a population of 4000000"),
    ("preset = \"mccaffrey\"\ngrid.organisms = [20, 10000000, 40]", "10000000 organisms"),
    ("preset = \"mccaffrey\"\nfitness = \"collisions\"\ngrid.organisms = [20, 9000000, 40]", "9000000 organisms"),
];

#[test]
fn runs_whose_memory_is_refused_fail_and_the_others_are_done() {
    for (algorithm, what) in HUGE {
        for (limit, jobs) in [("-v", 1), ("-d", 2)] {
            let folder = folder(algorithm);
            for _ in 0..2 {
                let arguments = format!("run test.toml --jobs {jobs}");
                let (status, _, messages) = limited(&folder, limit, 1_000_000, &arguments);
                assert_eq!(status, Some(1), "{algorithm}: {messages}");
                let said = format!("not enough memory for {what}: about ");
                assert!(messages.contains("error: 8 runs failed; ") && messages.contains(&said), "{messages}");
            }
            let stops = folder.column("results/test", "stop");
            assert_eq!(stops.iter().filter(|stop| *stop == "failed").count(), 8, "{stops:?}");
            assert_eq!(stops.len(), 24);
        }
    }
}

#[test]
fn a_portfolio_of_which_one_fails_has_failed_and_counts_what_was_evaluated() {
    let second = "{ kind = \"late-acceptance\", length = 4294967296 }";
    let folder = folder(&format!("kind = \"portfolio\"\nfirst = \"random-search\"\nsecond = {second}"));
    let (status, _, messages) = limited(&folder, "-v", 1_000_000, "run test.toml --set budget.evaluations=100");
    assert_eq!(status, Some(1), "{messages}");
    let messages = messages.replace("\n  ", " ");
    assert!(messages.contains("`a` on ") && messages.contains(" needs about 34.4 GB of memory per run"), "{messages}");
    let said = "algorithm 2 of the portfolio: not enough memory for 4294967296 past fitnesses: about ";
    assert!(messages.contains(said), "{messages}");
    for (column, value) in [("stop", "failed"), ("evaluations", "5"), ("best_fitness", "")] {
        assert!(folder.column("results/test", column).iter().all(|own| own == value), "{column}");
    }
    folder.outputs(0, &["verify", "results/test"]);
}

#[test]
fn solve_says_that_its_memory_was_refused() {
    let folder = folder(HUGE[0].0);
    let board = ".".repeat(81);
    let arguments = format!("solve {board} --algorithm huke --set population=10000000");
    let (status, _, messages) = limited(&folder, "-v", 1_000_000, &arguments);
    assert_eq!(status, Some(1), "{messages}");
    assert!(messages.contains("not enough memory for a population of 10000000: about "), "{messages}");
}

#[test]
fn an_assignment_too_large_for_the_memory_is_refused_wherever_it_runs_out() {
    let folder = TestFolder::new("[20]", 1);
    let (matrices, _) = folder.outputs(0, &["generate", "qap", "--seed", "1", "--size", "2000", "--count", "1"]);
    folder.write("large.csv", matrices);
    let experiment = |instances: &str| {
        format!(
            "[experiment]\nname = \"large\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"qap\"\n{instances}\n\
             [algorithms.climb]\nkind = \"hill-climbing\"\nbudget.evaluations = 100\n"
        )
    };
    folder.write("made.toml", experiment("generate = { size = 2000, count = 1 }"));
    folder.write("read.toml", experiment("path = \"large.csv\""));
    for kilobytes in [80_000, 120_000, 160_000, 180_000, 250_000] {
        for jobs in [1, 2] {
            for experiment in ["made", "read"] {
                let arguments = format!("run {experiment}.toml --fresh --quiet --jobs {jobs}");
                let (status, _, messages) = limited(&folder, "-v", kilobytes, &arguments);
                let what = format!("{experiment}, {kilobytes} KB, {jobs}: {status:?} {messages}");
                // A refused allocation that nobody expects ends the process by a signal.
                assert!(matches!(status, Some(0..=2)), "{what}");
                let said = messages.contains("not enough memory for ") || messages.contains("out of memory");
                assert!(said || status == Some(0) && kilobytes >= 180_000, "{what}");
                assert!(!messages.contains("error in the code of the problem family"), "{what}");
            }
        }
    }
}

#[test]
fn every_command_before_a_run_warns_of_memory_that_is_not_there() {
    for (algorithm, _) in HUGE {
        let folder = folder(algorithm);
        for command in ["check test.toml", "plan test.toml --jobs 2", "run test.toml --jobs 2 --quiet"] {
            let (_, _, messages) = limited(&folder, "-v", 1_000_000, command);
            let messages = messages.replace("\n  ", " ");
            let warning = messages.lines().find(|line| line.starts_with("warning: ")).unwrap_or_default();
            assert!(warning.contains("`a` with ") && warning.contains("000000 on "), "{command}: {messages}");
            assert!(warning.contains(", but the memory limit of this process (`ulimit -v`) is 1.0 GB"), "{warning}");
        }
    }
}

#[test]
fn the_warning_says_which_configuration_how_many_bytes_and_what_to_do() {
    let folder =
        folder("preset = \"huke\"\n[algorithms.a.grid]\npopulation = [20, 2000000, 40]\nmutation_rate = [0.5, 1.0]");
    let warn = |kilobytes| limited(&folder, "-v", kilobytes, "plan test.toml --jobs 2").2;
    insta::assert_snapshot!(warn(1_200_000), @"
    note: the configurations have the same number of generations (5), but
      populations of 20, 40, 2000000 need different numbers of evaluations. With the
      same limit of `evaluations`, all algorithms do equal work
    warning: `a` with population = 2000000, mutation_rate = 0.5 on easy-01 needs
      about 1.1 GB of memory per run, 2.1 GB for 2 runs at a time, but the memory
      limit of this process (`ulimit -v`) is 1.2 GB: do fewer runs at a time
      (`--jobs`), choose smaller settings, or provide more memory
    ");
    insta::assert_snapshot!(warn(400_000), @"
    note: the configurations have the same number of generations (5), but
      populations of 20, 40, 2000000 need different numbers of evaluations. With the
      same limit of `evaluations`, all algorithms do equal work
    warning: `a` with population = 2000000, mutation_rate = 0.5 on easy-01 needs
      about 1.1 GB of memory per run, 2.1 GB for 2 runs at a time, but the memory
      limit of this process (`ulimit -v`) is 409 MB: choose smaller settings, or
      provide more memory
    ");
    let (_, _, messages) = limited(&folder, "-v", 40_000_000, "check test.toml");
    assert!(!messages.contains("warning"), "{messages}");
}

#[test]
fn verify_warns_of_the_memory_of_the_runs_that_it_does_again() {
    let folder = folder("preset = \"huke\"\npopulation = 400000\nbudget.generations = 1");
    folder.run(&["--quiet", "--set", "instances.0.limit=1"]);
    let verify = |kilobytes, arguments: &str| {
        let arguments = format!("verify results/test {arguments}");
        limited(&folder, "-v", kilobytes, &arguments).2.replace("\n  ", " ")
    };
    let said = verify(200_000, "");
    assert!(said.contains("warning: r") && said.contains(" needs about 213 MB of memory, but "), "{said}");
    assert!(said.contains("to avoid this, use `--sample 0`, which repeats no run"), "{said}");
    assert!([verify(200_000, "--sample 0"), verify(40_000_000, "")].iter().all(|said| !said.contains("warning")));
}

#[test]
fn plan_says_what_large_runs_need() {
    let folder = folder("preset = \"huke\"\npopulation = 400000");
    let (_, said, messages) = limited(&folder, "-v", 40_000_000, "plan test.toml --jobs 2");
    assert!(
        said.contains("`a` on ")
            && said.contains(" needs about 213 MB of memory per run, 427 MB for 2 runs at a time\n"),
        "{said}{messages}"
    );
}

//! Arguments: what a program is given, as it is, without a shell.

use super::program_folder::{SOLVED, algorithm, in_both_modes};
use crate::test_folder::TestFolder;

in_both_modes!(whatever_a_parameter_holds_arrives_as_one_argument, an_argument_that_is_too_long_is_refused,);

/// Keeps its arguments in a file, each ended by a character 0, and answers.
fn keeper() -> String {
    format!("printf '%s\\0' \"$@\" > arguments\ncat > input\n{SOLVED}")
}

fn kept(folder: &TestFolder) -> Vec<String> {
    let text = folder.read("arguments");
    text.strip_suffix('\0').expect("it ends the last").split('\0').map(str::to_owned).collect()
}

fn whatever_a_parameter_holds_arrives_as_one_argument(mode: &str) {
    let hostile = [
        "a b  c",
        "'",
        "\\\"",
        "$(touch hacked)",
        "`touch hacked`; touch hacked",
        "x\\ny",
        "-rf",
        "*",
        "",
        "{seed}",
        "é",
    ];
    let mut arguments: String = (0..hostile.len()).map(|number| format!(" {{p{number}}}")).collect();
    arguments += " --all={p0}{p2} 'it is' > $HOME {{}}";
    let mut algorithm = algorithm(mode, "keeper", &arguments) + "[algorithms.keeper.parameters]\n";
    hostile.iter().enumerate().for_each(|(number, text)| algorithm += &format!("p{number} = \"{text}\"\n"));
    let folder = TestFolder::with_algorithms(&algorithm);
    folder.program(mode, "keeper", &format!("shift 2\nprintf '%s\\0' \"$@\" > arguments\n{SOLVED}"));
    folder.run(&[]);
    let expected = hostile.map(|text| text.replace("\\\"", "\"").replace("\\n", "\n"));
    let arguments = kept(&folder);
    assert_eq!(arguments[..hostile.len()], expected);
    assert_eq!(arguments[hostile.len()..], ["--all=a b  c\"", "it is", ">", "$HOME", "{}"]);
    assert!(!folder.path("hacked").exists());
}

#[test]
fn placeholders_stand_for_the_instance_the_seed_limits_and_parameters() {
    let folder = TestFolder::with_algorithms(
        "[algorithms.keeper]\nkind = \"external\"\nbudget.seconds = 60.5\nbudget.generations = 7\n\
         command = \"./keeper {instance} {seed} {evaluations} {generations} {seconds} {restarts} {rate} {whole} {is}\"\n\
         parameters = { rate = 0.1, whole = 2.0, is = true }\n",
    );
    folder.script("keeper", &keeper());
    folder.run(&[]);
    let seed = folder.journal()[0].key.seed.to_string();
    assert_eq!(kept(&folder), ["2x2 1...............", &seed, "100", "7", "60.5", "0", "0.1", "2", "true"]);
    assert_eq!(folder.read("input"), "");
}

#[test]
fn parameters_that_are_not_named_are_one_argument_each() {
    let folder = TestFolder::with_algorithms(
        "[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper {seed} {parameters} -r {rate}\"\n\
         parameters = { rate = 0.1, mode = \"a b\", level = 2.0 }\n",
    );
    folder.script("keeper", &keeper());
    folder.run(&[]);
    let seed = folder.journal()[0].key.seed.to_string();
    assert_eq!(kept(&folder), [&seed, "--level=2", "--mode=a b", "-r", "0.1"]);
}

#[test]
fn an_instance_that_is_no_argument_comes_on_standard_input() {
    let folder =
        TestFolder::with_algorithms("[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper {seed}\"\n");
    folder.script("keeper", &keeper());
    folder.run(&[]);
    assert_eq!(folder.read("input"), "2x2 1...............\n");
    // One that does not read it does as well.
    folder.script("keeper", &format!("exec <&-\n{SOLVED}"));
    let told = folder.run(&["--fresh"]);
    assert!(told.contains("1 run done"), "{told}");
}

fn an_argument_that_is_too_long_is_refused(mode: &str) {
    let long = format!("parameters.long = \"{}\"\n", "x".repeat(128 * 1024));
    let folder = TestFolder::with_algorithms(&(algorithm(mode, "keeper", " {long}") + &long));
    folder.program(mode, "keeper", SOLVED);
    let told = folder.run_to(2, &[]);
    assert!(told.contains("an argument has 131072 bytes, but at most 131071 bytes are allowed"), "{told}");
    // A grid is not gone through: what only two long values make too long is found when it is run.
    let long = "x".repeat(70_000);
    folder.change("test.toml", |text| {
        let (head, _) = text.split_once("command").expect("it is there");
        let grid = format!("grid.\"parameters.a\" = [\"\", \"{long}\"]\ngrid.\"parameters.b\" = [\"\", \"{long}\"]\n");
        format!("{head}command = \"./keeper {{a}}{{b}}\"\n{grid}")
    });
    let told = folder.run_to(1, &["--quiet"]);
    assert!(told.contains("error: 1 run failed; ") && told.contains("an argument has 140000 bytes"), "{told}");
}

#[cfg(target_os = "linux")]
in_both_modes!(a_command_line_beyond_the_systems_limit_is_refused_before_anything_runs);

/// `runner` with a stack of four megabytes, which leaves one for the command line of a program.
#[cfg(target_os = "linux")]
fn with_little_room(folder: &TestFolder, arguments: &str) -> (Option<i32>, String) {
    let limited = format!("ulimit -s 4096; exec {} {arguments}", env!("CARGO_BIN_EXE_runner"));
    let mut command = std::process::Command::new("sh");
    let (status, _, messages) =
        crate::test_folder::report(command.args(["-c", &limited]).current_dir(folder.path("")), "");
    (status, messages)
}

#[cfg(target_os = "linux")]
fn a_command_line_beyond_the_systems_limit_is_refused_before_anything_runs(mode: &str) {
    let with = |n_parameters: usize| {
        let names: String = (0..n_parameters).map(|at| format!(" {{p{at}}}")).collect();
        let value = "x".repeat(120_000);
        let values: Vec<String> = (0..n_parameters).map(|at| format!("p{at} = \"{value}\"")).collect();
        let values = format!("parameters = {{ {} }}\n", values.join(", "));
        let folder = TestFolder::with_algorithms(&(algorithm(mode, "good", &names) + &values));
        folder.program(mode, "good", SOLVED);
        folder
    };
    // 960 kB go through, 1080 do not.
    assert_eq!(with_little_room(&with(8), "run test.toml --quiet").0, Some(0));
    for command in ["check test.toml", "plan test.toml", "run test.toml"] {
        let (status, said) = with_little_room(&with(9), command);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("test.toml:17:") && said.contains(": the command line has 1080"), "{said}");
        assert!(said.contains(", but the system allows only 10"), "{said}");
    }
}

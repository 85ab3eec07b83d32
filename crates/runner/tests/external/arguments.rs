//! Arguments: what a program is given, as it is, without a shell.

use crate::program_folder::SOLVED;
use crate::test_folder::TestFolder;

/// Keeps its arguments in a file, each ended by a character 0, and answers.
fn keeper() -> String {
    format!("printf '%s\\0' \"$@\" > arguments\ncat > input\n{SOLVED}")
}

fn kept(folder: &TestFolder) -> Vec<String> {
    let text = folder.read("arguments");
    text.strip_suffix('\0').expect("it ends the last").split('\0').map(str::to_owned).collect()
}

#[test]
fn whatever_a_parameter_holds_arrives_as_one_argument() {
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
    let mut algorithm = "[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper".to_owned();
    (0..hostile.len()).for_each(|number| algorithm += &format!(" {{p{number}}}"));
    algorithm += " --all={p0}{p2} 'it is' > $HOME {{}}\"\n[algorithms.keeper.parameters]\n";
    hostile.iter().enumerate().for_each(|(number, text)| algorithm += &format!("p{number} = \"{text}\"\n"));
    let folder = TestFolder::with_algorithms(&algorithm);
    folder.script("keeper", &keeper());
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

#[test]
fn an_argument_that_is_too_long_is_a_failed_run() {
    let algorithm = format!(
        "[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper {{long}}\"\nparameters.long = \"{}\"\n",
        "x".repeat(128 * 1024)
    );
    let folder = TestFolder::with_algorithms(&algorithm);
    folder.script("keeper", &keeper());
    let told = folder.run_to(1, &[]);
    assert!(told.contains("an argument has 131072 bytes, and may have 131071"), "{told}");
}

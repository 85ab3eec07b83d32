//! Arguments: what a program is given, as it is, without a shell.

use crate::bench::{Bench, SOLUTION};

/// Keeps its arguments in a file, each ended by a character 0, and answers.
fn keeper() -> String {
    format!("printf '%s\\0' \"$@\" > arguments\ncat > input\necho '{{\"solution\": \"{SOLUTION}\"}}'")
}

fn kept(bench: &Bench) -> Vec<String> {
    let text = bench.read("arguments");
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
    let bench = Bench::new(&algorithm);
    bench.script("keeper", &keeper());
    bench.run(0);
    let expected = hostile.map(|text| text.replace("\\\"", "\"").replace("\\n", "\n"));
    let arguments = kept(&bench);
    assert_eq!(arguments[..hostile.len()], expected);
    assert_eq!(arguments[hostile.len()..], ["--all=a b  c\"", "it is", ">", "$HOME", "{}"]);
    assert!(!bench.path("hacked").exists());
}

#[test]
fn placeholders_stand_for_the_instance_the_seed_limits_and_parameters() {
    let bench = Bench::new(
        "[algorithms.keeper]\nkind = \"external\"\nbudget.seconds = 60.5\nbudget.generations = 7\n\
         command = \"./keeper {instance} {seed} {evaluations} {generations} {seconds} {restarts} {rate} {whole} {is}\"\n\
         parameters = { rate = 0.1, whole = 2.0, is = true }\n",
    );
    bench.script("keeper", &keeper());
    bench.run(0);
    let seed = bench.journal()[0].key.seed.to_string();
    assert_eq!(kept(&bench), ["2x2 1...............", &seed, "100", "7", "60.5", "0", "0.1", "2", "true"]);
    assert_eq!(bench.read("input"), "");
}

#[test]
fn an_instance_that_is_no_argument_comes_on_standard_input() {
    let bench = Bench::new("[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper {seed}\"\n");
    bench.script("keeper", &keeper());
    bench.run(0);
    assert_eq!(bench.read("input"), "2x2 1...............\n");
    // One that does not read it does as well.
    bench.script("keeper", &format!("exec <&-\necho '{{\"solution\": \"{SOLUTION}\"}}'"));
    let told = String::from_utf8_lossy(&bench.output(&["run", "test.toml", "--fresh"]).stderr).into_owned();
    assert!(told.contains("1 run done"), "{told}");
}

#[test]
fn an_argument_that_is_too_long_is_a_failed_run() {
    let algorithm = format!(
        "[algorithms.keeper]\nkind = \"external\"\ncommand = \"./keeper {{long}}\"\nparameters.long = \"{}\"\n",
        "x".repeat(128 * 1024)
    );
    let bench = Bench::new(&algorithm);
    bench.script("keeper", &keeper());
    let told = bench.run(1);
    assert!(told.contains("an argument has 131072 bytes, and may have 131071"), "{told}");
}

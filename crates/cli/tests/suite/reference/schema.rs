//! `runner schema`: what it takes and refuses is what `runner check` does.

use std::process::Command;
use std::sync::LazyLock;

use evogrid_runner::experiment::document::{Document, NodeValue};
use jsonschema::Validator;
use serde_json::{Value, json};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let output = Command::new(env!("CARGO_BIN_EXE_runner")).arg("schema").output().expect("the runner runs");
    assert!(output.status.success() && output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).expect("the schema is JSON")
});

static VALIDATOR: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).expect("the schema is one of draft 2020-12"));

/// A valid experiment with this text in its algorithm, as an editor sees it.
fn experiment(algorithm: &str) -> Value {
    let text = format!(
        "[experiment]\nname = \"demo\"\nseed = 1\nrepetitions = 1\n\n[[instances]]\nproblem = \"sudoku\"\npath = \
         \"boards.csv\"\n\n[algorithms.it]\n{algorithm}\n"
    );
    read(&text)
}

fn read(text: &str) -> Value {
    let document = Document::parse("test", text.to_owned()).unwrap_or_else(|error| panic!("{error}"));
    json_of(&NodeValue::Table(document.root))
}

fn json_of(value: &NodeValue) -> Value {
    match value {
        NodeValue::Flag(flag) => json!(flag),
        NodeValue::Integer(integer) => json!(integer),
        NodeValue::Real(real) => json!(real),
        NodeValue::Text(text) | NodeValue::Date(text) | NodeValue::Unrepresentable(text) => json!(text),
        NodeValue::List(items) => items.iter().map(|item| json_of(&item.value)).collect(),
        NodeValue::Table(table) => {
            table.entries.iter().map(|entry| (entry.key.clone(), json_of(&entry.node.value))).collect()
        }
    }
}

/// What is wrong with an experiment, by place.
fn faults(experiment: &Value) -> Vec<String> {
    let mut faults: Vec<String> =
        VALIDATOR.iter_errors(experiment).map(|error| format!("{}: {error}", error.instance_path())).collect();
    faults.sort_unstable();
    faults
}

#[test]
fn it_is_a_schema_of_its_draft() {
    assert_eq!(SCHEMA["$schema"], "https://json-schema.org/draft/2020-12/schema");
    jsonschema::meta::validate(&SCHEMA).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_experiment_that_is_shipped_is_valid() {
    let mut seen = 0;
    for entry in std::fs::read_dir("../../experiments").expect("there are experiments") {
        let path = entry.expect("the folder is read").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let experiment = read(&std::fs::read_to_string(&path).expect("the file is read"));
            assert_eq!(faults(&experiment), Vec::<String>::new(), "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn every_way_to_write_an_algorithm_is_valid() {
    let right = [
        "preset = \"huke\"",
        "preset = \"huke\"\npopulation = 100\nmutation.other = 0.2\nbudget.stagnation = 5",
        "preset = \"huke\"\nbudget = { stagnation = \"none\", evaluations = 10 }",
        "preset = \"huke\"\nmutation = { other = 0.2 }\nselection = \"truncation\"",
        "kind = \"genetic\"\nselection = \"sus\"\ncrossover = { kind = \"diagonal\", parents = 4 }\nmutation = \"swap-random\"",
        "preset = \"mccaffrey\"\npropagate = \"singles\"\nmistake = 0",
        // The kind of a preset may be replaced.
        "preset = \"huke\"\nkind = \"combinatorial-evolution\"\naccept = \"better\"",
        "preset = \"huke\"\n[algorithms.it.grid]\npopulation = [10, 20]\n\"mutation.other\" = { from = 0.0, to = 0.5, step = 0.1 }",
        "preset = \"huke\"\n[algorithms.it.grid]\nselection = [\"sus\", { kind = \"truncation\", fraction = 0.2 }]\nmutation.other = [0.1]",
        "preset = \"huke\"\n[algorithms.it.grid]\n\"budget.restarts\" = [0, 1]\nbudget.generations = { from = 1, to = 8, factor = 2 }",
        "preset = \"huke\"\nexclude = [{ population = 10 }]\n[algorithms.it.zip]\npopulation = [10, 20]\nmutation_rate = [0.1, 0.2]",
        "[algorithms.it.grid]\nkind = [\"genetic\"]",
        "preset = \"huke\"\n[algorithms.it.space]\npopulation = { from = 1, to = 9, scale = \"log\" }\nselection = [\"sus\", \"tournament\"]\n\
         \"selection.size\" = { from = 2, to = 9 }\n[algorithms.it.design]\nsample = { count = 9, method = \"sobol\", seed = 7 }",
        "kind = \"external\"\n[algorithms.it.space]\n\"parameters.b\" = { values = [1, 2], when = { \"parameters.a\" = [1] } }\n\
         [[algorithms.it.design]]\ngrid = { timeout = [1, 2] }\n[[algorithms.it.design]]\nsample = { count = 9, method = \"random\" }\n\
         space = { timeout = { from = 1, to = 2 } }",
        "kind = \"external\"\ncommand = \"p {a}\"\nversion = \"2\"\ntimeout = 9.5\nparameters = { a = 1, b-2 = \"x\", c_3 = true, d = 0.5 }",
        "kind = \"external\"\n[algorithms.it.grid]\ncommand = [\"p\", \"q\"]\n\"parameters.a\" = [1, \"x\"]\nparameters.b = { from = 1, to = 3, step = 1 }",
        "kind = \"external\"\ncommand = \"p {a}\"\n[algorithms.it.grid]\nparameters = [{ a = 1 }, { a = 2 }]",
    ];
    for algorithm in right {
        assert_eq!(faults(&experiment(algorithm)), Vec::<String>::new(), "{algorithm}");
    }
}

#[test]
fn what_is_wrong_is_found_in_its_place() {
    let wrong = [
        ("preset = \"hukee\"", "/algorithms/it/preset"),
        ("preset = \"huke\"\npopluation = 10", "/algorithms/it"),
        ("preset = \"huke\"\npopulation = 0", "/algorithms/it/population"),
        ("preset = \"huke\"\npopulation = \"many\"", "/algorithms/it/population"),
        ("preset = \"huke\"\nmutation_rate = 1.5", "/algorithms/it/mutation_rate"),
        // A setting of another algorithm.
        ("preset = \"huke\"\norganisms = 10", "/algorithms/it"),
        ("kind = \"combinatorial-evolution\"\npopulation = 10", "/algorithms/it"),
        ("preset = \"huke\"\nselection = \"truncatoin\"", "/algorithms/it/selection"),
        ("preset = \"huke\"\nselection = { kind = \"sus\", fraction = 2 }", "/algorithms/it/selection"),
        ("preset = \"huke\"\nselection = { kind = \"truncation\", size = 3 }", "/algorithms/it/selection"),
        ("preset = \"huke\"\nbudget.generation = 3", "/algorithms/it/budget"),
        ("preset = \"huke\"\npropagate = \"doubles\"", "/algorithms/it/propagate"),
        ("preset = \"huke\"\n[algorithms.it.grid]\npopulatoin = [1]", "/algorithms/it/grid"),
        ("preset = \"huke\"\n[algorithms.it.grid]\npopulation = 5", "/algorithms/it/grid/population"),
        (
            "preset = \"huke\"\n[algorithms.it.grid]\npopulation = { from = 1, to = 5 }",
            "/algorithms/it/grid/population",
        ),
        ("preset = \"huke\"\n[algorithms.it.grid]\n\"mutatoin.other\" = [0.1]", "/algorithms/it/grid"),
        (
            "preset = \"huke\"\n[algorithms.it.space]\npopulation = { from = 1, to = 5, step = 1 }",
            "/algorithms/it/space/population",
        ),
        (
            "preset = \"huke\"\n[algorithms.it.design]\nsample = { count = 0, method = \"sobol\" }",
            "/algorithms/it/design",
        ),
        ("population = 10", "/algorithms/it"),
        ("kind = \"external\"\ncommand = 7", "/algorithms/it/command"),
        ("kind = \"external\"\ncommand = \"p\"\nparameters = { a = { b = 1 } }", "/algorithms/it/parameters/a"),
        ("kind = \"external\"\ncommand = \"p\"\nparameters = { \"a b\" = 1 }", "/algorithms/it/parameters"),
        ("kind = \"external\"\ncommand = \"p\"\npopulation = 1", "/algorithms/it"),
    ];
    for (algorithm, place) in wrong {
        let faults = faults(&experiment(algorithm));
        assert!(faults.iter().any(|fault| fault.starts_with(&format!("{place}: "))), "{algorithm}\n{faults:#?}");
    }
}

#[test]
fn what_is_wrong_beside_the_algorithms_is_found_too() {
    let change = |pointer: &str, value: Value| {
        let mut experiment = experiment("preset = \"huke\"");
        let (table, key) = pointer.rsplit_once('/').expect("a pointer");
        experiment.pointer_mut(table).expect("it is there")[key] = value;
        faults(&experiment)
    };
    assert_eq!(change("/experiment/seeding", json!("independent")), Vec::<String>::new());
    assert_eq!(change("/budget", json!({ "seconds": 1.5, "restarts": 0 })), Vec::<String>::new());
    assert_eq!(change("/record", json!({ "trace": { "every": 10 } })), Vec::<String>::new());
    for (pointer, value) in [
        ("/experiment/seeding", json!("pared")),
        ("/experiment/repetitions", json!(0)),
        ("/experiment/name", json!("a/b")),
        ("/instances/0/problem", json!("sudoko")),
        ("/instances/0/bucket", json!("easy")),
        ("/instances/0/box", json!("2by3")),
        ("/record", json!({ "trace": "improvement" })),
        ("/record", json!({ "trace": { "every": 0 } })),
        ("/budget", json!({ "epochs": 3 })),
        ("/experimnt", json!({})),
    ] {
        assert_ne!(change(pointer, value.clone()), Vec::<String>::new(), "{pointer} = {value}");
    }
}

#[test]
fn names_ranges_defaults_and_documentation_come_from_the_declarations() {
    let setting = &SCHEMA["$defs"]["algorithm"]["properties"]["organisms"];
    insta::assert_snapshot!(setting, @r#"{"default":200,"description":"number of workers and explorers together; 200 unless given","maximum":10000000,"minimum":1,"type":"integer"}"#);
    let kind = &SCHEMA["$defs"]["selection"]["anyOf"][0]["oneOf"][0];
    assert_eq!(kind["const"], "truncation");
    assert!(kind["description"].as_str().is_some_and(|doc| !doc.is_empty()));
}

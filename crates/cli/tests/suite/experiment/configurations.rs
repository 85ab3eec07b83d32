//! One configuration, one setting: what `check` takes has no two configurations that come to the same settings or look the same, and no label that says
//! what no run did. The check does not go through the configurations; this test does.

use std::collections::BTreeSet;
use std::fs;

use evogrid_cli::catalogue;
use evogrid_core::settings::{Settings, Value};
use evogrid_runner::experiment::spec::{AlgorithmSpec, Axis, ResolvedAlgorithm, Spec, preset};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use tempfile::TempDir;

/// A value as it is written, and what is read of it.
type Written = (&'static str, Value);

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn table(entries: &[(&str, Value)]) -> Value {
    let mut settings = Settings::new();
    entries.iter().for_each(|(name, value)| settings.set(*name, value.clone()));
    Value::Table(settings)
}

/// Settings and some of their values: some come to the same, some look the same.
fn settings() -> Vec<(&'static str, Vec<Written>)> {
    let swap = ("kind", text("collision-swap"));
    vec![
        ("population", vec![("10", Value::Integer(10)), ("20", Value::Integer(20)), ("30", Value::Integer(30))]),
        ("crossover_rate", vec![("1", Value::Integer(1)), ("1.0", Value::Real(1.0)), ("0.5", Value::Real(0.5))]),
        (
            "mutation",
            vec![
                ("\"collision-swap\"", text("collision-swap")),
                ("{ kind = \"collision-swap\" }", table(std::slice::from_ref(&swap))),
                ("{ kind = \"collision-swap\", other = 0.5 }", table(&[swap.clone(), ("other", Value::Real(0.5))])),
                ("{ kind = \"collision-swap\", genes = \"one\" }", table(&[swap, ("genes", text("one"))])),
                ("\"swap-random\"", text("swap-random")),
            ],
        ),
        ("mutation.kind", vec![("\"collision-swap\"", text("collision-swap")), ("\"rotation\"", text("rotation"))]),
        (
            "mutation.other",
            vec![("0.5", Value::Real(0.5)), ("0", Value::Integer(0)), ("0.1111111111111111", Value::Real(1.0 / 9.0))],
        ),
        ("mutation.genes", vec![("\"all\"", text("all")), ("\"one\"", text("one"))]),
        (
            "selection",
            vec![
                ("\"sus\"", text("sus")),
                ("{ kind = \"sus\" }", table(&[("kind", text("sus"))])),
                ("\"truncation\"", text("truncation")),
                (
                    "{ kind = \"truncation\", fraction = 0.2 }",
                    table(&[("kind", text("truncation")), ("fraction", Value::Real(0.2))]),
                ),
            ],
        ),
        ("selection.fraction", vec![("0.2", Value::Real(0.2)), ("0.5", Value::Real(0.5))]),
        ("budget.generations", vec![("5", Value::Integer(5)), ("\"none\"", text("none"))]),
        ("budget.evaluations", vec![("7", Value::Integer(7)), ("8", Value::Integer(8)), ("\"none\"", text("none"))]),
    ]
}

/// What an algorithm varies: the settings of each axis, and their values at each point.
type Design = Vec<(Vec<&'static str>, Vec<Vec<Written>>)>;

/// Some axes of a grid and perhaps a `zip`, whose columns may repeat values.
fn design() -> impl Strategy<Value = Design> {
    let axis = |(path, values): (&'static str, Vec<Written>)| {
        let n = values.len();
        subsequence(values, 1..=n)
            .prop_map(move |values| (vec![path], values.into_iter().map(|value| vec![value]).collect()))
    };
    let zip = |columns: Vec<(&'static str, Vec<Written>)>| {
        let (paths, values): (Vec<&str>, Vec<Vec<Written>>) = columns.into_iter().unzip();
        let row = values.into_iter().map(select).collect::<Vec<_>>();
        prop::collection::vec(row, 1..5).prop_map(move |rows| (paths.clone(), rows))
    };
    subsequence(settings(), 1..=5).prop_flat_map(move |mut chosen| {
        let zipped = if chosen.len() > 3 { chosen.split_off(chosen.len() - 2) } else { Vec::new() };
        let axes: Vec<_> = chosen.into_iter().map(axis).collect();
        let zip = if zipped.is_empty() { Just(None).boxed() } else { zip(zipped).prop_map(Some).boxed() };
        (axes.prop_shuffle(), zip).prop_map(|(mut axes, zip)| {
            axes.extend(zip);
            axes
        })
    })
}

/// The design as an experiment has it.
fn experiment(design: &Design) -> String {
    let list = |values: Vec<&str>| format!("[{}]", values.join(", "));
    let column = |points: &[Vec<Written>], at: usize| list(points.iter().map(|point| point[at].0).collect());
    let mut grid = String::new();
    let mut zip = String::new();
    for (paths, points) in design {
        let lines = if paths.len() > 1 { &mut zip } else { &mut grid };
        for (at, path) in paths.iter().enumerate() {
            *lines += &format!("\"{path}\" = {}\n", column(points, at));
        }
    }
    let zip = if zip.is_empty() { zip } else { format!("[algorithms.huke.zip]\n{zip}") };
    format!(
        "[experiment]\nname = \"configurations\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n\
         [algorithms.huke]\npreset = \"huke\"\n[algorithms.huke.grid]\n{grid}{zip}"
    )
}

/// The same, resolved without being checked for alike configurations, with some combinations left out; `None` where a setting is wrong.
fn resolved(design: &Design, excluded: &[Vec<(String, Value)>]) -> Option<ResolvedAlgorithm> {
    let catalogue = catalogue();
    let points = |points: &[Vec<Written>]| -> Vec<Vec<Value>> {
        points.iter().map(|point| point.iter().map(|(_, value)| value.clone()).collect()).collect()
    };
    let axes = design
        .iter()
        .map(|(paths, own)| Axis { paths: paths.iter().map(ToString::to_string).collect(), points: points(own) });
    let spec = AlgorithmSpec {
        name: "huke".to_owned(),
        base: preset("huke", &catalogue).expect("it ships").settings,
        axes: axes.collect(),
        excluded: excluded.to_vec(),
        ..AlgorithmSpec::default()
    };
    ResolvedAlgorithm::new(spec, &catalogue, &["sudoku"], |_| Vec::new()).ok()
}

/// The points of every configuration.
fn configurations(design: &Design) -> Vec<Vec<usize>> {
    design.iter().fold(vec![Vec::new()], |configurations, (_, points)| {
        let with = |configuration: &Vec<usize>, point: usize| configuration.iter().copied().chain([point]).collect();
        configurations
            .iter()
            .flat_map(|configuration| (0..points.len()).map(move |point| with(configuration, point)))
            .collect()
    })
}

/// The label of a setting, as `runs.csv` has it; numbers in one form.
fn label(resolved: Option<&Value>, written: &Value) -> String {
    let label = match resolved {
        None | Some(Value::Table(_)) => written.to_string(),
        Some(value) => value.to_string(),
    };
    label.parse::<f64>().map_or(label, |number| number.to_string())
}

/// Whether what is written holds of what it came to.
fn is_true(written: &Value, resolved: Option<&Value>) -> bool {
    match (written, resolved) {
        (Value::Text(name), None) => name == "none",
        (Value::Text(name), Some(Value::Table(table))) => table.get("kind") == Some(&text(name)),
        (Value::Table(table), Some(Value::Table(other))) => {
            table.iter().all(|(name, value)| is_true(value, other.get(name)))
        }
        (written, Some(resolved)) => match (written.as_real(), resolved.as_real()) {
            (Some(one), Some(other)) => (one - other).abs() < 1e-12,
            _ => written == resolved,
        },
        (_, None) => false,
    }
}

/// Whether two configurations come to the same settings or have the same labels, and whether a label says what is not so.
fn brute_force(design: &Design, algorithm: &ResolvedAlgorithm) -> (bool, bool) {
    let (mut settings, mut labels) = (BTreeSet::new(), BTreeSet::new());
    let (mut has_alike, mut has_lie) = (false, false);
    for points in configurations(design) {
        let resolved = algorithm.settings(&points);
        has_alike |= !settings.insert(resolved.canonical());
        let values = algorithm.spec().values(&points);
        let varied: Vec<(&str, &Value)> =
            values.iter().map(|(path, written)| (*path, written.as_deref().expect("a grid has all"))).collect();
        has_alike |=
            !labels.insert(varied.iter().map(|(path, written)| label(resolved.at(path), written)).collect::<Vec<_>>());
        has_lie |= varied.iter().any(|(path, written)| !is_true(written, resolved.at(path)));
    }
    (has_alike, has_lie)
}

/// Whether an exclusion fits a configuration: with each of its values laid over the others, in the place of what an axis has for it, the configuration
/// comes to the same.
fn fits(exclusion: &[(String, Value)], algorithm: &ResolvedAlgorithm, points: &[usize]) -> bool {
    exclusion.iter().all(|(path, value)| {
        let mut others = algorithm.spec().clone();
        for axis in &mut others.axes {
            if let Some(at) = axis.paths.iter().position(|own| own == path) {
                axis.paths.remove(at);
                axis.points.iter_mut().for_each(|point| drop(point.remove(at)));
            }
        }
        let (mut settings, mut over) = (others.settings(points), Settings::new());
        over.set_at(path, value.clone());
        settings.overlay(&over);
        catalogue().resolve(&settings, &["sudoku"]) == Ok(algorithm.settings(points))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_two_configurations_are_alike_and_no_label_lies(design in design()) {
        let Some(algorithm) = resolved(&design, &[]) else { return Ok(()) };
        let (has_alike, has_lie) = brute_force(&design, &algorithm);
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join("boards.csv"), "id,puzzle\na,1...............\n").expect("a data set");
        let path = folder.path().join("configurations.toml");
        fs::write(&path, experiment(&design)).expect("an experiment");
        match Spec::load(&path, &[], &catalogue()) {
            Ok(spec) => {
                prop_assert!(!has_alike && !has_lie, "alike: {has_alike}, a lie: {has_lie}\n{}", experiment(&design));
                prop_assert_eq!(spec.algorithms[0].n_configurations(), configurations(&design).len() as u64);
            }
            Err(faults) => {
                let message = faults.to_string();
                let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
                if says(&["gives the same configuration", "has the same name in the results", "given twice"]) {
                    prop_assert!(has_alike, "{message}");
                } else {
                    prop_assert!(says(&["also sets `"]), "{message}");
                }
            }
        }
    }

    #[test]
    fn an_exclusion_leaves_out_what_comes_to_its_values(design in design(), named in subsequence(settings(), 1..=2), at in 0..12usize) {
        let exclusion: Vec<(String, Value)> =
            named.iter().map(|(path, values)| ((*path).to_owned(), values[at % values.len()].1.clone())).collect();
        let Some(algorithm) = resolved(&design, std::slice::from_ref(&exclusion)) else { return Ok(()) };
        let mut n_configurations = 0;
        for points in configurations(&design) {
            let is_excluded = fits(&exclusion, &algorithm, &points);
            prop_assert_eq!(algorithm.is_excluded(&points), is_excluded, "{:?} of {:?}", exclusion, points);
            n_configurations += u64::from(!is_excluded);
        }
        prop_assert_eq!(algorithm.n_configurations(), n_configurations);
    }
}

//! The hot loops: a run each of a search with a number of evaluations that is the same on every machine. Reading the instance and building the
//! search is not counted.

use std::hint::black_box;

use evogrid_cli::catalogue;
use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Instance, Options, RequestOptions};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

/// 17 givens: no search here solves it within its evaluations, but for the exact ones.
const BOARD: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

/// All that a run needs.
struct PreparedRun {
    problem: Box<dyn Solve>,
    algorithm: Algorithm,
    budget: Budget,
}

/// A run of a preset, or of an algorithm with these settings, on a board.
fn on_board(algorithm: &str, evaluations: u64, settings: &[(&str, Value)]) -> PreparedRun {
    let catalogue = catalogue();
    let board = catalogue.family("sudoku").expect("it ships").read(BOARD, &Options::new()).expect("a board");
    prepare(&catalogue, "sudoku", board.as_ref(), algorithm, evaluations, settings)
}

/// The same on an instance that the generator of a family makes: `n` jobs on 20 machines, `n` cities or facilities.
fn on_instance(family: &str, n: usize, algorithm: &str, evaluations: u64, settings: &[(&str, Value)]) -> PreparedRun {
    let catalogue = catalogue();
    let declared = catalogue.family(family).expect("it ships");
    let generator = declared.generator().expect("it makes instances");
    let sizes = [("n", n.to_string()), ("m", "20".to_owned())];
    let has = |name: &str| generator.options.iter().any(|option| option.name == name);
    let options = sizes.into_iter().filter(|(name, _)| has(name)).map(|(name, size)| (name, vec![size]));
    let made = (generator.request)(&RequestOptions::from_iter(options), 1, 1).expect("right options").make(0);
    let made = made.expect("an instance");
    let text = made.fields.iter().find(|field| field.column == declared.text_column()).expect("its text");
    let instance = declared.read(&text.value, &Options::new()).expect("its own instance");
    prepare(&catalogue, family, instance.as_ref(), algorithm, evaluations, settings)
}

fn prepare(
    catalogue: &Catalogue,
    family: &str,
    instance: &dyn Instance,
    algorithm: &str,
    evaluations: u64,
    settings: &[(&str, Value)],
) -> PreparedRun {
    let mut given = evogrid_runner::experiment::spec::preset(algorithm, catalogue)
        .map(|preset| preset.settings)
        .unwrap_or_else(|| {
            let mut kind = Settings::new();
            kind.set("kind", Value::Text(algorithm.to_owned()));
            kind
        });
    let mut budget = Settings::new();
    budget.set("evaluations", Value::Integer(evaluations as i64));
    given.set("budget", Value::Table(budget));
    settings.iter().for_each(|(path, value)| given.set_at(path, value.clone()));
    let settings = catalogue.resolve(&given, &[family]).expect("right settings");
    PreparedRun {
        problem: instance.prepare(&settings),
        algorithm: catalogue.algorithm(&settings),
        budget: Budget::from_settings(settings.table("budget")),
    }
}

fn row_ga() -> PreparedRun {
    let text = |text: &str| Value::Text(text.to_owned());
    let settings = [
        ("representation", text("rows")),
        ("selection", text("tournament")),
        ("crossover", text("one-point")),
        ("mutation", text("swap-random")),
        // As when the ceiling was set: the elite of the default is sorted in every generation.
        ("survival.kind", text("generational")),
        ("survival.elite", Value::Real(0.0)),
    ];
    on_board("genetic", 20_000, &settings)
}

/// Tabu search on an assignment, where no move is forced.
fn assignment_tabu() -> PreparedRun {
    let settings =
        [("tenure_min", Value::Real(0.0)), ("tenure_max", Value::Real(2.0)), ("tenure_exponent", Value::Integer(3))];
    on_instance("qap", 50, "tabu", 200_000, &settings)
}

#[library_benchmark]
#[bench::random_search(on_board("random-search", 20_000, &[]))]
#[bench::row_genetic(row_ga())]
#[bench::block_genetic(on_board("huke", 20_000, &[]))]
#[bench::combinatorial_evolution(on_board("mccaffrey", 200_000, &[]))]
#[bench::annealing(on_board("annealing-constant", 200_000, &[]))]
#[bench::backtracking(on_board("arkieva", 20_000, &[]))]
#[bench::restarting_search(on_board("best-sudoku", 20_000, &[]))]
#[bench::flow_shop_iterated_greedy(on_instance("flowshop", 50, "iterated-greedy-partial", 100_000, &[]))]
#[bench::assignment_tabu(assignment_tabu())]
#[bench::tour_iterated_2opt(on_instance("tsp", 1000, "iterated-2opt", 200_000, &[]))]
fn run(run: PreparedRun) -> u64 {
    let mut random = RandomStream::from_seed(1);
    black_box(run.problem.solve(&run.algorithm, &run.budget, &mut random, &mut ())).evaluations
}

library_benchmark_group!(name = loops; benchmarks = run);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"]));
    library_benchmark_groups = loops
);

//! Laws of every search: none stops improving on a small instance that restarted hill climbing solves, limits in processor time are processor
//! time, and random settings find what an independent check confirms.

use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use crate::families::searches;
use crate::small_instance::small_instance;
use evogrid::core::cpu_time;
use evogrid::core::family::Instance;
use evogrid::core::parameter::{Declaration, Domain};
use evogrid::prelude::*;

/// A quadratic assignment like those of Christofides and Benavent: the flows are the edges of a tree with weights from 1 to 100, so that
/// single exchanges differ by far more than the paths between local optima.
fn tree_assignment(n: usize) -> String {
    let mut random = RandomStream::from_seed(12);
    let (mut distances, mut flows) = (vec![0; n * n], vec![0; n * n]);
    for row in 0..n {
        for other in 0..row {
            distances[row * n + other] = 1 + random.below(99);
            distances[other * n + row] = distances[row * n + other];
        }
        if row > 0 {
            let parent = random.below(row);
            flows[row * n + parent] = 1 + random.below(100);
            flows[parent * n + row] = flows[row * n + parent];
        }
    }
    let texts = distances.iter().chain(&flows).map(usize::to_string);
    [n.to_string()].into_iter().chain(texts).collect::<Vec<_>>().join(" ")
}

/// What a search with these settings finds on an instance of a family within so many evaluations.
fn best(catalogue: &Catalogue, family: &str, instance: &dyn Instance, given: &Settings, evaluations: i64) -> f64 {
    let mut given = given.clone();
    given.set_at("budget.evaluations", Value::Integer(evaluations));
    given.set_at("budget.restarts", Value::Integer(1_000_000));
    let settings = catalogue.resolve(&given, &[family]).unwrap_or_else(|faults| panic!("{faults:?}"));
    let budget = Budget::from_settings(settings.table("budget"));
    let (algorithm, mut random) = (catalogue.algorithm(&settings), RandomStream::from_seed(5));
    instance.prepare(&settings).solve(&algorithm, &budget, &mut random, &mut ()).best_fitness.value()
}

#[test]
fn no_search_stops_improving_where_restarted_hill_climbing_finds_the_optimum() {
    // What may end far from the optimum, and why.
    const BY_DESIGN: [(&str, &str); 2] = [
        ("random-search", "the yardstick"),
        ("ant-colony", "most ants repeat the best solution, and no move improves what they build"),
    ];
    let catalogue = evogrid::catalogue();
    let family = catalogue.family("qap").expect("it ships");
    let instance = family.read(&tree_assignment(12), &Options::new()).expect("matrices");
    let named = |kind: &str| {
        let mut settings = Settings::new();
        settings.set("kind", Value::Text(kind.to_owned()));
        settings
    };
    let optimum = best(&catalogue, "qap", instance.as_ref(), &named("hill-climbing"), 400_000);
    let random = best(&catalogue, "qap", instance.as_ref(), &named("random-search"), 400_000);
    assert!(optimum < random, "random search must not solve it: {optimum}");
    let mut given: Vec<(String, Settings)> = Vec::new();
    for mut settings in searches(&catalogue, family) {
        let kind = settings.name("kind").to_owned();
        match kind.as_str() {
            // A population converges once: these are restarted where they no longer improve.
            "genetic" | "steady-state" => settings.set_at("budget.stagnation", Value::Integer(50)),
            // At its default, which folders of 0.2.0 have, no move is forced, and some instances make it cycle: `check` says so.
            "tabu" => settings.set("forced_after", Value::Real(5.0)),
            // As good as its members.
            "portfolio" => settings.set("second", Value::Text("hill-climbing".to_owned())),
            _ => {}
        }
        if BY_DESIGN.iter().all(|(name, _)| *name != kind) && given.iter().all(|(name, _)| *name != kind) {
            given.push((kind, settings));
        }
    }
    for (name, text) in family.presets() {
        let preset = evogrid::runner::experiment::spec::preset(name, &catalogue).expect(text).settings;
        given.push(((*name).to_owned(), preset));
    }
    let half_way = optimum + (random - optimum) / 2.0;
    let find = |settings: &Settings| best(&catalogue, "qap", instance.as_ref(), settings, 400_000);
    for (name, settings) in &given {
        // A search that cycles stays near where it was after its first thousandth, often worse than random search.
        let found = find(settings);
        assert!(found <= half_way, "{name}: {found}, not {optimum}; random search: {random}");
    }
    // The instance shows the fault: tenures from 0, and no move is ever forced.
    let (_, mended) = given.iter().find(|(name, _)| name == "wide-tenure-tabu").expect("it is a preset");
    let mut cycling = mended.clone();
    cycling.set("tenure_min", Value::Real(0.0));
    cycling.set("forced_after", Value::Real(1e9));
    let (cycling, mended) = (find(&cycling), find(mended));
    assert!(mended == optimum && cycling > optimum, "{cycling}, {mended}, {optimum}");
}

#[test]
fn a_limit_of_processor_time_is_processor_time_in_every_search() {
    // The clock is all that libraries know; programs have tests of their own, as processes.
    const BY_THE_CLOCK: [&str; 3] = ["milp", "sat", "external"];
    const SECONDS: f64 = 0.05;
    let catalogue = evogrid::catalogue();
    // A board of 25x25 on which the exact search takes more than ten times the limit: every fourth given is taken away.
    let boards = include_str!("../../../../datasets/sudoku/lewis-25x25.csv");
    let text =
        boards.lines().nth(1).and_then(|line| line.split(',').find(|field| field.len() == 625)).expect("a board");
    let mut n_givens = 0;
    let open = |value: char| {
        n_givens += usize::from(value != '.');
        if value != '.' && n_givens % 4 == 0 { '.' } else { value }
    };
    let board: String = text.chars().map(open).collect();
    for kind in catalogue.algorithms.declarations().map(|algorithm| algorithm.name) {
        let fits =
            |family: &&dyn Family| searches(&catalogue, *family).into_iter().any(|given| given.name("kind") == kind);
        // Families without a target first: no search ends there before its time.
        let mut families: Vec<&dyn Family> = catalogue.families().filter(|family| family.has_genomes()).collect();
        families.sort_by_key(|family| family.text_column() == "puzzle");
        let Some(family) = families.into_iter().find(fits).filter(|_| !BY_THE_CLOCK.contains(&kind)) else { continue };
        let name = family.declaration().name;
        let content = if name == "sudoku" { board.clone() } else { small_instance(family, 9, 30, 30).content() };
        let given = searches(&catalogue, family).into_iter().find(|given| given.name("kind") == kind);
        let mut given = given.expect("it fits");
        given.set_at("budget.evaluations", Value::Text("none".to_owned()));
        given.set_at("budget.cpu_seconds", Value::Real(SECONDS));
        given.set_at("budget.restarts", Value::Integer(1_000_000_000));
        let settings = catalogue.resolve(&given, &[name]).expect("it fits");
        // Four threads for each core: by the clock each would have a quarter of its time.
        let n_threads = 4 * thread::available_parallelism().map_or(1, usize::from);
        let taken: Vec<Option<(Stop, Duration)>> = thread::scope(|scope| {
            let run = |_| {
                scope.spawn(|| {
                    let instance = if name == "sudoku" {
                        family.read(&content, &Options::new())
                    } else {
                        family.restore(&content)
                    };
                    let (instance, budget) =
                        (instance.expect("its own"), Budget::from_settings(settings.table("budget")));
                    let (algorithm, problem) = (catalogue.algorithm(&settings), instance.prepare(&settings));
                    let before = cpu_time::of_this_thread()?;
                    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
                    Some((outcome.stop, cpu_time::of_this_thread()?.saturating_sub(before)))
                })
            };
            let threads: Vec<_> = (0..n_threads).map(run).collect();
            threads.into_iter().map(|thread| thread.join().expect("it does not fail")).collect()
        });
        for (stop, taken) in taken.into_iter().flatten() {
            // Some solve the board sooner; the exact searches, which know nothing of `cpu_seconds` but by themselves, may not.
            let is_exact = ["exact", "backtracking"].contains(&kind);
            assert!(stop == Stop::Time || stop == Stop::Target && !is_exact, "{kind} on {name}: {stop:?}");
            if stop == Stop::Target {
                continue;
            }
            assert!(taken.as_secs_f64() >= 0.8 * SECONDS, "{kind} on {name} stopped after {taken:?}");
        }
    }
}

/// Random settings of a declaration, mostly small numbers, operators nested no deeper than `depth`; what may be left out often is.
fn random_settings(
    catalogue: &Catalogue,
    declaration: &Declaration,
    depth: usize,
    random: &mut RandomStream,
) -> Settings {
    let mut settings = Settings::new();
    settings.set("kind", Value::Text(declaration.name.to_owned()));
    for parameter in declaration.parameters {
        let is_required = matches!(parameter.default, evogrid::core::parameter::DefaultValue::Required);
        if !is_required && random.chance(0.6) {
            continue;
        }
        let value = match parameter.domain {
            Domain::Flag => Value::Flag(random.chance(0.5)),
            Domain::Integer { min, max } => Value::Integer(max.min(min + random.below(20) as i64)),
            Domain::Real { min, max } => Value::Real(min + random.unit() * (max.min(min + 3.0) - min)),
            Domain::Choice(names, _) => Value::Text(names[random.below(names.len())].to_owned()),
            Domain::Operator(category) if depth > 0 => {
                let members = catalogue.of_category(category);
                let member = members[random.below(members.len())];
                Value::Table(random_settings(catalogue, member, depth - 1, random))
            }
            Domain::Operator(_) | Domain::Text | Domain::Table => continue,
        };
        settings.set(parameter.name, value);
    }
    settings
}

/// Every search on every family with random settings, for `EVOGRID_RANDOM_SEARCHES` seconds (`make random-searches`: an hour), else for a few:
/// its best solution is valid, and what the family's own check, which shares nothing with the search, says of it is its fitness.
#[test]
fn random_settings_of_every_search_find_what_an_independent_check_confirms() {
    let seconds = std::env::var("EVOGRID_RANDOM_SEARCHES").ok();
    let (limit, first_seed) = match &seconds {
        Some(seconds) => (seconds.parse().expect("a number of seconds"), 1_000),
        None => (10, 1),
    };
    let (catalogue, began) = (evogrid::catalogue(), Instant::now());
    let declarations: Vec<&Declaration> =
        catalogue.algorithms.declarations().filter(|algorithm| algorithm.name != "external").collect();
    let (mut n_runs, mut n_refused) = (0_u64, 0_u64);
    for seed in first_seed.. {
        if began.elapsed().as_secs() >= limit && n_runs > 0 {
            break;
        }
        let mut random = RandomStream::from_seed(seed);
        let families: Vec<&dyn Family> = catalogue.families().filter(|family| family.has_genomes()).collect();
        let family = families[random.below(families.len())];
        let name = family.declaration().name;
        let mut given = random_settings(&catalogue, declarations[random.below(declarations.len())], 2, &mut random);
        let evaluations = 1 + random.below(3000) as i64;
        given.set_at("budget.evaluations", Value::Integer(evaluations));
        given.set_at("budget.generations", Value::Integer(1 + random.below(200) as i64));
        given.set_at("budget.restarts", Value::Integer(random.below(4) as i64));
        let settings = catalogue.resolve(&given, &[name]).ok();
        let Some(settings) = settings.filter(|settings| catalogue.misfits(settings, family).is_empty()) else {
            n_refused += 1;
            continue;
        };
        let instance = small_instance(family, 4, 6 + random.below(6), 3 + random.below(12));
        let (content, problem) = (instance.content(), instance.prepare(&settings));
        let mut budget = Budget::from_settings(settings.table("budget"));
        // A foreign solver may take long on its own.
        budget.seconds = Some(20.0);
        let outcome = problem.solve(&catalogue.algorithm(&settings), &budget, &mut random, &mut ());
        n_runs += 1;
        let what = format!("seed {seed}, {name} {content}, {}", settings.canonical());
        assert!(outcome.evaluations <= evaluations as u64, "{what}: {outcome:?}");
        if outcome.best_genome.is_empty() || outcome.failure.is_some() {
            continue;
        }
        for objective in family.objectives() {
            let measured =
                objective.measure(&content, &problem.describe(&outcome.best_genome)).expect("it is computed");
            let measured = measured.unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
            if family.fitness(&settings, Some(objective)) == objective.fitness_name() {
                assert_eq!(measured, outcome.best_fitness.value(), "{what}");
            }
        }
    }
    let _ = writeln!(std::io::stderr(), "{n_runs} runs, {n_refused} combinations refused");
    assert!(n_runs > 20, "{n_runs} runs, {n_refused} refused");
}

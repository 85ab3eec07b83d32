//! Tours through the core's searches, and the published tours of TSPLIB where its files are.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::layout::Layout;
use evogrid_core::neighbourhood::{NeighbourhoodName, Pick, Rearrangement};
use evogrid_core::operator::Perturbation;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;
use evogrid_core::search::hill_climbing::HillClimbing;
use evogrid_core::search::iterated_local_search::{Acceptance, IteratedLocalSearch};
use evogrid_core::search::local_algorithm::LocalAlgorithm;
use evogrid_core::settings::{Settings, Value};
use evogrid_problems::Published;
use evogrid_problems::tsp::{
    TspInstance, TspProblem, WeightKind, dimacs, dimacs::uniform, independent_check, parse_instance,
};

/// Lengths of the shortest tours, by the names of the instances in small letters.
fn optima() -> BTreeMap<String, i64> {
    let rows = include_str!("../../../../datasets/tsp/optima.csv").lines().skip(1);
    let row = |line: &str| {
        let mut fields = line.split(',');
        let name = fields.next().expect("an id").to_lowercase();
        (name, fields.next().expect("a length").parse().expect("a number"))
    };
    rows.map(row).collect()
}

/// The files are not ours to give: `scripts/check_tsplib.py` fetches them and says where they are.
#[test]
fn published_tours_are_as_long_as_published() {
    let Some(folder) = std::env::var_os("EVOGRID_TSPLIB") else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: EVOGRID_TSPLIB names no folder of TSPLIB files; see scripts/check_tsplib.py"
        );
        return;
    };
    let folder = Path::new(&folder);
    let (mut n_read, mut n_tours, optima) = (0, 0, optima());
    let mut refused = Vec::new();
    for (name, &optimum) in &optima {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.tsp"))) else { continue };
        let instance = match parse_instance(&text) {
            Ok(instance) => instance,
            Err(error) => {
                refused.push(format!("{name}: {error}"));
                continue;
            }
        };
        n_read += 1;
        // Some files of tours hold a length and no tour.
        let tour = std::fs::read_to_string(folder.join(format!("{name}.opt.tour")));
        let Some(tour) = tour.ok().filter(|text| text.contains("TOUR_SECTION")) else { continue };
        let (_, words) = tour.split_once("TOUR_SECTION").expect("it has a tour");
        let cities = words.split_whitespace().map_while(|word| word.parse::<u16>().ok());
        let tour: Vec<u16> = cities.map(|city| city - 1).collect();
        assert!(Layout::new(tour.len(), &vec![None; tour.len()]).is_ok_and(|layout| layout.is_valid(&tour)), "{name}");
        assert_eq!(instance.weights().tour_length(&tour), optimum, "{name}");
        let line: Vec<String> = tour.iter().map(|city| (city + 1).to_string()).collect();
        assert_eq!(independent_check::tour_length(&instance.content(), &line.join(" ")), Ok(optimum), "{name}");
        n_tours += 1;
    }
    let _ = writeln!(
        std::io::stderr(),
        "{n_read} instances read, {n_tours} optimal tours recomputed; refused: {refused:#?}"
    );
    assert!(n_tours >= 32 && n_read >= 109, "{n_read} instances, {n_tours} tours");
}

/// How far the tour that an algorithm finds on an instance of the challenge is above the best known one, in per cent.
fn gap(published: &Published, algorithm: &Algorithm, budget: &Budget) -> f64 {
    let problem = TspProblem::new(dimacs::instance(published.id));
    let outcome = problem.solve(algorithm, budget, &mut RandomStream::from_seed(1), &mut ());
    let line = Problem::describe(&problem, &outcome.best_genome);
    let length = independent_check::tour_length(&problem.instance().content(), &line).expect("a tour");
    assert_eq!(outcome.best_fitness.value(), length as f64);
    100.0 * (length as f64 / published.number::<f64>("best_known_length") - 1.0)
}

fn hill_climbing(start: &str) -> Algorithm {
    Algorithm::Local(LocalAlgorithm::HillClimbing(HillClimbing {
        start: Start::from_name(start),
        neighbourhood: NeighbourhoodName::new("family"),
        pick: Pick::Best,
    }))
}

#[test]
fn a_local_optimum_of_a_thousand_cities_is_within_5_5_per_cent_of_the_shortest_tour() {
    let instances: Vec<_> = dimacs::published().filter(|instance| instance.id.starts_with("E1k")).collect();
    for (start, bound) in [("nearest-neighbour", 5.5), ("greedy", 4.5)] {
        let gaps = instances.iter().map(|instance| gap(instance, &hill_climbing(start), &Budget::default()));
        let mean = gaps.sum::<f64>() / instances.len() as f64;
        assert!(mean < bound && instances.len() == 10, "{start}: {mean} per cent");
    }
}

/// Two adjacent segments of up to 50 cities change places.
struct LocalBridge;

impl Perturbation for LocalBridge {
    fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream) {
        let [first, second] = random.batch([50, 50]).map(|length| length + 1);
        let start = random.below(layout.gene_len() - first - second + 1);
        changes.push(Rearrangement::Exchange { gene: 0, start, middle: start + first, end: start + first + second });
    }
}

#[test]
fn iterated_local_search_comes_within_one_per_cent() {
    let search = IteratedLocalSearch {
        start: Start::Family,
        neighbourhood: NeighbourhoodName::new("or-2opt"),
        pick: Pick::First,
        perturbation: Box::new(LocalBridge),
        accept: Acceptance::BetterOrEqual,
    };
    let budget = Budget { evaluations: Some(3_000_000), ..Budget::default() };
    let found = gap(
        &dimacs::published().next().unwrap(),
        &Algorithm::Local(LocalAlgorithm::IteratedLocalSearch(search)),
        &budget,
    );
    assert!((0.0..1.0).contains(&found), "{found} per cent");
}

#[test]
fn fifty_thousand_cities_are_solved_described_and_checked() {
    let problem = TspProblem::new(uniform(50_000, 7));
    let memory = allocation_counter::measure(|| {
        let outcome =
            problem.solve(&hill_climbing("greedy"), &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
        let line = Problem::describe(&problem, &outcome.best_genome);
        assert_eq!(problem.read(&line), Ok(outcome.best_genome));
        let length = independent_check::tour_length(&problem.instance().content(), &line);
        assert_eq!(length, Ok(outcome.best_fitness.value() as i64));
    });
    // Linear in the cities: some hundred bytes for each.
    assert!(memory.bytes_max < 30_000_000, "{} bytes", memory.bytes_max);
}

#[test]
fn cities_that_all_lie_in_one_place_or_on_a_line_are_no_trouble() {
    for place in [|_| 7.0, f64::from, |city: u16| f64::from(city % 3)] {
        let coordinates = (0..20_000).flat_map(|city| [place(city), 1.0]).collect();
        let problem = TspProblem::new(TspInstance::from_coordinates(WeightKind::Euc2D, coordinates));
        for start in problem.constructions().iter().map(|construction| construction.name) {
            let outcome =
                problem.solve(&hill_climbing(start), &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
            assert!(outcome.best_fitness.value() <= 2.0 * 20_000.0);
        }
    }
}

#[test]
fn searches_end_on_three_and_four_cities() {
    for n_cities in [3, 4] {
        let problem = TspProblem::new(uniform(n_cities, 1));
        for start in ["random", "family", "nearest-neighbour"] {
            let outcome =
                problem.solve(&hill_climbing(start), &Budget::default(), &mut RandomStream::from_seed(1), &mut ());
            let mut tours =
                vec![[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]].into_iter().map(|tour| tour[..n_cities.min(4)].to_vec());
            let shortest =
                tours.by_ref().filter(|tour| problem.layout().is_valid(tour)).map(|tour| problem.fitness(&tour)).min();
            assert_eq!(Some(outcome.best_fitness), shortest, "{start}");
        }
        let catalogue = Catalogue::new();
        for kind in ["annealing", "threshold-accepting", "late-acceptance"] {
            let mut settings = Settings::new();
            settings.set("kind", Value::Text(kind.to_owned()));
            settings.set_at("budget.evaluations", Value::Integer(1));
            let walk = catalogue.algorithm(&catalogue.resolve(&settings, &[]).expect("the defaults are right"));
            let budget = Budget { evaluations: Some(1000), ..Budget::default() };
            let outcome = problem.solve(&walk, &budget, &mut RandomStream::from_seed(1), &mut ());
            assert_eq!(
                outcome.evaluations, 1000,
                "{kind}: three cities have moves, too, though none changes the length"
            );
        }
    }
}

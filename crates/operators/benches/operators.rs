//! Every operator on a grid of 9 by 9: nine genes of nine alleles, 30 of the 81 positions locked, a population of 200.

use divan::{Bencher, black_box};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Parents;
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::registry::{Operators, Registry};
use evogrid_core::settings::{Settings, Value};

const N_POPULATION: usize = 200;
const N_PARENTS: usize = 40;

fn main() {
    divan::main();
}

#[divan::bench(args = ["random", "smart"])]
fn initialisation(bencher: Bencher, name: &str) {
    let grid = Grid::new();
    let initialisation = operator(|operators| &operators.initialisations, "initialisation", name, &[]);
    let (mut genome, mut random) = (vec![0; 81], RandomStream::from_seed(1));
    bencher.bench_local(|| initialisation.initialise(&grid, black_box(&mut genome), &mut random));
}

#[divan::bench(args = ["truncation", "sus", "tournament", "ranking", "roulette", "random"])]
fn selection(bencher: Bencher, name: &str) {
    let grid = Grid::new();
    let selection = operator(|operators| &operators.selections, "selection", name, &[]);
    let (population, mut random) = (grid.population(N_POPULATION), RandomStream::from_seed(1));
    let mut chosen = Vec::with_capacity(N_POPULATION);
    bencher.bench_local(|| selection.select(black_box(&population), &mut chosen, &mut random));
}

#[divan::bench(args = [
    ("two-point", "-"),
    ("diagonal", "even"),
    ("diagonal", "random"),
    ("one-point", "-"),
    ("three-segment", "-"),
    ("alternating", "-"),
    ("uniform", "-"),
    ("pmx", "-"),
    ("order", "-"),
    ("cycle", "-"),
    ("product-geometric", "-"),
    ("combined-alternating", "-"),
    ("combined-positional", "-"),
    ("edge-recombination", "-"),
])]
fn crossover(bencher: Bencher, (name, cuts): (&str, &str)) {
    let grid = Grid::new();
    let given = [("cuts", Value::Text(cuts.to_owned()))];
    let given = if cuts == "-" { &[] } else { &given[..] };
    let crossover = operator(|operators| &operators.crossovers, "crossover", name, given);
    let (population, mut random) = (grid.population(N_POPULATION), RandomStream::from_seed(1));
    let chosen: Vec<usize> = (0..crossover.n_parents()).map(|parent| parent * 7).collect();
    let (mut children, mut scratch) = (vec![0; 81 * chosen.len()], Vec::with_capacity(81));
    bencher.bench_local(|| {
        let parents = Parents::new(black_box(&population), &chosen);
        crossover.cross(&grid.layout, parents, black_box(&mut children), &mut scratch, &mut random);
    });
}

#[divan::bench(args = ["all", "conflicting", "one"])]
fn collision_swap(bencher: Bencher, genes: &str) {
    let grid = Grid::new();
    let given = [("genes", Value::Text(genes.to_owned())), ("other", Value::Real(1.0 / 9.0))];
    let mutation = operator(|operators| &operators.mutations, "mutation", "collision-swap", &given);
    let mut random = RandomStream::from_seed(1);
    // A third of the positions in conflict, each time others, so that no branch can be predicted.
    let conflicts: Vec<u32> = (0..81 * 256).map(|_| u32::from(random.chance(0.33))).collect();
    let mut conflicts = conflicts.chunks_exact(81).cycle();
    let (mut genome, mut scratch) = (grid.layout.template().to_vec(), Vec::with_capacity(81));
    bencher.bench_local(|| {
        let conflicts = conflicts.next().expect("a cycle never ends");
        mutation.mutate(&grid.layout, black_box(conflicts), black_box(&mut genome), &mut scratch, &mut random);
    });
}

#[divan::bench(args = [
    "swap-random",
    "swap-next",
    "swap-diagonal",
    "rotation",
    "regeneration",
    "inversion",
    "insertion",
    "scramble",
])]
fn mutation(bencher: Bencher, name: &str) {
    let grid = Grid::new();
    let mutation = operator(|operators| &operators.mutations, "mutation", name, &[]);
    let (mut random, mut scratch) = (RandomStream::from_seed(1), Vec::with_capacity(81));
    let mut genome = grid.layout.template().to_vec();
    bencher.bench_local(|| mutation.mutate(&grid.layout, &[], black_box(&mut genome), &mut scratch, &mut random));
}

/// What a generation pays for its survival; the copy of the offspring that each round begins with is left out.
#[divan::bench(args = [("parents-stay", 0.0), ("generational", 0.0), ("parents-stay", 0.05), ("generational", 0.05)])]
fn survival(bencher: Bencher, (name, elite): (&str, f64)) {
    let grid = Grid::new();
    let given = [("elite", Value::Real(elite))];
    let survival = operator(|operators| &operators.survivals, "survival", name, &given);
    let population = grid.population(N_POPULATION);
    let mut chosen = Vec::new();
    population.best(N_PARENTS, &mut chosen);
    let offspring = grid.population(survival.n_offspring(N_POPULATION, N_PARENTS));
    let mut scratch = Vec::with_capacity(2 * N_POPULATION);
    let with_room = || {
        let mut next = Population::with_capacity(81, N_POPULATION);
        (0..offspring.len()).for_each(|individual| next.push_copy(&offspring, individual));
        next
    };
    bencher.with_inputs(with_room).bench_local_refs(|next| {
        survival.survive(black_box(&population), Parents::new(&population, &chosen), next, &mut scratch);
    });
}

/// The families of operators that a genetic algorithm is made of.
const OPERATORS: [&str; 5] = ["initialisation", "selection", "crossover", "mutation", "survival"];

/// A grid of nine blocks, which are the genes, with its rows as lines. Operators never evaluate, so it needs no fitness.
struct Grid {
    layout: Layout,
    lines: Vec<u16>,
}

impl Grid {
    fn new() -> Self {
        // Alleles without a conflict, block by block, of which every position p with 7p mod 81 < 30 is given.
        let solved = |position: usize| {
            let (row, column) = (position / 27 * 3 + position % 9 / 3, position / 9 % 3 * 3 + position % 3);
            ((row * 3 + row / 3 + column) % 9) as Allele
        };
        let locked: Vec<_> = (0..81).map(|position| (position * 7 % 81 < 30).then(|| solved(position))).collect();
        Self {
            layout: Layout::new(9, &locked).unwrap(),
            lines: (0..81).map(|position| position / 27 * 3 + position % 9 / 3).collect(),
        }
    }

    fn population(&self, n: usize) -> Population {
        let mut random = RandomStream::from_seed(200);
        let mut population = Population::with_capacity(81, n);
        for _ in 0..n {
            self.layout.randomise(population.candidates(1), &mut random);
            population.admit(Fitness::from(random.below(60) as u32));
        }
        population
    }
}

impl Problem for Grid {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, _genome: &[Allele]) -> Fitness {
        Fitness::WORST
    }

    fn lines(&self) -> &[u16] {
        &self.lines
    }
}

/// An operator of a family, by its name and the settings that are not left to their defaults.
fn operator<T: ?Sized>(
    members: fn(&Operators) -> &Registry<T>,
    family: &str,
    name: &str,
    given: &[(&str, Value)],
) -> Box<T> {
    let mut catalogue = Catalogue::new();
    evogrid_operators::register(&mut catalogue.operators);
    let mut settings = Settings::new();
    settings.set("kind", Value::Text("genetic".to_owned()));
    for (family, members) in catalogue.operators.declarations() {
        // Of the families that stand in no genetic algorithm, a setting would be refused.
        if OPERATORS.contains(&family) {
            settings.set(family, Value::Text(members[0].name.to_owned()));
        }
    }
    settings.set_at("budget.generations", Value::Integer(1));
    settings.set(family, Value::Text(name.to_owned()));
    for (parameter, value) in given {
        settings.set_at(&format!("{family}.{parameter}"), value.clone());
    }
    let settings = catalogue.resolve(&settings, &[]).expect("the settings of a bench are right");
    members(&catalogue.operators).build(settings.table(family), &catalogue.operators).expect("right settings")
}

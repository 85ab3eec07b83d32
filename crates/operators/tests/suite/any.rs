//! Anything that the laws must hold for: problems, budgets, and the settings that the declarations allow.

use crate::support::catalogue;
use evogrid_core::budget::Budget;
use evogrid_core::capability::Capability;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::layout::Allele;
use evogrid_core::parameter::{Declaration, DefaultValue, Domain};
use evogrid_core::population::Population;
use evogrid_core::problem::{ConflictCount, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{Columns, genetic};

/// The shape of a test problem: Sudoku boards from 4x4 to 25x25, a tour, a gene of one allele, and some odd ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    n_genes: usize,
    gene_len: usize,
    locked: f64,
    seed: u64,
}

impl Ground {
    /// The problem of this shape.
    pub(crate) fn problem(self) -> Columns {
        Columns::new(self.n_genes, self.gene_len, self.locked, self.seed)
    }
}

/// Problems of every shape, from nothing locked to everything.
pub(crate) fn grounds() -> impl Strategy<Value = Ground> {
    let shapes = vec![(4, 4), (6, 6), (8, 8), (9, 9), (16, 16), (25, 25), (1, 30), (1, 1), (5, 1), (2, 7), (3, 2)];
    let locked = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    (select(shapes), locked, any::<u64>()).prop_map(|((n_genes, gene_len), locked, seed)| Ground {
        n_genes,
        gene_len,
        locked,
        seed,
    })
}

/// Small budgets, always with a limit of generations: not every algorithm evaluates in each of them.
pub(crate) fn budgets() -> impl Strategy<Value = Budget> {
    let evaluations = proptest::option::of(prop_oneof![Just(0), Just(1), 2..300u64]);
    (evaluations, 1..6u64, proptest::option::of(1..4u64), 0..3u64).prop_map(
        |(evaluations, generations, stagnation, restarts)| Budget {
            evaluations,
            generations: Some(generations),
            stagnation,
            restarts,
            ..Budget::default()
        },
    )
}

/// A genetic algorithm of any operators.
pub(crate) fn algorithms() -> BoxedStrategy<Settings> {
    let catalogue = catalogue();
    settings(&catalogue, &catalogue.algorithms.find("genetic").unwrap().declaration, 2)
}

/// Every search but the genetic algorithm, each with any settings, that works on any problem.
pub(crate) fn searches() -> BoxedStrategy<Vec<Settings>> {
    let catalogue = catalogue();
    let is_general = |declaration: &&Declaration| declaration.needs.is_empty() && declaration.name != "genetic";
    let searches = catalogue.algorithms.declarations().filter(is_general);
    let searches = searches.map(|declaration| settings(&catalogue, declaration, 2).prop_map(limited).boxed());
    searches.collect::<Vec<_>>().boxed()
}

/// The same settings without what is refused together, and with a limit of the local search: not all end by themselves, nor soon.
fn limited(mut settings: Settings) -> Settings {
    match settings.name("kind") {
        "memetic" if settings.get("local_search_evaluations").is_none() => {
            settings.set("local_search_evaluations", Value::Integer(9));
        }
        "steady-state" => settings.set("offspring", Value::Integer(1)),
        "portfolio" => {
            for name in ["first", "second", "third", "fourth"] {
                match settings.get(name) {
                    Some(Value::Table(member)) => settings.set(name, Value::Table(limited(member.clone()))),
                    _ => settings.set(format!("{name}_share"), Value::Real(1.0)),
                }
            }
        }
        _ => {}
    }
    settings
}

/// Every member of a family, each with any settings.
pub(crate) fn every(family: &str) -> BoxedStrategy<Vec<Settings>> {
    let catalogue = catalogue();
    let members = members(&catalogue, family);
    members.iter().map(|member| settings(&catalogue, member, 1)).collect::<Vec<_>>().boxed()
}

/// The settings of one operator, completed with its defaults.
pub(crate) fn resolved(catalogue: &Catalogue, family: &str, operator: &Settings) -> Settings {
    let mut given = Settings::new();
    given.set(family, Value::Table(operator.clone()));
    genetic(catalogue, &given).table(family).clone()
}

/// Random genomes with their fitness.
pub(crate) fn population(problem: &Columns, n: usize, seed: u64) -> Population {
    let mut random = RandomStream::from_seed(seed);
    let mut population = Population::with_capacity(problem.layout().genome_len(), n);
    for _ in 0..n {
        let genome = population.candidates(1);
        problem.randomise(genome, &mut random);
        let fitness = problem.appraise(genome);
        population.admit(fitness);
    }
    population
}

/// A random genome, and its conflicts.
pub(crate) fn random_genome(problem: &Columns, random: &mut RandomStream) -> (Vec<Allele>, Vec<u32>) {
    let mut genome = vec![0; problem.layout().genome_len()];
    problem.randomise(&mut genome, random);
    let mut conflicts = vec![0; genome.len()];
    problem.count(&genome, &mut conflicts);
    (genome, conflicts)
}

/// Any settings that a declaration allows; half of those that have a default are left to it. Operators within are nested no deeper
/// than `depth`.
fn settings(catalogue: &Catalogue, declaration: &Declaration, depth: usize) -> BoxedStrategy<Settings> {
    let kind = Value::Text(declaration.name.to_owned());
    let values: Vec<_> = declaration
        .parameters
        .iter()
        .map(|parameter| {
            let value = value(catalogue, &parameter.domain, depth);
            let value = match parameter.default {
                DefaultValue::Required => value.prop_map(Some).boxed(),
                DefaultValue::Absent | DefaultValue::Value(_) => proptest::option::of(value).boxed(),
            };
            (Just(parameter.name), value)
        })
        .collect();
    values
        .prop_map(move |values| {
            let mut settings = Settings::new();
            settings.set("kind", kind.clone());
            values
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)))
                .for_each(|(name, value)| settings.set(name, value));
            settings
        })
        .boxed()
}

fn value(catalogue: &Catalogue, domain: &Domain, depth: usize) -> BoxedStrategy<Value> {
    match *domain {
        Domain::Flag => any::<bool>().prop_map(Value::Flag).boxed(),
        Domain::Integer { min, max } => (min..=max.min(min.saturating_add(20))).prop_map(Value::Integer).boxed(),
        Domain::Real { min, max } => prop_oneof![Just(min), Just(max), min..=max].prop_map(Value::Real).boxed(),
        Domain::Choice(names, _) => select(names).prop_map(|name| Value::Text(name.to_owned())).boxed(),
        Domain::Text => "\\PC{0,20}".prop_map(Value::Text).boxed(),
        Domain::Table => proptest::collection::btree_map("[a-z]{1,3}", any::<i64>(), 0..3)
            .prop_map(|entries| {
                let mut table = Settings::new();
                entries.into_iter().for_each(|(name, number)| table.set(name, Value::Integer(number)));
                Value::Table(table)
            })
            .boxed(),
        Domain::Operator(family) => {
            let is_plain = |member: &Declaration| {
                !member.parameters.iter().any(|parameter| matches!(parameter.domain, Domain::Operator(_)))
            };
            let mut members = members(catalogue, family);
            members.retain(|member| depth > 1 || is_plain(member));
            let tables: Vec<_> = members.iter().map(|member| settings(catalogue, member, depth - 1)).collect();
            proptest::strategy::Union::new(tables).prop_map(Value::Table).boxed()
        }
    }
}

/// Those that work on any problem that counts conflicts and has several genes.
fn members(catalogue: &Catalogue, family: &str) -> Vec<Declaration> {
    let members = catalogue.of_category(family).into_iter();
    let is_offered = |needed: &Capability| matches!(needed, Capability::Conflicts | Capability::SeveralGenes);
    members.filter(|member| member.needs.iter().all(is_offered)).copied().collect()
}

//! What every operator in the catalogue obeys, whatever its settings, on layouts of every shape.
//!
//! The laws go through the catalogue and draw the settings from the declarations, so that an operator is held to them as soon
//! as it can be named.

use crate::any::{algorithms, budgets, every, grounds, population, random_genome, resolved};
use evogrid_core::algorithm::Solve;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::layout::Allele;
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::operator::Parents;
use evogrid_core::parameter::Declaration;
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

use crate::support::{Columns, catalogue, genetic};
use proptest::prelude::*;
use proptest::sample::select;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_initialisation_fills_any_genome_validly(ground in grounds(), members in every("initialisation"), seed: u64) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        for settings in &members {
            let initialisation = catalogue.operators.initialisations.build(&resolved(&catalogue, "initialisation", settings), &catalogue.operators).unwrap();
            let fill = |before: Allele| {
                let mut genome = vec![before; problem.layout().genome_len()];
                initialisation.initialise(&problem, &mut genome, &mut RandomStream::from_seed(seed));
                genome
            };
            let genome = fill(0);
            prop_assert!(problem.layout().is_valid(&genome), "{settings:?}: {genome:?}");
            prop_assert_eq!(genome, fill(Allele::MAX), "{:?}: the same stream, another genome", settings);
        }
    }

    #[test]
    fn a_selection_chooses_individuals_and_at_least_one(
        ground in grounds(), n_population in 1..40usize, members in every("selection"), seed: u64,
    ) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        let population = population(&problem, n_population, seed);
        for settings in &members {
            let selection = catalogue.operators.selections.build(&resolved(&catalogue, "selection", settings), &catalogue.operators).unwrap();
            let choose = |mut chosen| {
                selection.select(&population, &mut chosen, &mut RandomStream::from_seed(seed));
                chosen
            };
            let chosen = choose(Vec::new());
            prop_assert!(!chosen.is_empty(), "{settings:?} chose nobody");
            prop_assert!(chosen.iter().all(|&one| one < n_population), "{settings:?}: {chosen:?}");
            prop_assert_eq!(chosen, choose(vec![usize::MAX; 7]), "{:?}: the same stream, other parents", settings);
        }
    }

    #[test]
    fn a_crossover_makes_valid_children_of_any_parents(ground in grounds(), members in every("crossover"), seed: u64) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        for settings in &members {
            let crossover = catalogue.operators.crossovers.build(&resolved(&catalogue, "crossover", settings), &catalogue.operators).unwrap();
            let n_parents = crossover.n_parents();
            prop_assert!(n_parents >= 2, "{settings:?}");
            let population = population(&problem, n_parents, seed);
            let chosen: Vec<usize> = (0..n_parents).rev().collect();
            let cross = |before: Allele| {
                let mut children = vec![before; n_parents * problem.layout().genome_len()];
                let parents = Parents::new(&population, &chosen);
                crossover.cross(problem.layout(), parents, &mut children, &mut Vec::new(), &mut RandomStream::from_seed(seed));
                children
            };
            let children = cross(0);
            for child in children.chunks_exact(problem.layout().genome_len()) {
                prop_assert!(problem.layout().is_valid(child), "{settings:?}: {child:?}");
            }
            prop_assert_eq!(children, cross(Allele::MAX), "{:?}: the same stream, other children", settings);
        }
    }

    #[test]
    fn a_gene_wise_crossover_hands_the_parents_genes_on_and_loses_none(
        ground in grounds(), members in every("crossover"), seed: u64,
    ) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        let (layout, mut random) = (problem.layout(), RandomStream::from_seed(seed));
        for settings in &members {
            let crossover = catalogue.operators.crossovers.build(&resolved(&catalogue, "crossover", settings), &catalogue.operators).unwrap();
            if !crossover.hands_on_whole_genes() {
                continue;
            }
            let population = population(&problem, crossover.n_parents(), seed);
            let chosen: Vec<usize> = (0..population.len()).collect();
            let parents: Vec<Allele> = chosen.iter().flat_map(|&parent| population.genome(parent)).copied().collect();
            let mut children = vec![0; parents.len()];
            crossover.cross(layout, Parents::new(&population, &chosen), &mut children, &mut Vec::new(), &mut random);
            for gene in 0..layout.n_genes() {
                let of = |genomes: &[Allele]| {
                    let genes = genomes.chunks_exact(layout.gene_len()).skip(gene).step_by(layout.n_genes());
                    let mut genes: Vec<Vec<Allele>> = genes.map(<[Allele]>::to_vec).collect();
                    genes.sort_unstable();
                    genes
                };
                prop_assert_eq!(of(&children), of(&parents), "{:?}, gene {}", settings, gene);
            }
        }
    }

    #[test]
    fn a_mutation_keeps_a_genome_valid(ground in grounds(), members in every("mutation"), seed: u64) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        let (before, conflicts) = random_genome(&problem, &mut RandomStream::from_seed(seed));
        for settings in &members {
            let mutation = catalogue.operators.mutations.build(&resolved(&catalogue, "mutation", settings), &catalogue.operators).unwrap();
            let conflicts = if mutation.is_guided() { &conflicts[..] } else { &[] };
            let mutate = |mut scratch| {
                let (mut genome, mut random) = (before.clone(), RandomStream::from_seed(!seed));
                mutation.mutate(problem.layout(), conflicts, &mut genome, &mut scratch, &mut random);
                genome
            };
            let genome = mutate(Vec::new());
            prop_assert!(problem.layout().is_valid(&genome), "{settings:?} turned {before:?} into {genome:?}");
            prop_assert_eq!(genome, mutate(vec![usize::MAX; 7]), "{:?}: the same stream, another genome", settings);
        }
    }

    #[test]
    fn a_collision_swap_without_others_never_moves_a_position_without_conflict(
        ground in grounds(), genes in select(vec!["all", "conflicting", "one"]), seed: u64,
    ) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        let mut settings = Settings::new();
        settings.set("kind", Value::Text("collision-swap".to_owned()));
        settings.set("other", Value::Real(0.0));
        settings.set("genes", Value::Text(genes.to_owned()));
        let mutation = catalogue.operators.mutations.build(&resolved(&catalogue, "mutation", &settings), &catalogue.operators).unwrap();
        let mut random = RandomStream::from_seed(seed);
        let (before, conflicts) = random_genome(&problem, &mut random);
        let mut after = before.clone();
        mutation.mutate(problem.layout(), &conflicts, &mut after, &mut Vec::new(), &mut random);
        for position in (0..before.len()).filter(|&position| conflicts[position] == 0) {
            prop_assert_eq!(before[position], after[position], "position {}", position);
        }
    }

    #[test]
    fn a_survival_keeps_the_population_as_large_as_it_was_and_every_fitness_true(
        ground in grounds(), n_population in 1..20usize, n_parents in 1..40usize, are_mutants: bool,
        members in every("survival"), seed: u64,
    ) {
        let (catalogue, problem) = (catalogue(), ground.problem());
        let present = population(&problem, n_population, seed);
        let mutants = if are_mutants { population(&problem, n_parents, seed / 2) } else { present.clone() };
        let mut random = RandomStream::from_seed(seed);
        let chosen: Vec<usize> = (0..n_parents).map(|_| random.below(mutants.len())).collect();
        let parents = Parents::new(&mutants, &chosen);
        for settings in &members {
            let survival = catalogue.operators.survivals.build(&resolved(&catalogue, "survival", settings), &catalogue.operators).unwrap();
            let offspring = population(&problem, survival.n_offspring(n_population, n_parents), !seed);
            let survive = |mut scratch| {
                let mut next = offspring.clone();
                survival.survive(&present, parents, &mut next, &mut scratch);
                next
            };
            let next = survive(Vec::new());
            prop_assert_eq!(next.len(), n_population, "{:?}", settings);
            for individual in 0..next.len() {
                prop_assert_eq!(next.fitness(individual), problem.appraise(next.genome(individual)), "{:?}", settings);
            }
            let again = survive(vec![usize::MAX; 7]);
            prop_assert_eq!(genomes(&next), genomes(&again), "{:?}: another next generation", settings);
        }
    }

    #[test]
    fn a_run_keeps_its_budget_and_can_be_repeated(ground in grounds(), settings in algorithms(), budget in budgets(), seed: u64) {
        let catalogue = catalogue();
        audited_run(&catalogue, &ground.problem(), &genetic(&catalogue, &settings), &budget, seed);
    }
}

#[test]
fn every_combination_of_operators_runs() {
    let catalogue = catalogue();
    let problem = Columns::new(6, 6, 0.3, 6);
    let mut combinations = vec![Settings::new()];
    // A genetic algorithm perturbs nothing.
    for (family, members) in
        catalogue.operators.declarations().into_iter().filter(|(family, _)| *family != "perturbation")
    {
        let with = |(member, settings): (&&Declaration, &Settings)| {
            let mut settings = settings.clone();
            settings.set(family, Value::Text(member.name.to_owned()));
            settings
        };
        let pairs = members.iter().flat_map(|member| combinations.iter().map(move |settings| (member, settings)));
        combinations = pairs.map(with).collect();
    }
    for (seed, settings) in combinations.iter_mut().enumerate() {
        settings.set("population", Value::Integer(7));
        let budget = Budget { generations: Some(3), evaluations: Some(seed as u64 % 30), ..Budget::default() };
        audited_run(&catalogue, &problem, &genetic(&catalogue, settings), &budget, seed as u64);
    }
}

#[test]
fn a_population_that_only_copies_itself_comes_to_an_end() {
    let (catalogue, problem) = (catalogue(), Columns::new(9, 9, 0.3, 9));
    let mut settings = Settings::new();
    settings.set("population", Value::Integer(5));
    settings.set("crossover_rate", Value::Real(0.0));
    settings.set("mutation_rate", Value::Real(0.0));
    let algorithm = catalogue.algorithm(&genetic(&catalogue, &settings));
    let budget = Budget { evaluations: Some(1000), ..Budget::default() };
    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
    assert_eq!((outcome.stop, outcome.evaluations), (Stop::Stagnation, 5));
    assert_eq!(problem.take_evaluations(), 5);
}

#[test]
fn every_declaration_says_what_it_is_and_where_it_comes_from() {
    for (family, members) in catalogue().operators.declarations() {
        for member in members {
            let texts =
                [member.name, member.doc, member.source].into_iter().chain(member.parameters.iter().map(|it| it.doc));
            for text in texts {
                assert!(
                    !text.is_empty() && !text.ends_with('.') && !text.contains("  "),
                    "{family} {}: {text}",
                    member.name
                );
            }
            assert!(member.name.chars().all(|one| one.is_ascii_lowercase() || one == '-'), "{family} {}", member.name);
        }
    }
}

/// Runs an algorithm twice and checks what holds of any run.
fn audited_run(catalogue: &Catalogue, problem: &Columns, settings: &Settings, budget: &Budget, seed: u64) {
    let algorithm = catalogue.algorithm(settings);
    let run = || {
        let mut auditor = Auditor { problem, n_population: settings.count("population") };
        let outcome = problem.solve(&algorithm, budget, &mut RandomStream::from_seed(seed), &mut auditor);
        assert_eq!(outcome.evaluations, problem.take_evaluations(), "all evaluations are counted");
        outcome
    };
    let outcome = run();
    assert!(outcome.evaluations <= budget.evaluations.unwrap_or(u64::MAX), "{outcome:?}");
    assert!(outcome.restarts <= budget.restarts, "{outcome:?}");
    assert!(outcome.generations <= budget.generations.unwrap() * (outcome.restarts + 1), "{outcome:?}");
    assert_eq!(outcome.best_genome.is_empty(), outcome.evaluations == 0, "{outcome:?}");
    if !outcome.best_genome.is_empty() {
        assert!(problem.layout().is_valid(&outcome.best_genome), "{outcome:?}");
        assert_eq!(outcome.best_fitness, problem.appraise(&outcome.best_genome));
    }
    assert_eq!(outcome, run(), "the same seed, another run");
}

/// Checks every generation of a run.
struct Auditor<'a> {
    problem: &'a Columns,
    n_population: usize,
}

impl Observer for Auditor<'_> {
    fn generation(&mut self, progress: &Progress, population: Option<&Population>) {
        let population = population.expect("a genetic algorithm has one");
        assert_eq!(population.len(), self.n_population);
        for individual in 0..population.len() {
            let genome = population.genome(individual);
            assert!(self.problem.layout().is_valid(genome), "{genome:?}");
            assert_eq!(population.fitness(individual), self.problem.appraise(genome), "a stale fitness");
            assert!(population.fitness(individual) >= progress.best_fitness);
        }
    }
}

fn genomes(population: &Population) -> Vec<&[Allele]> {
    (0..population.len()).map(|individual| population.genome(individual)).collect()
}

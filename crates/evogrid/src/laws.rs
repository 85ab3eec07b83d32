//! Laws of operators, families and neighbourhoods. Use these laws to test your own operators, families and neighbourhoods. If a law is
//! violated, the function panics and describes the violation.

use evogrid_core::budget::Budget;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Options;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::neighbourhood::{
    Attribute, Attributes, Move, Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick, Rearrangement, Scan,
    Scope,
};
use evogrid_core::operator::{Crossover, Mutation, Parents};
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{AddedNames, Settings, Value};

/// The numbers and the lengths of genes in the layouts for tests of operators.
const SHAPES: [(usize, usize); 7] = [(1, 1), (1, 2), (1, 9), (3, 2), (2, 7), (9, 9), (5, 1)];

/// The share of positions that are locked in these layouts.
const LOCKED: [f64; 4] = [0.0, 0.3, 0.8, 1.0];

/// Checks a mutation. The mutation must keep every genome valid. If the random stream is the same, the mutant must be the same, whatever
/// the working memory contains.
///
/// ```
/// use evogrid::operators::mutation::inversion::Inversion;
/// use evogrid::operators::mutation::{GeneChoice, GeneWise};
///
/// evogrid::laws::mutation(&GeneWise { mutation: Inversion, genes: GeneChoice::One });
/// ```
///
/// # Panics
/// Panics if a law is violated.
pub fn mutation(mutation: &dyn Mutation) {
    each_layout(|layout, random| {
        let mut before = layout.template().to_vec();
        layout.randomise(&mut before, random);
        let conflicts: Vec<u32> = before.iter().map(|_| random.below(3) as u32).collect();
        let conflicts = if mutation.is_guided() { &conflicts[..] } else { &[] };
        let seed = random.bits();
        let mutant = |mut scratch| {
            let mut genome = before.clone();
            mutation.mutate(layout, conflicts, &mut genome, &mut scratch, &mut RandomStream::from_seed(seed));
            genome
        };
        let genome = mutant(Vec::new());
        assert!(
            layout.is_valid(&genome),
            "the mutation changes {before:?} to {genome:?}, which is not valid in {layout:?}"
        );
        assert_eq!(
            genome,
            mutant(vec![usize::MAX; 7]),
            "with the same random stream, a second mutation of {before:?} gives a different result"
        );
    });
}

/// Checks a crossover. The crossover must make one valid child for each parent. The same random stream must give the same children. The
/// earlier content of the output and of the working memory must not influence the children.
///
/// # Panics
/// Panics if a law is violated.
pub fn crossover(crossover: &dyn Crossover) {
    each_layout(|layout, random| {
        let chosen: Vec<usize> = (0..crossover.n_parents()).rev().collect();
        let individuals = chosen.iter().map(|&at| {
            let mut genome = layout.template().to_vec();
            layout.randomise(&mut genome, random);
            (genome, Fitness::from(at as u32))
        });
        let individuals: Vec<(Vec<Allele>, Fitness)> = individuals.collect();
        let mut population = Population::with_capacity(layout.genome_len(), individuals.len());
        for (genome, fitness) in &individuals {
            population.candidates(1).copy_from_slice(genome);
            population.admit(*fitness);
        }
        let seed = random.bits();
        let children = |stood: Allele, mut scratch| {
            let mut children = vec![stood; chosen.len() * layout.genome_len()];
            let parents = Parents::new(&population, &chosen);
            crossover.cross(layout, parents, &mut children, &mut scratch, &mut RandomStream::from_seed(seed));
            children
        };
        let made = children(0, Vec::new());
        for child in made.chunks_exact(layout.genome_len()) {
            assert!(
                layout.is_valid(child),
                "the crossover of {individuals:?} makes the child {child:?}, which is not valid in {layout:?}"
            );
        }
        let again = children(Allele::MAX, vec![usize::MAX; 7]);
        assert_eq!(
            made, again,
            "with the same random stream, a second crossover of {individuals:?} gives different children"
        );
    });
}

/// Calls a function with layouts of all shapes.
fn each_layout(mut with: impl FnMut(&Layout, &mut RandomStream)) {
    let mut random = RandomStream::from_seed(1);
    for (n_genes, gene_len) in SHAPES {
        for share in LOCKED {
            for _ in 0..8 {
                let all_free = Layout::new(gene_len, &vec![None; n_genes * gene_len]).expect("a layout");
                let mut genome = all_free.template().to_vec();
                all_free.randomise(&mut genome, &mut random);
                let locked: Vec<_> = genome.iter().map(|&allele| random.chance(share).then_some(allele)).collect();
                with(&Layout::new(gene_len, &locked).expect("a part of a genome"), &mut random);
            }
        }
    }
}

/// Checks a family. The family must read the instances that it writes. The family's problems must offer the declared capabilities. If the
/// fitness and the objective have the same name, the independent check must compute the same value as the fitness. `text` is the text of an
/// instance. The check uses the default values of all settings, and no options.
///
/// ```
/// evogrid::laws::family(&evogrid::catalogue(), "sudoku", "1...............");
/// ```
///
/// # Panics
/// Panics if a law is violated. Panics if the catalogue has no family with this name.
pub fn family(catalogue: &Catalogue, name: &str, text: &str) {
    let family = catalogue.family(name).expect("the catalogue contains the problem family");
    let read = |text: &str| family.read(text, &Options::new()).expect("the text can be read as an instance");
    let instance = read(text);
    let content = instance.content();
    let restored = family.restore(&content).unwrap_or_else(|error| panic!("`{content}` is not restored: {error}"));
    assert_eq!(restored.content(), content, "the restored instance has different content");
    let declared: Vec<&str> = family.sizes().iter().map(|size| size.name).collect();
    let sizes: Vec<&str> = instance.sizes().iter().map(|&(name, _)| name).collect();
    assert_eq!(sizes, declared, "the instance has a value for each size that the family declares");

    let resolved = |settings: &[(&str, &str)]| {
        let mut given = Settings::of("budget.evaluations", Value::Integer(1));
        settings.iter().for_each(|(name, value)| given.set(*name, Value::Text((*value).to_owned())));
        catalogue.resolve(&given, &[name]).expect("the default settings are valid")
    };
    let settings = resolved(&[("kind", "random-search")]);
    let problem = instance.prepare(&settings);
    let mut declared = family.offers(&settings);
    declared.sort();
    assert_eq!(declared, problem.offers(), "the problem offers exactly the capabilities that its family declares");

    let budget = Budget { evaluations: Some(1), ..Budget::default() };
    for (setting, added) in [("start", AddedNames::Constructions), ("neighbourhood", AddedNames::Neighbourhoods)] {
        for (name, _) in family.added_names(added) {
            let algorithm = catalogue.algorithm(&resolved(&[("kind", "hill-climbing"), (setting, name)]));
            let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
            assert_eq!(
                outcome.evaluations, 1,
                "a search with the {added} {name} must do exactly one evaluation: {outcome:?}"
            );
        }
    }
    let algorithm = catalogue.algorithm(&settings);
    for seed in 0..20 {
        let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(seed), &mut ());
        let solution = problem.describe(&outcome.best_genome);
        assert_eq!(solution.lines().count(), 1, "the text of a solution is a single line");
        if let Some(objective) = family.objective(&content) {
            let measured = objective.measure(&content, &solution).expect("the family computes the objective");
            let measured = measured.unwrap_or_else(|error| panic!("{solution}: {error}"));
            if family.fitness(&settings, Some(&objective)) == objective.fitness_name() {
                let found = objective.direction.value(outcome.best_fitness);
                assert_eq!(measured, found, "the independent check computes the same fitness for {solution}");
            }
        }
    }
}

/// Checks a neighbourhood of a problem. The cost that the neighbourhood computes for a solution must equal the fitness of the solution. The
/// function checks the cost after each operation. The operations load a solution, draw a move, make or undo moves, scan or list the moves
/// of a group, and rearrange a solution. The reverse of a move must change the cost back by the same amount.
///
/// # Panics
/// Panics if a law is violated.
pub fn neighbourhood<P: Problem>(problem: &P, kind: NeighbourhoodKind) {
    let walk = Walk { problem, random: RandomStream::from_seed(1) };
    assert!(problem.visit_neighbourhood(kind, 2, walk).is_ok(), "the system provides the memory for two solutions");
}

/// A random walk through a neighbourhood that stores two solutions.
struct Walk<'p, P> {
    problem: &'p P,
    random: RandomStream,
}

impl<'p, P: Problem> NeighbourhoodVisitor<'p> for Walk<'p, P> {
    type Output = ();

    fn visit<N: Neighbourhood + 'p>(mut self, mut moves: N) {
        let layout = self.problem.layout();
        let mut costs = Vec::new();
        for place in 0..2 {
            let mut genome = layout.template().to_vec();
            self.problem.randomise(&mut genome, &mut self.random);
            costs.push(moves.load(place, &genome));
            self.check(&moves, place, costs[place], "loaded");
        }
        for number in 0..200 {
            let place = number % 2;
            if moves.is_empty() {
                return;
            }
            let bits = (self.random.bits() >> 32) as u32;
            let step = moves.draw(place, bits, &mut self.random);
            costs[place] = moves.after(place, step, costs[place]);
            moves.apply(place, step);
            self.check(&moves, place, costs[place], "drawn");
            self.scan(&mut moves, place, costs[place]);
            self.list(&mut moves, place, costs[place]);
            // All moves since the mark are undone, two times.
            let before = self.genome(&moves, place);
            moves.mark(place);
            for _ in 0..2 {
                let changes: Vec<Rearrangement> = (0..self.random.below(5)).map(|_| self.rearrangement()).collect();
                let after = moves.rearrange(place, &changes, costs[place], &mut Vec::new());
                self.check(&moves, place, after, "rearranged");
                let step = moves.draw(place, (self.random.bits() >> 32) as u32, &mut self.random);
                moves.apply(place, step);
                moves.rollback(place);
                assert_eq!(
                    self.genome(&moves, place),
                    before,
                    "if the changes {changes:?} and a move are made and undone, the solution is the same as before"
                );
            }
            self.check(&moves, 1 - place, costs[1 - place], "the second stored solution, which must not change");
        }
    }
}

impl<P: Problem> Walk<'_, P> {
    /// A swap, or an exchange of segments, in a gene that can change.
    fn rearrangement(&mut self) -> Rearrangement {
        let genes = self.problem.layout().movable_genes();
        let gene = genes[self.random.below(genes.len())];
        let n_free = self.problem.layout().free(gene).len();
        if self.random.below(2) == 0 {
            let (one, other) = self.random.pair(n_free);
            return Rearrangement::Swap { gene, one, other };
        }
        let mut cuts = [(); 3].map(|()| self.random.below(n_free + 1));
        cuts.sort_unstable();
        Rearrangement::Exchange { gene, start: cuts[0], middle: cuts[1], end: cuts[2] }
    }

    /// Checks that the cost of the solution at a place is its fitness.
    fn check<N: Neighbourhood>(&self, moves: &N, place: usize, cost: N::Cost, what: &str) {
        let mut genome = self.problem.layout().template().to_vec();
        moves.write(place, &mut genome);
        assert!(self.problem.layout().is_valid(&genome), "the solution {genome:?} ({what}) is not valid");
        assert_eq!(cost.into(), self.problem.fitness(&genome), "the cost of {genome:?} ({what}) equals its fitness");
    }

    /// Evaluates the moves of a group, makes each move and undoes it.
    fn scan<N: Neighbourhood>(&mut self, moves: &mut N, place: usize, now: N::Cost) {
        let group = self.random.below(moves.n_groups());
        let mut judged: Vec<(Move, N::Cost)> = Vec::new();
        let all = Scope { place, group, now, limit: u64::MAX };
        let none = moves.best_in(all, Pick::Best, |step, cost| {
            judged.push((step, cost));
            false
        });
        assert_eq!(none.best.map(|(step, _)| step), None, "the scan chooses a move although no move is allowed");
        for &(step, cost) in &judged {
            assert_eq!(
                moves.after(place, step, now).into(),
                cost.into(),
                "`after` and a scan of the group compute the same cost of {step:?}"
            );
            moves.mark(place);
            moves.apply(place, step);
            self.check(moves, place, cost, "after a move that the scan visits");
            moves.rollback(place);
        }
        let scan =
            |moves: &mut N, limit, pick| -> Scan<N::Cost> { moves.best_in(Scope { limit, ..all }, pick, |_, _| true) };
        let least = judged.iter().map(|&(_, cost)| cost.into()).min();
        let best = scan(moves, u64::MAX, Pick::Best);
        let found = (best.best.map(|(_, cost)| cost.into()), best.examined);
        assert_eq!(found, (least, none.examined), "a scan finds the best move of a group");
        let limit = self.random.below(judged.len() + 1);
        let least = judged[..limit].iter().map(|&(_, cost)| cost.into()).min();
        let limited = scan(moves, limit as u64, Pick::Best);
        let found = (limited.best.map(|(_, cost)| cost.into()), limited.examined);
        assert_eq!(found, (least, limit as u64), "a scan of {limit} moves finds the best of these moves");
        let better = moves.best_in(all, Pick::Best, |_, cost| cost < now);
        let asked = moves.better_in(all, Pick::Best);
        let told = |scan: Scan<N::Cost>| (scan.best.map(|(step, cost)| (step, cost.into())), scan.examined);
        assert_eq!(told(asked), told(better), "a scan finds the best improving move of a group");
        let better = judged.iter().position(|&(_, cost)| cost < now);
        let scanned = moves.best_in(all, Pick::First, |_, after| after < now);
        let expected = better.map_or(judged.len(), |better| better + 1) as u64;
        assert_eq!(
            scanned.best.map(|(step, _)| step),
            better.map(|better| judged[better].0),
            "a scan finds the first improving move"
        );
        assert_eq!(scanned.examined, expected, "a scan ends at the move that it chooses");
        let first = scan(moves, u64::MAX, Pick::First).best;
        assert_eq!(
            first.map(|(step, _)| step),
            judged.first().map(|&(step, _)| step),
            "a scan finds the first move of a group"
        );
    }
    /// Lists the whole neighbourhood, makes one of its moves, and finds the moves that lead back.
    fn list<N: Neighbourhood>(&mut self, moves: &mut N, place: usize, now: N::Cost) {
        let (before, mut list) = (self.genome(moves, place), Vec::new());
        let mut least: Option<N::Cost> = None;
        for group in 0..moves.n_groups() {
            let all = Scope { place, group, now, limit: u64::MAX };
            let best = moves.best_in(all, Pick::Best, |_, _| true).best;
            least = best.map(|(_, cost)| cost).filter(|&cost| least.is_none_or(|least| cost < least)).or(least);
            let (start, bound) = (list.len(), self.random.below(2) == 0);
            let n_judged = moves.list_below(all, None, &mut list);
            assert_eq!(
                n_judged,
                (list.len() - start) as u64,
                "without a bound, the list contains all moves of the group"
            );
            let (mut below, mut limited) = (Vec::new(), Vec::new());
            let bound = list[start..].get(1).filter(|_| bound).map_or(now, |&(_, cost)| cost);
            moves.list_below(all, Some(bound), &mut below);
            let costs =
                |list: &[(Move, N::Cost)]| list.iter().map(|&(step, cost)| (step, cost.into())).collect::<Vec<_>>();
            let expected: Vec<_> = list[start..].iter().copied().filter(|&(_, cost)| cost < bound).collect();
            assert_eq!(
                costs(&below),
                costs(&expected),
                "the list contains exactly those moves of the group whose cost is below the bound"
            );
            let limit = n_judged.min(2);
            let n_limited = moves.list_below(Scope { limit, ..all }, None, &mut limited);
            assert_eq!(n_limited, limit, "the number of listed moves equals the limit");
            assert_eq!(
                costs(&limited),
                costs(&list[start..][..limit as usize]),
                "the listed moves are the first moves of the group"
            );
        }
        let listed = list.iter().map(|&(_, cost)| cost.into()).min();
        assert!(
            listed <= least.map(Into::into) || least.is_none(),
            "the list contains the best move of the neighbourhood"
        );
        if list.is_empty() {
            return;
        }
        let (step, cost) = list[self.random.below(list.len())];
        let taken = moves.attributes(place, step);
        moves.mark(place);
        moves.apply(place, step);
        self.check(moves, place, cost, "listed");
        list.clear();
        // If a move has no attributes but its numbers, the reverse move may have other numbers.
        if taken.taken() == Attributes::of_numbers(step).taken() {
            moves.rollback(place);
            return;
        }
        (0..moves.n_groups()).for_each(|group| {
            moves.list_below(Scope { place, group, now: cost, limit: u64::MAX }, None, &mut list);
        });
        for (back, _) in list {
            let brought = moves.attributes(place, back);
            moves.apply(place, back);
            // The numbers of a move do not describe the solution.
            if self.genome(moves, place) == before && brought != Attributes::of_numbers(back) {
                let sorted = |attributes: &[Attribute]| {
                    let mut attributes = attributes.to_vec();
                    attributes.sort_unstable();
                    attributes
                };
                assert_eq!(sorted(brought.brought()), sorted(taken.taken()), "{back:?} takes {step:?} back");
            }
            moves.rollback(place);
            moves.apply(place, step);
        }
        moves.rollback(place);
    }

    fn genome<N: Neighbourhood>(&self, moves: &N, place: usize) -> Vec<Allele> {
        let mut genome = self.problem.layout().template().to_vec();
        moves.write(place, &mut genome);
        genome
    }
}

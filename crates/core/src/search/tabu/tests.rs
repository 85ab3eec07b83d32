//! Tabu search against a plain model of it: for every neighbourhood the same moves are chosen.

use std::collections::BTreeMap;

use super::*;
use crate::budget::Budget;
use crate::evaluator::Evaluator;
use crate::layout::Allele;
use crate::neighbourhood::Scratch;

/// A permutation with a cost for each allele at each position, and for each allele beside each other one.
struct Costs {
    layout: Layout,
    costs: Vec<u32>,
}

impl Costs {
    /// Random costs; some positions are locked.
    fn new(n_genes: usize, gene_len: usize, seed: u64) -> Self {
        let mut random = RandomStream::from_seed(seed);
        let mut cells = vec![None; n_genes * gene_len];
        cells[1] = (gene_len > 4).then_some(0);
        let costs = (0..2 * n_genes * gene_len * gene_len).map(|_| random.below(40) as u32).collect();
        Self { layout: Layout::new(gene_len, &cells).unwrap(), costs }
    }
}

impl Problem for Costs {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let (m, half) = (self.layout.gene_len(), self.costs.len() / 2);
        let own = genome.iter().enumerate().map(|(at, &allele)| self.costs[at * m + usize::from(allele)]);
        let beside = genome.windows(2).map(|pair| self.costs[half + usize::from(pair[0]) * m + usize::from(pair[1])]);
        (own.sum::<u32>() + beside.sum::<u32>()).into()
    }
}

fn search() -> TabuSearch {
    TabuSearch {
        start: Start::Random,
        neighbourhood: NeighbourhoodName::new("family"),
        tenure_min: 0.0,
        tenure_max: 0.0,
        tenure_exponent: 1,
        tenure_unit: TenureUnit::Size,
        forced_after: None,
    }
}

/// The two positions at the ends of what differs in two genomes, each with its allele in the second.
fn ends(from: &[Allele], to: &[Allele]) -> [(usize, Allele); 2] {
    let differs = |&at: &usize| from[at] != to[at];
    let [first, last] = [(0..from.len()).find(differs), (0..from.len()).rfind(differs)].map(Option::unwrap);
    [(first, to[first]), (last, to[last])]
}

#[test]
fn the_moves_chosen_are_those_of_a_plain_model() {
    let kinds = [
        NeighbourhoodKind::Swap,
        NeighbourhoodKind::Insertion,
        NeighbourhoodKind::Inversion,
        NeighbourhoodKind::OrTwoOpt,
    ];
    let (mut n_aspired, mut n_overdue, mut n_tabu) = (0, 0, 0);
    for (number, kind) in kinds.into_iter().cycle().take(48).enumerate() {
        let (n_genes, gene_len) = [(1, 6), (2, 4), (1, 3)][number % 3];
        let problem = Costs::new(n_genes, gene_len, number as u64);
        let mut moves = Scratch::new(&problem, kind, 1).unwrap();
        let settings = TabuSearch { forced_after: [None, Some(1.0)][number % 2], ..search() };
        let mut state = settings.state(&problem, &moves).unwrap();
        let age = settings.age(&problem.layout).map(i64::from);
        let mut random = RandomStream::from_seed(number as u64);
        let mut genome = problem.layout.template().to_vec();
        problem.randomise(&mut genome, &mut random);
        let mut now = moves.load(0, &genome);
        let (mut best, mut until) = (now, BTreeMap::<(usize, Allele), i64>::new());
        let mut observer = ();
        let mut evaluator = Evaluator::new(&problem, &Budget::default(), &mut observer);
        for iteration in 1..200_i64 {
            // A bar that tabu moves are below now and then, as the best is in long runs.
            let bar = if iteration % 5 == 0 { Fitness::new(now.value() + 3.0) } else { best };
            // Every move of every group by itself.
            let mut expected: Option<(bool, Fitness, Vec<Allele>)> = None;
            for group in 0..moves.n_groups() {
                let mut list = Vec::new();
                moves.list_below(Scope { place: 0, group, now, limit: u64::MAX }, None, &mut list);
                for (step, cost) in list {
                    moves.mark(0);
                    moves.apply(0, step);
                    let mut after = genome.clone();
                    moves.write(0, &mut after);
                    moves.rollback(0);
                    let brought = ends(&genome, &after).map(|attribute| until.get(&attribute).copied().unwrap_or(0));
                    let is_turn = iteration as usize % moves.n_groups() == group;
                    let is_overdue =
                        is_turn && age.is_some_and(|age| brought.iter().all(|&until| until < iteration - age));
                    let (is_better, is_tabu) = (cost < bar, brought.iter().all(|&until| until >= iteration));
                    let is_aspired = is_better || is_overdue;
                    if is_tabu && !is_aspired {
                        n_tabu += 1;
                        continue;
                    }
                    (n_aspired, n_overdue) =
                        (n_aspired + u32::from(is_better && is_tabu), n_overdue + u32::from(is_overdue));
                    if expected.as_ref().is_none_or(
                        |&(aspired, least, _)| {
                            if is_aspired == aspired { cost < least } else { is_aspired }
                        },
                    ) {
                        expected = Some((is_aspired, cost, after));
                    }
                }
            }
            state.memory.advance();
            let mut chosen = None;
            let mut trial = Trial { evaluator: &mut evaluator, moves: &mut moves, now, random: &mut random };
            assert_eq!(state.judge(&mut trial, bar, &mut chosen), Ok(()));
            assert_eq!(chosen.is_some(), expected.is_some(), "{kind} {number} {iteration}");
            let (Some(Chosen { step, cost, changes, .. }), Some((_, least, after))) = (chosen, expected) else {
                continue;
            };
            let tenure = random.below(9);
            state.memory.forbid(&changes, || tenure as u32);
            moves.apply(0, step);
            let before = genome.clone();
            moves.write(0, &mut genome);
            assert_eq!((cost, &genome), (least, &after), "{kind} {number} {iteration}");
            until.extend(ends(&after, &before).map(|attribute| (attribute, iteration + tenure as i64)));
            now = cost;
            best = if now < best { now } else { best };
        }
    }
    assert!(n_aspired > 10 && n_overdue > 10 && n_tabu > 10, "{n_aspired} {n_overdue} {n_tabu}");
}

#[test]
fn tenures_are_drawn_from_their_whole_range() {
    let layout = Layout::new(10, &[None; 10]).unwrap();
    let settings = TabuSearch { tenure_min: 0.9, tenure_max: 1.1, ..search() };
    let drawn = |settings: &TabuSearch| {
        let (tenures, mut random) = (settings.tenures(&layout), RandomStream::from_seed(1));
        let mut counts = BTreeMap::new();
        (0..3000).for_each(|_| *counts.entry(tenures.draw(&mut random)).or_insert(0) += 1);
        counts
    };
    // 0.9 times 10 to 1.1 times 10, each equally often: within six standard deviations.
    let uniform = drawn(&settings);
    assert_eq!(uniform.keys().copied().collect::<Vec<_>>(), [9, 10, 11]);
    assert!(uniform.values().all(|count| (845..1155).contains(count)), "{uniform:?}");
    // The cube of a uniform number is below a third with probability 0.693, and above two thirds with 0.126.
    let cubed = drawn(&TabuSearch { tenure_exponent: 3, ..settings.clone() });
    assert!((1920..2240).contains(&cubed[&9]) && (270..490).contains(&cubed[&11]), "{cubed:?}");
    let fixed = drawn(&TabuSearch {
        tenure_min: 7.0,
        tenure_max: 7.0,
        tenure_unit: TenureUnit::Iterations,
        ..settings.clone()
    });
    assert_eq!(fixed.into_keys().collect::<Vec<_>>(), [7]);
    // Where the greatest is below the least, the least it is.
    let settings = TabuSearch { tenure_min: 2.0, tenure_max: 1.0, forced_after: Some(0.5), ..settings };
    assert_eq!(drawn(&settings).into_keys().collect::<Vec<_>>(), [20]);
    assert_eq!(settings.age(&layout), Some(50));
}

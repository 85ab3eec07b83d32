//! Small instances against exhaustive search: moves, groups, marks, partial assignments and constructions.

use evogrid_core::construction::{BestPosition, Ties};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::neighbourhood::{Move, Neighbourhood, Pick, Rearrangement, Scope};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;
use proptest::prelude::*;

use super::neighbourhood::Swaps;
use super::operands::{AnyOperands, Operands};
use super::scalar::Scalar;
use super::tests::{cost, instances};
use super::{Matrices, Qap};
use crate::solutions::Cost;

/// What is done to a place.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// Scans a group, at most so many moves, some of which are not allowed, and makes the move taken.
    Scan {
        group: usize,
        limit: u64,
        first: bool,
        forbidden: u8,
        bound: bool,
    },
    /// Draws a move, judges it and makes it.
    Draw,
    Mark,
    Rollback,
    Swaps,
    Exchange,
    Load,
}

fn actions() -> impl Strategy<Value = Vec<(usize, Action)>> {
    let scan = (0..7usize, 0..9u64, any::<bool>(), any::<u8>(), any::<bool>());
    let action = prop_oneof![
        8 => scan.prop_map(|(group, limit, first, forbidden, bound)| Action::Scan { group, limit, first, forbidden, bound }),
        2 => Just(Action::Draw),
        1 => Just(Action::Mark),
        1 => Just(Action::Rollback),
        1 => Just(Action::Swaps),
        1 => Just(Action::Exchange),
        1 => Just(Action::Load),
    ];
    proptest::collection::vec((0..2usize, action), 1..60)
}

/// Two places under any sequence of actions are what a plain list of assignments is.
fn check(matrices: &Matrices, actions: &[(usize, Action)], is_refused: bool) -> Result<(), TestCaseError> {
    match AnyOperands::new(matrices) {
        AnyOperands::Narrow(operands) => check_operands(matrices, &operands, actions, is_refused),
        AnyOperands::Wide(operands) => check_operands(matrices, &operands, actions, is_refused),
    }
}

fn check_operands<S: Scalar>(
    matrices: &Matrices,
    operands: &Operands<S>,
    actions: &[(usize, Action)],
    is_refused: bool,
) -> Result<(), TestCaseError> {
    let n = matrices.n();
    let layout = Layout::new(n, &vec![None; n]).unwrap();
    let mut moves = Swaps::new(operands, &layout, 2).unwrap();
    if is_refused {
        moves.refuse_tables();
    }
    let mut random = RandomStream::from_seed(1);
    let mut genomes = [(); 2].map(|()| (0..n as Allele).collect::<Vec<_>>());
    let mut marks = genomes.clone();
    for (place, genome) in genomes.iter().enumerate() {
        prop_assert_eq!(moves.load(place, genome), Cost(cost(matrices, genome)));
        moves.mark(place);
    }
    prop_assert_eq!(moves.n_groups(), n - 1);
    for &(place, action) in actions {
        let now = Cost(cost(matrices, &genomes[place]));
        let after = |Move(i, j): Move| {
            let mut after = genomes[place].clone();
            after.swap(i as usize, j as usize);
            Cost(cost(matrices, &after))
        };
        match action {
            Action::Scan { group, limit, first, forbidden, bound } => {
                let group = group % (n - 1);
                let pick = if first { Pick::First } else { Pick::Best };
                let allowed = |Move(_, j): Move, after: Cost| forbidden >> j & 1 == 0 && (!bound || after < now);
                // Not always: what is asked first finds the row as it was left.
                if bound {
                    let better = moves.better_in(Scope { place, group, now, limit }, pick);
                    prop_assert_eq!(
                        better,
                        moves.best_in(Scope { place, group, now, limit }, pick, |_, after| after < now)
                    );
                }
                let scan = moves.best_in(Scope { place, group, now, limit }, pick, allowed);
                let steps = (group + 1..n).take(limit as usize).map(|other| Move(group as u32, other as u32));
                let costs: Vec<_> = steps.map(|step| (step, after(step))).collect();
                let mut permitted = costs.iter().enumerate().filter(|(_, (step, after))| allowed(*step, *after));
                let (at, best) = match pick {
                    Pick::First => permitted.next(),
                    Pick::Best => permitted.min_by_key(|(_, (_, after))| *after),
                }
                .unzip();
                prop_assert_eq!(scan.best, best.copied());
                let examined = if first { at.map_or(costs.len(), |at| at + 1) } else { costs.len() };
                prop_assert_eq!(scan.examined, examined as u64);
                if let Some((step, _)) = scan.best {
                    moves.apply(place, step);
                    genomes[place].swap(step.0 as usize, step.1 as usize);
                }
            }
            Action::Draw => {
                let step = moves.draw(place, (random.bits() >> 32) as u32, &mut random);
                prop_assert!(step.0 < step.1 && step.1 < n as u32);
                prop_assert_eq!(moves.after(place, step, now), after(step));
                moves.apply(place, step);
                genomes[place].swap(step.0 as usize, step.1 as usize);
                let mut groups = Vec::new();
                moves.touched(place, step, &mut groups);
                groups.sort_unstable();
                prop_assert_eq!(groups, (0..n as u32 - 1).collect::<Vec<_>>());
            }
            Action::Mark => {
                moves.mark(place);
                marks[place].clone_from(&genomes[place]);
            }
            Action::Rollback => {
                moves.rollback(place);
                genomes[place].clone_from(&marks[place]);
            }
            Action::Swaps | Action::Exchange => {
                let changes = match action {
                    Action::Swaps => {
                        [(0, n - 1), (n / 2, 0)].map(|(one, other)| Rearrangement::Swap { gene: 0, one, other })
                    }
                    _ => [(0, 1, n), (0, n - 1, n)].map(|(start, middle, end)| Rearrangement::Exchange {
                        gene: 0,
                        start,
                        middle,
                        end,
                    }),
                };
                let found = moves.rearrange(place, &changes, now, &mut Vec::new());
                changes.iter().for_each(|change| change.make(&layout, &mut genomes[place]));
                prop_assert_eq!(found, Cost(cost(matrices, &genomes[place])));
            }
            Action::Load => {
                let mut genome = genomes[place].clone();
                match random.below(2) {
                    0 => genome.rotate_left(n / 3),
                    _ => genome.swap(0, n - 1),
                }
                prop_assert_eq!(moves.load(place, &genome), Cost(cost(matrices, &genome)));
                genomes[place] = genome;
            }
        }
        let mut written = vec![0; n];
        moves.write(place, &mut written);
        prop_assert_eq!(&written, &genomes[place]);
    }
    Ok(())
}

proptest! {
    #[test]
    fn moves_are_those_of_exhaustive_search(matrices in instances(9), actions in actions(), is_refused in any::<bool>()) {
        check(&matrices, &actions, is_refused)?;
    }

    #[test]
    fn moves_on_large_numbers_are_those_of_exhaustive_search(matrices in instances(1 << 20), actions in actions()) {
        check(&matrices, &actions, false)?;
    }

    #[test]
    fn partial_assignments_are_those_of_exhaustive_search(
        (matrices, seed, limit) in (prop_oneof![instances(9), instances(1 << 20)], any::<u64>(), 1..9u64),
    ) {
        let (problem, n) = (Qap::new(matrices.clone()), matrices.n());
        let mut random = RandomStream::from_seed(seed);
        let mut genome = vec![0; n];
        problem.randomise(&mut genome, &mut random);
        let mut partial = problem.partial().unwrap();
        prop_assert_eq!(partial.load(&genome), problem.fitness(&genome));
        let mut assigned: Vec<Option<Allele>> = genome.iter().copied().map(Some).collect();
        let removed: Vec<Allele> = (0..n as Allele).filter(|_| random.below(2) == 0).collect();
        for &element in &removed {
            partial.remove(element);
            let position = genome.iter().position(|&allele| allele == element).unwrap();
            assigned[position] = None;
        }
        for &element in removed.iter().rev() {
            for ties in [Ties::First, Ties::Last] {
                let free = (0..n).filter(|&position| assigned[position].is_none()).take(limit as usize);
                let costs: Vec<(usize, i64)> = free
                    .map(|position| {
                        let mut with = assigned.clone();
                        with[position] = Some(element);
                        (position, partial_cost(&matrices, &with))
                    })
                    .collect();
                let least = costs.iter().map(|&(_, cost)| cost).min().unwrap();
                let mut best = costs.iter().filter(|(_, cost)| *cost == least);
                let &(position, cost) = if ties == Ties::Last { best.next_back() } else { best.next() }.unwrap();
                let expected =
                    BestPosition { position, fitness: Fitness::new(cost as f64), examined: costs.len() as u64 };
                prop_assert_eq!(partial.best_position(element, limit, ties), expected);
            }
            let position = partial.best_position(element, limit, Ties::Family).position;
            partial.insert(element, position);
            assigned[position] = Some(element);
        }
        partial.write(&mut genome);
        prop_assert_eq!(genome.iter().copied().map(Some).collect::<Vec<_>>(), assigned);
    }

    #[test]
    fn the_greedy_construction_puts_each_element_where_it_costs_least(
        (matrices, seed) in (instances(30), any::<u64>()),
    ) {
        let (problem, n) = (Qap::new(matrices.clone()), matrices.n());
        let mut genome = vec![0; n];
        Start::from_name("greedy").write(&problem, &mut genome, &mut RandomStream::from_seed(seed));
        prop_assert!(problem.layout().is_valid(&genome));
        let sum = |matrix: &[i64], row: usize| (0..n).map(|k| matrix[row * n + k] + matrix[k * n + row]).sum::<i64>();
        // Elements in descending order of their sums; whatever the order of equals, one order must explain the assignment.
        let mut groups: Vec<Vec<Allele>> = Vec::new();
        let mut elements: Vec<Allele> = (0..n as Allele).collect();
        elements.sort_by_key(|&element| -sum(matrices.b(), usize::from(element)));
        for element in elements {
            let total = |element: Allele| sum(matrices.b(), usize::from(element));
            match groups.last_mut() {
                Some(group) if total(group[0]) == total(element) => group.push(element),
                _ => groups.push(vec![element]),
            }
        }
        prop_assert!(explains(&matrices, &genome, &groups, &mut vec![None; n]));
    }
}

/// Whether the elements of the groups, in some order within each, would be put where an assignment has them.
fn explains(
    matrices: &Matrices,
    genome: &[Allele],
    groups: &[Vec<Allele>],
    assigned: &mut Vec<Option<Allele>>,
) -> bool {
    let Some((group, rest)) = groups.split_first() else { return true };
    if group.is_empty() {
        return explains(matrices, genome, rest, assigned);
    }
    group.iter().any(|&element| {
        let n = matrices.n();
        let at = genome.iter().position(|&allele| allele == element).unwrap();
        let is_first = assigned.iter().all(Option::is_none);
        let key = |position: usize| {
            let mut with = assigned.clone();
            with[position] = Some(element);
            let sum = |row: usize| (0..n).map(|k| matrices.a()[row * n + k] + matrices.a()[k * n + row]).sum::<i64>();
            if is_first { sum(position) } else { partial_cost(matrices, &with) }
        };
        let free = (0..n).filter(|&position| assigned[position].is_none());
        if free.min_by_key(|&position| key(position)) != Some(at) {
            return false;
        }
        assigned[at] = Some(element);
        let mut left: Vec<Vec<Allele>> = vec![group.iter().copied().filter(|&other| other != element).collect()];
        left.extend_from_slice(rest);
        let is_explained = explains(matrices, genome, &left, assigned);
        assigned[at] = None;
        is_explained
    })
}

/// The cost of the rows that are assigned.
fn partial_cost(matrices: &Matrices, assigned: &[Option<Allele>]) -> i64 {
    let n = matrices.n();
    let pairs = (0..n * n).filter_map(|at| Some((at, assigned[at / n]?, assigned[at % n]?)));
    pairs.map(|(at, p, q)| matrices.a()[at] * matrices.b()[usize::from(p) * n + usize::from(q)]).sum()
}

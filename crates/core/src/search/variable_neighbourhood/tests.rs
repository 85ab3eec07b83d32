//! Strengths, and descents through two neighbourhoods.

use super::*;
use crate::budget::Budget;
use crate::fitness::Fitness;
use crate::layout::Layout;
use crate::random::RandomStream;

/// A sum of costs of each allele beside each other one.
struct Path(Layout, Vec<u32>);

impl Path {
    fn new(n: usize, seed: u64) -> Self {
        let mut random = RandomStream::from_seed(seed);
        Self(Layout::new(n, &vec![None; n]).unwrap(), (0..n * n).map(|_| random.below(50) as u32).collect())
    }
}

impl Problem for Path {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let n = genome.len();
        genome.windows(2).map(|pair| self.1[usize::from(pair[0]) * n + usize::from(pair[1])]).sum::<u32>().into()
    }
}

fn search(k_max: usize) -> VariableNeighbourhood {
    VariableNeighbourhood {
        start: Start::Random,
        neighbourhood: NeighbourhoodName::new("family"),
        second: NeighbourhoodName::new("none"),
        pick: Pick::Best,
        k_max,
        perturbation: None,
        accept: Acceptance::Better,
    }
}

#[test]
fn the_strength_grows_until_there_is_a_better_solution_or_it_is_the_greatest() {
    let search = search(3);
    let found_better = [false, false, true, false, false, false, false, true, true];
    let mut k = 1;
    let strengths = found_better.map(|is_better| {
        let strength = k;
        k = search.next(k, is_better);
        strength
    });
    assert_eq!(strengths, [1, 2, 3, 1, 2, 3, 1, 2, 1]);
}

#[test]
fn a_descent_ends_where_neither_neighbourhood_has_a_better_move() {
    let mut n_second = 0;
    for seed in 0..20 {
        let problem = Path::new(8, seed);
        let both = VariableNeighbourhood {
            neighbourhood: NeighbourhoodName::new("swap"),
            second: NeighbourhoodName::new("insertion"),
            ..search(1)
        };
        let first = VariableNeighbourhood { second: NeighbourhoodName::new("none"), ..search(1) };
        let optimum = |search: &VariableNeighbourhood| {
            let mut random = RandomStream::from_seed(seed);
            let mut genome = problem.0.template().to_vec();
            problem.randomise(&mut genome, &mut random);
            let mut moves = crate::neighbourhood::Scratch::new(&problem, NeighbourhoodKind::Swap, 1).unwrap();
            let now = moves.load(0, &genome);
            let mut observer = ();
            let mut evaluator = Evaluator::new(&problem, &Budget::default(), &mut observer);
            let mut state = search.state(&problem, &moves).unwrap();
            state.descent.fill(moves.n_groups(), &mut random);
            let mut trial = Trial { evaluator: &mut evaluator, moves: &mut moves, now, random: &mut random };
            search.descend(&mut trial, &mut state).unwrap();
            let now = trial.now;
            moves.write(0, &mut genome);
            assert_eq!(now, problem.fitness(&genome));
            (genome, now)
        };
        let (genome, now) = optimum(&both);
        n_second += usize::from(optimum(&first).1 != now);
        for kind in [NeighbourhoodKind::Swap, NeighbourhoodKind::Insertion] {
            let mut moves = problem.neighbourhood(kind, 1).unwrap();
            moves.load(0, &genome);
            for group in 0..moves.n_groups() {
                assert_eq!(moves.better_in(0, group, u64::MAX, Pick::Best).best, None, "{seed} {kind}");
            }
        }
    }
    assert!(n_second > 5, "the second neighbourhood is of use: {n_second}");
}

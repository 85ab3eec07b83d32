//! The formulas of Ant Colony System, by hand.

use super::*;
use crate::ants::StepwiseConstruction;
use crate::budget::Budget;
use crate::fitness::Fitness;

/// Two jobs, of which the second should be the first.
struct Pair(Layout);

impl Problem for Pair {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        Fitness::from(if genome[0] == 1 { 2 } else { 4 })
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        Some(self)
    }
}

impl StepwiseConstruction for Pair {
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        Box::new(PositionByPosition::new(self, vec![0, 1], vec![1.0, 3.0], &[0, 1], places))
    }

    fn memory(&self, _: usize) -> Option<u64> {
        None
    }
}

const SETTINGS: AntColony =
    AntColony { ants: 1, greedy: 1.0, evaporation: 0.5, local: 0.2, beta: 1, best_evaporation: 0.25 };

fn pair() -> Pair {
    Pair(Layout::new(2, &[None; 2]).expect("two positions"))
}

#[test]
fn pheromone_is_updated_at_each_step_and_on_the_best_solutions_trails_at_the_end() {
    let (problem, mut random, mut observer) = (pair(), RandomStream::from_seed(1), ());
    let mut evaluator = Evaluator::new(&problem as &dyn DynProblem, &Budget::default(), &mut observer);
    let solutions = problem.stepwise().expect("it has steps").solutions(1);
    // 1 over two positions and the cost of 4.
    assert_eq!((solutions.initial_pheromone(), solutions.n_trails()), (0.125, 4));
    let mut colony = Colony::new(SETTINGS, &problem.0, solutions, vec![0.125; 4], &mut random);
    colony.generation(&mut evaluator).unwrap();
    // The heuristic information puts allele 1 first, the trails are position x 2 + allele, and the cost is 2. The local update changes
    // nothing yet; then half of what there is and half of the deposit 1/2.
    assert_eq!(colony.pheromone, [0.125, 0.3125, 0.3125, 0.125]);
    assert_eq!(colony.best_deposit, 0.375, "a quarter is lost");
    colony.generation(&mut evaluator).unwrap();
    // 0.8 x 0.3125 + 0.2 x 0.125 = 0.275; a solution as good as the first is better than what that has become.
    let expected = 0.5 * 0.275 + 0.5 * 0.5;
    let is_near = |at: usize| (colony.pheromone[at] - expected).abs() < 1e-12;
    assert!(is_near(1) && is_near(2), "{:?}", colony.pheromone);
    assert_eq!((colony.best_deposit, colony.genome), (0.375, vec![1, 0]));
    assert_eq!(evaluator.finish(Stop::Generations).evaluations, 4, "two placements a solution");
}

#[test]
fn candidates_are_drawn_in_proportion_to_pheromone_and_heuristic_information() {
    let (problem, mut random) = (pair(), RandomStream::from_seed(1));
    for (greedy, beta, expected) in [(0.0, 1, 7500), (0.0, 0, 5000), (0.0, 2, 9000), (0.5, 1, 8750), (1.0, 1, 10_000)] {
        let search = AntColony { greedy, beta, ..SETTINGS };
        let solutions = problem.stepwise().expect("it has steps").solutions(1);
        let mut colony = Colony::new(search, &problem.0, solutions, vec![0.125; 4], &mut random);
        colony.solutions.begin(0, colony.random);
        colony.solutions.decide(0, &mut colony.candidates);
        let n_better: u32 = (0..10_000).map(|_| colony.choose() as u32).sum();
        // Six standard deviations of a binomial(10000, p).
        let deviation = 6.0 * (f64::from(expected) * (1.0 - f64::from(expected) / 1e4)).sqrt();
        assert!(f64::from(n_better.abs_diff(expected)) <= deviation, "{greedy} {beta}: {n_better}");
    }
}

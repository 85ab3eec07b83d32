//! Parts of a run. Another search does a part: for example, a local search improves a solution of a population.

use super::Evaluator;
use super::trial::Trial;
use crate::budget::Stop;
use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::problem::Problem;

impl<P: Problem + ?Sized> Evaluator<'_, P> {
    /// Whether another trial may follow this trial.
    pub(crate) fn may_restart(&self) -> bool {
        !self.is_part && self.progress.restarts < self.budget.restarts
    }

    /// Lets another search do a part of the run. The part is one trial, which starts from an evaluated genome. The trial uses at most
    /// `evaluations`, and they count for the run. If the trial finds a better genome, this genome replaces `genome`. Returns the fitness of
    /// `genome` after the part.
    ///
    /// The generations of the part are not counted and not reported, and no limit of a trial applies to the part. But the part ends if many
    /// generations in a row evaluate nothing.
    ///
    /// # Errors
    /// The reason to stop the run: the target is reached, or the time is over. If the evaluations of the run are used up, this is not an
    /// error here, but the next evaluation returns the reason to stop.
    ///
    /// # Panics
    /// If the search is already a part of a run.
    pub(crate) fn part(
        &mut self,
        genome: &mut [Allele],
        fitness: Fitness,
        evaluations: Option<u64>,
        search: impl FnOnce(&mut Self) -> Stop,
    ) -> Result<Fitness, Stop> {
        assert!(!self.is_part, "a part of a run has no parts");
        let trial = std::mem::replace(&mut self.trial, Trial::from(fitness));
        let limit = self.evaluation_limit;
        self.evaluation_limit = limit.min(self.progress.evaluations.saturating_add(evaluations.unwrap_or(u64::MAX)));
        self.next_check = self.next_check.min(self.evaluation_limit);
        self.part_genome.resize(genome.len(), 0);
        self.is_part = true;
        let stop = search(self);
        debug_assert!(!self.is_part_unsettled, "the best genome was written");
        self.is_part = false;
        self.evaluation_limit = limit;
        let best = std::mem::replace(&mut self.trial, trial).best_fitness;
        if best < fitness {
            genome.copy_from_slice(&self.part_genome);
        }
        if best < self.trial.best_fitness {
            self.trial.best_fitness = best;
            self.trial.improved = true;
        }
        match stop {
            Stop::Target | Stop::Time | Stop::Memory | Stop::Failed => Err(stop),
            Stop::Evaluations | Stop::Generations | Stop::Stagnation | Stop::Restarts | Stop::Exhausted => Ok(best),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::layout::Layout;
    use crate::observer::{Observer, Progress};
    use crate::population::Population;

    /// The fitness is the first allele of three.
    struct First(Layout);

    impl First {
        fn new() -> Self {
            Self(Layout::new(3, &[None; 3]).expect("a layout"))
        }
    }

    impl Problem for First {
        fn layout(&self) -> &Layout {
            &self.0
        }

        fn fitness(&self, genome: &[Allele]) -> Fitness {
            u32::from(genome[0]).into()
        }
    }

    /// The evaluations and the generations at each improvement, and how many generations were reported.
    #[derive(Default)]
    struct Course(Vec<(u64, u64)>, u64);

    impl Observer for Course {
        fn improved(&mut self, progress: &Progress, _: &[Allele]) {
            self.0.push((progress.evaluations, progress.generations));
        }

        fn generation(&mut self, _: &Progress, _: Option<&Population>) {
            self.1 += 1;
        }
    }

    const GENOMES: [[Allele; 3]; 3] = [[0, 1, 2], [1, 0, 2], [2, 0, 1]];

    /// Evaluates genomes whose first alleles are these, a generation each.
    fn walk<'a>(firsts: &'a [usize]) -> impl FnOnce(&mut Evaluator<'_, First>) -> Stop + 'a {
        let walked = move |evaluator: &mut Evaluator<'_, First>| -> Result<(), Stop> {
            for &first in firsts {
                evaluator.evaluate(&GENOMES[first])?;
                evaluator.end_iteration()?;
            }
            Ok(())
        };
        move |evaluator| walked(evaluator).err().unwrap_or(Stop::Stagnation)
    }

    #[test]
    fn a_part_keeps_its_limit_and_hands_back_its_best_genome_not_its_last() {
        let (problem, mut course) = (First::new(), Course::default());
        let budget = Budget { evaluations: Some(7), generations: Some(2), ..Budget::default() };
        let mut evaluator = Evaluator::new(&problem, &budget, &mut course);
        let mut genome = GENOMES[2];
        let fitness = evaluator.evaluate(&genome).expect("the first");
        assert_eq!(evaluator.part(&mut genome, fitness, Some(3), walk(&[2, 1, 2, 0])), Ok(1.into()));
        assert_eq!((genome, evaluator.evaluations_left()), (GENOMES[1], 3), "the fourth was not evaluated");
        // Nothing better: the genome stays, also where the run has seen a better one.
        let mut other = GENOMES[2];
        assert_eq!(evaluator.part(&mut other, 2.into(), None, walk(&[2])), Ok(2.into()));
        assert_eq!((other, evaluator.evaluations_left()), (GENOMES[2], 2));
        // Where the run's limit is nearer than the part's, it holds.
        assert_eq!(evaluator.part(&mut other, 2.into(), Some(9), walk(&[2, 1, 0])), Ok(1.into()));
        assert_eq!(evaluator.evaluate(&GENOMES[0]), Err(Stop::Evaluations));
        let outcome = evaluator.finish(Stop::Evaluations);
        assert_eq!((outcome.evaluations, outcome.generations, outcome.evaluations_to_best), (7, 0, 3));
        assert_eq!((outcome.best_genome, outcome.best_fitness), (GENOMES[1].to_vec(), 1.into()));
        assert_eq!((course.0, course.1), (vec![(1, 0), (3, 0)], 0), "a part reports no generation");
    }

    #[test]
    fn what_a_part_improves_counts_for_the_trial() {
        let problem = First::new();
        let budget = Budget { stagnation: Some(1), ..Budget::default() };
        for (firsts, expected) in [(&[1][..], Ok(())), (&[2][..], Err(Stop::Stagnation))] {
            let mut observer = ();
            let mut evaluator = Evaluator::new(&problem, &budget, &mut observer);
            let mut genome = GENOMES[2];
            evaluator.evaluate(&genome).expect("the first");
            evaluator.end_iteration().expect("it improved");
            evaluator.part(&mut genome, 2.into(), None, walk(firsts)).expect("the budget is unlimited");
            assert_eq!(evaluator.end_iteration(), expected, "{firsts:?}");
        }
    }

    #[test]
    fn a_target_that_a_part_reaches_ends_the_run() {
        let problem = First::new();
        let (budget, mut observer) = (Budget { target: Some(0.into()), ..Budget::default() }, ());
        let mut evaluator = Evaluator::new(&problem, &budget, &mut observer);
        let mut genome = GENOMES[2];
        evaluator.evaluate(&genome).expect("the first");
        assert_eq!(evaluator.part(&mut genome, 2.into(), None, walk(&[1, 0, 2])), Err(Stop::Target));
        assert_eq!(evaluator.finish(Stop::Target).best_genome, GENOMES[0]);
    }

    #[test]
    fn what_is_told_in_a_part_is_settled_for_the_part_and_the_run() {
        let (problem, mut observer) = (First::new(), ());
        let mut evaluator = Evaluator::new(&problem, &Budget::default(), &mut observer);
        evaluator.evaluate(&GENOMES[1]).expect("the first");
        for (first, best) in [(1, GENOMES[1]), (0, GENOMES[0])] {
            let mut genome = GENOMES[2];
            let part = evaluator.part(&mut genome, 2.into(), None, |evaluator| {
                evaluator.begin_batch().expect("the budget is unlimited");
                evaluator.count(5);
                evaluator.tell(first as u32, |_| unreachable!("no observer wants genomes")).expect("no target");
                evaluator.settle(|genome| genome.copy_from_slice(&GENOMES[first]));
                Stop::Stagnation
            });
            assert_eq!((part, genome), (Ok((first as u32).into()), GENOMES[first]));
            assert_eq!(evaluator.best_genome, best);
        }
    }

    #[test]
    fn a_part_that_evaluates_nothing_ends() {
        let (problem, mut observer) = (First::new(), ());
        let mut evaluator = Evaluator::new(&problem, &Budget::default(), &mut observer);
        let idle = |evaluator: &mut Evaluator<'_, First>| loop {
            if let Err(stop) = evaluator.end_iteration() {
                return stop;
            }
        };
        assert_eq!(evaluator.part(&mut GENOMES[2].clone(), 2.into(), None, idle), Ok(2.into()));
    }
}

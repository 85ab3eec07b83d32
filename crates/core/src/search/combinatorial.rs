//! Combinatorial evolution (McCaffrey, MSDN Magazine 31(11), 2016). Workers improve their solutions by swaps, and explorers draw random
//! solutions. A child of the best worker and the best explorer replaces the worst worker.

use super::*;
use crate::memory::{self, blocks};
use crate::neighbourhood::{MovesCost, SamplingNeighbourhood, SamplingVisitor};
use crate::observer::Observer;
use crate::operator::{Crossover, Parents};

crate::parameters! {
    /// Combinatorial evolution with its settings. The documentation of the [crate] contains an example.
    ///
    /// The budget and the results count each epoch as one generation. In each epoch, every worker draws a random move and evaluates the
    /// solution after it. By default, a move swaps two alleles of a random gene. The worker makes the move if the new solution is
    /// acceptable. With a small probability, a worker makes a mistake: the worker moves to an unacceptable solution. If a worker finds no
    /// acceptable solution for too long, a new worker replaces this worker. The new worker starts from a random solution. In the article, a
    /// worker accepts only better solutions. In the article, the age of a worker is the time without improvement. Every explorer draws a
    /// random solution. An epoch ends with a recombination of the best worker and the best explorer. The child of the recombination
    /// replaces the worst worker.
    pub struct CombinatorialEvolution {
        /// number of workers and explorers together
        pub organisms: usize = Parameter::integer("organisms", 1, 10_000_000, 200, DOC),
        /// share of explorers among the organisms; at least one organism is a worker
        pub explorers: f64 = Parameter::share("explorers", 0.1, DOC),
        /// the solutions that a worker accepts
        pub accept: NeighbourAcceptance = Parameter::choice("accept", NeighbourAcceptance::NAMES, "better", DOC),
        /// probability, per worker and epoch, that the worker moves to a solution that the rule `accept` rejects
        pub mistake: f64 = Parameter::share("mistake", 0.001, DOC),
        /// a worker is replaced after more than this number of epochs without an acceptable solution
        pub max_age: u64 = Parameter::integer("max_age", 1, i64::MAX, 1000, DOC),
        /// whether the age of a worker is reset to 0 when the worker finds a solution that the rule `accept` allows
        ///
        /// In the article, an acceptable solution resets the age. A public copy of the article's program never resets the age. In this
        /// public copy of the program, the age of a worker counts all epochs without an acceptable solution, even if the epochs are not
        /// successive.
        pub age_reset: bool = Parameter::flag("age_reset", true, DOC),
        /// whether a mistake also resets the age of a worker to 0
        ///
        /// In the article's pseudo-code, the age of a worker is reset when the worker makes a mistake (moves to an unacceptable solution).
        pub mistake_resets_age: bool = Parameter::flag("mistake_resets_age", false, DOC)
            .added_later()
            .only_where(&[Condition::IsNot("mistake", "0")]),
        /// whether a child of the best worker and the best explorer replaces the worst worker
        pub evolution: bool = Parameter::flag("evolution", true, DOC),
        /// the moves of a worker; `family` chooses the problem's most suitable moves
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("swap", DOC).added_later(),
        /// makes the child of the best worker and the best explorer; by default, each gene comes from a random parent
        ///
        /// If there is only one gene, the default crossover copies one of the parents.
        pub crossover: Option<Box<dyn Crossover>> = Parameter::optional_operator("crossover", "crossover", DOC)
            .or_needs(Capability::SeveralGenes, "evolution")
            .only_where(&[Condition::Is("evolution", "true")]),
    }
}

crate::choices! {
    /// The solutions that a worker accepts.
    pub enum NeighbourAcceptance {
        /// Solutions that are better than the present solution.
        Better = "better",
        /// Solutions that are better than the present solution, or equally good.
        BetterOrEqual = "better-or-equal",
    }
}

/// The declaration of `combinatorial-evolution` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "combinatorial-evolution",
    "workers improve their solutions by swaps, and explorers draw random solutions. The best worker and \
     the best explorer are crossed, and their child replaces the worst worker",
    "McCaffrey, Solving Sudoku Using Combinatorial Evolution, MSDN Magazine 31(11), 2016",
)
.with(CombinatorialEvolution::PARAMETERS);

impl CombinatorialEvolution {
    /// The settings of the article, with one exception: here a mistake does not reset the age. These settings are the defaults of the
    /// catalogue.
    pub const PUBLISHED: Self = Self {
        organisms: 200,
        explorers: 0.1,
        accept: NeighbourAcceptance::Better,
        mistake: 0.001,
        max_age: 1000,
        age_reset: true,
        mistake_resets_age: false,
        evolution: true,
        neighbourhood: NeighbourhoodName::new("swap"),
        crossover: None,
    };

    /// Runs the algorithm within a budget.
    pub fn search<P: Problem>(
        &self,
        problem: &P,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let evaluator = Evaluator::new(problem, budget, observer);
        let kind = self.kind(problem);
        let visitor = SearchVisitor { settings: self, evaluator, random };
        problem.visit_sampling(kind, self.n_workers(), visitor).unwrap_or_else(|refused| {
            let what = format!("{} organisms", self.organisms);
            refused.evaluator.fail(memory::refusal(&what, self.memory(problem)))
        })
    }

    /// The approximate number of bytes that a run on a problem needs. The number includes the bytes for the neighbourhood, and for the
    /// fitnesses and ages of the workers.
    pub fn memory<P: Problem>(&self, problem: &P) -> u64 {
        let lists = blocks(self.n_workers(), size_of::<Fitness>() + size_of::<u64>());
        problem.neighbourhood_memory(self.kind(problem), self.n_workers() + 1).saturating_add(lists)
    }

    fn kind<P: Problem>(&self, problem: &P) -> NeighbourhoodKind {
        local::kind(problem, &self.neighbourhood)
    }

    fn n_workers(&self) -> usize {
        (self.organisms - self.n_explorers()).max(1)
    }

    fn n_explorers(&self) -> usize {
        // At least one organism must be a worker.
        ((self.explorers * self.organisms as f64).round() as usize).min(self.organisms - 1)
    }
}

/// Runs the algorithm on the neighbourhood of the problem.
struct SearchVisitor<'a, 'e, P: Problem> {
    settings: &'a CombinatorialEvolution,
    evaluator: Evaluator<'e, P>,
    random: &'a mut RandomStream,
}

impl<P: Problem> SamplingVisitor for SearchVisitor<'_, '_, P> {
    type Output = Outcome;

    fn visit<S: SamplingNeighbourhood>(self, sampling: S) -> Outcome {
        let n_workers = self.settings.n_workers();
        let layout = self.evaluator.problem().layout();
        let mut run = CombinatorialRun {
            settings: self.settings,
            // The probability as a number of 32 bits.
            mistake: (self.settings.mistake * f64::from(u32::MAX)).round() as u32,
            merger: self.settings.crossover.as_deref().map(|crossover| Merger::new(crossover, layout)),
            sampling,
            errors: Vec::with_capacity(n_workers),
            ages: vec![0; n_workers],
            random: self.random,
        };
        self.evaluator
            .run_trials(|evaluator| run.trial(evaluator).expect_err("a trial always ends with a reason to stop"))
    }
}

/// A run of the algorithm on a neighbourhood.
struct CombinatorialRun<'a, S: SamplingNeighbourhood> {
    settings: &'a CombinatorialEvolution,
    mistake: u32,
    merger: Option<Merger<'a>>,
    sampling: S,
    errors: Vec<MovesCost<S>>,
    ages: Vec<u64>,
    random: &'a mut RandomStream,
}

impl<S: SamplingNeighbourhood> CombinatorialRun<'_, S> {
    fn trial<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<Infallible, Stop> {
        self.errors.clear();
        self.ages.fill(0);
        for worker in 0..self.settings.n_workers() {
            evaluator.begin()?;
            let error = self.sampling.randomise(worker, self.random);
            evaluator.end(error, |genome| self.sampling.moves().write(worker, genome))?;
            self.errors.push(error);
        }
        loop {
            self.work(evaluator)?;
            let best_explorer = self.explore(evaluator)?;
            if self.settings.evolution && best_explorer.is_some() {
                self.evolve(evaluator)?;
            }
            evaluator.end_iteration()?;
        }
    }

    /// Every worker evaluates the solution after one move.
    fn work<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<(), Stop> {
        // Without moves there is only one solution.
        let n_workers = if self.sampling.moves().is_empty() { 0 } else { self.errors.len() };
        let accepts_equal = self.settings.accept == NeighbourAcceptance::BetterOrEqual;
        for worker in 0..n_workers {
            evaluator.begin()?;
            let bits = self.random.bits();
            let moves = self.sampling.moves_mut();
            let step = moves.draw(worker, (bits >> 32) as u32, self.random);
            let before = self.errors[worker];
            let after = moves.after(worker, step, before);
            let is_accepted = after < before || (accepts_equal && after == before);
            let is_mistake = !is_accepted && (bits as u32) < self.mistake;
            if is_accepted || is_mistake {
                moves.apply(worker, step);
                self.errors[worker] = after;
            }
            evaluator.end(after, |genome| self.sampling.moves().write(worker, genome))?;
            let age = &mut self.ages[worker];
            if is_accepted || (is_mistake && self.settings.mistake_resets_age) {
                *age = if self.settings.age_reset { 0 } else { *age };
                continue;
            }
            *age += 1;
            if *age > self.settings.max_age {
                self.reinitialise(worker, evaluator)?;
            }
        }
        Ok(())
    }

    /// Replaces an old worker by a new worker with a random solution.
    #[cold]
    fn reinitialise<P: Problem>(&mut self, worker: usize, evaluator: &mut Evaluator<'_, P>) -> Result<(), Stop> {
        evaluator.begin()?;
        let error = self.sampling.randomise(worker, self.random);
        self.errors[worker] = error;
        self.ages[worker] = 0;
        evaluator.end(error, |genome| self.sampling.moves().write(worker, genome))
    }

    /// Every explorer draws a solution. The best of these solutions is kept.
    fn explore<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<Option<MovesCost<S>>, Stop> {
        let mut best: Option<MovesCost<S>> = None;
        for _ in 0..self.settings.n_explorers() {
            evaluator.begin()?;
            let error = self.sampling.sample(self.random);
            evaluator.end(error, |genome| self.sampling.write_sample(genome))?;
            if best.is_none_or(|best| error < best) {
                best = Some(error);
                self.sampling.keep_sample();
            }
        }
        Ok(best)
    }

    /// Replaces the worst worker by the child of the best worker and the kept explorer.
    fn evolve<P: Problem>(&mut self, evaluator: &mut Evaluator<'_, P>) -> Result<(), Stop> {
        let (mut best, mut worst) = (0, 0);
        for (worker, &error) in self.errors.iter().enumerate() {
            best = if error < self.errors[best] { worker } else { best };
            worst = if error > self.errors[worst] { worker } else { worst };
        }
        evaluator.begin()?;
        let error = match &mut self.merger {
            None => self.sampling.merge_kept(worst, best, self.random),
            Some(merger) => {
                let child = merger.child(&self.sampling, best, evaluator.problem().layout(), self.random);
                self.sampling.moves_mut().load(worst, child)
            }
        };
        self.errors[worst] = error;
        self.ages[worst] = 0;
        evaluator.end(error, |genome| self.sampling.moves().write(worst, genome))
    }
}

/// Makes the child of the best worker and the kept explorer by a crossover.
struct Merger<'a> {
    crossover: &'a dyn Crossover,
    parents: Population,
    /// The parents for the crossover: the two solutions alternate.
    chosen: Vec<usize>,
    children: Vec<Allele>,
    scratch: Vec<usize>,
}

impl<'a> Merger<'a> {
    fn new(crossover: &'a dyn Crossover, layout: &Layout) -> Self {
        let (n_parents, genome_len) = (crossover.n_parents(), layout.genome_len());
        Self {
            crossover,
            parents: Population::with_capacity(genome_len, 2),
            chosen: (0..n_parents).map(|parent| parent % 2).collect(),
            children: vec![0; genome_len * n_parents],
            scratch: Vec::new(),
        }
    }

    /// The first child of the crossover. The parents have no fitness, because crossovers read only genomes.
    fn child<S: SamplingNeighbourhood>(
        &mut self,
        sampling: &S,
        worker: usize,
        layout: &Layout,
        random: &mut RandomStream,
    ) -> &[Allele] {
        self.parents.clear();
        sampling.moves().write(worker, self.parents.candidates(1));
        self.parents.admit(Fitness::WORST);
        sampling.write_kept(self.parents.candidates(1));
        self.parents.admit(Fitness::WORST);
        let parents = Parents::new(&self.parents, &self.chosen);
        self.crossover.cross(layout, parents, &mut self.children, &mut self.scratch, random);
        &self.children[..layout.genome_len()]
    }
}

//! The evaluator computes every fitness for a search, and counts the evaluations. The evaluator keeps the best genome and decides when to
//! stop.

mod part;
mod trial;

use std::time::Duration;

use crate::budget::time_limit::{Deadline, TimeLimits};
use crate::budget::{Budget, Stop};
use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::observer::{Observer, Progress, Step};
use crate::population::Population;
use crate::problem::Problem;
use trial::Trial;

pub use trial::Outcome;

/// The number of evaluations after which the clock is read again.
const EVALUATIONS_PER_CLOCK_CHECK: u64 = 256;

/// Evaluates genomes for a search, within a budget.
///
/// A search asks the evaluator for every fitness, and reports the end of every generation. If the run must stop, the evaluator returns the
/// reason as an error. Therefore a search can be a plain loop, and the operator `?` of Rust ends this loop.
/// [`run_trials`](Self::run_trials) starts the loop of the search again for every restart.
///
/// ```
/// use evogrid_core::budget::{Budget, Stop};
/// use evogrid_core::evaluator::Evaluator;
/// # use evogrid_core::fitness::Fitness;
/// # use evogrid_core::layout::Layout;
#[doc = include_str!("family/ascending.txt")]
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(3, &[None; 3])?);
/// let budget = Budget { evaluations: Some(2), ..Budget::default() };
/// let mut observer = ();
/// let mut evaluator = Evaluator::new(&problem, &budget, &mut observer);
/// assert_eq!(evaluator.evaluate(&[2, 1, 0]), Ok(Fitness::from(2)));
/// assert_eq!(evaluator.evaluate(&[1, 0, 2]), Ok(Fitness::from(1)));
/// assert_eq!(evaluator.evaluate(&[0, 1, 2]), Err(Stop::Evaluations), "not evaluated: the budget is used up");
/// let outcome = evaluator.finish(Stop::Evaluations);
/// assert_eq!((outcome.evaluations, outcome.best_genome), (2, vec![1, 0, 2]));
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub struct Evaluator<'a, P: Problem + ?Sized> {
    problem: &'a P,
    budget: Budget,
    evaluation_limit: u64,
    /// The limits are checked again when this number of evaluations is reached.
    next_check: u64,
    target: Fitness,
    observer: &'a mut dyn Observer,
    progress: Progress,
    best_genome: Vec<Allele>,
    /// Whether the search has reported the best fitness but has not yet written the genome.
    is_unsettled: bool,
    /// The best genome of the present [part](Self::part) of the run. Another search does this part.
    part_genome: Vec<Allele>,
    /// Whether the search has reported the best fitness of the part but has not yet written the genome.
    is_part_unsettled: bool,
    is_part: bool,
    evaluations_to_best: u64,
    trial: Trial,
    pub(crate) time: TimeLimits,
    cpu_elsewhere: Option<Duration>,
}

impl<'a, P: Problem + ?Sized> Evaluator<'a, P> {
    /// The evaluator of a run that begins now.
    pub fn new(problem: &'a P, budget: &Budget, observer: &'a mut dyn Observer) -> Self {
        let target = budget.target.or(problem.target());
        observer.begin(problem.layout());
        Self {
            problem,
            budget: *budget,
            evaluation_limit: budget.evaluations.unwrap_or(u64::MAX),
            next_check: 0,
            // Every fitness is greater than this, so a problem without a target never reaches it.
            target: target.unwrap_or(Fitness::new(f64::NEG_INFINITY)),
            observer,
            progress: Progress { evaluations: 0, generations: 0, restarts: 0, best_fitness: Fitness::WORST },
            best_genome: Vec::with_capacity(problem.layout().genome_len()),
            is_unsettled: false,
            part_genome: Vec::new(),
            is_part_unsettled: false,
            is_part: false,
            evaluations_to_best: 0,
            trial: Trial::START,
            time: TimeLimits::begin(budget),
            cpu_elsewhere: Some(Duration::ZERO),
        }
    }

    /// The problem of the run.
    #[inline]
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// Evaluates a genome and returns its fitness.
    ///
    /// # Errors
    /// If the run must stop, the function returns the reason. The run also stops if the fitness of this genome reaches the target. In this
    /// case, the genome was evaluated. If the run stops for another reason, the genome was not evaluated.
    #[inline]
    pub fn evaluate(&mut self, genome: &[Allele]) -> Result<Fitness, Stop> {
        self.begin()?;
        let fitness = self.problem.fitness(genome);
        if fitness < self.trial.best_fitness {
            self.improve(fitness, Some(|best: &mut [Allele]| best.copy_from_slice(genome)))?;
        }
        Ok(fitness)
    }

    /// Begins an evaluation in which the search itself computes the fitness, in its own representation of solutions.
    ///
    /// # Errors
    /// Returns an error if the budget is used up. After an error, the search must not evaluate the solution.
    #[inline]
    pub fn begin(&mut self) -> Result<(), Stop> {
        if self.progress.evaluations >= self.next_check {
            self.check_limits()?;
        }
        self.progress.evaluations += 1;
        Ok(())
    }

    /// Checks the limits of evaluations and time, and sets the number of evaluations at which the limits are checked again.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Stop> {
        let evaluations = self.progress.evaluations;
        if evaluations >= self.evaluation_limit {
            return Err(Stop::Evaluations);
        }
        self.next_check = self.evaluation_limit.min(evaluations + EVALUATIONS_PER_CLOCK_CHECK);
        self.check_time()
    }

    /// Ends an evaluation that [`begin`](Self::begin) began, and reports the fitness. If the solution is the best so far, `write` writes
    /// its genome.
    ///
    /// # Errors
    /// Returns an error if the target is reached.
    #[inline]
    pub fn end(&mut self, fitness: impl Into<Fitness>, write: impl FnOnce(&mut [Allele])) -> Result<(), Stop> {
        let fitness = fitness.into();
        if fitness < self.trial.best_fitness {
            let problem = self.problem;
            let write = |best: &mut [Allele]| {
                write(best);
                debug_assert_eq!(problem.fitness(best), fitness, "the search reported the fitness of the genome");
            };
            return self.improve(fitness, Some(write));
        }
        Ok(())
    }

    /// Begins a batch of evaluations, in which the search itself evaluates many candidates. Returns the number of evaluations that the
    /// budget still allows. The returned number is at least 1. After the batch, the search must call [`count`](Self::count).
    ///
    /// # Errors
    /// Returns an error if the budget is used up. After an error, the search must not evaluate any candidate.
    #[inline]
    pub fn begin_batch(&mut self) -> Result<u64, Stop> {
        if self.progress.evaluations >= self.next_check {
            self.check_limits()?;
        }
        Ok(self.evaluations_left())
    }

    /// Counts the evaluations of a batch. The batch may have at most the number of evaluations that [`begin_batch`](Self::begin_batch)
    /// returned.
    #[inline]
    pub fn count(&mut self, evaluations: u64) {
        self.progress.evaluations += evaluations;
        debug_assert!(
            self.progress.evaluations <= self.evaluation_limit,
            "a batch has no more evaluations than the budget allows"
        );
    }

    /// Reports the fitness of the current solution after a batch of evaluations. If the solution is the best so far, its genome is not
    /// written immediately. [`settle`](Self::settle) writes the genome later, because the next step of a descent may improve the solution
    /// again. The search must call `settle` before its current solution becomes worse, and before the search ends. If the observer needs
    /// each new best genome immediately, this method calls `write`.
    ///
    /// # Errors
    /// Returns an error if the target is reached.
    #[inline]
    pub fn tell(&mut self, fitness: impl Into<Fitness>, write: impl FnOnce(&mut [Allele])) -> Result<(), Stop> {
        let fitness = fitness.into();
        if fitness < self.trial.best_fitness {
            let is_written = self.observer.wants_genomes();
            return self.improve(fitness, is_written.then_some(write));
        }
        Ok(())
    }

    /// If the search has [reported](Self::tell) only the fitness of the best solution, the method writes the genome of this solution.
    #[inline]
    pub fn settle(&mut self, write: impl FnOnce(&mut [Allele])) {
        if self.is_part_unsettled {
            self.is_part_unsettled = false;
            write(&mut self.part_genome);
            debug_assert_eq!(self.problem.fitness(&self.part_genome), self.trial.best_fitness, "the genome's own");
            if std::mem::take(&mut self.is_unsettled) {
                self.best_genome.copy_from_slice(&self.part_genome);
            }
        } else if self.is_unsettled {
            self.is_unsettled = false;
            write(&mut self.best_genome);
            debug_assert_eq!(self.problem.fitness(&self.best_genome), self.progress.best_fitness, "the genome's own");
        }
    }

    /// Ends a generation.
    ///
    /// # Errors
    /// Returns an error if the time is over, or if the trial has reached its limit of generations. Also returns an error after too many
    /// successive generations without an evaluation, or without an improvement of the best fitness.
    pub fn end_generation(&mut self, population: &Population) -> Result<(), Stop> {
        self.count_generation(Some(population))
    }

    /// Ends one iteration of a search without a [`Population`]. An iteration counts as a generation.
    ///
    /// # Errors
    /// Returns the same errors as [`end_generation`](Self::end_generation).
    pub fn end_iteration(&mut self) -> Result<(), Stop> {
        self.count_generation(None)
    }

    /// The number of evaluations that the budget still allows. A search that counts its own evaluations needs to know how many are left.
    pub fn evaluations_left(&self) -> u64 {
        self.evaluation_limit - self.progress.evaluations
    }

    /// The share of the budget that is used: the largest of the shares of the evaluations, the generations of the trial, and the time.
    /// `None` if the budget limits none of them.
    pub(crate) fn spent(&self) -> Option<f64> {
        let share = |spent: u64, limit: Option<u64>| limit.map(|limit| spent as f64 / limit.max(1) as f64);
        let limit = Some(self.evaluation_limit).filter(|&limit| limit < u64::MAX);
        let generations = self.budget.generations.filter(|_| !self.is_part);
        let shares = [share(self.progress.evaluations, limit), share(self.trial.generations, generations)];
        shares.into_iter().flatten().chain(self.time.spent()).reduce(f64::max)
    }

    /// The deadline of the run, for code that cannot measure processor time. The deadline treats limits of processor time as limits of wall
    /// time.
    pub fn deadline(&self) -> Deadline {
        self.time.deadline
    }

    /// The limits of the run. If a limit grows with the size of the instance, this function returns the limit for the instance of the run.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The remaining wall time in seconds. `None` if the wall time is not limited.
    pub fn seconds_left(&self) -> Option<f64> {
        self.time.seconds_left()
    }

    /// The remaining processor time in seconds. `None` if the processor time is not limited. To respect the limit of processor time, the
    /// caller must measure the processor time of its own work.
    pub fn cpu_seconds_left(&self) -> Option<f64> {
        self.time.cpu_seconds_left()
    }

    /// Adds evaluations and generations that a search counted itself. `evaluations` must not exceed the number that the budget [still
    /// allows](Self::evaluations_left).
    pub fn account(&mut self, evaluations: u64, generations: u64) {
        self.progress.evaluations += evaluations;
        self.progress.generations += generations;
    }

    /// Tells the observer that another program has reported an improvement. The arguments come from the other program: its evaluations so
    /// far, its generations so far, and its best fitness. The counts of the run do not change.
    pub fn report(&mut self, evaluations: u64, generations: u64, best_fitness: Fitness) {
        self.observer
            .improved(&Progress { evaluations, generations, best_fitness, ..self.progress }, &self.best_genome);
    }

    /// Adds processor time that the search used in another thread. If `elsewhere` is `None`, the processor time of the run becomes unknown.
    pub fn charge_cpu(&mut self, elsewhere: Option<Duration>) {
        self.cpu_elsewhere = self.cpu_elsewhere.zip(elsewhere).map(|(before, elsewhere)| before + elsewhere);
    }

    /// Whether the observer wants every [step](Self::step) of the search.
    pub fn wants_steps(&self) -> bool {
        self.observer.wants_steps()
    }

    /// The fitness at which the instance counts as solved. The value is `None` if no target is known.
    pub fn target(&self) -> Option<Fitness> {
        Some(self.target).filter(|target| target.value().is_finite())
    }

    /// Ends the run as a failed run. `message` is the reason for the failure.
    pub fn fail(self, message: String) -> Outcome {
        Outcome { failure: Some(message), ..self.finish(Stop::Failed) }
    }

    /// Reports a step of an exact method to the observer.
    pub fn step(&mut self, step: &Step) {
        self.observer.step(step);
    }

    #[inline]
    fn count_generation(&mut self, population: Option<&Population>) -> Result<(), Stop> {
        if self.is_part {
            self.trial.end_generation(self.progress.evaluations, &Budget::default())?;
            return self.check_time();
        }
        self.progress.generations += 1;
        self.observer.generation(&self.progress, population);
        self.trial.end_generation(self.progress.evaluations, &self.budget)?;
        self.check_time()
    }

    /// Runs trials until a trial ends the run or no restart is left. `trial` does one trial and returns the reason to stop.
    pub fn run_trials(mut self, mut trial: impl FnMut(&mut Self) -> Stop) -> Outcome {
        let stop = loop {
            let stop = trial(&mut self);
            // Any other reason ends the run.
            if !matches!(stop, Stop::Generations | Stop::Stagnation) {
                break stop;
            }
            if self.progress.restarts == self.budget.restarts {
                break if self.budget.restarts > 0 { Stop::Restarts } else { stop };
            }
            self.progress.restarts += 1;
            self.trial = Trial::START;
        };
        self.finish(stop)
    }

    /// Records a new best fitness of the trial. `write` writes the genome of this fitness now. If `write` is `None`, the search writes the
    /// genome later.
    #[cold]
    fn improve(&mut self, fitness: Fitness, write: Option<impl FnOnce(&mut [Allele])>) -> Result<(), Stop> {
        self.trial.best_fitness = fitness;
        self.trial.improved = true;
        let is_best = fitness < self.progress.best_fitness;
        if is_best {
            self.progress.best_fitness = fitness;
            self.evaluations_to_best = self.progress.evaluations;
            self.best_genome.resize(self.problem.layout().genome_len(), 0);
        }
        match write {
            Some(write) if self.is_part => {
                write(&mut self.part_genome);
                if is_best {
                    self.best_genome.copy_from_slice(&self.part_genome);
                }
            }
            Some(write) if is_best => write(&mut self.best_genome),
            Some(_) => {}
            None => {
                self.is_unsettled |= is_best;
                self.is_part_unsettled = self.is_part;
            }
        }
        if is_best {
            self.observer.improved(&self.progress, &self.best_genome);
        }
        if fitness <= self.target { Err(Stop::Target) } else { Ok(()) }
    }

    fn check_time(&mut self) -> Result<(), Stop> {
        if self.time.are_reached() { Err(Stop::Time) } else { Ok(()) }
    }

    /// Ends the run. `stop` is the reason to stop.
    pub fn finish(self, stop: Stop) -> Outcome {
        debug_assert!(!self.is_unsettled, "the best genome was written");
        Outcome {
            stop,
            has_target: self.target().is_some(),
            best_genome: self.best_genome,
            solution: None,
            best_fitness: self.progress.best_fitness,
            evaluations: self.progress.evaluations,
            generations: self.progress.generations,
            restarts: self.progress.restarts,
            evaluations_to_best: self.evaluations_to_best,
            failure: None,
            cpu_elsewhere: self.cpu_elsewhere,
        }
    }
}

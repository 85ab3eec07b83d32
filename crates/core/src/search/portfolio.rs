//! Portfolios: several algorithms share a run's budget, one after the other. (Gomes and Selman, Algorithm portfolios, Artificial
//! Intelligence 126, 2001.)

use super::*;
use crate::budget::time_limit::TimeLimits;
use crate::observer::{Observer, Progress, Step};
use crate::settings::Value;

/// A portfolio of algorithms.
///
/// Each algorithm has a share of the budget. Before an algorithm runs, the remaining evaluations and time are divided between this
/// algorithm and all later algorithms. These algorithms get parts of the remaining budget in proportion to their shares. Later algorithms
/// can therefore use an earlier algorithm's unused evaluations and time. The last algorithm gets everything that remains. The limits of a
/// trial (generations, stagnation, restarts) apply to each algorithm. Each algorithm has its own random stream, with a seed from the run's
/// stream. The run ends if an algorithm reaches the target, fails, or exhausts the search space. If no algorithm ends the run in this way,
/// all algorithms run one after the other. In this case, the results give the reason why the last algorithm stopped. If an algorithm fails,
/// the whole run counts as failed. The number of evaluations of the run includes the evaluations of all its algorithms.
pub struct Portfolio<A> {
    /// The algorithms, in the order in which they run.
    pub members: Vec<PortfolioMember<A>>,
}

/// An algorithm of a portfolio.
pub struct PortfolioMember<A> {
    /// The algorithm.
    pub algorithm: A,
    /// The algorithm's share of the budget: a number above 0, relative to the other shares.
    pub share: f64,
}

/// The category of the algorithms of a portfolio.
pub(crate) const CATEGORY: &str = "algorithm of a portfolio";

/// The names of the two settings for each algorithm: the algorithm and its share.
const NAMES: [(&str, &str); 4] =
    [("first", "first_share"), ("second", "second_share"), ("third", "third_share"), ("fourth", "fourth_share")];

const fn share(member: usize) -> Parameter {
    const DOC: &str =
        "share of the budget for this algorithm. Only the ratios of the shares matter: 1 and 3 give 25 % and 75 %";
    Parameter::real(NAMES[member].1, 1e-6, 1e6, 1.0, DOC)
}

/// The declaration of `portfolio` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "portfolio",
    "runs several algorithms one after the other. The algorithms share the evaluations and the time of the budget. If \
     an algorithm does not use its whole share, later algorithms can use the rest. Restarts and limits of a trial \
     apply to each algorithm separately. The best solution of all algorithms is the run's solution",
    "Gomes and Selman, Algorithm Portfolios, Artificial Intelligence 126, 2001",
)
.with(&[
    Parameter::operator(NAMES[0].0, CATEGORY, None, "the algorithm that runs first"),
    share(0),
    Parameter::operator(NAMES[1].0, CATEGORY, None, "the algorithm that runs second"),
    share(1),
    Parameter::optional_operator(NAMES[2].0, CATEGORY, "the algorithm that runs third"),
    share(2).only_where(&[Condition::With(NAMES[2].0)]),
    Parameter::optional_operator(NAMES[3].0, CATEGORY, "the algorithm that runs fourth")
        .only_where(&[Condition::With(NAMES[2].0)]),
    share(3).only_where(&[Condition::With(NAMES[3].0)]),
]);

/// Does the run of one algorithm with its part of the budget, its random stream and an observer.
type Solve<'s, A> = dyn FnMut(&A, &Budget, &mut RandomStream, &mut dyn Observer) -> Outcome + 's;

impl<A> Portfolio<A> {
    /// Builds the portfolio that the resolved settings describe. `build` builds an algorithm, and `unit` returns its unit of work.
    ///
    /// # Errors
    /// Returns an error if an algorithm refuses its settings, or if the algorithms count work in different units.
    pub fn from_settings(
        settings: &Settings,
        operators: &Operators,
        build: impl Fn(&Settings, &Operators) -> Result<A, Fault>,
        unit: impl Fn(&A) -> &'static str,
    ) -> Result<Self, Fault> {
        let mut members: Vec<PortfolioMember<A>> = Vec::new();
        for (name, its_share) in NAMES {
            let Some(Value::Table(table)) = settings.get(name) else { continue };
            let algorithm = build(table, operators).map_err(|fault| fault.below(name))?;
            let (first, own) = (members.first().map(|first| unit(&first.algorithm)), unit(&algorithm));
            if let Some(first) = first.filter(|first| *first != own) {
                let kind = table.name("kind");
                let message = format!(
                    "`{kind}` counts its work in {own}, but earlier algorithms of the portfolio count in {first}"
                );
                let expected =
                    "expected algorithms with the same unit of work: a run adds up the work of its algorithms"
                        .to_owned();
                return Err(Fault::value(format!("{name}.kind"), message, expected));
            }
            members.push(PortfolioMember { algorithm, share: settings.real(its_share) });
        }
        Ok(Self { members })
    }

    /// Runs the portfolio once. The function calls `solve` for each algorithm.
    ///
    /// # Panics
    /// Panics if the portfolio has no algorithms.
    pub fn search(
        &self,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
        solve: &mut Solve<'_, A>,
    ) -> Outcome {
        let seeds: Vec<u64> = self.members.iter().map(|_| random.bits()).collect();
        let time = TimeLimits::begin(budget);
        let mut course = Course { observer, has_begun: false, before: NOTHING };
        let mut whole: Option<Outcome> = None;
        for (at, (member, seed)) in self.members.iter().zip(seeds).enumerate() {
            let to_come: f64 = self.members[at..].iter().map(|member| member.share).sum();
            let is_last = at + 1 == self.members.len();
            let part = if is_last { 1.0 } else { member.share / to_come };
            let evaluations = course.before.evaluations;
            let share = |left: u64| if is_last { left } else { ((left as f64 * part) as u64).min(left) };
            let budget = Budget {
                evaluations: budget.evaluations.map(|limit| share(limit.saturating_sub(evaluations))),
                seconds: time.seconds_left().map(|left| left * part),
                cpu_seconds: time.cpu_seconds_left().map(|left| left * part),
                ..*budget
            };
            let mut outcome = solve(&member.algorithm, &budget, &mut RandomStream::from_seed(seed), &mut course);
            let number = at + 1;
            outcome.failure = outcome.failure.map(|message| format!("algorithm {number} of the portfolio: {message}"));
            let is_over = matches!(outcome.stop, Stop::Target | Stop::Exhausted | Stop::Failed);
            course.before = course.whole(&Progress {
                evaluations: outcome.evaluations,
                generations: outcome.generations,
                restarts: outcome.restarts,
                best_fitness: outcome.best_fitness,
            });
            whole = Some(joined(whole, outcome));
            if is_over {
                break;
            }
        }
        whole.expect("a portfolio has members")
    }
}

const NOTHING: Progress = Progress { evaluations: 0, generations: 0, restarts: 0, best_fitness: Fitness::WORST };

/// The outcome of a run after one more algorithm. Counts are added, the better solution is kept, and the reason to stop comes from the
/// later algorithm.
fn joined(before: Option<Outcome>, outcome: Outcome) -> Outcome {
    let Some(before) = before else { return outcome };
    let is_better = before.best_genome.is_empty() || outcome.best_fitness < before.best_fitness;
    let evaluations_to_best = before.evaluations + outcome.evaluations_to_best;
    Outcome {
        stop: outcome.stop,
        has_target: outcome.has_target,
        evaluations: before.evaluations + outcome.evaluations,
        generations: before.generations + outcome.generations,
        restarts: before.restarts + outcome.restarts,
        failure: outcome.failure,
        cpu_elsewhere: before.cpu_elsewhere.zip(outcome.cpu_elsewhere).map(|(one, other)| one + other),
        evaluations_to_best: if is_better { evaluations_to_best } else { before.evaluations_to_best },
        best_fitness: if is_better { outcome.best_fitness } else { before.best_fitness },
        best_genome: if is_better { outcome.best_genome } else { before.best_genome },
        solution: None,
    }
}

/// Reports the runs of the algorithms as one run.
struct Course<'a> {
    observer: &'a mut dyn Observer,
    has_begun: bool,
    /// The counts at the start of the present algorithm.
    before: Progress,
}

impl Course<'_> {
    /// The counts of the whole run, from the counts of the present algorithm.
    fn whole(&self, progress: &Progress) -> Progress {
        Progress {
            evaluations: self.before.evaluations + progress.evaluations,
            generations: self.before.generations + progress.generations,
            restarts: self.before.restarts + progress.restarts,
            best_fitness: self.before.best_fitness.min(progress.best_fitness),
        }
    }
}

impl Observer for Course<'_> {
    fn begin(&mut self, layout: &Layout) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.observer.begin(layout);
        }
    }

    fn improved(&mut self, progress: &Progress, genome: &[Allele]) {
        if progress.best_fitness < self.before.best_fitness {
            let whole = self.whole(progress);
            self.observer.improved(&whole, genome);
        }
    }

    fn wants_genomes(&self) -> bool {
        self.observer.wants_genomes()
    }

    fn generation(&mut self, progress: &Progress, population: Option<&Population>) {
        let whole = self.whole(progress);
        self.observer.generation(&whole, population);
    }

    fn wants_steps(&self) -> bool {
        self.observer.wants_steps()
    }

    fn step(&mut self, step: &Step) {
        self.observer.step(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A portfolio of these shares, each of whose members uses no more than so many evaluations.
    fn portfolio(members: &[(u64, f64)]) -> Portfolio<u64> {
        Portfolio { members: members.iter().map(|&(algorithm, share)| PortfolioMember { algorithm, share }).collect() }
    }

    /// What a member finds that evaluates so much.
    fn outcome(evaluations: u64, best_fitness: u32) -> Outcome {
        Outcome {
            stop: Stop::Evaluations,
            has_target: true,
            best_genome: vec![best_fitness as Allele],
            solution: None,
            best_fitness: best_fitness.into(),
            evaluations,
            generations: 3,
            restarts: 2,
            evaluations_to_best: evaluations.min(5),
            failure: None,
            cpu_elsewhere: None,
        }
    }

    #[test]
    fn evaluations_are_shared_out_and_what_one_leaves_goes_to_the_next() {
        let all = u64::MAX;
        let cases = [
            // A third of 100, half of 67, and the rest.
            (vec![(all, 1.0), (all, 1.0), (all, 1.0)], vec![33, 33, 34]),
            (vec![(all, 3.0), (all, 1.0)], vec![75, 25]),
            // The first uses 10 of its 50: the second gets two thirds of 90.
            (vec![(10, 2.0), (all, 1.5), (all, 0.5)], vec![50, 67, 23]),
            (vec![(all, 1.0)], vec![100]),
            (vec![(all, 1e-6), (all, 1e6)], vec![0, 100]),
        ];
        let budget = Budget { evaluations: Some(100), restarts: 4, generations: Some(9), ..Budget::default() };
        for (members, expected) in cases {
            let mut limits = Vec::new();
            let whole = portfolio(&members).search(
                &budget,
                &mut RandomStream::from_seed(1),
                &mut (),
                &mut |most, budget, _, _| {
                    assert_eq!((budget.restarts, budget.generations), (4, Some(9)), "of each");
                    let limit = budget.evaluations.expect("there is one");
                    limits.push(limit);
                    outcome(limit.min(*most), 1)
                },
            );
            assert_eq!(limits, expected, "{members:?}");
            assert_eq!((whole.evaluations, whole.restarts), (100, 2 * members.len() as u64));
        }
    }

    #[test]
    fn a_run_ends_as_soon_as_nothing_better_can_be_found_and_one_that_fails_counts_what_was_evaluated() {
        let budget = Budget { evaluations: Some(90), ..Budget::default() };
        let run = |stop: Stop| {
            let failure = (stop == Stop::Failed).then(|| "no memory".to_owned());
            let mut second = Outcome { stop, failure, ..outcome(7, 5) };
            portfolio(&[(30, 1.0); 3]).search(&budget, &mut RandomStream::from_seed(1), &mut (), &mut |_, _, _, _| {
                std::mem::replace(&mut second, outcome(30, 4))
            })
        };
        let first = |stop| {
            let whole = run(stop);
            (whole.stop, whole.evaluations, whole.failure)
        };
        assert_eq!(first(Stop::Exhausted), (Stop::Exhausted, 7, None));
        let message = "algorithm 1 of the portfolio: no memory".to_owned();
        assert_eq!(first(Stop::Failed), (Stop::Failed, 7, Some(message)));
        assert_eq!(first(Stop::Stagnation), (Stop::Evaluations, 67, None));
    }

    #[test]
    fn seconds_are_shared_out() {
        let budget = Budget { seconds: Some(4000.0), cpu_seconds: Some(800.0), ..Budget::default() };
        let mut limits = Vec::new();
        portfolio(&[(0, 3.0), (0, 1.0)]).search(
            &budget,
            &mut RandomStream::from_seed(1),
            &mut (),
            &mut |_, budget, _, _| {
                limits.push([budget.seconds, budget.cpu_seconds].map(|limit| limit.map_or(0.0, f64::round)));
                outcome(0, 1)
            },
        );
        assert_eq!(limits, [[3000.0, 600.0], [4000.0, 800.0]]);
    }

    #[test]
    fn the_best_stays_counts_add_up_and_a_target_ends_the_run() {
        let budget = Budget { evaluations: Some(90), ..Budget::default() };
        let run = |fitnesses: [u32; 3]| {
            let (mut at, mut streams) = (0, Vec::new());
            let members = portfolio(&[(30, 1.0); 3]);
            let whole = members.search(&budget, &mut RandomStream::from_seed(1), &mut (), &mut |_, _, random, _| {
                streams.push(random.bits());
                at += 1;
                let found = outcome(30, fitnesses[at - 1]);
                Outcome { stop: if found.best_fitness.value() == 0.0 { Stop::Target } else { found.stop }, ..found }
            });
            (whole, streams)
        };
        let (whole, streams) = run([4, 2, 2]);
        let found = (whole.best_fitness.value(), &whole.best_genome[..], whole.evaluations_to_best);
        assert_eq!(found, (2.0, &[2][..], 35), "the first of two equals");
        assert_eq!((whole.stop, whole.evaluations, whole.generations), (Stop::Evaluations, 90, 9));
        assert!(streams[0] != streams[1] && streams[1] != streams[2] && streams[0] != streams[2]);
        let (whole, again) = run([4, 0, 1]);
        assert_eq!((whole.stop, whole.evaluations, whole.best_fitness.value()), (Stop::Target, 60, 0.0));
        assert_eq!(again, streams[..2]);
    }
}

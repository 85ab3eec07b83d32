//! A test of an external program: whether it keeps its seed and its limits, carries nothing from one run to the next, and tells the truth.

use std::thread;

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::family::ObjectiveSource;
use evogrid_results::RunOutcome;
use evogrid_results::trace::{Trace, Trigger};

use super::execute::{Measured, Repetition, RunFailure, measure};
use crate::external::is_server;

/// What a test found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether the program is right; `None` if that is not decided.
    pub verdict: Option<bool>,
    /// A sentence.
    pub text: String,
}

/// An answer of a program, without its times.
#[derive(PartialEq)]
struct Answer {
    outcome: RunOutcome,
    solution: Option<String>,
    trace: Option<Trace>,
}

/// A run of the program: its answer, and its wall time in milliseconds.
type Tried = Result<(Answer, f64), RunFailure>;

/// Tests the program of a run: twice with one seed and once with another, with a small and with the whole limit, and, if it is a server,
/// in the order A, B, A without a new start. Each run has a new process otherwise.
pub fn test_program(run: &Repetition<'_>, budget: &Budget, [seed, other_seed]: [u64; 2]) -> Vec<Finding> {
    let mut findings = Findings::default();
    let fresh = |budget: &Budget, seed| {
        let measure = || tried(measure(run, budget, seed, Some(Trigger::Improvements)));
        // The servers of a thread end with it.
        thread::scope(|scope| scope.spawn(measure).join()).unwrap_or_else(|_| Err("the test ended".to_owned().into()))
    };
    let [first, again, other] = [seed, seed, other_seed].map(|seed| fresh(budget, seed));
    let first = match first {
        Ok(first) => first,
        Err(failure) => {
            findings.add(false, format!("a run fails: {}", failure.message));
            return findings.0;
        }
    };
    findings.truth(run, &first.0);
    findings.seed(&first, &again, &other);
    findings.limits(budget, &first, |budget| fresh(budget, seed));
    if is_server(run.settings) {
        let in_one_server =
            || [seed, other_seed, seed].map(|seed| tried(measure(run, budget, seed, Some(Trigger::Improvements))));
        let runs = thread::scope(|scope| scope.spawn(in_one_server).join());
        findings.state(&first, runs.ok().as_ref());
    }
    findings.0
}

fn tried((measured, (wall_ms, _), trace): Measured) -> Tried {
    measured.map(|(outcome, solution)| (Answer { outcome, solution, trace }, wall_ms))
}

/// What is found, in the order of the tests.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, verdict: impl Into<Option<bool>>, text: impl Into<String>) {
        self.0.push(Finding { verdict: verdict.into(), text: text.into() });
    }

    /// Whether the answer was checked, and by what.
    fn truth(&mut self, run: &Repetition<'_>, answer: &Answer) {
        let objective = run.family.objective(run.content);
        let source = objective.as_ref().map(|objective| objective.source);
        match (source, &answer.solution) {
            (Some(ObjectiveSource::Reported), _) => {
                self.add(None, "its objective is reported by the program and not checked: no `check` is set");
            }
            (_, None) => self.add(None, "it gave no solution, so what it reports is not checked"),
            (Some(ObjectiveSource::ByProgram(_)), _) => {
                self.add(true, "the checker computes the objective that it reports");
            }
            (Some(ObjectiveSource::Computed(_)), _) => self.add(true, "its solution is valid and was evaluated here"),
            (None, _) => self.add(None, "the problem has no objective that could be checked"),
        }
    }

    fn seed(&mut self, first: &(Answer, f64), again: &Tried, other: &Tried) {
        match again {
            Ok((answer, _)) if *answer == first.0 => self.add(true, "the same seed gives the same answer"),
            Ok((answer, _)) => {
                let text = format!(
                    "the same seed gives another answer ({}, then {}): draw all random numbers from a generator made \
                     from the seed, and stop by evaluations, not by time",
                    told(&first.0.outcome),
                    told(&answer.outcome)
                );
                self.add(false, text);
            }
            Err(failure) => self.add(false, format!("the same run fails when repeated: {}", failure.message)),
        }
        match other {
            Ok((answer, _)) if *answer == first.0 => {
                self.add(
                    None,
                    "another seed gives the same answer: if the program draws random numbers, it ignores the seed",
                );
            }
            Ok(_) => self.add(true, "another seed gives another answer"),
            Err(failure) => self.add(false, format!("a run with another seed fails: {}", failure.message)),
        }
    }

    /// Whether a tenth of the limit makes the run shorter.
    fn limits(&mut self, budget: &Budget, whole: &(Answer, f64), fresh: impl Fn(&Budget) -> Tried) {
        let part = |limit: Option<f64>| limit.map(|limit| limit / 10.0);
        let small = match budget.evaluations {
            // A run that reached its target earlier used only part of its limit.
            Some(limit) => {
                Budget { evaluations: Some((limit.min(whole.0.outcome.evaluations) / 10).max(1)), ..*budget }
            }
            None => Budget { seconds: part(budget.seconds), cpu_seconds: part(budget.cpu_seconds), ..*budget },
        };
        if small == *budget {
            self.add(None, "the budget has no limit of evaluations or time, so only the program ends its runs");
            return;
        }
        match fresh(&small) {
            Err(failure) => self.add(false, format!("a run with a tenth of the limit fails: {}", failure.message)),
            Ok((answer, wall_ms)) => {
                let [before, now] = [&whole.0.outcome, &answer.outcome].map(|outcome| outcome.evaluations);
                let is_counted = budget.evaluations.is_some();
                match (is_counted, answer.outcome.stop) {
                    (true, _) if now == 0 => {
                        self.add(None, "it reports no evaluations, so its limit cannot be checked");
                    }
                    (true, stop) if now >= before && stop != Stop::Target => {
                        self.add(None, format!("with a tenth of the evaluations it still makes {now}"));
                    }
                    (true, _) => self.add(
                        true,
                        format!("it keeps its limit: {now} evaluations where {} are allowed ({before} with the whole limit)",
                            small.evaluations.unwrap_or_default()),
                    ),
                    (false, Stop::Time) => self.add(
                        true,
                        format!("a tenth of the time ends it after {wall_ms:.0} ms ({:.0} with all)", whole.1),
                    ),
                    (false, stop) => {
                        self.add(true, format!("it ended before a tenth of the time was over: `{}`", stop.name()));
                    }
                }
            }
        }
        if budget.evaluations.is_some() {
            // Other work on the machine makes some of them longer.
            let one = || Some(fresh(&Budget { evaluations: Some(1), ..*budget }).ok()?.1);
            if let Some(wall_ms) = (0..3).filter_map(|_| one()).min_by(f64::total_cmp) {
                self.add(None, format!("a run of one evaluation takes {wall_ms:.0} ms, which is what its start costs"));
            }
        }
    }

    /// Whether a server answers as one that has just been started does, and how long it takes then.
    fn state(&mut self, first: &(Answer, f64), runs: Option<&[Tried; 3]>) {
        match runs {
            Some([Ok((a, _)), Ok(_), Ok((again, wall_ms))]) if *a == first.0 && *again == first.0 => {
                self.add(true, format!("nothing is left over in the server: A, B, A gives the same A twice, the second in {wall_ms:.0} ms"));
            }
            Some([Ok(_), Ok(_), Ok((again, _))]) => {
                let text = format!(
                    "the server keeps something from run to run: in A, B, A the second A gives {}, and a new server {}",
                    told(&again.outcome),
                    told(&first.0.outcome)
                );
                self.add(false, text);
            }
            Some(runs) => {
                let failures = runs.iter().filter_map(|run| run.as_ref().err());
                let message = failures.map(|failure| failure.message.as_str()).next().unwrap_or_default();
                self.add(false, format!("the server fails when it is asked again: {message}"));
            }
            None => self.add(false, "the test of the server ended"),
        }
    }
}

/// An outcome in a few words.
fn told(outcome: &RunOutcome) -> String {
    let best = outcome.objective.or(outcome.best_fitness).map_or_else(|| "nothing".to_owned(), |best| best.to_string());
    format!("{best} after {} evaluations", outcome.evaluations)
}

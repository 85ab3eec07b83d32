//! The meaning of a program's output: reads the answer and evaluates the solution. If a claim of the program is false, the run fails.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::problem::DynProblem;

use super::reply::Reply;
use crate::system::numbers::is_same_fitness;
use crate::system::platform::{ProgramOutput, ProgramUsage, ReachedLimit};

/// The answer of a program.
pub(super) struct Answer {
    /// The reply; `None` if a limit was reached before the reply came.
    reply: Option<Reply>,
    /// The limit that was reached before the program ended by itself.
    cut: Option<Stop>,
    /// The improvements that the program reported before its answer.
    improvements: Vec<Reply>,
}

/// Returns the outcome of a run from the output of its program. `printed` is the standard output, and `errors` is the standard error. If
/// `is_late` is true, the program did not end within the time limit. If `is_late` is false, the program ended normally. The function starts
/// no program, so tests can check how answers are read.
pub fn outcome_of_output(
    printed: &[u8],
    errors: &[u8],
    is_late: bool,
    evaluator: Evaluator<'_, dyn DynProblem>,
) -> Outcome {
    let output = ProgramOutput {
        reached: is_late.then_some(ReachedLimit::Time),
        failure: None,
        printed: printed.to_vec(),
        errors: errors.to_vec(),
        usage: ProgramUsage::default(),
    };
    conclude(read_answer(&output, 0), evaluator)
}

/// The answer in a program's output.
pub(super) fn read_answer(output: &ProgramOutput, seed: u64) -> Result<Answer, String> {
    if let Some(reached) = output.reached {
        let cut = match reached {
            ReachedLimit::Time | ReachedLimit::Cpu => Stop::Time,
            ReachedLimit::Memory => Stop::Memory,
        };
        // A program may print several answers, each better than the one before. The last answer that was finished in time counts.
        let reply = Reply::read(output.last_whole_line()).ok();
        return Ok(Answer { reply, cut: Some(cut), improvements: output.improvements()? });
    }
    if let Some(failure) = &output.failure {
        return Err(output.explained(failure));
    }
    let reply = Reply::read(output.last_line()).map_err(|wrong| output.explained(&wrong))?;
    if let Some(other) = reply.seed.filter(|&other| other != seed) {
        return Err(format!(
            "the reply has the seed {other}, but the run has the seed {seed}: expected the reply to the present run"
        ));
    }
    Ok(Answer { reply: Some(reply), cut: None, improvements: output.improvements()? })
}

/// The outcome of a run with this answer; the run fails if the answer is an error or a false claim.
pub(super) fn conclude(answer: Result<Answer, String>, mut evaluator: Evaluator<'_, dyn DynProblem>) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(message) => return evaluator.fail(message),
    };
    let Some(reply) = &answer.reply else { return evaluator.finish(answer.cut.unwrap_or(Stop::Time)) };
    let evaluations_to_best = answer.evaluations_to_best(reply);
    match judge(&answer, reply, &mut evaluator) {
        Ok(stop) => {
            let problem = evaluator.problem();
            let mut outcome = evaluator.finish(stop);
            if outcome.best_genome.is_empty() {
                let value = reply.value(problem).ok().flatten();
                outcome.best_fitness = value.map_or(Fitness::WORST, |value| problem.direction().fitness(value));
                outcome.solution = reply.solution.clone().filter(|_| !problem.has_genomes());
            }
            (outcome.restarts, outcome.evaluations_to_best) = (reply.restarts, evaluations_to_best);
            outcome
        }
        Err(message) => evaluator.fail(message),
    }
}

impl Answer {
    /// The evaluations up to the best candidate. If the program does not report this number, the number at the last improvement is used, or
    /// else the number of all evaluations.
    fn evaluations_to_best(&self, reply: &Reply) -> u64 {
        let last = || self.improvements.last().map(|improvement| improvement.evaluations);
        reply.evaluations_to_best.or_else(last).unwrap_or(reply.evaluations).min(reply.evaluations)
    }

    /// Passes the improvements that the program reported to the observer. The improvements are not checked by evaluation, but they must be
    /// consistent with the answer.
    fn report(
        &self,
        reply: &Reply,
        found: Option<Fitness>,
        evaluator: &mut Evaluator<'_, dyn DynProblem>,
    ) -> Result<(), String> {
        let problem = evaluator.problem();
        let (direction, name) = (problem.direction(), value_name(problem));
        let mut last: Option<(u64, f64)> = None;
        for improvement in &self.improvements {
            let evaluations = improvement.evaluations;
            let value = improvement.value(problem)?;
            let best = value.ok_or_else(|| format!("an `improvement` needs `{name}`"))?;
            if let Some((before, best_before)) = last
                && (evaluations < before || direction.cost(best) >= direction.cost(best_before))
            {
                return Err(format!(
                    "an `improvement` reports {best} after {evaluations} evaluations, but the previous `improvement` \
                     reports {best_before} after {before}: each `improvement` must report a better `{name}` than the \
                     previous `improvement`, and not fewer evaluations"
                ));
            }
            if evaluations > reply.evaluations {
                return Err(format!(
                    "an `improvement` reports {evaluations} evaluations, but the reply at the end reports only {}",
                    reply.evaluations
                ));
            }
            last = Some((evaluations, best));
            match found.map(|found| direction.value(found)) {
                Some(found) if is_same_fitness(found, best) => {}
                Some(found) if direction.cost(best) < direction.cost(found) => {
                    return Err(match problem.has_genomes() {
                        true => {
                            format!("an `improvement` reports {best}, but the fitness of the `solution` is {found}")
                        }
                        false => format!(
                            "an `improvement` reports {best}, but the reply's `objective` is {found}, which is worse: \
                             check these two values, and check `direction` (the objective is {})",
                            direction.participle()
                        ),
                    });
                }
                _ => evaluator.report(evaluations, improvement.generations, direction.fitness(best)),
            }
        }
        Ok(())
    }
}

/// Counts the program's work, evaluates its solution, and returns why the run stopped. Values that can be computed are computed, not taken
/// from the reply.
fn judge(answer: &Answer, reply: &Reply, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Stop, String> {
    let limit = evaluator.evaluations_left();
    if reply.evaluations > limit {
        return Err(format!(
            "the program made {} evaluations, but the budget allows {limit}: pass the limit `{{evaluations}}` to the \
             program, and make the program stop in time",
            reply.evaluations
        ));
    }
    let problem = evaluator.problem();
    let value = reply.value(problem)?;
    let claimed = value.map(|value| problem.direction().fitness(value));
    let reached = if problem.has_genomes() {
        let solution = reply.solution.as_deref().map(|solution| evaluate(solution, value, problem)).transpose()?;
        answer.report(reply, solution.as_ref().map(|&(_, fitness)| fitness), evaluator)?;
        let evaluations_to_best = answer.evaluations_to_best(reply);
        evaluator.account(evaluations_to_best, reply.generations);
        let reached =
            solution.and_then(|(genome, fitness)| evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err());
        evaluator.account(reply.evaluations - evaluations_to_best, 0);
        if let (None, Some(value), true) = (&reply.solution, value, reaches_target(claimed, evaluator)) {
            return Err(format!("the reply has no `solution`, although its `best_fitness` {value} reaches the target"));
        }
        reached
    } else {
        if reply.solution.is_some() && claimed.is_none() {
            return Err("the reply has a `solution`, but no `objective` of this solution".to_owned());
        }
        answer.report(reply, claimed, evaluator)?;
        if let Some(fitness) = claimed {
            evaluator.report(answer.evaluations_to_best(reply), reply.generations, fitness);
        }
        evaluator.account(reply.evaluations, reply.generations);
        reaches_target(claimed, evaluator).then_some(Stop::Target)
    };
    reached.or(answer.cut).or(reply.stop).ok_or_else(|| match (&reply.solution, value) {
        (Some(_), _) => {
            "the `solution` does not reach the target, so the reply must give a reason for the stop: expected the \
                         key `stop`"
                .to_owned()
        }
        (None, Some(_)) if !problem.has_genomes() => {
            "the reply gives no reason for the stop: expected the key `stop`".to_owned()
        }
        (None, _) => "the reply contains neither `solution` nor `stop`: expected at least one of them".to_owned(),
    })
}

/// The key of the value of a candidate in a reply.
fn value_name(problem: &dyn DynProblem) -> &'static str {
    if problem.has_genomes() { "best_fitness" } else { "objective" }
}

fn reaches_target(fitness: Option<Fitness>, evaluator: &Evaluator<'_, dyn DynProblem>) -> bool {
    fitness.zip(evaluator.target()).is_some_and(|(fitness, target)| fitness <= target)
}

/// Reads and evaluates a solution.
fn evaluate(solution: &str, claimed: Option<f64>, problem: &dyn DynProblem) -> Result<(Vec<Allele>, Fitness), String> {
    let genome = problem.read(solution).map_err(|wrong| format!("the `solution` is not valid: {wrong}"))?;
    if !problem.layout().is_valid(&genome) {
        return Err("the `solution` is not valid".to_owned());
    }
    let fitness = problem.fitness(&genome);
    let value = problem.direction().value(fitness);
    match claimed.filter(|&claimed| !is_same_fitness(value, claimed)) {
        Some(claimed) => {
            Err(format!("the reply's `best_fitness` is {claimed}, but the fitness of its `solution` is {value}"))
        }
        None => Ok((genome, fitness)),
    }
}

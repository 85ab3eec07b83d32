//! What a program's output means: its answer is read, its solution evaluated, and a claim that does not hold is a failed run.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::problem::DynProblem;

use super::reply::Reply;
use crate::system::platform::{ProgramOutput, ProgramUsage, ReachedLimit};

/// What a program has answered.
pub(super) struct Answer {
    /// `None` if a limit was reached before it came.
    reply: Option<Reply>,
    /// The limit that was reached before the program ended by itself.
    cut: Option<Stop>,
    /// The improvements that it reported on the way.
    improvements: Vec<Reply>,
}

/// The outcome of a run whose program wrote `printed` to standard output, and `errors` to standard error. `is_late` says that the budget's
/// time was over before the program ended; otherwise the program ended normally. Nothing is started, so that a test can check the handling
/// of answers alone.
#[must_use]
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
        // A program may print a better answer whenever it has one: the last that it finished in time counts.
        let reply = Reply::read(output.last_whole_line()).ok();
        return Ok(Answer { reply, cut: Some(cut), improvements: output.improvements()? });
    }
    if let Some(failure) = &output.failure {
        return Err(output.explained(failure));
    }
    let reply = Reply::read(output.last_line()).map_err(|wrong| output.explained(&wrong))?;
    if let Some(other) = reply.seed.filter(|&other| other != seed) {
        return Err(format!("the reply belongs to the run with seed {other}, but expected was seed {seed}"));
    }
    Ok(Answer { reply: Some(reply), cut: None, improvements: output.improvements()? })
}

/// The outcome of a run with this answer, or why the run failed.
pub(super) fn conclude(answer: Result<Answer, String>, mut evaluator: Evaluator<'_, dyn DynProblem>) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(message) => return evaluator.fail(message),
    };
    let Some(reply) = &answer.reply else { return evaluator.finish(answer.cut.unwrap_or(Stop::Time)) };
    let evaluations_to_best = answer.evaluations_to_best(reply);
    match judge(&answer, reply, &mut evaluator) {
        Ok(stop) => {
            let mut outcome = evaluator.finish(stop);
            if outcome.best_genome.is_empty() {
                outcome.best_fitness = reply.best_fitness.map_or(Fitness::WORST, Fitness::new);
            }
            (outcome.restarts, outcome.evaluations_to_best) = (reply.restarts, evaluations_to_best);
            outcome
        }
        Err(message) => evaluator.fail(message),
    }
}

impl Answer {
    /// The evaluations up to the best candidate; all of them, if the program does not say it, and reported no improvement.
    fn evaluations_to_best(&self, reply: &Reply) -> u64 {
        let last = || self.improvements.last().map(|improvement| improvement.evaluations);
        reply.evaluations_to_best.or_else(last).unwrap_or(reply.evaluations).min(reply.evaluations)
    }

    /// Tells the observer of the improvements that the program reported on the way to a fitness. They are the program's word, but must lead
    /// to its answer.
    fn report(
        &self,
        reply: &Reply,
        found: Option<Fitness>,
        evaluator: &mut Evaluator<'_, dyn DynProblem>,
    ) -> Result<(), String> {
        let mut last: Option<(u64, f64)> = None;
        for improvement in &self.improvements {
            let evaluations = improvement.evaluations;
            let best = improvement.best_fitness.ok_or("an `improvement` needs a `best_fitness`")?;
            if let Some((before, best_before)) = last
                && (evaluations < before || best >= best_before)
            {
                return Err(format!(
                    "the `improvement` to {best} after {evaluations} evaluations follows an `improvement` to \
                     {best_before} after {before}: expected more evaluations and a lower `best_fitness`"
                ));
            }
            if evaluations > reply.evaluations {
                return Err(format!(
                    "an `improvement` came after {evaluations} evaluations, but the answer reports only {}",
                    reply.evaluations
                ));
            }
            last = Some((evaluations, best));
            match found.map(Fitness::value) {
                Some(found) if is_equal(best, found) => {}
                Some(found) if best < found => {
                    return Err(format!(
                        "the last `improvement` is to {best}, but the fitness of the `solution` is {found}"
                    ));
                }
                _ => evaluator.report(evaluations, improvement.generations, Fitness::new(best)),
            }
        }
        Ok(())
    }
}

/// Whether two figures of a fitness are the same: another order of additions may change the last digits.
fn is_equal(claimed: f64, found: f64) -> bool {
    (claimed - found).abs() <= 1e-9 * found.abs().max(1.0)
}

/// Counts the program's work, evaluates its solution, and says why the run stopped. What can be computed is computed, not taken from the
/// reply.
fn judge(answer: &Answer, reply: &Reply, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Stop, String> {
    let limit = evaluator.evaluations_left();
    if reply.evaluations > limit {
        return Err(format!(
            "the program made {} evaluations, but the budget allows {limit}: pass it `{{evaluations}}` and make it \
             stop in time",
            reply.evaluations
        ));
    }
    let solution = reply.solution.as_deref().map(|solution| evaluate(solution, reply.best_fitness, evaluator));
    let solution = solution.transpose()?;
    answer.report(reply, solution.as_ref().map(|&(_, fitness)| fitness), evaluator)?;
    let evaluations_to_best = answer.evaluations_to_best(reply);
    evaluator.account(evaluations_to_best, reply.generations);
    let reached =
        solution.and_then(|(genome, fitness)| evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err());
    evaluator.account(reply.evaluations - evaluations_to_best, 0);
    if let (None, Some(best), Some(target)) = (&reply.solution, reply.best_fitness, evaluator.target())
        && best <= target.value()
    {
        return Err(format!("the `best_fitness` {best} reaches the target, but the reply has no `solution`"));
    }
    match reached.or(answer.cut).or(reply.stop) {
        Some(stop) => Ok(stop),
        None => Err(match &reply.solution {
            Some(_) => "the `solution` does not reach the target, and the reply does not say why the search stopped: \
                 expected `stop`"
                .to_owned(),
            None => "the reply contains neither `solution` nor `stop`: expected at least one of them".to_owned(),
        }),
    }
}

/// Reads and evaluates a solution.
fn evaluate(
    solution: &str,
    claimed: Option<f64>,
    evaluator: &Evaluator<'_, dyn DynProblem>,
) -> Result<(Vec<Allele>, Fitness), String> {
    let problem = evaluator.problem();
    let genome = problem.read(solution).map_err(|wrong| format!("the `solution` is not valid: {wrong}"))?;
    if !problem.layout().is_valid(&genome) {
        return Err("the `solution` is not valid".to_owned());
    }
    let fitness = problem.fitness(&genome);
    match claimed.filter(|&claimed| !is_equal(claimed, fitness.value())) {
        Some(claimed) => {
            Err(format!("the reply's `best_fitness` is {claimed}, but the fitness of its `solution` is {fitness}"))
        }
        None => Ok((genome, fitness)),
    }
}

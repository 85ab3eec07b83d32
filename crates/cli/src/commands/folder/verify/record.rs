//! Whether a record is a possible outcome of the run that the plan has under its identity.

use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::family::{BestKnown, BestKnownStatus, Direction, Family, Instance, Objective, ObjectiveSource};
use evogrid_core::identity::RunId;
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Search;
use evogrid_results::columns::Value;
use evogrid_results::{Record, RunOutcome};

use super::findings::Findings;
use evogrid_runner::engine::execute::{has_target, solve};
use evogrid_runner::engine::folder::beaten::beyond_optimum;
use evogrid_runner::engine::replay::settings;
use evogrid_runner::experiment::instance_list::PlannedInstance;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::external::{self, ProgramPolicy};
use evogrid_runner::system::numbers::is_same_fitness;

/// Checks a record against its run: the identity of the run, the consistency of its values, and its solution by code that is independent
/// of the search. The expected values follow only from the plan. `is_of_session` says whether its file belongs to a known session.
/// Returns false if anything is wrong.
pub(super) fn check_record(
    plan: &Plan,
    run: &Run,
    recorded: (&Record, bool),
    policy: ProgramPolicy,
    found: &mut Findings,
) -> bool {
    let (loaded, record) = (plan.instance(run), recorded.0);
    let key = &record.key;
    found.renamed += u64::from(key.instance != loaded.id || key.bucket != loaded.bucket);
    found.failed += u64::from(record.outcome.stop == Stop::Failed);
    let wrong = match plan.restore(run) {
        Ok((family, instance)) => {
            let budget = plan.budget(run, family, instance.as_ref());
            difference_from_plan(plan, run, record)
                .or_else(|| contradiction(record, &budget))
                .or_else(|| fault_in_trace(record, family.direction(loaded.text)))
                .or_else(|| {
                    fault_in_solution((plan, run), recorded, (family, instance.as_ref(), &budget), policy, found)
                })
        }
        Err(error) => Some(format!("{error:#}")),
    };
    let Some(wrong) = wrong else { return true };
    found.fault(format!("{} on {}: {wrong}", run.id, loaded.id));
    false
}

/// How a record contradicts the run that it names. The run's identity is recomputed from the experiment's seed, the content of the
/// instance, the repetition and the settings.
fn difference_from_plan(plan: &Plan, run: &Run, record: &Record) -> Option<String> {
    let (key, problem) = (&record.key, plan.instance(run).problem);
    for (name, recorded, planned) in [("seed", key.seed, run.seed), ("repetition", key.repetition, run.repetition)] {
        if recorded != planned {
            return Some(format!("its {name} is {recorded}, but the planned run has {planned}"));
        }
    }
    if key.problem != problem {
        return Some(format!("its problem is `{}`, but the planned run has `{problem}`", key.problem));
    }
    let planned = &plan.recorded(run);
    let mut paths = record.settings.keys().chain(planned.keys());
    let path = paths.find(|path| record.settings.get(*path) != planned.get(*path))?;
    let id = identity(plan, run, record);
    if id == Some(run.id) {
        // They are written otherwise, and come to the same.
        return None;
    }
    let text = |value: Option<&serde_json::Value>| value.map_or_else(|| "none".to_owned(), ToString::to_string);
    let [recorded, planned] = [record.settings.get(path), planned.get(path)].map(text);
    let id = id.map_or_else(|| "no run".to_owned(), |id| id.to_string());
    Some(format!(
        "its settings, instance and seed belong to run {id}: `{path}` is {recorded}, but the planned run has {planned}"
    ))
}

/// The identity that follows from the settings of a record; `None` if they are not valid settings.
fn identity(plan: &Plan, run: &Run, record: &Record) -> Option<RunId> {
    let loaded = plan.instance(run);
    let settings = settings(record, loaded.problem, plan.catalogue()).ok()?;
    Some(RunId::new(&plan.catalogue().fingerprint(&settings), loaded.content, run.seed))
}

/// Figures that no run can have: they contradict each other or the limits.
fn contradiction(record: &Record, budget: &Budget) -> Option<String> {
    let RunOutcome { solved, stop, evaluations, evaluations_to_best, best_fitness, objective, .. } = record.outcome;
    if solved.unwrap_or(false) != (stop == Stop::Target) {
        let solved = Value::Truth(solved);
        return Some(format!("`solved` is {solved}, but the stop reason is `{}`", stop.name()));
    }
    if evaluations_to_best > evaluations {
        return Some(format!(
            "`evaluations_to_best` is {evaluations_to_best}, more than all its {evaluations} evaluations"
        ));
    }
    if let Some(limit) = budget.evaluations.filter(|&limit| evaluations > limit) {
        return Some(format!("it made {evaluations} evaluations, but its budget allows {limit}"));
    }
    if stop == Stop::Failed {
        let says_result = best_fitness.is_some() || objective.is_some() || record.solution.is_some();
        return says_result.then(|| "it has a result, although it failed".to_owned());
    }
    if record.message.is_some() {
        return Some("it has a failure message, although it did not fail".to_owned());
    }
    None
}

/// A trace that no run can have.
fn fault_in_trace(record: &Record, direction: Direction) -> Option<String> {
    let points = &record.trace.as_ref()?.points;
    let is_course = points.windows(2).all(|pair| {
        pair[0].evaluations <= pair[1].evaluations
            && pair[0].generation <= pair[1].generation
            && direction.cost(pair[0].best_fitness) >= direction.cost(pair[1].best_fitness)
    });
    if !is_course {
        return Some("in its trace, evaluations or generations decrease, or the best fitness becomes worse".to_owned());
    }
    let (last, outcome) = (points.last()?, &record.outcome);
    let is_end = outcome.best_fitness == Some(last.best_fitness)
        && last.evaluations <= outcome.evaluations
        && last.generation <= outcome.generations;
    (!is_end).then(|| {
        "its trace does not end with the best fitness, or exceeds the evaluations or generations of the run".to_owned()
    })
}

/// Whether an objective can be computed here, without starting programs that nobody asked to start.
fn is_computed(objective: &Objective, policy: ProgramPolicy) -> bool {
    match objective.source {
        ObjectiveSource::Computed(_) => true,
        ObjectiveSource::ByProgram(_) => policy == ProgramPolicy::Start,
        ObjectiveSource::Reported => false,
    }
}

/// What is wrong with an objective that cannot be computed here: it contradicts other figures of the run.
fn fault_in_report(
    (plan, run): (&Plan, &Run),
    objective: &Objective,
    record: &Record,
    budget: &Budget,
    found: &mut Findings,
) -> Option<String> {
    let RunOutcome { solved, objective: recorded, best_fitness, .. } = record.outcome;
    let (Some(value), name) = (recorded, &objective.name) else {
        return best_fitness.map(|fitness| format!("its best fitness is {fitness}, but its objective is missing"));
    };
    if best_fitness.is_none_or(|fitness| !is_same_fitness(fitness, value)) {
        return Some(format!("it has {value} {name}, but its best fitness is {}", Value::Real(best_fitness)));
    }
    if budget.target.is_none() && objective.solved.is_some() && solved != objective.is_solved_by(value) {
        return Some(format!("`solved` is {}, but it has {value} {name}", Value::Truth(solved)));
    }
    let PlannedInstance { best_known, text, .. } = plan.instance(run);
    let is_optimum = |known: &BestKnown| known.status == BestKnownStatus::Optimal && known.is_beaten_by(value);
    if let Some(known) = best_known.filter(is_optimum) {
        return Some(beyond_optimum(&format!("it has {value} {name}"), known));
    }
    match objective.source {
        ObjectiveSource::ByProgram(_) => found.uncomputed(external::checker_command(text)),
        _ => found.reported += 1,
    }
    None
}

/// What is wrong with its solution: by the family's own check and measure, and by the fitness that was minimised.
fn fault_in_solution(
    (plan, run): (&Plan, &Run),
    (record, is_of_session): (&Record, bool),
    (family, instance, budget): (&dyn Family, &dyn Instance, &Budget),
    policy: ProgramPolicy,
    found: &mut Findings,
) -> Option<String> {
    let RunOutcome { solved, objective: recorded, best_fitness, .. } = record.outcome;
    let settings = &run.projection().settings;
    match (solved, has_target(plan, run)) {
        (None, Some(true)) => return Some("it had a target, but `solved` is missing".to_owned()),
        (Some(_), Some(false)) => return Some("it had no target, but it has a value of `solved`".to_owned()),
        _ => {}
    }
    let objective = family.objective(plan.instance(run).text);
    if let Some(objective) = objective.as_ref().filter(|objective| !is_computed(objective, policy)) {
        return fault_in_report((plan, run), objective, record, budget, found);
    }
    let Some(solution) = &record.solution else {
        // A program need not give the solution that it reports the fitness of; records of no session may be older than solutions.
        let must_have_one = is_of_session && best_fitness.is_some() && external::command(settings).is_none();
        return match (solved, recorded) {
            (Some(true), _) => Some("it is solved, but its solution is missing".to_owned()),
            (_, Some(_)) => Some("it has an objective, but its solution is missing".to_owned()),
            (_, None) if must_have_one => Some("it has a best fitness, but its solution is missing".to_owned()),
            (_, None) => {
                found.unsaid += u64::from(!is_of_session && best_fitness.is_some());
                None
            }
        };
    };
    let Some(objective) = objective else {
        found.unchecked += 1;
        return None;
    };
    let name = &objective.name;
    let value = match objective.measure(plan.instance(run).text, solution) {
        Some(Ok(value)) => value,
        Some(Err(wrong)) => return Some(format!("no solution: {wrong}")),
        None => return None,
    };
    if recorded.is_none() && is_of_session {
        return Some(format!("its solution has {value} {name}, but its objective is missing"));
    }
    if let Some(recorded) = recorded.filter(|&recorded| recorded != value) {
        return Some(format!("its solution has {value} {name}, not {recorded}"));
    }
    let known = plan.instance(run).best_known;
    if let Some(known) = known.filter(|known| known.status == BestKnownStatus::Optimal && known.is_beaten_by(value)) {
        return Some(beyond_optimum(&format!("its solution has {value} {name}"), known));
    }
    // A target that the experiment sets is one of its fitness.
    let target = objective.solved.filter(|_| budget.target.is_none());
    if let Some(target) = target.filter(|_| solved != objective.is_solved_by(value)) {
        let is_one = if solved == Some(true) {
            "no solution"
        } else {
            "it is recorded as not solved, but its solution is valid"
        };
        return Some(format!("{is_one}: it has {value} {name}, and a valid solution has {target}"));
    }
    let probe = Algorithm::Custom(Box::new(FitnessProbe(solution.clone())));
    let probed = solve(instance, settings, &probe, &Budget::default(), 0, &mut ());
    let fitness = probed.ok().map(|(outcome, _)| objective.direction.value(outcome.best_fitness));
    let fitness = fitness.filter(|fitness| fitness.is_finite());
    if let (Some(fitness), Some(recorded)) = (fitness, best_fitness)
        && !is_same_fitness(fitness, recorded)
    {
        return Some(format!("the fitness of its solution is {fitness}, not {recorded}"));
    }
    // Where rounding decides, either is right.
    if let (Some(fitness), Some(target)) = (fitness, budget.target.map(|target| objective.direction.value(target)))
        && !is_same_fitness(fitness, target)
        && solved != Some(objective.direction.cost(fitness) < objective.direction.cost(target))
    {
        let is = if solved == Some(true) { "solved" } else { "not solved" };
        return Some(format!("it is {is}, but the fitness of its solution is {fitness}, and its target {target}"));
    }
    found.solutions += 1;
    None
}

/// A search that evaluates one solution, where the problem reads it.
struct FitnessProbe(String);

impl Search for FitnessProbe {
    fn search(&self, mut evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let genome = problem.read(&self.0).ok().filter(|genome| problem.layout().is_valid(genome));
        // Whether it reaches the target is not asked.
        let _ = genome.map(|genome| evaluator.evaluate(&genome));
        evaluator.finish(Stop::Exhausted)
    }
}

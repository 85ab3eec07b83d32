//! Checks whether a record is a possible outcome of the planned run with the same identity.

use anyhow::{Result, bail, ensure};
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
use evogrid_runner::experiment::instance_list::ListedInstance;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::external::{self, ProgramPolicy};
use evogrid_runner::system::numbers::is_same_fitness;

/// Checks a record against its run: the identity of the run, the consistency of the values, and the solution. Code that is independent of
/// the search checks the solution. The expected values follow only from the plan. `recorded` contains the record, and says whether its file
/// belongs to a known session. Returns false if something is wrong.
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
    let checked = plan.restore(run).and_then(|(family, instance)| {
        let budget = plan.budget(run, family, instance.as_ref());
        check_plan(plan, run, record)?;
        check_figures(record, &budget)?;
        check_trace(record, family.direction(loaded.content))?;
        check_solution((plan, run), recorded, (family, instance.as_ref(), &budget), policy, found)
    });
    if let Err(wrong) = &checked {
        found.faults.add(format!("{} on {}: {wrong:#}", run.id, loaded.id));
    }
    checked.is_ok()
}

/// Checks whether a record belongs to the run that the record names. The identity of the run is computed again from the experiment's seed,
/// the content of the instance, the repetition and the settings.
fn check_plan(plan: &Plan, run: &Run, record: &Record) -> Result<()> {
    let (key, problem) = (&record.key, plan.instance(run).problem);
    for (name, recorded, planned) in [("seed", key.seed, run.seed), ("repetition", key.repetition, run.repetition)] {
        ensure!(recorded == planned, "the {name} is {recorded}, but the planned run has {planned}");
    }
    ensure!(key.problem == problem, "the problem is `{}`, but the planned run has `{problem}`", key.problem);
    let planned = &plan.recorded(run);
    let mut paths = record.settings.keys().chain(planned.keys());
    let Some(path) = paths.find(|path| record.settings.get(*path) != planned.get(*path)) else { return Ok(()) };
    let id = identity(plan, run, record);
    let text = |value: Option<&serde_json::Value>| value.map_or_else(|| "none".to_owned(), ToString::to_string);
    let [recorded, planned] = [record.settings.get(path), planned.get(path)].map(text);
    // Settings with the same identity have the same meaning, but another form.
    ensure!(
        id == Some(run.id),
        "the settings, instance and seed of the record match {}, not the planned run: the record has `{path}` = {recorded}, but the plan has {planned}",
        id.map_or_else(|| "no run".to_owned(), |id| format!("run {id}"))
    );
    Ok(())
}

/// The identity that follows from the settings of a record; `None` if the settings are not valid.
fn identity(plan: &Plan, run: &Run, record: &Record) -> Option<RunId> {
    let loaded = plan.instance(run);
    let settings = settings(record, loaded.problem, plan.catalogue()).ok()?;
    let instance = plan.spec().instances.fingerprint(run.instance, plan.catalogue());
    Some(RunId::new(&plan.catalogue().fingerprint(&settings), instance, run.seed))
}

/// Refuses figures that contradict each other or the limits.
fn check_figures(record: &Record, budget: &Budget) -> Result<()> {
    let RunOutcome { solved, stop, evaluations, evaluations_to_best, best_fitness, objective, .. } = record.outcome;
    let (is_solved, said) = (solved.unwrap_or(false), Value::Truth(solved));
    ensure!(is_solved == (stop == Stop::Target), "`solved` is {said}, but the stop reason is `{}`", stop.name());
    ensure!(
        evaluations_to_best <= evaluations,
        "`evaluations_to_best` is {evaluations_to_best}, but the run made only {evaluations} evaluations"
    );
    let limit = budget.evaluations.unwrap_or(u64::MAX);
    ensure!(evaluations <= limit, "the run made {evaluations} evaluations, but its budget allows {limit}");
    let has_failed = stop == Stop::Failed;
    let has_result = best_fitness.is_some() || objective.is_some() || record.solution.is_some();
    ensure!(!(has_failed && has_result), "the run has a result, although it failed");
    ensure!(has_failed || record.message.is_none(), "the run has a failure message, although it did not fail");
    Ok(())
}

/// Refuses a trace that no run can have.
fn check_trace(record: &Record, direction: Direction) -> Result<()> {
    let points = record.trace.as_ref().map(|trace| trace.points.as_slice()).unwrap_or_default();
    let is_course = points.windows(2).all(|pair| {
        pair[0].evaluations <= pair[1].evaluations
            && pair[0].generation <= pair[1].generation
            && direction.cost(pair[0].best_fitness) >= direction.cost(pair[1].best_fitness)
    });
    ensure!(is_course, "in the trace, evaluations or generations decrease, or the best fitness becomes worse");
    let outcome = &record.outcome;
    let is_end = points.last().is_none_or(|last| {
        outcome.best_fitness == Some(last.best_fitness)
            && last.evaluations <= outcome.evaluations
            && last.generation <= outcome.generations
    });
    ensure!(
        is_end,
        "the last point of the trace does not match the run: the best fitness differs, or the trace has more evaluations or generations"
    );
    Ok(())
}

/// Whether an objective can be computed here, without starting programs that the user did not allow.
fn is_computed(objective: &Objective, policy: ProgramPolicy) -> bool {
    match objective.source {
        ObjectiveSource::Computed(_) => true,
        ObjectiveSource::ByProgram(_) => policy == ProgramPolicy::Start,
        ObjectiveSource::Reported => false,
    }
}

/// Refuses a value better than a known optimum.
fn check_optimum(known: Option<BestKnown>, value: f64, what: &str) -> Result<()> {
    match known.filter(|known| known.status == BestKnownStatus::Optimal && known.is_beaten_by(value)) {
        Some(known) => bail!("{}", beyond_optimum(what, known)),
        None => Ok(()),
    }
}

/// Checks an objective that cannot be computed here. Refuses the objective if it contradicts other figures of the run.
fn check_report(
    (plan, run): (&Plan, &Run),
    objective: &Objective,
    record: &Record,
    budget: &Budget,
    found: &mut Findings,
) -> Result<()> {
    let RunOutcome { solved, objective: recorded, best_fitness, .. } = record.outcome;
    let Some(value) = recorded else {
        let Some(fitness) = best_fitness else { return Ok(()) };
        bail!("the best fitness is {fitness}, but the objective is missing");
    };
    let what = format!("it has {value} {}", objective.name);
    let is_fitness = best_fitness.is_some_and(|fitness| is_same_fitness(fitness, value));
    ensure!(is_fitness, "{what}, but its best fitness is {}", Value::Real(best_fitness));
    let is_unjudged = budget.target.is_some() || objective.solved.is_none();
    let is_right = is_unjudged || solved == objective.is_solved_by(value);
    ensure!(is_right, "`solved` is {}, but {what}", Value::Truth(solved));
    let ListedInstance { best_known, content: text, .. } = plan.instance(run);
    check_optimum(best_known, value, &what)?;
    match objective.source {
        ObjectiveSource::ByProgram(_) => found.uncomputed(external::checker_command(text)),
        _ => found.reported += 1,
    }
    Ok(())
}

/// Checks the solution of a record, by the independent check of the family and by the fitness that was minimised.
fn check_solution(
    (plan, run): (&Plan, &Run),
    (record, is_of_session): (&Record, bool),
    (family, instance, budget): (&dyn Family, &dyn Instance, &Budget),
    policy: ProgramPolicy,
    found: &mut Findings,
) -> Result<()> {
    let RunOutcome { solved, objective: recorded, best_fitness, .. } = record.outcome;
    let settings = &run.projection().settings;
    match (solved, has_target(plan, run)) {
        (None, Some(true)) => bail!("the run had a target, but `solved` is missing"),
        (Some(_), Some(false)) => bail!("the run had no target, but `solved` has a value"),
        _ => {}
    }
    let ListedInstance { best_known, content: text, .. } = plan.instance(run);
    let objective = family.objective(text);
    if let Some(objective) = objective.as_ref().filter(|objective| !is_computed(objective, policy)) {
        return check_report((plan, run), objective, record, budget, found);
    }
    let Some(solution) = &record.solution else {
        ensure!(solved != Some(true), "the run is solved, but its solution is missing");
        ensure!(recorded.is_none(), "the run has an objective, but its solution is missing");
        // An external program need not return its solution. Records without a session may come from a version that did not record solutions.
        let must_have_one = is_of_session && best_fitness.is_some() && external::command(settings).is_none();
        ensure!(!must_have_one, "the run has a best fitness, but its solution is missing");
        found.unsaid += u64::from(!is_of_session && best_fitness.is_some());
        return Ok(());
    };
    let Some(objective) = objective else {
        found.unchecked += 1;
        return Ok(());
    };
    let name = &objective.name;
    let value = match objective.measure(text, solution) {
        Some(Ok(value)) => value,
        Some(Err(wrong)) => bail!("no solution: {wrong}"),
        None => return Ok(()),
    };
    let what = format!("the recorded solution has {value} {name}");
    ensure!(recorded.is_some() || !is_of_session, "{what}, but the objective of the run is missing");
    if let Some(recorded) = recorded {
        ensure!(recorded == value, "{what}, not {recorded}");
    }
    check_optimum(best_known, value, &what)?;
    // A target that the experiment sets is a fitness, not an objective.
    if let Some(target) = objective.solved.filter(|_| budget.target.is_none()) {
        let is_one = match solved {
            Some(true) => "the recorded solution is not valid",
            _ => "the run is recorded as not solved, but its solution is valid",
        };
        let is_right = solved == objective.is_solved_by(value);
        ensure!(is_right, "{is_one}: the solution has {value} {name}; valid solutions have {target}");
    }
    let probe = Algorithm::Custom(Box::new(FitnessProbe(solution.clone())));
    let probed = solve(instance, settings, &probe, &Budget::default(), 0, &mut ());
    let fitness = probed.ok().map(|(outcome, _)| objective.direction.value(outcome.best_fitness));
    let fitness = fitness.filter(|fitness| fitness.is_finite());
    if let (Some(fitness), Some(recorded)) = (fitness, best_fitness) {
        ensure!(
            is_same_fitness(fitness, recorded),
            "the fitness of the recorded solution is {fitness}, not {recorded}"
        );
    }
    if let (Some(fitness), Some(target)) = (fitness, budget.target.map(|target| objective.direction.value(target))) {
        let is_reached = objective.direction.cost(fitness) < objective.direction.cost(target);
        let is = if solved == Some(true) { "solved" } else { "not solved" };
        // If rounding decides, both values are valid.
        ensure!(
            solved == Some(is_reached) || is_same_fitness(fitness, target),
            "the run is recorded as {is}, but its fitness is {fitness}, and its target is {target}"
        );
    }
    found.solutions += 1;
    Ok(())
}

/// A search that evaluates one solution, if the problem can read it.
struct FitnessProbe(String);

impl Search for FitnessProbe {
    fn search(&self, mut evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let genome = problem.read(&self.0).ok().filter(|genome| problem.layout().is_valid(genome));
        // The result is read from the outcome.
        let _ = genome.map(|genome| evaluator.evaluate(&genome));
        evaluator.finish(Stop::Exhausted)
    }
}

//! Checks the best solution of a finished run. The problem family computes the objective of the solution again. The recomputed objective
//! must agree with the fitness from the search.

use evogrid_core::budget::{Budget, Stop};
use evogrid_core::evaluator::Outcome;
use evogrid_core::family::{Family, Objective, ObjectiveSource};
use evogrid_core::settings::Settings;

use crate::system::numbers::is_same_fitness;

/// The objective of the best solution; `None` if the family has no objective.
///
/// # Errors
/// If the measure rejects the solution or contradicts its fitness. Then the problem, the search or the measure has a fault.
pub(crate) fn objective(
    (family, content): (&dyn Family, &str),
    settings: &Settings,
    budget: &Budget,
    outcome: &Outcome,
    solution: Option<&str>,
) -> Result<Option<f64>, String> {
    let Some(objective) = family.objective(content) else { return Ok(None) };
    let fitness = objective.direction.value(outcome.best_fitness);
    let value = match (objective.source, solution) {
        (ObjectiveSource::Reported, _) if fitness.is_finite() => fitness,
        (ObjectiveSource::ByProgram(_), None) if fitness.is_finite() => {
            return Err("the reply has an objective but no `solution`: the program of `check` cannot verify the \
                 objective"
                .to_owned());
        }
        (ObjectiveSource::Reported, _) | (_, None) => return Ok(None),
        (ObjectiveSource::Computed(measure) | ObjectiveSource::ByProgram(measure), Some(solution)) => {
            measure(content, solution)?
        }
    };
    // A target of the budget refers to the fitness, so the objective cannot confirm it.
    let knows_target = outcome.has_target && budget.target.is_none();
    let is_objective = family.fitness(settings, Some(&objective)) == objective.fitness_name();
    let is_solved = knows_target.then_some(outcome.stop == Stop::Target);
    match contradiction(&objective, value, (fitness, is_objective, is_solved)) {
        Some(contradiction) => Err(contradiction),
        None => Ok(Some(value)),
    }
}

/// A sentence about the contradiction between the objective `value` of the best solution and the result of the search, if they contradict
/// each other. The search found this fitness; `is_objective` says whether the fitness is the objective. `is_solved` says whether the
/// solution solves the instance; it is `None` if the family does not decide that.
fn contradiction(
    objective: &Objective,
    value: f64,
    (fitness, is_objective, is_solved): (f64, bool, Option<bool>),
) -> Option<String> {
    let name = &objective.name;
    if is_objective && !is_same_fitness(value, fitness) {
        let by = match objective.source {
            ObjectiveSource::ByProgram(_) => "the checker",
            _ => "the problem family",
        };
        return Some(format!(
            "the search found {fitness} {name}, but {by} computes {value}: one of the values is wrong"
        ));
    }
    let (is_solved, solved) = is_solved.zip(objective.solved)?;
    (objective.is_solved_by(value) != Some(is_solved)).then(|| {
        let says = if is_solved { "solved" } else { "not solved" };
        format!(
            "the search reports that the instance is {says} (fitness {fitness}), but the solution has {value} {name}; \
             a solved instance needs {solved}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: Objective = Objective::minimised("errors", |_, _| Ok(0.0)).solved_at(0.0);

    #[test]
    fn a_fitness_that_is_the_objective_must_have_its_value() {
        let found = |fitness, value| contradiction(&ERRORS, value, (fitness, true, Some(false)));
        assert_eq!(found(3.0, 3.0), None);
        assert_eq!(found(1e10, 1e10 + 1.0), None, "rounding");
        assert_eq!(
            found(3.0, 5.0).expect("they differ"),
            "the search found 3 errors, but the problem family computes 5: one of the values is wrong"
        );
    }

    #[test]
    fn only_a_solution_solves() {
        let found = |is_solved, value| contradiction(&ERRORS, value, (14.0, false, is_solved));
        assert_eq!(found(Some(false), 2.0), None);
        assert_eq!(found(Some(true), 0.0), None);
        assert_eq!(found(None, 2.0), None, "a target of the budget");
        assert_eq!(
            found(Some(true), 2.0).expect("it is not solved"),
            "the search reports that the instance is solved (fitness 14), but the solution has 2 errors; a solved \
             instance needs 0"
        );
        assert!(found(Some(false), 0.0).is_some());
    }
}

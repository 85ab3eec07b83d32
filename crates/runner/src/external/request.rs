//! What a program is told of a run: values for the placeholders of its command, or one line of JSON.

use evogrid_core::evaluator::Evaluator;
use evogrid_core::problem::DynProblem;
use evogrid_core::settings::{Settings, Value};
use serde_json::{Map, Value as Json, json};

use super::declaration::{argument, limits, set_parameters};

/// The run in one line of JSON, with its end.
pub(super) fn line(
    instance: &str,
    seed: u64,
    evaluator: &Evaluator<'_, dyn DynProblem>,
    settings: &Settings,
) -> String {
    let limits: Map<String, Json> =
        limits().filter_map(|name| Some((name.to_owned(), limit(evaluator, name)?))).collect();
    let parameters = set_parameters(settings);
    let parameters: Map<String, Json> =
        parameters.iter().map(|(name, value)| (name.to_owned(), json_of(value))).collect();
    json!({"instance": instance, "seed": seed, "limits": limits, "settings": parameters}).to_string() + "\n"
}

/// A limit of a run as an argument; `None` if it is not set, or is no limit that a run may have of its own.
pub(super) fn limit_argument(evaluator: &Evaluator<'_, dyn DynProblem>, name: &str) -> Option<String> {
    Some(match limit(evaluator, name)? {
        Json::Number(number) if number.is_f64() => argument(&Value::Real(number.as_f64().unwrap_or_default())),
        other => other.to_string(),
    })
}

/// A limit that grows with the instance is a number by now.
fn limit(evaluator: &Evaluator<'_, dyn DynProblem>, name: &str) -> Option<Json> {
    let (budget, problem) = (evaluator.budget(), evaluator.problem());
    match name {
        "evaluations" => budget.evaluations.map(Json::from),
        "generations" => budget.generations.map(Json::from),
        "stagnation" => budget.stagnation.map(Json::from),
        "restarts" => Some(Json::from(budget.restarts)),
        "seconds" => budget.seconds.map(Json::from),
        "cpu_seconds" => budget.cpu_seconds.map(Json::from),
        "target" => {
            // Programs on the built-in families need no target: their solutions are evaluated here.
            let own = || evaluator.target().filter(|_| !problem.has_genomes());
            budget.target.or_else(own).map(|target| problem.direction().value(target)).map(Json::from)
        }
        _ => None,
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Integer(integer) => Json::from(*integer),
        Value::Real(real) => Json::from(*real),
        Value::Flag(flag) => Json::from(*flag),
        other => Json::from(other.to_string()),
    }
}

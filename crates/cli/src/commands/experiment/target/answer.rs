//! The answer to a configurator: what a run costs, in the form that the configurator reads.

use super::call::Call;
use crate::arguments::TargetStyle;

/// The least time that is printed, in seconds: irace refuses 0.
const LEAST_SECONDS: f64 = 1e-6;

/// What AClib's wrappers print as the cost of a run without one.
const NO_COST: f64 = 4_294_967_295.0;

/// The answer.
pub(super) struct Answer {
    /// The cost; `None` if the run failed or has no solution.
    pub(super) cost: Option<f64>,
    /// Whether the cost is the penalty of a run that did not solve its instance, or the run found nothing in its time.
    pub(super) is_timeout: bool,
    /// The processor time in seconds.
    pub(super) seconds: f64,
    /// The number of evaluations.
    pub(super) evaluations: u64,
    /// Why the run stopped, in one word.
    pub(super) stop: String,
}

impl Answer {
    /// The line, or for a call with `--config` the two lines, that the configurator reads. No time is longer than the limit of the call.
    pub(super) fn text(&self, style: TargetStyle, shows_time: bool, call: &Call) -> String {
        let seconds = self.seconds.min(call.cpu_seconds.unwrap_or(f64::INFINITY)).max(LEAST_SECONDS);
        match style {
            TargetStyle::Irace => {
                let cost = self.cost.map_or_else(|| "Inf".to_owned(), |cost| cost.to_string());
                let is_timed = shows_time || call.cpu_seconds.is_some();
                if is_timed { format!("{cost} {seconds:.6}\n") } else { format!("{cost}\n") }
            }
            TargetStyle::Smac => {
                // SMAC3 replaces the cost of a run by a constant unless its status is SUCCESS, so a penalty needs this status.
                let status = if self.cost.is_some() { "SUCCESS" } else { "CRASHED" };
                let (cost, stop) = (self.cost.unwrap_or(f64::INFINITY), &self.stop);
                format!("cost={cost}; runtime={seconds:.6}; status={status}; additional_info={stop}\n")
            }
            TargetStyle::Aclib => {
                let status = match (self.is_timeout, self.cost) {
                    (true, _) => "TIMEOUT",
                    (false, Some(_)) => "SUCCESS",
                    (false, None) => "CRASHED",
                };
                let (cost, Self { evaluations, stop, .. }) = (self.cost.unwrap_or(NO_COST), self);
                let seed = call.seed;
                let first =
                    format!(r#"{{"status": "{status}", "cost": {cost}, "runtime": {seconds:.6}, "misc": "{stop}"}}"#);
                let first =
                    if call.has_config { format!("Result of this algorithm run: {first}\n") } else { String::new() };
                // irace reads the first line only if another one follows, as in the wrappers of AClib.
                format!("{first}Result for ParamILS: {status}, {seconds:.6}, {evaluations}, {cost}, {seed}\n")
            }
        }
    }
}

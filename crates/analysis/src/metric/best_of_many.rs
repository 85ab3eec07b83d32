//! The best of many configurations, with its holdout value. The holdout value is the value of this configuration on instances that were not
//! used to choose the configuration.

use evogrid_core::family::Direction;
use evogrid_results::RunOutcome;
use evogrid_results::format::{fixed, percent, printable, short};
use evogrid_statistics::{HoldoutValue, PartCosts, SPLIT_PARTS, holdout_value, least_cost};

use super::Metric;

/// The costs of a configuration. The instances are divided into parts, and each part has one entry. If there is only one instance, its
/// repetitions are divided into parts.
pub type Parts = [PartCosts; SPLIT_PARTS];

/// The costs of a configuration's runs in three metrics: success, gap and objective.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartTally {
    pub(crate) solved: Parts,
    pub(crate) gaps: Parts,
    pub(crate) objectives: Parts,
}

/// The configuration with the best success rate, mean gap or mean objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestOfMany {
    /// The metric by which the best configuration was chosen.
    pub metric: Metric,
    /// Whether smaller or larger values of the metric are better.
    pub direction: Direction,
    /// The index of the best configuration among all configurations. If several configurations are equally good, this is the first of them.
    pub place: usize,
    /// The number of configurations that have a value. The best configuration is chosen from these configurations.
    pub configurations: usize,
    /// The cost of the best configuration over all instances. The runs that give this cost were also used to choose the configuration.
    pub cost: f64,
    /// The cost of the best configuration in runs that were not used to choose it.
    pub split: HoldoutValue,
    /// Whether the instances were divided into two halves to compute the holdout value. If there is only one instance, the repetitions are
    /// divided into two halves.
    pub is_by_instance: bool,
}

impl PartTally {
    /// Adds a run. `number` is the number of the instance, or the number of the repetition if there is one instance. `direction` is the
    /// direction of the objective.
    pub fn add(&mut self, number: usize, outcome: &RunOutcome, gap: Option<f64>, direction: Direction) {
        let solved = outcome.solved.map(|is_solved| f64::from(u8::from(is_solved)));
        add(&mut self.solved, number, solved.map(|figure| Direction::Maximise.cost(figure)));
        if !outcome.has_failed() {
            add(&mut self.gaps, number, gap);
            add(&mut self.objectives, number, outcome.objective.map(|objective| direction.cost(objective)));
        }
    }

    /// Removes a failed run that was added as an unsolved run.
    pub fn forget_failure(&mut self, number: usize, outcome: &RunOutcome) {
        let part = &mut self.solved[number % SPLIT_PARTS];
        part.n = part.n.saturating_sub(u64::from(outcome.solved.is_some()));
    }

    /// The costs for a metric: [`Metric::Gap`] or [`Metric::Objective`]. If the metric is neither the gap nor the objective, the function
    /// returns the costs for the metric [`Metric::Solved`].
    pub fn of(&self, metric: Metric) -> &Parts {
        match metric {
            Metric::Gap => &self.gaps,
            Metric::Objective => &self.objectives,
            _ => &self.solved,
        }
    }
}

/// Adds a cost to a part. Nothing is added if the cost is `None`.
pub(crate) fn add(parts: &mut Parts, number: usize, cost: Option<f64>) {
    if let Some(cost) = cost {
        let part = &mut parts[number % SPLIT_PARTS];
        *part = PartCosts { n: part.n + 1, sum: part.sum + cost };
    }
}

impl BestOfMany {
    /// Finds the best configuration in a metric. `configurations` contains the costs of each configuration. `direction` is used only if the
    /// metric is the objective. If a configuration has no value, its entry in `configurations` is `None`. Returns `None` if fewer than two
    /// configurations have a value. If there is only one instance, and this instance has fewer than two repetitions, the result is also
    /// `None`. If all runs of a configuration on an instance failed, this configuration has no value on the instance. If configurations
    /// have values on different instances, their means cannot be compared, and the result is `None`.
    pub fn new(
        (metric, direction): (Metric, Direction),
        is_by_instance: bool,
        configurations: impl IntoIterator<Item = Option<Parts>>,
    ) -> Option<Self> {
        let known = configurations.into_iter().enumerate().filter_map(|(place, parts)| Some((place, parts?)));
        let (places, parts): (Vec<usize>, Vec<Parts>) = known.unzip();
        if is_by_instance && metric != Metric::Solved && !have_equal_shares(&parts) {
            return None;
        }
        let split = holdout_value(&parts)?;
        let best = least_cost(parts.iter().map(PartCosts::of_all))?;
        let cost = PartCosts::of_all(&parts[best]).mean()?;
        let (place, direction) = (places[best], metric.declaration().direction.unwrap_or(direction));
        Some(Self { metric, direction, place, configurations: parts.len(), cost, split, is_by_instance })
    }

    /// A sentence with both costs. `name` is the name of the best configuration.
    pub fn sentence(&self, name: &str) -> String {
        let Self { configurations, split, .. } = self;
        let (name, by, what) = (printable(name), standing_name(self.metric), ["repetitions", "instances"]);
        let [best, other] =
            [self.cost, split.mean].map(|cost| self.direction.cost(cost)).map(|value| match self.metric {
                Metric::Gap => format!("{} %", fixed(Some(value), 2)),
                Metric::Objective => short(Some(value)),
                _ => format!("{} %", percent(value)),
            });
        let (what, s) = (what[usize::from(self.is_by_instance)], if split.splits == 1 { "" } else { "s" });
        format!(
            "Best of {configurations} configurations by {by} in these runs: {name} with {best}. Holdout value: {other}. In each split, the configuration is chosen on one half of the {what} and measured on the other half. The holdout value is the mean of the values from {} split{s}.",
            split.splits
        )
    }
}

/// Whether each part has the same share of the instances in all configurations. The numbers of instances of two configurations may differ
/// by a common factor.
pub(crate) fn have_equal_shares(configurations: &[Parts]) -> bool {
    let total = |parts: &Parts| parts.iter().map(|part| part.n).sum::<u64>();
    configurations.windows(2).all(|pair| {
        let [one, other] = [&pair[0], &pair[1]].map(total);
        pair[0].iter().zip(&pair[1]).all(|(first, second)| first.n * other == second.n * one)
    })
}

/// The name of the criterion that decides which configuration is the best.
pub(crate) fn standing_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Gap => "mean gap",
        Metric::Objective => "mean objective",
        _ => "success rate",
    }
}

//! Effects of settings: which configurations may be the best, what each setting does on average, which settings depend on each other, and
//! how much of the differences each explains.
//!
//! Configurations are averaged over all others that share a level of a setting, on the same instances and repetitions. Instances are
//! random: intervals and tests are about instances like these, from a value for each instance; with fewer than
//! [`FEW_INSTANCES`](crate::compare::FEW_INSTANCES) of them, about these instances, from a value for each repetition. docs/STATISTICS.md says
//! how often they are right.

mod error;
mod grid;
mod main_effects;
mod responses;
mod sentences;
mod table;
#[cfg(test)]
mod tests;
mod unchanged;

use evogrid_statistics::{Confidence, PartCosts, SPLIT_PARTS, best_set, split_figures};

use crate::metric::{Metric, Parts, add};
use crate::samples::{Samples, Selector};

pub use error::EffectsError;
pub(crate) use grid::factors;
pub use grid::{Factor, Grid};
pub use main_effects::{Interaction, LevelEffect, MainEffect, SettingEffects};
pub(crate) use responses::RunCosts;
pub use responses::{Responses, Unit};
pub use table::render;
pub use unchanged::UnchangedSetting;

/// The number of best configurations that are shown.
pub const N_BEST: usize = 5;

/// The effects of the settings of an experiment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Effects {
    /// By what runs are judged.
    pub metric: Metric,
    /// The unit of all means.
    pub unit: Unit,
    /// The number of configurations.
    pub configurations: usize,
    /// The number of instances on which all of them have runs.
    pub instances: usize,
    /// The number of instances that were left out, because a configuration has no run with a figure there.
    pub omitted_instances: usize,
    /// The number of runs.
    pub runs: usize,
    /// The number of runs that failed.
    pub failed: u64,
    /// Whether the answers are about instances like these; otherwise about these instances.
    pub is_by_instance: bool,
    /// The best configurations, the best first.
    pub best: Vec<RankedConfiguration>,
    /// The number of configurations that may be the best.
    pub n_may_be_best: usize,
    /// The settings whose values made no difference in any paired run.
    pub unchanged: Vec<UnchangedSetting>,
    /// The grid, and what each of its settings does; `None` if too few configurations form one.
    pub settings: Option<SettingEffects>,
}

/// A configuration among the best.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedConfiguration {
    /// Its value of each setting that varies, by name.
    pub values: Vec<(String, String)>,
    /// Its mean, in the unit of the effects.
    pub mean: f64,
    /// What the configuration in this rank shows on instances that did not choose it, in the same unit.
    pub split: Option<f64>,
    /// Whether it may be the best of all.
    pub may_be_best: bool,
}

/// The effects of all settings that vary, by a metric.
///
/// ```
/// use evogrid_analysis::effects::effects;
/// use evogrid_analysis::metric::Metric;
/// use evogrid_analysis::samples::Samples;
/// use evogrid_results::runs::Reader;
///
/// // The size matters by 10 on each instance, and the colour does not.
/// let mut csv = "algorithm,size,colour,instance,repetition,gap\n".to_owned();
/// for instance in 0..8 {
///     for (size, gap) in [(1, 20), (2, 10)] {
///         for colour in ["blue", "red"] {
///             csv += &format!("a,{size},{colour},{instance},0,{}\n", gap + instance % 3);
///         }
///     }
/// }
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// let effects = effects(&samples, Metric::Gap)?;
/// let settings = effects.settings.as_ref().expect("a complete grid");
/// assert_eq!((settings.main[0].name.as_str(), settings.main[0].share), ("size", 1.0));
/// assert_eq!(effects.n_may_be_best, 2, "size 2 in either colour");
/// assert_eq!(effects.unchanged[0].name, "colour");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a column is missing, figures cannot be compared, there are fewer than two configurations, or no instance has runs of all.
pub fn effects(samples: &Samples, metric: Metric) -> Result<Effects, EffectsError> {
    if let Some(column) = metric.column().filter(|column| samples.missing.contains(column)) {
        return Err(EffectsError::MissingColumn { column });
    }
    samples.check_comparable(metric, &samples.runs)?;
    let roster = &samples.roster;
    if roster.configurations.len() < 2 {
        return Err(EffectsError::One);
    }
    let responses =
        Responses::new(samples, metric).ok_or(EffectsError::NoSharedInstance { lack: metric.declaration().lack })?;
    let may_be_best = best_set(&responses.costs, Confidence::PERCENT_95);
    let mut order: Vec<usize> = (0..responses.costs.len()).collect();
    order.sort_by(|&one, &other| responses.mean(one).total_cmp(&responses.mean(other)));
    let splits = split_figures(&parts(&responses), N_BEST);
    let factors = factors(roster);
    let ranked = |(rank, &at): (usize, &usize)| RankedConfiguration {
        values: factors
            .iter()
            .map(|factor| (factor.name.clone(), roster.value(factor.key, at, 0).to_owned()))
            .collect(),
        mean: responses.unit.shown(responses.mean(at)),
        split: splits.get(rank).map(|split| responses.unit.shown(split.mean)),
        may_be_best: may_be_best[at],
    };
    Ok(Effects {
        metric,
        unit: responses.unit,
        configurations: order.len(),
        instances: responses.instances,
        omitted_instances: responses.omitted_instances,
        runs: samples.runs.len(),
        failed: samples.runs.iter().filter(|run| run.outcome.has_failed()).count() as u64,
        is_by_instance: responses.is_by_instance,
        best: order.iter().enumerate().take(N_BEST).map(ranked).collect(),
        n_may_be_best: may_be_best.iter().filter(|&&may_be| may_be).count(),
        unchanged: unchanged::unchanged(samples, &factors),
        settings: Grid::complete_part(roster).map(|grid| SettingEffects::new(grid, &responses)),
    })
}

/// The costs of each configuration by part of the instances, for split figures.
pub(crate) fn parts(responses: &Responses) -> Vec<Parts> {
    let of = |costs: &Vec<f64>| {
        let mut parts = [PartCosts::default(); SPLIT_PARTS];
        for (&place, &cost) in responses.places.iter().zip(costs) {
            add(&mut parts, place, Some(cost));
        }
        parts
    };
    responses.costs.iter().map(of).collect()
}

impl RankedConfiguration {
    /// Its name: the values that it has, `population = 100, mutation.rate = 0.1`.
    #[must_use]
    pub fn name(&self) -> String {
        let values = self.values.iter().filter(|(_, value)| !value.is_empty());
        Selector(values.map(|(name, value)| (name.clone(), vec![value.clone()])).collect()).label()
    }
}

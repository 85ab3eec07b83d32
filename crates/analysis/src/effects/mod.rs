//! Effects of settings: average effects, interactions, and shares of the variance. This module also finds the configurations that may be
//! the best.
//!
//! The mean of a level is the average over all configurations with this level. The means of all levels use the same instances and
//! repetitions. The instances are treated as a random sample. Usually, intervals and tests use one value for each instance. Then the
//! intervals and tests hold for all instances of the same kind, not only for the instances of the experiment. If there are fewer than
//! [`FEW_INSTANCES`](crate::compare::FEW_INSTANCES) instances, intervals and tests use one value for each repetition, and hold only for the
//! instances of the experiment. The page docs/STATISTICS.md reports how often the intervals and tests are right.

mod grid;
mod main_effects;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use evogrid_results::columns::differences;

use crate::metric::Metric;
use crate::ranking::{Ranking, Responses};
use crate::samples::{Samples, SelectionError};

pub(crate) use grid::ordered;
pub use grid::{Factor, Grid};
pub use main_effects::{Interaction, LevelEffect, MainEffect, SettingEffects};
pub use table::render;

/// The effects of the settings of an experiment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Effects {
    /// The ranking of all configurations, with the best configuration first.
    pub ranking: Ranking,
    /// The settings that changed nothing in any pair of runs.
    pub unchanged: Vec<UnchangedSetting>,
    /// The complete grid of configurations, and the effects of its settings. `None` if too few configurations form a complete grid.
    pub settings: Option<SettingEffects>,
}

/// A setting that changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnchangedSetting {
    /// The name of the setting.
    pub name: String,
    /// The number of pairs of runs that differ only in this setting. The two runs of each pair have the same outcome; only their times may
    /// differ.
    pub pairs: u64,
}

/// Computes the effects of all varied settings on a metric.
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
/// assert_eq!(effects.ranking.n_may_be_best(), Some(2), "size 2 in either colour");
/// assert_eq!(effects.unchanged[0].name, "colour");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a column is missing or the figures cannot be compared. Returns an error if there are fewer than two configurations.
/// Returns an error if no instance has runs of all configurations.
pub fn effects(samples: &Samples, metric: Metric) -> Result<Effects, SelectionError> {
    let ranking = Ranking::new(samples, metric, None)?;
    let roster = &samples.roster;
    if roster.configurations.len() < 2 {
        let message = "there is only one configuration, so no setting varies";
        let help = "expected an experiment with a varied setting, or several algorithms";
        return Err(SelectionError::new(message, help));
    }
    let shared = ranking.shared.as_ref().filter(|_| ranking.rows.len() == roster.configurations.len());
    let shared = shared.ok_or_else(|| {
        let lack = metric.declaration().lack;
        let help =
            "select configurations with `--where`, or choose another `--metric`; metrics of work need a `--target`";
        SelectionError::new(format!("on each instance, at least one configuration has no run that {lack}"), help)
    })?;
    let settings = Grid::complete_part(roster).map(|grid| SettingEffects::new(grid, shared));
    let unchanged = unchanged(samples, &grid::factors(roster));
    Ok(Effects { ranking, unchanged, settings })
}

impl Effects {
    /// The means of all configurations. Only the instances with runs of all configurations are used.
    ///
    /// # Panics
    /// This method never panics, because all configurations have runs on at least one common instance.
    pub fn shared(&self) -> &Responses {
        self.ranking.shared.as_ref().expect("effects use only instances that all configurations share")
    }
}

/// The settings that changed nothing in any pair of runs. Two runs are a pair if they have the same instance, repetition and random stream,
/// and if they differ in exactly one setting.
fn unchanged(samples: &Samples, factors: &[Factor]) -> Vec<UnchangedSetting> {
    let find = |factor: &Factor| {
        let others: Vec<&Factor> = factors.iter().filter(|other| other.key != factor.key).collect();
        let mut first: BTreeMap<(usize, u64, u64, Vec<&str>), usize> = BTreeMap::new();
        let mut pairs = 0;
        for (at, run) in samples.runs.iter().enumerate() {
            let rest = others.iter().map(|other| samples.value(other.key, run)).collect();
            let partner = *first.entry((run.instance(), run.repetition, run.seed, rest)).or_insert(at);
            let partner = &samples.runs[partner];
            if partner.configuration() == run.configuration() {
                continue;
            }
            if partner.gap != run.gap || differences(&partner.outcome, &run.outcome).next().is_some() {
                return None;
            }
            pairs += 1;
        }
        (pairs > 0).then(|| UnchangedSetting { name: factor.name.clone(), pairs })
    };
    factors.iter().filter_map(find).collect()
}

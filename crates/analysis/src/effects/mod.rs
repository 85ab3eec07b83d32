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
mod sentences;
mod table;
#[cfg(test)]
mod tests;
mod unchanged;

use crate::metric::Metric;
use crate::ranking::{Ranking, Responses};
use crate::samples::Samples;

pub use error::EffectsError;
pub use grid::{Factor, Grid};
pub use main_effects::{Interaction, LevelEffect, MainEffect, SettingEffects};
pub use table::render;
pub use unchanged::UnchangedSetting;

/// The effects of the settings of an experiment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Effects {
    /// All configurations, the best first.
    pub ranking: Ranking,
    /// The settings whose values made no difference in any paired run.
    pub unchanged: Vec<UnchangedSetting>,
    /// The grid, and what each of its settings does; `None` if too few configurations form one.
    pub settings: Option<SettingEffects>,
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
/// assert_eq!(effects.ranking.n_may_be_best(), Some(2), "size 2 in either colour");
/// assert_eq!(effects.unchanged[0].name, "colour");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a column is missing, figures cannot be compared, there are fewer than two configurations, or no instance has runs of all.
pub fn effects(samples: &Samples, metric: Metric) -> Result<Effects, EffectsError> {
    let ranking = Ranking::new(samples, metric, None)?;
    let roster = &samples.roster;
    if roster.configurations.len() < 2 {
        return Err(EffectsError::One);
    }
    let shared = ranking.shared.as_ref().filter(|_| ranking.rows.len() == roster.configurations.len());
    let shared = shared.ok_or(EffectsError::NoSharedInstance { lack: metric.declaration().lack })?;
    let settings = Grid::complete_part(roster).map(|grid| SettingEffects::new(grid, shared));
    let unchanged = unchanged::unchanged(samples, &grid::factors(roster));
    Ok(Effects { ranking, unchanged, settings })
}

impl Effects {
    /// The means of all configurations over the instances that they share.
    ///
    /// # Panics
    /// Never: without such instances there are no effects.
    pub fn shared(&self) -> &Responses {
        self.ranking.shared.as_ref().expect("effects are of shared instances")
    }
}

//! The kinds of charts: one file for each.

mod convergence;
mod courses;
mod distribution;
mod ecdf;
mod fixed_target;
mod front;
mod gap;
mod heatmap;
mod pairs;
mod profile;
mod published;
mod race;
mod ranks;
mod scaling;
mod scatter;
mod settings;
mod success;
mod targets;
mod time_to_target;
mod tracks;
mod trajectory;

use super::chart::{Chart, ChartInput, ChartKind};
use super::error::ChartError;
use crate::trace::Quantity;

/// The chart of a kind.
pub(super) fn chart(kind: ChartKind, input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    match kind {
        ChartKind::Success => success::by_setting(input),
        ChartKind::Gap => gap::chart(input),
        ChartKind::Heatmap => heatmap::of_settings(input),
        ChartKind::BucketHeatmap => heatmap::of_configurations(input),
        ChartKind::Phase => success::by_bucket(input),
        ChartKind::GapDistribution => distribution::of_quality(input),
        ChartKind::GapEcdf => ecdf::of_quality(input),
        ChartKind::Ecdf => ecdf::of_work(input),
        ChartKind::Cost => distribution::of_costs(input),
        ChartKind::TimeToTarget => time_to_target::chart(input),
        ChartKind::Scaling => scaling::chart(input),
        ChartKind::Front => front::chart(input),
        ChartKind::Pairs => pairs::chart(input),
        ChartKind::MainEffects => settings::main_effects(input),
        ChartKind::Interactions => settings::interactions(input),
        ChartKind::Importance => settings::importance(input),
        ChartKind::Race => race::chart(input),
        ChartKind::Profile => profile::chart(input),
        ChartKind::Ranks => ranks::chart(input),
        ChartKind::Scatter => scatter::chart(input),
        ChartKind::Convergence => convergence::chart(input),
        ChartKind::Targets => targets::chart(input),
        ChartKind::FixedTarget => fixed_target::chart(input),
        ChartKind::Diversity => trajectory::chart(input, Quantity::Diversity),
        ChartKind::Published => published::chart(input),
    }
}

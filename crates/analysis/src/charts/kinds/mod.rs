//! The kinds of charts: one file for each.

mod attainment;
mod cost;
mod courses;
mod ecdf;
mod fixed_target;
mod gap;
mod heatmap;
mod profile;
mod published;
mod ranks;
mod scatter;
mod success;
mod targets;
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
        ChartKind::Heatmap => heatmap::chart(input),
        ChartKind::Phase => success::by_bucket(input),
        ChartKind::Ecdf => ecdf::chart(input),
        ChartKind::Cost => cost::chart(input),
        ChartKind::Profile => profile::chart(input),
        ChartKind::Ranks => ranks::chart(input),
        ChartKind::Scatter => scatter::chart(input),
        ChartKind::Convergence => trajectory::chart(input, Quantity::BestFitness),
        ChartKind::Targets => targets::chart(input),
        ChartKind::FixedTarget => fixed_target::chart(input),
        ChartKind::Attainment => attainment::chart(input),
        ChartKind::Diversity => trajectory::chart(input, Quantity::Diversity),
        ChartKind::Published => published::chart(input),
    }
}

//! The kinds of charts. A file has one kind of chart, or several kinds that share code.

mod convergence;
mod courses;
mod distribution;
mod ecdf;
mod front;
mod heatmap;
mod instances;
mod pairs;
mod published;
mod race;
mod ranks;
mod scaling;
mod settings;
mod success;
mod targets;

use super::error::ChartError;
use super::input::{ChartInput, Content};
use crate::metric::{self, Metric};

/// The subject of a chart: which result of the runs the chart shows.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// Success rates.
    Success,
    /// The cost of solving.
    Work,
    /// The cost of solving, or the quality of solutions if the metric of the input is a quality.
    WorkOrQuality,
    /// The metric in [`ChartInput::shown`].
    Shown,
    /// The quality of solutions, the course of runs, or another subject.
    Other,
}

/// A function that makes the content of a chart.
type MakeContent = fn(&ChartInput<'_>) -> Result<Content, ChartError>;

/// The charts in the order of a report. Each chart has a name, a subject, a function that makes the chart, and a description. The name is
/// used on the command line and in file names.
macro_rules! charts {
    ($($kind:ident $name:literal $subject:ident $content:path, $doc:literal;)*) => {
        /// The charts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "`ChartKind::doc` says it")]
        #[non_exhaustive]
        pub enum ChartKind {
            $($kind,)*
        }

        /// The declaration of each chart.
        const CHARTS: [(ChartKind, &str, Subject, MakeContent, &str); [$($name,)*].len()] =
            [$((ChartKind::$kind, $name, Subject::$subject, $content, $doc),)*];
    };
}

charts! {
    Success "success" Success success::by_setting, "success rate against a numeric setting, with intervals";
    Gap "gap" Other success::of_means, "mean gap or mean objective of each configuration, with intervals, for each bucket or for each value of a numeric setting";
    GapDistribution "gap-distribution" Other distribution::of_quality, "gaps of runs: quartiles and single runs; if the metric is \
        the objective, distances from the best objective";
    GapEcdf "gap-ecdf" Other ecdf::of_quality, "share of runs whose gap is within a limit; if the metric is the objective, share of runs whose distance from the best objective is within a limit";
    Heatmap "heatmap" Shown heatmap::of_settings, "success rate, or another metric, over two varied settings";
    BucketHeatmap "bucket-heatmap" Shown heatmap::of_configurations, "success rate or another metric, by configuration and bucket; with only one bucket, by instance";
    Phase "phase" Success success::by_bucket, "success rate by difficulty; the names of the buckets must be numbers, such as the number of givens";
    Ecdf "ecdf" Work ecdf::of_work, "share of runs that are solved within a number of evaluations";
    Cost "cost" Work distribution::of_costs, "evaluations to solve: quartiles and single runs; unsolved runs have a \
        separate lane";
    TimeToTarget "time-to-target" Work ecdf::of_instances, "share of an instance's runs that are solved within a cost; with a fitted shifted exponential distribution";
    Scaling "scaling" Work scaling::chart, "expected cost against the size of instances, with the fitted exponent";
    Front "front" Other front::chart, "quality against time; the front is the line of configurations that no other configuration beats";
    Pairs "pairs" Shown pairs::chart, "matrix of pairs of configurations: effect, p-value, and instances won, tied and lost";
    MainEffects "main-effects" Shown settings::main_effects, "mean at each value of a setting, averaged over all other settings";
    Interactions "interactions" Shown settings::interactions, "mean for each pair of values of two settings; the chart shows only the largest interactions";
    Importance "importance" Shown settings::importance, "share of the variance that each setting explains";
    Race "race" Other race::chart, "race of `runner tune`: first block, last block and outcome of each configuration";
    Profile "profile" Work instances::profile, "performance profile: share of instances solved within a multiple of the lowest cost";
    Ranks "ranks" WorkOrQuality ranks::chart, "critical-difference diagram: mean ranks over instances; bars join \
        configurations that do not differ";
    Scatter "scatter" WorkOrQuality instances::scatter, "two configurations compared instance by instance";
    Convergence "convergence" Other convergence::chart, "quality during the search, from the trace: median and quartiles at each number of evaluations; the chart shows gaps or distances from the best value; if the optimal fitness is 0, the chart shows the best fitness";
    Targets "targets" Other targets::chart, "for many targets: share of targets reached within a number of evaluations, from the trace";
    FixedTarget "fixed-target" Other targets::of_expected_times, "expected number of evaluations until each of many targets is reached, with intervals; from the trace";
    Diversity "diversity" Other convergence::of_diversity, "diversity of the population over the generations, from the trace";
    Published "published" Success published::chart, "published success rates next to ours";
}

impl ChartKind {
    /// Every kind of chart, in the order of a report.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        CHARTS.iter().map(|&(kind, ..)| kind)
    }

    /// The name of the chart in commands and file names.
    pub fn text(self) -> &'static str {
        CHARTS[self as usize].1
    }

    /// The description of the chart.
    pub fn doc(self) -> &'static str {
        CHARTS[self as usize].4
    }

    /// The content of the chart for this input.
    pub(super) fn content(self, input: &ChartInput<'_>) -> Result<Content, ChartError> {
        CHARTS[self as usize].3(input)
    }

    /// Whether the chart shows success rates for every input.
    pub(super) fn is_of_rates(self) -> bool {
        CHARTS[self as usize].2 == Subject::Success
    }

    /// Whether the chart shows the cost of solving.
    pub(super) fn is_of_work(self, input: &ChartInput<'_>) -> bool {
        match CHARTS[self as usize].2 {
            Subject::Work => true,
            Subject::WorkOrQuality => input.metric == Metric::Solved,
            Subject::Shown => {
                matches!(input.shown.declaration().subject, metric::Subject::Work | metric::Subject::PenalisedWork)
            }
            Subject::Success | Subject::Other => false,
        }
    }

    /// Whether the chart uses only runs for which the file says whether they were solved.
    pub(super) fn is_of_success(self, input: &ChartInput<'_>) -> bool {
        let shows_rates = CHARTS[self as usize].2 == Subject::Shown && input.shown == Metric::Solved;
        self.is_of_rates() || self.is_of_work(input) || shows_rates
    }
}

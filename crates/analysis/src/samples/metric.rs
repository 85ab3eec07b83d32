//! Metrics: the figure of a run that a claim or a comparison is about, and how a group of runs is summed up in it.

use super::gap::MeanGap;
use super::rate::Rate;
use super::sample::{Sample, Samples};
use evogrid_results::format::short;
use evogrid_statistics::{MedianEstimate, median};

/// A figure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// 1 if it was solved, else 0; none where nothing says what solving would be, nor for the metrics of what it took to solve.
    Solved,
    /// The objective of its best solution, whatever the fitness; a run that found none counts as infinitely bad, one that does not say
    /// its objective has none.
    Objective,
    /// How far its objective lies above the best known value, in per cent; a run that found no solution counts as infinitely bad, one on
    /// an instance without a best known value has none.
    Gap,
    /// Its best fitness; a run that failed before it had one counts as infinitely bad.
    BestFitness,
    /// Evaluations until it was solved: infinitely many if it was not.
    Evaluations,
    /// Generations until it was solved: infinitely many if it was not.
    Generations,
    /// Restarts until it was solved: infinitely many if it was not.
    Restarts,
    /// Wall time until it was solved, in milliseconds: infinite if it was not.
    WallMs,
    /// Processor time until it was solved, in milliseconds: infinite if it was not; none where the machine does not tell it.
    CpuMs,
    /// Gene diversity of the population at the end of a generation; none if the run had ended.
    Diversity {
        /// Which generation, from 1.
        generation: u64,
    },
}

/// The metrics by name, which is that of their column; without the diversity, which needs a generation.
pub const METRICS: [(&str, Metric); 9] = [
    ("solved", Metric::Solved),
    ("objective", Metric::Objective),
    ("gap", Metric::Gap),
    ("best_fitness", Metric::BestFitness),
    ("evaluations", Metric::Evaluations),
    ("generations", Metric::Generations),
    ("restarts", Metric::Restarts),
    ("wall_ms", Metric::WallMs),
    ("cpu_ms", Metric::CpuMs),
];

impl Metric {
    /// The figure of a run; `None` where it has none.
    #[must_use]
    pub fn figure(self, samples: &Samples, sample: &Sample) -> Option<f64> {
        let outcome = &sample.outcome;
        let until_solved = |figure: f64| Some(if outcome.solved? { figure } else { f64::INFINITY });
        match self {
            Self::Solved => outcome.solved.map(|solved| f64::from(u8::from(solved))),
            Self::Objective => outcome.objective.or_else(|| outcome.best_fitness.is_none().then_some(f64::INFINITY)),
            Self::Gap => samples.gap(sample),
            Self::BestFitness => Some(outcome.best_fitness.unwrap_or(f64::INFINITY)),
            Self::Evaluations if samples.is_work_unknown(sample) => None,
            Self::Evaluations => until_solved(outcome.evaluations as f64),
            Self::Generations => until_solved(outcome.generations as f64),
            Self::Restarts => until_solved(outcome.restarts as f64),
            Self::WallMs => until_solved(outcome.wall_ms),
            Self::CpuMs => outcome.cpu_ms.and_then(until_solved),
            Self::Diversity { generation } => samples.diversity.get(&generation)?.get(&sample.run).copied(),
        }
    }

    /// The column that it needs, beside those that every file has.
    #[must_use]
    pub fn column(self) -> Option<&'static str> {
        let known = METRICS.iter().find(|&&(_, metric)| metric == self && metric != Self::Solved);
        known.map(|&(name, _)| name)
    }

    /// Why a run may have no figure, where that is to be said.
    pub(crate) fn silence(self) -> Option<&'static str> {
        match self {
            Self::Solved => Some("nothing says what solving would be"),
            Self::Objective => Some("they do not say their objective"),
            Self::Evaluations | Self::Generations | Self::Restarts | Self::WallMs | Self::CpuMs => {
                Some("nothing says what solving would be, or what it took")
            }
            Self::Gap => Some("their instances have no best known value, or it is 0"),
            _ => None,
        }
    }

    /// A figure turned so that less is better.
    #[must_use]
    pub fn cost(self, figure: f64) -> f64 {
        if matches!(self, Self::Solved | Self::Diversity { .. }) { -figure } else { figure }
    }

    /// What it is called in a sentence about a group of runs.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Solved => "solved".to_owned(),
            Self::Objective => "median objective".to_owned(),
            Self::Gap => "mean gap %".to_owned(),
            Self::BestFitness => "median best fitness".to_owned(),
            Self::Evaluations => "median evaluations to solve".to_owned(),
            Self::Generations => "median generations to solve".to_owned(),
            Self::Restarts => "median restarts to solve".to_owned(),
            Self::WallMs => "median ms to solve".to_owned(),
            Self::CpuMs => "median cpu ms to solve".to_owned(),
            Self::Diversity { generation } => format!("median gene diversity after {generation} generations"),
        }
    }

    /// The figure of a group of runs as text: the rate or the mean gap with its interval, or the median with its own. An unsolved run
    /// counts.
    #[must_use]
    pub fn group_figure(self, samples: &Samples, group: &[&Sample]) -> String {
        if self == Self::Solved {
            return Rate::of_solved(group.iter().copied()).text();
        }
        if self == Self::Gap {
            return MeanGap::new(samples, group).text();
        }
        if self == Self::Objective && samples.n_measures(group.iter().copied()) > 1 {
            return "of several measures".to_owned();
        }
        let mut values: Vec<f64> = group.iter().filter_map(|sample| self.figure(samples, sample)).collect();
        match median(&mut values) {
            Some(MedianEstimate { median, low, high }) if low.is_finite() || high.is_finite() => {
                format!("{} ({} to {})", figure_text(median), figure_text(low), figure_text(high))
            }
            // All infinite, or too few for an interval.
            Some(MedianEstimate { median, .. }) => figure_text(median),
            None => "none".to_owned(),
        }
    }
}

/// A figure without zeros at its end, `12.3` for `12.30`; "unsolved" where it is infinite.
pub fn figure_text(value: f64) -> String {
    if value == f64::INFINITY {
        return "unsolved".to_owned();
    }
    let text = short(Some(value));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

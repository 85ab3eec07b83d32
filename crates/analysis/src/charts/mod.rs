//! Charts: what runs show, as Vega-Lite descriptions with all their numbers inside.
//!
//! A chart is a pure function of the runs (and of a trace, or of published figures). Every rate, interval, quantile and step
//! is computed here, by [`statistics`](evogrid_statistics); the description draws them and computes nothing. Names from data
//! are text wherever they stand: fields have names of our own, and no expression holds one. Colours are left to the theme of
//! whoever draws.
//!
//! [`draw`] makes a chart or says in a sentence why it cannot be made of these runs; [`survey`] tries them all.

mod along;
mod axis;
mod cost;
mod counted;
mod division;
mod ecdf;
mod effort;
mod expected;
mod heatmap;
mod labels;
mod profile;
mod published;
mod ranks;
mod refusal;
mod scatter;
mod tracks;
mod trajectory;
mod vega;

#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;

pub use effort::Effort;
pub use refusal::Refusal;

use crate::published::Published;
use crate::samples::{Key, Samples};

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Which one it is.
    pub name: Name,
    /// What it shows, in a few words. It is no part of the drawing: a paper has its caption, a page its heading.
    pub title: String,
    /// The Vega-Lite description, without looks: who draws it lays a theme under it.
    pub spec: Value,
    /// Sentences on how to read it, and on what was left out.
    pub notes: Vec<String>,
}

/// The charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "`Name::doc` says it")]
pub enum Name {
    Success,
    Heatmap,
    Phase,
    Ecdf,
    Cost,
    Profile,
    Ranks,
    Scatter,
    Convergence,
    Diversity,
    Published,
}

/// What charts are made of.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// The runs.
    pub samples: &'a Samples,
    /// The experiment's `trace.csv.gz`, if it has one.
    pub trace: Option<&'a Path>,
    /// Published figures to show beside ours.
    pub published: Option<&'a Published>,
    /// What tells curves and panels apart; by each chart's own choice where there is nothing.
    pub by: &'a [Key],
    /// What a run costs.
    pub effort: Effort,
}

impl Name {
    /// Every chart, in the order of a report.
    pub const ALL: [Self; 11] = [
        Self::Success,
        Self::Heatmap,
        Self::Phase,
        Self::Ecdf,
        Self::Cost,
        Self::Profile,
        Self::Ranks,
        Self::Scatter,
        Self::Convergence,
        Self::Diversity,
        Self::Published,
    ];

    /// What it is called on the command line and in the name of its file.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Heatmap => "heatmap",
            Self::Phase => "phase",
            Self::Ecdf => "ecdf",
            Self::Cost => "cost",
            Self::Profile => "profile",
            Self::Ranks => "ranks",
            Self::Scatter => "scatter",
            Self::Convergence => "convergence",
            Self::Diversity => "diversity",
            Self::Published => "published",
        }
    }

    /// What it shows.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Self::Success => "success rate along a varied number, with intervals",
            Self::Heatmap => "success rate over two varied settings",
            Self::Phase => "success rate along the buckets, where these are numbers (of givens, say)",
            Self::Ecdf => "share of runs solved within so many evaluations",
            Self::Cost => "evaluations to solve: quartiles and runs, unsolved ones in a lane of their own",
            Self::Profile => "performance profile: share of instances solved within a multiple of the least cost",
            Self::Ranks => "critical-difference diagram: mean ranks over instances, and what does not differ",
            Self::Scatter => "two settings instance by instance",
            Self::Convergence => "best fitness along the evaluations, from the trace",
            Self::Diversity => "diversity of the population along the generations, from the trace",
            Self::Published => "published success rates beside ours",
        }
    }
}

/// Makes a chart.
///
/// # Errors
/// Why it cannot be made of this.
pub fn draw(name: Name, material: &Material<'_>) -> Result<Chart, Refusal> {
    if material.samples.runs.is_empty() {
        return Err(Refusal::NoRuns);
    }
    match name {
        Name::Success => along::success(material),
        Name::Heatmap => heatmap::chart(material),
        Name::Phase => along::phase(material),
        Name::Ecdf => ecdf::chart(material),
        Name::Cost => cost::chart(material),
        Name::Profile => profile::chart(material),
        Name::Ranks => ranks::chart(material),
        Name::Scatter => scatter::chart(material),
        Name::Convergence => trajectory::convergence(material),
        Name::Diversity => trajectory::diversity(material),
        Name::Published => published::chart(material),
    }
}

/// Every chart that can be made of this, and for the others why not, in the order of a report.
#[must_use]
pub fn survey(material: &Material<'_>) -> Vec<(Name, Result<Chart, Refusal>)> {
    Name::ALL.into_iter().map(|name| (name, draw(name, material))).collect()
}

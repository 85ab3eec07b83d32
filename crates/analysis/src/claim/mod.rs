//! Claims of papers, and what our runs say of them.
//!
//! A claim is judged by the runs of one experiment ([`Samples`]) and ends in a [`Finding`]: their figure, ours with its
//! interval, the runs behind both, and a [`Verdict`] with the test that says so. Whoever reads claims from a file checks them
//! first against the [`Roster`] of an experiment, before anything is run.
//!
//! * [`Comparison`]: one setting does better than others ("20 % works best");
//! * [`Rate`]: a share of runs ("solved in 50 % of cases");
//! * [`PublishedTable`]: a table of rates or means, cell by cell and as a whole;
//! * [`Observation`]: one printed run ("solved after three restarts");
//! * [`Curve`] and [`Cost`]: figures of ours, where nothing printed can be held against them.

mod comparison;
mod cost;
mod curve;
mod finding;
mod observation;
pub mod page;
mod published_table;
mod rate;
#[cfg(test)]
mod tests;

pub use comparison::{Against, Comparison, Expectation};
pub use cost::Cost;
pub use curve::Curve;
pub use finding::{Finding, Grid, Verdict};
pub use observation::Observation;
pub use published_table::{Column, PublishedTable};
pub use rate::{Event, Expected, Rate};

use crate::samples::{Metric, Roster, Samples, Unselected};

/// What is claimed.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each says what it is")]
pub enum Kind {
    Comparison(Comparison),
    Cost(Cost),
    Curve(Curve),
    Observation(Observation),
    PublishedTable(PublishedTable),
    Rate(Rate),
}

impl Kind {
    /// Whether the experiment has all that the claim speaks of.
    ///
    /// # Errors
    /// What it does not have.
    pub fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        match self {
            Self::Comparison(claim) => claim.check(roster),
            Self::Cost(claim) => claim.check(roster),
            Self::Curve(claim) => claim.check(roster),
            Self::Observation(claim) => claim.check(roster),
            Self::PublishedTable(claim) => claim.check(roster),
            Self::Rate(claim) => claim.check(roster),
        }
    }

    /// What the runs say of it.
    ///
    /// # Errors
    /// If the experiment does not have what the claim speaks of, or none of it was run.
    pub fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        match self {
            Self::Comparison(claim) => claim.judge(samples),
            Self::Cost(claim) => claim.judge(samples),
            Self::Curve(claim) => claim.judge(samples),
            Self::Observation(claim) => claim.judge(samples),
            Self::PublishedTable(claim) => claim.judge(samples),
            Self::Rate(claim) => claim.judge(samples),
        }
    }

    /// The generation whose diversity is looked up in the trace, if the claim asks for it.
    #[must_use]
    pub fn diversity_at(&self) -> Option<u64> {
        let metric = match self {
            Self::Comparison(claim) => claim.metric,
            Self::Curve(claim) => claim.metric,
            _ => return None,
        };
        if let Metric::Diversity { generation } = metric { Some(generation) } else { None }
    }
}

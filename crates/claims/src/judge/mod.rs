//! Claims of papers, and the rules for judging claims from our runs.
//!
//! A claim is judged from the runs of one experiment ([`Samples`]). The [`Finding`] has the published value and our value with its
//! interval. The finding also has the numbers of runs from which the two values were computed. The finding stores its [`Verdict`] together
//! with the test that led to the verdict. Each claim is checked against its experiment's [`Roster`] before any run starts.
//!
//! * [`ComparisonClaim`]: one configuration is better than other configurations ("20 % works best");
//! * [`RateClaim`]: a claim about a share of runs ("solved in 50 % of cases");
//! * [`DistributionClaim`]: the shares of several outcomes, which are judged together ("50 % solved, 40 % almost");
//! * [`TableClaim`]: a published table of rates or means, which is judged cell by cell and as a whole;
//! * [`MeanClaim`]: a mean gap or a mean time ("within 0.3 % of the best known");
//! * [`ObservationClaim`]: a single run that the paper describes ("solved after three restarts");
//! * [`CurveClaim`] and [`CostClaim`]: claims that show only our values, because the paper gives no values for a comparison.

mod comparison;
mod finding;
mod mean;
mod ours;
pub mod page;
mod published_table;
mod rate;
#[cfg(test)]
mod test_runs;
#[cfg(test)]
mod tests;

pub use comparison::{Alternatives, ComparisonClaim, Expectation};
pub use finding::{ExperimentLink, Finding, Grid, Verdict};
pub use mean::{ClaimedMean, MeanClaim, MeanFigure, ObservationClaim};
pub use ours::{CostClaim, CurveClaim};
pub use published_table::{PublishedFigure, TableClaim};
pub use rate::{ClaimedRate, DistributionClaim, Event, RateClaim};

use evogrid_analysis::compare::Criteria;
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{Roster, Samples, SelectionError, Selector};
use finding::Judge;

/// The content of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimKind {
    /// The runs that the claim is about.
    pub of: Selector,
    /// The rule by which these runs judge the claim.
    pub rule: Rule,
}

/// The rule by which runs judge a claim.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the name of each variant is its description")]
#[non_exhaustive]
pub enum Rule {
    Comparison(ComparisonClaim),
    Cost(CostClaim),
    Curve(CurveClaim),
    Distribution(DistributionClaim),
    Mean(MeanClaim),
    Observation(ObservationClaim),
    PublishedTable(TableClaim),
    Rate(RateClaim),
}

impl Rule {
    fn claim(&self) -> &dyn Judge {
        match self {
            Self::Comparison(claim) => claim,
            Self::Cost(claim) => claim,
            Self::Curve(claim) => claim,
            Self::Distribution(claim) => claim,
            Self::Mean(claim) => claim,
            Self::Observation(claim) => claim,
            Self::PublishedTable(claim) => claim,
            Self::Rate(claim) => claim,
        }
    }
}

impl ClaimKind {
    /// Checks that the experiment has the runs that the claim is about.
    ///
    /// # Errors
    /// Returns an error if the experiment lacks a claimed setting, value, or combination of values.
    pub fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of)?;
        self.rule.claim().check(roster, &self.of)
    }

    /// Judges the claim by these runs, and returns the finding.
    ///
    /// ```
    /// use evogrid_claims::judge::{ClaimKind, ClaimedRate, Event, RateClaim, Rule, Verdict};
    /// use evogrid_analysis::samples::{Samples, Selector};
    /// use evogrid_results::runs::Reader;
    ///
    /// let csv = format!("algorithm,instance,solved\n{}", "ga,a,true\nga,a,true\nga,a,false\n".repeat(20));
    /// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
    /// let expected = ClaimedRate::AtLeast(0.5);
    /// let rule = Rule::Rate(RateClaim { event: Event::Solved, expected, closest: false });
    /// let finding = ClaimKind { of: Selector::default(), rule }.judge(&samples)?;
    /// assert_eq!((finding.verdict, finding.runs), (Verdict::Holds, 60));
    /// assert_eq!((finding.published.as_str(), finding.ours.as_str()), ("at least 50 %", "66.7 % (54 to 78)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the experiment lacks the runs of the claim.
    pub fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let finding = self.rule.claim().judge(samples, &self.of, &selection)?;
        if finding.runs > 0 { Ok(finding) } else { Err(SelectionError::nothing(self.of.label())) }
    }

    /// The mean processor time of a run, for a claim about a rate or a mean: `processor time per run: 1.2 s`. `None` if the system did
    /// not measure processor times.
    pub(crate) fn processor_time(&self, samples: &Samples) -> Option<String> {
        let is_timed = matches!(self.rule, Rule::Mean(_) | Rule::Rate(_));
        let selection = samples.roster.select(&self.of).ok().filter(|_| is_timed)?;
        let times: Vec<f64> = samples.chosen(&selection).filter_map(|run| run.outcome.cpu_ms).collect();
        (!times.is_empty()).then(|| {
            let ms = times.iter().sum::<f64>() / times.len() as f64;
            let text = if ms < 1000.0 { format!("{ms:.1} ms") } else { format!("{:.1} s", ms / 1000.0) };
            format!("processor time per run: {text}")
        })
    }

    /// Returns the same claim, but with the margin and the confidence of its experiment. Only comparisons use the margin and the
    /// confidence. Other claims have no margin, and their intervals are always 95 % intervals. If the claim is tested again as a
    /// confirmation, the p-value is not corrected for the choice among several comparisons.
    pub fn judged_by(&self, criteria: Criteria, is_confirmation: bool) -> Self {
        let mut claim = self.clone();
        if let Rule::Comparison(comparison) = &mut claim.rule {
            comparison.criteria = criteria;
            comparison.tests = if is_confirmation { 1 } else { comparison.tests };
        }
        claim
    }

    /// The claim needs the diversity at this generation. The trace contains the diversity. `None` if the claim needs no trace.
    pub fn diversity_at(&self) -> Option<u64> {
        match &self.rule {
            Rule::Comparison(ComparisonClaim { metric: Metric::Diversity { generation }, .. })
            | Rule::Curve(CurveClaim { metric: Metric::Diversity { generation }, .. }) => Some(*generation),
            _ => None,
        }
    }
}

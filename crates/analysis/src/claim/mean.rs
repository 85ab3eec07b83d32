//! Means: the mean gap, or processor time, of some runs, and what was printed of it.

use super::finding::{Finding, Judge, Verdict};
use crate::samples::{MeanGap, Roster, Sample, Samples, SelectionError, Selector, figure_text};
use evogrid_statistics::Interval;

/// A claim about a mean over instances.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanClaim {
    /// Which runs.
    pub of: Selector,
    /// Of which of their figures.
    pub figure: MeanFigure,
    /// What is claimed of the mean, in the figure's unit.
    pub expected: ClaimedMean,
}

/// A figure that a mean is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanFigure {
    /// How far the objective lies above the best known value, in per cent.
    Gap,
    /// Processor time of the whole run, solved or not, in milliseconds.
    CpuMs,
}

/// What is claimed of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedMean {
    /// It is this one.
    Is(f64),
    /// It is at most this one.
    AtMost(f64),
}

impl Judge for MeanClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        roster.select(&self.of).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let selection = samples.roster.select(&self.of)?;
        let values =
            samples.chosen(&selection).filter_map(|run| Some((run.instance(), self.figure.of_run(samples, run)?)));
        let ours = MeanGap::of_values(values);
        if ours.runs == 0 {
            return Err(SelectionError::Nothing { conditions: self.of.label() });
        }
        let unit = self.figure.unit();
        let (ClaimedMean::Is(printed) | ClaimedMean::AtMost(printed)) = self.expected;
        let published = match self.expected {
            ClaimedMean::Is(_) => format!("{} {unit}", figure_text(printed)),
            ClaimedMean::AtMost(_) => format!("at most {} {unit}", figure_text(printed)),
        };
        let (verdict, reason) = self.verdict(&ours);
        let mut reasons = vec![reason];
        if ours.instances > 1 {
            let n = ours.instances;
            reasons.push(format!("The mean is one over {n} instances; its interval is that of instances like these."));
        }
        Ok(Finding {
            verdict,
            published,
            ours: format!("{} {unit}", ours.text()),
            published_runs: None,
            runs: ours.runs,
            reasons,
            grids: Vec::new(),
        })
    }
}

impl MeanClaim {
    fn verdict(&self, ours: &MeanGap) -> (Verdict, String) {
        let Some(mean) = ours.mean else {
            return (Verdict::DoesNotHold, "A run without a solution makes the mean infinite.".to_owned());
        };
        // Where all values are equal the mean is all that there is: of these instances it is exact.
        let Interval { low, high } = ours.interval.unwrap_or(Interval { low: mean, high: mean });
        match self.expected {
            ClaimedMean::AtMost(most) => {
                let verdict = Verdict::new(high <= most, low > most);
                let mut reason = "Judged by the 95 % interval of our mean.".to_owned();
                if verdict == Verdict::CannotBeTold {
                    let side = if mean <= most { "keeps to" } else { "exceeds" };
                    reason += &format!(" On these instances themselves the mean {side} it.");
                }
                (verdict, reason)
            }
            ClaimedMean::Is(printed) => {
                let is_inside = low <= printed && printed <= high;
                let side = if is_inside { "inside" } else { "outside" };
                (
                    Verdict::new(is_inside, !is_inside),
                    format!("The printed mean lies {side} the 95 % interval of ours."),
                )
            }
        }
    }
}

impl MeanFigure {
    fn of_run(self, samples: &Samples, run: &Sample) -> Option<f64> {
        match self {
            Self::Gap => samples.gap(run),
            Self::CpuMs => run.outcome.cpu_ms,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Gap => "%",
            Self::CpuMs => "ms",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs;

    #[test]
    fn a_mean_gap_is_held_against_a_printed_one() {
        // Instances 2, 4 and 6 % above; SciPy: stats.t.interval(0.95, 2, loc=4, scale=stats.sem([2, 4, 6])) is -0.97 to 8.97.
        let csv = "algorithm,instance,solved,objective,best_known,gap\n\
            a,i0,,102,100,2.0\na,i1,,104,100,4.0\na,i2,,106,100,6.0\n";
        let samples = test_runs::samples(csv);
        let judged = |expected: ClaimedMean| {
            let claim = MeanClaim { of: Selector::default(), figure: MeanFigure::Gap, expected };
            let finding = claim.judge(&samples).expect("three runs");
            assert_eq!((finding.ours.as_str(), finding.runs), ("4.00 (-0.97 to 8.97) %", 3));
            (finding.verdict, finding.published)
        };
        assert_eq!(judged(ClaimedMean::AtMost(9.0)), (Verdict::Holds, "at most 9 %".to_owned()));
        assert_eq!(judged(ClaimedMean::AtMost(-1.0)).0, Verdict::DoesNotHold);
        assert_eq!(judged(ClaimedMean::AtMost(4.5)).0, Verdict::CannotBeTold);
        assert_eq!(judged(ClaimedMean::Is(8.9)), (Verdict::Holds, "8.9 %".to_owned()));
        assert_eq!(judged(ClaimedMean::Is(9.5)).0, Verdict::DoesNotHold);
        let claim =
            MeanClaim { of: Selector::default(), figure: MeanFigure::CpuMs, expected: ClaimedMean::AtMost(1.0) };
        assert!(claim.judge(&samples).is_err(), "no run says its processor time");
    }
}

//! Means and observations. A mean of our runs (of gaps, evaluations or processor times) is compared with a published mean. A single
//! published run is compared with our runs.

use std::collections::BTreeSet;

use super::finding::{Finding, Judge, Verdict};
use evogrid_analysis::metric::{InstanceMean, Metric, figure_text};
use evogrid_analysis::samples::{Sample, Samples, Selection, SelectionError, Selector, n_failed};
use evogrid_statistics::Interval;

/// A claim about a mean over instances.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanClaim {
    /// Each run has a value of this kind. The claim is about the mean of these values.
    pub figure: MeanFigure,
    /// The claimed mean, in the unit of the value.
    pub expected: ClaimedMean,
    /// True if the claim is our own goal, or if the threshold of the claim is our own. Our own goals and thresholds for times refer to our
    /// own machine. Therefore our runs can show whether our own claim about a time holds.
    pub is_ours: bool,
}

/// The reason for not judging a time.
const OF_A_MACHINE: &str =
    "A time depends on the machine and the programming language. The time is shown, but not judged.";

evogrid_core::choices! {
    /// A kind of value that each run has, for example the gap. The claim is about the mean of the values.
    pub enum MeanFigure {
        /// The gap: the objective's distance from the best known value, in per cent.
        Gap = "gap",
        /// The number of evaluations until the run was solved.
        Evaluations = "evaluations",
        /// The processor time of the whole run in milliseconds. Unsolved runs are included.
        CpuMs = "cpu_ms",
    }
}

/// An interval is too wide to show that the claim holds if an end differs from the published mean by more than this factor.
const WIDEST_RATIO: f64 = 1.25;

/// The claimed mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedMean {
    /// The mean equals this value.
    Is(f64),
    /// The mean is at most this value.
    AtMost(f64),
}

impl Judge for MeanClaim {
    fn judge(&self, samples: &Samples, _: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let has_figure = |run: &&Sample| self.figure.of_run(samples, run).is_some();
        let runs: Vec<&Sample> = samples.chosen(selection).filter(has_figure).collect();
        let values = runs.iter().filter_map(|run| Some((run.instance(), self.figure.of_run(samples, run)?)));
        let ours = InstanceMean::of_values(values);
        let unit = self.figure.unit();
        let (ClaimedMean::Is(printed) | ClaimedMean::AtMost(printed)) = self.expected;
        let published = match self.expected {
            ClaimedMean::Is(_) => format!("{} {unit}", figure_text(printed)),
            ClaimedMean::AtMost(_) => format!("at most {} {unit}", figure_text(printed)),
        };
        let problems: BTreeSet<&str> =
            runs.iter().map(|run| samples.roster.instances[run.instance()].problem.as_str()).collect();
        let (verdict, reason) = match problems.len() {
            0 | 1 if self.figure == MeanFigure::CpuMs && !self.is_ours => (Verdict::Shown, OF_A_MACHINE.to_owned()),
            0 | 1 => self.verdict(&ours),
            _ => {
                let problems = problems.into_iter().collect::<Vec<_>>().join(", ");
                (
                    Verdict::CannotBeTold,
                    format!("The runs have no common mean: they belong to several families ({problems})."),
                )
            }
        };
        let mut reasons = vec![reason];
        reasons.push(match ours.instances {
            1 => "All runs are on one instance. The result says nothing about other instances.".to_owned(),
            n => format!(
                "The mean is taken over {n} instances. The interval of the mean holds for instances like these."
            ),
        });
        reasons.extend(self.figure.unfinished(&runs));
        Ok(Finding {
            verdict,
            published,
            ours: format!("{} {unit}", ours.text()),
            runs: ours.runs,
            reasons,
            ..Finding::default()
        })
    }
}

impl MeanClaim {
    fn verdict(&self, ours: &InstanceMean) -> (Verdict, String) {
        let Some(mean) = ours.mean else {
            return (Verdict::DoesNotHold, "The mean is infinite, because a run has no solution.".to_owned());
        };
        // Equal values have no interval. For these instances, the mean is exact.
        let Interval { low, high } = ours.interval.unwrap_or(Interval { low: mean, high: mean });
        match self.expected {
            ClaimedMean::AtMost(most) => {
                let verdict = Verdict::new(high <= most, low > most);
                let mut reason = "The 95 % interval of our mean gives the verdict.".to_owned();
                if verdict == Verdict::CannotBeTold {
                    let side = if mean <= most { "does not exceed" } else { "exceeds" };
                    reason += &format!(" Our mean {side} the claimed limit, but the limit lies inside the interval.");
                }
                (verdict, reason)
            }
            ClaimedMean::Is(printed) => {
                let is_inside = low <= printed && printed <= high;
                let is_near = [low, high].iter().all(|&end| {
                    let (less, more) = (end.abs().min(printed.abs()), end.abs().max(printed.abs()));
                    end * printed >= 0.0 && more <= WIDEST_RATIO * less
                });
                let side = if is_inside { "inside" } else { "outside" };
                let mut reason = format!("The published mean lies {side} the 95 % interval of our mean.");
                if is_inside && !is_near {
                    reason += &format!(
                        " The interval is too wide to confirm the published mean. One end of the interval differs from the published mean by more than a factor of {WIDEST_RATIO}."
                    );
                }
                (Verdict::new(is_inside && is_near, !is_inside), reason)
            }
        }
    }
}

impl MeanFigure {
    /// A note on the unsolved and failed runs that the mean time includes.
    fn unfinished(self, runs: &[&Sample]) -> Option<String> {
        let failed = n_failed(runs);
        let is_unsolved = |run: &&&Sample| run.outcome.solved == Some(false) && !run.outcome.has_failed();
        let unsolved = runs.iter().filter(is_unsolved).count();
        let n = runs.len();
        (self == Self::CpuMs && (failed > 0 || unsolved > 0))
            .then(|| format!("The mean of {n} runs includes {unsolved} unsolved and {failed} failed runs."))
    }

    fn of_run(self, samples: &Samples, run: &Sample) -> Option<f64> {
        match self {
            Self::Gap => samples.gap(run),
            Self::Evaluations => Metric::Evaluations.figure(samples, run),
            Self::CpuMs => run.outcome.cpu_ms,
        }
    }

    /// The unit of the metric with the same name.
    fn unit(self) -> &'static str {
        Metric::of_name(self.name()).expect("a metric has this name").declaration().unit
    }
}

/// A claim about a single published run. The claim holds if the range of our runs contains the published value.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservationClaim {
    /// The metric.
    pub metric: Metric,
    /// The published value.
    pub published: f64,
}

impl Judge for ObservationClaim {
    fn judge(&self, samples: &Samples, of: &Selector, selection: &Selection) -> Result<Finding, SelectionError> {
        let runs: Vec<_> = samples.chosen(selection).collect();
        let mut values: Vec<f64> = runs.iter().filter_map(|sample| self.metric.figure(samples, sample)).collect();
        if values.is_empty() {
            return Err(SelectionError::nothing(of.label()));
        }
        values.sort_unstable_by(f64::total_cmp);
        // The middle 95 %: at most 2.5 % of the values lie below the range, and at most 2.5 % above.
        let beyond = (0.025 * values.len() as f64).floor() as usize;
        let (low, high) = (values[beyond], values[values.len() - 1 - beyond]);
        let published = figure_text(self.published);
        let (verdict, published, reason) = if self.metric.declaration().unit == "ms" {
            (Verdict::Shown, published + " ms", OF_A_MACHINE.to_owned())
        } else {
            let is_inside = (low..=high).contains(&self.published);
            let mut reason = format!(
                "The published run is compared with the middle 95 % of our runs. The values of these runs lie between {} and {}.",
                figure_text(low),
                figure_text(high)
            );
            let is_wide = high - low > self.published.abs();
            if is_inside && is_wide {
                reason += " The width of this range is larger than the published value. Such a wide range cannot confirm the claim.";
            }
            (Verdict::new(is_inside && !is_wide, !is_inside), published, reason)
        };
        Ok(Finding {
            verdict,
            published,
            ours: format!("{}, {}", self.metric.group_figure(samples, &runs), self.metric.name()),
            published_runs: Some(1),
            runs: runs.len() as u64,
            reasons: vec![reason],
            ..Finding::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{ClaimKind, Rule, test_runs};

    fn kind(claim: MeanClaim) -> ClaimKind {
        ClaimKind { of: Selector::default(), rule: Rule::Mean(claim) }
    }

    #[test]
    fn a_mean_gap_is_held_against_a_printed_one() {
        // Instances 2, 4 and 6 % above; SciPy: 4 * exp(-t) and 4 * exp(t) with t = stats.t.ppf(0.975, 2) * stats.sem([2, 4, 6]) / 4 are 1.155 and 13.851.
        let csv = "algorithm,instance,solved,objective,best_known,gap\n\
            a,i0,,102,100,2.0\na,i1,,104,100,4.0\na,i2,,106,100,6.0\n";
        let samples = test_runs::samples(csv);
        let judged = |expected: ClaimedMean| {
            let claim = MeanClaim { figure: MeanFigure::Gap, expected, is_ours: false };
            let finding = kind(claim).judge(&samples).expect("three runs");
            assert_eq!((finding.ours.as_str(), finding.runs), ("4.00 (1.15 to 13.86) %", 3));
            (finding.verdict, finding.published)
        };
        assert_eq!(judged(ClaimedMean::AtMost(14.0)), (Verdict::Holds, "at most 14 %".to_owned()));
        assert_eq!(judged(ClaimedMean::AtMost(1.0)).0, Verdict::DoesNotHold);
        assert_eq!(judged(ClaimedMean::AtMost(4.5)).0, Verdict::CannotBeTold);
        assert_eq!(judged(ClaimedMean::Is(13.8)), (Verdict::CannotBeTold, "13.8 %".to_owned()), "so does nearly any");
        assert_eq!(judged(ClaimedMean::Is(14.5)).0, Verdict::DoesNotHold);
        let claim = MeanClaim { figure: MeanFigure::CpuMs, expected: ClaimedMean::AtMost(1.0), is_ours: false };
        assert!(kind(claim).judge(&samples).is_err(), "no run says its processor time");
    }

    #[test]
    fn what_could_mislead_about_a_mean_is_said_below_it() {
        let judged = |csv: &str, figure| {
            let expected = ClaimedMean::AtMost(1000.0);
            let claim = kind(MeanClaim { figure, expected, is_ours: true });
            let finding = claim.judge(&test_runs::samples(csv)).expect("runs");
            (finding.verdict, finding.reasons)
        };
        let (verdict, reasons) =
            judged("algorithm,instance,problem,solved,gap\na,i0,tours,,2.0\na,i1,boards,,4.0\n", MeanFigure::Gap);
        assert_eq!(verdict, Verdict::CannotBeTold);
        assert_eq!(reasons[0], "The runs have no common mean: they belong to several families (boards, tours).");
        let (verdict, reasons) = judged(
            "algorithm,instance,solved,stop,cpu_ms\na,i,true,target,2.0\na,i,false,evaluations,4.0\na,i,false,failed,3.0\n",
            MeanFigure::CpuMs,
        );
        assert_eq!(verdict, Verdict::Holds);
        assert_eq!(reasons[1], "All runs are on one instance. The result says nothing about other instances.");
        assert_eq!(reasons[2], "The mean of 3 runs includes 1 unsolved and 1 failed runs.");
    }
}

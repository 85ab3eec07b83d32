//! Looks: analyses of the results while runs are added.

use evogrid_statistics::{Confidence, look_levels};

use evogrid_results::format::rounded_text;

/// The planned looks of an experiment, and the present look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look<'a> {
    /// The numbers of repetitions after which results are looked at, in ascending order. No run is added after the last look.
    pub planned: &'a [u64],
    /// The number of finished repetitions, above 0. It has a fraction if a repetition is partly finished.
    pub repetitions: f64,
}

impl Look<'_> {
    /// The factor for the p-values of this number of comparisons. If a multiplied p-value is below the level of the confidence, the p-value is
    /// below the level of this look.
    ///
    /// Holm's correction tests at the level and at fractions of the level, down to `level / comparisons`. Each of these has its own factor. The
    /// larger factor of the two ends is used.
    pub(super) fn factor(self, comparisons: usize, confidence: Confidence) -> f64 {
        let last = *self.planned.last().expect("there are planned looks") as f64;
        let now = self.repetitions.min(last);
        // An earlier look with almost the same data would spend the same level again.
        let earlier = self.planned.iter().map(|&look| look as f64).filter(|look| *look < 0.95 * now);
        let fractions: Vec<f64> = earlier.chain([now]).map(|look| look / last).collect();
        let factor = |level: f64| level / look_levels(level, &fractions).last().expect("this look");
        let level = confidence.level();
        factor(level).max(factor(level / comparisons.max(1) as f64)).clamp(1.0, 1e300)
    }

    /// The sentence on this look and on its p-values.
    pub(super) fn sentence(self, factor: f64, confidence: Confidence) -> String {
        let (n, now) = (self.planned.len(), rounded_text(self.repetitions, 10.0));
        let last = self.planned.last().copied().unwrap_or_default();
        let which = match self.planned.iter().position(|&look| look as f64 == self.repetitions) {
            Some(_) if n == 1 => return format!("This is the only planned look, at repetition {now}."),
            Some(at) => format!("Look {} of {n}, at repetition {now} of {last}", at + 1),
            None => {
                let planned: Vec<String> = self.planned.iter().map(u64::to_string).collect();
                format!("An unplanned look at repetition {now} (planned: {})", planned.join(", "))
            }
        };
        let times = if factor > 1e4 { "over 10000".to_owned() } else { rounded_text(factor, 100.0) };
        let percent = confidence.level_percent();
        format!(
            "{which}: p-values are multiplied by {times}. Then all looks together find a false difference in {percent} of 100 cases (the spending function of Lan \
             and DeMets, 1983, in the form of O'Brien and Fleming). Intervals, and so \"alike\", are for this look only."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C95: Confidence = Confidence::PERCENT_95;

    #[test]
    fn p_values_are_held_to_the_level_of_the_look() {
        let look = |repetitions| Look { planned: &[5, 10, 20], repetitions };
        // Half the data: a critical value of 2.963 at 5 %, with one quarter before.
        let factors = [5.0, 10.0, 20.0].map(|repetitions| look(repetitions).factor(1, C95));
        assert!(factors[0] > 500.0 && (10.0..20.0).contains(&factors[1]) && factors[2] < 1.15, "{factors:?}");
        assert!(look(5.0).factor(190, C95) > 100.0 * factors[0], "an early look takes more where many are compared");
        assert!((1.0..1.15).contains(&look(20.0).factor(190, C95)));
        assert_eq!(look(30.0).factor(1, C95), factors[2], "beyond the last look nothing is left to spend");
        assert!(Look { planned: &[20], repetitions: 20.0 }.factor(3, C95) < 1.0 + 1e-9);
        assert!(look(0.01).factor(3, C95).is_finite());
        // Half the data at 0.01: 4 - 4 Φ(2.80703 / √0.5) spends 0.000143899, by scipy.stats.norm.
        let half = Look { planned: &[10, 20], repetitions: 10.0 }.factor(1, Confidence::new(0.99).expect("in range"));
        assert!((half / 69.493 - 1.0).abs() < 1e-4, "{half}");
    }

    #[test]
    fn a_sentence_says_which_look_it_is() {
        let sentence = |planned: &[u64], repetitions| Look { planned, repetitions }.sentence(12.345, C95);
        assert!(
            sentence(&[5, 10, 20], 10.0)
                .starts_with("Look 2 of 3, at repetition 10 of 20: p-values are multiplied by 12.35. Then")
        );
        assert!(sentence(&[5, 10], 7.25).starts_with("An unplanned look at repetition 7.3 (planned: 5, 10): p-values"));
        assert_eq!(sentence(&[20], 20.0), "This is the only planned look, at repetition 20.");
    }
}

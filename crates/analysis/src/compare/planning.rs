//! Planned analyses: the power of a design before the runs are done, and the looks at the results while runs are added.

use evogrid_results::format::{p_text, percent, rounded_text};
use evogrid_statistics::{Confidence, detectable_difference, instance_differences, look_levels, stratified_rates};

/// The power at which the numbers of needed instances and runs are computed.
pub(super) const POWER: f64 = 0.8;

/// The smallest p-values for these instances and for instances like these. `instances` has the numbers of runs of both sides on each
/// instance. A p-value is 1 if a question has no answer.
///
/// For these instances, the smallest p-value is the share of the two most extreme exchanges among all exchanges. For instances like these,
/// it is the p-value if one side solves all runs and the other side solves no run.
pub(super) fn smallest_p_values(instances: impl Iterator<Item = [usize; 2]>) -> [f64; 2] {
    let sizes: Vec<[u64; 2]> = instances.map(|sizes| sizes.map(|size| size as u64)).collect();
    let log_choose = |[m, n]: [u64; 2]| (1..=m.min(n)).map(|i| ((m.max(n) + i) as f64 / i as f64).ln()).sum::<f64>();
    let exchanges: f64 = sizes.iter().map(|&sizes| log_choose(sizes)).sum();
    let certain: Vec<[(u64, u64); 2]> = sizes.iter().map(|&[m, n]| [(m, m), (0, n)]).collect();
    // P-values do not depend on the confidence.
    let any = Confidence::default();
    let least_variance = stratified_rates(&certain, any).least_variance;
    let like = instance_differences(&vec![1.0; sizes.len()], least_variance, 0.0, any);
    [(2.0 * (-exchanges).exp()).min(1.0), like.map_or(1.0, |test| test.p_value)]
}

/// A sentence about the smallest difference that this design can find. The design has `comparisons` comparisons. Each configuration has
/// `runs` runs on each of `instances` instances.
pub fn promise(comparisons: usize, instances: usize, runs: u64, confidence: Confidence) -> String {
    let level = confidence.level();
    // With more runs or instances, the smallest p-values are printed as 0.
    const MOST: usize = 1000;
    let size = usize::try_from(runs).unwrap_or(MOST).min(MOST);
    let smallest = smallest_p_values(std::iter::repeat_n([size; 2], instances.min(MOST)))
        .map(|smallest| (smallest * comparisons as f64).min(1.0));
    let least = |degrees| {
        let of_each = level / comparisons as f64;
        detectable_difference(0.5 / runs as f64, instances as u64, degrees, (POWER, of_each))
            .filter(|&least| least <= 1.0)
    };
    let together = if comparisons == 1 { String::new() } else { format!(" (Holm, {comparisons} comparisons)") };
    let best = |smallest: f64| format!("at best {}", p_text(smallest));
    let Some(here) = least(None).filter(|_| smallest[0] < level) else {
        return format!(
            "On these instances, no result can show a difference of rates at p < {level}: {}{together}.",
            best(smallest[0])
        );
    };
    let (here, share) = (percent(here), 100.0 * POWER);
    let like = match least(Some(instances.saturating_sub(1))).filter(|_| smallest[1] < level) {
        _ if instances == 1 => "With only one instance, the runs say nothing about other instances".to_owned(),
        Some(least) => {
            format!(
                "Now suppose that the true difference is {} points on every instance. A test for instances like these finds this difference in {share:.0} of 100 such experiments",
                percent(least)
            )
        }
        None => {
            format!("On instances like these, no difference can be found, however large it is ({})", best(smallest[1]))
        }
    };
    format!(
        "Example: suppose that two rates near 50 % differ by {here} points on these instances. A test at p < {level} finds this difference in {share:.0} of 100 such experiments. {like}{together}."
    )
}

/// The planned looks of an experiment, and the look that is taken now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look<'a> {
    /// The results are analysed after these numbers of repetitions. The numbers are in ascending order. After the last look, no runs are
    /// added.
    pub planned: &'a [u64],
    /// The number of finished repetitions, above 0. If a repetition is partly finished, the finished fraction of this repetition is added.
    pub repetitions: f64,
}

impl Look<'_> {
    /// The factor by which the p-values of this look are multiplied, for this number of comparisons. If the product is below the level of
    /// the confidence, the p-value is below the level of this look.
    ///
    /// Holm's correction tests at the level and at fractions of the level, down to `level / comparisons`. Each of these levels has its own
    /// factor. The larger of the two factors at the ends is used.
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

    /// The sentence about this look and about the correction of the p-values.
    pub(super) fn sentence(self, factor: f64, confidence: Confidence) -> String {
        let (n, now) = (self.planned.len(), rounded_text(self.repetitions, 10.0));
        let last = self.planned.last().copied().unwrap_or_default();
        let which = match self.planned.iter().position(|&look| look as f64 == self.repetitions) {
            Some(_) if n == 1 => {
                return format!("This is the only planned look at the results, after repetition {now}.");
            }
            Some(at) => format!("Planned look {} of {n}, at repetition {now} of {last}", at + 1),
            None => {
                let planned: Vec<String> = self.planned.iter().map(u64::to_string).collect();
                format!("Unplanned look, at repetition {now} (looks are planned at {})", planned.join(", "))
            }
        };
        let times = if factor > 1e4 { "over 10000".to_owned() } else { rounded_text(factor, 100.0) };
        let percent = confidence.level_percent();
        format!(
            "{which}: p-values are multiplied by {times}. With this factor, at least one look finds a false difference in \
             {percent} of 100 cases. Method: the spending function of Lan and DeMets (1983), in O'Brien and Fleming's \
             form. The intervals hold only for this look. Therefore the verdict \"alike\" holds only for this look."
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
            sentence(&[5, 10, 20], 10.0).starts_with(
                "Planned look 2 of 3, at repetition 10 of 20: p-values are multiplied by 12.35. With this"
            )
        );
        assert!(
            sentence(&[5, 10], 7.25)
                .starts_with("Unplanned look, at repetition 7.3 (looks are planned at 5, 10): p-values")
        );
        assert_eq!(sentence(&[20], 20.0), "This is the only planned look at the results, after repetition 20.");
    }

    #[test]
    fn a_plan_says_what_it_can_show() {
        let usual = Confidence::default();
        assert_eq!(
            promise(3, 40, 10, usual),
            "Example: suppose that two rates near 50 % differ by 11.4 points on these instances. A test at p < 0.05 finds this difference in 80 of 100 such experiments. Now suppose that the true difference is 11.9 points on every instance. A test for instances like these finds this difference in 80 of 100 such experiments (Holm, 3 comparisons)."
        );
        assert_eq!(
            promise(1, 4, 1, usual),
            "On these instances, no result can show a difference of rates at p < 0.05: at best p = 0.125."
        );
        assert!(
            promise(1, 1, 50, usual).ends_with(". With only one instance, the runs say nothing about other instances.")
        );
        assert!(
            promise(6, 2, 50, usual)
                .contains(". On instances like these, no difference can be found, however large it is (at best p = ")
        );
        let strict = Confidence::new(0.99).expect("in range");
        assert!(promise(1, 7, 1, usual).starts_with("Example: suppose that two rates near 50 % differ by "));
        assert_eq!(
            promise(1, 7, 1, strict),
            "On these instances, no result can show a difference of rates at p < 0.01: at best p = 0.0156."
        );
        assert!(promise(3, 40, 10, strict).starts_with(
            "Example: suppose that two rates near 50 % differ by 13.4 points on these instances. A test at p < 0.01 finds this difference in 80 of 100 such experiments."
        ));
    }

    #[test]
    fn four_instances_of_one_run_cannot_reach_five_percent() {
        let [these, like] = smallest_p_values([[1, 1]; 4].into_iter());
        assert!((these - 0.125).abs() < 1e-12 && like < 0.05, "{these} {like}");
        let [these, like] = smallest_p_values([[50, 50]].into_iter());
        assert!(these < 1e-20 && like == 1.0);
    }
}

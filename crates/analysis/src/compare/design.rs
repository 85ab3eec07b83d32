//! The power of a design before anything is run: the smallest p-values, and the smallest difference that the design probably finds.

use evogrid_results::format::{p_text, percent};
use evogrid_statistics::{Confidence, detectable_difference, instance_differences, stratified_rates};

/// The power for which the needed instances and runs are counted.
pub(super) const POWER: f64 = 0.8;

/// The smallest p-values for these instances and for instances like these. `instances` has the numbers of runs of both sides on each instance. A
/// p-value is 1 without an answer.
///
/// For these instances, it is the share of the two most extreme exchanges. For instances like these, one side solves all runs and the other side
/// solves no run.
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

/// A sentence on what comparisons can show. There are `comparisons` comparisons in all, and each configuration has `runs` runs on each of
/// `instances` instances.
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
            "No result can show a difference of two rates on these instances at p < {level}: {}{together}.",
            best(smallest[0])
        );
    };
    let (here, share) = (percent(here), 100.0 * POWER);
    let like = match least(Some(instances.saturating_sub(1))).filter(|_| smallest[1] < level) {
        _ if instances == 1 => "one instance gives no answer for other instances".to_owned(),
        Some(least) => {
            format!(
                "on instances like these, {} points are found if the difference is the same on each instance",
                percent(least)
            )
        }
        None => format!("on instances like these, no difference is found ({})", best(smallest[1])),
    };
    format!(
        "On these instances, a difference of {here} points between two rates near 50 % is found in {share:.0} of 100 cases at p < {level}; {like}{together}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_it_can_show() {
        let usual = Confidence::default();
        assert_eq!(
            promise(3, 40, 10, usual),
            "On these instances, a difference of 11.4 points between two rates near 50 % is found in 80 of 100 cases at p < 0.05; on instances like these, \
             11.9 points are found if the difference is the same on each instance (Holm, 3 comparisons)."
        );
        assert_eq!(
            promise(1, 4, 1, usual),
            "No result can show a difference of two rates on these instances at p < 0.05: at best p = 0.125."
        );
        assert!(promise(1, 1, 50, usual).ends_with("; one instance gives no answer for other instances."));
        assert!(promise(6, 2, 50, usual).contains("; on instances like these, no difference is found (at best p = "));
        let strict = Confidence::new(0.99).expect("in range");
        assert!(promise(1, 7, 1, usual).starts_with("On these instances, a difference of "));
        assert_eq!(
            promise(1, 7, 1, strict),
            "No result can show a difference of two rates on these instances at p < 0.01: at best p = 0.0156."
        );
        assert!(promise(3, 40, 10, strict).starts_with(
            "On these instances, a difference of 13.4 points between two rates near 50 % is found in 80 of 100 cases at p < 0.01;"
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

//! What a design can show before anything is run: the smallest p-values, and the least difference that it will probably find.

use evogrid_results::format::{p_text, percent};
use evogrid_statistics::{Confidence, detectable_difference, instance_differences, stratified_rates};

/// The power for which instances and runs that would be needed are counted.
pub(super) const POWER: f64 = 0.8;

/// The smallest p-value for these instances and for instances like these, of so many runs of both sides on each instance; 1 without an answer.
///
/// For these instances: the two most extreme of all exchanges. For instances like these: one side solves all runs, the other none.
pub(super) fn smallest_p_values(instances: impl Iterator<Item = [usize; 2]>) -> [f64; 2] {
    let sizes: Vec<[u64; 2]> = instances.map(|sizes| sizes.map(|size| size as u64)).collect();
    let log_choose = |[m, n]: [u64; 2]| (1..=m.min(n)).map(|i| ((m.max(n) + i) as f64 / i as f64).ln()).sum::<f64>();
    let exchanges: f64 = sizes.iter().map(|&sizes| log_choose(sizes)).sum();
    let certain: Vec<[(u64, u64); 2]> = sizes.iter().map(|&[m, n]| [(m, m), (0, n)]).collect();
    // P-values depend on no confidence.
    let any = Confidence::default();
    let least_variance = stratified_rates(&certain, any).least_variance;
    let like = instance_differences(&vec![1.0; sizes.len()], least_variance, 0.0, any);
    [(2.0 * (-exchanges).exp()).min(1.0), like.map_or(1.0, |test| test.p_value)]
}

/// What comparisons of so many runs can show, as a sentence: so many comparisons together, of so many runs of each configuration on each of so
/// many instances, at a confidence.
pub fn promise(comparisons: usize, instances: usize, runs: u64, confidence: Confidence) -> String {
    let level = confidence.level();
    // With more of either, the smallest p-values are 0 as far as is printed.
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
    let Some(here) = least(None).filter(|_| smallest[0] < level) else {
        return format!(
            "No result can tell two rates apart on these instances at p < {level}: at best {}{together}.",
            p_text(smallest[0])
        );
    };
    let share = 100.0 * POWER;
    let on_these = format!(
        "A difference of {} points between two rates near 50 % is found in {share:.0} of 100 cases at p < {level} on these instances",
        percent(here)
    );
    match least(Some(instances.saturating_sub(1))).filter(|_| smallest[1] < level) {
        _ if instances == 1 => format!("{on_these}{together}; one instance says nothing of others."),
        Some(least) => format!(
            "{on_these}, one of {} points on instances like these if it is the same on each{together}.",
            percent(least)
        ),
        None => format!("{on_these}, none on instances like these (at best {}){together}.", p_text(smallest[1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_it_can_show() {
        let usual = Confidence::default();
        assert_eq!(
            promise(3, 40, 10, usual),
            "A difference of 11.4 points between two rates near 50 % is found in 80 of 100 cases at p < 0.05 on these instances, one of 11.9 points on \
             instances like these if it is the same on each (Holm, 3 comparisons)."
        );
        assert_eq!(
            promise(1, 4, 1, usual),
            "No result can tell two rates apart on these instances at p < 0.05: at best p = 0.125."
        );
        assert!(promise(1, 1, 50, usual).ends_with("on these instances; one instance says nothing of others."));
        assert!(promise(6, 2, 50, usual).contains(", none on instances like these (at best p = "));
        let strict = Confidence::new(0.99).expect("in range");
        assert!(promise(1, 7, 1, usual).starts_with("A difference of "));
        assert_eq!(
            promise(1, 7, 1, strict),
            "No result can tell two rates apart on these instances at p < 0.01: at best p = 0.0156."
        );
        assert!(promise(3, 40, 10, strict).starts_with(
            "A difference of 13.4 points between two rates near 50 % is found in 80 of 100 cases at p < 0.01 "
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

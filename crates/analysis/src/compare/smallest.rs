//! The smallest p-values that a design can have, whatever its runs show.

use evogrid_statistics::{instance_differences, stratified_rates};

/// The smallest p-value for these instances and for instances like these, of so many runs of both sides on each instance; 1 without an answer.
///
/// For these instances: the two most extreme of all exchanges. For instances like these: one side solves all runs, the other none.
pub fn smallest_p_values(instances: impl Iterator<Item = [usize; 2]>) -> [f64; 2] {
    let sizes: Vec<[u64; 2]> = instances.map(|sizes| sizes.map(|size| size as u64)).collect();
    let log_choose = |[m, n]: [u64; 2]| (1..=m.min(n)).map(|i| ((m.max(n) + i) as f64 / i as f64).ln()).sum::<f64>();
    let exchanges: f64 = sizes.iter().map(|&sizes| log_choose(sizes)).sum();
    let certain: Vec<[(u64, u64); 2]> = sizes.iter().map(|&[m, n]| [(m, m), (0, n)]).collect();
    let like = instance_differences(&vec![1.0; sizes.len()], stratified_rates(&certain).least_variance, 0.0);
    [(2.0 * (-exchanges).exp()).min(1.0), like.map_or(1.0, |test| test.p_value)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_instances_of_one_run_cannot_reach_five_percent() {
        let [these, like] = smallest_p_values([[1, 1]; 4].into_iter());
        assert!((these - 0.125).abs() < 1e-12 && like < 0.05, "{these} {like}");
        let [these, like] = smallest_p_values([[50, 50]].into_iter());
        assert!(these < 1e-20 && like == 1.0);
    }
}

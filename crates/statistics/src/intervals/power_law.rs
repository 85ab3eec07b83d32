//! Power laws: how a cost grows with a size.

use crate::distributions::student::student_quantile_975;
use crate::interval::Interval;

/// A power law `cost = factor · size^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The exponent.
    pub exponent: f64,
    /// The 95 % interval of the exponent. If there are `n` points, the interval uses Student's t with `n - 2` degrees of freedom. Two
    /// points leave no degrees of freedom, so the interval is `None` for two points.
    pub interval: Option<Interval>,
    /// The cost that the power law gives for the size 1.
    pub factor: f64,
    /// The number of points to which the power law was fitted.
    pub points: usize,
}

/// Fits a power law to points (size, cost). The fit is a least-squares regression of log cost on log size. The interval is valid only if
/// the points are independent. Divide the cost of each point by the cost that the power law predicts for the size of the point. These
/// ratios must be log-normally distributed. The spread of these ratios must be the same at all sizes. Returns `None` if there are fewer
/// than two different sizes. Sizes and costs must be positive and finite.
///
/// Source: C. C. McGeoch, "A guide to experimental algorithmics", Cambridge University Press 2012, chapter 7, for the curve of a cost in
/// log-log scale; the interval is the interval of simple linear regression.
///
/// # Example
/// ```
/// let law = evogrid_statistics::power_law(&[(10.0, 300.0), (20.0, 1200.0), (40.0, 4800.0)]).unwrap();
/// assert!((law.exponent - 2.0).abs() < 1e-12 && (law.factor - 3.0).abs() < 1e-9);
/// ```
pub fn power_law(points: &[(f64, f64)]) -> Option<PowerLaw> {
    let n = points.len() as f64;
    let logs = || points.iter().map(|&(size, cost)| (size.ln(), cost.ln()));
    let [mean_x, mean_y] =
        [logs().map(|(x, _)| x).sum::<f64>() / n.max(1.0), logs().map(|(_, y)| y).sum::<f64>() / n.max(1.0)];
    let squares: f64 = logs().map(|(x, _)| (x - mean_x).powi(2)).sum();
    if squares <= 1e-12 {
        return None;
    }
    let exponent = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / squares;
    let residuals: f64 = logs().map(|(x, y)| (y - mean_y - exponent * (x - mean_x)).powi(2)).sum();
    let interval = (points.len() > 2).then(|| {
        let half = student_quantile_975(points.len() - 2) * (residuals / (n - 2.0) / squares).sqrt();
        Interval { low: exponent - half, high: exponent + half }
    });
    Some(PowerLaw { exponent, interval, factor: (mean_y - exponent * mean_x).exp(), points: points.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_and_its_interval_are_those_of_scipy() {
        // scipy.stats.linregress of the logarithms; interval: slope ± scipy.stats.t.ppf(0.975, 3) * stderr.
        let law =
            power_law(&[(10.0, 55.0), (20.0, 190.0), (20.0, 260.0), (40.0, 1100.0), (80.0, 3000.0)]).expect("a law");
        let interval = law.interval.expect("five points");
        let found = [law.exponent, law.factor, interval.low, interval.high];
        let expected = [1.963_918_187_3, 0.629_397_381_1, 1.561_085_223_3, 2.366_751_151_4];
        assert!(found.iter().zip(expected).all(|(one, other)| (one / other - 1.0).abs() < 1e-6), "{found:?}");
        assert_eq!(law.points, 5);
    }

    #[test]
    fn one_size_has_no_law_and_two_points_have_no_interval() {
        assert_eq!(power_law(&[(10.0, 5.0), (10.0, 6.0)]), None);
        assert_eq!(power_law(&[]), None);
        assert_eq!(power_law(&[(1.0, 5.0), (2.0, 6.0)]).map(|law| law.interval), Some(None));
    }
}

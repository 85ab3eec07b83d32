//! Candidates: how new configurations are drawn, at first evenly over the space, then near the leaders.

use evogrid_core::identity::{Fingerprint, run_seed};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Value;

use crate::experiment::space::{Space, Values};

/// How often a candidate is drawn before the space counts as exhausted: it may be excluded, or there already.
pub(super) const ATTEMPTS: usize = 100;

/// The least standard deviation of a place around its parent's.
const LEAST_DEVIATION: f64 = 1e-3;

/// A configuration that takes part in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the unit cube, a coordinate for each dimension of the space.
    pub point: Vec<f64>,
    /// The values of the dimensions, `None` for those without effect; all of the default configuration, which sets none.
    pub values: Vec<Option<Value>>,
    /// The iteration that drew it, from 1; 0 for the default configuration.
    pub iteration: usize,
    /// The candidate near which it was drawn.
    pub parent: Option<usize>,
}

/// The random numbers of a tuning that serve one purpose.
pub(super) fn stream(seed: u64, purpose: &str, number: u64) -> RandomStream {
    RandomStream::from_seed(run_seed(seed, &Fingerprint::of_settings(purpose), number, None))
}

/// Points spread evenly over the space: each of the `n` equal intervals of each dimension has one (M. D. McKay, R. J. Beckman and
/// W. J. Conover, 1979, Latin hypercube sampling).
pub(super) fn spread_points(space: &Space, n: usize, random: &mut RandomStream) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::with_capacity(space.dimensions.len()); n];
    for _ in &space.dimensions {
        let mut intervals: Vec<usize> = (0..n).collect();
        random.shuffle(&mut intervals);
        for (point, interval) in points.iter_mut().zip(intervals) {
            point.push((interval as f64 + random.unit()) / n as f64);
        }
    }
    points
}

/// One of the leaders, the best first: of `n` the first with the weight `n`, the last with the weight 1.
pub(super) fn parent(leaders: &[usize], random: &mut RandomStream) -> usize {
    let n = leaders.len();
    let mut ticket = random.below(n * (n + 1) / 2);
    let place = (0..n).find(|place| {
        let is_drawn = ticket < n - place;
        ticket = ticket.saturating_sub(n - place);
        is_drawn
    });
    leaders[place.unwrap_or(0)]
}

/// A point near a parent's, in an iteration from the second on that draws `n_new` candidates (M. López-Ibáñez, J. Dubois-Lacoste,
/// L. Pérez Cáceres, M. Birattari and T. Stützle, "The irace package", 2016, section 3.2): a number lies around the parent's, with a standard deviation that begins with half the range and is multiplied by
/// `n_new^(-1/d)` in each iteration, `d` being the number of dimensions; a choice is the parent's with the probability
/// `1 - 1/iteration`, and otherwise any.
///
/// Numbers are drawn as a sum of three uniform ones, which every machine adds alike.
pub(super) fn point_near(
    (space, parent): (&Space, &Candidate),
    (iteration, n_new): (usize, usize),
    random: &mut RandomStream,
) -> Vec<f64> {
    let shrinking = libm::pow(n_new as f64, -1.0 / space.dimensions.len() as f64);
    let deviation = (1..iteration).fold(0.5, |deviation, _| deviation * shrinking).max(LEAST_DEVIATION);
    let dimensions = space.dimensions.iter().zip(&parent.point).zip(space.active(&parent.point));
    let coordinate = |((dimension, &place), is_active): ((&_, &f64), bool)| -> f64 {
        let dimension: &crate::experiment::space::Dimension = dimension;
        match &dimension.values {
            _ if !is_active => random.unit(),
            Values::Choices(_) if random.chance(1.0 / iteration as f64) => random.unit(),
            Values::Choices(_) => place,
            _ => near(place, deviation, random),
        }
    };
    dimensions.map(coordinate).collect()
}

/// A place in [0, 1) around another one.
fn near(place: f64, deviation: f64, random: &mut RandomStream) -> f64 {
    for _ in 0..ATTEMPTS {
        // Three uniform numbers have the standard deviation 1/2.
        let sum = random.unit() + random.unit() + random.unit();
        let drawn = place + (sum - 1.5) * 2.0 * deviation;
        if (0.0..1.0).contains(&drawn) {
            return drawn;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::space::Dimension;

    fn space() -> Space {
        let whole = Values::Whole { low: 1, high: 100, is_log: false };
        let choices = Values::Choices((0..4).map(Value::Integer).collect());
        let dimension = |path: &str, values| Dimension { path: path.to_owned(), values, condition: None };
        Space { dimensions: vec![dimension("whole", whole), dimension("choice", choices)], ..Space::default() }
    }

    fn random() -> RandomStream {
        stream(7, "test", 0)
    }

    #[test]
    fn each_interval_of_each_dimension_has_one_point() {
        let points = spread_points(&space(), 10, &mut random());
        for dimension in 0..2 {
            let mut intervals: Vec<usize> = points.iter().map(|point| (point[dimension] * 10.0) as usize).collect();
            intervals.sort_unstable();
            assert!(intervals.into_iter().eq(0..10));
        }
    }

    #[test]
    fn the_first_leader_is_chosen_most() {
        let (mut counts, mut random) = ([0; 3], random());
        for _ in 0..6000 {
            counts[parent(&[0, 1, 2], &mut random)] += 1;
        }
        for (count, expected) in counts.into_iter().zip([3000_i32, 2000, 1000]) {
            assert!((count - expected).abs() < 150, "{counts:?}");
        }
    }

    #[test]
    fn points_come_nearer_from_one_iteration_to_the_next() {
        let near = Candidate { point: vec![0.3, 0.6], values: Vec::new(), iteration: 1, parent: None };
        let mut random = random();
        let mut spread_in = |iteration| {
            let points: Vec<_> =
                (0..2000).map(|_| point_near((&space(), &near), (iteration, 16), &mut random)).collect();
            let square: f64 = points.iter().map(|point| (point[0] - 0.3) * (point[0] - 0.3)).sum();
            let kept = points.iter().filter(|point| point[1] == 0.6).count();
            assert!(points.iter().flatten().all(|place| (0.0..1.0).contains(place)));
            ((square / 2000.0).sqrt(), kept as f64 / 2000.0)
        };
        // 0.5 / 4, then 0.5 / 16.
        let (second, kept) = spread_in(2);
        assert!((second - 0.125).abs() < 0.01 && (kept - 0.5).abs() < 0.05, "{second} {kept}");
        let (third, kept) = spread_in(3);
        assert!((third - 0.03125).abs() < 0.003 && (kept - 2.0 / 3.0).abs() < 0.05, "{third} {kept}");
    }
}

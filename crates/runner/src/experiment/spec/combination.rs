//! Combinations: a point of each of several axes, by number. They are counted through with the last axis moving fastest.

/// Moves to the next combination of as many points as the axes have. False after the last, which is followed by the first.
pub(crate) fn advance(points: &mut [usize], n_points: impl Fn(usize) -> usize) -> bool {
    for at in (0..points.len()).rev() {
        points[at] += 1;
        if points[at] < n_points(at) {
            return true;
        }
        points[at] = 0;
    }
    false
}

/// The combination with this number, from 0.
pub(crate) fn combination(mut number: u64, n_axes: usize, n_points: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut points = vec![0; n_axes];
    for at in (0..n_axes).rev() {
        points[at] = (number % n_points(at) as u64) as usize;
        number /= n_points(at) as u64;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_the_same_counted_through_and_by_number() {
        let n_points = |at: usize| [2, 1, 3][at];
        let mut points = vec![0; 3];
        for number in 0..6 {
            assert_eq!(combination(number, 3, n_points), points);
            assert_eq!(advance(&mut points, n_points), number < 5);
        }
        assert_eq!(points, [0, 0, 0]);
    }
}

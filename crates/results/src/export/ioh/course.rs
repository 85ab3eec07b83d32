//! The course of a run as the rows of a dat file: the improvements of the best fitness, and the end of the run. Here, a fitness is a cost,
//! which is minimised.

use crate::sheet::ReadError;
use crate::trace::Point;

/// The course of a run in a dat file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    /// Evaluation 1, each improvement, and the last evaluation, each with its fitness.
    pub(super) rows: Vec<(u64, f64)>,
    /// The evaluation that found the best fitness.
    pub(super) evaluations_to_best: u64,
    /// The best fitness, or the value that is written instead of an unknown fitness.
    pub(super) best: f64,
    /// Whether the trace contains a point of the run.
    pub(super) is_traced: bool,
    /// Whether the fitness at the first evaluation is unknown.
    pub(super) is_assumed: bool,
}

impl Course {
    /// Makes the course of a run. In the rows, evaluations increase and the fitness decreases, even if the points of the trace are wrong.
    /// If a point contradicts the first or the last row, the row counts and not the point.
    ///
    /// The arguments are the number of evaluations of the run, its best fitness (`None` if nothing was evaluated), and the evaluation that
    /// found the best fitness, if it is known. If it is unknown, it is taken from the trace, or the last evaluation is used. `unknown` is a
    /// fitness that is worse than all others. It is written at evaluation 1 if the fitness there is unknown.
    pub(super) fn new(
        evaluations: u64,
        best: Option<f64>,
        evaluations_to_best: Option<u64>,
        unknown: f64,
        mut next: impl FnMut() -> Result<Option<Point>, ReadError>,
    ) -> Result<Self, ReadError> {
        let (end, has_best) = (evaluations.max(1), best.is_some());
        let best = best.unwrap_or(unknown);
        let at = if has_best { evaluations_to_best } else { Some(1) };
        let mut found = at.map(|evaluations| evaluations.clamp(1, end));
        let mut rows: Vec<(u64, f64)> = Vec::new();
        let mut is_traced = false;
        while let Some(Point { evaluations, best_fitness, .. }) = next()? {
            is_traced = true;
            let (before, y) = rows.last().copied().unwrap_or((0, f64::INFINITY));
            if best_fitness <= best {
                found = found.or(Some(evaluations.clamp(before + 1, end)));
            } else if (before + 1..found.unwrap_or(end)).contains(&evaluations) && best_fitness < y.min(unknown) {
                rows.push((evaluations, best_fitness));
            }
        }
        let evaluations_to_best = found.unwrap_or(end);
        rows.push((evaluations_to_best, best));
        if end > evaluations_to_best {
            rows.push((end, best));
        }
        let begins_later = rows[0].0 > 1;
        if begins_later {
            rows.insert(0, (1, unknown));
        }
        Ok(Self { rows, evaluations_to_best, best, is_traced, is_assumed: begins_later || !has_best })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trace::tests::point;

    fn course((evaluations, best, at): RunEnd, points: &[(u64, f64)]) -> (Vec<(u64, f64)>, Course) {
        let mut points = points.iter().map(|&(evaluations, best_fitness)| point(evaluations, best_fitness));
        let course = Course::new(evaluations, best, at, 99.0, || Ok(points.next())).expect("memory");
        (course.rows.clone(), course)
    }

    /// The number of evaluations, the best fitness, and the evaluation that found the best fitness.
    type RunEnd = (u64, Option<f64>, Option<u64>);

    fn ends(evaluations: u64, best: f64, at: u64) -> RunEnd {
        (evaluations, Some(best), Some(at))
    }

    #[test]
    fn a_traced_run_has_its_improvements_and_its_end() {
        let (rows, course) = course(ends(50, 2.0, 30), &[(1, 43.0), (7, 40.0), (30, 2.0)]);
        assert_eq!(rows, [(1, 43.0), (7, 40.0), (30, 2.0), (50, 2.0)]);
        let expected = Course { rows, evaluations_to_best: 30, best: 2.0, is_traced: true, is_assumed: false };
        assert_eq!(course, expected);
    }

    #[test]
    fn what_stands_at_the_first_evaluation_is_worse_than_any_where_it_is_not_known() {
        let (rows, found) = course(ends(50, 2.0, 30), &[]);
        assert_eq!(rows, [(1, 99.0), (30, 2.0), (50, 2.0)]);
        assert!(found.is_assumed && !found.is_traced);
        assert_eq!(course(ends(50, 2.0, 30), &[(10, 5.0)]).0, [(1, 99.0), (10, 5.0), (30, 2.0), (50, 2.0)]);
        assert_eq!(course(ends(1, 2.0, 1), &[]).0, [(1, 2.0)]);
        assert_eq!(course(ends(9, 2.0, 1), &[(1, 2.0)]).0, [(1, 2.0), (9, 2.0)]);
    }

    #[test]
    fn a_run_that_evaluated_nothing_never_counts_as_good() {
        assert_eq!(course((0, None, Some(0)), &[]).0, [(1, 99.0)]);
        assert_eq!(course((7, None, Some(0)), &[(3, 1.0)]).0, [(1, 99.0), (7, 99.0)]);
    }

    #[test]
    fn without_the_evaluation_of_the_best_the_trace_tells_it_or_it_is_the_last() {
        let unknown = (50, Some(2.0), None);
        assert_eq!(course(unknown, &[(1, 9.0), (20, 2.0)]).0, [(1, 9.0), (20, 2.0), (50, 2.0)]);
        assert_eq!(course(unknown, &[]).0, [(1, 99.0), (50, 2.0)]);
    }

    proptest! {
        #[test]
        fn whatever_the_points_a_reader_can_split_the_runs(
            evaluations in 0u64..30,
            best in proptest::option::of(-3i8..9),
            at in proptest::option::of(0u64..40),
            points in proptest::collection::vec((0u64..40, -5i8..12), 0..12),
        ) {
            let ends = (evaluations, best.map(f64::from), at);
            let points: Vec<(u64, f64)> = points.into_iter().map(|(at, y)| (at, y.into())).collect();
            let (rows, course) = course(ends, &points);
            prop_assert_eq!(rows[0].0, 1);
            prop_assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1), "{:?}", rows);
            let last = rows[rows.len() - 1];
            prop_assert_eq!(last, (evaluations.max(1), best.map_or(99.0, f64::from)));
            prop_assert!(rows.contains(&(course.evaluations_to_best, course.best)), "{:?} {:?}", rows, course);
            if let Some((at, _)) = best.and(at.zip(best)) {
                prop_assert!(course.evaluations_to_best >= at.min(last.0), "{:?}", course);
            }
        }
    }
}

//! The tracer observes a run and keeps a limited number of points of its course.

use evogrid_core::family::Direction;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::{Observer, Progress};
use evogrid_core::population::Population;
use evogrid_results::trace::{Point, ThinnedPoints, Trace, Trigger};

/// An observer that records the trace of one run.
#[derive(Debug)]
pub(crate) struct Tracer {
    trigger: Trigger,
    direction: Direction,
    /// The layout of the problem; needed only if the trigger observes populations.
    layout: Option<Layout>,
    moments: ThinnedPoints,
    last_improvement: Option<Point>,
    /// Working memory.
    counts: Vec<u32>,
}

impl Tracer {
    /// A tracer that records the points of this trigger, on a problem of this direction.
    pub(crate) fn new(trigger: Trigger, direction: Direction) -> Self {
        Self {
            trigger,
            direction,
            layout: None,
            moments: ThinnedPoints::default(),
            last_improvement: None,
            counts: Vec::new(),
        }
    }

    /// Returns the trace. The trace always contains the last improvement, so that it ends with the best fitness of the run.
    pub(crate) fn finish(self) -> Trace {
        let (mut points, last) = (self.moments.kept, self.last_improvement);
        points.extend(last.filter(|last| points.last().is_none_or(|kept| kept.best_fitness > last.best_fitness)));
        for point in &mut points {
            point.best_fitness = self.direction.cost(point.best_fitness);
            point.mean_fitness = point.mean_fitness.map(|mean| self.direction.cost(mean));
        }
        // Unused memory is released, since thousands of records may wait for the journal.
        points.shrink_to_fit();
        Trace { trigger: self.trigger, points }
    }
}

impl Observer for Tracer {
    fn begin(&mut self, layout: &Layout) {
        if matches!(self.trigger, Trigger::Every(_)) {
            self.layout = Some(layout.clone());
        }
    }

    fn improved(&mut self, progress: &Progress, _genome: &[Allele]) {
        let Some(point) = point(progress) else { return };
        self.last_improvement = Some(point);
        if self.trigger == Trigger::Improvements && self.moments.is_next_kept() {
            self.moments.kept.push(point);
        }
    }

    fn generation(&mut self, progress: &Progress, population: Option<&Population>) {
        let Trigger::Every(every) = self.trigger else { return };
        let Some(point) = point(progress).filter(|_| progress.generations.is_multiple_of(every)) else { return };
        if self.moments.is_next_kept() {
            self.moments.kept.push(Point {
                mean_fitness: population.and_then(Population::mean_fitness).filter(|mean| mean.is_finite()),
                diversity: population
                    .zip(self.layout.as_ref())
                    .map(|(population, layout)| population.gene_diversity(layout, &mut self.counts)),
                ..point
            });
        }
    }
}

/// The point; `None` if there is no finite fitness yet.
fn point(progress: &Progress) -> Option<Point> {
    let Progress { evaluations, generations, best_fitness, .. } = *progress;
    let best_fitness = Some(best_fitness.value()).filter(|best| best.is_finite())?;
    Some(Point { evaluations, generation: generations, best_fitness, mean_fitness: None, diversity: None })
}

#[cfg(test)]
mod tests {
    use evogrid_results::trace::POINT_LIMIT;

    use super::*;

    fn progress(evaluations: u64, best_fitness: u32) -> Progress {
        Progress { evaluations, generations: evaluations / 10, restarts: 0, best_fitness: best_fitness.into() }
    }

    /// The evaluations at the points of a run of so many improvements.
    fn improvements(n: u32) -> Vec<u64> {
        let mut tracer = Tracer::new(Trigger::Improvements, Direction::Minimise);
        for number in 0..n {
            tracer.improved(&progress(number.into(), n - number), &[]);
        }
        let points = tracer.finish().points;
        assert!(points.windows(2).all(|pair| pair[0].best_fitness > pair[1].best_fitness), "{n} improvements");
        points.iter().map(|point| point.evaluations).collect()
    }

    #[test]
    fn a_trace_is_bounded_and_keeps_the_first_and_the_last_improvement() {
        assert_eq!(improvements(0), [0; 0]);
        assert_eq!(improvements(1), [0]);
        assert_eq!(improvements(999), (0..999).collect::<Vec<_>>());
        let thinned: Vec<u64> = (0..999).step_by(2).collect();
        assert_eq!(improvements(1000), [&thinned[..], &[999]].concat());
        for n in [1001, 1998, 1999, 2000, 4567, 100_000, 123_456] {
            let kept = improvements(n);
            assert!(kept.len() <= POINT_LIMIT && kept.len() > POINT_LIMIT / 2 - 1, "{n}: {}", kept.len());
            assert_eq!((kept[0], kept[kept.len() - 1]), (0, u64::from(n) - 1));
            let stride = kept[1];
            assert!(stride.is_power_of_two(), "{n}: {stride}");
            assert!(kept[..kept.len() - 1].windows(2).all(|pair| pair[1] - pair[0] == stride), "{n}");
        }
    }

    #[test]
    fn the_population_is_looked_at_every_so_many_generations() {
        let mut population = Population::with_capacity(2, 2);
        for (genome, fitness) in [([0, 1], 4), ([1, 0], 7)] {
            population.candidates(1).copy_from_slice(&genome);
            population.admit(fitness.into());
        }
        let mut tracer = Tracer::new(Trigger::Every(3), Direction::Minimise);
        tracer.begin(&Layout::new(2, &[None, None]).unwrap());
        for generation in 1..=7 {
            tracer.improved(&progress(generation * 10 - 5, 20 - generation as u32), &[]);
            tracer.generation(&progress(generation * 10, 20 - generation as u32), Some(&population));
        }
        let seen = |evaluations, best_fitness| Point {
            mean_fitness: Some(5.5),
            diversity: Some(0.5),
            ..point(&progress(evaluations, best_fitness)).unwrap()
        };
        let last = point(&progress(65, 13)).unwrap();
        assert_eq!(tracer.finish().points, [seen(30, 17), seen(60, 14), last]);
    }
}

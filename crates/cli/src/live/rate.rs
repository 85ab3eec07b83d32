//! The rate at which runs finish, over the last looks at which a process was alive.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::state::Speed;

/// The period over which the rate is measured.
const RATE_TIME: Duration = Duration::from_mins(1);

/// The numbers of runs at the last looks, starting with the first look at which a process was alive.
#[derive(Debug, Default)]
pub(crate) struct RateWindow {
    counts: VecDeque<(Instant, u64)>,
}

impl RateWindow {
    /// Adds a look. Time without a living process is not counted: the window starts again after it.
    pub(crate) fn add(&mut self, at: Instant, n_runs: u64, is_any_alive: bool) {
        if !is_any_alive {
            self.counts.clear();
            return;
        }
        self.counts.push_back((at, n_runs));
        while self.counts.len() > 2 && self.counts.get(1).is_some_and(|(one, _)| at.duration_since(*one) > RATE_TIME) {
            self.counts.pop_front();
        }
    }

    /// The rate of runs in the window; `None` before the second look.
    pub(crate) fn speed(&self) -> Option<Speed> {
        let ((first, before), (last, now)) = (self.counts.front()?, self.counts.back()?);
        let seconds = last.duration_since(*first).as_secs_f64();
        (seconds > 0.0).then(|| Speed { n_runs: now - before, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_without_a_living_process_is_not_counted() {
        let (begin, mut window) = (Instant::now(), RateWindow::default());
        let mut add = |second: u64, n_runs, is_any_alive| {
            window.add(begin + Duration::from_secs(second), n_runs, is_any_alive);
            window.speed()
        };
        assert_eq!(add(0, 5, true), None);
        assert_eq!(add(10, 105, true), Some(Speed { n_runs: 100, seconds: 10.0 }));
        assert_eq!(add(12, 110, false), None);
        assert_eq!(add(22, 110, true), None);
        assert_eq!(add(24, 150, true), Some(Speed { n_runs: 40, seconds: 2.0 }));
        // The window is no longer than it takes to have a minute in it.
        assert_eq!(add(70, 200, true), Some(Speed { n_runs: 90, seconds: 48.0 }));
        assert_eq!(add(90, 300, true), Some(Speed { n_runs: 150, seconds: 66.0 }));
    }
}

//! Progress: bars on a terminal, a line from time to time elsewhere. All of it goes to standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use evogrid_results::format::wrapped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::engine::finished_runs::RunCounts;
use crate::experiment::diagnostic::printable;
use crate::system::numbers::duration;
use crate::system::terminal::{error_width, fitted};

/// Width of a note's lines, in characters.
const NOTE_WIDTH: usize = 80;

/// Time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows the progress of an execution to the user.
pub struct Progress {
    total: u64,
    done: u64,
    /// Of the runs that say whether they were solved: how many were, and how many there are.
    solved: u64,
    judged: u64,
    started: Instant,
    display: ProgressDisplay,
}

enum ProgressDisplay {
    Bar(ProgressBar),
    Lines { last: Instant },
    Nothing,
}

impl Progress {
    /// The progress of `total` runs: a bar if standard error is a terminal, otherwise lines, and nothing if `quiet`.
    #[must_use]
    pub fn new(total: u64, quiet: bool) -> Self {
        let display = if quiet {
            ProgressDisplay::Nothing
        } else if std::io::stderr().is_terminal() {
            ProgressDisplay::Bar(bar(total, "{wide_bar} {human_pos}/{human_len} runs, {msg}"))
        } else {
            ProgressDisplay::Lines { last: Instant::now() }
        };
        Self { total, done: 0, solved: 0, judged: 0, started: Instant::now(), display }
    }

    /// Counts finished runs.
    pub(crate) fn add(&mut self, runs: &RunCounts) {
        self.done += runs.done;
        self.solved += runs.solved;
        self.judged += runs.judged;
    }

    /// Shows the progress; `found` runs of the plan were already finished.
    pub fn show(&mut self, found: u64) {
        let open = self.total.saturating_sub(found + self.done);
        let ahead = time_left(self.started.elapsed(), self.done, open) + &self.rate();
        match &mut self.display {
            ProgressDisplay::Bar(bar) => {
                // What was found took no time, so it must not count for the time left.
                bar.set_length(self.total.saturating_sub(found));
                bar.set_position(self.done);
                bar.set_message(ahead);
            }
            ProgressDisplay::Lines { last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                line(&format!("{}/{} runs, {ahead}", found + self.done, self.total));
            }
            ProgressDisplay::Lines { .. } | ProgressDisplay::Nothing => {}
        }
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        if let ProgressDisplay::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }

    /// The number of solved runs, preceded by a comma; empty if no run has a target.
    fn rate(&self) -> String {
        match (self.done, self.judged) {
            (0, _) => ", none solved yet".to_owned(),
            (_, 0) => String::new(),
            (_, judged) => format!(", {:.1} % solved", 100.0 * self.solved as f64 / judged as f64),
        }
    }
}

/// How long the open runs will take, from the runs that were done in this time: `12 s left`.
fn time_left(elapsed: Duration, done: u64, open: u64) -> String {
    if done == 0 && open > 0 {
        return "time left unknown".to_owned();
    }
    // Rounded up: where runs are left, so is a second.
    let seconds = (elapsed.as_secs_f64() * open as f64 / done.max(1) as f64).ceil();
    format!("{} left", if seconds < 100.0 { format!("{seconds} s") } else { duration(seconds) })
}

/// A progress bar on standard error; hidden if standard error is not a terminal.
#[must_use]
pub fn bar(total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8))
        .with_style(style.progress_chars("=> "))
}

/// Writes one or several [printable] lines to standard error. They are dropped if standard error is closed.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", fitted(&printable(text), error_width()));
}

/// Writes a note or a warning in lines of at most 80 characters to standard error; quoted names are not broken.
pub fn wrapped_line(text: &str) {
    line(&wrapped(text, error_width().unwrap_or(NOTE_WIDTH).min(NOTE_WIDTH) - 2).join("\n  "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_never_nothing_while_runs_are_left() {
        let left = |seconds, done, open| time_left(Duration::from_secs_f64(seconds), done, open);
        assert_eq!(left(0.1, 0, 8), "time left unknown");
        assert_eq!(left(5.0, 8, 0), "0 s left");
        assert_eq!(left(0.2, 100, 1), "1 s left");
        assert_eq!(left(10.0, 5, 20), "40 s left");
        assert_eq!(left(600.0, 1, 5), "50 min left");
    }
}

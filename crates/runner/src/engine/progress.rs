//! Shows the progress of runs on standard error. A terminal shows a bar, and other outputs get a line every ten seconds.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use evogrid_results::format::wrapped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::engine::finished_runs::Tally;
use crate::engine::forecast::{Forecast, runs_at_a_time};
use crate::experiment::diagnostic::printable;
use crate::system::numbers::grouped;
use crate::system::terminal::{error_width, fitted};

/// Width of a note's lines, in characters.
const NOTE_WIDTH: usize = 80;

/// Time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Time between two forecasts on a terminal.
const BAR_INTERVAL: Duration = Duration::from_secs(1);

/// Shows the progress of an execution to the user.
pub struct Progress {
    /// The number of runs that the execution has to do.
    pub(crate) total: u64,
    /// The number of runs that were done when the progress was shown last.
    n_done: u64,
    has_told_failure: bool,
    started: Instant,
    /// The time of the last finished run.
    finished: Instant,
    /// The time at which the time left was shown last.
    shown: Option<Instant>,
    /// The bar; `None` if lines are written, or nothing.
    bar: Option<ProgressBar>,
    quiet: bool,
}

impl Progress {
    /// Starts to show the progress of `total` runs. A terminal shows a bar, and other outputs get lines. If `quiet` is true, nothing is
    /// shown.
    pub fn new(total: u64, quiet: bool) -> Self {
        let now = Instant::now();
        let is_drawn = !quiet && std::io::stderr().is_terminal();
        let bar = is_drawn.then(|| bar(total, "{wide_bar} {human_pos}/{human_len} runs{msg}"));
        let shown = (!is_drawn).then_some(now);
        Self { total, n_done: 0, has_told_failure: false, started: now, finished: now, shown, bar, quiet }
    }

    /// Shows the progress. `forecast` gets the number of simultaneous runs and the seconds since the last finished run, and returns the
    /// time left. The message of the first failure is shown once.
    pub(crate) fn show(&mut self, tally: &Tally, jobs: usize, forecast: impl FnOnce(f64, f64) -> Option<Forecast>) {
        if std::mem::replace(&mut self.n_done, tally.done) < tally.done {
            self.finished = Instant::now();
        }
        if self.quiet {
            return;
        }
        let interval = match &self.bar {
            Some(bar) => {
                // Runs that were found in the journal took no time, so they do not count in the bar.
                bar.set_length(self.total.saturating_sub(tally.found));
                bar.set_position(tally.done);
                BAR_INTERVAL
            }
            None => LINE_INTERVAL,
        };
        if let Some(failure) = tally.first_failure.as_ref().filter(|_| !self.has_told_failure) {
            let text = format!("first failure: {failure}");
            self.bar.as_ref().map_or_else(|| line(&text), |bar| bar.suspend(|| line(&text)));
            self.has_told_failure = true;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < interval) {
            return;
        }
        self.shown = Some(Instant::now());
        let [elapsed, silent] = [self.started, self.finished].map(|since| since.elapsed().as_secs_f64());
        let at_a_time = runs_at_a_time(jobs as f64, tally.done, tally.seconds, elapsed - silent);
        let remarks = remarks(tally, &Forecast::text(forecast(at_a_time, silent).as_ref()));
        match &self.bar {
            Some(bar) => bar.set_message(remarks),
            None => line(&format!("{}/{} runs{remarks}", tally.found + tally.done, self.total)),
        }
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// The remarks after the number of runs: `, 2 failed, 85.0 % solved; time left: 12 s, likely 10 s to 15 s`.
fn remarks(counts: &Tally, time_left: &str) -> String {
    let failed = if counts.failed > 0 { format!(", {} failed", grouped(counts.failed)) } else { String::new() };
    let solved = match counts.judged {
        0 => String::new(),
        judged => format!(", {:.1} % solved", 100.0 * counts.solved as f64 / judged as f64),
    };
    format!("{failed}{solved}; time left: {time_left}")
}

/// Creates a progress bar on standard error. The bar is hidden if standard error is not a terminal.
pub fn bar(total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template of the progress bar is valid");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8))
        .with_style(style.progress_chars("=> "))
}

/// Writes one or several [printable] lines to standard error. If standard error is closed, nothing is written.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", fitted(&printable(text), error_width()));
}

/// Writes a note or a warning to standard error. A line has at most 80 characters. Lines are never broken within a quoted name.
pub fn wrapped_line(text: &str) {
    line(&wrapped(text, error_width().unwrap_or(NOTE_WIDTH).min(NOTE_WIDTH) - 2).join("\n  "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_solved_runs_stand_before_the_time_left() {
        let counts = Tally { done: 40, solved: 34, judged: 40, failed: 1200, ..Tally::default() };
        assert_eq!(remarks(&counts, "9 s"), ", 1,200 failed, 85.0 % solved; time left: 9 s");
        assert_eq!(remarks(&Tally::default(), "unknown"), "; time left: unknown");
        assert_eq!(remarks(&Tally { done: 1, ..Tally::default() }, "1 s"), "; time left: 1 s");
    }
}

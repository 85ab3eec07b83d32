//! Progress: bars on a terminal, a line now and then elsewhere. All of it goes to standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use evogrid_results::record::Record;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::diagnostic::printable;

/// Time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// How far an execution has come, for a person to see.
pub struct Progress {
    total: u64,
    done: u64,
    solved: u64,
    display: ProgressDisplay,
}

enum ProgressDisplay {
    Bar(ProgressBar),
    Lines { started: Instant, last: Instant },
    Nothing,
}

impl Progress {
    /// Progress of `total` runs: a bar if standard error is a terminal, lines if not, nothing if `quiet`.
    #[must_use]
    pub fn new(total: u64, quiet: bool) -> Self {
        let display = if quiet {
            ProgressDisplay::Nothing
        } else if std::io::stderr().is_terminal() {
            ProgressDisplay::Bar(bar(total, "{wide_bar} {human_pos}/{human_len} runs, {eta_precise} left, {msg}"))
        } else {
            ProgressDisplay::Lines { started: Instant::now(), last: Instant::now() }
        };
        Self { total, done: 0, solved: 0, display }
    }

    /// Counts a finished run.
    pub fn record(&mut self, record: &Record) {
        self.done += 1;
        self.solved += u64::from(record.outcome.solved);
    }

    /// Shows how far it has come; `found` runs of the plan were there before.
    pub fn show(&mut self, found: u64) {
        let rate = self.rate();
        match &mut self.display {
            ProgressDisplay::Bar(bar) => {
                // What was found took no time, so it must not count for the time left.
                bar.set_length(self.total.saturating_sub(found));
                bar.set_position(self.done);
                bar.set_message(rate);
            }
            ProgressDisplay::Lines { started, last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                let open = self.total.saturating_sub(found + self.done);
                let left = started.elapsed().as_secs_f64() * open as f64 / self.done.max(1) as f64;
                line(&format!("{}/{} runs, {left:.0} s left, {rate}", found + self.done, self.total));
            }
            ProgressDisplay::Lines { .. } | ProgressDisplay::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let ProgressDisplay::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }

    fn rate(&self) -> String {
        match self.done {
            0 => "none solved yet".to_owned(),
            done => format!("{:.1} % solved", 100.0 * self.solved as f64 / done as f64),
        }
    }
}

/// A bar on standard error, hidden where that is no terminal.
#[must_use]
pub fn bar(total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8))
        .with_style(style.progress_chars("=> "))
}

/// Writes a line, or several, to standard error, whatever stands in them made [printable]. If that is closed, they
/// are dropped.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

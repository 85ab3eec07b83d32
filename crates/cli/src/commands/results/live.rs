//! `runner live`: shows the progress of an experiment on the terminal and as a page, while other processes do its runs.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use console::Term;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Marks, Room};
use evogrid_results::journal::JournalError;

use crate::arguments::LiveArgs;
use crate::live::{LiveState, Phase, Watch, page, text};
use crate::messages::screen::Screen;
use crate::messages::{UsageError, print_to_reader, program, unrun};
use evogrid_runner::engine::signals::{Signal, Signals};

/// The time between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(100);

/// The width of the text in columns if standard output is not a terminal.
const PLAIN_COLUMNS: usize = 80;

/// Watches until the experiment finishes, a signal arrives, or the reader closes the output.
pub(crate) fn live(args: &LiveArgs, catalogue: Catalogue) -> Result<ExitCode> {
    for folder in &args.folders {
        ensure!(folder.extension().is_none_or(|extension| extension != "toml"), unrun(folder));
        let message = format!(
            "{} is not a results folder: it has no manifest.json\n  `{} run` writes the manifest when it begins",
            folder.display(),
            program::name()
        );
        ensure!(folder.join("manifest.json").exists(), UsageError(message));
    }
    let signals = Signals::listen()?;
    let interval = (!args.once).then(|| Duration::from_secs(args.every));
    let opened = Watch::open(&args.folders, catalogue, interval);
    let mut watch = opened.map_err(|error| UsageError(format!("{error:#}")))?;
    let mut display = Display::new(args.once);
    loop {
        let began = Instant::now();
        let signal = match look(&mut watch, &mut display, args, &signals) {
            Ok(true) => {
                display.leave();
                return Ok(ExitCode::SUCCESS);
            }
            Ok(false) => wait(&signals, began + Duration::from_secs(args.every)),
            Err(error) => match signals.received() {
                Some(signal) if matches!(error.downcast_ref(), Some(JournalError::Cancelled)) => {
                    return Ok(ExitCode::from(signal.exit_status()));
                }
                _ => return Err(error),
            },
        };
        if let Some(signal) = signal {
            display.leave();
            if let Some(path) = &args.html {
                // The last page does not reload itself.
                watch.end();
                page::write(path, &watch.look(&|| false)?)?;
            }
            return Ok(ExitCode::from(signal.exit_status()));
        }
    }
}

/// Shows the state once. Returns true if no further look is needed.
fn look(watch: &mut Watch, display: &mut Display, args: &LiveArgs, signals: &Signals) -> Result<bool> {
    let state = watch.look(&|| signals.received().is_some())?;
    if let Some(path) = &args.html {
        page::write(path, &state)?;
    }
    display.show(&state)?;
    let is_unread = matches!(display, Display::Closed) && args.html.is_none();
    Ok(args.once || state.phase == Phase::Finished || is_unread)
}

/// Waits until this time, or until a signal arrives.
fn wait(signals: &Signals, until: Instant) -> Option<Signal> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if signals.received().is_some() || left.is_zero() {
            return signals.received();
        }
        thread::sleep(left.min(SIGNAL_INTERVAL));
    }
}

/// How states are shown.
enum Display {
    /// On a terminal, each state replaces the state before it.
    InPlace(Screen),
    /// Without a terminal, the whole text comes first, and then one line for each change.
    Lines { last: Option<(u64, u64, Phase)> },
    /// Nothing is written, because the reader has closed standard output.
    Closed,
}

impl Display {
    fn new(is_once: bool) -> Self {
        let term = Term::stdout();
        let is_drawn = std::io::stdout().is_terminal() && !console::is_dumb() && !is_once;
        if is_drawn { Self::InPlace(Screen::open(term)) } else { Self::Lines { last: None } }
    }

    fn show(&mut self, state: &LiveState<'_>) -> Result<()> {
        match self {
            Self::InPlace(screen) => {
                let Room { columns, rows } = screen.room();
                screen.draw(&text::view(state, columns, rows, screen.marks == Marks::Colour));
            }
            Self::Lines { last } => {
                let present = Some((state.runs.done, state.runs.failed, state.phase));
                let lines = if last.is_none() {
                    let columns = evogrid_runner::system::terminal::output_width().unwrap_or(PLAIN_COLUMNS);
                    text::view(state, columns, usize::MAX, false)
                } else if *last != present {
                    let advice =
                        if last.is_some_and(|(.., phase)| phase != state.phase) { state.advice() } else { Vec::new() };
                    let advice = advice.iter().map(|line| format!("  {line}"));
                    std::iter::once(text::line(state)).chain(advice).collect()
                } else {
                    return Ok(());
                };
                *last = present;
                if !print_to_reader(&(lines.join("\n") + "\n"))? {
                    *self = Self::Closed;
                }
            }
            Self::Closed => {}
        }
        Ok(())
    }

    /// Leaves the text on the screen.
    fn leave(&mut self) {
        if let Self::InPlace(screen) = self {
            screen.leave();
        }
    }
}

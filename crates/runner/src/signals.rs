//! Signals that ask the process to stop: politely, noticed between two runs, or at once.

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::low_level;

use crate::external;

/// How often a process that does nothing else about signals looks for them.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// How long an end at once waits for external programs to be killed: one may just be starting from a disk that does not answer.
const KILL_TIME: Duration = Duration::from_secs(1);

/// A signal that ends an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The terminal was closed, or the connection to it lost.
    Hangup,
    /// A polite kill, as from a cluster's scheduler: SIGTERM, SIGUSR1, SIGUSR2 or SIGXCPU, some of which are sent before a limit.
    Terminate,
}

impl Signal {
    /// The exit status after it: 128 and the number of SIGINT, SIGHUP or SIGTERM.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            Signal::Interrupt => 130,
            Signal::Hangup => 129,
            Signal::Terminate => 143,
        }
    }
}

/// The end of reading or writing files by a signal; each of them is as it was, or whole.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interruption(pub Signal);

/// The signals received so far.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Handles signals from now on. A second Ctrl-C, or a SIGQUIT, then ends the process at once, and all external programs in flight
    /// with it: what is in the journal stays there.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> Result<Self> {
        let signals = Self::default();
        end_at_once_when_asked_to().context("signals cannot be handled")?;
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU] {
            // `nohup` lets a process outlive its terminal.
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), signal as usize)
                .context("signals cannot be handled")?;
        }
        Ok(signals)
    }

    /// Ends the process on a signal, and all external programs in flight with it: for commands that have nothing to keep.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn end_process() -> Result<()> {
        let signals = Self::listen()?;
        let wait = move || loop {
            if let Some(signal) = signals.received() {
                external::end_all_and(|| low_level::exit(signal.exit_status().into()));
            }
            thread::sleep(LOOK_INTERVAL);
        };
        thread::Builder::new().name("signals".to_owned()).spawn(wait).context("no thread can be had")?;
        Ok(())
    }

    /// The signal that was received last, if one was.
    #[must_use]
    pub fn received(&self) -> Option<Signal> {
        match self.0.load(Ordering::Relaxed) as i32 {
            0 => None,
            SIGINT => Some(Signal::Interrupt),
            SIGHUP => Some(Signal::Hangup),
            _ => Some(Signal::Terminate),
        }
    }

    /// Goes on unless a signal was received.
    ///
    /// # Errors
    /// The signal.
    pub fn check(&self) -> Result<(), Interruption> {
        self.received().map_or(Ok(()), |signal| Err(Interruption(signal)))
    }
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail as one to a full disk does, instead of ending the process.
/// External programs keep the system's way.
pub(crate) fn survive_the_limit_on_file_size() {
    // Where the system does not let it, the process ends as it would have.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Waits, in a thread of its own, for a second SIGINT or a SIGQUIT.
///
/// Each SIGINT writes a byte to a pipe and each SIGQUIT two, so that none is lost while an earlier one is dealt with.
fn end_at_once_when_asked_to() -> std::io::Result<()> {
    let (mut asked, pipe) = UnixStream::pair()?;
    let last = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGQUIT] {
        signal_hook::flag::register_usize(signal, Arc::clone(&last), signal as usize)?;
    }
    for signal in [SIGINT, SIGQUIT, SIGQUIT] {
        low_level::pipe::register(signal, pipe.try_clone()?)?;
    }
    let wait = move || {
        if asked.read_exact(&mut [0; 2]).is_err() {
            return;
        }
        let exit = move || low_level::exit(128 + last.load(Ordering::Relaxed) as i32);
        let exit_in_any_case = exit.clone();
        if thread::Builder::new().spawn(move || external::end_all_and(exit)).is_ok() {
            thread::sleep(KILL_TIME);
        }
        exit_in_any_case();
    };
    thread::Builder::new().name("second signal".to_owned()).spawn(wait)?;
    Ok(())
}

/// Whether the process was started with a signal ignored, where the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

//! Handles signals that ask the process to stop. After the first signal, the process saves finished runs and stops. A second Ctrl-C stops
//! the process immediately.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::low_level;

use crate::external;
use crate::system::platform::{HANGUPS, INTERRUPTS, TERMINATIONS, end_on_second_interrupt, is_ignored};

/// The interval at which a command without other signal handling checks for signals.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// The time for which an immediate end waits until external programs are killed. A program may just be starting from a slow disk.
const KILL_TIME: Duration = Duration::from_secs(1);

/// A signal that ends an execution. The integer value of a variant, such as 130, is the exit status of a process that the signal has ended.
/// For SIGINT, SIGHUP and SIGTERM, the exit status is 128 plus the number of the signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt = 130,
    /// SIGHUP: the terminal was closed, or the connection to it was lost.
    Hangup = 129,
    /// A request to end: SIGTERM, SIGUSR1, SIGUSR2 or SIGXCPU. The scheduler of a cluster may send one of these four signals. The scheduler
    /// may send some of these four signals shortly before a time limit.
    Terminate = 143,
}

impl Signal {
    /// Returns the exit status of a process that this signal ended.
    pub fn exit_status(self) -> u8 {
        self as u8
    }
}

/// The error if a signal arrived while files were read or written. Each file is either unchanged or complete.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interruption(pub Signal);

/// The last signal that the process received, as an exit status. The status is 0 if there was no signal.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Starts to handle signals. A second Ctrl-C or a SIGQUIT immediately ends the process and all its external programs. Runs that are
    /// already in the journal stay there.
    ///
    /// # Errors
    /// If the system does not allow handling signals.
    pub fn listen() -> Result<Self> {
        let signals = Self::default();
        end_on_second_interrupt(end_at_once).context("this process cannot handle signals such as Ctrl-C")?;
        let all = [(INTERRUPTS, Signal::Interrupt), (HANGUPS, Signal::Hangup), (TERMINATIONS, Signal::Terminate)];
        for (numbers, signal) in all {
            // `nohup` lets a process outlive its terminal.
            for &number in numbers.iter().filter(|&&number| signal != Signal::Hangup || !is_ignored(number)) {
                signal_hook::flag::register_usize(number, Arc::clone(&signals.0), signal as usize)
                    .context("this process cannot handle signals such as Ctrl-C")?;
            }
        }
        Ok(signals)
    }

    /// Waits in a separate thread for a signal. When a signal arrives, the waiting thread calls `clean_up`. Then the thread ends the
    /// process and all its external programs. This function is for commands that have no data to save.
    ///
    /// # Errors
    /// If the system does not allow handling signals.
    pub fn end_process(clean_up: impl Fn() + Send + 'static) -> Result<()> {
        let signals = Self::listen()?;
        let wait = move || loop {
            if let Some(signal) = signals.received() {
                clean_up();
                external::end_all_and(|| low_level::exit(signal.exit_status().into()));
            }
            thread::sleep(LOOK_INTERVAL);
        };
        thread::Builder::new().name("signals".to_owned()).spawn(wait).context("cannot start a thread")?;
        Ok(())
    }

    /// The last received signal, if any.
    pub fn received(&self) -> Option<Signal> {
        let status = self.0.load(Ordering::Relaxed);
        [Signal::Interrupt, Signal::Hangup, Signal::Terminate].into_iter().find(|&signal| signal as usize == status)
    }

    /// Checks that no signal was received.
    ///
    /// # Errors
    /// If a signal was received. The error contains the signal.
    pub fn check(&self) -> Result<(), Interruption> {
        self.received().map_or(Ok(()), |signal| Err(Interruption(signal)))
    }
}

/// Ends the process and all its external programs.
fn end_at_once(status: i32) {
    let exit = move || low_level::exit(status);
    if thread::Builder::new().spawn(move || external::end_all_and(exit)).is_ok() {
        thread::sleep(KILL_TIME);
    }
    exit();
}

//! Signals: a wish to stop, noticed between two runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::external;

/// How often a process that does nothing else about signals looks for them.
const LOOK: Duration = Duration::from_millis(100);

/// A signal that ends an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill, as from a cluster's scheduler: SIGTERM, or SIGUSR1 or SIGUSR2, which some of them send before a limit.
    Terminate,
}

impl Signal {
    /// The exit status that tells of it: 128 and the number of SIGINT or SIGTERM.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            Signal::Interrupt => 130,
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
    /// Begins to listen. A second Ctrl-C then ends the process at once: what is in the journal stays there.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
        let signals = Self::default();
        let is_second = Arc::new(AtomicBool::new(false));
        // The order matters: the first Ctrl-C finds the flag down and then raises it.
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&is_second))
            .and_then(|_| signal_hook::flag::register(SIGINT, is_second))
            .context("signals cannot be listened to")?;
        for signal in [SIGINT, SIGTERM, SIGUSR1, SIGUSR2] {
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), signal as usize)
                .context("signals cannot be listened to")?;
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
                external::end_all();
                std::process::exit(signal.exit_status().into());
            }
            std::thread::sleep(LOOK);
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("no thread can be had")?;
        Ok(())
    }

    /// The signal that was received last, if one was.
    #[must_use]
    pub fn received(&self) -> Option<Signal> {
        use signal_hook::consts::SIGINT;
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal if signal == SIGINT as usize => Some(Signal::Interrupt),
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

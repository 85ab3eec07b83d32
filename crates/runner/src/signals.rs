//! Signals: a wish to stop, noticed between two runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};

/// A signal that ends an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill, as from a cluster's scheduler.
    Terminate,
}

impl Signal {
    /// The exit status that tells of it: 128 and the signal's number.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            Signal::Interrupt => 130,
            Signal::Terminate => 143,
        }
    }
}

/// The signals received so far.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Begins to listen. A second Ctrl-C then ends the process at once: what is in the journal stays there.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn listen() -> Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let signals = Self::default();
        let is_second = Arc::new(AtomicBool::new(false));
        // The order matters: the first Ctrl-C finds the flag down and then raises it.
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&is_second))
            .and_then(|_| signal_hook::flag::register(SIGINT, is_second))
            .context("signals cannot be listened to")?;
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), signal as usize)
                .context("signals cannot be listened to")?;
        }
        Ok(signals)
    }

    /// The signal that was received, if one was.
    #[must_use]
    pub fn received(&self) -> Option<Signal> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        match i32::try_from(self.0.load(Ordering::Relaxed)) {
            Ok(SIGINT) => Some(Signal::Interrupt),
            Ok(SIGTERM) => Some(Signal::Terminate),
            _ => None,
        }
    }
}

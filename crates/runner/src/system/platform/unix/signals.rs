//! Handles the signals that end a process. A second signal ends the process at once.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::{flag, low_level};

/// Ctrl-C.
pub(crate) const INTERRUPTS: &[i32] = &[SIGINT];

/// The terminal was closed, or its connection was lost.
pub(crate) const HANGUPS: &[i32] = &[SIGHUP];

/// Requests to end, for example from the scheduler of a cluster; some are sent before a time limit.
pub(crate) const TERMINATIONS: &[i32] = &[SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU];

/// Prevents the operating system from ending this process when a file reaches the limit on file sizes (`ulimit -f`). If a write would make
/// a file larger than this limit, the write fails, as on a full disk. However, a write beyond the limit still ends an external program.
pub fn survive_the_limit_on_file_size() {
    // If the system refuses this, a write beyond the limit ends the process.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Waits in a separate thread for a second SIGINT or a SIGQUIT, and passes on the exit status for this signal.
///
/// Each SIGINT writes one byte to a pipe, and each SIGQUIT two bytes. So no signal is lost while an earlier signal is handled.
pub(crate) fn end_on_second_interrupt(end: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
    let (mut asked, pipe) = UnixStream::pair()?;
    let last = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGQUIT] {
        flag::register_usize(signal, Arc::clone(&last), signal as usize)?;
    }
    for signal in [SIGINT, SIGQUIT, SIGQUIT] {
        low_level::pipe::register(signal, pipe.try_clone()?)?;
    }
    let wait = move || {
        if asked.read_exact(&mut [0; 2]).is_ok() {
            end(128 + last.load(Ordering::Relaxed) as i32);
        }
    };
    thread::Builder::new().name("second signal".to_owned()).spawn(wait)?;
    Ok(())
}

/// Whether the process was started with this signal ignored, if the system reports it.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

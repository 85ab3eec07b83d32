//! Implements `--timing`: each physical core does one run at a time, after a warm-up. The thread that does the run stays on its core
//! (pinning).

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::system::clock::Stopwatch;
use crate::system::machine::{Machine, governing, known, mean_mhz};
use crate::system::numbers::counted;
use crate::system::platform::pin_thread;

/// The time for which all cores compute before the first run, so that they reach a steady clock rate.
const WARM_UP: Duration = Duration::from_secs(1);

/// The minimum share of processor time that the warm-up gets on cores without other work.
const OWN_SHARE: f64 = 0.95;

/// The cores on which runs are done if the times of the runs are measured.
///
/// Two runs never share a core, because each core uses only one hardware thread. If the system does not describe its cores, one run is done
/// at a time. If the cores are unknown, the system chooses the core of each run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The CPU of each thread, one for each core; empty if the CPUs are unknown.
    pub(crate) cpus: Vec<usize>,
}

/// The result of a warm-up.
#[derive(Clone, Debug, PartialEq)]
pub struct WarmUp {
    /// Whether every thread could be kept on its core.
    is_pinned: bool,
    /// The smallest share of a core's time that a warm-up thread got.
    share: Option<f64>,
}

impl Timing {
    /// Chooses the cores for `asked` simultaneous runs. If `asked` is `None`, the number of simultaneous runs is `granted`, but at most the
    /// number of physical cores.
    ///
    /// # Errors
    /// If `asked` exceeds the number of physical cores for this process.
    pub fn new(asked: Option<usize>, granted: usize) -> Result<Self> {
        Self::on(Machine::present().usable_cores(), asked, granted)
    }

    fn on(cores: Option<Vec<usize>>, asked: Option<usize>, granted: usize) -> Result<Self> {
        let n_cores = cores.as_ref().map_or(1, Vec::len);
        if let Some(asked) = asked.filter(|&asked| asked > n_cores) {
            let reason = match cores {
                Some(_) => format!("this process may use {}", counted(n_cores as u64, "physical core")),
                None => "this system does not report its cores".to_owned(),
            };
            let most = if cores.is_some() { "at most " } else { "" };
            bail!(
                "`--timing` does one run at a time on each physical core, but `--jobs` asks for {asked}: {reason}\n  \
                 expected {most}`--jobs {n_cores}`; or omit `--jobs` or `--timing`"
            );
        }
        let mut cpus = cores.unwrap_or_default();
        cpus.truncate(asked.unwrap_or(granted).max(1));
        Ok(Self { cpus })
    }

    /// The number of simultaneous runs.
    pub fn n_threads(&self) -> usize {
        self.cpus.len().max(1)
    }

    /// Binds the present thread, which has this number, to its core; returns false if that is impossible.
    pub(crate) fn pin(&self, thread: usize) -> bool {
        self.cpus.get(thread).is_some_and(|cpu| pin_thread(*cpu))
    }

    /// Computes on all cores for a while, in separate threads.
    pub(crate) fn warm_up(&self) -> WarmUp {
        let warm_up = |number| {
            let is_pinned = self.pin(number);
            let (stopwatch, begun, mut bits) = (Stopwatch::start(), Instant::now(), 1u64);
            while begun.elapsed() < WARM_UP {
                for _ in 0..10_000 {
                    bits = black_box(bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
                }
            }
            (is_pinned, stopwatch.cpu_ms().map(|cpu_ms| cpu_ms / stopwatch.wall_ms()))
        };
        let of_threads: Vec<(bool, Option<f64>)> = thread::scope(|scope| {
            let threads: Vec<_> = (0..self.n_threads()).map(|number| scope.spawn(move || warm_up(number))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it only computes")).collect()
        });
        let shares: Option<Vec<f64>> = of_threads.iter().map(|(_, share)| *share).collect();
        WarmUp {
            is_pinned: of_threads.iter().all(|(is_pinned, _)| *is_pinned),
            share: shares.and_then(|shares| shares.into_iter().reduce(f64::min)),
        }
    }

    /// A sentence that says how runs are timed.
    pub(crate) fn announcement(&self) -> String {
        let warm_up = WARM_UP.as_secs();
        match self.cpus.as_slice() {
            [] => format!(
                "timing: one run at a time, because this system does not report its cores; the warm-up takes {warm_up} \
                 s"
            ),
            cpus => format!(
                "timing: one run at a time on {} ({} {}); runs of different settings alternate; the warm-up takes \
                 {warm_up} s",
                each_core(cpus.len() as u64),
                if cpus.len() == 1 { "CPU" } else { "CPUs" },
                cpus.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    /// The facts about the timing of a session, for the manifest.
    pub(crate) fn facts(&self, warm_up: &WarmUp, machine: &Machine) -> Value {
        json!({
            "cpus": known((!self.cpus.is_empty()).then_some(self.cpus.as_slice())),
            "pinned": warm_up.is_pinned,
            "order": "interleaved",
            "warm_up_seconds": WARM_UP.as_secs_f64(),
            "warm_up_share": known(warm_up.share.map(|share| (share * 1e3).round() / 1e3)),
            "frequency": governing(&machine.files, &self.cpus),
            "mhz": known(mean_mhz(&machine.files, &self.cpus)),
        })
    }
}

impl WarmUp {
    /// Reasons why wall times may be wrong.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let shared = self.share.filter(|&share| share < OWN_SHARE).map(|share| {
            format!(
                "warning: during the warm-up, other processes used {:.0} % of a core. Wall times may be too long: stop \
                 these processes, or compare processor times with `runner compare --metric cpu_ms`",
                100.0 * (1.0 - share)
            )
        });
        let unpinned = (!self.is_pinned).then(|| {
            "warning: wall times include the cost of moving threads: this system cannot bind a thread to a core"
                .to_owned()
        });
        shared.into_iter().chain(unpinned).collect()
    }
}

/// Returns a phrase for messages: `a physical core`, or `each of 2 physical cores`.
pub fn each_core(n_cores: u64) -> String {
    if n_cores == 1 { "a physical core".to_owned() } else { format!("each of {n_cores} physical cores") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_runs_at_a_time_than_physical_cores() {
        let on = |cores: &[usize], asked, granted| {
            Timing::on(Some(cores.to_vec()), asked, granted).ok().map(|timing| timing.cpus)
        };
        assert_eq!(on(&[0, 2, 4], None, 8), Some(vec![0, 2, 4]));
        assert_eq!(on(&[0, 2, 4], None, 2), Some(vec![0, 2]), "a scheduler grants fewer");
        assert_eq!(on(&[0, 2, 4], Some(3), 2), Some(vec![0, 2, 4]));
        assert_eq!(on(&[0, 2, 4], Some(4), 8), None);
        assert_eq!(Timing::on(None, None, 8).expect("one run at a time").n_threads(), 1);
    }

    #[test]
    fn what_cannot_be_done_is_said_with_what_to_do_instead() {
        let refused = |cores, asked| Timing::on(cores, Some(asked), 8).expect_err("too many");
        insta::assert_snapshot!(refused(Some(vec![0, 1, 2, 3]), 8), @r"
        `--timing` does one run at a time on each physical core, but `--jobs` asks for 8: this process may use 4 physical cores
          expected at most `--jobs 4`; or omit `--jobs` or `--timing`
        ");
        insta::assert_snapshot!(refused(None, 2), @r"
        `--timing` does one run at a time on each physical core, but `--jobs` asks for 2: this system does not report its cores
          expected `--jobs 1`; or omit `--jobs` or `--timing`
        ");
        insta::assert_snapshot!(WarmUp { is_pinned: false, share: Some(0.617) }.warnings().join("\n"), @r"
        warning: during the warm-up, other processes used 38 % of a core. Wall times may be too long: stop these processes, or compare processor times with `runner compare --metric cpu_ms`
        warning: wall times include the cost of moving threads: this system cannot bind a thread to a core
        ");
        assert!(WarmUp { is_pinned: true, share: Some(0.96) }.warnings().is_empty());
        assert!(WarmUp { is_pinned: true, share: None }.warnings().is_empty());
        insta::assert_snapshot!(Timing { cpus: vec![0, 2] }.announcement(), @"timing: one run at a time on each of 2 physical cores (CPUs 0, 2); runs of different settings alternate; the warm-up takes 1 s");
        insta::assert_snapshot!(Timing { cpus: vec![3] }.announcement(), @"timing: one run at a time on a physical core (CPU 3); runs of different settings alternate; the warm-up takes 1 s");
        insta::assert_snapshot!(Timing { cpus: Vec::new() }.announcement(), @"timing: one run at a time, because this system does not report its cores; the warm-up takes 1 s");
    }
}

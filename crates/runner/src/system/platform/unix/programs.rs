//! Running programs. Each program has its own process group, so that all processes that the program starts end together with the program.
//! All programs can be ended at once.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::Wait4;

use crate::system::platform::program_output::ProgramUsage;

/// The running programs. A thread that starts or reaps a program holds this lock, so that no other group with a reused number is killed.
static IN_FLIGHT: Mutex<InFlight> = Mutex::new(InFlight { groups: Vec::new(), is_over: false });

struct InFlight {
    groups: Vec<Pid>,
    is_over: bool,
}

/// Ends all running programs, and prevents new programs in this process. The function is called when this process is about to end, or gives
/// up its runs.
pub fn end_all() {
    end_all_and(|| ());
}

/// Ends all running programs, and calls a function before any thread notices that its program has ended. The function may end the process.
pub(crate) fn end_all_and(then: impl FnOnce()) {
    let mut in_flight = in_flight();
    in_flight.is_over = true;
    in_flight.groups.iter().for_each(|&group| kill(group));
    then();
}

/// A running program. When this value is dropped, the program and all processes in its group are ended.
pub(super) struct Program {
    /// The process; `None` after it was reaped, since its number may be reused then.
    child: Option<Child>,
    group: Pid,
}

impl Program {
    /// Starts a program.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut in_flight = in_flight();
        if in_flight.is_over {
            return Err(io::Error::other("the runner is stopping, and starts no more programs"));
        }
        let child = command.process_group(0).spawn()?;
        let group = Pid::from_child(&child);
        in_flight.groups.push(group);
        Ok(Self { child: Some(child), group })
    }

    /// Its process group.
    pub(super) fn group(&self) -> Pid {
        self.group
    }

    /// Takes the pipes to and from the program that were requested at its start. This works only once.
    pub(super) fn take_pipes(&mut self) -> [Option<OwnedFd>; 3] {
        let Some(child) = &mut self.child else { return [None, None, None] };
        [child.stdin.take().map(Into::into), child.stdout.take().map(Into::into), child.stderr.take().map(Into::into)]
    }

    /// Whether the program has ended by itself.
    pub(super) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that the system has reaped the program. Ending the program then fails with the reason.
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// Ends the program and its group. Returns its exit status, and the resources of the program and of the processes that it waited for.
    pub(super) fn end(mut self) -> io::Result<(ExitStatus, ProgramUsage)> {
        self.reap().unwrap_or_else(|| Err(io::Error::other("the program has already been ended")))
    }

    fn reap(&mut self) -> Option<io::Result<(ExitStatus, ProgramUsage)>> {
        let mut child = self.child.take()?;
        kill(self.group);
        // The program may have left its group.
        let _ = child.kill();
        // The program is waited for without the lock, and reaped later, so that its number stays reserved.
        let _ = waitid(WaitId::Pid(self.group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        let mut in_flight = in_flight();
        let ended = child.wait4();
        in_flight.groups.retain(|&group| group != self.group);
        Some(ended.map(|ended| {
            let cpu = ended.rusage.utime + ended.rusage.stime;
            // The largest resident memory that the system reports may belong to the process that started the program, so it is not used.
            (ended.status, ProgramUsage { cpu_ms: cpu.as_secs_f64() * 1e3, memory: 0 })
        }))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.reap();
    }
}

/// Locks the list. A panic while the lock is held leaves the list unchanged.
fn in_flight() -> MutexGuard<'static, InFlight> {
    IN_FLIGHT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills a process group. It is not an error if the group has no process left.
fn kill(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}

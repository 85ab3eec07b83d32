//! Keeps the server programs of a thread running: one server for each command. A server answers many runs, one after the other.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::reply::is_improvement;
use crate::system::platform::{Asked, ProgramLimits, ProgramOutput, Server};

/// The maximum number of servers that a thread keeps, since an experiment may have many commands.
const MOST_KEPT: usize = 4;

/// If servers end before they read a line, the line is sent to at most this number of servers.
const MOST_ATTEMPTS: usize = 3;

thread_local! {
    /// The waiting servers by their commands, each with the number of runs that it has answered. The servers end with the thread.
    static WAITING: RefCell<BTreeMap<Vec<String>, (Server, u64)>> = const { RefCell::new(BTreeMap::new()) };
}

/// The server of one command in this thread, taken out of the waiting servers for a run.
pub(super) struct ThreadServer {
    words: Vec<String>,
    server: Option<Server>,
    n_answered: u64,
    restart_after: u64,
}

impl ThreadServer {
    /// Takes the waiting server of a command, if there is one.
    pub(super) fn of_thread(words: Vec<String>, restart_after: u64) -> Self {
        let waiting = WAITING.with_borrow_mut(|waiting| waiting.remove(&words));
        let (server, n_answered) = waiting.map_or((None, 0), |(server, n_answered)| (Some(server), n_answered));
        Self { words, server, n_answered, restart_after }
    }

    /// Sends a line and waits for the answer. Starts the server if it is not running.
    ///
    /// # Errors
    /// The reason why the server cannot be started or asked.
    pub(super) fn ask(&mut self, line: &str, limits: &ProgramLimits) -> Result<ProgramOutput, String> {
        let mut last = None;
        for _ in 0..MOST_ATTEMPTS {
            let server = match self.server.take() {
                Some(server) => server,
                None => {
                    self.n_answered = 0;
                    Server::start(&self.words)?
                }
            };
            match server.ask(line, limits, |line| !is_improvement(line))? {
                Asked::Answered(output, server) => {
                    if output.n_answers() > 1 {
                        return Err("the server printed more than one answer: expected one line per run".to_owned());
                    }
                    self.server = server.map(|server| *server);
                    self.n_answered += 1;
                    return Ok(output);
                }
                Asked::NotReceived(output) => last = Some(output),
            }
        }
        let message = format!(
            "in each of {MOST_ATTEMPTS} attempts, the server ended too early: it did not read the line that \
                describes the run (on standard input)"
        );
        Err(last.map_or_else(
            || message.clone(),
            |output| {
                let end =
                    output.failure.as_ref().map_or_else(String::new, |failure| format!("; the last time, {failure}"));
                output.explained(&(message.clone() + &end))
            },
        ))
    }

    /// Lets the server wait for the next run.
    pub(super) fn keep(self) {
        let Some(server) = self.server.filter(|_| self.n_answered < self.restart_after) else { return };
        WAITING.with_borrow_mut(|waiting| {
            if waiting.len() == MOST_KEPT {
                waiting.pop_first();
            }
            waiting.insert(self.words, (server, self.n_answered));
        });
    }
}

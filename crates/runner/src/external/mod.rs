//! `kind = "external"`: a search in a separate program, written in any language. The module replaces placeholders in the command line of
//! the program, and starts the program. The program prints its solution in one line of JSON. The module evaluates the solution that the
//! program prints. `docs/external.md` describes the protocol.

mod answer;
mod check;
mod checker;
mod command;
mod declaration;
mod family;
mod instance;
mod reply;
mod search;
mod servers;

use evogrid_core::algorithm::Algorithm;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::parameter::Declaration;
use evogrid_core::registry::Member;

use declaration::{NAME, PARAMETERS};
use search::ExternalSearch;
pub use search::{Exchange, exchange};

pub use crate::system::platform::end_all;
pub(crate) use crate::system::platform::end_all_and;
pub use answer::outcome_of_output;
pub(crate) use check::checker_fault;
pub use check::faults;
pub use declaration::{command, is_program, is_server};
pub(crate) use family::CHECK;
pub use family::{ExternalFamily, checker_command};

/// Whether commands from files may be started. A file from an unknown source may contain a dangerous command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramPolicy {
    /// Commands are started.
    Start,
    /// Commands are not started; they are only printed.
    Refuse,
}

/// Adds the algorithm `external` to a catalogue. Every program ends by itself or at its timeout, so the algorithm needs no budget.
pub fn register(catalogue: &mut Catalogue) {
    catalogue.add_text_search(Member {
        declaration: Declaration {
            name: NAME,
            doc: "starts a program in any language, which answers with one line of JSON. Evogrid evaluates the \
                  solution in this answer",
            source: "docs/external.md",
            version: 1,
            needs: &[],
            parameters: PARAMETERS,
        },
        build: |settings, _| Ok(Box::new(Algorithm::Custom(Box::new(ExternalSearch::new(settings))))),
    });
}

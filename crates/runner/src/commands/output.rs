//! Standard output: what a command prints.

use std::io::{self, Write};

use crate::diagnostic::printable;
use crate::terminal::{fitted, output_width};

/// Writes text for people to standard output, whatever stands in it made [printable] and, on a terminal, as wide as that.
pub(super) fn print(text: &str) -> io::Result<()> {
    print_as_it_is(&fitted(&printable(text), output_width()))
}

/// Writes to standard output what cannot steer a terminal, or does so on purpose: tables, colours, files for other programs. A
/// reader who has seen enough and closed it is no error.
pub(super) fn print_as_it_is(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

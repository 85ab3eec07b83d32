//! `runner` with what a researcher adds to it, as a real process: the program of these tests, started again. Within the process of the tests
//! a command would handle their signals and leave threads behind.

use std::path::Path;
use std::process::Command;

use evogrid_cli::arguments::Cli;
use evogrid_cli::commands;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Direction;

use crate::experiment::extension;
use crate::wide_family::Wide;

/// What stands between the arguments of the process in its environment.
const SEPARATOR: char = '\u{1f}';

/// Where they stand, behind the name of what is added.
const ARGUMENTS: &str = "EVOGRID_TEST_ARGUMENTS";

/// What adds something to the catalogue.
type Addition = fn(&mut Catalogue);

/// What may be added, by name.
const ADDITIONS: [(&str, Addition); 6] = [
    ("wide", |catalogue| add_wide(catalogue, 0, Direction::Minimise)),
    ("wide, maximised", |catalogue| add_wide(catalogue, 0, Direction::Maximise)),
    ("wide, wrong fitness", |catalogue| add_wide(catalogue, 2, Direction::Minimise)),
    ("failing", |catalogue| extension::add_failing(catalogue, 1)),
    ("failing, version 2", |catalogue| extension::add_failing(catalogue, 2)),
    ("silent", extension::add_silent),
];

fn add_wide(catalogue: &mut Catalogue, fault: u32, direction: Direction) {
    catalogue.add_family(Box::new(Wide { fault, direction }));
}

/// `runner` with one of these, as a process of its own.
pub(crate) fn own_runner(addition: &str, folder: &Path, arguments: &[&str]) -> Command {
    let words = [&[addition], arguments].concat().join(&SEPARATOR.to_string());
    let mut command = Command::new(std::env::current_exe().expect("the test is a program"));
    command.args(["--exact", "own_runner::runner_process", "--ignored", "--nocapture"]);
    command.current_dir(folder).env(ARGUMENTS, words);
    command
}

#[test]
#[ignore = "the process that other tests start"]
fn runner_process() {
    let Ok(words) = std::env::var(ARGUMENTS) else { return };
    let (addition, arguments) = words.split_once(SEPARATOR).expect("a name and arguments");
    let (_, add) = ADDITIONS.into_iter().find(|(name, _)| *name == addition).expect("it is one of them");
    let mut catalogue = evogrid_cli::catalogue();
    add(&mut catalogue);
    let arguments = ["runner"].into_iter().chain(arguments.split(SEPARATOR)).map(Into::into).collect();
    let status = match commands::execute(Cli::read(arguments, &catalogue), catalogue) {
        Ok(status) => {
            let status = format!("{status:?}");
            status.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("it is a number")
        }
        Err(error) => {
            evogrid_runner::engine::progress::line(&format!("error: {error:#}"));
            1
        }
    };
    std::process::exit(status);
}

//! `runner solve`: one run on one board, to look at it or to repeat it.

mod setup;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use console::Term;
use evogrid_core::budget::Stop;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::Outcome;
use evogrid_core::identity::{Fingerprint, RunId};
use evogrid_core::instance::Instance;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Solve;
use evogrid_core::sudoku::{Board, Shape, exact, logic};

use super::rate::guess_limit;
use super::{Misused, counted, print_as_it_is, word};
use crate::boards::{self, Named, Source};
use crate::cli::SolveArgs;
use crate::clock::Stopwatch;
use crate::drawing::{self, Marks, Room};
use crate::external;
use crate::progress::line;
use crate::signals::Signals;
use crate::steps::{Steps, WithSteps};
use crate::watch::{Display, Noted, Watcher};
use evogrid_core::suggestion::one_of;
use setup::Setup;

pub(super) use setup::PROBLEM;

/// How often the drawing is renewed and signals are looked for.
const TICK: Duration = Duration::from_millis(100);

/// Solves a board.
pub(super) fn solve(args: &SolveArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let shape = args.shape.as_deref().map(parse_shape).transpose()?;
    let chosen = choose(boards::read(&args.board, shape)?, args)?;
    let board = &chosen.board;
    let setup = Setup::new(&args.algorithm, &args.sets, catalogue)?;
    let content = Fingerprint::of_instance(PROBLEM, &board.content());
    let run_id = RunId::new(&Fingerprint::of_settings(&setup.settings.canonical()), &content, args.seed);
    let say = |text: &str| {
        if !args.quiet {
            line(text);
        }
    };
    if !args.quiet {
        say(&solutions(board));
    }

    let signals = Signals::listen()?;
    let problem: Arc<dyn Solve> = Arc::from(board.prepare(&setup.settings));
    let noted = Arc::new(Noted::default());
    let title = format!("{}, {}, seed {}", args.algorithm, counted(board.n_givens() as u64, "given"), args.seed);
    let mut display = args.watch.then(|| Display::new(Arc::clone(&noted), board, &title));
    let mut steps = Steps::new(args.history.as_deref(), args.steps)?;
    let receiver = {
        let (sender, receiver) = sync_channel(1);
        let (problem, noted, seed, pace) = (Arc::clone(&problem), Arc::clone(&noted), args.seed, args.pace);
        let keeps_improvements = display.as_ref().is_some_and(Display::tells_improvements);
        let search = move || {
            let watcher = Watcher::new(noted, keeps_improvements, pace);
            let mut observer = WithSteps { observer: watcher, steps: &mut steps };
            let stopwatch = Stopwatch::start();
            let outcome =
                problem.solve(&setup.search, &setup.budget, &mut RandomStream::from_seed(seed), &mut observer);
            let _ = sender.send((outcome, stopwatch.wall_ms(), steps.finish()));
        };
        std::thread::Builder::new().name("search".to_owned()).spawn(search).context("no thread can be had")?;
        receiver
    };
    let finished = loop {
        match receiver.recv_timeout(TICK) {
            Ok(finished) => break Some(finished),
            Err(RecvTimeoutError::Timeout) if signals.received().is_some() => break None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the search failed; what it said stands above"),
        }
        if let Some(display) = &mut display {
            display.show(&*problem);
        }
    };
    if let Some(display) = &mut display {
        display.finish(&*problem);
    }

    let Some((outcome, wall_ms, n_steps)) = finished else {
        external::end_all();
        let signal = signals.received().expect("a signal ended the wait");
        if let Some((progress, genome)) = noted.best() {
            print_as_it_is(&drawn(board, &problem.describe(&genome)))?;
            let evaluations = counted(progress.evaluations, "evaluation");
            line(&format!("interrupted: best error {} after {evaluations}", progress.best_fitness.value()));
        }
        line(&format!("begin again with\n  {}", command(args, &chosen)));
        return Ok(ExitCode::from(signal.exit_status()));
    };
    if let Some(failure) = &outcome.failure {
        bail!("the search failed: {failure}");
    }
    // An exact search that finds nothing has no board to show but the one it was given.
    let nothing = outcome.best_genome.is_empty();
    let text = if nothing { board.to_string() } else { problem.describe(&outcome.best_genome) };
    let is_solved = Board::parse(&text, Some(board.shape())).is_ok_and(|found| found.solves(board));
    print_as_it_is(&drawn(board, &text))?;
    say(&summary(&outcome, wall_ms, is_solved));
    if let Some(path) = &args.history {
        say(&match n_steps? {
            0 => "warning: the history is empty: only a backtracking search has one (--algorithm arkieva)".to_owned(),
            n_steps => format!("{} in {}", counted(n_steps, "step"), path.display()),
        });
    }
    say(&format!("seed {}, run {run_id}; the same again:\n  {}", args.seed, command(args, &chosen)));
    Ok(if is_solved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The shape of a box that `--box` gives.
pub(super) fn parse_shape(text: &str) -> Result<Shape, Misused> {
    text.parse().map_err(|error| Misused(format!("--box {text}: {error}")))
}

/// The board that is meant.
fn choose(source: Source, args: &SolveArgs) -> Result<Named, Misused> {
    let mut boards = match (source, &args.id) {
        (Source::Argument(board), None) => return Ok(Named { id: String::new(), bucket: None, board }),
        (Source::Argument(_), Some(_)) => {
            let message = "`--id` chooses a board of a file, and the board is given itself\n  leave one of them out";
            return Err(Misused(message.to_owned()));
        }
        (Source::File(boards), _) => boards,
    };
    let names: Vec<&str> = boards.iter().map(|named| named.id.as_str()).collect();
    let found = match &args.id {
        None if boards.len() == 1 => Some(0),
        None => {
            let first = names.iter().take(3).copied().collect::<Vec<_>>().join(", ");
            let message = format!(
                "{} holds {} boards: {first}, ...\n  choose one, as in --id {}",
                args.board,
                boards.len(),
                word(names[0].as_ref())
            );
            return Err(Misused(message));
        }
        Some(id) => names.iter().position(|name| name == id),
    };
    match (found, &args.id) {
        (Some(found), _) => Ok(boards.swap_remove(found)),
        (None, id) => {
            let id = id.as_deref().unwrap_or_default();
            let shown = &names[..names.len().min(12)];
            let help = match evogrid_core::suggestion::nearest(id, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if shown.len() == names.len() => one_of(id, shown),
                None => format!("it holds {} others, the first is `{}`", names.len(), names[0]),
            };
            Err(Misused(format!("{} holds no board `{id}`\n  {help}", args.board)))
        }
    }
}

/// Whether the board has one solution, none or several.
fn solutions(board: &Board) -> String {
    let shape = board.shape();
    match exact::Search::new(shape).with_node_limit(guess_limit(shape) / 10).count(board, 2) {
        Ok(1) => "the board has one solution".to_owned(),
        Ok(0) => {
            let why = logic::propagate(board).err().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("warning: the board has no solution{why}; the search can only come near one")
        }
        Ok(_) => "warning: the board has several solutions; the search takes the first it meets".to_owned(),
        Err(limit) => format!("whether the board has one solution is not known after {} guesses", limit.nodes),
    }
}

/// The board as a grid, errors in red where standard output shows colours.
fn drawn(givens: &Board, text: &str) -> String {
    let is_coloured = Term::stdout().features().colors_supported();
    let cells: Vec<char> = text.chars().collect();
    drawing::board(givens, &cells, if is_coloured { Marks::Colour } else { Marks::None }, Room::ANY).join("\n") + "\n"
}

/// How the run went, in a line.
fn summary(outcome: &Outcome, wall_ms: f64, is_solved: bool) -> String {
    let verdict = match (is_solved, outcome.stop) {
        (true, _) => "solved".to_owned(),
        // An own target in the budget may be no solution.
        (false, Stop::Target) => {
            format!("the target is reached, the board not solved: error {}", outcome.best_fitness.value())
        }
        (false, Stop::Exhausted) => "not solved, everything was searched".to_owned(),
        (false, _) if outcome.best_genome.is_empty() => "not solved, nothing was evaluated".to_owned(),
        (false, _) => format!("not solved, best error {}", outcome.best_fitness.value()),
    };
    format!(
        "{verdict}: {}, {}, {}, {:.3} s, stop: {}",
        counted(outcome.evaluations, "evaluation"),
        counted(outcome.generations, "generation"),
        counted(outcome.restarts, "restart"),
        wall_ms / 1e3,
        outcome.stop
    )
}

/// The command that does this again.
fn command(args: &SolveArgs, chosen: &Named) -> String {
    let word = |text: &str| word(text.as_ref());
    let mut command = if args.board == "-" || chosen.id.is_empty() {
        format!("runner solve {}", chosen.board)
    } else {
        format!("runner solve {} --id {}", word(&args.board), word(&chosen.id))
    };
    if Shape::square_for(chosen.board.shape().side()) != Some(chosen.board.shape()) {
        command.push_str(&format!(" --box {}", chosen.board.shape()));
    }
    command.push_str(&format!(" --algorithm {}", word(&args.algorithm)));
    for set in &args.sets {
        command.push_str(&format!(" --set {}", word(set)));
    }
    command + &format!(" --seed {}", args.seed)
}

//! `runner rate`: how hard boards are, by several measures.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::{Fingerprint, run_seed};
use evogrid_core::instance::Instance;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Algorithm;
use evogrid_core::settings::{Settings, Value};
use evogrid_core::sudoku::generate::BUCKETS;
use evogrid_core::sudoku::{Board, Shape, exact, logic};
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::solve::{PROBLEM, parse_shape};
use super::{grouped, jobs, print, print_as_it_is};
use crate::boards::{Named, read_file};
use crate::cli::{RateArgs, RateFormat};
use crate::progress::bar;

/// The reference search's settings and budget, McCaffrey's but for the acceptance. Changing them changes every rating.
const REFERENCE: [(&str, Value); 6] = [
    ("organisms", Value::Integer(200)),
    ("explorers", Value::Real(0.1)),
    ("mistake", Value::Real(0.001)),
    ("max_age", Value::Integer(1000)),
    ("budget.generations", Value::Integer(5000)),
    ("budget.restarts", Value::Integer(20)),
];

/// The seed that the reference search's seeds follow from.
const SEED: u64 = 0;

/// Rates the boards of a file.
pub(super) fn rate(args: &RateArgs, catalogue: &Catalogue) -> Result<ExitCode> {
    let shape = args.shape.as_deref().map(parse_shape).transpose()?;
    let boards = read_file(&args.file, shape)?;
    let reference = Reference::new(catalogue);
    let steps = boards.len() as u64 * (1 + u64::from(args.runs));
    let progress = bar(steps, "{wide_bar} {percent} %, {eta_precise} left");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs(args.jobs)).build().context("no threads can be had")?;
    let ratings: Vec<Rating> = pool.install(|| {
        boards.par_iter().map(|named| Rating::of(&named.board, &reference, args.runs, &progress)).collect()
    });
    progress.finish_and_clear();
    match args.format {
        RateFormat::Csv => print_as_it_is(&csv(&boards, &ratings, args.runs)?)?,
        RateFormat::Text => print(&text(&boards, &ratings, args.runs))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The search that every board is measured by: combinatorial evolution accepting equal moves.
struct Reference {
    settings: Settings,
    search: Algorithm,
    budget: Budget,
}

impl Reference {
    fn new(catalogue: &Catalogue) -> Self {
        let mut raw = Settings::new();
        raw.set("kind", Value::Text("combinatorial-evolution".to_owned()));
        raw.set("accept", Value::Text("better-or-equal".to_owned()));
        for (path, value) in REFERENCE {
            raw.set_at(path, value);
        }
        let settings = catalogue.resolve(&raw, &[PROBLEM]).expect("the reference search is well set");
        let search = *catalogue.algorithms.build(&settings, catalogue);
        Self { budget: Budget::from_settings(settings.table("budget")), search, settings }
    }

    /// Evaluations until a board is solved, if it is.
    fn run(&self, board: &Board, number: u64) -> Option<u64> {
        let seed = run_seed(SEED, &Fingerprint::of_instance(PROBLEM, &board.content()), number, None);
        let problem = board.prepare(&self.settings);
        let outcome = problem.solve(&self.search, &self.budget, &mut RandomStream::from_seed(seed), &mut ());
        (outcome.stop == Stop::Target).then_some(outcome.evaluations)
    }
}

/// What is found of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rating {
    bucket: String,
    givens: usize,
    /// Counted up to 2; `None` if the exact search gave up.
    solutions: Option<usize>,
    logic: &'static str,
    /// Cells that singles fill; `None` where they show that there is no solution.
    forced: Option<usize>,
    guesses: u64,
    solved: usize,
    median_evaluations: Option<u64>,
}

impl Rating {
    fn of(board: &Board, reference: &Reference, runs: u16, progress: &ProgressBar) -> Self {
        let shape = board.shape();
        let mut search = exact::Search::new(shape).with_node_limit(guess_limit(shape));
        let solutions = search.count(board, 2).ok();
        let is_naked = logic::propagate_naked(board).is_ok_and(|filled| filled.board.is_solved());
        let filled = logic::propagate(board).ok();
        let logic = match &filled {
            _ if is_naked => "naked",
            Some(filled) if filled.board.is_solved() => "hidden",
            _ => "search",
        };
        progress.inc(1);
        let run = |number: u64| {
            // No run of a board without a solution ends before its budget: nothing is learnt from several.
            let evaluations = if solutions == Some(0) { None } else { reference.run(board, number) };
            progress.inc(1);
            evaluations
        };
        let mut evaluations: Vec<Option<u64>> = (0..u64::from(runs)).into_par_iter().map(run).collect();
        Self {
            bucket: bucket(board),
            givens: board.n_givens(),
            solutions,
            logic,
            forced: filled.map(|filled| filled.steps.len()),
            guesses: search.nodes(),
            solved: evaluations.iter().flatten().count(),
            median_evaluations: median(&mut evaluations),
        }
    }
}

/// Guesses of the exact search before it gives up: seconds at most, on boards of any side.
pub(super) fn guess_limit(shape: Shape) -> u64 {
    40_000_000 / (shape.n_cells() * shape.side() * shape.side()) as u64 * 10
}

/// The middle one (of an even number, the mean of both, rounded), where unsolved runs are longer than any.
fn median(evaluations: &mut [Option<u64>]) -> Option<u64> {
    evaluations.sort_unstable_by_key(|evaluations| evaluations.unwrap_or(u64::MAX));
    let n = evaluations.len();
    let middle = |at: usize| *evaluations.get(at)?;
    Some(middle(n.checked_sub(1)? / 2)?.midpoint(middle(n / 2)?))
}

/// The bucket by the number of givens: `medium-hard` for one that lies between two buckets.
fn bucket(board: &Board) -> String {
    let (shape, givens) = (board.shape(), board.n_givens());
    let mut easier: Option<&str> = None;
    for bucket in &BUCKETS {
        if givens >= *bucket.givens(shape).start() {
            return match easier {
                Some(easier) if givens > *bucket.givens(shape).end() => format!("{easier}-{}", bucket.name),
                // More givens than the easiest bucket has are easier still.
                _ => bucket.name.to_owned(),
            };
        }
        easier = Some(bucket.name);
    }
    format!("beyond-{}", easier.unwrap_or_default())
}

/// A data set again, with what was found.
fn csv(boards: &[Named], ratings: &[Rating], runs: u16) -> Result<String> {
    let has_box = boards.iter().any(|named| !is_square(named.board.shape()));
    let is_labelled = boards.iter().any(|named| named.bucket.is_some());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let optional = |wanted: bool, field: &str| wanted.then(|| field.to_owned());
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let names = ["givens", "solutions", "logic", "forced", "guesses", "runs", "solved", "median_evaluations"];
    let header = ["id", "bucket", "puzzle"].map(str::to_owned).into_iter();
    let header = header.chain(optional(has_box, "box")).chain(optional(is_labelled, "labelled"));
    writer.write_record(header.chain(names.map(str::to_owned)))?;
    for (Named { id, bucket, board }, rating) in boards.iter().zip(ratings) {
        let shape = if is_square(board.shape()) { String::new() } else { board.shape().to_string() };
        let row = [id.clone(), rating.bucket.clone(), board.to_string()].into_iter();
        let row =
            row.chain(optional(has_box, &shape)).chain(optional(is_labelled, bucket.as_deref().unwrap_or_default()));
        writer.write_record(row.chain([
            rating.givens.to_string(),
            number(rating.solutions.map(|count| count as u64)),
            rating.logic.to_owned(),
            number(rating.forced.map(|forced| forced as u64)),
            rating.guesses.to_string(),
            runs.to_string(),
            rating.solved.to_string(),
            number(rating.median_evaluations),
        ]))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn is_square(shape: Shape) -> bool {
    Shape::square_for(shape.side()) == Some(shape)
}

/// A table for the terminal.
fn text(boards: &[Named], ratings: &[Rating], runs: u16) -> String {
    let width = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0);
    let id = width(&mut boards.iter().map(|named| named.id.chars().count())).max(2);
    let bucket = width(&mut ratings.iter().map(|rating| rating.bucket.len())).max(6);
    let mut text = format!("{:id$}  givens  {:bucket$}  {:6}  guesses  solved  evaluations\n", "id", "bucket", "logic");
    for (named, rating) in boards.iter().zip(ratings) {
        let solved = format!("{}/{runs}", rating.solved);
        let median = match rating.median_evaluations {
            Some(median) => grouped(median),
            None if runs == 0 => "-".to_owned(),
            None => "unsolved".to_owned(),
        };
        let note = match rating.solutions {
            Some(0) => "  no solution",
            Some(1) => "",
            Some(_) => "  several solutions",
            None => "  unique?",
        };
        let _ = writeln!(
            text,
            "{:id$}  {:6}  {:bucket$}  {:6}  {:>7}  {solved:>6}  {median:>11}{note}",
            named.id,
            rating.givens,
            rating.bucket,
            rating.logic,
            grouped(rating.guesses),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(givens: usize) -> String {
        let full: Board = evogrid_core::sudoku::exact::solve(&Board::empty(Shape::square_for(9).unwrap())).unwrap();
        let cells = full.cells().iter().enumerate().map(|(cell, &digit)| if cell < givens { digit } else { 0 });
        bucket(&Board::new(full.shape(), cells.collect()).unwrap())
    }

    #[test]
    fn every_number_of_givens_has_a_bucket_or_lies_between_two() {
        assert_eq!([81, 46, 45, 38].map(of), ["easy"; 4]);
        assert_eq!(
            [37, 36, 33, 32, 31, 30].map(of),
            ["easy-medium", "medium", "medium", "medium-hard", "medium-hard", "hard"]
        );
        assert_eq!([28, 27, 25, 24, 17].map(of), ["hard", "expert", "expert", "beyond-expert", "beyond-expert"]);
    }

    #[test]
    fn a_median_counts_unsolved_runs_as_longer_than_any() {
        let median = |mut runs: Vec<Option<u64>>| median(&mut runs);
        assert_eq!(median(vec![Some(5), None, Some(1)]), Some(5));
        assert_eq!(median(vec![None, None, Some(1)]), None);
        assert_eq!(median(vec![Some(4), None, Some(1), Some(7)]), Some(5));
        assert_eq!(median(vec![Some(4), None]), None);
        assert_eq!(median(Vec::new()), None);
    }
}

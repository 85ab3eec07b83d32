//! The generator of boards. Each board has exactly one solution, and the requested number of givens.

use std::ops::RangeInclusive;

use super::shape::{BOX, MAX_SIDE};
use super::{Board, Shape, exact};
use crate::published::derived_seed;
use evogrid_core::prelude::*;
use evogrid_core::search::exact::SolutionSearch;
use evogrid_core::suggestion::nearest;

/// Huke's four difficulties ("Leicht, Mittel, Schwer, Experte") as buckets, the easiest first. A bucket has a name, and the smallest and
/// the largest number of givens of its 9x9 boards.
///
/// Huke prints only one board, so the ranges were calibrated by his success rates. With his algorithm, boards with these numbers of givens
/// have the success rates of his boards. Boards with a number between two ranges have a success rate between two of his rates.
pub(super) const BUCKETS: [(&str, [usize; 2]); 4] =
    [("easy", [38, 45]), ("medium", [33, 36]), ("hard", [28, 30]), ("expert", [25, 27])];

/// The numbers of givens of a bucket for boards of a shape: the same share of cells as on 9x9 boards, rounded.
///
/// Only the 9x9 ranges were calibrated. Larger boards need a larger share of givens for a unique solution. If givens are removed at random,
/// about 30 % of the cells remain filled at 9x9, 37 % (93 cells) at 16x16 and 44 % (275 cells) at 25x25. So the generator cannot make
/// expert boards at 16x16, and neither hard nor expert boards at 25x25.
pub(super) fn scaled(bucket: [usize; 2], shape: Shape) -> RangeInclusive<usize> {
    let [fewest, most] = bucket.map(|givens| (2 * givens * shape.n_cells() + 81) / (2 * 81));
    fewest..=most
}

/// Makes the board with this number (from 1) in a bucket. The board depends only on the arguments. The result also tells whether a walk
/// made the board.
///
/// The number of givens is drawn uniformly from the range. If an attempt ends with more givens, the next attempt has a new random stream
/// and the same number of givens. If no attempt of [`board`] reaches the number, a walk continues from the board of an attempt, for sides
/// up to 9. On 9x9 boards, attempts that remove givens one by one reach 22 givens, and sometimes 21. The walk reaches 19 givens. If the
/// walk fails too, the request is given up after about 20 s.
///
/// # Errors
/// Returns an error if the range is empty or impossible, or no attempt reached the number of givens.
pub(super) fn numbered_board(
    shape: Shape,
    bucket: &str,
    givens: &RangeInclusive<usize>,
    number: usize,
    seed: u64,
) -> Result<(Board, bool), OptionError> {
    check_range(shape, givens)?;
    let (fewest, most) = (*givens.start(), *givens.end());
    // The random stream of an attempt. Attempt 0 draws the number of givens.
    let stream = |attempt: usize| {
        let parts = [shape.box_rows(), shape.box_cols(), fewest, most, number, attempt].map(|part| part as u64);
        let parts = [&[seed], &parts[..]].concat();
        RandomStream::from_seed(derived_seed("evogrid 1 stream of a generated sudoku", &parts, bucket))
    };
    let n_givens = fewest + stream(0).below(most - fewest + 1);
    // Attempts on large boards take seconds, and their results differ less.
    let n_dug = if shape.side() <= 9 { 500 } else { 20 };
    let n_attempts = n_dug + walk::attempts(shape);
    let mut closest = usize::MAX;
    for attempt in 1..=n_attempts {
        let is_walked = attempt > n_dug;
        let make = if is_walked { walk::board } else { dug_board };
        match make(shape, n_givens, &mut stream(attempt)) {
            Ok(board) => return Ok((board, is_walked)),
            Err(reached) => closest = closest.min(reached),
        }
    }
    Err(stuck(n_givens, closest, n_attempts))
}

/// Makes one attempt to generate a board. The board has `n_givens` givens and a unique solution. The attempt starts with a random full
/// board, and removes givens in random order. A given is removed only if the solution stays unique.
///
/// # Errors
/// Returns an error if a board of this shape cannot have `n_givens` givens. Also returns an error if the attempt ends with more than
/// `n_givens` givens. If an attempt ends with too many givens, another attempt may succeed.
pub fn board(shape: Shape, n_givens: usize, random: &mut RandomStream) -> Result<Board, OptionError> {
    check_range(shape, &(n_givens..=n_givens))?;
    dug_board(shape, n_givens, random).map_err(|reached| stuck(n_givens, reached, 1))
}

/// Makes the same attempt as [`board`]. The error is the number of givens that remain.
fn dug_board(shape: Shape, n_givens: usize, random: &mut RandomStream) -> Result<Board, usize> {
    let mut board = full_board(shape, random);
    let cells = (0..shape.n_cells()).collect();
    let left = dig(&mut digging(shape), &mut board, cells, n_givens, random);
    if left > n_givens { Err(left) } else { Ok(board) }
}

/// The error if too many givens remain.
fn stuck(n_givens: usize, reached: usize, attempts: usize) -> OptionError {
    let asked = format!("{n_givens} were requested ({attempts} attempts)");
    OptionError::new(format!("cannot remove more givens: {reached} givens remain, but {asked}"))
}

/// The search that decides whether a given can be removed.
fn digging(shape: Shape) -> SolutionSearch {
    exact::search(shape).with_node_limit(DIGGING_NODES)
}

/// Removes givens of a board with one solution until `n_givens` remain. The function tries the givens in `cells` in random order, and
/// removes a given only if the solution stays unique. Returns the number of remaining givens.
fn dig(
    search: &mut SolutionSearch,
    board: &mut Board,
    mut cells: Vec<usize>,
    n_givens: usize,
    random: &mut RandomStream,
) -> usize {
    random.shuffle(&mut cells);
    let mut left = board.n_givens();
    for cell in cells {
        if left <= n_givens {
            break;
        }
        let digit = board.cells()[cell];
        board.set(cell, 0);
        // If the limit of guesses is too low for a decision, the given stays.
        if search.has_other(board.cells(), cell, digit).unwrap_or(true) {
            board.set(cell, digit);
        } else {
            left -= 1;
        }
    }
    left
}

/// Makes a random full board. The function runs the exact search with random guesses. If the search takes too long, as on large boards, the
/// function shuffles a fixed pattern instead. The search can make every board, but not with equal probabilities.
pub fn full_board(shape: Shape, random: &mut RandomStream) -> Board {
    let empty = Board::empty(shape);
    let mut search = exact::search(shape).with_node_limit(FILLING_NODES);
    for _ in 0..FILLING_ATTEMPTS {
        let guess = |candidates: u64| {
            let skipped = random.below(candidates.count_ones() as usize);
            let left = (0..skipped).fold(candidates, |left, _| left & (left - 1));
            left & left.wrapping_neg()
        };
        if let Ok(Some(cells)) = search.solve_by(empty.cells(), guess) {
            return Board::new(shape, cells).expect("no row, column or box of a solution contains a digit twice");
        }
    }
    shuffled_pattern(shape, random)
}

/// The maximum number of guesses in one attempt at a full board.
const FILLING_NODES: u64 = 2_000;
/// The number of attempts at a full board before a pattern is used.
const FILLING_ATTEMPTS: usize = 20;
/// The maximum number of guesses in the decision whether a given can be removed.
const DIGGING_NODES: u64 = 1_000;

/// Makes a full board from a pattern whose rows are shifted copies of one row. The function shuffles the digits, the bands, the stacks, the
/// rows in each band, and the columns in each stack.
fn shuffled_pattern(shape: Shape, random: &mut RandomStream) -> Board {
    let side = shape.side();
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    let rows = shuffled_lines(side / shape.box_rows(), shape.box_rows(), random);
    let cols = shuffled_lines(side / shape.box_cols(), shape.box_cols(), random);
    let digit = |row: usize, col: usize| {
        digits[(row % shape.box_rows() * shape.box_cols() + row / shape.box_rows() + col) % side]
    };
    let cells = rows.iter().flat_map(|&row| cols.iter().map(move |&col| digit(row, col))).collect();
    Board::new(shape, cells).expect("no row, column or box of the pattern contains a digit twice")
}

/// The lines of a board, divided into groups. The groups and the lines in each group are shuffled.
fn shuffled_lines(n_groups: usize, group_len: usize, random: &mut RandomStream) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..n_groups).collect();
    random.shuffle(&mut groups);
    let mut lines = Vec::with_capacity(n_groups * group_len);
    for group in groups {
        let start = lines.len();
        lines.extend(group * group_len..(group + 1) * group_len);
        random.shuffle(&mut lines[start..]);
    }
    lines
}

/// Checks that boards with these numbers of givens can be requested.
///
/// # Errors
/// Returns an error if the range is empty, or one of its ends is impossible.
fn check_range(shape: Shape, givens: &RangeInclusive<usize>) -> Result<(), OptionError> {
    let (fewest, most) = (*givens.start(), *givens.end());
    if givens.is_empty() {
        return Err(OptionError::new(format!("the range from {fewest} to {most} givens is empty")));
    }
    // If two digits have no given, they can be exchanged in every solution. At 9x9 a unique solution needs 17 givens (McGuire, Tugemann and
    // Civario, Experimental Mathematics 2014).
    let least = if Shape::square_for(9) == Some(shape) { 17 } else { shape.side() - 1 };
    let possible = least..=shape.n_cells();
    let Some(n_givens) = [fewest, most].into_iter().find(|n_givens| !possible.contains(n_givens)) else {
        return Ok(());
    };
    let board = format!("a board with boxes of {shape} and {n_givens} givens");
    let expected = format!("expected {least} to {} givens", shape.n_cells());
    Err(OptionError::new(format!("{board} cannot have a unique solution: {expected}")))
}

/// The generator of `runner generate sudoku`.
pub(super) const GENERATOR: Generator = Generator {
    options: &[SIZE, BOX, BUCKET, GIVENS, EACH],
    help: include_str!("help/generate.txt").trim_ascii_end(),
    request,
};

const SIZE: OptionDeclaration =
    OptionDeclaration { default: Some("9"), ..OptionDeclaration::new("size", "N", "Side of the board") };

const BUCKET: OptionDeclaration = OptionDeclaration {
    is_repeated: true,
    conflicts: &["givens"],
    ..OptionDeclaration::new(
        "bucket",
        "NAME",
        "Difficulty bucket of the boards: easy, medium, hard or expert. This option may be given several times",
    )
};

const GIVENS: OptionDeclaration =
    OptionDeclaration::new("givens", "N", "Number of givens, or a range: `28` or `28-30`");

const EACH: OptionDeclaration = OptionDeclaration {
    placeholder: None,
    conflicts: &["bucket"],
    requires: Some("givens"),
    ..OptionDeclaration::new(
        "each",
        "",
        "Makes a bucket for each number of givens in the range: `--givens 20-45 --each` makes the buckets 20, 21, ..., \
         45",
    )
};

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let side = SIZE.number(options, 2..=MAX_SIDE, "side of a board")?;
    let shape = shape(side, BOX.value(options))?;
    let is_each = options.contains_key(EACH.name);
    let buckets = buckets(shape, GIVENS.value(options), is_each, &BUCKET.values(options))?;
    Ok(GeneratorRequest::new(buckets.len() * count, move |number| {
        let (bucket, givens) = &buckets[number / count];
        let (board, is_walked) = numbered_board(shape, bucket, givens, number % count + 1, seed)?;
        let is_square = Shape::square_for(shape.side()) == Some(shape);
        let (shape, made) = (shape.to_string(), if is_walked { "walked" } else { "dug" });
        let fields = vec![
            GeneratedField::new("puzzle", board.to_string()),
            GeneratedField { column: "box", value: if is_square { String::new() } else { shape }, default: Some("") },
            GeneratedField { column: "made", value: made.to_owned(), default: Some("dug") },
        ];
        let id = format!("{}{bucket}-{:02}", if is_each { "g" } else { "" }, number % count + 1);
        Ok(GeneratedInstance { id, bucket: bucket.clone(), fields })
    }))
}

fn shape(side: usize, box_shape: Option<&str>) -> Result<Shape, OptionError> {
    let Some(text) = box_shape else {
        let refused = || OptionError::new(format!("side {side} is not a square number"));
        return Shape::square_for(side)
            .ok_or_else(|| refused().expecting("give the shape of a box, for example --box 2x3"));
    };
    let shape: Shape =
        text.parse().map_err(|error: InstanceError| OptionError::new(format!("--box {text}: {error}")))?;
    if shape.side() != side {
        return Err(OptionError::new(format!(
            "boxes of {shape} need a board of side {}, but the side is {side}",
            shape.side()
        )));
    }
    Ok(shape)
}

/// The requested buckets, with their numbers of givens.
fn buckets(
    shape: Shape,
    givens: Option<&str>,
    is_each: bool,
    names: &[&str],
) -> Result<Vec<(String, RangeInclusive<usize>)>, OptionError> {
    if let Some(givens) = givens {
        let range = range(givens).ok_or_else(|| {
            OptionError::new(format!("--givens {givens}: expected a number or a range, for example 28 or 28-30"))
        })?;
        if !is_each {
            return Ok(vec![(format!("givens-{givens}"), range)]);
        }
        check_range(shape, &range)?;
        return Ok(range.map(|n_givens| (format!("{n_givens:02}"), n_givens..=n_givens)).collect());
    }
    if names.is_empty() {
        let error = OptionError::new("no difficulty is given for the boards");
        return Err(error.expecting("give --bucket easy, medium, hard or expert, or --givens N"));
    }
    let known = BUCKETS.map(|(name, _)| name);
    let find = |&name: &&str| match BUCKETS.iter().find(|(known, _)| *known == name) {
        Some(&(_, givens)) => Ok((name.to_owned(), scaled(givens, shape))),
        None => {
            let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let expected = format!("expected {}{near}", known.join(", "));
            Err(OptionError::new(format!("unknown bucket `{name}`")).expecting(expected))
        }
    };
    names.iter().map(find).collect()
}

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    Some(fewest.trim().parse().ok()?..=most.trim().parse().ok()?)
}

mod walk;

#[cfg(test)]
mod tests;

//! Boards from the command line: one written out, a file of them in any format, or standard input.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use evogrid_core::sudoku::{Board, BoardError, Shape};

use crate::diagnostic::{Diagnostic, Diagnostics, is_printable};
use crate::document::{excerpt, nearby, read_from, read_text};

/// The largest file of boards that is read, in bytes.
const LIMIT: u64 = 1 << 30;

/// Faults of one file that are shown.
const SHOWN: usize = 10;

/// A board and what its file says of it.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its id in a data set; else the number of its line.
    pub id: String,
    /// Its bucket in a data set.
    pub bucket: Option<String>,
    /// The board.
    pub board: Board,
}

/// What an argument of the command line speaks of.
#[derive(Clone, Debug)]
pub enum Source {
    /// A board that is written out.
    Argument(Board),
    /// The boards of a file or of standard input; at least one.
    File(Vec<Named>),
}

/// Reads what an argument speaks of: `-` for standard input, a file, or a board that is written out.
///
/// # Errors
/// If it is none of these, or a board is wrong.
pub fn read(argument: &str, shape: Option<Shape>) -> Result<Source, Diagnostics> {
    // What exists is no board: a board could only have the name of a file if somebody meant it.
    if argument == "-" || Path::new(argument).exists() {
        return read_file(argument, shape).map(Source::File);
    }
    match Board::parse(argument, shape) {
        Ok(board) => Ok(Source::Argument(board)),
        Err(error @ BoardError::Character { .. }) => {
            let message = format!("`{argument}` is neither a file nor a board");
            let help = match nearby(Path::new(argument)) {
                near if near.starts_with("did you mean") => near,
                _ => format!("as a board it has an {error}"),
            };
            Err(Diagnostic::general(message, help).into())
        }
        Err(error) => Err(fault("BOARD", argument, &(0..argument.len()), &said(&error)).into()),
    }
}

/// Reads all boards of a file, or of standard input for `-`: a CSV file with a column `puzzle`, a board in a grid, or a board
/// a line.
///
/// # Errors
/// If it cannot be read, holds no board, or a board is wrong: all of them, up to a bound.
pub fn read_file(path: &str, shape: Option<Shape>) -> Result<Vec<Named>, Diagnostics> {
    if path != "-" {
        return parse(path, &read_text(Path::new(path), LIMIT)?, shape);
    }
    let name = "standard input";
    parse(name, &read_from(name, std::io::stdin().lock(), LIMIT)?, shape)
}

/// Reads all boards of a text called `name`.
///
/// # Errors
/// If it holds no board, or a board is wrong: all of them, up to a bound.
pub fn parse(name: &str, text: &str, shape: Option<Shape>) -> Result<Vec<Named>, Diagnostics> {
    let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else {
        let help = "expected a board, a board a line, or a CSV file with a column `puzzle`";
        return Err(Diagnostic::general(format!("{name} is empty"), help).into());
    };
    if first.contains(',') {
        return of_csv(name, text, shape);
    }
    let mut found = Found::new(name, text);
    let lines: Vec<(usize, Range<usize>)> =
        lines(text).filter(|(_, bytes)| n_cells(&text[bytes.clone()]) > 0).collect();
    let each = lines.first().map_or(0, |(_, bytes)| n_cells(&text[bytes.clone()]));
    // As many rows as cells in a row: a grid, even where a row could be a board of its own (16 cells, a 4x4 board).
    let is_alone = match shape {
        Some(shape) => each == shape.n_cells(),
        None => each != lines.len() && each >= 16 && (4..=25).any(|side| side * side == each),
    };
    if is_alone || lines.len() <= 1 {
        for (number, bytes) in lines {
            found.add(number.to_string(), None, &text[bytes.clone()], shape, &bytes);
        }
    } else {
        found.add("1".to_owned(), None, text, shape, &(0..0));
    }
    found.finish()
}

fn of_csv(name: &str, text: &str, shape: Option<Shape>) -> Result<Vec<Named>, Diagnostics> {
    let unreadable = |error: &csv::Error| {
        Diagnostics::from(Diagnostic::general(format!("{name} cannot be read: {error}"), "expected a CSV file"))
    };
    let mut csv = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = csv.headers().map_err(|error| unreadable(&error))?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let Some(puzzle) = column("puzzle") else {
        let help = "expected a first line with `puzzle` and, if there are any, `id`, `bucket` and `box`";
        return Err(fault(name, text, &(0..0), &format!("there is no column `puzzle`: {help}")).into());
    };
    let (id, bucket, box_shape) = (column("id"), column("bucket"), column("box"));
    let mut found = Found::new(name, text);
    for record in csv.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let (line, at) = record.position().map_or((0, 0), |position| (position.line(), position.byte() as usize));
        // Empty lines before a row are counted to it.
        let start = text.len() - text[at..].trim_start_matches(['\n', '\r']).len();
        let line = line + text[at..start].matches('\n').count() as u64;
        let bytes = start..text[start..].find(['\n', '\r']).map_or(text.len(), |end| start + end);
        let field =
            |column: Option<usize>| column.and_then(|column| record.get(column)).filter(|text| !text.is_empty());
        let own = match field(box_shape).map(str::parse::<Shape>) {
            Some(Ok(own)) => Some(own),
            Some(Err(error)) => {
                found.fault(&bytes, &error.to_string());
                continue;
            }
            None => shape,
        };
        let id = field(id).map_or_else(|| line.to_string(), str::to_owned);
        match record.get(puzzle) {
            Some(board) => found.add(id, field(bucket).map(str::to_owned), board, own, &bytes),
            None => found.fault(&bytes, "the row has no `puzzle`"),
        }
    }
    found.finish()
}

/// The boards of a text so far, and what is wrong with others.
struct Found<'t> {
    name: &'t str,
    text: &'t str,
    boards: Vec<Named>,
    ids: BTreeSet<String>,
    diagnostics: Diagnostics,
    faults: usize,
}

impl<'t> Found<'t> {
    fn new(name: &'t str, text: &'t str) -> Self {
        let (boards, ids) = (Vec::new(), BTreeSet::new());
        Self { name, text, boards, ids, diagnostics: Diagnostics::new(), faults: 0 }
    }

    /// Reads a board that stands at these bytes of the text.
    fn add(&mut self, id: String, bucket: Option<String>, text: &str, shape: Option<Shape>, bytes: &Range<usize>) {
        // Both stand in what is printed, an id also in commands to copy.
        for (what, name) in [("id", Some(&id)), ("bucket", bucket.as_ref())] {
            if name.is_some_and(|name| !is_printable(name)) {
                return self.fault(bytes, &format!("the {what} cannot be printed: expected no control characters"));
            }
        }
        match Board::parse(text, shape) {
            Ok(_) if !self.ids.insert(id.clone()) => {
                self.fault(bytes, &format!("the id `{id}` stands twice: expected an id of its own for every board"));
            }
            Ok(board) => self.boards.push(Named { id, bucket, board }),
            Err(error) => self.fault(bytes, &said(&error)),
        }
    }

    fn fault(&mut self, bytes: &Range<usize>, message: &str) {
        self.faults += 1;
        if self.faults <= SHOWN {
            self.diagnostics.push(fault(self.name, self.text, bytes, message));
        }
    }

    fn finish(mut self) -> Result<Vec<Named>, Diagnostics> {
        if self.faults > SHOWN {
            let message = format!("{} has {} more errors", self.name, self.faults - SHOWN);
            self.diagnostics.push(Diagnostic::general(message, format!("its first {SHOWN} are shown")));
        }
        if self.boards.is_empty() && self.diagnostics.is_empty() {
            let message = format!("{} holds no board", self.name);
            self.diagnostics.push(Diagnostic::general(message, "expected a row for each board"));
        }
        self.diagnostics.or(Some(self.boards))
    }
}

/// What is wrong with a board, in the terms of a command line.
fn said(error: &BoardError) -> String {
    match error {
        BoardError::ShapeNeeded { side, example } => {
            format!(
                "a board of side {side} needs the shape of its boxes: expected rows x columns, as in `--box {example}`"
            )
        }
        error => error.to_string(),
    }
}

/// A fault in a text: what is wrong up to `: expected`, what was expected after it.
fn fault(name: &str, text: &str, bytes: &Range<usize>, message: &str) -> Diagnostic {
    let (message, help) = match message.split_once(": expected ") {
        Some((message, expected)) => (message, format!("expected {expected}")),
        None => (message, "mend the board".to_owned()),
    };
    Diagnostic { place: Some(excerpt(name, text, bytes)), message: message.to_owned(), help }
}

/// The numbers of a text's lines, from 1, and their bytes.
fn lines(text: &str) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
    let mut start = 0;
    (1..).zip(text.split('\n').map(move |line| {
        let bytes = start..start + line.trim_end_matches('\r').len();
        start += line.len() + 1;
        bytes
    }))
}

/// How many characters of a line may be cells.
fn n_cells(line: &str) -> usize {
    line.chars().filter(|character| !"|-+".contains(*character) && !character.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        parse("x", text, None).unwrap().into_iter().map(|named| format!("{} {}", named.id, named.board)).collect()
    }

    #[test]
    fn a_grid_is_one_board_and_lines_of_boards_are_several() {
        assert_eq!(ids("12|34\n..|..\n--+--\n..|..\n..|..\n"), ["1 1234............"]);
        assert_eq!(ids("1234............\n\n............4321\r\n"), ["1 1234............", "3 ............4321"]);
        let sixteen = format!("{}\n", ".".repeat(16)).repeat(16);
        assert_eq!(ids(&sixteen), [format!("1 {}", ".".repeat(256))]);
        assert_eq!(parse("x", &sixteen, "2x2".parse().ok()).unwrap().len(), 16);
    }

    #[test]
    fn a_data_set_gives_ids_buckets_and_shapes() {
        let text = format!("id,bucket,puzzle,box\na,easy,1234............,\n\nb,,{},2x3\n", ".".repeat(36));
        let boards = parse("x", &text, None).unwrap();
        assert_eq!((boards[0].id.as_str(), boards[0].bucket.as_deref()), ("a", Some("easy")));
        assert_eq!((boards[1].bucket.as_deref(), boards[1].board.shape().to_string()), (None, "2x3".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        let message = |text: &str| parse("x", text, None).unwrap_err().to_string();
        let wrong = message("id,puzzle\na,1234............\nb,11..............\na,................\n");
        assert!(wrong.contains("x:3:1: digit 1 stands twice in row 1"), "{wrong}");
        assert!(wrong.contains("x:4:1: the id `a` stands twice"), "{wrong}");
        assert!(message("a,b\n1,2\n").contains("there is no column `puzzle`"));
        assert!(message("id,puzzle\na\u{1b}[2J,1...............\n").contains("x:2:1: the id cannot be printed"));
        assert!(
            message("id,bucket,puzzle\na,\u{202e},1...............\n").contains("x:2:1: the bucket cannot be printed")
        );
        assert!(message(" \n").contains("x is empty"));
        assert!(message("id,puzzle\n").contains("x holds no board"));
        assert!(message("1234\n12..\n....\n....\n").contains("stands twice in column 1"));
    }
}

//! Boards that are asked for on the command line: which shapes, which numbers of givens.

use std::ops::RangeInclusive;

use evogrid_core::family::{
    GeneratedField, GeneratedInstance, Generator, GeneratorRequest, OptionDeclaration, OptionError, RequestOptions,
};
use evogrid_core::suggestion::nearest;

use super::generate::{BUCKETS, Generated, check_range, numbered_board};
use super::{Shape, ShapeError};

/// `runner generate` for boards.
pub(super) struct BoardGenerator;

/// The shape of a box, for boards whose side is not a square.
pub(super) const BOX: OptionDeclaration = OptionDeclaration {
    pattern: Some("^ *[0-9]+ *[xX] *[0-9]+ *$"),
    ..OptionDeclaration::new("box", "RxC", "Shape of a box, rows x columns, where the side is no square: `2x3`")
};

const OPTIONS: &[OptionDeclaration] = &[
    OptionDeclaration { default: Some("9"), ..OptionDeclaration::new("size", "N", "Side of the board") },
    BOX,
    OptionDeclaration {
        is_repeated: true,
        conflicts: &["givens"],
        ..OptionDeclaration::new(
            "bucket",
            "NAME",
            "Bucket of difficulty: easy, medium, hard or expert. May be given several times",
        )
    },
    OptionDeclaration::new("givens", "N", "Number of givens, or a range of it: `28` or `28-30`"),
    OptionDeclaration {
        placeholder: None,
        conflicts: &["bucket"],
        requires: Some("givens"),
        ..OptionDeclaration::new(
            "each",
            "",
            "Make each number of the range a bucket of its own: `--givens 20-45 --each` has the buckets 20, 21, ..., 45",
        )
    },
];

const HELP: &str = "\
Givens are taken away from random full boards for as long as the solution stays
unique. At 9x9 that gets to 22 givens, sometimes to 21. Where it is stuck, on
sides up to 9, a walk goes on: one given is exchanged for another cell of the
solution, and others are tried for being taken away. It gets to 20 in half a
second, to 19 in seconds; what it does not reach is given up after some 20
seconds a board. Boards of the walk are not drawn as the others are. Where there
are any, the column `made` says which they are: `dug` or `walked`.

Columns of the CSV:
  id      the bucket and the number in it; with a `g` before it with --each
  bucket  the bucket; `givens-28-30` for --givens 28-30, `28` with --each
  puzzle  the board in one line
  box     shape of a box; where the board's side is no square
  made    how it was made; where some were walked";

impl Generator for BoardGenerator {
    fn options(&self) -> &'static [OptionDeclaration] {
        OPTIONS
    }

    fn help(&self) -> &'static str {
        HELP
    }

    fn request(
        &self,
        options: &RequestOptions,
        count: usize,
        seed: u64,
    ) -> Result<Box<dyn GeneratorRequest>, OptionError> {
        let one = |name: &str| options.get(name).and_then(|values| values.first()).map(String::as_str);
        let shape = shape(one("size").unwrap_or_default(), one("box"))?;
        let is_each = options.contains_key("each");
        let names = options.get("bucket").map(Vec::as_slice).unwrap_or_default();
        let buckets = buckets(shape, one("givens"), is_each, names)?;
        Ok(Box::new(BoardRequest { shape, buckets, count, seed, prefix: if is_each { "g" } else { "" } }))
    }
}

/// Boards of one shape, `count` of each bucket.
struct BoardRequest {
    shape: Shape,
    buckets: Vec<(String, RangeInclusive<usize>)>,
    count: usize,
    seed: u64,
    prefix: &'static str,
}

impl GeneratorRequest for BoardRequest {
    fn n_instances(&self) -> usize {
        self.buckets.len() * self.count
    }

    fn make(&self, number: usize) -> Result<GeneratedInstance, OptionError> {
        let (bucket, givens) = &self.buckets[number / self.count];
        let made = numbered_board(self.shape, bucket, givens, number % self.count + 1, self.seed);
        let Generated { id, bucket, board, is_walked } = made.map_err(|error| refusal(error.to_string(), ""))?;
        let field = |column, value: String, default| GeneratedField { column, value, default };
        let is_square = Shape::square_for(self.shape.side()) == Some(self.shape);
        let fields = vec![
            field("puzzle", board.to_string(), None),
            field("box", if is_square { String::new() } else { self.shape.to_string() }, Some("")),
            field("made", if is_walked { "walked" } else { "dug" }.to_owned(), Some("dug")),
        ];
        Ok(GeneratedInstance { id: format!("{}{id}", self.prefix), bucket, fields })
    }
}

fn refusal(message: impl Into<String>, expected: impl Into<String>) -> OptionError {
    OptionError { message: message.into(), expected: expected.into() }
}

fn shape(size: &str, box_shape: Option<&str>) -> Result<Shape, OptionError> {
    let Some(side) = size.parse().ok().filter(|side| (2..=super::MAX_SIDE).contains(side)) else {
        return Err(refusal(
            format!("--size {size}: not the side of a board"),
            format!("expected 2 to {}", super::MAX_SIDE),
        ));
    };
    let Some(text) = box_shape else {
        return Shape::square_for(side).ok_or_else(|| {
            refusal(format!("side {side} is not a square number"), "give the shape of a box, as in --box 2x3")
        });
    };
    let shape: Shape = text.parse().map_err(|error: ShapeError| refusal(format!("--box {text}: {error}"), ""))?;
    if shape.side() == side {
        Ok(shape)
    } else {
        Err(refusal(format!("boxes of {shape} make a board of side {}, not {side}", shape.side()), ""))
    }
}

/// The buckets asked for, with their numbers of givens.
fn buckets(
    shape: Shape,
    givens: Option<&str>,
    is_each: bool,
    names: &[String],
) -> Result<Vec<(String, RangeInclusive<usize>)>, OptionError> {
    if let Some(givens) = givens {
        let range = range(givens).ok_or_else(|| {
            refusal(format!("--givens {givens}: expected a number or a range, as in 28 or 28-30"), "")
        })?;
        if !is_each {
            return Ok(vec![(format!("givens-{givens}"), range)]);
        }
        check_range(shape, &range).map_err(|error| refusal(error.to_string(), ""))?;
        return Ok(range.map(|n_givens| (format!("{n_givens:02}"), n_givens..=n_givens)).collect());
    }
    if names.is_empty() {
        return Err(refusal("how hard?", "give --bucket easy, medium, hard or expert, or --givens N"));
    }
    let known = BUCKETS.map(|bucket| bucket.name);
    let find = |name: &String| match BUCKETS.iter().find(|bucket| bucket.name == name) {
        Some(bucket) => Ok((name.clone(), bucket.givens(shape))),
        None => {
            let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            Err(refusal(format!("unknown bucket `{name}`"), format!("expected {}{near}", known.join(", "))))
        }
    };
    names.iter().map(find).collect()
}

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    Some(fewest.trim().parse().ok()?..=most.trim().parse().ok()?)
}

//! Boards that are asked for on the command line: which shapes, which numbers of givens.

use std::ops::RangeInclusive;

use evogrid_core::prelude::*;
use evogrid_core::suggestion::nearest;

use super::generate::{Generated, check_range, numbered_board};
use super::{BOX, BUCKETS, Shape};

/// `runner generate` for boards.
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
        "Bucket of difficulty: easy, medium, hard or expert. May be given several times",
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
        "Make each number of the range its own bucket: `--givens 20-45 --each` creates the buckets 20, 21, ..., 45",
    )
};

fn request(options: &RequestOptions, count: usize, seed: u64) -> Result<GeneratorRequest, OptionError> {
    let side = SIZE.number(options, 2..=super::MAX_SIDE, "side of a board")?;
    let shape = shape(side, BOX.value(options))?;
    let is_each = options.contains_key(EACH.name);
    let buckets = buckets(shape, GIVENS.value(options), is_each, &BUCKET.values(options))?;
    Ok(GeneratorRequest::new(buckets.len() * count, move |number| {
        let (bucket, givens) = &buckets[number / count];
        let made = numbered_board(shape, bucket, givens, number % count + 1, seed);
        let Generated { id, bucket, board, is_walked } = made?;
        let is_square = Shape::square_for(shape.side()) == Some(shape);
        let (shape, made) = (shape.to_string(), if is_walked { "walked" } else { "dug" });
        let fields = vec![
            GeneratedField::new("puzzle", board.to_string()),
            GeneratedField { column: "box", value: if is_square { String::new() } else { shape }, default: Some("") },
            GeneratedField { column: "made", value: made.to_owned(), default: Some("dug") },
        ];
        Ok(GeneratedInstance { id: if is_each { format!("g{id}") } else { id }, bucket, fields })
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
    if shape.side() == side {
        Ok(shape)
    } else {
        Err(OptionError::new(format!("boxes of {shape} need a board of side {}, not {side}", shape.side())))
    }
}

/// The buckets asked for, with their numbers of givens.
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
        return Err(
            OptionError::new("how hard?").expecting("give --bucket easy, medium, hard or expert, or --givens N")
        );
    }
    let known = BUCKETS.map(|bucket| bucket.name);
    let find = |&name: &&str| match BUCKETS.iter().find(|bucket| bucket.name == name) {
        Some(bucket) => Ok((name.to_owned(), bucket.givens(shape))),
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

//! `runner generate`: boards that have exactly one solution.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use anyhow::{Context, Result};
use evogrid_core::sudoku::Shape;
use evogrid_core::sudoku::generate::{BUCKETS, GenerateError, Generated, check_range, numbered_board};
use evogrid_core::suggestion::nearest;
use rayon::prelude::*;

use super::{Misused, jobs, print};
use crate::cli::GenerateArgs;
use crate::progress::bar;

/// Makes boards on all cores and prints them as a data set.
pub(super) fn generate(args: &GenerateArgs) -> Result<ExitCode> {
    let shape = shape(args)?;
    let buckets = buckets(args, shape)?;
    let wanted: Vec<(&str, &RangeInclusive<usize>, usize)> = buckets
        .iter()
        .flat_map(|(name, givens)| (1..=args.count as usize).map(move |number| (name.as_str(), givens, number)))
        .collect();
    let progress = bar(wanted.len() as u64, "{wide_bar} {human_pos}/{human_len} boards, {eta_precise} left");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs(args.jobs)).build().context("no threads can be had")?;
    let made: Result<Vec<Generated>, GenerateError> = pool.install(|| {
        let make = |&(name, givens, number): &(&str, &RangeInclusive<usize>, usize)| {
            let board = numbered_board(shape, name, givens, number, args.seed);
            progress.inc(1);
            board
        };
        // The hard ones stand side by side: they are dealt one by one.
        wanted.par_iter().with_max_len(1).map(make).collect()
    });
    progress.finish_and_clear();
    let made = made.map_err(|error| Misused(error.to_string()))?;

    let with_box = Shape::square_for(shape.side()) != Some(shape);
    let with_made = made.iter().any(|made| made.is_walked);
    let mut text = "id,bucket,puzzle".to_owned();
    text.push_str(if with_box { ",box" } else { "" });
    text.push_str(if with_made { ",made\n" } else { "\n" });
    let prefix = if args.each { "g" } else { "" };
    for Generated { id, bucket, board, is_walked } in made {
        let _ = write!(text, "{prefix}{id},{bucket},{board}");
        if with_box {
            let _ = write!(text, ",{shape}");
        }
        if with_made {
            text.push_str(if is_walked { ",walked" } else { ",dug" });
        }
        text.push('\n');
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn shape(args: &GenerateArgs) -> Result<Shape, Misused> {
    let side = usize::from(args.size);
    let Some(text) = &args.shape else {
        return Shape::square_for(side)
            .ok_or_else(|| Misused(format!("side {side} is no square\n  give the shape of a box, as in --box 2x3")));
    };
    let shape: Shape = text.parse().map_err(|error| Misused(format!("--box {text}: {error}")))?;
    if shape.side() == side {
        Ok(shape)
    } else {
        Err(Misused(format!("boxes of {shape} make a board of side {}, not {side}", shape.side())))
    }
}

fn buckets(args: &GenerateArgs, shape: Shape) -> Result<Vec<(String, RangeInclusive<usize>)>, Misused> {
    if let Some(givens) = &args.givens {
        let range = range(givens)
            .ok_or_else(|| Misused(format!("--givens {givens}: expected a number or a range, as in 28 or 28-30")))?;
        if !args.each {
            return Ok(vec![(format!("givens-{givens}"), range)]);
        }
        check_range(shape, &range).map_err(|error| Misused(error.to_string()))?;
        return Ok(range.map(|n_givens| (format!("{n_givens:02}"), n_givens..=n_givens)).collect());
    }
    if args.buckets.is_empty() {
        return Err(Misused("how hard?\n  give --bucket easy, medium, hard or expert, or --givens N".to_owned()));
    }
    let names = BUCKETS.map(|bucket| bucket.name);
    let find = |name: &String| match BUCKETS.iter().find(|bucket| bucket.name == name) {
        Some(bucket) => Ok((name.clone(), bucket.givens(shape))),
        None => {
            let near = nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            Err(Misused(format!("unknown bucket `{name}`\n  expected {}{near}", names.join(", "))))
        }
    };
    args.buckets.iter().map(find).collect()
}

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    Some(fewest.trim().parse().ok()?..=most.trim().parse().ok()?)
}

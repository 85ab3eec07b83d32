//! The best solutions of runs, drawn by their families.

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_render::{Renderer, pdf, png};
use evogrid_results::format::shortest;
use evogrid_runner::engine::replay::{find_instance, read_instances};
use evogrid_runner::experiment::diagnostic::in_one_line;

use super::{SCALE, write_with_caption};
use crate::arguments::{ChartFormat, PlotArgs};
use crate::commands::folder::replay::find;
use crate::usage_error::UsageError;

/// Draws the solutions of the runs that were asked for, each with its caption beside it, and prints the names of the files.
pub(super) fn plot(args: &PlotArgs, catalogue: &Catalogue) -> Result<()> {
    let [results] = args.analysis.results.as_slice() else {
        return Err(UsageError("expected one results folder with `--run`".to_owned()).into());
    };
    if !results.is_dir() {
        let message = format!("{} is not a results folder, so it has no solutions", results.display());
        return Err(UsageError(message).into());
    }
    let instances = read_instances(results)?;
    let mut renderer = Renderer::new()?;
    for number in &args.runs {
        let record = find(results, &number.to_string())?;
        let instance = find_instance(&record, &instances, catalogue)?;
        let name = in_one_line(instance.id);
        let solution = record.solution.as_deref();
        let Some(solution) = solution else { return Err(UsageError(format!("run {number} has no solution")).into()) };
        let function = catalogue.family(instance.problem).and_then(Family::drawing);
        let drawn = function.map(|function| renderer.drawing(function, [Some(instance.content), Some(solution)]));
        let Some(svg) = drawn.transpose()?.flatten() else {
            let message = format!(
                "no solution of `{}` can be drawn for instance `{name}`\n  `runner replay` prints the solution",
                in_one_line(instance.problem)
            );
            return Err(UsageError(message).into());
        };
        let bytes = match args.format {
            ChartFormat::Svg => svg.into_bytes(),
            ChartFormat::Png => png(&svg, SCALE)?,
            ChartFormat::Pdf => pdf(&svg)?,
            ChartFormat::Vega => return Err(UsageError("a solution has no Vega-Lite specification".to_owned()).into()),
        };
        let caption = format!(
            "The best solution of run {number}, {} on {name}: objective {}.",
            in_one_line(&record.key.algorithm),
            shortest(record.outcome.objective)
        );
        write_with_caption(args, &results.join("charts"), &format!("run-{number}"), (&bytes, &caption))?;
    }
    Ok(())
}

//! `runner plot`: draws results as charts.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use evogrid_analysis::charts::{Chart, ChartInput, ChartKind, draw};
use evogrid_analysis::table::latex_text;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_render::{FittedDrawing, PIXELS_PER_MM, Renderer, pdf, png, theme};
use evogrid_results::files::{FilePlace, replace};
use evogrid_results::format::shortest;
use evogrid_runner::engine::replay::{find_instance, read_instances};

use crate::arguments::{ChartFormat, PlotArgs};
use crate::commands::folder::replay::find;
use crate::messages::{UsageError, in_one_line, line, print, rendered};
use crate::opened::{Needs, OpenedResults};
use serde_json::json;

/// The number of pixels of a picture for each pixel of a chart. The picture has 300 pixels per inch, the chart 96.
const SCALE: f32 = 300.0 / 96.0;

/// If a chart has at least this width in millimetres, two panels are placed side by side.
const WIDTH_OF_TWO: f64 = 130.0;

/// With this scale, text of 7.5 points becomes text of 7 points.
const LEAST_SCALE: f64 = 7.0 / 7.5;

/// The height of a page of a paper, in millimetres.
const HIGHEST: f64 = 240.0;

/// The largest specification of a chart, in bytes. To draw such a chart takes fifty times this memory, and a reader cannot distinguish so
/// many points.
const LARGEST_CHART: usize = 50_000_000;

/// Writes the charts of a results folder or a CSV, and prints the names of their files.
pub(crate) fn plot(args: &PlotArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("plot", &["--baseline", "--top"])?;
    args.analysis.expect_metric("plot", Needs::Charts.metrics())?;
    args.analysis.need_out(args.out.as_deref())?;
    if !args.runs.is_empty() {
        return plot_solutions(args, catalogue);
    }
    let opened = OpenedResults::open(&args.analysis, Needs::Charts, catalogue)?;
    let (by, caveats, work_caveat) = (opened.keys()?, opened.caveats(), opened.work_caveat(opened.work_unit()));
    let columns = if args.width < WIDTH_OF_TWO { 1 } else { 2 };
    let input = opened.chart_input(&by, (&caveats, work_caveat.as_deref()), (columns, LARGEST_CHART));
    let input = ChartInput { has_notes: !args.no_notes, ..input };
    let is_asked = |kind: &ChartKind| args.charts.is_empty() || args.charts.iter().any(|chart| chart.0 == *kind);
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for kind in ChartKind::all().filter(is_asked) {
        match draw(kind, &input) {
            Ok(chart) => made.push(chart),
            Err(error) => refused.push(format!("no chart `{}`: {error}", kind.text())),
        }
    }
    if !args.charts.is_empty() && !refused.is_empty() {
        return Err(UsageError(refused.join("\n")).into());
    }
    let own = opened.file.with_file_name("charts");
    let mut renderer = Renderer::new()?;
    for chart in &made {
        let name = chart.kind.text();
        let bytes = drawn(chart, args, &mut renderer).with_context(|| format!("chart `{name}`"))?;
        write_with_caption(args, &own, name, (&bytes, &chart.caption()))?;
        chart.caveats.iter().chain(&chart.notes).for_each(|note| line(&format!("{name}: {note}")));
    }
    refused.iter().for_each(|refusal| line(&format!("note: {refusal}")));
    Ok(())
}

/// Draws the solutions of the requested runs, each with a caption, and prints the names of the files.
fn plot_solutions(args: &PlotArgs, catalogue: &Catalogue) -> Result<()> {
    let [results] = args.analysis.results.as_slice() else {
        bail!(UsageError("expected one results folder with `--run`".to_owned()));
    };
    let message = || UsageError(format!("{} is not a results folder, so it has no solutions", results.display()));
    ensure!(results.is_dir(), message());
    let instances = read_instances(results)?;
    let mut renderer = Renderer::new()?;
    for number in &args.runs {
        let record = find(results, &number.to_string())?;
        let instance = find_instance(&record, &instances, catalogue)?;
        let name = in_one_line(instance.id);
        let solution = record.solution.as_deref();
        let Some(solution) = solution else { bail!(UsageError(format!("run {number} has no solution"))) };
        let function = catalogue.family(instance.problem).and_then(Family::drawing);
        let drawn = function.map(|function| renderer.drawing(function, [Some(instance.content), Some(solution)]));
        let Some(svg) = drawn.transpose()?.flatten() else {
            bail!(UsageError(format!(
                "no solution of `{}` can be drawn for instance `{name}`\n  `runner replay` prints the solution",
                in_one_line(instance.problem)
            )));
        };
        let message = "the drawing of a solution cannot be written as a Vega-Lite specification";
        ensure!(args.format != ChartFormat::Vega, UsageError(message.to_owned()));
        let bytes = encoded(svg, args.format)?;
        let caption = format!(
            "The best solution of run {number}, {} on {name}: objective {}.",
            in_one_line(&record.key.algorithm),
            shortest(record.outcome.objective)
        );
        write_with_caption(args, &results.join("charts"), &format!("run-{number}"), (&bytes, &caption))?;
    }
    Ok(())
}

/// Writes a drawing and its caption into the requested folder, or into the default folder `own`. Prints the path of the drawing.
fn write_with_caption(args: &PlotArgs, own: &Path, name: &str, (bytes, caption): (&[u8], &str)) -> Result<()> {
    // The results folder, which contains the default folder, may come from another person.
    let (folder, parts) = args.out.as_deref().map_or((own, 2), |out| (out, 1));
    if parts == 1 {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let (extension, caption) = match args.format {
        ChartFormat::Pdf => ("tex", format!("\\caption{{{}}}\\label{{fig:{name}}}\n", latex_text(caption))),
        _ => ("txt", format!("{caption}\n")),
    };
    let of_format = format!("{:?}", args.format).to_lowercase();
    let of_format = if args.format == ChartFormat::Vega { "vl.json" } else { &of_format };
    let path = folder.join(format!("{name}.{of_format}"));
    let beside = folder.join(format!("{name}.caption.{extension}"));
    for (path, content) in [(&path, bytes), (&beside, caption.as_bytes())] {
        replace(FilePlace::below(path, parts), |output| -> Result<()> { Ok(output.write_all(content)?) })?;
    }
    Ok(print(&format!("{}\n", path.display()))?)
}

/// Draws a chart in the requested format.
fn drawn(chart: &Chart, args: &PlotArgs, renderer: &mut Renderer) -> Result<Vec<u8>> {
    let name = chart.kind.text();
    let FittedDrawing { svg, mut spec, height, scale } =
        renderer.svg_of_width(&chart.spec, args.width * PIXELS_PER_MM)?;
    let high = height / PIXELS_PER_MM;
    let values = json!({
        "name": name,
        "width": args.width.to_string(),
        "points": (scale < LEAST_SCALE).then(|| format!("{:.1}", 7.5 * scale)),
        "high": (high > HIGHEST && args.width < WIDTH_OF_TWO).then(|| format!("{high:.0}")),
        "warnings": renderer.warnings(),
        "lacking": renderer.lacking(),
        "has_own_fonts": matches!(args.format, ChartFormat::Png | ChartFormat::Pdf),
    });
    rendered!("plot/notes.txt", values).lines().for_each(line);
    if args.format == ChartFormat::Vega {
        spec["config"] = theme();
        return Ok(format!("{spec}\n").into_bytes());
    }
    encoded(svg, args.format)
}

/// Converts a drawing to the requested format.
fn encoded(svg: String, format: ChartFormat) -> Result<Vec<u8>> {
    Ok(match format {
        ChartFormat::Png => png(&svg, SCALE)?,
        ChartFormat::Pdf => pdf(&svg)?,
        ChartFormat::Svg | ChartFormat::Vega => svg.into_bytes(),
    })
}

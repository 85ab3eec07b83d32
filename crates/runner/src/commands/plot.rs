//! `runner plot`: results as charts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use evogrid_analysis::Published;
use evogrid_analysis::charts::{Chart, ChartInput, ChartKind, draw};
use evogrid_analysis::samples::{Key, Samples, SelectionError};
use evogrid_render::{Renderer, pdf, png, theme};
use evogrid_results::files::replace;

use super::compare::{runs_of, samples};
use super::output::print;
use super::usage_error::{UsageError, unreadable};
use crate::cli::{ChartFormat, PlotArgs};
use crate::progress::line;

/// Pixels of a picture for each of a chart: 300 an inch, where a chart has 96.
const SCALE: f32 = 300.0 / 96.0;

/// Writes the charts of a results folder or a CSV, and prints the names of their files.
pub(super) fn plot(args: &PlotArgs) -> Result<ExitCode> {
    let runs = runs_of(&args.results)?;
    let samples = samples(&runs)?;
    let by = by(&samples, &args.by)?;
    let published = args.against.as_deref().map(Published::open).transpose().map_err(unreadable)?;
    let trace = runs.with_file_name("trace.csv.gz");
    let input = ChartInput {
        samples: &samples,
        trace: trace.is_file().then_some(trace.as_path()),
        published: published.as_ref(),
        by: &by,
        unit: args.metric.into(),
    };

    let is_asked = |kind: &ChartKind| args.charts.is_empty() || args.charts.iter().any(|chart| chart.0 == *kind);
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for kind in ChartKind::ALL.into_iter().filter(is_asked) {
        match draw(kind, &input) {
            Ok(chart) => made.push(chart),
            Err(error) => refused.push(format!("no chart `{}`: {error}", kind.text())),
        }
    }
    if !args.charts.is_empty() && !refused.is_empty() {
        return Err(UsageError(refused.join("\n")).into());
    }
    let folder = args.out.clone().unwrap_or_else(|| runs.with_file_name("charts"));
    write(&made, &folder, args.format)?;
    refused.iter().for_each(|refusal| line(&format!("note: {refusal}")));
    Ok(ExitCode::SUCCESS)
}

/// The keys of these names.
fn by(samples: &Samples, names: &[String]) -> Result<Vec<Key>, UsageError> {
    let usage = |error: SelectionError| UsageError(format!("{error}\n  {}", error.help()));
    names.iter().map(|name| samples.roster.key(name).map_err(usage)).collect()
}

/// Writes the charts into a folder, tells the names of their files, and what is to be said of each.
fn write(charts: &[Chart], folder: &Path, format: ChartFormat) -> Result<()> {
    if charts.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut renderer = None;
    for chart in charts {
        let name = chart.kind.text();
        let bytes = drawn(chart, format, &mut renderer).with_context(|| format!("chart `{name}`"))?;
        let path: PathBuf = folder.join(format!("{name}.{}", format.extension()));
        replace(&path, |output| -> Result<()> { Ok(output.write_all(&bytes)?) })?;
        print(&format!("{}\n", path.display()))?;
        chart.notes.iter().for_each(|note| line(&format!("{name}: {note}")));
    }
    Ok(())
}

/// A chart's file. To start a renderer takes longer than a drawing: there is one for all, if any is needed.
fn drawn(chart: &Chart, format: ChartFormat, renderer: &mut Option<Renderer>) -> Result<Vec<u8>> {
    if format == ChartFormat::Vega {
        let mut spec = chart.spec.clone();
        spec["config"] = theme();
        return Ok(format!("{spec}\n").into_bytes());
    }
    let renderer = match renderer {
        Some(renderer) => renderer,
        None => renderer.insert(Renderer::new()?),
    };
    let svg = renderer.svg(&chart.spec)?;
    for warning in renderer.warnings() {
        line(&format!("{}: {warning}", chart.kind.text()));
    }
    Ok(match format {
        ChartFormat::Png => png(&svg, SCALE)?,
        ChartFormat::Pdf => pdf(&svg)?,
        ChartFormat::Svg | ChartFormat::Vega => svg.into_bytes(),
    })
}

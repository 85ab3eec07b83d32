//! The report's data: everything the page shows, as one JSON object.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use evogrid_analysis::charts::{ChartError, ChartInput, ChartKind, WorkUnit, best_settings, survey};
use evogrid_analysis::compare::{MAX_SETTINGS, compare};
use evogrid_analysis::samples::{Metric, RosterInstance, Sample, Samples};
use evogrid_analysis::table::{Layout, shows_wall_times};
use evogrid_core::budget::Stop;
use evogrid_results::Summary;
use evogrid_results::names::NameTable;
use evogrid_results::runs::Reader;
use evogrid_results::summary::SummaryRow;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Sources;
use crate::messages::wall_times;
use crate::messages::warnings::{of_limits, warnings};
use crate::results_folder::gap;
use evogrid_runner::experiment::settings_json;

/// The most runs that a page holds one by one, so that it stays below two megabytes; of more, the first of each setting and
/// instance are kept.
const MOST_RUNS: usize = 6000;

/// The most cells times instances whose runs are counted by cell.
const MOST_COUNTS: usize = 100_000;

/// The most algorithms times instances whose runs are counted: beyond, no browser takes the page.
const MOST_COUNTS_OF_ALGORITHMS: usize = 10_000_000;

/// The most bytes that the description of a chart may have; a larger one is left to `runner plot`.
const LARGEST_CHART: usize = 400_000;

/// Everything the page shows, to be written as it is: instances and counts may be millions of numbers. The fields are in the order of the
/// alphabet, as the keys of all JSON here.
#[derive(Serialize)]
pub(super) struct ReportData<'s> {
    all_runs: usize,
    cells: Vec<(&'s str, &'s [String])>,
    charts: Vec<Value>,
    comparisons: Value,
    counts: Counts,
    folder: Option<String>,
    instances: Vec<InstanceEntry<'s>>,
    /// By what figure settings are good: `solved`, `gap` or `objective`.
    metric: &'static str,
    missing: &'s [&'static str],
    name: &'s str,
    provenance: Value,
    question: Value,
    runs: Vec<Value>,
    summary: Vec<Value>,
    themes: Value,
    pub(super) title: String,
    uncharted: Vec<Value>,
    varied: &'s [String],
    warnings: Vec<String>,
}

/// An instance's id and bucket; problem and content, where the manifest has them.
type InstanceEntry<'s> = (&'s str, &'s str, Option<&'s str>, Option<&'s str>);

/// How many runs each group of cells has on each instance: for each group a list by instance.
#[derive(Serialize)]
struct Counts {
    failed: Vec<Vec<u32>>,
    /// The sum of the gaps, or of the objectives, where there is no target; of the runs that have one.
    figures: Vec<Vec<f64>>,
    /// The group of each cell.
    group_of: Vec<usize>,
    /// Runs that say whether they were solved, or have such a figure.
    judged: Vec<Vec<u32>>,
    runs: Vec<Vec<u32>>,
    solved: Vec<Vec<u32>>,
    /// Where there are rates, the sum of the gaps of the runs without a target, or of their objectives where the instance has no gap.
    unjudged: Vec<Vec<f64>>,
    /// How many runs this is of.
    unjudged_runs: Vec<Vec<u32>>,
}

pub(super) fn report_data<'s>(sources: &'s Sources<'_>) -> Result<ReportData<'s>> {
    let samples = sources.samples;
    let summary = Summary::from_runs(Reader::open(&sources.runs)?)?;
    let experiment = sources.manifest.as_ref().map(|manifest| &manifest["experiment"]);
    let title = experiment.and_then(|experiment| experiment["title"].as_str()).filter(|title| !title.is_empty());
    let (charts, uncharted) = charts(sources, &summary);
    let roster = &samples.roster;
    Ok(ReportData {
        all_runs: samples.runs.len(),
        cells: roster.configurations.iter().map(|cell| (cell.algorithm.as_str(), cell.varied.as_slice())).collect(),
        charts,
        comparisons: comparisons(samples),
        counts: counts(samples)?,
        folder: sources.folder.map(|folder| folder.display().to_string()),
        instances: instances(sources),
        metric: samples.default_metric().column().unwrap_or("solved"),
        missing: &samples.missing,
        name: &sources.name,
        provenance: provenance(sources.manifest.as_ref()),
        question: question(sources),
        runs: runs(samples),
        summary: summary.rows.iter().map(row).collect(),
        themes: json!({ "light": evogrid_render::theme(), "dark": evogrid_render::dark_theme() }),
        title: title.unwrap_or(&sources.name).to_owned(),
        uncharted,
        varied: &roster.varied,
        warnings: all_warnings(sources, &summary),
    })
}

/// What is to be known before one believes the page: the warnings of every table, and what nothing is known of.
fn all_warnings(sources: &Sources<'_>, summary: &Summary) -> Vec<String> {
    let mut warnings = warnings(summary, sources.manifest.as_ref(), sources.catalogue);
    if shows_wall_times(summary, None, Layout::Long) {
        warnings.extend(wall_times::notes(summary, sources.manifest.as_ref()));
    }
    for (column, lost) in [
        ("evaluations", "evaluations and running times"),
        ("wall_ms", "times"),
        ("best_fitness", "fitness"),
        ("seed", "whether runs were paired by their seeds"),
    ] {
        if sources.samples.missing.contains(&column) {
            warnings.push(format!("The file has no column {column}: nothing is known of {lost}."));
        }
    }
    if sources.manifest.is_none() {
        warnings
            .push("There is no manifest: which settings, code and machine made these runs is not known.".to_owned());
    }
    warnings
}

/// The settings of each algorithm and what was varied, as the manifest has them.
fn question(sources: &Sources<'_>) -> Value {
    let Some(manifest) = &sources.manifest else { return Value::Null };
    let mut question = manifest["experiment"].clone();
    if let Some(fields) = question.as_object_mut() {
        fields.entry("instances").or_insert(Value::Null);
    }
    for point in question["algorithms"].as_array_mut().into_iter().flatten().flat_map(points) {
        // An operator in its short form, as tables have it.
        if let Ok(value) = settings_json::value_from_json(point) {
            *point = value.to_string().into();
        }
    }
    question
}

/// The values that an algorithm varies.
fn points(algorithm: &mut Value) -> impl Iterator<Item = &mut Value> {
    let axes = algorithm["varied"].as_array_mut().into_iter().flatten();
    axes.flat_map(|axis| axis["points"].as_array_mut().into_iter().flatten())
        .flat_map(|point| point.as_array_mut().into_iter().flatten())
}

/// Everything of the manifest but the experiment.
fn provenance(manifest: Option<&Value>) -> Value {
    let Some(Value::Object(manifest)) = manifest else { return Value::Null };
    let others = manifest.iter().filter(|(key, _)| key.as_str() != "experiment");
    Value::Object(others.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

/// A row of the summary, its rate with the interval.
fn row(row: &SummaryRow) -> Value {
    let figures = &row.figures;
    let interval = figures.success;
    json!({
        "algorithm": row.algorithm,
        "varied": row.varied,
        "bucket": row.bucket,
        "runs": figures.runs,
        "judged": figures.judged,
        "solved": figures.solved,
        "rate": figures.success_rate(),
        "low": interval.low,
        "high": interval.high,
        "gap": figures.mean_gap,
        "gap_low": figures.gap_low,
        "gap_high": figures.gap_high,
        "median_gap": figures.median_gap,
        "best_gap": figures.best_gap,
        "ert": figures.ert_evaluations,
        "median": figures.median_evaluations_solved,
        "generations": if figures.is_judged_in_part() { figures.mean_generations_judged } else { figures.mean_generations },
        "ms": figures.mean_ms_solved,
        "cpu": figures.mean_cpu_ms_solved,
        "par10": figures.par10_ms,
        "objective": figures.mean_objective,
        "median_objective": figures.median_objective,
        "best_objective": figures.best_objective,
        "fitness": figures.mean_best_fitness,
    })
}

/// Comparisons of all settings in success and in work, or in gap or objective where no run had a target; or why there are none. Of too
/// many settings the best are compared.
fn comparisons(samples: &Samples) -> Value {
    let metric = samples.default_metric();
    let best = best_settings(samples, metric, MAX_SETTINGS);
    let (compared, caveat) = best.as_ref().map_or((samples, None), |(best, caveat)| (best, Some(caveat)));
    let work = match WorkUnit::shared(compared) {
        WorkUnit::CpuMs => ("CPU time to solve", Metric::CpuMs),
        WorkUnit::WallMs => ("Wall time to solve", Metric::WallMs),
        WorkUnit::Evaluations | WorkUnit::Generations => ("Evaluations to solve", Metric::Evaluations),
    };
    let mut figures = match metric {
        Metric::Solved => vec![("Success", Metric::Solved), work],
        _ => Vec::new(),
    };
    if samples.runs.iter().any(|run| run.gap.is_some()) {
        figures.push(("Gap to the best known values", Metric::Gap));
    }
    if metric == Metric::Objective {
        figures.push(("Objective", Metric::Objective));
    }
    let comparison = |(heading, metric): (&str, Metric)| match compare(compared, metric, &[]) {
        Ok(comparison) => json!({
            "heading": heading,
            "is_rate": metric == Metric::Solved,
            "caveat": caveat,
            "groups": comparison.groups.iter().map(|group| json!([group.name, group.figure, group.runs - group.silent])).collect::<Vec<_>>(),
            "pairs": comparison.pairs.iter().map(|pair| json!({
                "first": pair.first,
                "second": pair.second,
                "size": pair.effect.size,
                "low": pair.effect.interval.low,
                "high": pair.effect.interval.high,
                "p": pair.p_holm,
                "says": format!("{:?}", pair.effect.conclusion(pair.p_holm)).to_lowercase(),
            })).collect::<Vec<_>>(),
            "sentences": comparison.sentences(),
        }),
        Err(error) => json!({ "heading": heading, "error": error.to_string() }),
    };
    figures.into_iter().map(comparison).collect()
}

/// All charts that can be made, and why the others cannot.
fn charts(sources: &Sources<'_>, summary: &Summary) -> (Vec<Value>, Vec<Value>) {
    let limits = of_limits(sources.manifest.as_ref(), sources.catalogue);
    let caveats: Vec<String> = gap(sources.manifest.as_ref(), sources.samples).into_iter().chain(limits).collect();
    let unit = WorkUnit::shared(sources.samples);
    let caveat = || wall_times::caveat(summary, sources.manifest.as_ref());
    let work_caveat = if unit == WorkUnit::WallMs { caveat() } else { None };
    let input = ChartInput {
        samples: sources.samples,
        trace: sources.trace.as_deref(),
        published: sources.published.as_ref(),
        by: &[],
        unit,
        metric: sources.samples.default_metric(),
        columns: 2,
        caveats: &caveats,
        work_caveat: work_caveat.as_deref(),
        most_bytes: LARGEST_CHART,
    };
    let too_large = |kind: ChartKind| json!([kind.text(), "its data are too large for a page; see `runner plot`"]);
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for (kind, chart) in survey(&input) {
        match chart {
            Err(ChartError::TooLarge) => refused.push(too_large(kind)),
            Ok(chart) if chart.spec.to_string().len() > LARGEST_CHART => refused.push(too_large(kind)),
            Ok(chart) => made.push(json!({
                "name": kind.text(),
                "title": chart.title,
                "doc": kind.doc(),
                "caveats": chart.caveats,
                "notes": chart.notes,
                "spec": chart.spec,
            })),
            Err(error) => refused.push(json!([kind.text(), error.to_string()])),
        }
    }
    (made, refused)
}

/// Instances with their content, where the manifest has it.
fn instances<'s>(sources: &'s Sources<'_>) -> Vec<InstanceEntry<'s>> {
    let instance = |instance: &'s RosterInstance| {
        let kept = sources.instances.get(&instance.id);
        (instance.id.as_str(), instance.bucket.as_str(), kept.map(|kept| kept.problem), kept.map(|kept| kept.content))
    };
    sources.samples.roster.instances.iter().map(instance).collect()
}

/// How many runs each group of cells has on each instance, how many of them are solved and how many failed: what rates are made of,
/// however many runs are listed one by one. A cell is a group by itself, unless that makes too many numbers: then an algorithm is.
fn counts(samples: &Samples) -> Result<Counts> {
    let roster = &samples.roster;
    let (n_cells, n_instances) = (roster.configurations.len(), roster.instances.len());
    let group_of: Vec<usize> = if n_cells.saturating_mul(n_instances) <= MOST_COUNTS {
        (0..n_cells).collect()
    } else {
        let mut names = NameTable::default();
        roster.configurations.iter().map(|cell| names.number(&cell.algorithm)).collect()
    };
    let n_groups = group_of.iter().max().map_or(0, |last| last + 1);
    ensure!(
        n_groups.saturating_mul(n_instances) <= MOST_COUNTS_OF_ALGORITHMS,
        "{n_groups} algorithms on {n_instances} instances are too many for a page; `runner table` has room for them"
    );
    let [mut runs, mut solved, mut failed, mut judged] = [(); 4].map(|()| vec![vec![0u32; n_instances]; n_groups]);
    let metric = samples.default_metric();
    let mut figures = vec![vec![0.0; if metric == Metric::Solved { 0 } else { n_instances }]; n_groups];
    let is_unjudged = |sample: &&Sample| sample.outcome.solved.is_none() && sample.outcome.stop != Stop::Failed;
    let n_unjudged =
        if metric == Metric::Solved && samples.runs.iter().any(|run| is_unjudged(&run)) { n_instances } else { 0 };
    let (mut unjudged, mut unjudged_runs) =
        (vec![vec![0.0; n_unjudged]; n_groups], vec![vec![0u32; n_unjudged]; n_groups]);
    for sample in samples.runs.iter().filter(|_| n_unjudged > 0).filter(is_unjudged) {
        let instance = sample.instance();
        let measure = if roster.instances[instance].has_gap { Metric::Gap } else { Metric::Objective };
        if let Some(figure) = measure.figure(samples, sample) {
            let group = group_of[sample.configuration()];
            unjudged[group][instance] += figure;
            unjudged_runs[group][instance] += 1;
        }
    }
    for sample in &samples.runs {
        let group = group_of[sample.configuration()];
        runs[group][sample.instance()] += 1;
        solved[group][sample.instance()] += u32::from(sample.outcome.is_solved());
        if let Some(figure) = metric.figure(samples, sample).filter(|figure| figure.is_finite()) {
            judged[group][sample.instance()] += 1;
            if let Some(sum) = figures[group].get_mut(sample.instance()) {
                *sum += figure;
            }
        }
        failed[group][sample.instance()] += u32::from(sample.outcome.stop == Stop::Failed);
    }
    Ok(Counts { failed, figures, group_of, judged, runs, solved, unjudged, unjudged_runs })
}

/// The runs one by one: cell, instance, repetition, solved, best fitness, evaluations, generations, restarts, ms, stop, number, objective,
/// gap, processor ms.
fn runs(samples: &Samples) -> Vec<Value> {
    let groups = samples.roster.configurations.len().saturating_mul(samples.roster.instances.len());
    let each = (MOST_RUNS / groups.max(1)).max(1);
    let is_listed_whole = samples.runs.len() <= MOST_RUNS;
    let mut taken: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for sample in &samples.runs {
        let group = taken.entry((sample.configuration(), sample.instance())).or_default();
        *group += 1;
        if !is_listed_whole && *group > each {
            continue;
        }
        if kept.len() >= MOST_RUNS {
            break;
        }
        let outcome = &sample.outcome;
        kept.push(json!([
            sample.configuration(),
            sample.instance(),
            sample.repetition,
            outcome.solved.map(u8::from),
            outcome.best_fitness,
            outcome.evaluations,
            outcome.generations,
            outcome.restarts,
            (outcome.wall_ms * 1000.0).round() / 1000.0,
            outcome.stop.to_string(),
            sample.run,
            outcome.objective,
            sample.gap.map(|gap| (gap * 1e4).round() / 1e4),
            outcome.cpu_ms.map(|cpu_ms| (cpu_ms * 1000.0).round() / 1000.0),
        ]));
    }
    kept
}

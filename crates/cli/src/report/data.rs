//! The report's data: everything that the page shows, as one JSON object.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use evogrid_analysis::charts::{ChartError, ChartKind, WorkUnit, survey};
use evogrid_analysis::compare::{Effect, Question};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{RosterInstance, Samples};
use evogrid_analysis::summary::{FIGURES, Figure, FigureDeclaration, Figures, SummaryRow};
use evogrid_analysis::table::Layout;
use evogrid_core::family::Direction;
use evogrid_runner::experiment::settings_json;
use evogrid_runner::system::program;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::instance_figures::{InstanceFigures, figures};
use crate::opened::OpenedResults;

/// The most runs that a page holds one by one, so that it stays below two megabytes; of more, the first of each configuration and
/// instance are kept.
const MOST_RUNS: usize = 6000;

/// The most bytes of a chart's specification; a larger chart is left to `runner plot`.
const LARGEST_CHART: usize = 400_000;

/// Everything that the page shows, written without copies: instances and counts may be millions of numbers. The fields are in
/// alphabetical order, like the keys of all JSON files here.
#[derive(Serialize)]
pub(super) struct ReportData<'s> {
    all_runs: usize,
    /// The best of all configurations, and what it shows on instances that did not choose it.
    best: Option<String>,
    configurations: Vec<(&'s str, &'s [String])>,
    charts: Vec<Value>,
    comparisons: Value,
    /// Whether objectives are `minimised` or `maximised`; null if some are either.
    direction: Option<&'static str>,
    figures: Vec<InstanceFigures<'s>>,
    /// What instances show, as it is read: each text once, and known by its number.
    figure_texts: Vec<String>,
    folder: Option<String>,
    instances: Vec<InstanceEntry<'s>>,
    /// By what metric configurations are ranked: `solved`, `gap` or `objective`.
    metric: &'static str,
    missing: &'s [&'static str],
    name: String,
    provenance: Value,
    question: Value,
    runs: Vec<Value>,
    summary: Vec<Value>,
    /// What the figures of the summary are called.
    summary_figures: Vec<&'static str>,
    themes: Value,
    pub(super) title: String,
    uncharted: Vec<Value>,
    varied: &'s [String],
    warnings: Vec<String>,
}

/// An instance's id and bucket; problem and content, where the manifest has them.
type InstanceEntry<'s> = (&'s str, &'s str, Option<&'s str>, Option<&'s str>);

pub(super) fn report_data<'s>(opened: &'s OpenedResults<'_>) -> Result<ReportData<'s>> {
    let (samples, name) = (&opened.samples, name_of(&opened.path));
    let experiment = opened.manifest.as_ref().map(|manifest| &manifest["experiment"]);
    let title = experiment.and_then(|experiment| experiment["title"].as_str()).filter(|title| !title.is_empty());
    let (charts, uncharted) = charts(opened)?;
    let roster = &samples.roster;
    let (figures, figure_texts) = figures(opened)?;
    Ok(ReportData {
        all_runs: samples.runs.len(),
        best: opened.summary.best_of_many(opened.quality(), &[]),
        configurations: roster
            .configurations
            .iter()
            .map(|configuration| (configuration.algorithm.as_str(), configuration.varied.as_slice()))
            .collect(),
        charts,
        comparisons: comparisons(opened),
        direction: opened.summary.direction().map(Direction::participle),
        figures,
        figure_texts,
        folder: opened.path.is_dir().then(|| opened.path.display().to_string()),
        instances: instances(opened),
        metric: opened.quality().declaration().name,
        missing: &samples.missing,
        provenance: provenance(opened.manifest.as_ref()),
        question: question(opened),
        runs: runs(samples),
        summary: opened.summary.rows.iter().map(row).collect(),
        summary_figures: shown_figures().map(|declared| declared.title).collect(),
        themes: json!({ "light": evogrid_render::theme(), "dark": evogrid_render::dark_theme() }),
        title: title.map_or_else(|| name.clone(), str::to_owned),
        name,
        uncharted,
        varied: &roster.varied,
        warnings: all_warnings(opened),
    })
}

/// What a reader must know before trusting the page: the warnings of every table, and what is unknown.
fn all_warnings(opened: &OpenedResults<'_>) -> Vec<String> {
    let mut warnings = opened.warnings();
    warnings.extend(opened.analysis_notes());
    if opened.shows_wall_times(Layout::Long) {
        warnings.extend(opened.wall_time_notes());
    }
    for (column, lost) in [
        ("evaluations", "evaluations and running times"),
        ("wall_ms", "times"),
        ("best_fitness", "fitness"),
        ("seed", "whether seeds pair the runs"),
    ] {
        if opened.samples.missing.contains(&column) {
            warnings.push(format!("The file has no column {column}, so the report cannot show {lost}."));
        }
    }
    if opened.manifest.is_none() {
        warnings
            .push("The manifest is missing: the settings, code and machine of these runs are not known.".to_owned());
    }
    warnings
}

/// The settings of each algorithm, and what was varied, as the manifest has them.
fn question(opened: &OpenedResults<'_>) -> Value {
    let Some(manifest) = &opened.manifest else { return Value::Null };
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

/// Everything in the manifest except the experiment.
fn provenance(manifest: Option<&Value>) -> Value {
    let Some(Value::Object(manifest)) = manifest else { return Value::Null };
    let others = manifest.iter().filter(|(key, _)| key.as_str() != "experiment");
    Value::Object(others.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

/// The figures of the table, in the order of their list.
fn shown_figures() -> impl Iterator<Item = &'static FigureDeclaration> {
    FIGURES.iter().filter(|declared| !declared.title.is_empty())
}

/// A figure of the table. Rates and generations count the runs that had a target, if any had one.
fn shown_value(figures: &Figures, figure: Figure) -> Option<f64> {
    match figure {
        Figure::MeanGenerations if figures.is_judged_in_part() => figures[Figure::MeanGenerationsJudged],
        _ => figures[figure],
    }
}

/// A row of the summary, its rate with the interval.
fn row(row: &SummaryRow) -> Value {
    let figures = &row.figures;
    let interval = figures.rate.interval;
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
        "gap": figures[Figure::MeanGap],
        "gap_low": figures.gap_interval().map(|gap| gap.low),
        "gap_high": figures.gap_interval().map(|gap| gap.high),
        "figures": shown_figures().map(|declared| shown_value(figures, declared.figure)).collect::<Vec<_>>(),
    })
}

/// Comparisons of all configurations: in the metric that was asked for; else in success and in work; else, if no run had a target, in gap
/// or objective; or the reason why there are none. If there are too many configurations, the best are compared.
fn comparisons(opened: &OpenedResults<'_>) -> Value {
    let (samples, metric) = (&opened.samples, opened.metric());
    let configurations = opened.compared_configurations();
    let work = match WorkUnit::shared(&configurations.samples) {
        WorkUnit::CpuMs => ("CPU time to solve", Metric::CpuMs),
        WorkUnit::WallMs => ("Wall time to solve", Metric::WallMs),
        WorkUnit::Evaluations | WorkUnit::Generations => ("Evaluations to solve", Metric::Evaluations),
    };
    let estimate = capitalised(&metric.name());
    let mut figures = match metric {
        Metric::Solved => vec![("Success", Metric::Solved), work],
        Metric::Gap | Metric::Objective => Vec::new(),
        metric => vec![(estimate.as_str(), metric)],
    };
    if opened.metric.is_none_or(|metric| metric == Metric::Gap) && samples.runs.iter().any(|run| run.gap.is_some()) {
        figures.push(("Gap to the best known values", Metric::Gap));
    }
    if metric == Metric::Objective {
        figures.push(("Objective", Metric::Objective));
    }
    let comparison = |(heading, metric): (&str, Metric)| match configurations.compare(metric) {
        Ok(comparison) => json!({
            "heading": heading,
            "is_rate": metric == Metric::Solved,
            // Of all configurations it stands below their table.
            "best": comparison.best.as_ref().filter(|_| !opened.by.is_empty()),
            "caveat": configurations.heading,
            "confidence": comparison.confidence.to_string(),
            "groups": comparison.groups.iter().map(|group| json!([group.name, group.figure, group.runs - group.silent])).collect::<Vec<_>>(),
            "pairs": comparison.pairs.iter().map(|pair| json!({
                "first": pair.first,
                "second": pair.second,
                "size": pair.effect.size,
                "these": answer(&pair.effect, Question::TheseInstances),
                "like_these": answer(&pair.effect, Question::InstancesLikeThese),
            })).collect::<Vec<_>>(),
            "sentences": comparison.sentences(),
        }),
        Err(error) => json!({ "heading": heading, "error": error.to_string() }),
    };
    figures.into_iter().map(comparison).collect()
}

/// The answer to a question on two configurations, or null.
fn answer(effect: &Effect, question: Question) -> Value {
    effect.answer(question).map_or(Value::Null, |answer| {
        json!({
            "low": answer.interval.low,
            "high": answer.interval.high,
            "p": answer.p_corrected,
            "says": format!("{:?}", effect.conclusion(question)).to_lowercase(),
        })
    })
}

/// All charts that can be made, and why the others cannot.
fn charts(opened: &OpenedResults<'_>) -> Result<(Vec<Value>, Vec<Value>)> {
    let (by, caveats, work_caveat) = (opened.keys()?, opened.caveats(), opened.work_caveat());
    let input = opened.chart_input(&by, (&caveats, work_caveat.as_deref()), (2, LARGEST_CHART));
    let too_large = |kind: ChartKind| {
        json!([kind.text(), format!("its data are too large for this page; draw it with `{} plot`", program::name())])
    };
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
    Ok((made, refused))
}

/// The instances with their content, if the manifest has it.
fn instances<'s>(opened: &'s OpenedResults<'_>) -> Vec<InstanceEntry<'s>> {
    let instance = |instance: &'s RosterInstance| {
        let kept = opened.instances.get(&instance.id);
        (instance.id.as_str(), instance.bucket.as_str(), kept.map(|kept| kept.problem), kept.map(|kept| kept.content))
    };
    opened.samples.roster.instances.iter().map(instance).collect()
}

/// A name with a capital first letter.
fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of a folder or a file.
fn name_of(results: &Path) -> String {
    let path = results.canonicalize().unwrap_or_else(|_| results.to_owned());
    path.file_stem().map_or_else(|| "report".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The runs one by one: configuration, instance, repetition, solved, best fitness, evaluations, generations, restarts, ms, stop, number, objective,
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

//! The data of the report: everything that the page shows, as one JSON object.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use evogrid_analysis::race::{RecordedCandidate, RecordedFate, RecordedRace};
use evogrid_analysis::ranking::configuration_names;
use evogrid_analysis::samples::{Key, RosterInstance, Samples};
use evogrid_analysis::summary::{FIGURES, Figure, FigureDeclaration, Figures, SummaryRow};
use evogrid_analysis::table::Layout;
use evogrid_core::family::Direction;
use evogrid_results::files::is_regular;
use evogrid_results::format::printable;
use evogrid_runner::experiment::settings_json;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::instance_figures::{InstanceFigures, figures};
use super::journal::JournalData;
use super::view::views;
use crate::messages::{program, rendered, shell_word};
use crate::opened::OpenedResults;

/// The page lists at most this many runs, so that it stays below two megabytes. If there are more runs, the page lists the first runs of
/// each configuration and instance.
const MOST_RUNS: usize = 6000;

/// Everything that the page shows. These data are serialised without copies, since there may be millions of numbers for instances and
/// counts. The fields are in alphabetical order, like the keys of all JSON files of this program.
#[derive(Serialize)]
pub(super) struct ReportData<'s> {
    all_runs: usize,
    /// Algorithm, values of the varied settings, and name of each configuration.
    configurations: Vec<(&'s str, &'s [String], String)>,
    charts: Vec<Value>,
    /// `minimised` or `maximised`; null if the objectives have different directions.
    direction: Option<&'static str>,
    failures: Vec<(String, usize, u64)>,
    figures: Vec<InstanceFigures>,
    /// The texts of the figures of instances. Each text is stored once and has a number.
    figure_texts: Vec<String>,
    folder: Option<String>,
    instances: Vec<InstanceEntry<'s>>,
    /// The metric that ranks configurations: `solved`, `gap` or `objective`.
    metric: &'static str,
    name: String,
    /// Notes on the decisions of the analysis, and on missing data.
    notes: Vec<String>,
    provenance: Value,
    question: Value,
    /// The race of these configurations; null if there was no race.
    race: Value,
    runs: Vec<Value>,
    /// The best solution of each instance: instance, run, solution, and its objective as a text.
    solutions: Vec<(usize, u64, String, String)>,
    summary: Vec<Value>,
    /// The names of the figures in the summary.
    summary_figures: Vec<&'static str>,
    themes: Value,
    pub(super) title: String,
    varied: &'s [String],
    views: Vec<Value>,
    warnings: Vec<String>,
}

/// An instance's id and bucket, and its problem and content if the manifest has them.
type InstanceEntry<'s> = (&'s str, &'s str, Option<&'s str>, Option<&'s str>);

pub(super) fn report_data<'s>(opened: &'s OpenedResults<'_>) -> Result<ReportData<'s>> {
    let (samples, name) = (&opened.samples, name_of(&opened.path));
    let experiment = opened.manifest.as_ref().map(|manifest| &manifest["experiment"]);
    let title = experiment.and_then(|experiment| experiment["title"].as_str()).filter(|title| !title.is_empty());
    let (views, charts) = views(opened)?;
    let roster = &samples.roster;
    let (figures, figure_texts) = figures(opened)?;
    let journal = JournalData::read(opened)?;
    let of_times = opened.shows_wall_times(Layout::Long).then(|| opened.wall_time_notes());
    let warnings = opened.warnings().into_iter().chain(of_times.into_iter().flatten()).collect();
    Ok(ReportData {
        all_runs: samples.runs.len(),
        configurations: roster
            .configurations
            .iter()
            .zip(configuration_names(roster))
            .map(|(configuration, name)| (configuration.algorithm.as_str(), configuration.varied.as_slice(), name))
            .collect(),
        charts,
        direction: opened.summary.direction().map(Direction::participle),
        failures: journal.failures,
        figures,
        figure_texts,
        folder: opened.path.is_dir().then(|| opened.path.display().to_string()),
        instances: instances(opened),
        metric: opened.quality().declaration().name,
        provenance: provenance(opened.manifest.as_ref()),
        question: question(opened),
        race: race_data(opened)?,
        runs: runs(samples),
        solutions: journal.solutions,
        summary: opened.summary.rows.iter().map(row).collect(),
        summary_figures: shown_figures().map(|declared| declared.title).collect(),
        themes: json!({ "light": evogrid_render::theme(), "dark": evogrid_render::dark_theme() }),
        title: title.map_or_else(|| name.clone(), str::to_owned),
        name,
        notes: notes(opened, &views),
        varied: &roster.varied,
        views,
        warnings,
    })
}

/// Notes on the decisions of the analysis, and on missing data and analyses.
fn notes(opened: &OpenedResults<'_>, views: &[Value]) -> Vec<String> {
    let is_whole = views.iter().all(|view| view["bucket"].is_null());
    let facts = json!({
        "missing": opened.samples.missing,
        "has_manifest": opened.manifest.is_some(),
        "lacks_buckets": is_whole && opened.samples.roster.values(Key::Bucket).len() > 1,
    });
    let of_data = rendered!("data/notes.txt", facts);
    opened.analysis_notes().into_iter().chain(of_data.lines().map(str::to_owned)).collect()
}

/// The experiment in the manifest, with the settings of each algorithm and the varied values.
fn question(opened: &OpenedResults<'_>) -> Value {
    let Some(manifest) = &opened.manifest else { return Value::Null };
    let mut question = manifest["experiment"].clone();
    if let Some(fields) = question.as_object_mut() {
        fields.entry("instances").or_insert(Value::Null);
    }
    for point in question["algorithms"].as_array_mut().into_iter().flatten().flat_map(points) {
        // Tables show operators in their short form, too.
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

/// A figure of the table. If some runs had a target, mean generations count only these runs.
fn shown_value(figures: &Figures, figure: Figure) -> Option<f64> {
    match figure {
        Figure::MeanGenerations if figures.is_judged_in_part() => figures[Figure::MeanGenerationsJudged],
        _ => figures[figure],
    }
}

/// A row of the summary, with the interval of its rate.
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
        "rate": figures.success_rate().map(shortened),
        "low": shortened(interval.low),
        "high": shortened(interval.high),
        "gap": figures[Figure::MeanGap].map(shortened),
        "gap_low": figures.gap_interval().map(|gap| shortened(gap.low)),
        "gap_high": figures.gap_interval().map(|gap| shortened(gap.high)),
        "figures": shown_figures().map(|declared| shown_value(figures, declared.figure).map(shortened)).collect::<Vec<_>>(),
    })
}

/// Rounds a number to eight significant digits. The page shows fewer digits. All digits would take half of the bytes of the page.
fn shortened(value: f64) -> f64 {
    format!("{value:.7e}").parse().unwrap_or(value)
}

/// The instances with their content, if the manifest has it.
fn instances<'s>(opened: &'s OpenedResults<'_>) -> Vec<InstanceEntry<'s>> {
    let instance = |instance: &'s RosterInstance| {
        let kept = opened.instances.get(&instance.id);
        (instance.id.as_str(), instance.bucket.as_str(), kept.map(|kept| kept.problem), kept.map(|kept| kept.content))
    };
    opened.samples.roster.instances.iter().map(instance).collect()
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

/// The page shows at most this many candidates of a race. They are the best candidates.
const MOST_CANDIDATES: usize = 1000;

/// The race of a results folder; null if there was no race.
fn race_data(opened: &OpenedResults<'_>) -> Result<Value> {
    let Some(RecordedRace { settings, candidates }) = &opened.race else { return Ok(Value::Null) };
    let ranked = opened.race.iter().flat_map(RecordedRace::ranked).take(MOST_CANDIDATES);
    let test = opened.path.join("test");
    // If the default configuration wins, there is no test. A test in the folder belongs to an earlier winner.
    let is_default = candidates.iter().any(|candidate| candidate.number == 0 && candidate.fate == RecordedFate::Winner);
    let has_test = !is_default && is_regular(&test.join("runs.csv"))?;
    Ok(json!({
        "all": candidates.len(),
        "candidates": ranked.map(candidate_data).collect::<Vec<_>>(),
        "settings": settings.iter().map(|name| printable(name)).collect::<Vec<_>>(),
        "test": has_test.then(|| format!("{} report {}", program::name(), shell_word(&test))),
    }))
}

fn candidate_data(candidate: &RecordedCandidate) -> Value {
    let is_out = matches!(candidate.fate, RecordedFate::Worse | RecordedFate::SetAside);
    json!({
        "ended": is_out.then_some(candidate.blocks[1]),
        "evidence": candidate.evidence,
        "failed": candidate.n_failed,
        "fate": candidate.fate.words(),
        "mean": candidate.mean,
        "number": candidate.number,
        "runs": candidate.n_runs,
        "values": candidate.values.iter().map(|value| printable(value)).collect::<Vec<_>>(),
    })
}

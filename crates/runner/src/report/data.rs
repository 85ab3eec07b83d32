//! The report's data: everything the page shows, as one JSON object.

use anyhow::Result;
use evogrid_analysis::charts::{ChartInput, WorkUnit, best_settings, survey};
use evogrid_analysis::compare::{MAX_SETTINGS, compare};
use evogrid_analysis::samples::{Configuration, Key, Metric, RosterInstance, Samples};
use evogrid_core::budget::Stop;
use evogrid_results::Summary;
use evogrid_results::runs::Reader;
use evogrid_results::summary::SummaryRow;
use serde_json::{Map, Value, json};

use super::Sources;
use super::folder::gap;
use crate::settings_json;
use crate::warnings::{of_limits, warnings};

/// The most runs that a page holds one by one, so that it stays below two megabytes; of more, the first of each setting and
/// instance are kept.
const MOST_RUNS: usize = 6000;

/// The most cells times instances whose runs are counted by cell.
const MOST_COUNTS: usize = 100_000;

/// The most points that the data of a chart may have; a larger one is left to `runner plot`.
const LARGEST_CHART: usize = 400_000;

pub(super) fn report_data(sources: &Sources<'_>) -> Result<Value> {
    let samples = sources.samples;
    let summary = Summary::from_runs(Reader::open(&sources.runs)?)?;
    let experiment = sources.manifest.as_ref().map(|manifest| &manifest["experiment"]);
    let title = experiment.and_then(|experiment| experiment["title"].as_str()).filter(|title| !title.is_empty());
    let charts = charts(sources);
    Ok(json!({
        "title": title.unwrap_or(&sources.name),
        "name": sources.name,
        "folder": sources.folder.map(|folder| folder.display().to_string()),
        "warnings": all_warnings(sources, &summary),
        "question": question(sources),
        "varied": samples.roster.varied,
        "missing": samples.missing,
        "summary": summary.rows.iter().map(row).collect::<Vec<_>>(),
        "comparisons": comparisons(samples),
        "charts": charts.0,
        "uncharted": charts.1,
        "themes": { "light": evogrid_render::theme(), "dark": evogrid_render::dark_theme() },
        "cells": samples.roster.configurations.iter().map(|cell| json!([cell.algorithm, cell.varied])).collect::<Vec<_>>(),
        "instances": instances(sources),
        "runs": runs(samples),
        "counts": counts(samples),
        "all_runs": samples.runs.len(),
        "provenance": provenance(sources.manifest.as_ref()),
    }))
}

/// What is to be known before one believes the page: the warnings of every table, and what nothing is known of.
fn all_warnings(sources: &Sources<'_>, summary: &Summary) -> Vec<String> {
    let mut warnings = warnings(summary, sources.manifest.as_ref(), sources.catalogue);
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
        "solved": figures.solved,
        "rate": figures.success_rate(),
        "low": interval.low,
        "high": interval.high,
        "ert": figures.ert_evaluations,
        "median": figures.median_evaluations_solved,
        "generations": figures.mean_generations,
        "ms": figures.mean_ms_solved,
        "par10": figures.par10_ms,
        "objective": figures.mean_objective,
        "fitness": figures.mean_best_fitness,
    })
}

/// Comparisons of all settings in success and in work, or why there are none; of too many settings the best are compared.
fn comparisons(samples: &Samples) -> Value {
    let best = best_settings(samples, MAX_SETTINGS);
    let (compared, caveat) = best.as_ref().map_or((samples, None), |(best, caveat)| (best, Some(caveat)));
    let work = match WorkUnit::shared(compared) {
        WorkUnit::CpuMs => ("CPU time to solve", Metric::CpuMs),
        WorkUnit::WallMs => ("Wall time to solve", Metric::WallMs),
        WorkUnit::Evaluations | WorkUnit::Generations => ("Evaluations to solve", Metric::Evaluations),
    };
    let comparison = |(heading, metric): (&str, Metric)| match compare(compared, metric, &[]) {
        Ok(comparison) => json!({
            "heading": heading,
            "is_rate": metric == Metric::Solved,
            "caveat": caveat,
            "groups": comparison.groups.iter().map(|group| json!([group.name, group.figure, group.runs])).collect::<Vec<_>>(),
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
    [("Success", Metric::Solved), work].map(comparison).into_iter().collect()
}

/// All charts that can be made, and why the others cannot.
fn charts(sources: &Sources<'_>) -> (Vec<Value>, Vec<Value>) {
    let limits = of_limits(sources.manifest.as_ref(), sources.catalogue);
    let caveats: Vec<String> = gap(sources.manifest.as_ref(), sources.samples).into_iter().chain(limits).collect();
    let input = ChartInput {
        samples: sources.samples,
        trace: sources.trace.as_deref(),
        published: sources.published.as_ref(),
        by: &[],
        unit: WorkUnit::shared(sources.samples),
        columns: 2,
        caveats: &caveats,
    };
    let (mut made, mut refused) = (Vec::new(), Vec::new());
    for (kind, chart) in survey(&input) {
        match chart {
            Ok(chart) if chart.spec.to_string().len() > LARGEST_CHART => {
                refused.push(json!([kind.text(), "its data are too large for a page; see `runner plot`"]));
            }
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
fn instances(sources: &Sources<'_>) -> Vec<Value> {
    let instance = |instance: &RosterInstance| {
        let kept = sources.instances.get(&instance.id);
        json!([instance.id, instance.bucket, kept.map(|kept| kept.problem), kept.map(|kept| kept.content)])
    };
    sources.samples.roster.instances.iter().map(instance).collect()
}

/// How many runs each group of cells has on each instance, how many of them are solved and how many failed: what rates are made of,
/// however many runs are listed one by one. A cell is a group by itself, unless that makes too many numbers: then an algorithm is.
fn counts(samples: &Samples) -> Value {
    let roster = &samples.roster;
    let (n_cells, n_instances) = (roster.configurations.len(), roster.instances.len());
    let group_of: Vec<usize> = if n_cells.saturating_mul(n_instances) <= MOST_COUNTS {
        (0..n_cells).collect()
    } else {
        let names: Vec<&str> = roster.values(Key::Algorithm);
        let place = |cell: &Configuration| names.iter().position(|name| *name == cell.algorithm).unwrap_or_default();
        roster.configurations.iter().map(place).collect()
    };
    let n_groups = group_of.iter().max().map_or(0, |last| last + 1);
    let [mut runs, mut solved, mut failed] = [(); 3].map(|()| vec![vec![0u64; n_instances]; n_groups]);
    for sample in &samples.runs {
        let group = group_of[sample.configuration()];
        runs[group][sample.instance()] += 1;
        solved[group][sample.instance()] += u64::from(sample.outcome.solved);
        failed[group][sample.instance()] += u64::from(sample.outcome.stop == Stop::Failed);
    }
    json!({ "group_of": group_of, "runs": runs, "solved": solved, "failed": failed })
}

/// The runs one by one: cell, instance, repetition, solved, best fitness, evaluations, generations, restarts, ms, stop, id, number.
fn runs(samples: &Samples) -> Vec<Value> {
    let groups = samples.roster.configurations.len() * samples.roster.instances.len();
    let each = (MOST_RUNS / groups.max(1)).max(1);
    let mut taken = vec![0usize; groups];
    let mut kept = Vec::new();
    for sample in &samples.runs {
        let group = &mut taken[sample.configuration() * samples.roster.instances.len() + sample.instance()];
        *group += 1;
        if samples.runs.len() > MOST_RUNS && (*group > each || kept.len() >= MOST_RUNS) {
            continue;
        }
        let outcome = &sample.outcome;
        kept.push(json!([
            sample.configuration(),
            sample.instance(),
            sample.repetition,
            u8::from(outcome.solved),
            outcome.best_fitness,
            outcome.evaluations,
            outcome.generations,
            outcome.restarts,
            (outcome.wall_ms * 1000.0).round() / 1000.0,
            outcome.stop.to_string(),
            sample.run,
        ]));
    }
    kept
}

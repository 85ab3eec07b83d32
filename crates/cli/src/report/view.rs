//! The views of a report, one for each bucket and metric. The numbers of the views are computed here, from all runs.

use anyhow::Result;
use evogrid_analysis::charts::ChartInput;
use evogrid_analysis::compare::{Comparison, Effect, Question};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::ranking::{Ranking, RankingRow};
use evogrid_analysis::samples::{Key, Samples, SelectionError};
use serde_json::{Value, json};

use super::charts::ChartPool;
use crate::opened::OpenedResults;

/// If there are more buckets than this, buckets have no views of their own.
const MOST_BUCKETS: usize = 12;

/// If all views together would read more runs than this, metrics and buckets have no views of their own.
const MOST_RUNS: usize = 1_000_000;

/// Returns all views and their charts. The view that is shown first comes first.
pub(super) fn views(opened: &OpenedResults<'_>) -> Result<(Vec<Value>, Vec<Value>)> {
    let samples = &opened.samples;
    let mut metrics = metrics(opened);
    if metrics.len() * samples.runs.len() > MOST_RUNS {
        metrics.truncate(1);
    }
    // The views of buckets read all runs a second time.
    let mut buckets = samples.roster.values(Key::Bucket);
    if !(2..=MOST_BUCKETS).contains(&buckets.len()) || 2 * metrics.len() * samples.runs.len() > MOST_RUNS {
        buckets.clear();
    }
    let (mut views, mut pool) = (Vec::new(), ChartPool::default());
    for bucket in std::iter::once(None).chain(buckets.into_iter().map(Some)) {
        let own = bucket.map(|bucket| {
            let is_in = |run: &&_| samples.value(Key::Bucket, run) == bucket;
            samples.with_runs(samples.runs.iter().filter(is_in).copied().collect())
        });
        let own = own.as_ref().unwrap_or(samples);
        for &metric in &metrics {
            views.extend(view(opened, &mut pool, own, bucket, metric)?);
        }
    }
    Ok((views, pool.charts))
}

/// The metrics that can rank configurations. The metric of the analysis comes first.
fn metrics(opened: &OpenedResults<'_>) -> Vec<Metric> {
    let samples = &opened.samples;
    let (is_judged, has_gap) = (
        opened.summary.rows.iter().any(|row| row.figures.judged > 0),
        samples.runs.iter().any(|run| run.gap.is_some()),
    );
    let others = [
        (Metric::Solved, is_judged),
        (Metric::Gap, has_gap),
        (Metric::Objective, !is_judged && !has_gap),
        (samples.work_unit(), is_judged),
    ];
    let mut metrics = vec![opened.metric()];
    for (metric, is_there) in others {
        if is_there && !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics
}

/// Returns the view of some runs for a bucket (`None` for all runs) and a metric. If the runs have no figures, there is no view. The view
/// of all runs in the metric of the analysis always exists.
fn view(
    opened: &OpenedResults<'_>,
    pool: &mut ChartPool,
    samples: &Samples,
    bucket: Option<&str>,
    metric: Metric,
) -> Result<Option<Value>> {
    let quality = match metric {
        Metric::Solved | Metric::Gap | Metric::Objective => metric,
        _ => opened.quality(),
    };
    let compared = opened.compare(samples, metric, quality);
    let ranking = Ranking::new(samples, metric, compared.as_ref().ok());
    let has_figure = ranking.as_ref().is_ok_and(|ranking| ranking.rows.iter().any(|row| !row.figure.is_empty()));
    if !has_figure && (bucket.is_some() || metric != opened.metric()) {
        return Ok(None);
    }
    let (by, caveats) = (opened.keys()?, opened.caveats());
    let unit = if metric.is_work_unit() { metric } else { opened.work_unit() };
    let work_caveat = opened.work_caveat(unit);
    let input = opened.chart_input(&by, (&caveats, work_caveat.as_deref()), (2, super::charts::LARGEST));
    // The captions of the page contain the notes.
    let input = ChartInput { samples, metric: quality, shown: metric, unit, has_notes: false, ..input };
    let (charts, uncharted) = pool.add(&input);
    let figure = pool.main_figure(&charts, samples, ranking.as_ref().map_or(0, |ranking| ranking.rows.len()));
    // `figure` is the number of the chart beside the answer, and `charts` are the numbers of all charts. `uncharted` has the charts that cannot
    // be made, with the reasons.
    Ok(Some(json!({
        "bucket": bucket,
        "metric": if metric == Metric::Solved { "success rate".to_owned() } else { metric.name() },
        "answer": ranking.as_ref().map_or_else(ToString::to_string, Ranking::answer),
        "figure": figure,
        "comparison": comparison(compared, ranking.as_ref().ok()),
        "ranking": ranking.map_or(Value::Null, |ranking| ranking_data(&ranking)),
        "charts": charts,
        "uncharted": uncharted,
    })))
}

fn ranking_data(ranking: &Ranking) -> Value {
    let row = |row: &RankingRow| {
        json!([row.configuration, row.figure, row.ends, row.mean, row.may_be_best, row.runs, row.failed])
    };
    json!({
        "rows": ranking.rows.iter().map(row).collect::<Vec<_>>(),
        "notes": ranking.notes(),
        "ordered_by": ranking.shared.as_ref().map(|shared| shared.unit.name()),
    })
}

/// The data of a comparison, or the reason why there is none.
fn comparison(compared: Result<Comparison, SelectionError>, ranking: Option<&Ranking>) -> Value {
    match compared {
        Ok(comparison) => json!({
            "is_rate": comparison.metric == Metric::Solved,
            "caveat": comparison.heading,
            "confidence": comparison.confidence.to_string(),
            "differs": ranking.and_then(|ranking| ranking.difference_to(&comparison)),
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
        Err(error) => json!({ "error": error.to_string() }),
    }
}

/// The answer to a question about two configurations, or null.
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

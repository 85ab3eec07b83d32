//! The table that shows gaps or objectives. Each configuration has a block of rows, with one row for each bucket.

use std::collections::BTreeSet;

use super::ColumnSet;
use super::model::{Caption, Cell, Column, ColumnKind, Table};
use crate::metric::gap_ends;
use crate::summary::{Figure, Figures, Summary, SummaryRow};
use evogrid_core::budget::Stop;
use evogrid_core::family::Direction;
use evogrid_results::format::{fixed, printable, short};

/// If more buckets than this combine several objectives, the note gives only the number of these buckets.
const MOST_NAMED: usize = 5;

const GAP_LEGEND: &str = "gap %: mean distance from the best known value, in per cent. The mean is taken over the runs of each instance, then over instances. 95 %: interval of the mean gap, rounded outwards. The interval holds for instances like these. With only one instance, the interval holds for further runs on this instance. med: median gap of runs. best: lowest gap of runs";

const OBJECTIVE_LEGEND: &str = "obj: mean objective of runs. If there are several instances, the largest objectives dominate the mean. med: median objective of runs (only with one instance). best: best objective of runs";

/// A column: the name, the short name, the kind, and a function that makes the cell of a row.
type QualityColumn = (&'static str, &'static str, ColumnKind, fn(&Figures) -> Cell);

const GAP: [QualityColumn; 4] = [
    ("mean gap %", "gap %", ColumnKind::Number, |figures| gap(figures[Figure::MeanGap])),
    ("95 %", "95 %", ColumnKind::Interval, gap_interval),
    ("median gap %", "med", ColumnKind::Number, |figures| gap(figures[Figure::MedianGap])),
    ("best gap %", "best", ColumnKind::Number, |figures| gap(figures[Figure::BestGap])),
];

const OBJECTIVE: [QualityColumn; 3] = [
    ("mean objective", "obj", ColumnKind::Number, |figures| Cell::Plain(short(figures[Figure::MeanObjective]))),
    ("median objective", "med", ColumnKind::Number, |figures| Cell::Plain(short(figures[Figure::MedianObjective]))),
    ("best objective", "best", ColumnKind::Number, |figures| Cell::Plain(short(figures[Figure::BestObjective]))),
];

/// The meanings of the columns after the figures.
const MEANINGS: [(&str, &str); 4] = [
    ("inst", "instances"),
    ("gen", "mean generations"),
    ("cpu", "mean processor ms"),
    ("stopped", "reasons why runs stopped"),
];

/// The columns that follow the figures of gaps or objectives.
const EFFORT: [QualityColumn; 5] = [
    ("runs", "runs", ColumnKind::Number, |figures| Cell::Plain(figures.runs.to_string())),
    ("instances", "inst", ColumnKind::Number, |figures| Cell::Plain(figures.instances.to_string())),
    ("mean generations", "gen", ColumnKind::Number, |figures| Cell::Plain(short(figures[Figure::MeanGenerations]))),
    ("mean cpu ms", "cpu", ColumnKind::Number, |figures| Cell::Plain(short(figures[Figure::MeanCpuMs]))),
    ("stopped by", "stopped", ColumnKind::Text, |figures| stops(figures.stops, |_| true)),
];

/// The table of gaps.
pub(super) fn by_gap(summary: &Summary, set: ColumnSet) -> Table {
    const CAPTION: Caption =
        Caption { text: "Gap to the best known values, by configuration and bucket", label: "gap" };
    let mut table = table(summary, (CAPTION, GAP_LEGEND), &GAP, set);
    table.notes.extend(notes_of_gaps(summary));
    table
}

/// The table of objectives.
pub(super) fn by_objective(summary: &Summary, set: ColumnSet) -> Table {
    const CAPTION: Caption = Caption { text: "Objective, by configuration and bucket", label: "objective" };
    let mut table = table(summary, (CAPTION, OBJECTIVE_LEGEND), &OBJECTIVE, set);
    table.notes.extend(note_of_direction(summary));
    let is_unsolved = |figures: &Figures| {
        figures.measures == 1 && figures[Figure::MeanObjective].is_none() && figures.runs > figures.failed
    };
    let has_objectives = summary.rows.iter().any(|row| row.figures[Figure::MeanObjective].is_some());
    if has_objectives && summary.rows.iter().any(|row| is_unsolved(&row.figures)) {
        table.notes.push(
            "If the table shows `-` as a mean objective, the mean is undefined, because a run found no solution."
                .to_owned(),
        );
    }
    table.notes.extend(mixed_buckets(summary, |_| true).map(|buckets| {
        format!(
            "Objectives of different families or fitness functions are not averaged. This concerns {buckets}. If instances have best known values, \
             gaps can be averaged."
        )
    }));
    if has_gaps(summary) && summary.without_best_known > 0 {
        table.notes.push(format!(
            "{} runs have no gap, because the best known value of their instance is missing or 0. `--metric \
             gap` shows the gaps of all other runs.",
            summary.without_best_known
        ));
    }
    table
}

/// A note that says which objectives are maximised, if any objective is maximised.
fn note_of_direction(summary: &Summary) -> Option<String> {
    let functions = summary.fitnesses.iter().map(|fitness| Direction::of_marked(fitness));
    let maximised: Vec<String> = functions
        .filter(|(direction, _)| *direction == Direction::Maximise)
        .map(|(_, name)| format!("`{}`", printable(name)))
        .collect();
    match summary.direction() {
        Some(Direction::Minimise) => None,
        Some(Direction::Maximise) => Some("Objectives are maximised: higher is better.".to_owned()),
        None => Some(format!(
            "These objectives are maximised: {}. All other objectives are minimised.",
            maximised.join(", ")
        )),
    }
}

/// Whether any run has a gap.
pub(super) fn has_gaps(summary: &Summary) -> bool {
    summary.rows.iter().any(|row| row.figures[Figure::BestGap].is_some())
}

/// The names of the buckets that combine several families or objectives; `None` if no bucket combines them.
fn mixed_buckets(summary: &Summary, is_meant: fn(&Figures) -> bool) -> Option<String> {
    let is_mixed = |row: &&SummaryRow| row.figures.measures > 1 && is_meant(&row.figures);
    let mixed: BTreeSet<&str> = summary.rows.iter().filter(is_mixed).map(|row| row.bucket.as_str()).collect();
    let named = mixed.iter().map(|bucket| format!("`{}`", printable(bucket))).collect::<Vec<_>>().join(", ");
    (!mixed.is_empty()).then(|| if mixed.len() > MOST_NAMED { format!("{} buckets", mixed.len()) } else { named })
}

/// Notes about runs without a gap, and about means that combine gaps of different kinds.
pub(super) fn notes_of_gaps(summary: &Summary) -> Vec<String> {
    let mut notes = Vec::new();
    let n = summary.without_best_known;
    if n > 0 {
        notes.push(format!(
            "{n} runs have no gap and are not counted here. A run has no gap if the best known value of the instance is missing or 0."
        ));
    }
    if summary.rows.iter().any(|row| row.figures[Figure::MeanGap].is_none() && row.figures[Figure::BestGap].is_some()) {
        notes.push(
            "A mean gap of `-` is infinite, because a run found no solution. The median counts a run without a solution as an infinite gap."
                .to_owned(),
        );
    }
    notes.extend(mixed_buckets(summary, |figures| figures.families > 1).map(|buckets| {
        format!("Gaps of different families have different scales and are not averaged. This concerns {buckets}.")
    }));
    notes.extend(mixed_buckets(summary, |figures| figures.families < 2).map(|buckets| {
        format!("In {buckets}, the mean gap combines several objectives, and does not describe any single objective.")
    }));
    notes
}

pub(super) fn gap(value: Option<f64>) -> Cell {
    Cell::Plain(fixed(value, 2))
}

pub(super) fn gap_interval(figures: &Figures) -> Cell {
    figures.gap_interval().map_or(Cell::absent(), |gap| Cell::Ends(gap_ends(gap.low, gap.high)))
}

fn table(summary: &Summary, (caption, legend): (Caption, &str), figures: &[QualityColumn], set: ColumnSet) -> Table {
    // A table of gaps has one more figure. Its interval depends on the number of instances.
    let is_left = |short: &str| set == ColumnSet::Few && (short == "gen" || short == "inst" && figures.len() > 3);
    let shown = || figures.iter().chain(EFFORT.iter().filter(|(_, short, ..)| !is_left(short)));
    let mut columns = vec![Column::new("bucket", "bucket", ColumnKind::Text)];
    columns.extend(shown().map(|&(name, short, kind, _)| Column::new(name, short, kind)));
    let meanings = MEANINGS.iter().filter(|(short, _)| shown().any(|(_, name, ..)| name == short));
    let legend = meanings.fold(legend.to_owned(), |all, (short, meaning)| format!("{all}; {short}: {meaning}")) + ".";
    Table::by_configuration(summary, caption, legend, columns, |row, _| {
        std::iter::once(Cell::plain(&row.bucket)).chain(shown().map(|(.., cell)| cell(&row.figures))).collect()
    })
}

/// The reasons why runs stopped, with the most frequent reason first, for example `stagnation 25, time 3`.
pub(super) fn stops(stops: [u64; Stop::N_REASONS], is_counted: impl Fn(Stop) -> bool) -> Cell {
    let all = Stop::CHOICES.iter().map(|&(_, stop)| stop);
    let mut counts: Vec<(Stop, u64)> = all.zip(stops).filter(|&(stop, count)| is_counted(stop) && count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    Cell::Plain(counts.iter().map(|(stop, count)| format!("{stop} {count}")).collect::<Vec<_>>().join(", "))
}

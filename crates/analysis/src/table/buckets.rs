//! Two layouts of the table: the layout of Huke's tables, and the long layout. In Huke's tables, each configuration has a block of rows,
//! with one row for each bucket.

use super::ColumnSet;
use super::model::{Caption, Cell, Column, ColumnKind, Table};
use super::quality;

use crate::metric::effective_counts;
use crate::published::{AllowedCounts, Match, Published, PublishedRow};
use crate::summary::{ALL_BUCKETS, Figure, Figures, Summary, SummaryRow};
use evogrid_core::budget::Stop;
use evogrid_results::format::{fixed, percent, printable, short, shortest};

/// The meanings of the short names of columns, in the order of the legend.
const MEANINGS: [(&str, &str); 10] = [
    ("%", "solved runs"),
    (
        "95 %",
        "interval of the rate, rounded outwards; it holds for instances like these (if there is only one instance, for this instance only)",
    ),
    ("pub", "published"),
    ("allow", "95 % range that our runs predict for published rates"),
    ("ms", "mean ms of solved runs"),
    ("gen", "mean generations of all runs"),
    ("best", "mean generations until the best fitness"),
    ("ms un", "mean ms of unsolved runs"),
    ("ERT", "expected work until a run is solved: the work of all runs, divided by the number of solved runs"),
    ("stopped", "reasons why unsolved runs stopped"),
];

pub(super) fn table(summary: &Summary, published: Option<&Published>, set: ColumnSet) -> Table {
    let has_gaps = quality::has_gaps(summary);
    let is_left = |short: &str| match published {
        Some(published) if published.has_generations_to_best => ["stopped", "gen"].contains(&short),
        Some(_) => ["stopped", "best"].contains(&short),
        None => ["pub", "allow", "best"].contains(&short),
    };
    // A reader looks first at the solved runs and at the work. Times on other machines have little meaning.
    let is_later = |name: &str, short: &str| match (published.is_some(), has_gaps) {
        _ if ["ms un", "cpu", "cpu un"].contains(&short) || name.ends_with("of unsolved") => true,
        (true, false) => ["ms", "ERT"].contains(&short) || name.ends_with("ms of solved"),
        (true, true) => ["ms", "ERT", "gen", "best"].contains(&short) || short == "pub" && name != PUBLISHED_RATE,
        (false, true) => ["gen", "stopped"].contains(&short),
        (false, false) => false,
    };
    // Beside gaps or published values, a line of 80 characters has no room for processor times. Then a sentence gives their share.
    let is_measured = published.is_none() && !has_gaps && summary.rows.iter().any(|row| cpu_share(row).is_some());
    let is_shown = |name: &str, short: &str| {
        !is_left(short)
            && (is_measured || !short.starts_with("cpu"))
            && (has_gaps || !short.contains("gap"))
            && (set == ColumnSet::All || !is_later(name, short))
    };
    let columns = || COLUMNS.iter().filter(|(name, short, ..)| is_shown(name, short));
    let has_cpu = columns().any(|(_, short, ..)| short.starts_with("cpu"));
    let described = columns().map(|&(name, short, kind, _)| Column::new(name, short, kind)).collect();
    let caption = Caption { text: "Runs solved, by configuration and difficulty", label: "solved" };
    let has = |short: &str| columns().any(|(_, name, ..)| *name == short);
    let meanings = MEANINGS.iter().filter(|(short, _)| has(short));
    let legend = meanings.map(|(short, meaning)| format!("{short}: {meaning}")).collect::<Vec<_>>().join("; ") + ".";
    let mut checks = Vec::new();
    let mut table = Table::by_configuration(summary, caption, legend, described, |row, heading| {
        let found = published.map_or(Match::None, |published| published.find_row(&summary.varied, row));
        let check = RateCheck::new(&row.figures, found);
        checks.push((format!("{} at {heading}", printable(&row.bucket)), check));
        columns().map(|(.., show)| show(row, &check)).collect()
    });
    let of_cpu = if has_cpu { Some(CPU.to_owned()) } else { note_of_cpu(summary) };
    table.notes.extend(of_cpu.filter(|_| has("ms")));
    table.notes.extend(note_of_unjudged(summary, has_gaps));
    table.notes.extend(note_of_unequal_runs(summary));
    table.notes.extend(note_of_pooled_work(summary).filter(|_| has("ERT")));
    if has_gaps {
        table.notes.push(GAPS.to_owned());
        table.notes.extend(quality::notes_of_gaps(summary));
    }
    table.notes.extend(published.map(|published| notes(&summary.varied, published, &checks)).unwrap_or_default());
    table
}

/// The note about pooled work names at most this number of configurations.
const MOST_POOLED_NAMED: usize = 4;

/// The name of the column of published rates.
const PUBLISHED_RATE: &str = "published solved %";

/// A function that makes the cell of a column, from a row of the summary and the check of its published rate.
type Show = fn(&SummaryRow, &RateCheck<'_>) -> Cell;

/// The note below a table that shows processor times.
const CPU: &str = "cpu: mean processor ms of solved runs; cpu un: mean processor ms of unsolved runs.";

/// The note below a table whose runs also have gaps.
const GAPS: &str = "gap: distance from the best known value, in per cent (mean over instances). 95 % gap: interval of the mean gap, for instances like these.";

/// The columns of the table. The short names `pub` and `allow` belong to published values.
const COLUMNS: [(&str, &str, ColumnKind, Show); 19] = [
    ("difficulty", "bucket", ColumnKind::Text, |row, _| Cell::plain(&row.bucket)),
    ("solved %", "%", ColumnKind::Number, |row, _| {
        Cell::Plain(row.figures.success_rate().map(percent).unwrap_or_default())
    }),
    ("95 %", "95 %", ColumnKind::Interval, |row, _| {
        let interval = row.figures.rate.interval;
        let is_known = row.figures.judged > 0;
        if is_known { Cell::Interval(100.0 * interval.low, 100.0 * interval.high) } else { Cell::absent() }
    }),
    ("runs", "runs", ColumnKind::Number, |row, _| {
        Cell::Plain(of_rate(&row.figures, [row.figures.judged, row.figures.runs]).to_string())
    }),
    (PUBLISHED_RATE, "pub", ColumnKind::Number, |_, check| {
        let rate = if let Match::One(row) = check.published { row.success_rate } else { None };
        Cell::marked_if(check.is_outside(), rate.map(percent).unwrap_or_default())
    }),
    ("allowed %", "allow", ColumnKind::Interval, |_, check| {
        check.allowed_rates().map_or(Cell::absent(), |[low, high]| Cell::Interval(100.0 * low, 100.0 * high))
    }),
    ("mean gap %", "gap", ColumnKind::Number, |row, _| quality::gap(row.figures[Figure::MeanGap])),
    ("95 % of mean gap", "95 % gap", ColumnKind::Interval, |row, _| quality::gap_interval(&row.figures)),
    ("mean ms of solved", "ms", ColumnKind::Number, |row, _| number(row, Figure::MeanMsSolved)),
    ("mean cpu ms of solved", "cpu", ColumnKind::Number, |row, _| number(row, Figure::MeanCpuMsSolved)),
    ("published mean ms of solved", "pub", ColumnKind::Number, |_, check| printed(check, |row| row.mean_ms_solved)),
    ("mean generations", "gen", ColumnKind::Number, |row, _| {
        let figures = [Figure::MeanGenerationsJudged, Figure::MeanGenerations];
        number(row, of_rate(&row.figures, figures))
    }),
    ("mean generations to best", "best", ColumnKind::Number, |row, _| {
        let of_all = Some(row.figures).filter(|figures| !figures.is_judged_in_part());
        Cell::Plain(short(of_all.and_then(|figures| figures[Figure::MeanGenerationsToBest])))
    }),
    ("published mean generations", "pub", ColumnKind::Number, |_, check| printed(check, |row| row.mean_generations)),
    ("mean ms of unsolved", "ms un", ColumnKind::Number, |row, _| number(row, Figure::MeanMsUnsolved)),
    ("mean cpu ms of unsolved", "cpu un", ColumnKind::Number, |row, _| number(row, Figure::MeanCpuMsUnsolved)),
    ("published mean ms of unsolved", "pub", ColumnKind::Number, |_, check| printed(check, |row| row.mean_ms_unsolved)),
    ("expected work to solve", "ERT", ColumnKind::Number, |row, _| number(row, Figure::ErtEvaluations)),
    ("unsolved stopped by", "stopped", ColumnKind::Text, unsolved_stops),
];

/// The reasons why unsolved runs stopped. If a run had a target, only the runs with a target are counted.
fn unsolved_stops(row: &SummaryRow, _: &RateCheck<'_>) -> Cell {
    let stops = of_rate(&row.figures, [row.figures.judged_stops, row.figures.stops]);
    quality::stops(stops, |stop| stop != Stop::Target)
}

fn number(row: &SummaryRow, figure: Figure) -> Cell {
    Cell::Plain(short(row.figures[figure]))
}

/// Chooses a value of the runs with a target if some runs had no target. If not, chooses the value of all runs.
fn of_rate<T>(figures: &Figures, [judged, all]: [T; 2]) -> T {
    if figures.is_judged_in_part() { judged } else { all }
}

/// A note about runs without a target, if other runs of the same configuration had a target.
fn note_of_unjudged(summary: &Summary, has_gaps: bool) -> Option<String> {
    let mixed = || summary.rows.iter().filter(|row| row.figures.is_judged_in_part());
    let is_all = |row: &&SummaryRow| row.bucket == ALL_BUCKETS;
    let [judged, runs] = [|row: &SummaryRow| row.figures.judged, |row: &SummaryRow| row.figures.runs]
        .map(|count| mixed().filter(is_all).map(count).sum::<u64>());
    let but_gaps = if has_gaps { ", except for gaps" } else { "" };
    mixed().next().map(|_| {
        format!(
            "{} of {runs} runs had no target. If a row has runs with a target, the row counts only these runs{but_gaps}.",
            runs - judged
        )
    })
}

/// A note if instances have unequal numbers of runs.
fn note_of_unequal_runs(summary: &Summary) -> Option<String> {
    let unequal = summary.rows.iter().map(|row| row.figures.instance_runs).filter(|[fewest, most]| fewest < most);
    let [fewest, most] = unequal.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])?;
    Some(format!(
        "All instances have equal weight in rates and intervals. The instances have between {fewest} and {most} runs."
    ))
}

/// A note about the instances that were never solved, because the pooled expected work includes their work. The note also contains the
/// median of the instances' ERTs.
fn note_of_pooled_work(summary: &Summary) -> Option<String> {
    let of_all = || summary.rows.iter().filter(|row| row.bucket == ALL_BUCKETS && row.figures.instances > 1);
    let never = |row: &&SummaryRow| row.figures[Figure::InstancesNeverSolved].filter(|&never| never > 0.0);
    let has_work = |row: &&SummaryRow| row.figures[Figure::ErtEvaluations].is_some();
    let pooled = || of_all().filter(has_work).filter(|row| never(row).is_some());
    let named = pooled().take(MOST_POOLED_NAMED).map(|row| {
        let values = summary.varied.iter().zip(&row.varied).filter(|(_, value)| !value.is_empty());
        let name = values.fold(row.algorithm.clone(), |name, (key, value)| format!("{name}, {key} = {value}"));
        let (never, instances) = (never(&row).unwrap_or_default(), row.figures.instances);
        let median = row.figures[Figure::MedianInstanceErt].map_or("unsolved".to_owned(), |median| short(Some(median)));
        format!("{}: {never} of {instances}, median {median}", printable(&name))
    });
    let mut named: Vec<String> = named.collect();
    let others = pooled().count().checked_sub(MOST_POOLED_NAMED).filter(|&others| others > 0);
    named.extend(others.map(|others| format!("{others} more rows (see `--layout long`)")));
    (!named.is_empty()).then(|| {
        format!(
            "ERT is computed from the runs on all instances together. For comparison, the ERT of each \
             instance was also computed. The list shows the number of instances that no run solved, and the median of the instances' ERTs: {}.",
            named.join("; ")
        )
    })
}

/// The quotient of processor time and wall time, for a row that shows wall times.
fn cpu_share(row: &SummaryRow) -> Option<f64> {
    row.figures[Figure::MeanMsSolved].or(row.figures[Figure::MeanMsUnsolved])?;
    let wall_ms = row.figures[Figure::WallMsBesideCpu]?;
    let cpu_ms = row.figures[Figure::CpuMsBesideWall]?;
    (wall_ms > 0.0 && cpu_ms > 0.0).then(|| cpu_ms / wall_ms)
}

/// A note with the quotient of processor time and wall time, as a range over the rows that show wall times.
fn note_of_cpu(summary: &Summary) -> Option<String> {
    let shares = || summary.rows.iter().filter_map(cpu_share).map(|share| 100.0 * share);
    let (least, most) = (shares().reduce(f64::min)?.round(), shares().reduce(f64::max)?.round());
    let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    Some(format!("In the table's rows, processor time was {range} % of wall time."))
}

/// The cell of a published value. The value is written as it was printed.
fn printed(check: &RateCheck<'_>, figure: fn(&PublishedRow) -> Option<f64>) -> Cell {
    if let Match::One(row) = check.published { Cell::Plain(shortest(figure(row))) } else { Cell::absent() }
}

/// A published rate and the range that our runs allow.
#[derive(Clone, Copy, Debug)]
struct RateCheck<'a> {
    published: Match<'a>,
    /// The published numbers of solved runs and of all runs, and the numbers of solved runs that agree with our runs. `None` if the number
    /// of runs was not published.
    counts: Option<((u64, u64), AllowedCounts)>,
}

impl<'a> RateCheck<'a> {
    fn new(ours: &Figures, published: Match<'a>) -> Self {
        let counts = if let Match::One(row) = published { row.counts() } else { None };
        let effective = effective_counts(ours.success_rate().unwrap_or_default(), ours.effective_runs);
        let allowed = |(_, runs)| AllowedCounts::new(effective, runs);
        Self { published, counts: counts.map(|counts| (counts, allowed(counts))) }
    }

    /// The allowed rates, as fractions.
    fn allowed_rates(&self) -> Option<[f64; 2]> {
        self.counts.map(|(_, allowed)| allowed.rates())
    }

    fn is_outside(&self) -> bool {
        self.counts.is_some_and(|((solved, _), allowed)| !allowed.contains(solved))
    }

    /// A description of a published rate outside the range that our runs allow. `name` is the name of the row.
    fn describe(&self, name: &str) -> Option<String> {
        let ((solved, runs), allowed) = self.counts.filter(|_| self.is_outside())?;
        Some(format!("{name} (published {} %, allowed {allowed})", percent(solved as f64 / runs as f64)))
    }
}

/// The sentences below a table. They have the sources of the published values, and the published rates outside the range that our runs
/// allow. Each check comes with the name of its row. `varied` are the names of our varied settings.
fn notes(varied: &[String], published: &Published, checks: &[(String, RateCheck<'_>)]) -> Vec<String> {
    let mut sources: Vec<&str> = Vec::new();
    let mut has_rate = false;
    for (_, check) in checks {
        if let Match::One(row) = check.published {
            has_rate |= row.success_rate.is_some();
            if !sources.contains(&row.source.as_str()) {
                sources.push(&row.source);
            }
        }
    }
    let mut notes = Vec::new();
    if !sources.is_empty() {
        notes.push(format!("Published: {}.", sources.into_iter().map(printable).collect::<Vec<_>>().join("; ")));
    }
    let n_checked = checks.iter().filter(|(_, check)| check.counts.is_some()).count();
    let outside: Vec<String> = checks.iter().filter_map(|(name, check)| check.describe(name)).collect();
    notes.push(match (n_checked, outside.len()) {
        (0, _) if has_rate => {
            "The published rates cannot be compared with our runs: their numbers of runs are unknown.".to_owned()
        }
        (0, _) => "The published rates do not match the rows of this table.".to_owned(),
        (1, 0) => "The only published rate lies inside the 95 % range that our runs predict.".to_owned(),
        (_, 0) => format!("All {n_checked} published rates lie inside the 95 % range that our runs predict."),
        (_, n) => format!(
            "* {n} of {n_checked} published rates {} outside the 95 % range that our runs predict: {}. By chance alone, about 1 in 20 published rates lies outside its range.",
            if n == 1 { "lies" } else { "lie" },
            outside.join("; ")
        ),
    });
    if checks.iter().any(|(_, check)| check.published == Match::Several) {
        let unsaid: Vec<String> =
            published.settings_besides(varied).map(|name| format!("`{}`", printable(name))).collect();
        notes.push(format!(
            "Published rows are not shown if several of them match one of our rows{}{}.",
            if unsaid.is_empty() { "" } else { ". These settings do not vary in our results: " },
            unsaid.join(", ")
        ));
    }
    notes
}

const LONG_CAPTION: Caption = Caption { text: "Summary of the runs", label: "summary" };

/// The columns that are added to each row if there are published figures.
const PUBLISHED: [&str; 7] = [
    "published_runs",
    "published_success_rate",
    "allowed_low",
    "allowed_high",
    "published_mean_ms_solved",
    "published_mean_generations",
    "published_mean_ms_unsolved",
];

/// The long layout. Each row of the summary is a table row with all columns.
pub(super) fn long_table(summary: &Summary, published: Option<&Published>) -> Table {
    // The algorithm, the varied settings and the bucket are names; all behind them are numbers.
    let n_names = summary.varied.len() + 2;
    let kind = |at: usize| if at < n_names { ColumnKind::Text } else { ColumnKind::Number };
    let mut columns: Vec<Column> =
        summary.columns().iter().enumerate().map(|(at, name)| Column::new(name, "", kind(at))).collect();
    let mut rows: Vec<Vec<Cell>> =
        summary.rows.iter().map(|row| row.fields().iter().map(|field| Cell::plain(field)).collect()).collect();
    let mut checks = Vec::new();
    if let Some(published) = published {
        columns.extend(PUBLISHED.map(|name| Column::new(name, "", ColumnKind::Number)));
        for (row, cells) in summary.rows.iter().zip(&mut rows) {
            let check = RateCheck::new(&row.figures, published.find_row(&summary.varied, row));
            cells.extend(beside(&check));
            checks.push((name(row), check));
        }
    }
    let notes = published.map(|published| notes(&summary.varied, published, &checks)).unwrap_or_default();
    Table::of_rows(LONG_CAPTION, columns, rows, notes)
}

fn beside(check: &RateCheck<'_>) -> [Cell; 7] {
    let Match::One(row) = check.published else { return [(); 7].map(|()| Cell::absent()) };
    let rate = fixed(row.success_rate, 4);
    let end = |at: usize| Cell::Plain(fixed(check.allowed_rates().map(|rates| rates[at]), 4));
    [
        Cell::Plain(row.runs.map(|runs| runs.to_string()).unwrap_or_default()),
        Cell::marked_if(check.is_outside(), rate),
        end(0),
        end(1),
        Cell::Plain(shortest(row.mean_ms_solved)),
        Cell::Plain(shortest(row.mean_generations)),
        Cell::Plain(shortest(row.mean_ms_unsolved)),
    ]
}

/// The name of the row, as text.
fn name(row: &SummaryRow) -> String {
    let parts: Vec<&str> = std::iter::once(&row.algorithm).chain(&row.varied).map(String::as_str).collect();
    printable(&format!("{} at {}", row.bucket, parts.join(", "))).into_owned()
}

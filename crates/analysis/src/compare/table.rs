//! Tables of comparisons, for the terminal, a data frame, a page or a paper.

use super::{Answer, Comparison, Conclusion, Pair, Question};
use crate::metric::Metric;
use crate::table::ColumnKind::{Interval, Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};
use evogrid_results::format::{p_value, percent};

/// If the names of configurations are longer than this, two names leave no room for the numbers. Then the table of pairs shows numbers
/// instead of names.
const LONGEST_NAME: usize = 20;

/// The table of a comparison. The table has a row for each pair of configurations. Sentences and notes are below the rows. A CSV contains
/// neither sentences nor notes. In a CSV, each key has two columns: one for the first configuration of the pair, and one for the second.
/// The p-values in a CSV have all digits.
pub fn render(comparison: &Comparison, format: Format, notes: &[String]) -> String {
    if format == Format::Csv {
        return write(&data_frame(comparison), format);
    }
    let format = format.wrapped();
    let effect = if comparison.metric == Metric::Solved { "points" } else { "better %" };
    let is_narrow = matches!(format, Format::Text { .. } | Format::Latex);
    let (key, mut names) = names(comparison);
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let is_numbered = matches!(format, Format::Text { .. })
        && names.len() > 2
        && names.iter().any(|name| name.chars().count() > LONGEST_NAME);
    if is_numbered {
        names = numbers.iter().map(String::as_str).collect();
    }
    let side = |side: &str| if key.is_empty() || is_narrow { side.to_owned() } else { format!("{side} {key}") };
    let column = |long: &str, short: &'static str, kind| Column::new(if is_narrow { short } else { long }, short, kind);
    let confidence = comparison.confidence;
    let interval_column = |name: String| Column::new(&name, "", Interval);
    let mut columns = vec![
        column(&side("first"), "first", Text),
        column(&side("second"), "second", Text),
        column(effect, effect, Number),
        match comparison.pairs.iter().any(|pair| pair.effect.like_these.is_some()) {
            true if is_narrow => interval_column(format!("{confidence} like")),
            true => interval_column(format!("{confidence}, instances like these")),
            false => interval_column(confidence.to_string()),
        },
        column("p, these instances (Holm)", "p these", Number),
        column("p, instances like these (Holm)", "p like", Number),
        column("does better", "better", Text),
    ];
    let mut rows: Vec<Vec<Cell>> = comparison.pairs.iter().map(|pair| row(&names, pair)).collect();
    let mut sentences = comparison.sentences();
    // What is the same in every row needs no column where there is little room.
    let sizes = |pair: &Pair| (pair.effect.instances, pair.effect.runs);
    let first = comparison.pairs.first().map(sizes);
    match first.filter(|&first| is_narrow && comparison.pairs.iter().all(|pair| sizes(pair) == first)) {
        Some((instances, [one, two])) if one == two => {
            let s = if instances == 1 { "" } else { "s" };
            sentences
                .push(format!("Every comparison uses {one} runs of each configuration on {instances} instance{s}."));
        }
        _ => {
            columns.push(column("instances", "inst", Number));
            columns.push(column("runs", "runs", Text));
            for (row, pair) in rows.iter_mut().zip(&comparison.pairs) {
                let [one, two] = pair.effect.runs;
                let runs = if one == two { one.to_string() } else { format!("{one}, {two}") };
                row.extend([Cell::Plain(pair.effect.instances.to_string()), Cell::Plain(runs)]);
            }
        }
    }
    sentences.extend_from_slice(notes);
    let n = comparison.groups.len();
    let text = match comparison.pairs.as_slice() {
        pairs if pairs.len() == n * (n - 1) / 2 => "Every pair of configurations",
        [first, others @ ..] if others.len() + 2 == n && others.iter().all(|pair| pair.second == first.second) => {
            "Every configuration compared with the baseline; the baseline is second in each pair"
        }
        _ => "The planned comparisons of the experiment",
    };
    let caption = Caption { text, label: "comparisons" };
    groups(comparison, format, is_numbered) + "\n" + &write(&Table::of_rows(caption, columns, rows, sentences), format)
}

/// The pairs as data for a CSV, with one value in each field.
fn data_frame(comparison: &Comparison) -> Table {
    let keys = comparison.groups.first().map(|group| group.values.as_slice()).unwrap_or_default();
    let sides = ["first", "second"].into_iter();
    let of_sides = sides.flat_map(|side| keys.iter().map(move |(key, _)| (format!("{side} {key}"), Text)));
    let answer = |which: &str| {
        let interval = (format!("{which} {}", comparison.confidence), Interval);
        [interval, (format!("{which} p (Holm)"), Number), (format!("{which} better"), Text)]
    };
    let effect = if comparison.metric == Metric::Solved { "points" } else { "better %" };
    let number = |name: &str| (name.to_owned(), Number);
    let sizes = ["instances", "runs of first", "runs of second"].map(number);
    let answers = answer("these").into_iter().chain(answer("like these"));
    let columns = of_sides.chain([number(effect)]).chain(answers).chain(sizes);
    let row = |pair: &Pair| {
        let groups = [pair.first, pair.second].map(|at| &comparison.groups[at]);
        let values = groups.into_iter().flat_map(|group| group.values.iter().map(|(_, value)| Cell::plain(value)));
        let effect = &pair.effect;
        let answered = [Question::TheseInstances, Question::InstancesLikeThese].into_iter().flat_map(|question| {
            let verdict = Cell::plain(effect.conclusion(question).name());
            match effect.answer(question) {
                Some(answer) => {
                    // This number reads back as the same number. A small number has a power of ten.
                    let p = answer.p_corrected;
                    let text = if p != 0.0 && p < 1e-4 { format!("{p:e}") } else { p.to_string() };
                    [interval(answer), Cell::Plain(text), verdict]
                }
                None => [Cell::absent(), Cell::Plain(String::new()), Cell::Plain(String::new())],
            }
        });
        let sizes = [effect.instances as u64, effect.runs[0], effect.runs[1]].map(|size| Cell::Plain(size.to_string()));
        let figures = std::iter::once(Cell::Plain(percent(effect.size))).chain(answered).chain(sizes);
        values.chain(figures).collect()
    };
    Table::of_rows(Caption::default(), Column::named(columns), comparison.pairs.iter().map(row).collect(), Vec::new())
}

/// The table of the configurations and their figures.
fn groups(comparison: &Comparison, format: Format, is_numbered: bool) -> String {
    let rows = comparison.groups.iter().zip(1..).map(|(group, number)| {
        let name = if is_numbered { format!("{number}: {}", group.name) } else { group.name.clone() };
        let figures = std::iter::once(&group.figure).chain(&group.cpu_figure).map(|figure| Cell::plain(figure));
        let runs = Cell::Plain((group.runs - group.silent).to_string());
        std::iter::once(Cell::plain(&name)).chain(figures).chain([runs]).collect()
    });
    let figure = match comparison.metric {
        Metric::Solved => "solved (95 %)".to_owned(),
        metric => format!("{} (95 %)", metric.name()),
    };
    let mut columns = vec![
        Column::new("configuration", "setting", Text),
        Column::new(&figure, "figure", Text),
        Column::new("runs", "runs", Number),
    ];
    if comparison.groups.iter().any(|group| group.cpu_figure.is_some()) {
        columns.insert(2, Column::new(&format!("{} (95 %)", Metric::CpuMs.name()), "figure", Text));
    }
    const CAPTION: Caption = Caption { text: "The configurations that are compared", label: "settings" };
    let notes = comparison.best.iter().cloned().collect();
    let table = Table::of_rows(CAPTION, columns, rows.collect(), notes);
    write(&Table { heading: comparison.heading.clone(), ..table }, format)
}

/// The names of the configurations in a narrow table. If one key distinguishes all configurations, the names are only the values of this
/// key.
fn names(comparison: &Comparison) -> (&str, Vec<&str>) {
    let whole = || comparison.groups.iter().map(|group| group.name.as_str());
    let parted = || whole().filter(|name| !name.contains(", ")).filter_map(|name| name.split_once(" = "));
    match parted().next() {
        Some((key, _)) if parted().filter(|(other, _)| *other == key).count() == comparison.groups.len() => {
            (key, parted().map(|(_, value)| value).collect())
        }
        _ => ("", whole().collect()),
    }
}

/// The verdict in one word for both questions. A difference that is found only on these instances is marked with `here`.
fn verdict_of_both(pair: &Pair) -> String {
    match pair.conclusions() {
        [Some(these), Some(Conclusion::Open)] if these != Conclusion::Open => format!("{these} here"),
        [Some(these), None] => these.to_string(),
        [_, like_these] => like_these.unwrap_or(Conclusion::Open).to_string(),
    }
}

fn interval(answer: &Answer) -> Cell {
    Cell::Interval(100.0 * answer.interval.low, 100.0 * answer.interval.high)
}

fn row(names: &[&str], pair: &Pair) -> Vec<Cell> {
    let [first, second] = [pair.first, pair.second].map(|at| names[at]);
    let effect = &pair.effect;
    vec![
        Cell::plain(first),
        Cell::plain(second),
        Cell::Plain(percent(effect.size)),
        interval(effect.answer_for_most()),
        Cell::Plain(p_value(effect.these.p_corrected)),
        Cell::Plain(effect.like_these.map(|answer| p_value(answer.p_corrected)).unwrap_or_default()),
        Cell::Plain(verdict_of_both(pair)),
    ]
}

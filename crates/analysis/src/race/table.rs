//! A race as a table. The table shows the configurations that are still in the race, and the default configuration. The best configuration
//! comes first.

use evogrid_results::format::shortest;

use super::{Fate, Race};
use crate::table::ColumnKind::{Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};

/// The further texts and values that the table of a race needs.
pub struct RaceNames<'a> {
    /// A sentence above the table.
    pub heading: String,
    /// The name of the column with the mean of the metric.
    pub mean: &'a str,
    /// Converts a cost to a value of the metric.
    pub figure: &'a dyn Fn(f64) -> f64,
    /// The settings that vary.
    pub settings: &'a [&'a str],
    /// For each configuration, the value of each setting. If a setting has no effect, its value is empty.
    pub values: &'a [Vec<String>],
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// The maximum number of configurations in the table.
const MOST_SHOWN: usize = 10;

/// A figure with four significant digits. A large figure keeps all digits before the decimal point.
pub fn rounded(figure: f64) -> String {
    shortest(if figure.abs() < 1e4 { format!("{figure:.3e}").parse().ok() } else { Some(figure.round()) })
}

/// Renders the table of a race. The table shows the best configurations of the race. The table also shows the default configuration: the
/// first configuration of the race.
pub fn render(race: &Race, names: &RaceNames<'_>, format: Format) -> String {
    let figures = [("runs", Number), ("failed", Number), (names.mean, Number), ("evidence", Number), ("", Text)];
    let settings = names.settings.iter().map(|setting| (*setting, Text));
    let columns = Column::named([("no.", Text)].into_iter().chain(settings).chain(figures));
    let mut numbers = race.standing();
    numbers.retain(|&number| race.entries()[number].has_run());
    numbers.truncate(MOST_SHOWN);
    if !numbers.contains(&0) {
        numbers.push(0);
    }
    let row = |(place, &number): (usize, &usize)| {
        let entry = &race.entries()[number];
        let fate = match entry.fate {
            Fate::Alive if place == 0 => "winner".to_owned(),
            Fate::Alive => "in the race".to_owned(),
            Fate::Dropped { block } => format!("worse, block {block}"),
            Fate::SetAside { block } => format!("set aside, block {block}"),
        };
        let fate = if number == 0 { format!("{fate}; default") } else { fate };
        let values = names.values[number].iter().map(|value| Cell::plain(value));
        let figures = [
            Cell::Plain(entry.costs.len().to_string()),
            Cell::Plain(entry.n_failed().to_string()),
            Cell::Plain(entry.mean_cost().map(|cost| rounded((names.figure)(cost))).unwrap_or_default()),
            Cell::Plain(if entry.evidence() < 0.1 { "<0.1".to_owned() } else { format!("{:.1}", entry.evidence()) }),
            Cell::Plain(fate),
        ];
        [Cell::Plain(number.to_string())].into_iter().chain(values).chain(figures).collect()
    };
    let rows = numbers.iter().enumerate().map(row).collect();
    let caption = Caption { text: "The configurations in the race", label: "race" };
    let table = Table::of_rows(caption, columns, rows, names.notes.clone());
    write(&Table { heading: Some(names.heading.clone()), ..table }, format.wrapped())
}

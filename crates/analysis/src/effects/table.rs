//! Tables of effects for the terminal, a data frame, a page or a paper.

use evogrid_results::format::{p_value, percent, shortest};

use super::{Effects, LevelEffect, SettingEffects};
use crate::ranking::{N_BEST, RankingRow, Unit};
use crate::table::ColumnKind::{Interval, Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};

/// The tables of effects, with sentences. The tables show the best configurations, and the share of the variance for each setting. A CSV
/// has only one table and no sentences. Each row is one value.
pub fn render(effects: &Effects, format: Format, notes: &[String]) -> String {
    let format = format.wrapped();
    if format == Format::Csv {
        return write(&data_frame(effects), format);
    }
    let mut tables = vec![best(effects)];
    if let Some(settings) = &effects.settings {
        tables.push(levels(effects.shared().unit, settings));
        // A single setting explains the whole variance.
        tables.extend((settings.main.len() > 1).then(|| shares(settings)));
    }
    let last = tables.last_mut().expect("there is one");
    last.notes.extend(effects.setting_sentences());
    last.notes.extend(effects.notes());
    last.notes.extend_from_slice(notes);
    tables.iter().map(|table| write(table, format)).collect::<Vec<_>>().join("\n")
}

/// The best configurations.
fn best(effects: &Effects) -> Table {
    let (rows, unit) = (&effects.ranking.rows, effects.shared().unit);
    let settings = rows.first().into_iter().flat_map(|row| &row.values);
    let columns = settings.map(|(name, _)| (name.as_str(), Text)).chain([
        (unit.name(), Number),
        ("split", Number),
        ("best", Text),
    ]);
    let row = |(one, split): (&RankingRow, Option<f64>)| {
        let values = one.values.iter().map(|(_, value)| Cell::plain(value));
        let figures = [one.mean, split].map(|figure| figure.map(|figure| unit.text(figure)));
        let figures = figures.map(|figure| Cell::Plain(figure.unwrap_or_default()));
        let mark = if one.may_be_best == Some(true) { "may be" } else { "no" };
        values.chain(figures).chain([Cell::plain(mark)]).collect()
    };
    let rows = effects.ranking.best().map(row).collect();
    let mut notes = effects.unchanged_sentences();
    notes.push(effects.set_sentence());
    let caption = Caption { text: "The best configurations", label: "best" };
    Table { heading: Some(effects.heading()), ..Table::of_rows(caption, Column::named(columns), rows, notes) }
}

/// The table of the levels of each setting.
fn levels(unit: Unit, settings: &SettingEffects) -> Table {
    let columns = [("setting", Text), ("value", Text), (unit.name(), Number), ("to first", Number), ("95 %", Interval)];
    let mut rows = Vec::new();
    for main in &settings.main {
        for (at, level) in main.levels.iter().enumerate() {
            let difference = level.difference;
            rows.push(vec![
                // An empty cell would be shown as absent.
                Cell::plain(if at == 0 { &main.name } else { " " }),
                Cell::plain(&level.level),
                Cell::Plain(unit.text(level.mean)),
                Cell::Plain(difference.map(|(difference, _)| unit.text(difference)).unwrap_or_default()),
                difference.and_then(|(_, interval)| interval).map_or(Cell::absent(), |interval| ends(unit, interval)),
            ]);
        }
    }
    let caption = Caption { text: "Effects of settings, averaged over the other settings", label: "effects" };
    Table::of_rows(caption, Column::named(columns), rows, Vec::new())
}

/// An interval, rounded outwards.
fn ends(unit: Unit, interval: evogrid_statistics::Interval) -> Cell {
    let step: f64 = if matches!(unit, Unit::Solved | Unit::Rank) { 10.0 } else { 100.0 };
    let [low, high] = [(interval.low * step + 1e-6).floor(), (interval.high * step - 1e-6).ceil()];
    Cell::Ends([low, high].map(|end| unit.text(end / step + 0.0)))
}

/// The table of the shares of the variance.
fn shares(settings: &SettingEffects) -> Table {
    let columns = [("explains", Text), ("alone %", Number), ("with interactions %", Number), ("p", Number)];
    let row = |name: &str, share: f64, total: Option<f64>, p: Option<f64>| -> Vec<Cell> {
        let total = total.map_or(Cell::absent(), |total| Cell::Plain(percent(total)));
        let p = p.map_or(Cell::absent(), |p| Cell::Plain(p_value(p)));
        vec![Cell::plain(name), Cell::Plain(percent(share)), total, p]
    };
    let main = settings.main.iter();
    let main = main.map(|main| row(&main.name, main.share, Some(main.total_share), Some(main.p_value)));
    let pairs = settings.interactions.iter().take(N_BEST);
    let pairs = pairs.map(|pair| row(&pair.names.join(" x "), pair.share, None, Some(pair.p_value)));
    let mut rows: Vec<Vec<Cell>> = main.chain(pairs).collect();
    if settings.main.len() > 2 {
        let rest: f64 = settings.interactions.iter().skip(N_BEST).map(|pair| pair.share).sum();
        let name = if rest > 0.0 { "all other interactions" } else { "three or more settings" };
        rows.push(row(name, settings.higher + rest, None, None));
    }
    let caption = Caption { text: "Shares of the variance", label: "shares" };
    Table::of_rows(caption, Column::named(columns), rows, Vec::new())
}

/// All figures as data for a CSV.
fn data_frame(effects: &Effects) -> Table {
    let text = ["figure", "setting", "value"].map(|name| (name, Text));
    let numbers = ["rank", "estimate", "low", "high", "p"].map(|name| (name, Number));
    let number = |value: Option<f64>| Cell::Plain(shortest(value));
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    // The numbers are the rank, the estimate, the ends of its interval, and the p-value.
    let mut add = |names: [&str; 3], numbers: [Option<f64>; 5]| {
        rows.push(names.map(Cell::plain).into_iter().chain(numbers.map(number)).collect());
    };
    for ((one, split), rank) in effects.ranking.best().zip(1u32..) {
        let may_be_best = one.may_be_best.map(|may_be| f64::from(u8::from(may_be)));
        for (figure, value) in [("best", one.mean), ("split", split), ("may be best", may_be_best)] {
            add([figure, "", &one.name], [Some(f64::from(rank)), value, None, None, None]);
        }
    }
    for one in &effects.unchanged {
        add(["changed nothing", &one.name, ""], [None, Some(one.pairs as f64), None, None, None]);
    }
    for main in effects.settings.iter().flat_map(|settings| &settings.main) {
        for LevelEffect { level, mean, difference } in &main.levels {
            add(["mean", &main.name, level], [None, Some(*mean), None, None, None]);
            if let Some((difference, interval)) = difference {
                let [low, high] = [interval.map(|one| one.low), interval.map(|one| one.high)];
                add(["difference", &main.name, level], [None, Some(*difference), low, high, None]);
            }
        }
        add(["share", &main.name, ""], [None, Some(main.share), None, None, Some(main.p_value)]);
        add(["share with interactions", &main.name, ""], [None, Some(main.total_share), None, None, None]);
    }
    for pair in effects.settings.iter().flat_map(|settings| &settings.interactions) {
        add(["share", &pair.names.join(" x "), ""], [None, Some(pair.share), None, None, Some(pair.p_value)]);
    }
    let columns = Column::named(text.into_iter().chain(numbers));
    let caption = Caption { text: "Effects of settings", label: "effects" };
    Table::of_rows(caption, columns, rows, Vec::new())
}

//! Effects as tables, for the terminal, a data frame, a page or a paper.

use evogrid_results::format::{p_value, percent, shortest};

use super::{Effects, LevelEffect, SettingEffects};
use crate::ranking::{N_BEST, RankingRow, Unit};
use crate::table::ColumnKind::{Interval, Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};

/// The tables of effects with their sentences: the best configurations, the settings, and the shares that they explain. A CSV is one
/// table without sentences, with a row for each figure.
pub fn render(effects: &Effects, format: Format, notes: &[String]) -> String {
    let format = format.wrapped();
    if format == Format::Csv {
        return write(&data_frame(effects), format);
    }
    let mut tables = vec![best(effects)];
    if let Some(settings) = &effects.settings {
        tables.push(levels(effects.shared().unit, settings));
        // A single setting explains all.
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

/// The levels of each setting.
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
    let caption = Caption { text: "Effects of settings, averaged over the others", label: "effects" };
    Table::of_rows(caption, Column::named(columns), rows, Vec::new())
}

/// An interval, rounded outwards.
fn ends(unit: Unit, interval: evogrid_statistics::Interval) -> Cell {
    let step: f64 = if matches!(unit, Unit::Solved | Unit::Rank) { 10.0 } else { 100.0 };
    let [low, high] = [(interval.low * step + 1e-6).floor(), (interval.high * step - 1e-6).ceil()];
    Cell::Ends([low, high].map(|end| unit.text(end / step + 0.0)))
}

/// The shares of the variance.
fn shares(settings: &SettingEffects) -> Table {
    let columns = [("explains", Text), ("alone %", Number), ("with interactions %", Number), ("p", Number)];
    let mut rows: Vec<Vec<Cell>> = settings
        .main
        .iter()
        .map(|main| {
            vec![
                Cell::plain(&main.name),
                Cell::Plain(percent(main.share)),
                Cell::Plain(percent(main.total_share)),
                Cell::Plain(p_value(main.p_value)),
            ]
        })
        .collect();
    rows.extend(settings.interactions.iter().take(N_BEST).map(|pair| {
        vec![
            Cell::plain(&pair.names.join(" x ")),
            Cell::Plain(percent(pair.share)),
            Cell::absent(),
            Cell::Plain(p_value(pair.p_value)),
        ]
    }));
    if settings.main.len() > 2 {
        let rest: f64 = settings.interactions.iter().skip(N_BEST).map(|pair| pair.share).sum();
        let name = if rest > 0.0 { "all other interactions" } else { "three settings and more" };
        let mut row = vec![Cell::plain(name), Cell::Plain(percent(settings.higher + rest))];
        row.extend([(); 2].map(|()| Cell::absent()));
        rows.push(row);
    }
    Table::of_rows(
        Caption { text: "Shares of the variance", label: "shares" },
        Column::named(columns),
        rows,
        Vec::new(),
    )
}

/// All figures as data.
fn data_frame(effects: &Effects) -> Table {
    let text = ["figure", "setting", "value"].map(|name| (name, Text));
    let numbers = ["rank", "estimate", "low", "high", "p"].map(|name| (name, Number));
    let number = |value: Option<f64>| Cell::Plain(shortest(value));
    let row = |[figure, setting, value]: [&str; 3], numbers: [Option<f64>; 5]| -> Vec<Cell> {
        [figure, setting, value].map(Cell::plain).into_iter().chain(numbers.map(number)).collect()
    };
    let mut rows = Vec::new();
    for ((one, split), rank) in effects.ranking.best().zip(1u32..) {
        let may_be_best = one.may_be_best.map(|may_be| f64::from(u8::from(may_be)));
        for (figure, value) in [("best", one.mean), ("split", split), ("may be best", may_be_best)] {
            rows.push(row([figure, "", &one.name], [Some(f64::from(rank)), value, None, None, None]));
        }
    }
    rows.extend(
        effects
            .unchanged
            .iter()
            .map(|one| row(["changed nothing", &one.name, ""], [None, Some(one.pairs as f64), None, None, None])),
    );
    if let Some(settings) = &effects.settings {
        for main in &settings.main {
            for LevelEffect { level, mean, difference } in &main.levels {
                rows.push(row(["mean", &main.name, level], [None, Some(*mean), None, None, None]));
                if let Some((difference, interval)) = difference {
                    let [low, high] = [interval.map(|one| one.low), interval.map(|one| one.high)];
                    rows.push(row(["difference", &main.name, level], [None, Some(*difference), low, high, None]));
                }
            }
            rows.push(row(["share", &main.name, ""], [None, Some(main.share), None, None, Some(main.p_value)]));
            rows.push(row(
                ["share with interactions", &main.name, ""],
                [None, Some(main.total_share), None, None, None],
            ));
        }
        for pair in &settings.interactions {
            let name = pair.names.join(" x ");
            rows.push(row(["share", &name, ""], [None, Some(pair.share), None, None, Some(pair.p_value)]));
        }
    }
    let columns = Column::named(text.into_iter().chain(numbers));
    let caption = Caption { text: "Effects of settings", label: "effects" };
    Table::of_rows(caption, columns, rows, Vec::new())
}

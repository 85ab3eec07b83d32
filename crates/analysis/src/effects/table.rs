//! Tables of effects for the terminal, a data frame, a page or a paper, and the sentences beside the tables. Each sentence makes one claim.

use evogrid_results::format::{p_text, p_value, percent, printable, shortest};

use super::{Effects, Interaction, LevelEffect, MainEffect, SettingEffects, UnchangedSetting};
use crate::ranking::{N_BEST, RankingRow, Responses, Unit};
use crate::table::ColumnKind::{Interval, Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};

/// Renders the tables of effects, and sentences about the effects. The tables show the best configurations, and the share of the variance
/// that each setting explains. A CSV has only one table and no sentences. Each row of a CSV contains one value.
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

/// The level of the tests.
const LEVEL: f64 = 0.05;

/// An interaction has a sentence if its share is at least this value, or if its p-value is below [`LEVEL`].
const SMALL_SHARE: f64 = 0.05;

/// The maximum number of interactions that have a sentence.
const MOST_INTERACTIONS: usize = 5;

impl Effects {
    /// The heading. It has the compared figure, and the numbers of configurations, instances and runs.
    fn heading(&self) -> String {
        let (ranking, &Responses { unit, instances, .. }) = (&self.ranking, self.shared());
        let of = match unit {
            Unit::Solved => "the success rate",
            Unit::Gap => "the mean gap to the best known values",
            Unit::Deviation => "the distance from the best objective of all runs on the instance, in per cent",
            Unit::Rank => "the rank of a run on its instance (0 % is the best rank)",
        };
        let metric = if unit == Unit::Rank { format!(" by {}", ranking.metric.name()) } else { String::new() };
        let instances = if instances == 1 { "1 instance" } else { &format!("{instances} instances") };
        let (n, runs) = (ranking.rows.len(), ranking.rows.iter().map(|row| row.runs).sum::<usize>());
        format!("Effects on {of}{metric}: {n} configurations on {instances}, {runs} runs.")
    }

    /// Sentences about the settings that changed nothing.
    fn unchanged_sentences(&self) -> Vec<String> {
        let sentence = |setting: &UnchangedSetting| {
            let pairs = if setting.pairs == 1 { "the 1 pair" } else { &format!("all {} pairs", setting.pairs) };
            format!(
                "{} changed nothing: {pairs} of runs that differ only in this setting had equal results. Check that the algorithm uses the setting.",
                printable(&setting.name)
            )
        };
        self.unchanged.iter().map(sentence).collect()
    }

    /// A sentence about the configurations that may be the best.
    fn set_sentence(&self) -> String {
        let (rows, shared) = (&self.ranking.rows, self.shared());
        let about = if shared.is_by_instance { "on instances like these" } else { "on these instances" };
        let may_be_best = self.ranking.n_may_be_best().unwrap_or_default();
        let lead = match (may_be_best, rows.len()) {
            (1, _) => format!("The best configuration {about} is {} (95 % confidence)", printable(&rows[0].name)),
            (n, all) if n == all => format!("Any of the {n} configurations may be the best {about} (95 % confidence)"),
            (n, all) => {
                format!("{n} of the {all} configurations may be the best {about} (95 % confidence)")
            }
        };
        let shown = self.ranking.best().filter(|(row, _)| row.may_be_best == Some(true)).count();
        let hidden = may_be_best - shown;
        let more =
            if hidden > 0 { format!("; the table omits {hidden} of these configurations") } else { String::new() };
        let split = "split: one half of the instances decides the rank, and the other half gives the value";
        let split = if shared.instances == 1 { split.replace("instances", "repetitions") } else { split.to_owned() };
        format!("{lead}{more}. {split}.")
    }

    /// A sentence for each setting, and for each interaction that is large or significant.
    fn setting_sentences(&self) -> Vec<String> {
        let Some(settings) = &self.settings else {
            return vec![
                "The configurations do not form a grid. Therefore the effects of single settings are unknown. Select configurations with `--where`, or group configurations with `--by`.".to_owned(),
            ];
        };
        let changed = |main: &&MainEffect| self.unchanged.iter().all(|one| one.name != main.name);
        let mut sentences: Vec<String> =
            settings.main.iter().filter(changed).map(|main| self.main_sentence(main)).collect();
        let shown = settings.interactions.iter().filter(|one| one.p_value < LEVEL || one.share >= SMALL_SHARE);
        sentences.extend(shown.take(MOST_INTERACTIONS).map(interaction_sentence));
        if !settings.interactions.is_empty() && settings.interactions.iter().all(|one| one.p_value >= LEVEL) {
            sentences.push("No test shows that two settings depend on each other.".to_owned());
        }
        sentences
    }

    fn main_sentence(&self, main: &MainEffect) -> String {
        let unit = self.shared().unit;
        let cost = |level: &&LevelEffect| unit.shown(level.mean);
        let by_cost = |one: &&LevelEffect, other: &&LevelEffect| cost(one).total_cmp(&cost(other));
        let name = |level: &LevelEffect| {
            let value = if level.level.is_empty() { "-" } else { &level.level };
            format!("{} ({})", printable(value), unit.text(level.mean))
        };
        let best = main.levels.iter().min_by(by_cost).map(name).unwrap_or_default();
        let worst = main.levels.iter().max_by(by_cost).map(name).unwrap_or_default();
        let told = if main.p_value < LEVEL { "" } else { "not distinguishable from chance: " };
        let (name, p) = (printable(&main.name), p_text(main.p_value));
        if self.settings.as_ref().is_some_and(|settings| settings.main.len() == 1) {
            return format!("{name}: {told}the best value is {best}, and the worst value is {worst} ({p}).");
        }
        format!(
            "{name}: {told}the best value is {best}, and the worst value is {worst}, on average over the other settings ({p}). The setting alone explains {} % of the variance. Together with its share of each interaction, the setting explains {} %.",
            percent(main.share),
            percent(main.total_share)
        )
    }

    /// Notes that say how the figures were computed.
    fn notes(&self) -> Vec<String> {
        let (mut notes, shared, n) = (Vec::new(), self.shared(), self.ranking.rows.len());
        if let Some(settings) = &self.settings {
            let blocks = if shared.is_by_instance { "instances" } else { "repetitions on these instances" };
            notes.push(format!(
                "A share is a part of the variance between the means of the configurations on the grid. The shares come from an exact functional ANOVA. The random choice of {blocks} adds variance, which is subtracted from the shares. Intervals (95 %) and tests are computed over {blocks}. The p-values are corrected by Holm's method."
            ));
            if settings.grid.cells.len() < n {
                let omitted = settings.grid.omitted.iter().map(|(name, levels)| {
                    let levels = levels.iter().map(|level| if level.is_empty() { "-" } else { level });
                    format!("{name} = {}", levels.collect::<Vec<_>>().join(" or "))
                });
                notes.push(
                    printable(&format!(
                        "The effects of settings are computed from {} of the {} configurations. Without {}, these configurations form a complete grid.",
                        settings.grid.cells.len(),
                        n,
                        omitted.collect::<Vec<_>>().join("; ")
                    ))
                    .into_owned(),
                );
            }
        }
        notes.extend(shared.omitted());
        let failed: usize = self.ranking.rows.iter().map(|row| row.failed).sum();
        if failed > 0 {
            let counts = match shared.unit {
                Unit::Solved => "count as unsolved",
                Unit::Gap | Unit::Deviation => "have no value and are omitted",
                Unit::Rank => "rank last; failed runs without a value are omitted",
            };
            notes.push(format!("{failed} runs failed: they {counts}."));
        }
        notes
    }
}

fn interaction_sentence(interaction: &Interaction) -> String {
    let [one, other] = interaction.names.each_ref().map(|name| printable(name));
    let told = if interaction.p_value < LEVEL { "depend" } else { "may depend" };
    format!(
        "{one} and {other} {told} on each other: the interaction explains {} % of the variance ({}).",
        percent(interaction.share),
        p_text(interaction.p_value)
    )
}

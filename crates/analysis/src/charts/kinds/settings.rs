//! Charts of the effects of settings on a complete grid: main effects, interactions of two settings, and shares of the variance.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Drawing, Filling, HEIGHT, LETTER, LegendSymbol, MOST_PANELS, MOST_VALUES,
    NO_GRID, Remarks, Styles, WIDTH, labels, most_panels, refused, rounded,
};
use crate::effects::{Effects, Interaction, MainEffect, SettingEffects, effects};
use evogrid_results::format::{p_value, percent};

/// The maximum number of lines in a panel of interactions.
const MOST_LINES: usize = 7;

/// The maximum number of interactions in the chart of shares.
const MOST_SHARES: usize = 5;

/// The height of a row of shares in pixels.
const ROW: usize = 18;

/// The effects of all settings, and the grid on which the effects are computed.
struct GridEffects {
    all: Effects,
    settings: SettingEffects,
}

fn grid(input: &ChartInput<'_>) -> Result<GridEffects, ChartError> {
    let mut all = effects(input.samples, input.shown).map_err(|error| refused(error.message))?;
    let settings = all.settings.take().ok_or_else(|| refused(NO_GRID))?;
    Ok(GridEffects { all, settings })
}

impl GridEffects {
    /// The content of a chart, with the sentences of all three charts.
    fn content(&self, title: &str, drawings: Vec<Drawing>, note: String) -> Content {
        let (grid, shared) = (&self.settings.grid, self.all.shared());
        let blocks = if shared.is_by_instance { "instances like these" } else { "these instances" };
        let averages = format!(
            "The averages are over {} configurations on {} instances. Intervals and tests hold for {blocks}.",
            grid.cells.len(),
            shared.instances
        );
        let omitted = |(name, levels): &(String, Vec<String>)| {
            let values: Vec<String> = levels.iter().map(|level| labels::text(level)).collect();
            format!("The grid omits these values of `{}`: {}.", labels::text(name), labels::few(&values))
        };
        let mut caveats: Vec<String> = grid.omitted.iter().map(omitted).collect();
        caveats.extend(shared.omitted());
        Content::new(title, drawings, Remarks { caveats, notes: vec![note, averages] })
    }

    /// The vertical axis of means.
    fn axis(&self, means: impl IntoIterator<Item = f64>) -> Axis {
        Axis::linear(self.all.shared().unit.name(), means, ",.6~g")
    }

    /// The main effects. The effect with the largest share comes first.
    fn main(&self) -> Vec<&MainEffect> {
        let mut main: Vec<&MainEffect> = self.settings.main.iter().collect();
        main.sort_by(|one, other| other.total_share.total_cmp(&one.total_share));
        main
    }
}

/// The chart of the means at each level of each setting.
pub(crate) fn main_effects(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let grid = grid(input)?;
    let mut main = grid.main();
    main.retain(|effect| effect.levels.len() <= MOST_VALUES);
    main.truncate(most_panels(input.columns));
    // The interval of a level is the interval of its difference from the first level.
    let ends = |effect: &MainEffect| -> Vec<[f64; 3]> {
        let first = effect.levels[0].mean;
        let of_level = effect.levels.iter().map(|level| {
            let interval = level.difference.and_then(|(_, interval)| interval);
            interval.map_or([level.mean; 3], |interval| [level.mean, first + interval.low, first + interval.high])
        });
        of_level.collect()
    };
    let y = grid.axis(main.iter().flat_map(|effect| ends(effect)).flatten());
    let drawing = |effect: &&MainEffect| {
        let names = labels::values(&effect.levels.iter().map(|level| level.level.as_str()).collect::<Vec<_>>());
        let rows = names.iter().zip(ends(effect)).map(|(name, ends)| {
            let [mean, low, high] = ends.map(rounded);
            json!({ "x": name, "mean": mean, "low": low, "high": high })
        });
        let values = [("levels", levels(&effect.name, &names))];
        let filling = Filling { axes: [None, Some(&y)], values: &values, ..Filling::default() };
        let title = format!("share {} %, p {}", percent(effect.share), p_value(effect.p_value));
        filling.drawing("main-effects", &title, HEIGHT * 2 / 3, rows.collect())
    };
    let note = "Each point is the mean of all configurations with this value of the setting. A bar shows the 95 % \
                interval of the difference from the first value. The first value has no bar. The p-value tests whether all values have the same mean (Holm's correction over settings).";
    Ok(grid.content("Main effects of settings", main.iter().map(drawing).collect(), note.to_owned()))
}

/// The channel of the levels of a setting.
fn levels(name: &str, names: &[String]) -> Value {
    let letters: usize = names.iter().map(|name| name.chars().count() + 2).sum();
    let mut axis = json!({ "title": labels::text(name) });
    if letters * LETTER > WIDTH as usize {
        axis["labelAngle"] = json!(-45);
    }
    json!({ "field": "x", "type": "nominal", "title": "x", "scale": { "domain": names, "type": "point", "padding": 0.5 }, "axis": axis })
}

/// The chart of interactions: the means at the levels of two settings.
pub(crate) fn interactions(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let grid = grid(input)?;
    let of = |name: &String| {
        let factor = grid.settings.grid.factors.iter().find(|factor| factor.name == *name);
        factor.map(|factor| labels::values(&factor.levels.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    let fits = |levels: &[Vec<String>; 2]| {
        levels[0].len().min(levels[1].len()) <= MOST_LINES && levels.iter().all(|names| names.len() <= MOST_VALUES)
    };
    let known =
        grid.settings.interactions.iter().filter_map(|pair| {
            Some((pair, [of(&pair.names[0])?, of(&pair.names[1])?])).filter(|(_, levels)| fits(levels))
        });
    let shown: Vec<(&Interaction, [Vec<String>; 2])> = known.take(MOST_PANELS / 2).collect();
    if shown.is_empty() {
        return Err(refused(NO_GRID));
    }
    let means = shown.iter().flat_map(|(pair, _)| pair.means.iter().flatten().copied());
    let y = grid.axis(means);
    let drawing = |(pair, sides): &(&Interaction, [Vec<String>; 2])| {
        // The setting with fewer values makes the lines.
        let (along, lines) = if sides[0].len() < sides[1].len() { (1, 0) } else { (0, 1) };
        let mut rows = Vec::new();
        for (first, means) in pair.means.iter().enumerate() {
            for (second, &mean) in means.iter().enumerate() {
                let at = [first, second];
                let names = [along, lines].map(|side| &sides[side][at[side]]);
                rows.push(json!({ "x": names[0], "series": names[1], "mean": rounded(mean) }));
            }
        }
        let legend = labels::text(&pair.names[lines]);
        let styles = Styles::of_levels(&sides[lines], Some(&legend), LegendSymbol::Marker, 1);
        let values = [("levels", levels(&pair.names[along], &sides[along]))];
        let filling = Filling { axes: [None, Some(&y)], styles: Some(&styles), values: &values };
        let title = format!("interaction {} %, p {}", percent(pair.share), p_value(pair.p_value));
        let drawing = filling.drawing("interactions", &title, HEIGHT * 2 / 3, rows);
        // The lines of each panel are values of another setting.
        Drawing { has_own_series: true, ..drawing }
    };
    let drawings = shown.iter().map(drawing).collect();
    let note = format!(
        "Each point is the mean of all configurations with the same values of the two settings. Parallel lines mean that there is no \
         interaction. The chart shows the {} largest of {} interactions of two settings. The p-values are corrected \
         for the number of interactions (Holm).",
        shown.len(),
        grid.settings.interactions.len()
    );
    Ok(grid.content("Interactions of settings", drawings, note))
}

/// The chart of the share of the variance that each setting explains.
pub(crate) fn importance(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let grid = grid(input)?;
    // A single setting explains the whole variance.
    if grid.settings.main.len() < 2 {
        return Err(refused(NO_GRID));
    }
    let name = |name: &String| labels::text(name);
    let of_main = grid.main().into_iter().map(|effect| (name(&effect.name), effect.share, effect.total_share));
    let pairs = grid.settings.interactions.iter().filter(|pair| pair.share >= 0.005).take(MOST_SHARES);
    let of_pairs = pairs.map(|pair| (pair.names.each_ref().map(name).join(" × "), pair.share, pair.share));
    let mut shares: Vec<(String, f64, f64)> = of_main.chain(of_pairs).collect();
    if grid.settings.higher >= 0.005 {
        shares.push(("three and more".to_owned(), grid.settings.higher, grid.settings.higher));
    }
    let names = labels::distinct(shares.iter().map(|(name, ..)| name.clone()).collect());
    let rows = names.iter().zip(&shares).map(|(name, (_, alone, total))| {
        json!({ "name": name, "from": 0, "alone": rounded(*alone), "total": rounded(*total), "text": format!("{} %", percent(*alone)) })
    });
    let mut x = Axis::rate("share of the variance explained");
    x.domain[1] = 1.1;
    let values = [("names", json!(names))];
    let filling = Filling { axes: [Some(&x), None], values: &values, ..Filling::default() };
    let drawing = filling.drawing("importance", "", ROW * names.len(), rows.collect());
    let drawing = Drawing { width: json!(WIDTH - 60), ..drawing };
    let note = "The means of the configurations differ. A dark bar, and the number beside the bar, show a share of the variance of these means. The share of a single setting is the part of the variance that this setting explains alone. The share of a pair of settings is the part of the variance that the interaction of the two settings explains. The random choice of instances adds variance, which is subtracted from the shares. The variance of each interaction is also divided equally among its settings. A pale bar also includes the setting's share of each interaction (Shapley values).";
    Ok(grid.content("Importance of settings", vec![drawing], note.to_owned()))
}

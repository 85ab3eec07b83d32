//! What settings do, on a complete grid: main effects, interactions of two, and the share of the differences that each explains.

use serde_json::{Value, json};

use crate::charts::axis::Axis;
use crate::charts::chart::{Chart, ChartInput, ChartKind, Remarks};
use crate::charts::division::{MOST_PANELS, MOST_VALUES, most_panels};
use crate::charts::error::ChartError;
use crate::charts::labels::{self, rounded};
use crate::charts::vega::{self, Drawing, HEIGHT, LegendSymbol, Styles, WIDTH};
use crate::effects::{Effects, Interaction, MainEffect, SettingEffects, effects};
use evogrid_results::format::{p_value, percent};

/// A panel of interactions has at most this many lines.
const MOST_LINES: usize = 7;

/// The most interactions among the shares.
const MOST_SHARES: usize = 5;

/// Height of a row of shares, in pixels.
const ROW: usize = 18;

/// The effects, and those of the settings on their grid.
struct GridEffects {
    all: Effects,
    settings: SettingEffects,
}

fn grid(input: &ChartInput<'_>) -> Result<GridEffects, ChartError> {
    let mut all = effects(input.samples, input.shown)?;
    let settings = all.settings.take().ok_or(ChartError::NoGrid)?;
    Ok(GridEffects { all, settings })
}

impl GridEffects {
    /// The chart with what all three have to say.
    fn chart(
        &self,
        input: &ChartInput<'_>,
        (kind, title): (ChartKind, &str),
        drawings: Vec<Drawing>,
        notes: Vec<String>,
    ) -> Chart {
        let mut remarks = Remarks { notes, ..Remarks::default() };
        let blocks = if self.all.shared().is_by_instance { "instances like these" } else { "these instances" };
        remarks.notes.push(format!(
            "Averages over {} configurations on {} instances; inference is about {blocks}.",
            self.settings.grid.cells.len(),
            self.all.shared().instances
        ));
        for (name, levels) in &self.settings.grid.omitted {
            let values: Vec<String> = levels.iter().map(|level| labels::text(level)).collect();
            let (name, values) = (labels::text(name), labels::few(&values));
            remarks.caveats.push(format!("Not in the grid, and omitted: `{name}` of {values}."));
        }
        if self.all.shared().omitted_instances > 0 {
            remarks.caveats.push(format!(
                "{} instances are omitted, because a configuration has no run with a figure there.",
                self.all.shared().omitted_instances
            ));
        }
        Chart::new(input, kind, title, drawings, remarks)
    }

    /// The main effects, the largest share first.
    fn main(&self) -> Vec<&MainEffect> {
        let mut main: Vec<&MainEffect> = self.settings.main.iter().collect();
        main.sort_by(|one, other| other.total_share.total_cmp(&one.total_share));
        main
    }
}

/// The mean at each level of each setting.
pub(crate) fn main_effects(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let grid = grid(input)?;
    let mut main = grid.main();
    main.retain(|effect| effect.levels.len() <= MOST_VALUES);
    main.truncate(most_panels(input.columns));
    // The interval of a level is that of its difference to the first.
    let ends = |effect: &MainEffect| -> Vec<[f64; 3]> {
        let first = effect.levels[0].mean;
        let of_level = effect.levels.iter().map(|level| {
            let interval = level.difference.and_then(|(_, interval)| interval);
            interval.map_or([level.mean; 3], |interval| [level.mean, first + interval.low, first + interval.high])
        });
        of_level.collect()
    };
    let y = Axis::linear(grid.all.shared().unit.name(), main.iter().flat_map(|effect| ends(effect)).flatten(), ",.6~g");
    let drawing = |effect: &&MainEffect| {
        let names = labels::values(&effect.levels.iter().map(|level| level.level.as_str()).collect::<Vec<_>>());
        let rows = names.iter().zip(ends(effect)).map(|(name, ends)| {
            let [mean, low, high] = ends.map(rounded);
            json!({ "x": name, "mean": mean, "low": low, "high": high })
        });
        let mut points = json!({ "y": y.encoding("mean") });
        points["tooltip"] = vega::tooltip(&[("x", "value", None), ("mean", "mean", Some(",.4~g"))]);
        Drawing {
            rows: rows.collect(),
            encoding: json!({ "x": levels(&effect.name, &names) }),
            layers: vec![
                json!({ "mark": { "type": "rule", "opacity": 0.6 }, "encoding": y.span("y", "low", "high") }),
                json!({ "mark": "line", "encoding": { "y": y.encoding("mean") } }),
                json!({ "mark": "point", "encoding": points }),
            ],
            ..Drawing::new(&format!("share {} %, p {}", percent(effect.share), p_value(effect.p_value)), HEIGHT * 2 / 3)
        }
    };
    let notes = vec![
        "Each point is the mean over all configurations with the value. Bars are 95 % intervals of the difference from \
         the first value, drawn around the mean; the first value has none. p: all values have the same mean (Holm's \
         correction over the settings)."
            .to_owned(),
    ];
    let drawings = main.iter().map(drawing).collect();
    Ok(grid.chart(input, (ChartKind::MainEffects, "Main effects of settings"), drawings, notes))
}

/// The channel of the levels of a setting.
fn levels(name: &str, names: &[String]) -> Value {
    let letters: usize = names.iter().map(|name| name.chars().count() + 2).sum();
    let mut axis = json!({ "title": labels::text(name) });
    if letters * vega::LETTER > WIDTH as usize {
        axis["labelAngle"] = json!(-45);
    }
    json!({ "field": "x", "type": "nominal", "title": "x", "scale": { "domain": names, "type": "point", "padding": 0.5 }, "axis": axis })
}

/// The means at the levels of two settings.
pub(crate) fn interactions(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
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
        return Err(ChartError::NoGrid);
    }
    let means = shown.iter().flat_map(|(pair, _)| pair.means.iter().flatten().copied());
    let y = Axis::linear(grid.all.shared().unit.name(), means, ",.6~g");
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
        let mut points = styles.shape(json!({ "y": y.encoding("mean") }));
        points["tooltip"] =
            vega::tooltip(&[("x", "value", None), ("series", "line", None), ("mean", "mean", Some(",.4~g"))]);
        Drawing {
            rows,
            encoding: styles.color(json!({ "x": levels(&pair.names[along], &sides[along]) })),
            layers: vec![
                json!({ "mark": "line", "encoding": styles.dash(json!({ "y": y.encoding("mean") })) }),
                json!({ "mark": "point", "encoding": points }),
            ],
            ..Drawing::new(
                &format!("interaction {} %, p {}", percent(pair.share), p_value(pair.p_value)),
                HEIGHT * 2 / 3,
            )
        }
    };
    let drawings = shown.iter().map(drawing).collect();
    let notes = vec![format!(
        "Each point is the mean over all configurations with both values: parallel lines do not interact. The {} largest \
         of {} interactions of two settings; p with Holm's correction over all of them.",
        shown.len(),
        grid.settings.interactions.len()
    )];
    let mut chart = grid.chart(input, (ChartKind::Interactions, "Interactions of settings"), drawings, notes);
    // The lines of each panel are values of another setting.
    let own = json!({ "color": "independent", "shape": "independent", "strokeDash": "independent" });
    if chart.spec.get("concat").is_some() {
        chart.spec["resolve"] = json!({ "scale": own, "legend": own });
    }
    Ok(chart)
}

/// The share of the variance that each setting explains.
pub(crate) fn importance(input: &ChartInput<'_>) -> Result<Chart, ChartError> {
    let grid = grid(input)?;
    // A single setting explains all.
    if grid.settings.main.len() < 2 {
        return Err(ChartError::NoGrid);
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
    let y = json!({
        "field": "name", "type": "nominal", "title": "name", "scale": { "domain": names },
        "axis": { "title": null, "ticks": false, "domain": false, "labelLimit": 160 },
    });
    let bar = |field: &str, size: usize, opacity: f64| {
        let mut encoding = x.span("x", "from", field);
        encoding["tooltip"] = vega::tooltip(&[
            ("name", "setting", None),
            ("alone", "alone", Some(".1%")),
            ("total", "with its interactions", Some(".1%")),
        ]);
        json!({ "mark": { "type": "bar", "size": size, "opacity": opacity }, "encoding": encoding })
    };
    let text = json!({ "x": x.encoding("total"), "text": { "field": "text", "type": "nominal", "title": "text" } });
    let drawing = Drawing {
        width: json!(WIDTH - 60),
        rows: rows.collect(),
        encoding: json!({ "y": y }),
        layers: vec![
            bar("total", 12, 0.35),
            bar("alone", 6, 1.0),
            json!({ "mark": { "type": "text", "align": "left", "dx": 3, "fontSize": 9 }, "encoding": text }),
        ],
        ..Drawing::new("", ROW * names.len())
    };
    let notes = vec![
        "Dark bars and numbers: the share that a setting, or two together beyond their single effects, explains of the \
         variance of the means, without what other instances would change. Pale bars: a setting with its parts of all \
         interactions (Shapley values)."
            .to_owned(),
    ];
    Ok(grid.chart(input, (ChartKind::Importance, "Importance of settings"), vec![drawing], notes))
}

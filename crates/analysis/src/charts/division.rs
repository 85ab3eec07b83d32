//! Divides runs into the panels of a chart, and divides the runs of each panel into series.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::axis::{Axis, thinned};
use super::best::{self, N_BEST};
use super::evidence::Evidence;
use super::input::{ChartInput, Remarks};
use super::labels::{self, n_distinct, named, ordered};
use super::vega::{Drawing, Filling, HEIGHT, LegendSymbol, Styles};
use crate::samples::{Key, Sample, Samples};

/// The maximum number of bands in a panel. If there were more bands, they would hide each other.
pub(super) const MOST_BANDS: usize = 4;

/// The maximum number of panels in a chart.
pub(super) const MOST_PANELS: usize = 8;

/// The maximum number of panels that are stacked vertically. A chart with more panels does not fit a page.
const PANELS_IN_COLUMN: usize = 4;

/// The maximum number of series in a chart.
pub(super) const MOST_SERIES: usize = 24;

/// The maximum number of series in a panel that readers can distinguish easily.
pub(super) const MOST_IN_PANEL: usize = 12;

/// The maximum number of series in one panel, which is the number of colours.
const FEW_SERIES: usize = 7;

/// The maximum number of values of a setting. A setting with more values was varied over a range. If runs differ only in a setting with
/// more values, they are combined, unless the user asks for the setting.
pub(super) const MOST_VALUES: usize = 24;

/// Runs divided into panels and series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Division<'a> {
    /// The names of the settings, if the names of the series contain only values; `None` if the names of the series contain the settings.
    pub(super) legend: Option<String>,
    /// The distinct names of the series in order, for example `100`.
    pub(super) names: Vec<String>,
    /// The full names of the series, for places without a legend, for example `population = 100`.
    pub(super) full: Vec<String>,
    /// The panels. There is at least one panel.
    pub(super) panels: Vec<Panel<'a>>,
    /// Sentences about omitted or combined runs and settings.
    pub(super) remarks: Remarks,
    /// The number of panels side by side.
    pub(super) columns: usize,
    /// Whether each series is a configuration. If not, each series is a bucket.
    is_of_configurations: bool,
}

/// The runs of a panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Panel<'a> {
    /// The title: the values that all runs of the panel share. It is empty if there is one panel.
    pub(super) title: String,
    pub(super) series: Vec<Series<'a>>,
}

/// The runs of a series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series<'a> {
    /// The index of the name of the series.
    pub(super) name: usize,
    /// The runs in the order of the file. There is at least one run.
    pub(super) runs: Vec<&'a Sample>,
}

/// The keys that divide runs into series and panels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DivisionPlan {
    pub(super) series: Vec<Key>,
    pub(super) panels: Vec<Key>,
    /// The keys that the chart itself shows, for example on an axis.
    pub(super) besides: Vec<Key>,
    pub(super) most_series: usize,
    pub(super) most_panels: usize,
    /// If there are more series than this, keys move from the series to the panels, until one key of series is left.
    pub(super) few_series: usize,
    /// Whether the chart shows only the best configurations if there are too many configurations.
    pub(super) is_of_best: bool,
}

impl DivisionPlan {
    /// A plan in which each algorithm with its settings is a series. There are one or a few panels.
    pub(super) fn by_settings(samples: &Samples) -> Self {
        let series = samples.roster.configuration_keys().collect();
        Self {
            series,
            panels: Vec::new(),
            besides: Vec::new(),
            most_series: MOST_SERIES,
            most_panels: MOST_PANELS,
            few_series: FEW_SERIES,
            is_of_best: true,
        }
    }
}

impl<'a> Division<'a> {
    /// The styles that distinguish the series of the division.
    pub(super) fn styles(&self, symbol: LegendSymbol) -> Styles {
        let of = if self.is_of_configurations { Styles::new } else { Styles::of_levels };
        of(&self.names, self.legend.as_deref(), symbol, self.columns.min(self.panels.len()))
    }

    /// The series of all panels, panel by panel.
    pub(super) fn series(&self) -> impl Iterator<Item = &Series<'a>> {
        self.panels.iter().flat_map(|panel| &panel.series)
    }

    /// Adds a caveat about small numbers of runs. `what` is the name of the drawn figures.
    pub(super) fn with_evidence(mut self, what: &str) -> Self {
        let caveat = Evidence::caveat(what, self.series().map(|series| Evidence::new(&series.runs)));
        self.remarks.caveats.extend(caveat);
        self
    }

    /// The runs of all series.
    pub(super) fn runs(&self) -> impl Iterator<Item = &'a Sample> {
        self.series().flat_map(|series| series.runs.iter().copied())
    }

    /// A drawing of the standard size for each panel. A template draws the rows of the series along two axes.
    pub(super) fn drawings(
        &self,
        template: &str,
        symbol: LegendSymbol,
        [x, y]: [&Axis; 2],
        values: &[(&str, Value)],
        mut rows: impl FnMut(&str, &Series<'a>) -> Vec<Value>,
    ) -> Vec<Drawing> {
        // Four of these panels above each other fit a page.
        let height = if self.panels.len() > 3 * self.columns { HEIGHT * 4 / 5 } else { HEIGHT };
        let filling = Filling { axes: [Some(x), Some(y)], styles: Some(&self.styles(symbol)), values };
        let drawing = |panel: &Panel<'a>| {
            let rows = panel.series.iter().flat_map(|series| rows(&self.names[series.name], series)).collect();
            filling.drawing(template, &panel.title, height, rows)
        };
        self.panels.iter().map(drawing).collect()
    }

    /// Whether the chart has bands, and a note about the bands. `note` explains them.
    pub(super) fn bands(&self, note: &str) -> (bool, String) {
        if self.panels.iter().all(|panel| panel.series.len() <= MOST_BANDS) {
            return (true, note.to_owned());
        }
        (false, format!("Bands are drawn only in panels with at most {MOST_BANDS} curves."))
    }

    /// Drawings of step curves of the field `share`, with bands from `low` to `high` if `has_bands`. The last texts are the title of `x`,
    /// the number format of `x`, and the title of the share.
    pub(super) fn steps(
        &self,
        axes: [&Axis; 2],
        has_bands: bool,
        [x, format, share]: [&str; 3],
        rows: impl FnMut(&str, &Series<'a>) -> Vec<Value>,
    ) -> Vec<Drawing> {
        let tooltip = json!(["series", format!("x = {x} | {format}"), format!("share = {share} | .1%")]);
        let values = [("has_bands", json!(has_bands)), ("tooltip", tooltip)];
        self.drawings("steps", LegendSymbol::Line, axes, &values, rows)
    }

    /// Divides the panels so that each panel has at most `most` series, unless this would make too many panels.
    pub(super) fn spread(mut self, most: usize) -> Self {
        let n = self.panels.iter().map(|panel| panel.series.len()).max().unwrap_or_default();
        let parts = n.div_ceil(most);
        if parts > 1 && self.panels.len() * parts <= most_panels(self.columns) {
            let spread = self.panels.iter().flat_map(|panel| {
                let parted = panel.series.chunks(n.div_ceil(parts));
                parted.map(|series| Panel { title: panel.title.clone(), series: series.to_vec() })
            });
            self.panels = spread.collect();
        }
        self
    }
}

/// The maximum number of panels in a chart that has `columns` panels side by side.
pub(super) fn most_panels(columns: usize) -> usize {
    MOST_PANELS.min(PANELS_IN_COLUMN * columns)
}

/// Values of keys, each with its index among the values of the key.
type Place<'a> = Vec<(usize, &'a str)>;

/// Divides runs of the input into panels and series.
pub(super) fn divide<'a>(input: &ChartInput<'a>, runs: Vec<&'a Sample>, plan: DivisionPlan) -> Division<'a> {
    let samples = input.samples;
    let mut remarks = Remarks::default();
    let most_panels = if plan.most_panels > MOST_PANELS { plan.most_panels } else { most_panels(input.columns) };
    let (most, is_of_best) = (plan.most_series, plan.is_of_best);
    let (mut series, mut panels) = keys(input, &runs, plan, &mut remarks.notes);
    let keys = [&mut series, &mut panels];
    let best = if is_of_best { best_of_many(input, &runs, keys, most, &mut remarks.caveats) } else { None };
    let (runs, standings) = best.unwrap_or_else(|| (runs, Vec::new()));

    let order = |&key: &Key| -> (Key, BTreeMap<&str, usize>) {
        (key, ordered(samples, &runs, key).into_iter().zip(0..).collect())
    };
    let orders: BTreeMap<Key, BTreeMap<&str, usize>> = series.iter().chain(&panels).map(order).collect();
    let place = |keys: &[Key], run: &Sample| -> Place<'a> {
        let values = keys.iter().map(|&key| (key, samples.value(key, run)));
        values.map(|(key, value)| (orders[&key][value], value)).collect()
    };
    let mut groups: BTreeMap<Place<'_>, BTreeMap<Place<'_>, Vec<&Sample>>> = BTreeMap::new();
    for &run in &runs {
        groups.entry(place(&panels, run)).or_default().entry(place(&series, run)).or_default().push(run);
    }
    let values = |place: &Place<'a>| -> Vec<&str> { place.iter().map(|&(_, value)| value).collect() };
    let mut places: Vec<Place<'_>> =
        groups.values().flat_map(BTreeMap::keys).cloned().collect::<BTreeSet<_>>().into_iter().collect();
    places.sort_by_key(|place| standings.iter().position(|best| *best == values(place)));
    let titles: Vec<String> =
        groups.keys().map(|place| labels::name(&samples.roster, &panels, &values(place))).collect();
    let found: Vec<Vec<&str>> = places.iter().map(values).collect();
    let (legend, names) = named(samples, &runs, &series, &found);
    let full = if series.is_empty() {
        names.clone()
    } else {
        labels::distinct(found.iter().map(|values| labels::name(&samples.roster, &series, values)).collect())
    };
    let kept = spread_evenly("curves", &full, most, &mut remarks.caveats);
    let [names, full] = [names, full].map(|names| kept.iter().map(|&at| names[at].clone()).collect());
    let name_of: BTreeMap<&Place<'_>, usize> = kept.iter().zip(0..).map(|(&at, name)| (&places[at], name)).collect();

    let shown = if panels.iter().any(|key| key.is_of_configurations()) {
        let standing = best::standing(input);
        let runs = |panel: &BTreeMap<_, Vec<&'a Sample>>| panel.values().flatten().copied().collect::<Vec<_>>();
        let standings: Vec<f64> = groups.values().map(|panel| standing(&runs(panel)).0).collect();
        best_panels(&standings, most_panels, input, &mut remarks.caveats)
    } else {
        spread_evenly("panels", &titles, most_panels, &mut remarks.caveats)
    };
    let is_titled = groups.len() > 1;
    let panel = |(title, groups): (String, BTreeMap<Place<'a>, Vec<&'a Sample>>)| {
        let named = groups.into_iter().filter_map(|(place, runs)| Some(Series { name: *name_of.get(&place)?, runs }));
        let mut series: Vec<Series<'_>> = named.collect();
        series.sort_by_key(|series| series.name);
        (!series.is_empty()).then(|| Panel { title: if is_titled { title } else { String::new() }, series })
    };
    let all = titles.into_iter().zip(groups.into_values()).enumerate();
    let panels = all.filter(|(at, _)| shown.contains(at)).filter_map(|(_, found)| panel(found)).collect();
    let is_of_configurations = series.iter().all(|key| key.is_of_configurations());
    Division { legend, names, full, panels, remarks, columns: input.columns, is_of_configurations }
}

/// The runs and the values of the best configurations, with the best configuration first. Returns `None` if there are only few series and
/// panels. A key of series is kept only if the best configurations differ in it.
fn best_of_many<'a>(
    input: &ChartInput<'a>,
    runs: &[&'a Sample],
    [series, panels]: [&mut Vec<Key>; 2],
    most: usize,
    caveats: &mut Vec<String>,
) -> Option<(Vec<&'a Sample>, Vec<Vec<&'a str>>)> {
    let samples = input.samples;
    let fits = n_distinct(samples, runs, series) <= most && n_distinct(samples, runs, panels) <= MOST_PANELS;
    if fits || !series.iter().all(|key| key.is_of_configurations()) {
        return None;
    }
    let settings: Vec<Key> =
        samples.roster.configuration_keys().filter(|key| series.contains(key) || panels.contains(key)).collect();
    let most = N_BEST.min(most);
    let best = best::distinct_best(input, runs, &settings, (most, most), caveats)?;
    let values = |run: &Sample| -> Vec<&str> { settings.iter().map(|&key| samples.value(key, run)).collect() };
    let runs = runs.iter().copied().filter(|run| best.contains(&values(run))).collect();
    let differing: Vec<usize> =
        (0..settings.len()).filter(|&at| best.iter().any(|values| values[at] != best[0][at])).collect();
    *series = differing.iter().map(|&at| settings[at]).collect();
    panels.retain(|key| !settings.contains(key));
    let standings = best.iter().map(|values| differing.iter().map(|&at| values[at]).collect()).collect();
    Some((runs, standings))
}

/// The indices of the best panels, at most `most`.
pub(super) fn best_panels(
    standings: &[f64],
    most: usize,
    input: &ChartInput<'_>,
    caveats: &mut Vec<String>,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..standings.len()).collect();
    places.sort_by(|&one, &other| standings[other].total_cmp(&standings[one]));
    if places.len() > most {
        places.truncate(most);
        let by = best::standing_name(input);
        caveats.push(format!("The chart shows {most} of {} panels: the panels with the best {by}.", standings.len()));
    }
    places
}

/// The indices of at most `most` names, evenly distributed. Adds a caveat about omitted names.
fn spread_evenly(what: &str, names: &[String], most: usize, caveats: &mut Vec<String>) -> Vec<usize> {
    let kept = thinned(&(0..names.len()).collect::<Vec<_>>(), most);
    let left: Vec<String> = (0..names.len()).filter(|at| !kept.contains(at)).map(|at| names[at].clone()).collect();
    let (shown, all, few) = (kept.len(), names.len(), labels::few(&left));
    caveats.extend((shown < all).then(|| format!("The chart shows {shown} of {all} {what} and omits {few}.")));
    kept
}

/// The keys of series and of panels.
fn keys<'a>(
    input: &ChartInput<'a>,
    runs: &[&'a Sample],
    mut plan: DivisionPlan,
    notes: &mut Vec<String>,
) -> (Vec<Key>, Vec<Key>) {
    let (samples, by) = (input.samples, input.by);
    let is_of_best = plan.is_of_best;
    let n_values = |key: Key| n_distinct(samples, runs, &[key]);
    if by.is_empty() {
        for keys in [&mut plan.series, &mut plan.panels] {
            keys.retain(|&key| {
                let n = n_values(key);
                if is_of_best && key != Key::Bucket {
                    return n > 1;
                }
                if n > MOST_VALUES {
                    let name = labels::text(samples.roster.name(key));
                    notes.push(format!(
                        "`{name}` has {n} values, which are too many for the chart. Runs that differ only in `{name}` are combined."
                    ));
                }
                (2..=MOST_VALUES).contains(&n)
            });
        }
    } else {
        let DivisionPlan { series, panels, besides, .. } = &mut plan;
        let is_asked = |key: &Key| by.contains(key) && !besides.contains(key);
        panels.retain(is_asked);
        series.retain(is_asked);
        let more = by.iter().filter(|&key| ![&*panels, &*series, &*besides].iter().any(|keys| keys.contains(key)));
        let more: Vec<Key> = more.copied().collect();
        series.extend(more);
        [series, panels].into_iter().for_each(|keys| keys.retain(|&key| n_values(key) > 1));
    }
    if plan.series.is_empty() && !plan.panels.is_empty() {
        plan.series.push(plan.panels.remove(0));
    }
    // Different families have no common scale.
    let is_of_family = |key: &Key| matches!(key, Key::Bucket | Key::Instance | Key::Problem);
    let is_parted = [&plan.series, &plan.panels, &plan.besides].into_iter().flatten().any(is_of_family);
    if !is_parted && n_values(Key::Problem) > 1 {
        plan.panels.insert(0, Key::Problem);
    }
    while plan.series.len() > 1 && n_distinct(samples, runs, &plan.series) > plan.few_series {
        // The key with the fewest values makes the fewest panels. Of several such keys the last is taken.
        let fewest = (0..plan.series.len()).rev().min_by_key(|&at| n_values(plan.series[at]));
        plan.panels.push(plan.series.remove(fewest.expect("there are at least two keys")));
    }
    (plan.series, plan.panels)
}

//! Divisions: how runs are parted into the panels of a chart, and in each panel into series.

use std::collections::{BTreeMap, BTreeSet};

use super::labels;
use super::vega::{Sign, Styles};
use crate::samples::{Key, Sample, Samples, Selector};

/// More panels than this are no longer one figure.
pub(super) const MOST_PANELS: usize = 8;

/// More series than this are no longer one figure.
pub(super) const MOST_SERIES: usize = 24;

/// More series than this in a panel can hardly be told apart.
pub(super) const MOST_IN_PANEL: usize = 12;

/// So many series are few enough for one panel, whatever tells them apart: there are as many colours.
const FEW_SERIES: usize = 7;

/// A setting with more values than this was drawn from a range: its runs are taken together, unless it is asked for.
pub(super) const MOST_VALUES: usize = 24;

/// Runs, parted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Division<'a> {
    /// What the names of the series are values of, where they do not say it.
    pub(super) legend: Option<String>,
    /// Names of the series, all different, in order: `100`.
    pub(super) names: Vec<String>,
    /// The same where no legend stands beside them: `population = 100`.
    pub(super) full: Vec<String>,
    /// At least one.
    pub(super) panels: Vec<Panel<'a>>,
    /// What was left out or taken together.
    pub(super) notes: Vec<String>,
}

/// The runs of a panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Panel<'a> {
    /// What its runs have in common; empty where there is one panel.
    pub(super) title: String,
    /// Its series, in the order of their names.
    pub(super) series: Vec<Series<'a>>,
}

/// The runs of a series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series<'a> {
    /// The place of its name.
    pub(super) name: usize,
    /// At least one, in the order of the file.
    pub(super) runs: Vec<&'a Sample>,
}

/// How runs shall be parted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    /// What tells series apart.
    pub(super) series: Vec<Key>,
    /// What tells panels apart.
    pub(super) panels: Vec<Key>,
    /// Keys of which a chart takes care by itself.
    pub(super) besides: Vec<Key>,
    /// At most so many series.
    pub(super) most: usize,
    /// With more series than this, keys go from series to panels until one is left.
    pub(super) few: usize,
}

impl Wish {
    /// Algorithms and their settings as series, all in one panel or a few.
    pub(super) fn of_settings(samples: &Samples) -> Self {
        let series = std::iter::once(Key::Algorithm).chain(settings(samples)).collect();
        Self { series, panels: Vec::new(), besides: Vec::new(), most: MOST_SERIES, few: FEW_SERIES }
    }
}

impl Division<'_> {
    /// How its series are told apart.
    pub(super) fn styles(&self, sign: Sign) -> Styles {
        Styles::new(&self.names, self.legend.as_deref(), sign, self.panels.len() > 1)
    }

    /// The same with at most so many series in a panel, if that makes no more panels than can be shown.
    pub(super) fn spread(mut self, most: usize) -> Self {
        let n = self.panels.iter().map(|panel| panel.series.len()).max().unwrap_or_default();
        let parts = n.div_ceil(most);
        if parts > 1 && self.panels.len() * parts <= MOST_PANELS {
            let spread = self.panels.iter().flat_map(|panel| {
                panel
                    .series
                    .chunks(n.div_ceil(parts))
                    .map(|series| Panel { title: panel.title.clone(), series: series.to_vec() })
            });
            self.panels = spread.collect();
        }
        self
    }
}

/// The varied settings.
pub(super) fn settings(samples: &Samples) -> impl Iterator<Item = Key> {
    (0..samples.roster.varied.len()).map(Key::Setting)
}

/// Parts the runs; `by` are the keys that were asked for, if any were.
pub(super) fn divide<'a>(samples: &'a Samples, runs: &[&'a Sample], wish: Wish, by: &[Key]) -> Division<'a> {
    let mut notes = Vec::new();
    let most = wish.most;
    let (series, panels) = keys(samples, runs, wish, by, &mut notes);
    let order = Order::of(samples, runs, &[series.as_slice(), panels.as_slice()].concat());

    let mut groups: BTreeMap<(Place, Place), Vec<&Sample>> = BTreeMap::new();
    for &run in runs {
        groups.entry((order.place(samples, &panels, run), order.place(samples, &series, run))).or_default().push(run);
    }
    let panel_places: Vec<&Place> =
        groups.keys().map(|(panel, _)| panel).collect::<BTreeSet<_>>().into_iter().collect();
    let series_places: Vec<&Place> =
        groups.keys().map(|(_, series)| series).collect::<BTreeSet<_>>().into_iter().collect();
    let title = |place: &&Place| labels::name(&samples.roster, &panels, &order.values(&panels, place));
    let titles: Vec<String> = panel_places.iter().map(title).collect();
    let found: Vec<Vec<&str>> = series_places.iter().map(|place| order.values(&series, place)).collect();
    let (legend, mut names) = named(samples, runs, &series, &found);
    let mut full = full(samples, &series, &found, &names);
    left_out(&mut notes, "curves", &full, most);
    left_out(&mut notes, "panels", &titles, MOST_PANELS);

    let title = |title| if panel_places.len() > 1 { title } else { String::new() };
    let mut parted: Vec<Panel<'_>> =
        titles.into_iter().take(MOST_PANELS).map(|text| Panel { title: title(text), series: Vec::new() }).collect();
    for ((panel, series), runs) in &groups {
        let [panel, name] = [(&panel_places, panel), (&series_places, series)]
            .map(|(places, place)| places.binary_search(&place).unwrap_or(usize::MAX));
        if name < most
            && let Some(panel) = parted.get_mut(panel)
        {
            panel.series.push(Series { name, runs: runs.clone() });
        }
    }
    parted.retain(|panel| !panel.series.is_empty());
    names.truncate(most);
    full.truncate(most);
    Division { legend, names, full, panels: parted, notes }
}

/// The places of values in their orders, one for each of some keys.
type Place = Vec<usize>;

/// The keys of series and of panels.
fn keys<'a>(
    samples: &'a Samples,
    runs: &[&'a Sample],
    mut wish: Wish,
    by: &[Key],
    notes: &mut Vec<String>,
) -> (Vec<Key>, Vec<Key>) {
    let n_values = |key: Key| distinct(samples, runs, &[key]);
    if by.is_empty() {
        for keys in [&mut wish.series, &mut wish.panels] {
            keys.retain(|&key| {
                let n = n_values(key);
                if n > MOST_VALUES {
                    let name = labels::text(samples.roster.name(key));
                    notes.push(format!("`{name}` has {n} values: runs that differ in it alone are taken together."));
                }
                (2..=MOST_VALUES).contains(&n)
            });
        }
    } else {
        wish.panels.retain(|key| by.contains(key) && !wish.besides.contains(key));
        wish.series.retain(|key| by.contains(key) && !wish.besides.contains(key));
        let more =
            by.iter().filter(|key| ![&wish.panels, &wish.series, &wish.besides].iter().any(|keys| keys.contains(key)));
        let more: Vec<Key> = more.copied().collect();
        wish.series.extend(more);
        [&mut wish.series, &mut wish.panels].into_iter().for_each(|keys| keys.retain(|&key| n_values(key) > 1));
    }
    if wish.series.is_empty() && !wish.panels.is_empty() {
        wish.series.push(wish.panels.remove(0));
    }
    while wish.series.len() > 1 && distinct(samples, runs, &wish.series) > wish.few {
        // The key with the fewest values makes the fewest panels; of equals the last.
        let fewest = (0..wish.series.len()).rev().min_by_key(|&at| n_values(wish.series[at]));
        wish.panels.push(wish.series.remove(fewest.expect("there are at least two")));
    }
    (wish.series, wish.panels)
}

/// How many combinations of the keys' values there are.
fn distinct(samples: &Samples, runs: &[&Sample], keys: &[Key]) -> usize {
    let values = |run: &&Sample| -> Vec<&str> {
        keys.iter().map(|&key| samples.roster.value(key, run.cell, run.instance)).collect()
    };
    runs.iter().map(values).collect::<BTreeSet<_>>().len()
}

/// Names of series by their values, and what they are values of.
fn named(samples: &Samples, runs: &[&Sample], keys: &[Key], found: &[Vec<&str>]) -> (Option<String>, Vec<String>) {
    let roster = &samples.roster;
    match keys {
        [] => {
            let algorithms: BTreeSet<&str> = runs.iter().map(|run| roster.cells[run.cell].algorithm.as_str()).collect();
            let only = algorithms.first().filter(|_| algorithms.len() == 1);
            (None, vec![only.map_or_else(|| Selector::default().label(), |name| labels::text(name))])
        }
        [key] => {
            let legend = (*key != Key::Algorithm).then(|| labels::text(roster.name(*key)));
            (legend, labels::values(&found.iter().map(|values| values[0]).collect::<Vec<_>>()))
        }
        keys => {
            let legend = keys.iter().map(|&key| labels::text(roster.name(key))).collect::<Vec<_>>().join(", ");
            let name = |values: &Vec<&str>| {
                let there = values.iter().filter(|value| !value.is_empty());
                there.map(|value| labels::value(value)).collect::<Vec<_>>().join(", ")
            };
            (Some(legend), labels::distinct(found.iter().map(name).collect()))
        }
    }
}

/// The names with the keys of their values.
fn full(samples: &Samples, keys: &[Key], found: &[Vec<&str>], names: &[String]) -> Vec<String> {
    if keys.is_empty() {
        return names.to_vec();
    }
    labels::distinct(found.iter().map(|values| labels::name(&samples.roster, keys, values)).collect())
}

/// Says what was left out where there were more than `most`.
fn left_out(notes: &mut Vec<String>, what: &str, names: &[String], most: usize) {
    if names.len() > most {
        notes.push(format!("{most} of {} {what} are shown; left out: {}.", names.len(), labels::few(&names[most..])));
    }
}

/// The values of keys in order: as numbers where all are, else as they come.
struct Order<'a> {
    values: BTreeMap<Key, Vec<&'a str>>,
    places: BTreeMap<Key, BTreeMap<&'a str, usize>>,
}

impl<'a> Order<'a> {
    fn of(samples: &'a Samples, runs: &[&'a Sample], keys: &[Key]) -> Self {
        let mut order = Self { values: BTreeMap::new(), places: BTreeMap::new() };
        for &key in keys {
            let values = ordered(samples, runs, key);
            order.places.insert(key, values.iter().enumerate().map(|(place, &value)| (value, place)).collect());
            order.values.insert(key, values);
        }
        order
    }

    fn place(&self, samples: &'a Samples, keys: &[Key], run: &Sample) -> Place {
        keys.iter().map(|key| self.places[key][samples.roster.value(*key, run.cell, run.instance)]).collect()
    }

    fn values(&self, keys: &[Key], place: &[usize]) -> Vec<&'a str> {
        keys.iter().zip(place).map(|(key, &place)| self.values[key][place]).collect()
    }
}

/// The values that runs have for a key, in order: as numbers where all are, else as they come.
pub(super) fn ordered<'a>(samples: &'a Samples, runs: &[&'a Sample], key: Key) -> Vec<&'a str> {
    let (mut values, mut known) = (Vec::new(), BTreeSet::new());
    for run in runs {
        let value = samples.roster.value(key, run.cell, run.instance);
        if known.insert(value) {
            values.push(value);
        }
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    let Some(numbers) = numbers else { return values };
    let mut numbered: Vec<(f64, &str)> = numbers.into_iter().zip(values).collect();
    numbered.sort_by(|a, b| a.0.total_cmp(&b.0));
    numbered.into_iter().map(|(_, value)| value).collect()
}

//! The chart of quality against time. Configurations that no other configuration beats in both quality and time form the front.

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, Drawing, Filling, GroupValue, HEIGHT, LegendSymbol, MOST_IN_PANEL, NO_MEAN,
    ONE_CONFIGURATION, Remarks, Styles, has_several_families, labels, most_panels, named, ordered, quality, refused,
    rounded, thinned,
};
use crate::metric::Metric;
use crate::samples::{Key, Sample, Samples};

/// The name of configurations that are not on the front.
const OTHERS: &str = "others";

/// The maximum number of other configurations in a panel.
const MOST_OTHERS: usize = 500;

/// A configuration in a panel.
struct Standing {
    name: String,
    time: f64,
    value: f64,
    runs: usize,
    is_on_front: bool,
}

/// The chart of the mean quality of each configuration against the mean time.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let (samples, all) = (input.samples, input.runs());
    let value = GroupValue::new(input, input.metric)?;
    let is_cpu = all.iter().all(|run| run.outcome.has_failed() || run.outcome.cpu_ms.is_some());
    let time = if is_cpu { Metric::CpuMs } else { Metric::WallMs };
    input.need(time.declaration().column)?;
    let n_values = |key: Key| ordered(samples, &all, key).len();
    let keys: Vec<Key> = samples.roster.configuration_keys().filter(|&key| n_values(key) > 1).collect();
    if keys.is_empty() {
        return Err(refused(ONE_CONFIGURATION));
    }
    let buckets = ordered(samples, &all, Key::Bucket);
    let most_panels = most_panels(input.columns);
    let parted = if buckets.len() <= most_panels { Key::Bucket } else { Key::Problem };
    let panels = if parted == Key::Bucket || has_several_families(samples) { vec![parted] } else { Vec::new() };
    let grouped = samples.grouped_by(&panels, all.iter().map(|&run| (run, run)));
    let (mut found, mut valueless): (Vec<(String, Vec<Standing>)>, usize) = Default::default();
    for (values, runs) in grouped.into_iter().take(most_panels) {
        let (standings, lacking) = standings(samples, &value, time, &keys, &runs);
        valueless += lacking;
        if standings.iter().any(|one| one.is_on_front) {
            let is_titled = panels.iter().any(|&key| n_values(key) > 1);
            found.push((
                if is_titled { labels::name(&samples.roster, &panels, &values) } else { String::new() },
                standings,
            ));
        }
    }
    if found.is_empty() {
        return Err(refused(NO_MEAN));
    }
    let mut names: Vec<String> = Vec::new();
    for one in found.iter().flat_map(|(_, standings)| standings).filter(|one| one.is_on_front) {
        if !names.contains(&one.name) {
            names.push(one.name.clone());
        }
    }
    let is_named = names.len() <= MOST_IN_PANEL;
    let legend = named(samples, &all, &keys, &[]).0;
    let points = || found.iter().flat_map(|(_, standings)| standings);
    let x =
        Axis::log(&format!("mean {} of a run", time.work_title()), points().map(|one| one.time), time.work_format());
    let values: Vec<f64> = points().map(|one| one.value).collect();
    let y = if value.metric == Metric::Solved {
        let ticks = vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0];
        Axis { ticks, ..Axis::linear(&value.title(), [0.0, 100.0], ",.6~g") }
    } else {
        quality::axis(&value.title(), &values, values.iter().copied())
    };
    let styles = Styles::new(
        if is_named { &names } else { &[] },
        legend.as_deref(),
        LegendSymbol::Marker,
        input.columns.min(found.len()),
    );
    let drawings = found.iter().map(|(title, standings)| drawing(title, standings, [&x, &y], &styles));
    let drawings: Vec<Drawing> = drawings.collect();
    let beaten = points().filter(|one| !one.is_on_front).count();
    let left_out = found.iter().map(|(_, all)| all.iter().filter(|one| !one.is_on_front).count());
    let left_out: usize = left_out.map(|others| others.saturating_sub(MOST_OTHERS)).sum();
    let mut notes = vec![format!(
        "Each point is a configuration. The horizontal axis shows the mean {} of a configuration, without failed runs. \
         The vertical axis shows the {}. A line joins the points of the front. A configuration beats another configuration if it is better on one axis and not worse on the other axis. The front consists of the configurations that no other configuration beats. The runs that are shown were also used to find the front. Therefore the front may look too good.",
        time.work_title(),
        value.title()
    )];
    notes.extend(
        (beaten > 0).then(|| {
            format!("Small grey points show the configurations that are not on the front. The number of these configurations is {beaten}.")
        }),
    );
    notes.extend((left_out > 0).then(|| format!("{left_out} small grey points are left out.")));
    notes.push(format!("Configurations on a front: {}.", labels::few(&names)));
    let without =
        "A configuration has no point if one of its runs has no solution, or if all its runs failed. Missing points";
    let caveats = (valueless > 0).then(|| format!("{without}: {valueless}.")).into_iter().collect();
    let remarks = Remarks { notes, caveats };
    Ok(Content::new("Quality against time", drawings, remarks))
}

/// The configurations with a finite value, ordered by time, and the number of configurations without a finite value.
fn standings(
    samples: &Samples,
    value: &GroupValue<'_>,
    time: Metric,
    keys: &[Key],
    runs: &[&Sample],
) -> (Vec<Standing>, usize) {
    let groups = samples.grouped_by(keys, runs.iter().map(|&run| (run, run))).into_iter();
    let standing = |(values, runs): (Vec<&str>, Vec<&Sample>)| {
        let ended: Vec<&&Sample> = runs.iter().filter(|run| !run.outcome.has_failed()).collect();
        let spent = ended.iter().map(|run| time.spent(run) as f64).sum::<f64>() / ended.len() as f64;
        let value = value.of(&runs).filter(|value| value.is_finite() && spent.is_finite())?;
        let name = labels::distinct(named(samples, &runs, keys, &[values]).1).remove(0);
        Some(Standing { name, time: time.work_cost(spent), value, runs: runs.len(), is_on_front: false })
    };
    let n = groups.len();
    let mut standings: Vec<Standing> = groups.filter_map(standing).collect();
    let lacking = n - standings.len();
    let cost = |one: &Standing| value.direction().cost(one.value);
    standings.sort_by(|one, other| one.time.total_cmp(&other.time).then(cost(one).total_cmp(&cost(other))));
    let mut least = f64::INFINITY;
    for one in &mut standings {
        one.is_on_front = cost(one) < least;
        least = least.min(cost(one));
    }
    (standings, lacking)
}

fn drawing(title: &str, standings: &[Standing], [x, y]: [&Axis; 2], styles: &Styles) -> Drawing {
    let row = |one: &Standing| {
        json!({
            "series": if one.is_on_front { &one.name } else { OTHERS },
            "name": one.name, "x": x.place(one.time), "y": y.place(one.value),
            "time": rounded(one.time), "value": rounded(one.value), "runs": one.runs,
        })
    };
    let (front, others): (Vec<&Standing>, Vec<&Standing>) = standings.iter().partition(|one| one.is_on_front);
    let others: Vec<Value> = thinned(&others, MOST_OTHERS).into_iter().map(row).collect();
    let values = [("others", json!(others))];
    let filling = Filling { axes: [Some(x), Some(y)], styles: Some(styles), values: &values };
    filling.drawing("front", title, HEIGHT, front.into_iter().map(row).collect())
}

//! The scaling chart: the cost of solving against the size of instances, with a fitted power law.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::charts::{
    Axis, ChartError, ChartInput, Content, DivisionPlan, Filling, HEIGHT, LegendSymbol, Panel, Series, Styles, divide,
    labels, refused, rounded,
};
use crate::samples::{Key, Sample, Samples};
use evogrid_statistics::{PowerLaw, ert, power_law};

/// The minimum number of different sizes for the fit of a power law.
const LEAST_SIZES: usize = 3;

/// The maximum number of series in a panel. Readers cannot distinguish the lines and points of more series.
const MOST_SERIES: usize = 7;

/// The expected costs on the instances, and the power law that is fitted to these costs.
struct Growth {
    name: String,
    /// The size and the cost of each instance that is solved in at least one run.
    costs: Vec<(usize, f64, f64)>,
    law: Option<PowerLaw>,
    /// The number of instances without a solved run.
    unsolved: usize,
}

/// The chart of the expected cost against the size.
pub(crate) fn chart(input: &ChartInput<'_>) -> Result<Content, ChartError> {
    let samples = input.samples;
    input.check_solved()?;
    let size = |run: &Sample| samples.sizes.get(run.instance()).copied().flatten().filter(|&size| size > 0.0);
    let runs: Vec<&Sample> = input.runs().into_iter().filter(|run| size(run).is_some()).collect();
    if runs.is_empty() {
        let reason = "the sizes of the instances are unknown; expected a results folder with a manifest.json";
        return Err(refused(reason));
    }
    let plan = DivisionPlan { most_series: MOST_SERIES, few_series: usize::MAX, ..DivisionPlan::by_settings(samples) };
    let mut division = divide(input, runs, plan);
    let growth = |series: &Series<'_>| {
        let mut instances: BTreeMap<usize, Vec<(u64, bool)>> = BTreeMap::new();
        for run in &series.runs {
            instances.entry(run.instance()).or_default().push((input.unit.spent(run), run.outcome.is_solved()));
        }
        let n = instances.len();
        let costs: Vec<(usize, f64, f64)> = instances
            .into_iter()
            .filter_map(|(at, runs)| Some((at, samples.sizes[at]?, input.unit.work_cost(ert(&runs)?))))
            .collect();
        let mut sizes: Vec<u64> = costs.iter().map(|(_, size, _)| size.to_bits()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let points: Vec<(f64, f64)> = costs.iter().map(|&(_, size, cost)| (size, cost)).collect();
        let law = power_law(&points).filter(|_| sizes.len() >= LEAST_SIZES);
        Growth { name: division.names[series.name].clone(), unsolved: n - costs.len(), costs, law }
    };
    let found: Vec<Vec<Growth>> =
        division.panels.iter().map(|panel| panel.series.iter().map(growth).collect()).collect();
    let all = || found.iter().flatten();
    if all().all(|growth| growth.law.is_none()) {
        return Err(refused(format!("no configuration solves instances of at least {LEAST_SIZES} different sizes")));
    }
    let points = || all().flat_map(|growth| growth.costs.iter().copied());
    let mut x = Axis::log("instance size", points().map(|(_, size, _)| size), ",.6~g");
    x.title.extend(labels::lines(&laws(&found, &division.panels)));
    let y = Axis::log(
        &format!("expected {}", input.work_title()),
        points().map(|(.., cost)| cost),
        input.unit.work_format(),
    );
    let styles = Styles::new(&division.names, division.legend.as_deref(), LegendSymbol::Marker, 1);
    // The lines of each panel follow below.
    let lines = [("lines", Value::Null)];
    let mut drawings = division.drawings("scaling", LegendSymbol::Marker, [&x, &y], &lines, |_, _| Vec::new());
    for (drawing, own) in drawings.iter_mut().zip(&found) {
        let values = [("lines", own.iter().flat_map(|growth| line(growth, &x)).collect())];
        let filling = Filling { axes: [None, Some(&y)], styles: Some(&styles), values: &values };
        drawing.layers = filling.drawing("scaling", "", HEIGHT, Vec::new()).layers;
        drawing.rows = own.iter().flat_map(|growth| rows(growth, samples, &x, &y)).collect();
    }
    let unsolved: usize = all().map(|growth| growth.unsolved).sum();
    if unsolved > 0 {
        let caveat = "If no run of a configuration solved an instance, the configuration has no point for this instance, and its fit ignores this instance. Therefore the exponents may be too small. Missing points";
        division.remarks.caveats.push(format!("{caveat}: {unsolved}."));
    }
    let notes = [
        format!(
            "Each point is an instance. The cost of an instance is the {} of all runs, divided by the number of solved runs (ERT). The size of an instance is the first size that the family declares, such as the number of cities, jobs or rows.",
            input.work_title()
        ),
        "Each line shows a power law. The line is a least-squares fit to the logarithms of size and cost. Intervals of \
         exponents (95 %) use Student's t distribution over the instances."
            .to_owned(),
    ];
    let remarks = division.remarks.after(notes.into_iter().chain(input.unit_note()));
    Ok(Content::new("Cost by instance size", drawings, remarks))
}

/// A sentence with the exponents of the power laws.
fn laws(found: &[Vec<Growth>], panels: &[Panel<'_>]) -> String {
    let text = |(growth, title): (&Growth, &str)| {
        let law = growth.law?;
        let interval = law.interval.map(|one| format!(" ({:.2} to {:.2})", one.low, one.high)).unwrap_or_default();
        let name = format!("{title} {}", growth.name);
        Some(format!("{}: size^{:.2}{interval} of {}", name.trim_start(), law.exponent, law.points))
    };
    let own = found.iter().zip(panels);
    let all = own.flat_map(|(panel, own)| panel.iter().map(|growth| (growth, own.title.as_str())));
    all.filter_map(text).collect::<Vec<_>>().join(", ")
}

fn rows(growth: &Growth, samples: &Samples, x: &Axis, y: &Axis) -> Vec<Value> {
    let row = |&(instance, size, cost): &(usize, f64, f64)| {
        json!({
            "series": growth.name, "x": x.place(size), "y": y.place(cost), "cost": rounded(cost),
            "instance": labels::text(samples.roster.value(Key::Instance, 0, instance)),
        })
    };
    growth.costs.iter().map(row).collect()
}

/// The two ends of the line of a power law.
fn line(growth: &Growth, x: &Axis) -> Vec<Value> {
    let sizes = growth.costs.iter().map(|(_, size, _)| *size);
    let ends = [sizes.clone().fold(f64::INFINITY, f64::min), sizes.fold(0.0, f64::max)];
    let at = |law: PowerLaw, size: f64| {
        json!({
            "series": growth.name, "x": x.place(size), "y": rounded(law.factor * size.powf(law.exponent)),
            "exponent": rounded(law.exponent),
        })
    };
    growth.law.into_iter().flat_map(|law| ends.map(|size| at(law, size))).collect()
}

//! The charts of a report. Each specification is stored once, even if several views show the chart.

use std::collections::BTreeMap;

use crate::messages::program;
use evogrid_analysis::charts::{ChartError, ChartInput, ChartKind, survey};
use evogrid_analysis::samples::{Key, Samples};
use serde_json::{Value, json};

/// The largest specification of a chart, in bytes. Only `runner plot` draws larger charts.
pub(super) const LARGEST: usize = 400_000;

/// The largest size of all specifications, in bytes. With this limit, the page with the program that draws the charts stays below three
/// megabytes.
const MOST_BYTES: usize = 800_000;

/// The charts of all views.
#[derive(Default)]
pub(super) struct ChartPool {
    /// The data of each chart.
    pub(super) charts: Vec<Value>,
    numbers: BTreeMap<String, usize>,
    bytes: usize,
}

impl ChartPool {
    /// Adds all charts of some runs. Returns the numbers of these charts, and the reasons why other charts cannot be made.
    pub(super) fn add(&mut self, input: &ChartInput<'_>) -> (Vec<usize>, Vec<[String; 2]>) {
        let (mut numbers, mut refused) = (Vec::new(), Vec::new());
        for (kind, chart) in survey(input) {
            let added = chart.map_err(|error| match error {
                ChartError::TooLarge => too_large(),
                error => error.to_string(),
            });
            let added = added.and_then(|chart| {
                let data = json!({
                    "name": kind.text(),
                    "title": chart.title,
                    "doc": kind.doc(),
                    "caveats": chart.caveats,
                    "notes": chart.notes,
                    "spec": chart.spec,
                });
                self.number(data).ok_or_else(too_large)
            });
            match added {
                Ok(number) => numbers.push(number),
                Err(reason) => refused.push([kind.text().to_owned(), reason]),
            }
        }
        (numbers, refused)
    }

    /// The number of a chart; `None` if there is no room for the chart.
    fn number(&mut self, data: Value) -> Option<usize> {
        let text = data.to_string();
        if let Some(&number) = self.numbers.get(&text) {
            return Some(number);
        }
        if text.len() > LARGEST || self.bytes + text.len() > MOST_BYTES {
            return None;
        }
        self.bytes += text.len();
        self.numbers.insert(text, self.charts.len());
        self.charts.push(data);
        Some(self.charts.len() - 1)
    }

    /// The chart beside the answer: the first chart that suits the design.
    pub(super) fn main_figure(&self, charts: &[usize], samples: &Samples, configurations: usize) -> Option<usize> {
        use ChartKind::{
            BucketHeatmap, Cost, Ecdf, Gap, GapDistribution, Heatmap, Importance, Interactions, MainEffects, Phase,
            Ranks, Scatter, Success,
        };
        let roster = &samples.roster;
        let varied = (0..roster.varied.len()).filter(|&at| roster.values(Key::Setting(at)).len() > 1).count();
        let suitable: &[ChartKind] = match (configurations, varied) {
            (1, _) => &[GapDistribution, Phase, Ecdf, Cost, Gap],
            (_, 0) if configurations == 2 => &[GapDistribution, Ecdf, Scatter, Gap],
            (_, 0) => &[BucketHeatmap, Gap, Ecdf, Ranks],
            (_, 1) => &[Success, Gap],
            (_, 2) => &[Heatmap, Interactions, MainEffects],
            _ => &[MainEffects, Importance, Ranks],
        };
        let of_kind = |&kind: &ChartKind| charts.iter().copied().find(|&at| self.charts[at]["name"] == kind.text());
        suitable.iter().find_map(of_kind).or_else(|| charts.first().copied())
    }
}

fn too_large() -> String {
    format!("the data of this chart are too large for the page; use `{} plot`", program::name())
}

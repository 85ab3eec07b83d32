//! The cells of a watched experiment: their names, and which of them a record is of.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use evogrid_results::Record;
use evogrid_results::record::RecordedSettings;
use serde_json::Value;

use crate::plan::{Plan, recorded};

/// What is recorded of a target that stands for a gap: it differs from instance to instance.
const TARGET: &str = "budget.target";

/// The cells of a plan. What it holds grows with them, and not with their runs.
pub(crate) struct CellTable {
    names: Vec<CellName>,
    /// The hash of what is recorded of a cell's settings, and its number; sorted.
    by_settings: Vec<(u64, u32)>,
}

/// What a cell is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellName {
    /// The algorithm.
    pub algorithm: String,
    /// What is varied: `population, mutation`; empty where nothing is.
    pub paths: String,
    /// The values of these: `100, swap`.
    pub values: String,
    /// Both: `population = 100, mutation = swap`.
    pub varied: String,
}

impl CellTable {
    /// The cells of a plan.
    pub(crate) fn new(plan: &Plan) -> Self {
        let (mut names, mut by_settings) = (Vec::new(), Vec::new());
        for (number, cell) in plan.cells().enumerate() {
            for projection in &cell.projections {
                let settings = recorded(&projection.on(None), plan.catalogue());
                by_settings.push((hash(&settings), number as u32));
            }
            let varied = plan.varied().iter().zip(&cell.varied).filter(|(_, value)| !value.is_empty());
            let varied: Vec<(&String, &String)> = varied.collect();
            let joined =
                |text: fn(&(&String, &String)) -> String| varied.iter().map(text).collect::<Vec<_>>().join(", ");
            names.push(CellName {
                paths: joined(|(path, _)| (*path).clone()),
                values: joined(|(_, value)| (*value).clone()),
                varied: joined(|(path, value)| format!("{path} = {value}")),
                algorithm: cell.algorithm,
            });
        }
        by_settings.sort_unstable();
        by_settings.dedup();
        Self { names, by_settings }
    }

    /// Their names, by their numbers.
    pub(crate) fn names(&self) -> &[CellName] {
        &self.names
    }

    /// The kind of runs with the settings of this record; `None` if no cell has them.
    pub(crate) fn kind(&self, record: &Record) -> Option<usize> {
        self.kind_of(&record.settings).or_else(|| {
            let settings: RecordedSettings = record
                .settings
                .iter()
                .filter(|(path, _)| *path != TARGET)
                .map(|(path, value)| (path.clone(), value.clone()))
                .collect();
            self.kind_of(&settings)
        })
    }

    fn kind_of(&self, settings: &BTreeMap<String, Value>) -> Option<usize> {
        let hash = hash(settings);
        let first = self.by_settings.partition_point(|&(other, _)| other < hash);
        self.by_settings.get(first).is_some_and(|&(found, _)| found == hash).then_some(first)
    }

    /// The cells of a [kind](Self::kind) of runs: several where algorithms have a cell in common.
    pub(crate) fn of_kind(&self, kind: usize) -> impl Iterator<Item = usize> {
        let hash = self.by_settings[kind].0;
        self.by_settings[kind..].iter().take_while(move |(other, _)| *other == hash).map(|&(_, cell)| cell as usize)
    }
}

/// Of settings as they are recorded. It is compared within one process only.
fn hash(settings: &BTreeMap<String, Value>) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(settings).expect("settings are values of JSON").hash(&mut hasher);
    hasher.finish()
}

impl CellName {
    /// The name in one text.
    pub(crate) fn text(&self) -> String {
        let separator = if self.varied.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.algorithm, self.varied)
    }
}

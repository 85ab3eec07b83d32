//! The types of varied settings: the common type of all their values.

use evogrid_core::settings::{Settings, Value};
use evogrid_results::metadata::ColumnType;

use super::Plan;
use crate::experiment::spec::ResolvedAlgorithm;

/// The type of a varied setting's values in an experiment. The type also fits the values in configurations that have no runs.
#[derive(Clone, Copy, Debug)]
pub struct VariedType<'v> {
    /// The dotted path of the setting.
    pub path: &'v str,
    /// The type that fits all values of the setting, both written values and filled-in defaults.
    pub column: ColumnType,
    /// Whether some values may be fractions. If some values may be fractions, tables show all values of the setting with a decimal point.
    pub may_be_fraction: bool,
}

impl Plan {
    /// The types of the values of the [varied](Self::varied) settings.
    pub fn varied_types<'p>(&'p self) -> Vec<VariedType<'p>> {
        let algorithms = || self.spec.algorithms.iter().map(ResolvedAlgorithm::spec);
        let first = algorithms().filter_map(|algorithm| Some(self.first_configuration(&algorithm.name)?.settings));
        let first: Vec<Settings> = first.collect();
        let of_setting = |path: &'p String| {
            let axes = algorithms().flat_map(|algorithm| &algorithm.axes);
            let written = axes.flat_map(|axis| {
                let at = axis.paths.iter().position(|varied| varied == path);
                axis.points.iter().filter_map(move |point| point.get(at?))
            });
            let resolved = || first.iter().filter_map(|settings| settings.at(path)).map(type_of);
            let designs = algorithms().flat_map(|algorithm| &algorithm.designs);
            let dimensions = designs.flat_map(|design| &design.space.dimensions);
            let designed = dimensions.filter(|dimension| dimension.path == *path);
            let designed: Vec<Value> = designed.flat_map(|dimension| dimension.values.listed()).collect();
            let designed = || designed.iter().map(type_of);
            let may_be_fraction = designed().chain(resolved()).any(|column| column == ColumnType::Real);
            let types = written.map(type_of).chain(resolved()).chain(designed());
            let column = types.reduce(ColumnType::with).unwrap_or(ColumnType::Text);
            VariedType { path, column, may_be_fraction }
        };
        self.varied.iter().map(of_setting).collect()
    }
}

fn type_of(value: &Value) -> ColumnType {
    match value {
        Value::Flag(_) => ColumnType::Truth,
        Value::Integer(_) => ColumnType::Whole,
        Value::Real(_) => ColumnType::Real,
        Value::Text(_) | Value::Table(_) => ColumnType::Text,
    }
}

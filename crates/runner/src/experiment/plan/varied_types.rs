//! The types of varied settings: of their values in all configurations of an experiment.

use evogrid_core::settings::{Settings, Value};
use evogrid_results::metadata::ColumnType;

use crate::experiment::space::Values;
use crate::experiment::spec::{ResolvedAlgorithm, Spec};

/// The type of the values of a varied setting over all configurations of an experiment, including those without runs.
#[derive(Clone, Copy, Debug)]
pub struct VariedType<'v> {
    /// Its dotted path.
    pub path: &'v str,
    /// The common type of all values, both as written and as resolved.
    pub column: ColumnType,
    /// Whether some values may be fractions; then all are written with a decimal point.
    pub may_be_fraction: bool,
}

/// The types of the varied settings of an experiment, whose algorithms have these settings in their first configurations.
pub(super) fn varied_types<'v>(
    spec: &Spec,
    first_configurations: &[Settings],
    varied: &'v [String],
) -> Vec<VariedType<'v>> {
    let algorithms = || spec.algorithms.iter().map(ResolvedAlgorithm::spec);
    let axes = || algorithms().flat_map(|algorithm| &algorithm.axes);
    let parts = || algorithms().flat_map(|algorithm| algorithm.designs.parts());
    let of_setting = |path: &'v String| {
        let written = axes().flat_map(|axis| {
            let at = axis.paths.iter().position(|varied| varied == path);
            axis.points.iter().filter_map(move |point| point.get(at?))
        });
        let resolved = || first_configurations.iter().filter_map(|settings| settings.at(path));
        let types = written.chain(resolved()).map(type_of);
        let dimensions = parts().flat_map(|part| &part.design().space.dimensions).filter(|own| own.path == *path);
        let designed: Vec<ColumnType> = dimensions.flat_map(|dimension| types_of(&dimension.values)).collect();
        VariedType {
            path,
            may_be_fraction: designed.contains(&ColumnType::Real)
                || resolved().any(|value| matches!(value, Value::Real(_))),
            column: types.chain(designed).reduce(ColumnType::with).unwrap_or(ColumnType::Text),
        }
    };
    varied.iter().map(of_setting).collect()
}

fn types_of(values: &Values) -> Vec<ColumnType> {
    match values {
        Values::Choices(values) => values.iter().map(type_of).collect(),
        Values::Whole { .. } => vec![ColumnType::Whole],
        Values::Real { .. } => vec![ColumnType::Real],
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

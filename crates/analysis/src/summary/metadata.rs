//! The metadata of `runs.csv` and `summary.csv`: types and descriptions of the columns.

use std::io::{self, Write};

use evogrid_results::metadata::{self, ColumnDescription, ColumnType};

use super::{COUNTS, FIGURES, RATE};

/// The columns of a summary that contain whole numbers.
pub(super) const WHOLE: [&str; 6] = ["runs", "solved", "failed", "instances", "judged", "instances_never_solved"];

/// Writes the metadata of a `runs.csv` and of its summary as one JSON object. `varied` contains the paths of the varied settings, and the
/// types of their values.
///
/// # Errors
/// Returns an error if writing to `output` fails.
pub fn write(output: impl Write, varied: &[(&str, ColumnType)]) -> io::Result<()> {
    let settings = varied.iter().map(|&(path, kind)| ColumnDescription::new(path, kind, ""));
    let figures = FIGURES.iter().filter(|figure| figure.is_column()).map(|figure| (figure.name, figure.doc));
    let numbers = RATE.iter().copied().chain(figures).chain(COUNTS.iter().copied()).map(|(name, doc)| {
        let kind = if WHOLE.contains(&name) { ColumnType::Whole } else { ColumnType::Real };
        ColumnDescription::new(name, kind, doc)
    });
    let text = |name, doc| std::iter::once(ColumnDescription::new(name, ColumnType::Text, doc));
    let algorithm = text("algorithm", "the name of the algorithm in the experiment");
    let bucket = text("bucket", "the difficulty bucket of the instances, or `all`");
    let columns = algorithm.chain(settings).chain(bucket).chain(numbers).collect();
    metadata::write(output, vec![("runs.csv", metadata::of_runs(varied, &[])), ("summary.csv", columns)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_type() {
        let varied = [
            ("population", ColumnType::Whole),
            ("fitness", ColumnType::Text),
            ("sure", ColumnType::Truth),
            ("rate", ColumnType::Real),
        ];
        let mut json = Vec::new();
        write(&mut json, &varied).expect("memory");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let types = |table: usize| {
            let columns = json["tables"][table]["tableSchema"]["columns"].as_array().expect("columns").iter();
            let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
            let named =
                |column: &serde_json::Value| format!("{} {}", text(&column["titles"]), text(&column["datatype"]));
            columns.map(named).collect::<Vec<_>>().join(", ")
        };
        insta::assert_snapshot!(types(0), @"run integer, run_id string, algorithm string, population integer, setting.fitness string, sure boolean, rate double, problem string, instance string, bucket string, repetition integer, seed integer, solved boolean, objective double, best_known double, gap double, fitness string, best_fitness double, unit string, evaluations integer, generations integer, restarts integer, evaluations_to_best integer, stop string, wall_ms double, cpu_ms double");
        insta::assert_snapshot!(types(1), @"algorithm string, population integer, fitness string, sure boolean, rate double, bucket string, runs integer, solved integer, success_rate double, success_low double, success_high double, success_low_here double, success_high_here double, mean_ms_solved double, mean_generations_solved double, mean_generations double, mean_ms_unsolved double, mean_cpu_ms double, median_evaluations_solved double, ert_evaluations double, par10_ms double, mean_best_fitness double, mean_objective double, median_objective double, best_objective double, median_gap double, mean_gap double, gap_low double, gap_high double, best_gap double, mean_generations_to_best double, par2_ms double, instances_never_solved integer, median_instance_ert double, mean_gap_low double, mean_gap_high double, failed integer, instances integer, effective_runs double, judged integer");
    }
}

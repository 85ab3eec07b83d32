//! Warnings: facts that a reader must know before trusting the results. Tables, comparisons and the report show the same warnings.

use std::collections::BTreeMap;

use evogrid_analysis::metric::{FEW_RUNS, reported_objectives};
use evogrid_analysis::summary::{ALL_BUCKETS, Figure, Summary, SummaryRow};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Direction;
use evogrid_results::format::{capital, printable, shortest};
use evogrid_runner::experiment::limits;
use evogrid_runner::experiment::manifest_form::limits_of_algorithms;
use serde_json::{Value, json};

use super::template::rendered;

/// The warning about failed runs names at most this many configurations.
const MOST_NAMED: usize = 3;

/// All warnings, the most important first.
pub(crate) fn warnings(summary: &Summary, manifest: Option<&Value>, catalogue: &Catalogue) -> Vec<String> {
    let empty = Value::Null;
    let facts = manifest.unwrap_or(&empty);
    let number = |path: &str| facts.pointer(path).and_then(Value::as_u64);
    let failing = || summary.rows.iter().filter(|row| row.bucket == ALL_BUCKETS && row.figures.failed > 0);
    let name = |row: &SummaryRow| {
        format!("{} of {} of {}", row.figures.failed, row.figures.runs, printable(&configuration(row)))
    };
    let others = failing().count().saturating_sub(MOST_NAMED);
    let others = (others > 0).then(|| format!("{others} other configurations"));
    let of_buckets = || summary.rows.iter().filter(|row| row.bucket != ALL_BUCKETS);
    let mut sizes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in of_buckets() {
        let size = sizes.entry(&row.bucket).or_insert((u64::MAX, 0));
        *size = (size.0.min(row.figures.runs), size.1.max(row.figures.runs));
    }
    let unequal = sizes.into_iter().filter(|(_, (fewest, most))| fewest != most);
    let direction = summary.direction();
    let unmarked = |fitness: &String| match direction {
        Some(_) => Direction::of_marked(fitness).1.to_owned(),
        None => fitness.clone(),
    };
    let beating = of_buckets().filter_map(|row| Some((row, row.figures[Figure::BestGap].filter(|&gap| gap < 0.0)?)));
    let beating = beating.min_by(|(_, one), (_, other)| one.total_cmp(other));
    let values = json!({
        "n_failed": failing().map(|row| row.figures.failed).sum::<u64>(),
        "failures": failing().take(MOST_NAMED).map(name).chain(others).collect::<Vec<_>>(),
        "is_race": facts.pointer("/experiment/schedule").is_some(),
        "planned": manifest.map(|_| number("/runs/planned").unwrap_or(0)),
        "present": number("/runs/present"),
        "n_left_out": number("/experiment/instances_left_out"),
        "has_unused": facts["all_instances_used"] == false,
        "depends_on_speed": facts["depends_on_speed"] == true,
        "is_dirty": facts["repository"]["dirty"] == true,
        "limits": of_limits(manifest, catalogue),
        "units": summary.units,
        "optimised": direction.map_or("optimised", Direction::participle),
        "fitnesses": summary.fitnesses.iter().map(unmarked).collect::<Vec<_>>(),
        "reported": reported_objectives(&summary.fitnesses),
        "beaten": beating.map(|(_, gap)| shortest(Some((-gap * 1e4).ceil() / 1e4))),
        "beating": beating.map(|(row, _)| match row.bucket.as_str() {
            "" => configuration(row),
            bucket => format!("{} at {bucket}", configuration(row)),
        }),
        "n_stopped_early": summary.stopped_above_best_known,
        "unequal": unequal.map(|(bucket, (fewest, most))| json!([bucket, fewest, most])).collect::<Vec<_>>(),
        "n_few": of_buckets().filter(|row| row.figures.runs < FEW_RUNS).count(),
        "few_runs": FEW_RUNS,
        "figures": if summary.rows.iter().any(|row| row.figures.judged > 0) { "rates" } else { "means" },
    });
    rendered!("warnings/warnings.txt", values).lines().map(str::to_owned).collect()
}

/// Warnings about the limits of an experiment's algorithms, if they differ or allow unequal work.
pub(crate) fn of_limits(manifest: Option<&Value>, catalogue: &Catalogue) -> Vec<String> {
    let algorithms = manifest.map(|manifest| &manifest["experiment"]["algorithms"]);
    let limits = algorithms.map(|algorithms| limits_of_algorithms(algorithms, catalogue)).unwrap_or_default();
    limits::notes(&limits).iter().map(|note| capital(note)).collect()
}

/// The name of a configuration: its algorithm and its values of the varied settings.
fn configuration(row: &SummaryRow) -> String {
    let values = std::iter::once(&row.algorithm).chain(&row.varied).filter(|value| !value.is_empty());
    values.map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use evogrid_results::runs::Reader;

    use super::*;

    #[test]
    fn settings_are_named_without_the_values_that_they_do_not_have() {
        let csv = "algorithm,rate,instance,gap,stop\nils,,x,-2.5,time\nga,0.1,x,3,failed\nils,,y,1,failed\n";
        let reader = Reader::new("runs.csv", csv.as_bytes()).expect("columns");
        let summary = Summary::from_runs(reader).expect("rows");
        let told = warnings(&summary, None, &Catalogue::default());
        insta::assert_snapshot!(told[1], @"A run found a better value than the best known one, by 2.5 % (ils): if that value is optimal, it or the objective is wrong.");
        insta::assert_snapshot!(told[0], @"2 runs failed (1 of 2 of ils; 1 of 1 of ga, 0.1): they count as unsolved, and are left out of means, expected work and PAR10.");
    }

    #[test]
    fn different_fitness_functions_are_named_with_their_direction() {
        let said = |fitnesses: [&str; 2]| {
            let [one, other] = fitnesses;
            let csv = format!("algorithm,instance,objective,fitness\na,x,1,{one}\na,y,2,{other}\n");
            let reader = Reader::new("runs.csv", csv.as_bytes()).expect("columns");
            let summary = Summary::from_runs(reader).expect("rows");
            warnings(&summary, None, &Catalogue::default()).remove(0)
        };
        let lasts =
            [said(["cost", "length"]), said(["a (maximised)", "b (maximised)"]), said(["cost", "b (maximised)"])];
        insta::assert_snapshot!(lasts.join("\n"), @"
        Runs minimised different fitness functions (cost, length): do not compare their best fitness.
        Runs maximised different fitness functions (a, b): do not compare their best fitness.
        Runs optimised different fitness functions (cost, b (maximised)): do not compare their best fitness.
        ");
    }

    #[test]
    fn gaps_that_a_target_hides_are_said() {
        let csv = "algorithm,instance,solved,gap,stop\na,x,true,0.5,target\na,y,true,0,target\na,z,false,2,time\n";
        let reader = Reader::new("runs.csv", csv.as_bytes()).expect("columns");
        let summary = Summary::from_runs(reader).expect("rows");
        insta::assert_snapshot!(warnings(&summary, None, &Catalogue::default())[0], @"1 run stopped at a target worse than the \
            best known value: lower gaps than the gap of the target cannot occur in such runs.");
    }
}

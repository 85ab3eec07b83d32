//! Warnings: what a reader must know before trusting the results. Tables, comparisons and the report show the same.

use std::collections::BTreeMap;

use evogrid_analysis::metric::{FEW_RUNS, reported_objectives};
use evogrid_analysis::summary::Summary;
use evogrid_analysis::summary::{ALL_BUCKETS, Figure, SummaryRow};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Direction;
use evogrid_results::format::{printable, shortest};
use serde_json::Value;

use evogrid_runner::experiment::limits;
use evogrid_runner::experiment::manifest_form::limits_of_algorithms;
use evogrid_runner::system::numbers::counted;

/// When runs of more configurations than this failed, only so many are named.
const MOST_NAMED: usize = 3;

/// The names of functions without the mark of their direction.
fn unmarked(fitnesses: &[String]) -> String {
    let names = fitnesses.iter().map(|fitness| Direction::of_marked(fitness).1);
    names.collect::<Vec<_>>().join(", ")
}

/// All warnings, worst first.
pub(crate) fn warnings(summary: &Summary, manifest: Option<&Value>, catalogue: &Catalogue) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(failures(summary));
    if let Some(manifest) = manifest {
        of_manifest(&mut warnings, manifest);
    }
    warnings.extend(of_limits(manifest, catalogue));
    if summary.units.len() > 1 {
        warnings.push(format!(
            "Configurations express expected work in different units ({}): compare it only within one unit.",
            printable(&summary.units.join(", "))
        ));
    }
    if summary.fitnesses.len() > 1 {
        let (functions, optimised) = match summary.direction() {
            Some(direction) => (unmarked(&summary.fitnesses), direction.participle()),
            None => (summary.fitnesses.join(", "), "optimised"),
        };
        warnings.push(format!(
            "Runs {optimised} different fitness functions ({}): do not compare their best fitness.",
            printable(&functions)
        ));
    }
    warnings.extend(reported_objectives(&summary.fitnesses));
    warnings.extend(beaten(summary));
    warnings.extend(stopped_early(summary));
    let of_buckets = || summary.rows.iter().filter(|row| row.bucket != ALL_BUCKETS);
    let mut sizes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in of_buckets() {
        let size = sizes.entry(&row.bucket).or_insert((u64::MAX, 0));
        *size = (size.0.min(row.figures.runs), size.1.max(row.figures.runs));
    }
    for (bucket, (fewest, most)) in &sizes {
        if fewest != most {
            let bucket = if bucket.is_empty() { String::new() } else { format!(" at {}", printable(bucket)) };
            warnings.push(format!("Configurations have unequal numbers of runs{bucket}: from {fewest} to {most}."));
        }
    }
    let few = of_buckets().filter(|row| row.figures.runs < FEW_RUNS).count() as u64;
    if few > 0 {
        let figures = if summary.rows.iter().any(|row| row.figures.judged > 0) { "rates" } else { "means" };
        warnings.push(format!(
            "Differences between {figures} may be due to chance in {} of the table with fewer than {FEW_RUNS} runs.",
            counted(few, "row")
        ));
    }
    warnings
}

/// Warnings about the limits of an experiment's algorithms, if they differ, or allow unequal work.
pub(crate) fn of_limits(manifest: Option<&Value>, catalogue: &Catalogue) -> Vec<String> {
    let algorithms = manifest.map(|manifest| &manifest["experiment"]["algorithms"]);
    let limits = algorithms.map(|algorithms| limits_of_algorithms(algorithms, catalogue)).unwrap_or_default();
    limits::notes(&limits).into_iter().map(|note| note.replacen('e', "E", 1)).collect()
}

/// How many runs failed, and of which configurations.
fn failures(summary: &Summary) -> Option<String> {
    let failing = || summary.rows.iter().filter(|row| row.bucket == ALL_BUCKETS && row.figures.failed > 0);
    let failed: u64 = failing().map(|row| row.figures.failed).sum();
    let name = |row: &SummaryRow| {
        format!("{} of {} of {}", row.figures.failed, row.figures.runs, printable(&configuration(row)))
    };
    let mut named: Vec<String> = failing().take(MOST_NAMED).map(name).collect();
    let others = failing().count().saturating_sub(MOST_NAMED);
    if others > 0 {
        named.push(format!("{others} other configurations"));
    }
    (failed > 0).then(|| {
        format!(
            "{} failed ({}): they count as unsolved, and are left out of means, expected work and PAR10.",
            counted(failed, "run"),
            named.join("; ")
        )
    })
}

/// That a best known value was beaten, and the instance where it was beaten by most. A run cannot do better than an optimum: then the value
/// or the objective is wrong.
fn beaten(summary: &Summary) -> Option<String> {
    let gap = |row: &SummaryRow| row.figures[Figure::BestGap].filter(|&gap| gap < 0.0);
    let beating = || summary.rows.iter().filter(|row| row.bucket != ALL_BUCKETS).filter(|row| gap(row).is_some());
    let best = beating().min_by(|one, other| gap(one).unwrap_or(0.0).total_cmp(&gap(other).unwrap_or(0.0)))?;
    let bucket = if best.bucket.is_empty() { String::new() } else { format!(" at {}", best.bucket) };
    Some(format!(
        "A run found a better value than the best known one, by {} % ({}{}): if that value is optimal, it or the \
         objective is wrong.",
        shortest(gap(best).map(|gap| (-gap * 1e4).ceil() / 1e4)),
        printable(&configuration(best)),
        printable(&bucket)
    ))
}

/// That runs stopped at a target worse than a best known value, so that they cannot show lower gaps.
fn stopped_early(summary: &Summary) -> Option<String> {
    let n = summary.stopped_above_best_known;
    (n > 0).then(|| {
        format!(
            "{} stopped at a target worse than the best known value: they cannot show lower gaps.",
            counted(n, "run")
        )
    })
}

/// An algorithm with its values of the varied settings.
fn configuration(row: &SummaryRow) -> String {
    let values = std::iter::once(&row.algorithm).chain(&row.varied).filter(|value| !value.is_empty());
    values.map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn of_manifest(warnings: &mut Vec<String>, manifest: &Value) {
    if manifest.pointer("/experiment/schedule").is_some() {
        warnings.push(
            "These are the runs of a race, in which what does well gets more runs: means of configurations do not compare them \
             fairly. `race.csv` names the winner, and the folder `test` has its test on other instances."
                .to_owned(),
        );
    }
    let number = |path: &str| manifest.pointer(path).and_then(Value::as_u64);
    let planned = number("/runs/planned").unwrap_or(0);
    match number("/runs/present") {
        Some(present) if present < planned => {
            warnings.push(format!(
                "The experiment is incomplete: the results contain {present} of {}.",
                counted(planned, "run")
            ));
        }
        Some(_) => {}
        None => {
            warnings.push(format!("The experiment ({}) was started but has not ended.", counted(planned, "run")));
        }
    }
    match number("/experiment/instances_left_out") {
        Some(n) if n > 0 => warnings.push(format!("`limit` leaves out {} of the data sets.", counted(n, "instance"))),
        _ if manifest["all_instances_used"] == false => {
            warnings.push("Some instances of the data sets have no runs.".to_owned());
        }
        _ => {}
    }
    if manifest["depends_on_speed"] == true {
        warnings.push("Runs have a limit in seconds: their outcome depends on the speed of the machine.".to_owned());
    }
    if manifest["repository"]["dirty"] == true {
        warnings.push("The repository of the experiment had uncommitted changes.".to_owned());
    }
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
        insta::assert_snapshot!(beaten(&summary).expect("a gap below 0"), @"A run found a better value than the best known one, by 2.5 % (ils): if that value is optimal, it or the objective is wrong.");
        insta::assert_snapshot!(failures(&summary).expect("two"), @"2 runs failed (1 of 2 of ils; 1 of 1 of ga, 0.1): they count as unsolved, and are left out of means, expected work and PAR10.");
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
        insta::assert_snapshot!(stopped_early(&summary).expect("one"), @"1 run stopped at a target worse than the \
            best known value: they cannot show lower gaps.");
    }
}

//! The words for runs that maximise.

use super::*;

/// Two searches for a large profit.
fn profits() -> String {
    let mut text = "algorithm,instance,repetition,objective,best_known,fitness,best_fitness\n".to_owned();
    for (algorithm, lost) in [("careful", 1), ("hasty", 20)] {
        for instance in 0..8 {
            for repetition in 0..5 {
                let profit = 1000 + 10 * instance - lost * (repetition + 1);
                text += &format!(
                    "{algorithm},i{instance},{repetition},{profit},{},profit (maximised),{profit}\n",
                    1000 + 10 * instance
                );
            }
        }
    }
    text
}

fn chart(csv: &str, metric: Metric, name: &str) -> String {
    let samples = samples(csv);
    let charts = survey(&input(&samples, Path::new("none"), metric)).into_iter();
    let mut drawn = charts.filter_map(|(kind, chart)| Some((kind, chart.ok()?)));
    let (_, chart) = drawn.find(|(kind, _)| kind.text() == name).expect("it is drawn");
    [&[chart.title][..], &chart.caveats, &chart.notes].concat().join("\n")
}

#[test]
fn a_table_names_the_direction_of_objectives() {
    let text = |metric| {
        let format = Format::Text { width: Some(80) };
        render_by(&summary(&profits()), (Some(metric), ColumnSet::All), Layout::Buckets, format, None, &[])
    };
    insta::assert_snapshot!("table_of_objectives", text(Metric::Objective));
    insta::assert_snapshot!("table_of_gaps", text(Metric::Gap));
    let long = render_by(&summary(&profits()), (None, ColumnSet::All), Layout::Long, Format::Csv, None, &[]);
    assert!(long.contains(",1032.000,,1069.000,"), "mean, no median of several instances, best: {long}");
}

#[test]
fn a_comparison_says_what_is_higher() {
    let text = |metric| {
        let comparison = compare(&samples(&profits()), metric, CompareOptions::default()).expect("two of them");
        compare::render(&comparison, Format::Text { width: Some(80) }, &[])
    };
    insta::assert_snapshot!("compared_by_objective", text(Metric::Objective));
    assert!(text(Metric::BestFitness).contains("careful ends at a higher fitness than hasty"));
    assert!(text(Metric::Gap).contains("careful ends at a lower gap than hasty"));
}

#[test]
fn a_chart_says_what_is_better() {
    insta::assert_snapshot!(chart(&profits(), Metric::Objective, "gap"), @"
    Mean shortfall from the best value found
    The shortfall says by how many per cent the objective of a run is below the best objective of all runs on the instance. Objectives of different instances cannot be averaged. New runs may find better objectives. The chart shows means over instances. The 95 % intervals hold for instances like these.
    ");
    insta::assert_snapshot!(chart(&profits(), Metric::Objective, "ranks"), @"
    Critical differences of mean ranks, by median objective
    Configurations are ranked by the median objective on 8 instances. The highest value has rank 1. The last rank belongs to a run without a solution.
    Friedman test: chi-squared 8.0, 1 degrees of freedom, p 0.0047. A bar joins mean ranks that differ by less than the critical difference 0.69 (Nemenyi, 95 %).
    ");
    let one: Vec<String> = profits()
        .lines()
        .filter(|line| line.starts_with("algorithm,") || line.contains(",i3,"))
        .map(str::to_owned)
        .collect();
    insta::assert_snapshot!(chart(&one.join("\n"), Metric::Objective, "gap"), @"
    Mean objective
    All means come from fewer than 10 runs or 6 instances. Each of these means comes from at least 5 runs and 1 instance.
    The chart shows means of the runs on one instance. Intervals are 95 % intervals.
    ");
}

#[test]
fn a_run_without_a_solution_is_the_worst() {
    let csv = "algorithm,instance,objective,fitness,best_fitness,stop\na,x,12,profit (maximised),12,time\na,x,,profit (maximised),,failed\nb,x,11,profit (maximised),11,time\nb,x,11,profit (maximised),11,time\n";
    let samples = samples(csv);
    let figures: Vec<_> = samples.runs.iter().map(|run| Metric::Objective.figure(&samples, run)).collect();
    assert_eq!(figures, [Some(12.0), Some(f64::NEG_INFINITY), Some(11.0), Some(11.0)]);
    let costs: Vec<_> = samples.runs.iter().map(|run| Metric::BestFitness.cost(&samples, run)).collect();
    assert_eq!(costs, [Some(-12.0), Some(f64::INFINITY), Some(-11.0), Some(-11.0)]);
}

#[test]
fn runs_without_the_name_of_a_fitness_are_minimised() {
    let old = "algorithm,instance,objective\na,x,12\na,x,9\nb,x,11\nb,x,11\n";
    assert_eq!(summary(old).direction(), Some(Direction::Minimise));
    assert_eq!(summary(old).rows[0].figures[Figure::BestObjective], Some(9.0));
    let comparison = compare(&samples(old), Metric::Objective, CompareOptions::default()).expect("two of them");
    assert_eq!(comparison.direction, Direction::Minimise);
}

//! `summary.csv`. Each configuration has one row for each bucket, and one row for all buckets together.

mod builder;
mod figures;
pub mod metadata;
mod sheet;
mod standing;
mod tally;

use std::io::Read;

use crate::metric::Metric;
pub use builder::Builder;
use evogrid_core::family::Direction;
pub use evogrid_results::ALL_BUCKETS;
pub use figures::{COUNTS, FIGURES, Figure, FigureDeclaration, Figures, Place, RATE, later_columns};
pub use standing::Order;

use evogrid_results::ReadError;
use evogrid_results::runs::{Reader, Row};

/// All summary rows of an experiment.
///
/// ```
/// use evogrid_analysis::summary::{Figure, Summary};
/// use evogrid_results::runs::Reader;
///
/// let text = "algorithm,instance,bucket,solved,evaluations\nga,a,easy,true,100\nga,b,easy,false,300\nga,c,hard,true,200\n";
/// let summary = Summary::from_runs(Reader::new("runs.csv", text.as_bytes())?)?;
/// assert_eq!((summary.rows.len(), summary.rows[2].bucket.as_str()), (3, "all"));
/// let all = summary.rows[2].figures;
/// assert_eq!((all.runs, all.solved, all[Figure::ErtEvaluations]), (3, 2, Some(300.0)));
/// assert_eq!(all[Figure::MeanMsSolved], None, "the file has no column `wall_ms`");
/// # Ok::<(), evogrid_results::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The paths of the varied settings.
    pub varied: Vec<String>,
    /// The rows. For each configuration, the rows for the buckets come first. The last row of each configuration is the row for
    /// [`ALL_BUCKETS`]. Configurations and buckets are in the order of their first occurrence.
    pub rows: Vec<SummaryRow>,
    /// The units in which runs count their work, in order of appearance. The list is empty if the file does not contain units.
    pub units: Vec<String>,
    /// The fitness functions of the runs, in order of appearance.
    pub fitnesses: Vec<String>,
    /// The problem families of the runs, in order of appearance.
    pub problems: Vec<String>,
    /// The number of runs with an objective but without a gap. For the instances of these runs, the best known value is missing or 0.
    pub without_best_known: u64,
    /// The number of runs that stopped at a target that is worse than the best known value. If these runs had not stopped at the target,
    /// they could have reached lower gaps.
    pub stopped_above_best_known: u64,
    /// The costs of each configuration on parts of the instances. They are empty if the summary was read from a `summary.csv`.
    parts: standing::SummaryParts,
}

impl Summary {
    /// The default metric of these runs. The choice follows the same rule as
    /// [`Samples::default_metric`](crate::samples::Samples::default_metric).
    pub fn default_metric(&self) -> Metric {
        let any = |is_one: fn(&Figures) -> bool| self.rows.iter().any(|row| is_one(&row.figures));
        let has_gaps = any(|figures| figures[Figure::MedianGap].or(figures[Figure::BestGap]).is_some());
        Metric::by_default(any(|figures| figures.judged > 0), has_gaps, self.without_best_known > 0)
    }

    /// Whether smaller or larger objectives and fitnesses are better. `None` if the runs have different directions.
    pub fn direction(&self) -> Option<Direction> {
        Direction::shared(self.fitnesses.iter().map(|fitness| Direction::of_marked(fitness).0))
    }

    /// Summarises the rows of a `runs.csv` in one pass. Another CSV with the same columns is also accepted. If a figure needs a column that
    /// is missing, the figure is absent. The builder keeps a few numbers for each configuration and bucket. For the medians, the builder
    /// keeps 8 more bytes for each solved run and for each gap. In every sum, the numbers are added in the order of the rows. Therefore the
    /// same rows always give exactly the same figures.
    ///
    /// # Errors
    /// Returns the first error of the file.
    pub fn from_runs<R: Read>(runs: Reader<R>) -> Result<Self, ReadError> {
        let mut builder = Builder::of_columns(&runs.varied, runs.missing.clone());
        let (mut runs, mut row) = (runs.without_numbering(), Row::default());
        while runs.read_over(&mut row)? {
            builder.add(&row);
        }
        Ok(builder.finish())
    }
}

/// The figures of one configuration on one bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRow {
    /// The name of the algorithm.
    pub algorithm: String,
    /// The values of the varied settings.
    pub varied: Vec<String>,
    /// The bucket, or [`ALL_BUCKETS`].
    pub bucket: String,
    /// The figures of the runs.
    pub figures: Figures,
}

#[cfg(test)]
pub(crate) mod tests {
    use evogrid_core::budget::Stop;

    use super::*;
    use evogrid_results::{RunKey, RunOutcome};

    /// A run of `huke` at a population: bucket, solved, milliseconds, generations, evaluations.
    pub(crate) fn run(population: u64, bucket: &str, solved: bool, ms: f64, generations: u64, evaluations: u64) -> Row {
        let key = RunKey {
            algorithm: "huke".into(),
            problem: "tour".into(),
            instance: "huke-01".into(),
            bucket: bucket.into(),
            ..RunKey::default()
        };
        let stop = if solved { Stop::Target } else { Stop::Stagnation };
        let (best_fitness, objective) = if solved { (Some(0.0), Some(0.0)) } else { (Some(3.0), Some(5.0)) };
        let outcome = RunOutcome {
            solved: Some(solved),
            objective,
            best_fitness,
            evaluations,
            generations,
            evaluations_to_best: evaluations / 2,
            stop,
            wall_ms: ms,
            cpu_ms: Some(1.125),
            ..RunOutcome::default()
        };
        Row { key, varied: vec![population.to_string()], outcome, ..Row::default() }
    }

    pub(crate) fn summary(rows: &[Row]) -> Summary {
        let mut builder = Builder::new(&["population".to_owned()]);
        rows.iter().for_each(|row| builder.add(row));
        builder.finish()
    }

    fn figures(rows: &[Row]) -> Figures {
        summary(rows).rows[0].figures
    }

    #[test]
    fn every_figure_is_what_its_formula_says() {
        let figures = figures(&[
            run(100, "easy", true, 10.0, 5, 500),
            run(100, "easy", false, 40.0, 25, 2500),
            run(100, "easy", true, 20.0, 8, 800),
            run(100, "easy", false, 60.0, 27, 2700),
        ]);
        let counted = Figures {
            runs: 4,
            failed: 0,
            stops: [2, 0, 0, 2, 0, 0, 0, 0, 0],
            judged_stops: [2, 0, 0, 2, 0, 0, 0, 0, 0],
            instances: 1,
            families: 1,
            measures: 1,
            judged: 4,
            solved: 2,
            effective_runs: 4.0,
            success: evogrid_statistics::wilson(2, 4),
            rate: crate::metric::Rate::of_these(2, 4),
            instance_runs: [4, 4],
            ..figures
        };
        assert_eq!(figures, counted);
        let found: Vec<_> = FIGURES.iter().filter_map(|one| Some((one.figure, figures[one.figure]?))).collect();
        assert_eq!(
            found,
            [
                (Figure::MeanMsSolved, 15.0),
                (Figure::MeanGenerationsSolved, 6.5),
                (Figure::MeanGenerations, 16.25),
                (Figure::MeanGenerationsJudged, 16.25),
                (Figure::MeanMsUnsolved, 50.0),
                (Figure::MeanCpuMs, 1.125),
                (Figure::MeanCpuMsSolved, 1.125),
                (Figure::MeanCpuMsUnsolved, 1.125),
                (Figure::WallMsBesideCpu, 130.0),
                (Figure::CpuMsBesideWall, 4.5),
                (Figure::MedianEvaluationsSolved, 650.0),
                (Figure::ErtEvaluations, 3250.0),
                (Figure::Par10Ms, 257.5),
                (Figure::MeanBestFitness, 1.5),
                (Figure::MeanObjective, 2.5),
                (Figure::MedianObjective, 2.5),
                (Figure::BestObjective, 0.0),
                (Figure::MeanGenerationsToBest, 8.125),
                (Figure::Par2Ms, 57.5),
                (Figure::InstancesNeverSolved, 0.0),
                (Figure::MedianInstanceErt, 3250.0),
            ]
        );
        assert_eq!(figures.success_rate(), Some(0.5));
    }

    #[test]
    fn a_mean_over_no_runs_is_absent() {
        let solved = figures(&[run(100, "easy", true, 10.0, 5, 500)]);
        assert_eq!((solved[Figure::MeanMsUnsolved], solved[Figure::MedianEvaluationsSolved]), (None, Some(500.0)));
        let unsolved = figures(&[run(100, "easy", false, 10.0, 5, 500)]);
        assert_eq!((unsolved[Figure::MeanMsSolved], unsolved[Figure::MeanGenerationsSolved]), (None, None));
        assert_eq!((unsolved[Figure::MedianEvaluationsSolved], unsolved[Figure::ErtEvaluations]), (None, None));
        assert_eq!(unsolved[Figure::Par10Ms], Some(100.0));
    }

    #[test]
    fn a_failed_run_is_a_run_without_success_and_without_means() {
        let mut failed = run(100, "easy", false, 3.0, 0, 0);
        (failed.outcome.stop, failed.outcome.best_fitness) = (Stop::Failed, Some(77.0));
        failed.outcome.objective = None;
        let mut older = run(100, "easy", true, 10.0, 6, 500);
        let figures = figures(&[failed.clone(), older.clone()]);
        assert_eq!((figures.runs, figures.solved), (2, 1));
        assert_eq!((figures[Figure::MeanGenerations], figures[Figure::MeanMsUnsolved]), (Some(6.0), None));
        assert_eq!((figures[Figure::MeanCpuMs], figures[Figure::MeanBestFitness]), (Some(1.125), Some(0.0)));
        assert_eq!(figures[Figure::MeanObjective], Some(0.0));
        older.outcome.objective = None;
        assert_eq!(
            self::figures(&[failed, older])[Figure::MeanObjective],
            None,
            "a mean of some runs alone would mislead"
        );
        assert_eq!((figures[Figure::ErtEvaluations], figures[Figure::Par10Ms]), (Some(500.0), Some(10.0)));
    }

    /// The last row of the summary of a CSV, which is that of all buckets.
    fn of_csv(text: &str) -> Figures {
        let reader = Reader::new("x.csv", text.as_bytes()).expect("columns");
        Summary::from_runs(reader).expect("rows").rows.last().expect("a row").figures
    }

    #[test]
    fn a_mean_gap_is_one_of_instances_with_the_interval_of_scipy() {
        let csv = "algorithm,instance,bucket,objective,best_known\n\
                   a,x,e,102,100\na,x,e,104,100\na,y,e,101,100\na,z,h,198,200\na,z,h,200,200\na,z,h,202,200\n";
        let figures = of_csv(csv);
        // Means of the instances: 3, 1 and 0 %. scipy.stats.t.interval(0.95, 2, loc=4/3, scale=scipy.stats.sem([3, 1, 0])).
        let near = |found: Option<f64>, golden: f64| found.is_some_and(|found| (found - golden).abs() < 1e-5);
        assert!(
            near(figures[Figure::MeanGap], 4.0 / 3.0)
                && near(figures[Figure::GapLow], -2.461250)
                && near(figures[Figure::GapHigh], 5.127916)
                && near(figures[Figure::MeanGapHigh], 5.127916),
            "{figures:?}"
        );
        assert_eq!((figures[Figure::MedianGap], figures[Figure::BestGap]), (Some(1.0), Some(-1.0)));
        assert_eq!(
            (figures[Figure::MeanObjective], figures[Figure::MedianObjective]),
            (Some(907.0 / 6.0), None),
            "not one instance"
        );
        // One instance: over its runs; none is below 0, as one of z is: mean * numpy.exp([-t, t]) with
        // t = scipy.stats.t.ppf(0.975, 2) * scipy.stats.sem([2, 4, 9]) / mean.
        let one = of_csv("algorithm,instance,gap,objective\na,x,2,102\na,x,4,104\na,x,9,109\n");
        assert!(
            near(one[Figure::MeanGap], 5.0)
                && near(one[Figure::GapLow], -3.956692)
                && near(one[Figure::GapHigh], 13.956692)
                && near(one[Figure::MeanGapLow], 0.833685)
                && near(one[Figure::MeanGapHigh], 29.987337),
            "{one:?}"
        );
        assert_eq!((one[Figure::MedianObjective], one[Figure::BestObjective]), (Some(104.0), Some(102.0)));
        let single = of_csv("algorithm,instance,gap\na,x,2\n");
        assert_eq!(
            (single[Figure::MeanGap], single[Figure::GapLow], single[Figure::MedianGap]),
            (Some(2.0), None, Some(2.0))
        );
    }

    #[test]
    fn what_no_run_says_is_in_no_rate_and_no_mean() {
        let figures = of_csv("algorithm,instance,solved,objective\na,x,,5\na,x,true,0\na,y,false,3\na,y,,\n");
        assert_eq!((figures.runs, figures.judged, figures.solved, figures.success_rate()), (4, 2, 1, Some(0.5)));
        assert_eq!((figures[Figure::MeanObjective], figures[Figure::BestObjective]), (None, None), "one has none");
        let none = of_csv("algorithm,instance,objective\na,x,5\n");
        assert_eq!((none.judged, none.success_rate(), none.effective_runs), (0, None, 0.0));
        assert_eq!(
            (none[Figure::MeanMsUnsolved], none[Figure::Par10Ms], none[Figure::ErtEvaluations]),
            (None, None, None)
        );
        // A run without a solution has an infinite gap; an instance without a best known value none.
        let open = of_csv("algorithm,instance,objective,best_known\na,x,5,4\na,x,,4\na,x,6,4\na,y,7,\n");
        assert_eq!(
            (open[Figure::MeanGap], open[Figure::MedianGap], open[Figure::BestGap]),
            (None, Some(50.0), Some(25.0))
        );
    }

    #[test]
    fn objectives_of_different_measures_have_no_mean_and_gaps_of_one_family_have_one() {
        for header in ["problem", "fitness"] {
            let csv = format!(
                "algorithm,instance,{header},objective,best_fitness,best_known\na,x,tour,150,150,100\na,y,shop,30,30,20\n"
            );
            let figures = of_csv(&csv);
            assert_eq!(
                (figures[Figure::MeanObjective], figures[Figure::BestObjective], figures[Figure::MeanGap]),
                (None, None, (header == "fitness").then_some(50.0))
            );
            assert_eq!((figures[Figure::MedianObjective], figures[Figure::MeanBestFitness]), (None, None));
            assert_eq!((figures.families, figures.measures), (if header == "problem" { 2 } else { 1 }, 2));
        }
        // Instances of two families may have one id.
        let csv = "algorithm,instance,problem,gap\na,x,tour,1\na,x,tour,1\na,x,shop,4\n";
        assert_eq!(of_csv(csv).instances, 2);
    }

    #[test]
    fn buckets_of_two_families_are_two_rows() {
        let csv = "algorithm,instance,problem,bucket,solved\na,x,tour,small,true\na,x,shop,small,false\na,y,shop,large,false\na,z,tour,,true\na,z,shop,,false\n";
        let reader = Reader::new("x.csv", csv.as_bytes()).expect("columns");
        let summary = Summary::from_runs(reader).expect("rows");
        let rows: Vec<(&str, Option<f64>)> =
            summary.rows.iter().map(|row| (row.bucket.as_str(), row.figures.success_rate())).collect();
        let expected =
            [("tour: small", 1.0), ("shop: small", 0.0), ("large", 0.0), ("tour", 1.0), ("shop", 0.0), ("all", 0.4)];
        assert_eq!(rows, expected.map(|(bucket, rate)| (bucket, Some(rate))));
        let samples = crate::test_runs::samples(csv);
        let buckets: Vec<&str> = samples.roster.instances.iter().map(|one| one.bucket.as_str()).collect();
        assert_eq!(buckets, ["tour: small", "shop: small", "large", "tour", "shop"]);
    }

    #[test]
    fn instances_weigh_equally_and_those_never_solved_are_counted() {
        // 80 of 100 runs on x, 1 of 10 on y, none of 10 on z: pooled 67.5 %, a mean of 30 %.
        let runs = |instance: &str, n: u64, solved: u64, evaluations: u64| -> String {
            (0..n).map(|run| format!("a,{instance},{run},{},{evaluations}\n", run < solved)).collect()
        };
        let csv = format!(
            "algorithm,instance,repetition,solved,evaluations\n{}{}{}",
            runs("x", 100, 80, 8),
            runs("y", 10, 1, 30),
            runs("z", 10, 0, 500)
        );
        let figures = of_csv(&csv);
        assert!((figures.success_rate().expect("judged") - 0.3).abs() < 1e-12 && figures.instance_runs == [10, 100]);
        assert!(figures.rate.interval.low < 0.02 && figures.rate.interval.high > 0.9, "three instances: {figures:?}");
        assert_eq!(figures.pooled_rate(), Some(81.0 / 120.0), "the column stays that of all runs");
        assert_eq!(
            (figures[Figure::InstancesNeverSolved], figures[Figure::MedianInstanceErt]),
            (Some(1.0), Some(300.0))
        );
        assert_eq!(figures[Figure::ErtEvaluations], Some(6100.0 / 81.0), "pooled over instances");
        let most = of_csv(&format!(
            "algorithm,instance,repetition,solved,evaluations\n{}{}",
            runs("x", 2, 1, 8),
            runs("z", 1, 0, 5)
        ));
        assert_eq!(most[Figure::MedianInstanceErt], None, "half of the instances");
    }

    #[test]
    fn what_a_foreign_file_does_not_say_is_absent() {
        let text = "algorithm,instance,solved,evaluations\nga,a,True,100\nga,a,0,300\nga,b,1,200\n";
        let mut reader = Reader::new("deap.csv", text.as_bytes()).expect("columns");
        assert_eq!(reader.missing[..3], ["run", "run_id", "problem"]);
        let repetitions: Vec<u64> = reader.by_ref().map(|row| row.expect("a row").key.repetition).collect();
        assert_eq!(repetitions, [0, 1, 0]);
        let reader = Reader::new("deap.csv", text.as_bytes()).expect("columns");
        let figures = Summary::from_runs(reader).expect("rows").rows.last().expect("a row").figures;
        assert_eq!((figures.runs, figures.solved, figures[Figure::ErtEvaluations]), (3, 2, Some(300.0)));
        assert_eq!(
            (figures[Figure::MeanMsSolved], figures[Figure::Par10Ms], figures[Figure::MeanGenerations]),
            (None, None, None)
        );
    }

    #[test]
    fn groups_come_as_first_seen_and_all_comes_last() {
        let summary = summary(&[
            run(500, "hard", true, 1.0, 1, 1),
            run(100, "easy", true, 1.0, 1, 3),
            run(500, "easy", false, 1.0, 1, 1),
            run(100, "hard", true, 1.0, 1, 1),
            run(100, "all", true, 1.0, 1, 2),
        ]);
        let rows: Vec<_> = summary.rows.iter().map(|row| (&*row.varied[0], &*row.bucket, row.figures.runs)).collect();
        assert_eq!(
            rows,
            [
                ("500", "hard", 1),
                ("500", "easy", 1),
                ("500", "all", 2),
                ("100", "hard", 1),
                ("100", "easy", 1),
                ("100", "all", 3),
            ]
        );
        assert_eq!(summary.rows[5].figures[Figure::MedianEvaluationsSolved], Some(2.0));
    }
}

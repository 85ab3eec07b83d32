//! The order of the configurations of a summary, and the sentence about the best configuration.

use std::collections::BTreeMap;
use std::iter::{once, zip};

use evogrid_core::family::Direction;
use evogrid_core::suggestion::one_of;
use evogrid_results::ALL_BUCKETS;
use evogrid_statistics::PartCosts;

use super::{Figure, Summary, SummaryRow};
use crate::metric::{BestOfMany, Metric, PartTally, Parts, have_equal_shares, standing_name};
use crate::samples::Selector;

/// The costs of the configurations on parts of the instances, in the order of the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SummaryParts {
    pub(super) configurations: Vec<PartTally>,
    /// Whether a part is a set of instances. If not, it is a set of repetitions on a single instance.
    pub(super) is_by_instance: bool,
}

impl Summary {
    /// A sentence that names the best configuration and gives its holdout value. The metric is [`Metric::Gap`] or [`Metric::Objective`]. If
    /// the metric is neither the gap nor the objective, the sentence is about the success rate. Configurations with equal values of the
    /// keys in `by` form one group. The possible keys are `algorithm` and the varied settings. If configurations have values on different
    /// instances, their means cannot be compared, so the sentence names no configuration and says why.
    ///
    /// The result is `None` if fewer than two configurations have a value. If there is only one instance, and this instance has fewer than
    /// two repetitions, the result is also `None`. For objectives, the result is also `None` if there are several families or different
    /// directions.
    pub fn best_of_many(&self, metric: Metric, by: &[String]) -> Option<String> {
        let direction = self.direction();
        if metric == Metric::Objective && (self.problems.len() > 1 || direction.is_none()) {
            return None;
        }
        let has_figure = |row: &SummaryRow| match metric {
            Metric::Gap => row.figures[Figure::MeanGap].is_some(),
            Metric::Objective => row.figures[Figure::MeanObjective].is_some(),
            _ => row.figures.judged > 0,
        };
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut groups: Vec<(Selector, Option<Parts>)> = Vec::new();
        let of_all = self.rows.iter().filter(|row| row.bucket == ALL_BUCKETS);
        for (row, tally) in zip(of_all, &self.parts.configurations) {
            let settings = zip(&self.varied, &row.varied).map(|(name, value)| (name.as_str(), value.as_str()));
            let is_asked = |(key, _): &(&str, &str)| by.is_empty() || by.iter().any(|name| name == key);
            let values: Vec<_> = once(("algorithm", row.algorithm.as_str())).chain(settings).filter(is_asked).collect();
            let parts = has_figure(row).then(|| *tally.of(metric));
            let place = *places.entry(values.iter().map(|(_, value)| *value).collect()).or_insert(groups.len());
            if let Some((_, group)) = groups.get_mut(place) {
                let both = group.as_ref().zip(parts.as_ref());
                *group = both.map(|(one, other)| std::array::from_fn(|at| PartCosts::of_all([&one[at], &other[at]])));
                continue;
            }
            groups.push((Selector::with_names(values), parts));
        }
        let known: Vec<Parts> = groups.iter().filter_map(|(_, parts)| *parts).collect();
        if self.parts.is_by_instance && metric != Metric::Solved && !have_equal_shares(&known) {
            let (n, by) = (known.len(), standing_name(metric));
            return Some(format!(
                "The best of {n} configurations by {by} is unknown: the means of the configurations use different instances."
            ));
        }
        let judged_by = (metric, direction.unwrap_or_default());
        let best = BestOfMany::new(judged_by, self.parts.is_by_instance, groups.iter().map(|(_, parts)| *parts))?;
        Some(best.sentence(&groups[best.place].0.label()))
    }
}

/// The order in which configurations are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order<'a> {
    /// The configurations are sorted by success rate, mean gap or mean objective. The best configuration comes first.
    Best(Metric),
    /// The configurations are sorted by a column of `summary.csv`. The smallest value comes first. If a `-` precedes the name of the
    /// column, the largest value comes first.
    Column(&'a str),
}

/// The sort key of a configuration: a number, then a text.
type Place = (f64, String);

impl Summary {
    /// Sorts the configurations. Each configuration has one row that covers all buckets. The values in these rows decide the order of the
    /// configurations. Only the first `top` configurations are kept. Returns a sentence that describes the order.
    ///
    /// # Errors
    /// If no column has the name in `order`, returns a message that suggests columns.
    pub fn sort(&mut self, order: &Order<'_>, top: Option<usize>) -> Result<String, String> {
        let maximised = self.direction() == Some(Direction::Maximise);
        let key: Box<dyn Fn(&SummaryRow) -> Place> = match order {
            Order::Best(metric) => Box::new(|row| (standing(row, *metric, maximised), String::new())),
            Order::Column(name) => {
                let (name, is_reversed) = name.strip_prefix('-').map_or((*name, false), |name| (name, true));
                let columns = self.columns();
                let unknown = || format!("`{name}` is not a column of summary.csv\n  {}", one_of(name, &columns));
                let place = columns.iter().position(|column| *column == name).ok_or_else(unknown)?;
                Box::new(move |row| {
                    let text = row.fields().swap_remove(place);
                    let number = text.parse::<f64>().unwrap_or(f64::INFINITY);
                    (if is_reversed && number.is_finite() { -number } else { number }, text)
                })
            }
        };
        let is_same =
            |one: &SummaryRow, other: &SummaryRow| one.algorithm == other.algorithm && one.varied == other.varied;
        let mut blocks: Vec<(Place, Vec<SummaryRow>)> = self
            .rows
            .chunk_by(is_same)
            .map(|rows| (key(rows.last().expect("a configuration has rows")), rows.to_vec()))
            .collect();
        blocks.sort_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        let n = blocks.len();
        let shown = top.unwrap_or(n).min(n);
        self.rows = blocks.into_iter().take(shown).flat_map(|(_, rows)| rows).collect();
        let by = match order {
            Order::Best(metric) => format!("by {}, the best first", standing_name(*metric)),
            Order::Column(name) => format!("by `{name}`"),
        };
        if shown == n {
            return Ok(format!("Sorted {by}."));
        }
        Ok(format!(
            "The first {shown} of {n} configurations are shown, sorted {by}. These runs were also used to choose the configurations. Therefore the results may look too good."
        ))
    }
}

/// The cost of a configuration in a metric, over all buckets.
fn standing(row: &SummaryRow, metric: Metric, is_maximised: bool) -> f64 {
    let figure = match metric {
        Metric::Gap => row.figures[Figure::MeanGap],
        Metric::Objective => row.figures[Figure::MeanObjective].map(|mean| if is_maximised { -mean } else { mean }),
        _ => row.figures.success_rate().map(|rate| -rate),
    };
    figure.unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use evogrid_results::runs::Reader;

    use super::*;

    fn summary(csv: &str) -> Summary {
        Summary::from_runs(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows")
    }

    #[test]
    fn the_best_by_one_half_of_the_instances_is_shown_on_the_other() {
        // `a` solves `x` alone, and `b` `y` alone: either is the best on one instance, and solves nothing on the other.
        let csv = "algorithm,instance,solved\na,x,1\na,y,0\na,y,0\nb,x,0\nb,y,1\nb,y,1\nb,y,1\n";
        insta::assert_snapshot!(summary(csv).best_of_many(Metric::Solved, &[]).expect("two of each"), @"Best of 2 configurations by success rate in these runs: a with 50 %. Holdout value: 0 %. In each split, the configuration is chosen on one half of the instances and measured on the other half. The holdout value is the mean of the values from 1 split.");
        let alone: Vec<&str> = csv.lines().filter(|line| !line.starts_with('b')).collect();
        assert_eq!(summary(&alone.join("\n")).best_of_many(Metric::Solved, &[]), None, "nothing to choose from");
        let mut written = Vec::new();
        summary(csv).write_csv(&mut written, &[]).expect("it is held in memory");
        let read = Summary::read_csv("summary.csv", written.as_slice()).expect("rows");
        assert_eq!(read.best_of_many(Metric::Solved, &[]), None, "a summary does not have the instances");
    }

    #[test]
    fn means_over_different_instances_have_no_best() {
        // All runs of `b` on `y`, where objectives are large, have failed.
        let csv = "algorithm,instance,solved,objective,stop\na,x,,1,time\na,y,,100,time\nb,x,,2,time\nb,y,,,failed\n";
        insta::assert_snapshot!(summary(csv).best_of_many(Metric::Objective, &[]).expect("a sentence"), @"The best of 2 configurations by mean objective is unknown: the means of the configurations use different instances.");
        let both = csv.replace("y,,,failed", "y,,200,time");
        assert!(summary(&both).best_of_many(Metric::Objective, &[]).is_some_and(|told| told.contains(": a with 50.5")));
    }

    #[test]
    fn on_a_single_instance_repetitions_are_split_and_unnumbered_ones_are_counted() {
        let csv_with = |column: &str, number: fn(u32) -> String| {
            let mut csv = format!("algorithm,size,instance,{column}gap,objective\n");
            for (size, bias) in [(1, 0), (2, 1), (30, 2)] {
                for repetition in 0..4 {
                    let gap = (repetition + bias) % 3;
                    let _ = writeln!(csv, "a,{size},x,{}{gap},{}", number(repetition), 100 + gap);
                }
            }
            csv
        };
        let csv = csv_with("repetition,", |repetition| format!("{repetition},"));
        let by = |metric, keys: &[&str]| {
            let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
            summary(&csv).best_of_many(metric, &keys).expect("three on four repetitions")
        };
        insta::assert_snapshot!(by(Metric::Gap, &[]), @"Best of 3 configurations by mean gap in these runs: a, size = 1 with 0.75 %. Holdout value: 1.42 %. In each split, the configuration is chosen on one half of the repetitions and measured on the other half. The holdout value is the mean of the values from 3 splits.");
        insta::assert_snapshot!(by(Metric::Objective, &["size"]), @"Best of 3 configurations by mean objective in these runs: size = 1 with 100.8. Holdout value: 101.4. In each split, the configuration is chosen on one half of the repetitions and measured on the other half. The holdout value is the mean of the values from 3 splits.");
        let unnumbered = summary(&csv_with("", |_| String::new()));
        let of_settings = unnumbered.best_of_many(Metric::Gap, &["size".to_owned()]);
        assert_eq!(of_settings, Some(by(Metric::Gap, &["size"])));
        assert_eq!(summary(&csv).best_of_many(Metric::Gap, &["algorithm".to_owned()]), None, "all are taken together");
    }

    #[test]
    fn a_configuration_without_a_figure_is_not_among_those_to_choose_from() {
        let csv = "algorithm,instance,gap,objective,best_known\na,x,1,101,100\na,y,3,103,100\nb,x,2,102,100\nb,y,2,102,100\nc,x,0,100,100\nc,y,,,100\n";
        let said = summary(csv).best_of_many(Metric::Gap, &[]).expect("two of them have a mean gap");
        assert!(
            said.starts_with(
                "Best of 2 configurations by mean gap in these runs: a with 2.00 %. Holdout value: 2.50 %. In each split"
            ),
            "{said}"
        );
        let mixed = "algorithm,problem,instance,objective\na,p,x,1\na,q,y,3\nb,p,x,2\nb,q,y,2\n";
        assert_eq!(summary(mixed).best_of_many(Metric::Objective, &[]), None, "of two families");
    }

    #[test]
    fn configurations_are_sorted_with_all_their_rows() {
        let csv = "algorithm,instance,bucket,solved,evaluations\na,x,p,0,5\na,y,q,1,9\nb,x,p,1,7\nb,y,q,1,7\nc,x,p,0,1\nc,y,q,0,1\n";
        let sorted = |order: Order<'_>, top| {
            let mut summary = Summary::from_runs(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows");
            let told = summary.sort(&order, top);
            (
                summary.rows.iter().map(|row| format!("{}{}", row.algorithm, row.bucket)).collect::<Vec<_>>().join(" "),
                told,
            )
        };
        assert_eq!(sorted(Order::Best(Metric::Solved), None).0, "bp bq ball ap aq aall cp cq call");
        assert_eq!(sorted(Order::Column("ert_evaluations"), Some(1)).0, "bp bq ball");
        assert_eq!(sorted(Order::Column("-ert_evaluations"), Some(2)).0, "ap aq aall bp bq ball");
        insta::assert_snapshot!(sorted(Order::Best(Metric::Solved), Some(2)).1.expect("told"), @"The first 2 of 3 configurations are shown, sorted by success rate, the best first. These runs were also used to choose the configurations. Therefore the results may look too good.");
        let refused = sorted(Order::Column("ert_evaluation"), None).1.expect_err("unknown");
        assert!(
            refused.starts_with("`ert_evaluation` is not a column of summary.csv\n  ")
                && refused.contains("did you mean `ert_evaluations`?"),
            "{refused}"
        );
    }
}

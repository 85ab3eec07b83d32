//! The order of a summary's configurations: by a column, the first few alone.

use evogrid_core::suggestion::one_of;

use super::{Figure, Summary, SummaryRow};
use crate::metric::{Metric, standing_name};

/// By what configurations are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order<'a> {
    /// By the metric, the best first: success rate, mean gap or mean objective.
    Best(Metric),
    /// By a column of `summary.csv`, the smallest first; with `-` before its name the largest first.
    Column(&'a str),
}

/// What a configuration is ordered by: a number, then a text.
type Place = (f64, String);

impl Summary {
    /// Sorts the configurations by their rows over all buckets, and keeps the first `top` of them. Returns a sentence that says so.
    ///
    /// # Errors
    /// If there is no such column; which there are.
    pub fn sort(&mut self, order: &Order<'_>, top: Option<usize>) -> Result<String, String> {
        let maximised = self.direction() == Some(evogrid_core::family::Direction::Maximise);
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
        let which = if shown < n {
            format!("The first {shown} of {n} configurations are shown, sorted")
        } else {
            "Sorted".to_owned()
        };
        let luck = if shown < n { " The same runs chose them, so their results may look too good." } else { "" };
        Ok(format!("{which} {by}.{luck}"))
    }
}

/// How bad a configuration is by a metric, over all its buckets.
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
    use evogrid_results::runs::Reader;

    use super::*;

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
        insta::assert_snapshot!(sorted(Order::Best(Metric::Solved), Some(2)).1.expect("told"), @"The first 2 of 3 configurations are shown, sorted by success rate, the best first. The same runs chose them, so their results may look too good.");
        let refused = sorted(Order::Column("ert_evaluation"), None).1.expect_err("unknown");
        assert!(
            refused.starts_with("`ert_evaluation` is not a column of summary.csv\n  ")
                && refused.contains("did you mean `ert_evaluations`?"),
            "{refused}"
        );
    }
}

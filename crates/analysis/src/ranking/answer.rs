//! The answer of an experiment: the best configuration, its distance to the next configuration, and the confidence.

use evogrid_results::format::{p_text, percent, printable};

use super::{Ranking, RankingRow, Unit};
use crate::compare::{Comparison, Conclusion, Pair};
use crate::metric::Metric;
use crate::table::interval_ends;

impl Ranking {
    /// The answer of an experiment in one to three sentences. The answer names the configurations that may be the best.
    pub fn answer(&self) -> String {
        match (self.rows.as_slice(), &self.pair) {
            ([], _) => "There are no runs.".to_owned(),
            ([only], _) => format!("{}.", self.told(only)),
            ([best, other], Some(pair)) => self.of_two(pair, best, other),
            ([best, next, ..], _) => self.of_many(best, next),
        }
    }

    /// The notes for readers of the ranking.
    pub fn notes(&self) -> Vec<String> {
        let Some(shared) = self.shared.as_ref().filter(|_| self.rows.len() > 1) else { return Vec::new() };
        let mut notes = vec![match &self.pair {
            Some(_) => {
                "If the comparison below shows that one of the two configurations is better, the table marks only this configuration. If neither of the two configurations is shown to be better, the table marks both."
                    .to_owned()
            }
            None => format!(
                "Configurations are ordered by their means{}. The means use the {} on which all configurations have runs. Each marked configuration may be the best {} (95 % confidence).",
                match shared.unit {
                    Unit::Solved | Unit::Gap => String::new(),
                    unit => format!(", in the unit of the column `{}`", unit.name()),
                },
                if shared.instances == 1 { "1 instance".to_owned() } else { format!("{} instances", shared.instances) },
                instances(shared.is_by_instance, shared.instances)
            ),
        }];
        if shared.omitted_instances > 0 {
            notes.push(format!(
                "{} instances were not used to order the configurations. On each omitted instance, at least one configuration has no run with a value.",
                shared.omitted_instances
            ));
        }
        notes
    }

    /// If the ranking and a comparison seem to disagree, returns a sentence that explains the reason. The two analyses seem to disagree if
    /// only one of them says that a configuration cannot be the best.
    pub fn difference_to(&self, comparison: &Comparison) -> Option<String> {
        if self.pair.is_some() || self.n_may_be_best()? == self.rows.len() && comparison.pairs.iter().all(is_open) {
            return None;
        }
        let may_be = |at: usize| {
            let row = self.rows.iter().find(|row| row.name == comparison.groups[at].name);
            row.and_then(|row| row.may_be_best)
        };
        let differs = |pair: &Pair| match [may_be(pair.first), may_be(pair.second)] {
            [Some(true), Some(true)] => !is_open(pair),
            [Some(true), Some(false)] | [Some(false), Some(true)] => is_open(pair),
            _ => false,
        };
        let what = if comparison.metric == Metric::Solved {
            "rates"
        } else {
            "how often a run of one configuration is better"
        };
        comparison.pairs.iter().any(differs).then(|| {
            format!(
                "The ranking and the comparisons of pairs answer different questions, and their answers differ in this case. The ranking compares the means of all configurations with the best mean. The comparison of a pair uses {what} on each instance. The p-values of comparisons are corrected for {} pairs.",
                comparison.pairs.len()
            )
        })
    }

    /// The text for a configuration and its figure.
    fn told(&self, row: &RankingRow) -> String {
        let figure = if row.figure.is_empty() { "none" } else { &row.figure };
        format!("{}: {}", printable(&row.name), self.figure(figure))
    }

    /// The text for a figure, with the name of the figure.
    fn figure(&self, figure: &str) -> String {
        match self.metric {
            Metric::Solved => format!("{figure} of runs solved"),
            Metric::Gap => format!("mean gap {}", per_cent(figure)),
            _ => format!("{} {figure}", self.metric.name()),
        }
    }

    fn of_two(&self, pair: &Pair, best: &RankingRow, other: &RankingRow) -> String {
        let (name, other_name) = (printable(&best.name), printable(&other.name));
        let conclusion = pair.effect.conclusion(pair.effect.widest_question());
        let about = instances(pair.effect.like_these.is_some(), pair.effect.instances);
        let verdict = match conclusion {
            Conclusion::First | Conclusion::Second => format!("{name} is better than {other_name} {about}"),
            Conclusion::Alike => format!("{name} and {other_name} do not differ by more than the margin {about}"),
            Conclusion::Open => format!("The runs do not show whether {name} or {other_name} is better {about}"),
        };
        // The pair has the effect of its first configuration, and the best configuration may be its second.
        let is_first = (best.configuration < other.configuration) == (pair.first < pair.second);
        let effect = if is_first { pair.effect.clone() } else { pair.effect.mirrored() };
        let answer = effect.answer_for_most();
        let [low, high] = interval_ends(100.0 * answer.interval.low, 100.0 * answer.interval.high, 1.0);
        let size = percent(effect.size);
        let difference = if effect.is_of_rates {
            format!("The difference is {size} points")
        } else {
            format!("On the same instance, a run of {name} beats a run of {other_name} in {size} % of cases")
        };
        format!(
            "{verdict}: {}, against {}. {difference} ({} interval {low} to {high}, {}).",
            self.figure(&best.figure),
            if self.metric == Metric::Gap { per_cent(&other.figure) } else { other.figure.clone() },
            effect.criteria.confidence,
            p_text(answer.p_corrected)
        ) + &if self.is_against_means(best, other) {
            format!(" If only the means are compared, {other_name} is first.")
        } else {
            self.split()
        }
    }

    /// Whether the second configuration has the better mean over the shared instances.
    fn is_against_means(&self, first: &RankingRow, second: &RankingRow) -> bool {
        let cost = |row: &RankingRow| self.shared.as_ref().zip(row.mean).map(|(shared, mean)| shared.unit.shown(mean));
        cost(first).zip(cost(second)).is_some_and(|(first, second)| second < first)
    }

    fn of_many(&self, best: &RankingRow, next: &RankingRow) -> String {
        let n = self.rows.len();
        let (Some(shared), Some(may_be_best)) = (&self.shared, self.n_may_be_best()) else {
            return format!(
                "The best of {n} configurations is unknown: no instance has values of all configurations. If each configuration is averaged over its own instances, the best configuration is {}; the second best configuration is {}.",
                self.told(best),
                self.told(next)
            );
        };
        let about = instances(shared.is_by_instance, shared.instances);
        let behind = |(one, other): (f64, f64)| match (one - other).abs() {
            0.0 => "equal".to_owned(),
            difference => {
                let mut text = shared.unit.text(difference);
                if text.bytes().all(|digit| matches!(digit, b'0' | b'.')) {
                    text.pop();
                    text = format!("less than {text}1");
                }
                match shared.unit {
                    Unit::Solved | Unit::Gap => format!("{text} points behind"),
                    unit => format!("{text} points of {} behind", unit.name().replacen(" %", "", 1)),
                }
            }
        };
        let behind = best.mean.zip(next.mean).map(behind).unwrap_or_default();
        let standing = format!(
            "{}; next is {}, {behind}: {}",
            self.figure(&best.figure),
            printable(&next.name),
            self.figure(&next.figure)
        );
        let name = printable(&best.name);
        let lead = match may_be_best {
            1 => format!("{name} is the best of {n} configurations {about} (95 % confidence): {standing}."),
            k => {
                let which = if k == n { format!("any of the {n}") } else { format!("{k} of the {n}") };
                format!(
                    "{name} is first in these runs: {standing}. But {which} configurations may be the best {about} (95 % confidence)."
                )
            }
        };
        lead + &self.split()
    }

    /// A sentence about the holdout value of the best configuration. Luck in the choice has no effect on a holdout value.
    fn split(&self) -> String {
        let Some((shared, &split)) = self.shared.as_ref().zip(self.splits.first()) else { return String::new() };
        let parts = if shared.instances == 1 { "repetitions" } else { "instances" };
        let (unit, mean) = (shared.unit.name().replacen(" %", "", 1), shared.unit.text(split));
        format!(
            " If the best configuration is chosen on one half of the {parts} and measured on the other half, the result is: {unit} {mean} %."
        )
    }
}

/// Whether the comparison of a pair does not show which configuration is better.
fn is_open(pair: &Pair) -> bool {
    let conclusion = pair.effect.conclusion(pair.effect.widest_question());
    !matches!(conclusion, Conclusion::First | Conclusion::Second)
}

/// The words for the instances to which a verdict applies.
fn instances(is_by_instance: bool, n: usize) -> String {
    match (is_by_instance, n) {
        (true, _) => "on instances like these".to_owned(),
        (false, 1) => "on this instance".to_owned(),
        (false, n) => format!("on these {n} instances"),
    }
}

/// The text for a gap, with the unit before the interval.
fn per_cent(figure: &str) -> String {
    if !figure.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        return figure.to_owned();
    }
    figure.split_once(" (").map_or_else(|| format!("{figure} %"), |(mean, ends)| format!("{mean} % ({ends}"))
}

//! The sentences of comparisons.

use std::collections::BTreeMap;

use super::{Comparison, Conclusion, Effect, Group, MIN_INSTANCES, Matching, Pair, Scope};
use crate::metric::{Estimator, Metric, Subject};
use crate::table::{TENTH, interval_ends};
use evogrid_results::format::{p_text, percent, printable, rounded_text, short, shortest};
use evogrid_statistics::holm;

/// If more pairs than this are inconclusive, one sentence names them all.
const MOST_OPEN_SENTENCES: usize = 3;

impl Comparison {
    /// One sentence for each pair, then how the comparison was made.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let is_open = |pair: &&Pair| pair.effect.conclusion(pair.p_holm) == Conclusion::Open;
        let open: Vec<&Pair> = self.pairs.iter().filter(is_open).collect();
        let is_told = |pair: &&Pair| open.len() <= MOST_OPEN_SENTENCES || !is_open(pair);
        let mut sentences: Vec<String> = self.pairs.iter().filter(is_told).map(|pair| self.sentence(pair)).collect();
        if open.len() > MOST_OPEN_SENTENCES {
            let both = |pair: &&Pair| self.names(pair).join(" and ");
            let named: Vec<String> = open.iter().map(both).collect();
            sentences.push(format!("No difference can be told between {}.", named.join("; ")));
        }
        for pair in self.pairs.iter().filter(|pair| pair.is_same) {
            let names = self.names(pair).join(" and ");
            sentences.push(format!(
                "{names} did the same in every paired run: the settings in which they differ have no \
                               effect here."
            ));
        }
        if let Some(omnibus) = &self.omnibus {
            let ranks = self.groups.iter().zip(&omnibus.friedman.mean_ranks);
            let ranks: Vec<String> = ranks
                .map(|(group, &rank)| format!("{} {}", printable(&group.name), rounded_text(rank, 100.0)))
                .collect();
            sentences.push(format!(
                "Friedman's test over {} instances: {}. Mean ranks (1 is best): {}; critical difference {} (Nemenyi, 5 %).",
                omnibus.instances,
                p_text(omnibus.friedman.p_value),
                ranks.join(", "),
                rounded_text(omnibus.critical_difference, 100.0),
            ));
        }
        sentences.push(self.method().join(" "));
        sentences
    }

    fn names(&self, pair: &Pair) -> [String; 2] {
        [pair.first, pair.second].map(|at| printable(&self.groups[at].name).into_owned())
    }

    fn sentence(&self, pair: &Pair) -> String {
        let [first, second] = self.names(pair);
        let (effect, better) = (&pair.effect, self.metric.declaration().better);
        let (size, p) = (self.size(effect), p_text(pair.p_holm));
        let conclusion = effect.conclusion(pair.p_holm);
        let needed = effect.needed(self.pairs.len()).map(|needed| format!("; if it is as large as observed, {needed}"));
        let needed = needed.unwrap_or_default();
        let mut sentence = match conclusion {
            Conclusion::First => format!("{first} {better} than {second}: {size}; {p}"),
            Conclusion::Second => format!("{second} {better} than {first}: {}; {p}", self.size(&effect.mirrored())),
            Conclusion::Alike => format!("{first} and {second} do alike: {size}; {p}"),
            Conclusion::Open => {
                format!("Between {first} and {second} no difference can be told: {size}; {p}{needed}")
            }
        };
        // Each bucket is another comparison.
        let p_values = holm(&pair.buckets.iter().map(|(_, effect)| effect.p_value).collect::<Vec<_>>());
        let buckets = |wanted: Conclusion| {
            let there = pair.buckets.iter().zip(&p_values).filter(|((_, effect), p)| effect.conclusion(**p) == wanted);
            there.map(|((bucket, _), _)| printable(bucket).into_owned()).collect::<Vec<_>>()
        };
        let against = match conclusion {
            Conclusion::First => buckets(Conclusion::Second),
            Conclusion::Second => buckets(Conclusion::First),
            Conclusion::Alike | Conclusion::Open => Vec::new(),
        };
        if !against.is_empty() {
            sentence += &format!("; the other way round at {}", against.join(", "));
        }
        let open = buckets(Conclusion::Open);
        if !open.is_empty() && open.len() < pair.buckets.len() {
            sentence += &format!("; it cannot be told at {} alone", open.join(", "));
        }
        sentence + "."
    }

    /// How large an effect is, with its interval.
    fn size(&self, effect: &Effect) -> String {
        let [low, high] = interval_ends(100.0 * effect.interval.low, 100.0 * effect.interval.high, TENTH);
        let size = percent(effect.size);
        match self.metric {
            Metric::Solved => format!("{size} points (95 % {low} to {high})"),
            _ => format!("a run does better in {size} % of cases, ties by half (95 % {low} to {high})"),
        }
    }

    /// A sentence if the configurations' unsolved runs stopped after unequal work and success or fitness is compared: more work solves
    /// more, and ends at lower fitness.
    fn unequal_work(&self) -> Option<String> {
        const EQUAL: f64 = 1.1;
        if !matches!(self.metric.declaration().subject, Subject::Success | Subject::Solution | Subject::PenalisedWork) {
            return None;
        }
        let mut by_unit: BTreeMap<usize, Vec<(f64, &str)>> = BTreeMap::new();
        for group in &self.groups {
            if let Some((unit, work)) = group.unsolved_work {
                by_unit.entry(unit).or_default().push((work, &group.name));
            }
        }
        let (least, most) = by_unit.into_values().find_map(|mut work| {
            work.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (least, most) = (*work.first()?, *work.last()?);
            (most.0 > EQUAL * least.0).then_some((least, most))
        })?;
        let runs = if self.is_judged { "Unsolved runs" } else { "Runs" };
        Some(format!(
            "{runs} stopped after unequal work: on average {} in {}, {} in {}.",
            short(Some(least.0)),
            printable(least.1),
            short(Some(most.0)),
            printable(most.1)
        ))
    }

    /// The sentences on how the comparison was made: the population that intervals and p-values refer to, the tests, the margins, and
    /// failed runs.
    fn method(&self) -> Vec<String> {
        let matched = match self.matching {
            Matching::SameSeeds => "Runs are paired by instance and repetition, and had the same seeds.",
            Matching::Repetitions => "Runs are paired by instance and repetition; their seeds differ or are not known.",
            Matching::Instances => {
                "Runs are matched by instance only: a repetition is missing on one side or is given twice, or the file does not number them."
            }
        };
        let mut method = vec![matched.to_owned()];
        if let Some(Pair { effect, .. }) = self.pairs.iter().find(|pair| pair.effect.scope == Scope::LikeThese) {
            method.push(format!(
                "Intervals and p-values speak of instances like these: an effect counts where both the permutation test of the \
                 instances' differences (sign flips) and {} find it; the larger p is shown, and the interval covers both.",
                effect.test_here()
            ));
        }
        if let Some(Pair { effect, .. }) = self.pairs.iter().find(|pair| pair.effect.scope == Scope::TheseAlone) {
            let n = effect.instances;
            let these = if n == 1 { "this instance".to_owned() } else { format!("these {n} instances") };
            method.push(format!(
                "Intervals and p-values speak of {these} alone, by {}: fewer than {MIN_INSTANCES} cannot speak for others.",
                effect.test_here()
            ));
        }
        let declared = self.metric.declaration();
        match declared.estimator {
            Estimator::Rate => {}
            Estimator::InstanceMean => {
                let means = if self.metric == Metric::Gap { "Mean gaps" } else { "Means" };
                method.push(format!(
                    "{means} are of instances, with the interval for instances like these (Student's t); with one instance, of its runs."
                ));
            }
            Estimator::Median if self.metric == Metric::Objective && self.measures > 1 => method.push(
                "Objectives are compared on each instance by itself, and never averaged: these are of several families or objectives.".to_owned(),
            ),
            Estimator::Median => method.push("The intervals of medians are only for these instances.".to_owned()),
        }
        if self.pairs.len() > 1 {
            method.push(format!(
                "p-values have Holm's correction over {} comparisons; intervals, and so \"alike\", are of each comparison alone.",
                self.pairs.len()
            ));
        }
        if let Some(pair) = self.pairs.first() {
            let margin = shortest(Some(100.0 * pair.effect.margin()));
            method.push(match self.metric {
                Metric::Solved => format!("\"Alike\": the interval lies within {margin} points of 0."),
                _ => format!("\"Alike\": the interval lies within {margin} points of 50 % (Vargha and Delaney, 2000)."),
            });
        }
        match declared.subject {
            Subject::Work => method.push("An unsolved run counts as longer than any.".to_owned()),
            Subject::PenalisedWork => method.push(
                "An unsolved run counts a multiple of the time after which it stopped, not of a common limit: a search that gives up early \
                 counts less."
                    .to_owned(),
            ),
            Subject::Success | Subject::Solution | Subject::Population => {}
        }
        method.extend(self.unequal_work());
        let counted = |count: fn(&Group) -> u64| -> Vec<String> {
            let there = self.groups.iter().map(|group| (group, count(group))).filter(|&(_, count)| count > 0);
            there
                .map(|(group, count)| format!("{count} of {} runs of {}", group.runs, printable(&group.name)))
                .collect()
        };
        let silent = counted(|group| group.silent);
        if let Some(reason) = declared.silence.filter(|_| !silent.is_empty()) {
            method.push(format!("Left out, since {reason}: {}.", silent.join("; ")));
        }
        let failed = counted(|group| group.failed);
        if !failed.is_empty() {
            let counted = match declared.subject {
                Subject::Solution => "counted as infinitely bad",
                Subject::PenalisedWork => "left out",
                Subject::Success | Subject::Work | Subject::Population => "counted as unsolved",
            };
            method.push(format!("Failed, and {counted}: {}.", failed.join("; ")));
        }
        method
    }
}

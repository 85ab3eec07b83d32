//! The sentences of comparisons.

use super::{Answer, AveragedOver, Comparison, Conclusion, Effect, Group, Pair, Question};
use crate::metric::Metric;
use crate::table::{TENTH, interval_ends};
use evogrid_results::format::{capital, p_text, percent, printable, rounded_text};

/// If more pairs than this are inconclusive, one sentence describes all inconclusive pairs.
const MOST_OPEN_SENTENCES: usize = 3;

/// If at least this many pairs are inconclusive, the sentence gives only the number of these pairs.
const MOST_OPEN_NAMES: usize = 8;

impl Comparison {
    /// Returns one sentence for each pair. The last sentences describe the method of the comparison.
    pub fn sentences(&self) -> Vec<String> {
        let is_open =
            |pair: &&Pair| pair.conclusions().iter().flatten().all(|&conclusion| conclusion == Conclusion::Open);
        let open: Vec<&Pair> = self.pairs.iter().filter(is_open).collect();
        let is_told = |pair: &&Pair| open.len() <= MOST_OPEN_SENTENCES || !is_open(pair);
        let mut sentences: Vec<String> = self.pairs.iter().filter(is_told).map(|pair| self.sentence(pair)).collect();
        let names = |pair: &Pair| self.names(pair).join(" and ");
        sentences.extend(match open.len() {
            0..=MOST_OPEN_SENTENCES => None,
            all if all == self.pairs.len() => {
                Some(format!("All comparisons of these {} configurations are inconclusive.", self.groups.len()))
            }
            n @ MOST_OPEN_NAMES.. => Some(format!(
                "{n} comparisons are inconclusive. In the table, inconclusive comparisons are marked `open`."
            )),
            _ => {
                let named = open.iter().map(|pair| names(pair)).collect::<Vec<_>>().join("; ");
                Some(format!("The comparisons of these configurations are inconclusive: {named}."))
            }
        });
        for pair in self.pairs.iter().filter(|pair| pair.is_same) {
            let names = names(pair);
            sentences.push(format!(
                "{names} had the same result in every pair of runs. The settings in which these configurations differ have no effect in these runs."
            ));
        }
        if let Some(omnibus) = &self.omnibus {
            let ranks = self.groups.iter().zip(&omnibus.friedman.mean_ranks);
            let rank =
                |(group, &rank): (&Group, &f64)| format!("{}: {}", printable(&group.name), rounded_text(rank, 100.0));
            let ranks = ranks.map(rank).collect::<Vec<_>>().join("; ");
            let (n, p) = (omnibus.instances, p_text(omnibus.friedman.p_value));
            let (test, difference) = match omnibus.incomplete {
                0 => {
                    let (difference, level) = (omnibus.critical_difference, self.confidence.level_percent());
                    let difference = rounded_text(difference, 100.0);
                    ("Friedman's test".to_owned(), format!(" Critical difference: {difference} (Nemenyi, {level} %)."))
                }
                some => (
                    format!("Skillings and Mack's test (on {some} instances, at least one configuration has no runs)"),
                    String::new(),
                ),
            };
            sentences.push(format!("{test} over {n} instances: {p}. Mean ranks (1 is best): {ranks}.{difference}"));
        }
        sentences.push(self.method().join(" "));
        sentences
    }

    fn names(&self, pair: &Pair) -> [String; 2] {
        [pair.first, pair.second].map(|at| printable(&self.groups[at].name).into_owned())
    }

    fn sentence(&self, pair: &Pair) -> String {
        let names = self.names(pair);
        let [these, like_these] = pair.conclusions();
        let these = these.unwrap_or(Conclusion::Open);
        // The size is given from the side of the configuration that does better.
        let is_second = [Some(these), like_these].contains(&Some(Conclusion::Second));
        let effect = if is_second { pair.effect.mirrored() } else { pair.effect.clone() };
        let size = match self.metric {
            Metric::Solved => self.short_size(&effect),
            _ => {
                let name = &names[usize::from(is_second)];
                format!("a run of {name} does better in {} (a tie counts as half a win)", self.short_size(&effect))
            }
        };
        let said = |conclusion| self.said(conclusion, &names);
        let here = if effect.instances == 1 {
            "this instance".to_owned()
        } else {
            format!("these {} instances", effect.instances)
        };
        let answer = |question| effect.answer(question).map(|answer| self.answer(answer)).unwrap_or_default();
        let (on_these, on_others) = (answer(Question::TheseInstances), answer(Question::InstancesLikeThese));
        let mut sentence = match like_these {
            None => format!("On {here} {}: {size} ({on_these})", said(these)),
            Some(same) if same == these => {
                // The name of a configuration keeps its first letter.
                let said = if same == Conclusion::Open { capital(&said(same)) } else { said(same) };
                format!("{said}: {size}; {here}: {on_these}; instances like these: {on_others}")
            }
            Some(Conclusion::Open) => {
                format!(
                    "On {here} {}: {size} ({on_these}); the result on instances like these is inconclusive ({on_others})",
                    said(these)
                )
            }
            Some(other) => {
                let alone =
                    if these == Conclusion::Open { "the result is inconclusive".to_owned() } else { said(these) };
                format!(
                    "On instances like these, {}: {size} ({on_others}); on {here} alone, {alone} ({on_these})",
                    said(other)
                )
            }
        };
        let tells = |conclusion: Option<Conclusion>| matches!(conclusion, Some(Conclusion::First | Conclusion::Second));
        let last = like_these.unwrap_or(these);
        if last == Conclusion::Open {
            sentence += &self.what_would_decide(&effect);
        }
        if tells(Some(last)) && effect.is_within_margin(effect.answer_for_most().interval) {
            sentence += "; the difference lies within the margin";
        }
        if let Some(p) = effect.log_rank_corrected {
            sentence += &format!("; log-rank test: {}", p_text(p));
        }
        sentence += &self.buckets(pair, last);
        let is_told = tells(Some(these)) || tells(like_these);
        let dependences = pair.averaged_over.iter().map(|over| self.dependence(over, is_told, is_second));
        sentence + &dependences.collect::<String>() + "."
    }

    /// A clause that says how the difference depends on a key over which runs are averaged. The difference is described from the side of
    /// the better configuration.
    fn dependence(&self, over: &AveragedOver, is_told: bool, is_second: bool) -> String {
        let key = printable(&over.key);
        let seen = |effect: &Effect| if is_second { effect.mirrored() } else { effect.clone() };
        let levels: Vec<(&str, Effect)> =
            over.levels.iter().map(|(value, effect)| (value.as_str(), seen(effect))).collect();
        let by_size = |(_, one): &&(&str, Effect), (_, other): &&(&str, Effect)| one.size.total_cmp(&other.size);
        let [Some(least), Some(most)] = [levels.iter().min_by(by_size), levels.iter().max_by(by_size)] else {
            return String::new();
        };
        let mut text = String::new();
        if over.p_interaction < self.confidence.level() {
            let at = |(value, effect): &(&str, Effect)| format!("{} at {}", self.short_size(effect), printable(value));
            let p = p_text(over.p_interaction);
            text += &format!("; the difference depends on {key} ({p}): from {} to {}", at(least), at(most));
        }
        let is_against = |effect: &Effect| effect.conclusion(Question::TheseInstances) == Conclusion::Second;
        let against: Vec<_> =
            levels.iter().filter(|(_, effect)| is_against(effect)).map(|(value, _)| printable(value)).collect();
        if is_told && !against.is_empty() {
            text += &format!("; on these instances, the opposite holds at {key} = {}", against.join(", "));
        }
        text
    }

    /// A clause about the buckets in which the conclusion is different.
    fn buckets(&self, pair: &Pair, conclusion: Conclusion) -> String {
        let such = |wanted: Conclusion| {
            let there = pair.buckets.iter().filter(|(_, effect)| effect.conclusion(effect.widest_question()) == wanted);
            there.map(|(bucket, _)| printable(bucket).into_owned()).collect::<Vec<_>>()
        };
        let told = [Conclusion::First, Conclusion::Second].map(|side| (side, such(side)));
        let open = such(Conclusion::Open);
        let mut text = String::new();
        for (side, there) in told.into_iter().filter(|(side, there)| *side != conclusion && !there.is_empty()) {
            let what = match conclusion {
                Conclusion::First | Conclusion::Second => "the opposite holds".to_owned(),
                Conclusion::Alike | Conclusion::Open => self.said(side, &self.names(pair)),
            };
            text += &format!("; {what} at {}", there.join(", "));
        }
        if !open.is_empty() && open.len() < pair.buckets.len() {
            text += &format!("; inconclusive at {} alone", open.join(", "));
        }
        text
    }

    /// The words for a conclusion about two configurations.
    fn said(&self, conclusion: Conclusion, [first, second]: &[String; 2]) -> String {
        let better = self.metric.better(self.direction);
        match conclusion {
            Conclusion::First => format!("{first} {better} than {second}"),
            Conclusion::Second => format!("{second} {better} than {first}"),
            Conclusion::Alike => format!("{first} and {second} are alike within the margin"),
            Conclusion::Open => format!("the comparison of {first} and {second} is inconclusive"),
        }
    }

    /// A clause with the reason for an inconclusive comparison, or with the number of instances or runs that would be needed.
    fn what_would_decide(&self, effect: &Effect) -> String {
        let tests = self.pairs.len() as f64 * self.look_factor;
        let smallest = effect.answer_for_most().smallest_p * tests;
        let level = self.confidence.level();
        if smallest >= level {
            let best = p_text(smallest.min(1.0));
            return format!(
                "; with so few runs, no result can reach p < {level} (the lowest possible value is {best})"
            );
        }
        let needed = effect.needed(tests.round() as usize);
        needed
            .map(|needed| format!("; if the true difference is the observed difference, {needed}"))
            .unwrap_or_default()
    }

    fn short_size(&self, effect: &Effect) -> String {
        let unit = if self.metric == Metric::Solved { "points" } else { "% of cases" };
        format!("{} {unit}", percent(effect.size))
    }

    /// The text for an answer: the interval and the p-value.
    fn answer(&self, answer: &Answer) -> String {
        let [low, high] = interval_ends(100.0 * answer.interval.low, 100.0 * answer.interval.high, TENTH);
        format!("{} {low} to {high}, {}", self.confidence, p_text(answer.p_corrected))
    }
}

impl Pair {
    /// The conclusions for these instances, and for instances like these if there are several instances.
    pub(super) fn conclusions(&self) -> [Option<Conclusion>; 2] {
        [Question::TheseInstances, Question::InstancesLikeThese]
            .map(|question| self.effect.answer(question).map(|_| self.effect.conclusion(question)))
    }
}

impl Effect {
    /// The answer for instances like these; with a single instance, the answer for this instance.
    pub(crate) fn answer_for_most(&self) -> &Answer {
        self.like_these.as_ref().unwrap_or(&self.these)
    }

    /// The question that [`answer_for_most`](Self::answer_for_most) answers.
    pub(crate) fn widest_question(&self) -> Question {
        if self.like_these.is_some() { Question::InstancesLikeThese } else { Question::TheseInstances }
    }
}

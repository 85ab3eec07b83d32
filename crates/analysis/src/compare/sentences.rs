//! The sentences of comparisons.

use super::{Answer, AveragedOver, Comparison, Conclusion, Effect, Pair, Question};
use crate::metric::Metric;
use crate::table::{TENTH, interval_ends};
use evogrid_results::format::{capital, p_text, percent, printable, rounded_text};

/// If more pairs than this are inconclusive, one sentence names them all.
const MOST_OPEN_SENTENCES: usize = 3;

/// From so many on it counts them.
const MOST_OPEN_NAMES: usize = 8;

impl Comparison {
    /// One sentence for each pair, then how the comparison was made.
    pub fn sentences(&self) -> Vec<String> {
        let is_open =
            |pair: &&Pair| pair.conclusions().iter().flatten().all(|&conclusion| conclusion == Conclusion::Open);
        let open: Vec<&Pair> = self.pairs.iter().filter(is_open).collect();
        let is_told = |pair: &&Pair| open.len() <= MOST_OPEN_SENTENCES || !is_open(pair);
        let mut sentences: Vec<String> = self.pairs.iter().filter(is_told).map(|pair| self.sentence(pair)).collect();
        let between = match open.len() {
            0..=MOST_OPEN_SENTENCES => None,
            all if all == self.pairs.len() => Some(format!("any two of these {} configurations", self.groups.len())),
            MOST_OPEN_NAMES.. => {
                Some(format!("the configurations of {} pairs, which are `open` in the table", open.len()))
            }
            _ => Some(open.iter().map(|pair| self.names(pair).join(" and ")).collect::<Vec<_>>().join("; ")),
        };
        sentences.extend(between.map(|between| format!("No difference can be told between {between}.")));
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
                .map(|(group, &rank)| format!("{}: {}", printable(&group.name), rounded_text(rank, 100.0)))
                .collect();
            let (n, p, ranks) = (omnibus.instances, p_text(omnibus.friedman.p_value), ranks.join("; "));
            let difference = rounded_text(omnibus.critical_difference, 100.0);
            sentences.push(match omnibus.incomplete {
                0 => format!(
                    "Friedman's test over {n} instances: {p}. Mean ranks (1 is best): {ranks}. Critical difference: {difference} (Nemenyi, {} %).",
                    self.confidence.level_percent()
                ),
                some => format!(
                    "Skillings and Mack's test over {n} instances, on {some} of which not all configurations have runs: {p}. Mean ranks (1 is \
                     best): {ranks}."
                ),
            });
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
        // The size is told from the side of the one that does better.
        let is_second = [Some(these), like_these].contains(&Some(Conclusion::Second));
        let effect = if is_second { pair.effect.mirrored() } else { pair.effect.clone() };
        let size = self.size(&effect, &names[usize::from(is_second)]);
        let said = |conclusion| self.said(conclusion, &names);
        let here = these_instances(effect.instances);
        let answer = |question| effect.answer(question).map(|answer| self.answer(answer)).unwrap_or_default();
        let (on_these, on_others) = (answer(Question::TheseInstances), answer(Question::InstancesLikeThese));
        let mut sentence = match like_these {
            None => format!("On {here} {}: {size} ({on_these})", said(these)),
            Some(same) if same == these => {
                // The name of a configuration stays as it is.
                let said = if same == Conclusion::Open { capital(&said(same)) } else { said(same) };
                format!("{said}: {size}; {here}: {on_these}; instances like these: {on_others}")
            }
            Some(Conclusion::Open) => format!(
                "On {here} {}: {size} ({on_these}); on instances like these no difference can be told ({on_others})",
                said(these)
            ),
            Some(other) => format!(
                "On instances like these {}: {size} ({on_others}); on {here} alone {} ({on_these})",
                said(other),
                if these == Conclusion::Open { "no difference can be told".to_owned() } else { said(these) }
            ),
        };
        let tells = |conclusion: Option<Conclusion>| matches!(conclusion, Some(Conclusion::First | Conclusion::Second));
        let is_told = tells(Some(these)) || tells(like_these);
        let last = like_these.unwrap_or(these);
        if last == Conclusion::Open {
            sentence += &self.what_would_tell(&effect);
        }
        if tells(Some(last)) && effect.is_within_margin(effect.answer_for_most().interval) {
            sentence += "; the difference lies within the margin";
        }
        if let Some(p) = effect.log_rank_corrected {
            sentence += &format!("; log-rank test: {}", p_text(p));
        }
        sentence += &self.buckets(pair, last);
        sentence
            + &pair.averaged_over.iter().map(|over| self.dependence(over, is_told, is_second)).collect::<String>()
            + "."
    }

    /// How the difference depends on a key that it is averaged over, seen from the side of the one that does better.
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
            text += &format!("; it depends on {key} ({}): {} to {}", p_text(over.p_interaction), at(least), at(most));
        }
        let is_against = |effect: &Effect| effect.conclusion(Question::TheseInstances) == Conclusion::Second;
        let against: Vec<_> =
            levels.iter().filter(|(_, effect)| is_against(effect)).map(|(value, _)| printable(value)).collect();
        if is_told && !against.is_empty() {
            text += &format!("; the other way round on these instances at {key} = {}", against.join(", "));
        }
        text
    }

    /// The buckets where the conclusion is another one.
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
                Conclusion::First | Conclusion::Second => "the other way round".to_owned(),
                Conclusion::Alike | Conclusion::Open => self.said(side, &self.names(pair)),
            };
            text += &format!("; {what} at {}", there.join(", "));
        }
        if !open.is_empty() && open.len() < pair.buckets.len() {
            text += &format!("; it cannot be told at {} alone", open.join(", "));
        }
        text
    }

    /// What a conclusion says of two configurations.
    fn said(&self, conclusion: Conclusion, [first, second]: &[String; 2]) -> String {
        let better = self.metric.better(self.direction);
        match conclusion {
            Conclusion::First => format!("{first} {better} than {second}"),
            Conclusion::Second => format!("{second} {better} than {first}"),
            Conclusion::Alike => format!("{first} and {second} do alike, within the margin"),
            Conclusion::Open => format!("no difference can be told between {first} and {second}"),
        }
    }

    /// Why a difference cannot be told, and how many instances or runs would show one as large as observed.
    fn what_would_tell(&self, effect: &Effect) -> String {
        let tests = self.pairs.len() as f64 * self.look_factor;
        let smallest = effect.answer_for_most().smallest_p * tests;
        let level = self.confidence.level();
        if smallest >= level {
            return format!(
                "; no result of so few runs could reach p < {level} (at best {})",
                p_text(smallest.min(1.0))
            );
        }
        let needed =
            effect.needed(tests.round() as usize).map(|needed| format!("; if it is as large as observed, {needed}"));
        needed.unwrap_or_default()
    }

    /// How large an effect is, seen from the side of the configuration with this name.
    fn size(&self, effect: &Effect, name: &str) -> String {
        match self.metric {
            Metric::Solved => self.short_size(effect),
            _ => format!("a run of {name} does better in {}, ties by half", self.short_size(effect)),
        }
    }

    fn short_size(&self, effect: &Effect) -> String {
        let unit = if self.metric == Metric::Solved { "points" } else { "% of cases" };
        format!("{} {unit}", percent(effect.size))
    }

    /// The interval and the p-value of an answer.
    fn answer(&self, answer: &Answer) -> String {
        let [low, high] = interval_ends(100.0 * answer.interval.low, 100.0 * answer.interval.high, TENTH);
        format!("{} {low} to {high}, {}", self.confidence, p_text(answer.p_corrected))
    }
}

impl Pair {
    /// What can be told on these instances, and on instances like these, if there are several.
    pub(super) fn conclusions(&self) -> [Option<Conclusion>; 2] {
        [Question::TheseInstances, Question::InstancesLikeThese]
            .map(|question| self.effect.answer(question).map(|_| self.effect.conclusion(question)))
    }
}

impl Effect {
    /// The answer for instances like these; with a single instance, for that one.
    pub(crate) fn answer_for_most(&self) -> &Answer {
        self.like_these.as_ref().unwrap_or(&self.these)
    }

    /// The question that [`answer_for_most`](Self::answer_for_most) answers.
    pub(crate) fn widest_question(&self) -> Question {
        if self.like_these.is_some() { Question::InstancesLikeThese } else { Question::TheseInstances }
    }
}

/// The instances of a comparison in words.
fn these_instances(n: usize) -> String {
    if n == 1 { "this instance".to_owned() } else { format!("these {n} instances") }
}

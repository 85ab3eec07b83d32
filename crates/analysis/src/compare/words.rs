//! What comparisons say, in sentences.

use super::{Comparison, Effect, Matching, Pair, Verdict};
use crate::samples::Metric;
use evogrid_results::format::{p_text, percent, printable, shortest};

impl Comparison {
    /// One sentence for each pair, then how the comparison was made.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        const SHOWN: usize = 3;
        let is_open = |pair: &&Pair| pair.effect.verdict(pair.p_holm) == Verdict::Open;
        let open: Vec<&Pair> = self.pairs.iter().filter(is_open).collect();
        let told = self.pairs.iter().filter(|pair| open.len() <= SHOWN || !is_open(pair));
        let mut sentences: Vec<String> = told.map(|pair| self.sentence(pair)).collect();
        if open.len() > SHOWN {
            let name = |at: usize| printable(&self.groups[at].name);
            let named: Vec<String> =
                open.iter().map(|pair| format!("{} and {}", name(pair.first), name(pair.second))).collect();
            sentences.push(format!("No difference can be told between {}.", named.join("; ")));
        }
        if let Some(omnibus) = &self.omnibus {
            let ranks = self.groups.iter().zip(&omnibus.friedman.mean_ranks);
            let ranks: Vec<String> =
                ranks.map(|(group, rank)| format!("{} {}", printable(&group.name), decimals(*rank, 2))).collect();
            sentences.push(format!(
                "Friedman's test over {} instances: {}. Mean ranks (1 is best): {}; critical difference {} (Nemenyi, 5 %).",
                omnibus.instances,
                p_text(omnibus.friedman.p_value),
                ranks.join(", "),
                decimals(omnibus.critical_difference, 2),
            ));
        }
        sentences.push(self.method());
        sentences
    }

    fn sentence(&self, pair: &Pair) -> String {
        let [first, second] = [pair.first, pair.second].map(|at| printable(&self.groups[at].name));
        let effect = &pair.effect;
        let found = self.found(effect);
        let p = p_text(pair.p_holm);
        let mut sentence = match effect.verdict(pair.p_holm) {
            Verdict::First => format!("{first} {} than {second}: {found}; {p}", self.better()),
            Verdict::Second => {
                format!("{second} {} than {first}: {}; {p}", self.better(), self.found(&effect.mirrored()))
            }
            Verdict::Alike => format!("{first} and {second} do alike: {found}; {p}"),
            Verdict::Open => {
                format!("between {first} and {second} no difference can be told: {found}; {p}{}", needed(effect))
            }
        };
        let overall = effect.verdict(pair.p_holm);
        let named = |wanted: Verdict| {
            let there = pair.buckets.iter().filter(|(_, effect)| effect.verdict(effect.p_value) == wanted);
            there.map(|(bucket, _)| printable(bucket).into_owned()).collect::<Vec<_>>()
        };
        let against = match overall {
            Verdict::First => named(Verdict::Second),
            Verdict::Second => named(Verdict::First),
            _ => Vec::new(),
        };
        if !against.is_empty() {
            sentence += &format!("; the other way round at {}", against.join(", "));
        }
        let open = named(Verdict::Open);
        if !open.is_empty() && open.len() < pair.buckets.len() {
            sentence += &format!("; too few runs to tell at {}", open.join(", "));
        }
        sentence.push('.');
        let mut letters = sentence.chars();
        letters.next().map_or_else(String::new, |letter| {
            // A name keeps its letters; only our own word begins a sentence with a capital.
            if sentence.starts_with("between ") {
                letter.to_uppercase().chain(letters).collect()
            } else {
                sentence.clone()
            }
        })
    }

    fn better(&self) -> &'static str {
        match self.metric {
            Metric::Solved => "solves more",
            Metric::BestFitness => "ends at a lower fitness",
            Metric::Evaluations => "takes fewer evaluations",
            Metric::Generations => "takes fewer generations",
            Metric::Restarts => "takes fewer restarts",
            Metric::WallMs => "takes less time",
            Metric::Diversity { .. } => "keeps more diversity",
        }
    }

    fn found(&self, effect: &Effect) -> String {
        let [size, low, high] = [effect.size, effect.interval.low, effect.interval.high].map(percent);
        match self.metric {
            Metric::Solved => format!("{size} points (95 % {low} to {high})"),
            _ => format!("a run does better in {size} % of cases (95 % {low} to {high})"),
        }
    }

    fn method(&self) -> String {
        let test = self.pairs.first().map_or("", |pair| pair.effect.test);
        let matched = match self.matching {
            Matching::SameSeeds => "Runs are paired by instance and repetition, and had the same seeds",
            Matching::Repetitions => "Runs are paired by instance and repetition; their seeds differ or are not known",
            Matching::Instances => {
                "Runs are matched by instance only: a repetition is missing on one side, or stands there twice"
            }
        };
        let unsolved = match self.metric {
            Metric::Solved | Metric::BestFitness | Metric::Diversity { .. } => "",
            _ => " An unsolved run counts as longer than any.",
        };
        let blocks = if self.metric == Metric::Solved { "" } else { ", blocks are instances" };
        let correction = match self.pairs.len() {
            1 => String::new(),
            n => format!("; Holm's correction over {n} comparisons"),
        };
        format!("{matched}{blocks}. Test: {test}{correction}.{unsolved}")
    }
}

/// How many runs it would take to tell a difference that cannot be told.
fn needed(effect: &Effect) -> String {
    match effect.pairs_needed {
        Some(pairs) if pairs > effect.runs[0] => {
            format!("; one of this size would take some {pairs} pairs of runs, not {}", effect.runs[0])
        }
        _ => String::new(),
    }
}

impl Effect {
    /// The same, seen from the other side.
    fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        let mirror = |value: f64| if self.is_of_rates { -value } else { 1.0 - value };
        mirrored.size = mirror(self.size);
        mirrored.interval.low = mirror(self.interval.high);
        mirrored.interval.high = mirror(self.interval.low);
        mirrored
    }
}

/// With at most so many decimals.
fn decimals(value: f64, n: i32) -> String {
    let step = 10f64.powi(n);
    shortest(Some((value * step).round() / step))
}

//! What comparisons say, in sentences.

use super::{Comparison, Conclusion, Effect, Matching, Pair};
use crate::samples::Metric;
use evogrid_results::format::{p_text, percent, printable, rounded_text};

/// Of more pairs than this whose difference cannot be told one sentence names them all.
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
        sentences.push(self.method());
        sentences
    }

    fn names(&self, pair: &Pair) -> [String; 2] {
        [pair.first, pair.second].map(|at| printable(&self.groups[at].name).into_owned())
    }

    fn sentence(&self, pair: &Pair) -> String {
        let [first, second] = self.names(pair);
        let (effect, better) = (&pair.effect, self.better());
        let (size, p) = (self.size(effect), p_text(pair.p_holm));
        let conclusion = effect.conclusion(pair.p_holm);
        let mut sentence = match conclusion {
            Conclusion::First => format!("{first} {better} than {second}: {size}; {p}"),
            Conclusion::Second => format!("{second} {better} than {first}: {}; {p}", self.size(&effect.mirrored())),
            Conclusion::Alike => format!("{first} and {second} do alike: {size}; {p}"),
            Conclusion::Open => {
                format!("Between {first} and {second} no difference can be told: {size}; {p}{}", needed(effect))
            }
        };
        let buckets = |wanted: Conclusion| {
            let there = pair.buckets.iter().filter(|(_, effect)| effect.conclusion(effect.p_value) == wanted);
            there.map(|(bucket, _)| printable(bucket).into_owned()).collect::<Vec<_>>()
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
            sentence += &format!("; too few runs to tell at {}", open.join(", "));
        }
        sentence + "."
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

    /// How large an effect is, with its interval.
    fn size(&self, effect: &Effect) -> String {
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
        let mirror = |value: f64| if self.is_of_rates { -value } else { 1.0 - value };
        let mut mirrored = self.clone();
        mirrored.size = mirror(self.size);
        mirrored.interval.low = mirror(self.interval.high);
        mirrored.interval.high = mirror(self.interval.low);
        mirrored
    }
}

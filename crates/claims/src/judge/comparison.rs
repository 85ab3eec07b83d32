//! Comparisons: one configuration does better than others.
//!
//! Runs are paired: same instance, same repetition (and so the same random stream if the experiment is seeded `paired`), same value of
//! every setting that neither side names. They are judged like every comparison, by an [`Effect`].

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, Grid, Judge, Verdict};
use evogrid_analysis::compare::{
    Answer, Conclusion, Confidence, Criteria, Effect, FEW_INSTANCES, InstanceOutcomes, Question, correct,
};
use evogrid_analysis::metric::{Metric, Subject};
use evogrid_analysis::samples::{Roster, Sample, Samples, Selection, SelectionError, Selector, pairs};
use evogrid_analysis::table::{TENTH, interval_ends};
use evogrid_results::format::{p_text, p_value, percent};
use evogrid_statistics::PairCounts;

/// A claim that the runs of one selection are better than those of other selections.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonClaim {
    /// The metric that is compared.
    pub metric: Metric,
    /// The side that the claim is about.
    pub of: Selector,
    /// The sides with which it is compared.
    pub against: Alternatives,
    /// The condition on both sides.
    pub within: Selector,
    /// The claimed result.
    pub expect: Expectation,
    /// Number of comparisons from which this one was chosen: each p-value is multiplied by it (Bonferroni). 1 if it was not chosen.
    pub tests: u64,
    /// The margin and the confidence of the experiment ([`ClaimKind::judged_by`](super::ClaimKind::judged_by)); until they are known, the
    /// program's.
    pub criteria: Criteria,
}

/// The alternatives of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternatives {
    /// The runs of each of these selectors, in one comparison each.
    These(Vec<Selector>),
    /// Every other value of the settings in the selector of the side.
    Others,
}

evogrid_core::choices! {
    /// The claimed result for the side.
    pub enum Expectation {
        /// Its value is higher.
        Higher = "higher",
        /// Its value is lower.
        Lower = "lower",
        /// There is no relevant difference.
        Same = "same",
        /// Not a single pair differs.
        Identical = "identical",
    }
}

/// One comparison: the side of the claim beside an alternative.
struct Alternative<'a> {
    label: String,
    /// The side of the claim is the first. It does better where runs are as claimed.
    effect: Effect,
    own: Vec<&'a Sample>,
    other: Vec<&'a Sample>,
    /// Pairs of runs: for the claim, against it, neither.
    pairs: PairCounts,
}

impl Judge for ComparisonClaim {
    fn check(&self, roster: &Roster) -> Result<(), SelectionError> {
        self.selections(roster).map(|_| ())
    }

    fn judge(&self, samples: &Samples) -> Result<Finding, SelectionError> {
        let (own, others) = self.selections(&samples.roster)?;
        let key = self.only_key(&others).filter(|_| others.len() > 1);
        let mut alternatives = Vec::new();
        for (selector, selection) in &others {
            alternatives.push(self.pair_with(samples, &own, selector, selection)?);
        }
        // Holm's correction over all comparisons of the claim, and Bonferroni's over those that it was chosen from.
        correct(alternatives.iter_mut().map(|other| &mut other.effect), self.tests.max(1) as f64);
        for other in &mut alternatives {
            if let Some((_, value)) = other.label.split_once(" = ").filter(|_| key.is_some()) {
                other.label = value.to_owned();
            }
        }
        let figure = |runs: &[&Sample]| self.metric.group_figure(samples, runs);
        // Of a single comparison the sentence says it all.
        let (ours, reasons, grids) = if let [only] = alternatives.as_slice() {
            let ours = format!("{} against {}", figure(&only.own), figure(&only.other));
            (ours, vec![self.reason(only), self.method(&alternatives)], Vec::new())
        } else {
            let n_for = alternatives.iter().filter(|other| other.conclusion() == Conclusion::First).count();
            let own = figure(&alternatives[0].own);
            let ours = format!("{own}; better than {n_for} of {} others", alternatives.len());
            let mut reasons = self.reasons(&alternatives);
            reasons.push(self.method(&alternatives));
            (ours, reasons, vec![self.grid(samples, key, &alternatives)])
        };
        // The side of the claim has the same runs in every comparison, or nearly.
        let runs = alternatives.iter().flat_map(|other| other.own.iter().chain(&other.other));
        let runs: BTreeSet<_> = runs.map(|run| (run.configuration(), run.instance(), run.repetition)).collect();
        Ok(Finding {
            verdict: self.verdict(&alternatives),
            published: self.claimed(&alternatives),
            ours,
            published_runs: None,
            runs: runs.len() as u64,
            reasons,
            grids,
        })
    }
}

impl ComparisonClaim {
    /// The runs of the side, and of each alternative.
    fn selections(&self, roster: &Roster) -> Result<(Selection, Vec<(Selector, Selection)>), SelectionError> {
        let within = roster.select(&self.within)?;
        let own = roster.select(&self.of.and(&self.within))?;
        let others = match &self.against {
            Alternatives::These(selectors) => selectors.clone(),
            Alternatives::Others => roster.others(&self.of, &within)?,
        };
        if others.is_empty() {
            return Err(SelectionError::Nothing { conditions: format!("anything but {}", self.of.label()) });
        }
        let select = |selector: Selector| Ok((selector.clone(), roster.select(&selector.and(&self.within))?));
        Ok((own, others.into_iter().map(select).collect::<Result<_, SelectionError>>()?))
    }

    /// The side paired with one alternative; p-value and evidence are set after all alternatives are known.
    fn pair_with<'a>(
        &self,
        samples: &'a Samples,
        own: &Selection,
        selector: &Selector,
        other: &Selection,
    ) -> Result<Alternative<'a>, SelectionError> {
        let (mut own_runs, mut other_runs) = (Vec::new(), Vec::new());
        let mut instances: BTreeMap<usize, InstanceOutcomes> = BTreeMap::new();
        let mut pair_counts = PairCounts::default();
        let is_work = self.metric.declaration().subject == Subject::Work;
        // Of a rate the runs that count cost -1, and the others nothing: where less is claimed, those that are not solved count.
        let cost = |figure: f64| match (self.expect, self.metric) {
            (Expectation::Lower, Metric::Solved) => figure - 1.0,
            (Expectation::Lower, _) => figure,
            _ => -figure,
        };
        for (sample, partner) in pairs(samples, [(&self.of, own), (selector, other)])? {
            let figures = self.metric.figure(samples, sample).zip(self.metric.figure(samples, partner));
            let Some((figure, others)) = figures else { continue };
            let outcomes = instances.entry(sample.instance()).or_default();
            for (side, (run, figure)) in [(sample, figure), (partner, others)].into_iter().enumerate() {
                outcomes.costs[side].push(cost(figure));
                outcomes.times[side].extend(self.metric.observed_time(samples, run).filter(|_| is_work));
            }
            match cost(figure).total_cmp(&cost(others)) {
                Ordering::Less => pair_counts.wins += 1,
                Ordering::Equal => pair_counts.ties += 1,
                Ordering::Greater => pair_counts.losses += 1,
            }
            own_runs.push(sample);
            other_runs.push(partner);
        }
        let label = selector.label();
        if instances.is_empty() {
            return Err(SelectionError::NoPairs { left: self.of.label(), right: label });
        }
        samples.check_comparable(self.metric, own_runs.iter().chain(&other_runs).copied())?;
        let instances: Vec<InstanceOutcomes> = instances.into_values().collect();
        let effect = Effect::new(self.metric == Metric::Solved, self.criteria, &instances);
        Ok(Alternative { label, effect, own: own_runs, other: other_runs, pairs: pair_counts })
    }

    fn verdict(&self, alternatives: &[Alternative<'_>]) -> Verdict {
        let all = |wanted: Conclusion| alternatives.iter().all(|other| other.conclusion() == wanted);
        let any = |wanted: Conclusion| alternatives.iter().any(|other| other.conclusion() == wanted);
        let differs = alternatives.iter().any(|other| other.pairs.wins + other.pairs.losses > 0);
        let (holds, fails) = match self.expect {
            Expectation::Identical => (!differs, differs),
            Expectation::Higher | Expectation::Lower => {
                (all(Conclusion::First), any(Conclusion::Second) || any(Conclusion::Alike))
            }
            Expectation::Same => (all(Conclusion::Alike), any(Conclusion::First) || any(Conclusion::Second)),
        };
        Verdict::new(holds, fails)
    }

    /// The claim in a few words.
    fn claimed(&self, alternatives: &[Alternative<'_>]) -> String {
        const MOST_NAMED: usize = 2;
        let than = match &self.against {
            Alternatives::Others => "all others".to_owned(),
            Alternatives::These(_) if alternatives.len() > MOST_NAMED => format!("{} others", alternatives.len()),
            Alternatives::These(_) => enumerated(alternatives),
        };
        let own = self.of.label();
        match self.expect {
            Expectation::Higher if self.metric == Metric::Solved => format!("{own} solves more than {than}"),
            Expectation::Lower if self.metric == Metric::Solved => format!("{own} solves less than {than}"),
            Expectation::Higher => format!("{own}: higher than {than}"),
            Expectation::Lower => format!("{own}: lower than {than}"),
            Expectation::Same => format!("{own}: as {than}"),
            Expectation::Identical => format!("{own}: the same as {than}, run by run"),
        }
    }

    /// The only key that both our side and all alternatives name, if there is one: its value then distinguishes the alternatives.
    fn only_key<'s>(&'s self, others: &[(Selector, Selection)]) -> Option<&'s str> {
        let [(key, _)] = self.of.0.as_slice() else { return None };
        let names_it = |selector: &Selector| matches!(selector.0.as_slice(), [(other, _)] if other == key);
        others.iter().all(|(selector, _)| names_it(selector)).then_some(key)
    }

    /// The sentence about the only comparison of a claim.
    fn reason(&self, only: &Alternative<'_>) -> String {
        let pairs = only.pairs;
        let mut reason = format!(
            "Of {} pairs, {} support it, {} contradict it, {} do neither: {} ({}).",
            pairs.n(),
            pairs.wins,
            pairs.losses,
            pairs.ties,
            only.size(if self.expect == Expectation::Lower { "lower" } else { "higher" }),
            p_text(only.answer().p_corrected),
        );
        if only.conclusion() == Conclusion::Alike {
            reason += &format!(" No difference is found, and the interval lies within {}.", only.effect.margin_text());
        }
        if let (Conclusion::Open, Some(needed)) = (only.conclusion(), only.effect.needed(1)) {
            reason += &format!(" If it is as large as observed, {needed}.");
        }
        reason
    }

    /// The sentences about several comparisons.
    fn reasons(&self, alternatives: &[Alternative<'_>]) -> Vec<String> {
        let mut reasons = Vec::new();
        for (conclusion, words) in [
            (Conclusion::First, "It is supported by the comparisons with"),
            (Conclusion::Second, "It is contradicted by those with"),
            (Conclusion::Alike, "No relevant difference from"),
            (Conclusion::Open, "Inconclusive against"),
        ] {
            let such = || alternatives.iter().filter(|other| other.conclusion() == conclusion);
            if such().next().is_some() {
                reasons.push(format!("{words} {}.", enumerated(such())));
            }
        }
        let against = alternatives.iter().filter(|other| other.conclusion() == Conclusion::Second);
        if let Some(best) = against.min_by(|a, b| a.effect.size.total_cmp(&b.effect.size)) {
            reasons.push(format!("What does best against it is {}.", best.label));
        }
        reasons
    }

    /// The population for which intervals and p-values hold, and their corrections.
    fn method(&self, alternatives: &[Alternative<'_>]) -> String {
        let fewest = alternatives.iter().map(|other| other.effect.instances).min().unwrap_or_default();
        let mut method = if fewest < FEW_INSTANCES {
            let these = if fewest == 1 { "this instance" } else { "these instances" };
            format!(
                "The question is what runs on {these} show (fewer than {FEW_INSTANCES}), by a permutation test of the runs"
            )
        } else {
            format!(
                "The question is what instances like these would show, by Student's t of the differences on {fewest} instances"
            )
        };
        if alternatives.len() > 1 {
            method += &format!("; Holm's correction over {} comparisons", alternatives.len());
        }
        if self.tests > 1 {
            method += &format!("; chosen from {} comparisons, so p counts {} times", self.tests, self.tests);
        }
        if alternatives.len() > 1 || self.tests > 1 {
            method += "; intervals are of each comparison alone";
        }
        if self.criteria.margin.is_declared {
            method += &format!("; no relevant difference is one within {}", alternatives[0].effect.margin_text());
        }
        if self.criteria.confidence != Confidence::PERCENT_95 {
            method += &format!("; the experiment's confidence is {}", self.criteria.confidence);
        }
        method + "."
    }

    fn grid(&self, samples: &Samples, key: Option<&str>, alternatives: &[Alternative<'_>]) -> Grid {
        let [claimed, other] = ["claimed", "other"].map(|side| format!("{}, {side}", self.metric.name()));
        let sides = [key.unwrap_or("against"), &claimed, &other];
        let unit = if self.metric == Metric::Solved { "points" } else { "better %" };
        let effect = &format!("{unit} ({})", self.criteria.confidence);
        let figures = ["pairs", "for", "against it", effect, "p", "says"];
        let mut grid = Grid::new(sides.into_iter().chain(figures), 1);
        for other in alternatives {
            let pairs = other.pairs;
            let says = match other.conclusion() {
                Conclusion::First => "for",
                Conclusion::Second => "against",
                Conclusion::Alike => "no difference",
                Conclusion::Open => "open",
            };
            grid.rows.push(vec![
                other.label.clone(),
                self.metric.group_figure(samples, &other.own),
                self.metric.group_figure(samples, &other.other),
                pairs.n().to_string(),
                pairs.wins.to_string(),
                pairs.losses.to_string(),
                other.interval(),
                p_value(other.answer().p_corrected),
                says.to_owned(),
            ]);
        }
        grid
    }
}

impl Alternative<'_> {
    /// The question for judging the claim: about instances like these, unless there are too few instances.
    fn question(&self) -> Question {
        if self.effect.instances < FEW_INSTANCES { Question::TheseInstances } else { Question::InstancesLikeThese }
    }

    fn answer(&self) -> &Answer {
        self.effect.answer(self.question()).expect("there are several instances")
    }

    fn conclusion(&self) -> Conclusion {
        self.effect.conclusion(self.question())
    }

    /// The effect size with its interval, for a table.
    fn interval(&self) -> String {
        let (size, interval) = (self.effect.size, self.answer().interval);
        let [low, high] = interval_ends(100.0 * interval.low, 100.0 * interval.high, TENTH);
        format!("{} ({low} to {high})", percent(size))
    }

    /// The effect size for a sentence; `word` is the word for the claimed direction.
    fn size(&self, word: &str) -> String {
        let (Effect { size, is_of_rates, criteria, .. }, interval) = (&self.effect, self.answer().interval);
        let confidence = criteria.confidence;
        let [low, high] = interval_ends(100.0 * interval.low, 100.0 * interval.high, TENTH);
        let size = percent(*size);
        if *is_of_rates {
            format!("{size} points ({confidence} {low} to {high})")
        } else {
            format!("in {size} % of cases the figure is the {word} ({confidence} {low} to {high})")
        }
    }
}

/// Their labels: `a; b and c`.
fn enumerated<'a>(alternatives: impl IntoIterator<Item = &'a Alternative<'a>>) -> String {
    let labels: Vec<&str> = alternatives.into_iter().map(|other| other.label.as_str()).collect();
    match labels.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join("; ")),
    }
}

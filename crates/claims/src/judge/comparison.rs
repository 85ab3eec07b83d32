//! Comparisons: claims that one configuration is better than other configurations.
//!
//! Paired runs have the same instance and the same repetition. If a setting is named by neither side of the comparison, paired runs also
//! have the same value of this setting. If the seeds of the experiment are `paired`, paired runs also have the same random stream. An
//! [`Effect`] is computed from the paired runs, as in all other comparisons of this program.

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

/// A claim that compares the runs of one selection with the runs of other selections. The runs of the first selection are called the
/// claimed runs. All selections after the first one are called alternatives. The claim says that the claimed runs are better than the
/// alternatives, worse than the alternatives, or equal to the alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonClaim {
    /// The metric that is compared.
    pub metric: Metric,
    /// The alternatives, with which the claimed runs are compared.
    pub against: Alternatives,
    /// The condition that all compared runs must meet.
    pub within: Selector,
    /// The claimed result.
    pub expect: Expectation,
    /// The number of comparisons from which the paper chose the claimed comparison. The number is 1 if the paper did not choose among
    /// comparisons. Each p-value is multiplied by this number (Bonferroni).
    pub tests: u64,
    /// The margin and the confidence of the experiment. [`ClaimKind::judged_by`](super::ClaimKind::judged_by) sets them.
    pub criteria: Criteria,
}

/// The alternatives of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternatives {
    /// The runs that these selectors select. The claimed runs are compared separately with the runs of each selector.
    These(Vec<Selector>),
    /// The selector of the claimed runs names some settings. The alternatives are all runs with other values of these settings.
    Others,
}

evogrid_core::choices! {
    /// The result that the claim predicts. The claimed runs are the runs that the claim is about.
    pub enum Expectation {
        /// The claimed runs have a higher value than the alternatives.
        Higher = "higher",
        /// The claimed runs have a lower value than the alternatives.
        Lower = "lower",
        /// The difference between the claimed runs and the alternatives is too small to be relevant.
        Same = "same",
        /// The two runs of each pair have equal values.
        Identical = "identical",
    }
}

/// One comparison: the claimed runs and an alternative.
struct Alternative<'a> {
    label: String,
    /// The effect of the claimed runs, compared with the alternative. The effect is positive if the runs support the claim.
    effect: Effect,
    own: Vec<&'a Sample>,
    other: Vec<&'a Sample>,
    /// The numbers of pairs of runs that support the claim, contradict the claim, or are equal.
    pairs: PairCounts,
}

impl Judge for ComparisonClaim {
    fn check(&self, roster: &Roster, of: &Selector) -> Result<(), SelectionError> {
        self.selections(roster, of).map(|_| ())
    }

    fn judge(&self, samples: &Samples, of: &Selector, _: &Selection) -> Result<Finding, SelectionError> {
        let (own, others) = self.selections(&samples.roster, of)?;
        let key = only_key(of, &others).filter(|_| others.len() > 1);
        let mut alternatives = Vec::new();
        for (selector, selection) in &others {
            alternatives.push(self.pair_with(samples, [(of, &own), (selector, selection)])?);
        }
        // Holm's correction over all comparisons of the claim, and Bonferroni's over the comparisons from which the claim was chosen.
        correct(alternatives.iter_mut().map(|other| &mut other.effect), self.tests.max(1) as f64);
        for other in &mut alternatives {
            if let Some((_, value)) = other.label.split_once(" = ").filter(|_| key.is_some()) {
                other.label = value.to_owned();
            }
        }
        let figure = |runs: &[&Sample]| self.metric.group_figure(samples, runs);
        // A single comparison needs no table.
        let (ours, reasons, grids) = if let [only] = alternatives.as_slice() {
            let ours = format!("{} for the first, {} for the second", figure(&only.own), figure(&only.other));
            (ours, vec![self.reason(only, of), self.method(&alternatives)], Vec::new())
        } else {
            let n_for = alternatives.iter().filter(|other| other.conclusion() == Conclusion::First).count();
            let own = figure(&alternatives[0].own);
            let ours = format!("{own}; better than {n_for} of {} alternatives", alternatives.len());
            let mut reasons = self.reasons(&alternatives);
            reasons.push(self.method(&alternatives));
            (ours, reasons, vec![self.grid(samples, key, &alternatives)])
        };
        // The claimed runs are in several comparisons.
        let runs = alternatives.iter().flat_map(|other| other.own.iter().chain(&other.other));
        let runs: BTreeSet<_> = runs.map(|run| (run.configuration(), run.instance(), run.repetition)).collect();
        Ok(Finding {
            verdict: self.verdict(&alternatives),
            published: self.claimed(&alternatives, of),
            ours,
            runs: runs.len() as u64,
            reasons,
            grids,
            ..Finding::default()
        })
    }
}

impl ComparisonClaim {
    /// The claimed runs, and the runs of each alternative.
    fn selections(
        &self,
        roster: &Roster,
        of: &Selector,
    ) -> Result<(Selection, Vec<(Selector, Selection)>), SelectionError> {
        let within = roster.select(&self.within)?;
        let own = roster.select(&of.and(&self.within))?;
        let others = match &self.against {
            Alternatives::These(selectors) => selectors.clone(),
            Alternatives::Others => roster.others(of, &within)?,
        };
        if others.is_empty() {
            return Err(SelectionError::nothing(format_args!("anything but {}", of.label())));
        }
        let select = |selector: Selector| Ok((selector.clone(), roster.select(&selector.and(&self.within))?));
        Ok((own, others.into_iter().map(select).collect::<Result<_, SelectionError>>()?))
    }

    /// Pairs the claimed runs with the runs of one alternative. The p-value is corrected after all alternatives are known.
    fn pair_with<'a>(
        &self,
        samples: &'a Samples,
        sides: [(&Selector, &Selection); 2],
    ) -> Result<Alternative<'a>, SelectionError> {
        let (mut own_runs, mut other_runs) = (Vec::new(), Vec::new());
        let mut instances: BTreeMap<usize, InstanceOutcomes> = BTreeMap::new();
        let mut pair_counts = PairCounts::default();
        let is_work = self.metric.declaration().subject == Subject::Work;
        // In a rate, a run that counts costs -1, and any other run costs 0. If a lower rate is claimed, unsolved runs count.
        let cost = |figure: f64| match (self.expect, self.metric) {
            (Expectation::Lower, Metric::Solved) => figure - 1.0,
            (Expectation::Lower, _) => figure,
            _ => -figure,
        };
        for (sample, partner) in pairs(samples, sides)? {
            let figures = self.metric.figure(samples, sample).zip(self.metric.figure(samples, partner));
            let Some((figure, others)) = figures else { continue };
            let outcomes = instances.entry(sample.instance()).or_default();
            for (side, (run, figure)) in [(sample, figure), (partner, others)].into_iter().enumerate() {
                outcomes.costs[side].push(cost(figure));
                outcomes.times[side].extend(self.metric.observed_time(samples, run).filter(|_| is_work));
            }
            let order = cost(figure).total_cmp(&cost(others));
            pair_counts.wins += u64::from(order.is_lt());
            pair_counts.ties += u64::from(order.is_eq());
            pair_counts.losses += u64::from(order.is_gt());
            own_runs.push(sample);
            other_runs.push(partner);
        }
        let [own_label, label] = sides.map(|(selector, _)| selector.label());
        if instances.is_empty() {
            return Err(SelectionError::no_pairs(&own_label, &label));
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

    /// A short form of the claim.
    fn claimed(&self, alternatives: &[Alternative<'_>], of: &Selector) -> String {
        const MOST_NAMED: usize = 2;
        let than = match &self.against {
            Alternatives::Others => "each alternative".to_owned(),
            Alternatives::These(_) if alternatives.len() > MOST_NAMED => {
                format!("each of {} alternatives", alternatives.len())
            }
            Alternatives::These(_) => enumerated(alternatives),
        };
        let (words, and) = match (self.expect, self.metric) {
            (Expectation::Higher, Metric::Solved) => ("more runs are solved with".to_owned(), "than with"),
            (Expectation::Lower, Metric::Solved) => ("fewer runs are solved with".to_owned(), "than with"),
            (Expectation::Higher, metric) => (format!("\"{}\" is higher with", metric.name()), "than with"),
            (Expectation::Lower, metric) => (format!("\"{}\" is lower with", metric.name()), "than with"),
            (Expectation::Same, _) => ("no relevant difference between".to_owned(), "and"),
            (Expectation::Identical, _) => ("each run has the same value with".to_owned(), "as with"),
        };
        format!("{words} \"{}\" {and} {than}", of.label())
    }

    /// The sentence about the only comparison of a claim.
    fn reason(&self, only: &Alternative<'_>, of: &Selector) -> String {
        let (pairs, [size, low, high]) = (only.pairs, only.size());
        let word = if self.expect == Expectation::Lower { "lower" } else { "higher" };
        let size = match only.effect.is_of_rates {
            true => format!("The difference of the rates is {size} points"),
            false => format!(
                "On the same instance, the probability that a run with \"{}\" has a {word} value than a run with \"{}\" is {size} %",
                of.label(),
                only.label
            ),
        };
        let mut reason = format!(
            "Of {} pairs of runs, {} support the claim, {} contradict the claim, and {} are equal. {size} ({} interval {low} to {high}, {}).",
            pairs.n(),
            pairs.wins,
            pairs.losses,
            pairs.ties,
            self.criteria.confidence,
            p_text(only.answer().p_corrected),
        );
        if only.conclusion() == Conclusion::Alike {
            reason += &format!(
                " No difference is found. The whole interval lies within the margin. The margin is {}.",
                only.effect.margin_text()
            );
        }
        if let (Conclusion::Open, Some(needed)) = (only.conclusion(), only.effect.needed(1)) {
            reason += &format!(" If the true difference is the observed difference, {needed}.");
        }
        reason
    }

    /// The sentences about several comparisons.
    fn reasons(&self, alternatives: &[Alternative<'_>]) -> Vec<String> {
        let such = |wanted| alternatives.iter().filter(move |other| other.conclusion() == wanted);
        let groups = [
            (Conclusion::First, ["supports the claim", "support the claim"]),
            (Conclusion::Second, ["contradicts the claim", "contradict the claim"]),
            (Conclusion::Alike, ["shows no relevant difference", "show no relevant difference"]),
            (
                Conclusion::Open,
                ["neither supports nor contradicts the claim", "neither support nor contradict the claim"],
            ),
        ];
        let groups = groups.into_iter().filter(|&(conclusion, _)| such(conclusion).next().is_some());
        let sentence = |(conclusion, [one, several]): (Conclusion, [&str; 2])| {
            let labels = enumerated(such(conclusion));
            match such(conclusion).count() {
                1 => format!("The comparison with the alternative {labels} {one}."),
                _ => format!("The comparisons with the alternatives {labels} {several}."),
            }
        };
        let mut reasons: Vec<String> = groups.map(sentence).collect();
        if let Some(best) = such(Conclusion::Second).min_by(|a, b| a.effect.size.total_cmp(&b.effect.size)) {
            reasons.push(format!("The alternative \"{}\" contradicts the claim most strongly.", best.label));
        }
        reasons
    }

    /// Sentences that name the instances for which the result holds, the test, and its corrections.
    fn method(&self, alternatives: &[Alternative<'_>]) -> String {
        let n = alternatives.len();
        let fewest = alternatives.iter().map(|other| other.effect.instances).min().unwrap_or_default();
        let mut method = if fewest < FEW_INSTANCES {
            let these = if fewest == 1 { "this instance" } else { "these instances" };
            format!(
                "The result holds only for {these}. A result for all instances of the same kind needs runs on at least {FEW_INSTANCES} instances. The test is a permutation test of the runs"
            )
        } else {
            format!(
                "The result holds for instances like these. The test is Student's t test of the differences on {fewest} instances"
            )
        };
        let corrected = n > 1 || self.tests > 1;
        let margin = alternatives[0].effect.margin_text();
        for (is_said, clause) in [
            (n > 1, format!("The p-values are corrected for {n} comparisons by Holm's method")),
            (
                self.tests > 1,
                format!("The claim was chosen from {0} comparisons: the p-value is multiplied by {0}", self.tests),
            ),
            (corrected, "The intervals are not corrected: each interval holds for one comparison only".to_owned()),
            (self.criteria.margin.is_declared, format!("A difference within this margin is not relevant: {margin}")),
            (
                self.criteria.confidence != Confidence::PERCENT_95,
                format!("The experiment's confidence is {}", self.criteria.confidence),
            ),
        ] {
            method += &if is_said { format!(". {clause}") } else { String::new() };
        }
        method + "."
    }

    fn grid(&self, samples: &Samples, key: Option<&str>, alternatives: &[Alternative<'_>]) -> Grid {
        let [claimed, other] = ["claimed", "other"].map(|side| format!("{}, {side}", self.metric.name()));
        let sides = [key.unwrap_or("against"), &claimed, &other];
        let unit = if self.metric == Metric::Solved { "points" } else { "better %" };
        let effect = &format!("{unit} ({})", self.criteria.confidence);
        let figures = ["pairs", "for", "against", effect, "p", "result"];
        let mut grid = Grid::new(sides.into_iter().chain(figures), 1);
        for other in alternatives {
            let (pairs, [size, low, high]) = (other.pairs, other.size());
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
                format!("{size} ({low} to {high})"),
                p_value(other.answer().p_corrected),
                says.to_owned(),
            ]);
        }
        grid
    }
}

impl Alternative<'_> {
    /// The question that judges the claim. If there are few instances, the question is about "these instances". If there are more instances,
    /// the question is about "instances like these".
    fn question(&self) -> Question {
        if self.effect.instances < FEW_INSTANCES { Question::TheseInstances } else { Question::InstancesLikeThese }
    }

    fn answer(&self) -> &Answer {
        self.effect
            .answer(self.question())
            .expect("the question about \"instances like these\" is asked only if there are several instances")
    }

    fn conclusion(&self) -> Conclusion {
        self.effect.conclusion(self.question())
    }

    /// The effect size and the ends of its interval, in per cent.
    fn size(&self) -> [String; 3] {
        let interval = self.answer().interval;
        let [low, high] = interval_ends(100.0 * interval.low, 100.0 * interval.high, TENTH);
        [percent(self.effect.size), low, high]
    }
}

/// The key of the alternatives: the only key that the claimed runs and all alternatives name; `None` if they name several keys.
fn only_key<'s>(of: &'s Selector, others: &[(Selector, Selection)]) -> Option<&'s str> {
    let [(key, _)] = of.0.as_slice() else { return None };
    let names_it = |selector: &Selector| matches!(selector.0.as_slice(), [(other, _)] if other == key);
    others.iter().all(|(selector, _)| names_it(selector)).then_some(key)
}

/// The labels of alternatives: `"a", "b" and "c"`.
fn enumerated<'a>(alternatives: impl IntoIterator<Item = &'a Alternative<'a>>) -> String {
    let labels: Vec<String> = alternatives.into_iter().map(|other| format!("\"{}\"", other.label)).collect();
    match labels.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => labels.concat(),
    }
}

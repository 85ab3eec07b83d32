//! Comparisons: one setting does better than others.
//!
//! Runs are paired: same instance, same repetition (so the same random stream where the experiment is seeded `paired`), same
//! value of every setting that neither side names. What counts is how many pairs one side wins, so that a run that was never
//! solved needs no figure of its own. For rates this is McNemar's test, for other figures the sign test: the same formula.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::finding::{Finding, Grid, Judge, Verdict};
use crate::samples::{Metric, Roster, Sample, Samples, Selection, SelectionError, Selector, pairs};
use evogrid_results::format::{p_text, p_value, percent, shortest};
use evogrid_statistics::{PairCounts, holm};

/// A claim that runs chosen one way do better than runs chosen other ways.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonClaim {
    /// The figure that is compared.
    pub metric: Metric,
    /// The side that the claim is about.
    pub of: Selector,
    /// The sides that it is compared with.
    pub against: Alternatives,
    /// What holds for both sides.
    pub within: Selector,
    /// What is claimed.
    pub expect: Expectation,
}

/// What a side is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternatives {
    /// Runs chosen so, one comparison each.
    These(Vec<Selector>),
    /// Every other value of what the side's selector names.
    Others,
}

/// What is claimed of the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Its figure is higher.
    Higher,
    /// Its figure is lower.
    Lower,
    /// There is no difference worth the name.
    Same,
    /// Not one pair differs.
    Identical,
}

/// What one comparison says of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    For,
    Against,
    NoDifference,
    Open,
}

/// One comparison: the side of the claim beside an alternative.
struct Alternative<'a> {
    label: String,
    /// A pair is won by what speaks for the claim.
    pairs: PairCounts,
    own: Vec<&'a Sample>,
    other: Vec<&'a Sample>,
    /// With Holm's correction over all comparisons of the claim.
    p_value: f64,
    evidence: Evidence,
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
        let p_values = holm(&alternatives.iter().map(|other| other.pairs.p_value()).collect::<Vec<_>>());
        for (other, p_value) in alternatives.iter_mut().zip(p_values) {
            other.p_value = p_value;
            other.evidence = evidence(&other.pairs, p_value, self.metric.margin());
            if let Some((_, value)) = other.label.split_once(" = ").filter(|_| key.is_some()) {
                other.label = value.to_owned();
            }
        }
        let figure = |runs: &[&Sample]| self.metric.group_figure(samples, runs);
        // Of a single comparison the sentence says it all.
        let (ours, reasons, grids) = if let [only] = alternatives.as_slice() {
            let ours = format!("{} against {}", figure(&only.own), figure(&only.other));
            (ours, vec![self.reason(only)], Vec::new())
        } else {
            let n_for = alternatives.iter().filter(|other| other.evidence == Evidence::For).count();
            let own = figure(&alternatives[0].own);
            let ours = format!("{own}; better than {n_for} of {} others", alternatives.len());
            (ours, self.reasons(&alternatives), vec![self.grid(samples, key, &alternatives)])
        };
        // The side of the claim has the same runs in every comparison, or nearly.
        let runs = alternatives.iter().flat_map(|other| other.own.iter().chain(&other.other));
        let runs: BTreeSet<_> = runs.map(|run| (run.configuration, run.instance, run.repetition)).collect();
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

    /// The pairs of the side with one alternative; p-value and evidence need all alternatives.
    fn pair_with<'a>(
        &self,
        samples: &'a Samples,
        own: &Selection,
        selector: &Selector,
        other: &Selection,
    ) -> Result<Alternative<'a>, SelectionError> {
        let (mut wins, mut losses, mut ties) = (0, 0, 0);
        let (mut own_runs, mut other_runs) = (Vec::new(), Vec::new());
        for (sample, partner) in pairs(samples, [(&self.of, own), (selector, other)])? {
            let figures = self.metric.figure(samples, sample).zip(self.metric.figure(samples, partner));
            let Some((figure, others)) = figures else { continue };
            let order = figure.total_cmp(&others);
            match if self.expect == Expectation::Lower { order.reverse() } else { order } {
                Ordering::Greater => wins += 1,
                Ordering::Less => losses += 1,
                Ordering::Equal => ties += 1,
            }
            own_runs.push(sample);
            other_runs.push(partner);
        }
        let (label, pairs) = (selector.label(), PairCounts { wins, losses, ties });
        if pairs.n() == 0 {
            return Err(SelectionError::NoPairs { left: self.of.label(), right: label });
        }
        Ok(Alternative { label, pairs, own: own_runs, other: other_runs, p_value: 1.0, evidence: Evidence::Open })
    }

    fn verdict(&self, alternatives: &[Alternative<'_>]) -> Verdict {
        let all = |wanted: Evidence| alternatives.iter().all(|other| other.evidence == wanted);
        let any = |wanted: Evidence| alternatives.iter().any(|other| other.evidence == wanted);
        let differs = alternatives.iter().any(|other| other.pairs.wins + other.pairs.losses > 0);
        let (holds, fails) = match self.expect {
            Expectation::Identical => (!differs, differs),
            Expectation::Higher | Expectation::Lower => {
                (all(Evidence::For), any(Evidence::Against) || any(Evidence::NoDifference))
            }
            Expectation::Same => (all(Evidence::NoDifference), any(Evidence::For) || any(Evidence::Against)),
        };
        Verdict::new(holds, fails)
    }

    /// The claim in short.
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

    /// The key that our side and all others name, and nothing else: then the others are told apart by its value alone.
    fn only_key<'s>(&'s self, others: &[(Selector, Selection)]) -> Option<&'s str> {
        let [(key, _)] = self.of.0.as_slice() else { return None };
        let names_it = |selector: &Selector| matches!(selector.0.as_slice(), [(other, _)] if other == key);
        others.iter().all(|(selector, _)| names_it(selector)).then_some(key)
    }

    fn test(&self) -> &'static str {
        if self.metric == Metric::Solved { "exact McNemar test" } else { "exact sign test" }
    }

    /// What a claim's only comparison says.
    fn reason(&self, only: &Alternative<'_>) -> String {
        let (pairs, interval) = (only.pairs, only.pairs.interval());
        let mut reason = format!(
            "Of {} pairs, {} speak for it, {} against, {} neither way: net {} points (95 % {} to {}; {}, {}).",
            pairs.n(),
            pairs.wins,
            pairs.losses,
            pairs.ties,
            points(pairs.net()),
            points(interval.low),
            points(interval.high),
            self.test(),
            p_text(only.p_value),
        );
        if only.evidence == Evidence::NoDifference {
            let margin = shortest(Some(100.0 * self.metric.margin()));
            reason += &format!(" The interval lies within {margin} points of zero: no difference worth the name.");
        }
        reason
    }

    /// What several comparisons say.
    fn reasons(&self, alternatives: &[Alternative<'_>]) -> Vec<String> {
        let mut reasons = Vec::new();
        for (evidence, words) in [
            (Evidence::For, "For it speak the comparisons with"),
            (Evidence::Against, "Against it speak those with"),
            (Evidence::NoDifference, "No difference worth the name there is to"),
            (Evidence::Open, "Too few runs to tell there are for"),
        ] {
            let such = || alternatives.iter().filter(|other| other.evidence == evidence);
            if such().next().is_some() {
                reasons.push(format!("{words} {}.", enumerated(such())));
            }
        }
        let against = alternatives.iter().filter(|other| other.evidence == Evidence::Against);
        if let Some(best) = against.min_by(|a, b| a.pairs.net().total_cmp(&b.pairs.net())) {
            reasons.push(format!("What does best against it is {}.", best.label));
        }
        let n = alternatives.len();
        reasons.push(format!("({} on pairs, Holm's correction over {n} comparisons.)", self.test()));
        reasons
    }

    fn grid(&self, samples: &Samples, key: Option<&str>, alternatives: &[Alternative<'_>]) -> Grid {
        let [claimed, other] = ["claimed", "other"].map(|side| format!("{}, {side}", self.metric.name()));
        let sides = [key.unwrap_or("against"), &claimed, &other];
        let figures = ["pairs", "for", "against it", "net points (95 %)", "p (Holm)", "says"];
        let mut grid = Grid::new(sides.into_iter().chain(figures), 1);
        for other in alternatives {
            let (pairs, interval) = (other.pairs, other.pairs.interval());
            let says = match other.evidence {
                Evidence::For => "for",
                Evidence::Against => "against",
                Evidence::NoDifference => "no difference",
                Evidence::Open => "open",
            };
            grid.rows.push(vec![
                other.label.clone(),
                self.metric.group_figure(samples, &other.own),
                self.metric.group_figure(samples, &other.other),
                pairs.n().to_string(),
                pairs.wins.to_string(),
                pairs.losses.to_string(),
                format!("{} ({} to {})", points(pairs.net()), points(interval.low), points(interval.high)),
                p_value(other.p_value),
                says.to_owned(),
            ]);
        }
        grid
    }
}

fn evidence(pairs: &PairCounts, p: f64, margin: f64) -> Evidence {
    let interval = pairs.interval();
    let is_within = -margin < interval.low && interval.high < margin;
    match pairs.net() {
        // A difference that is certain but negligible is none: with enough runs every difference is certain.
        _ if is_within => Evidence::NoDifference,
        net if p < 0.05 && net > 0.0 => Evidence::For,
        net if p < 0.05 && net < 0.0 => Evidence::Against,
        _ => Evidence::Open,
    }
}

/// A share as percentage points with a sign.
fn points(share: f64) -> String {
    let text = percent(share);
    if share > 0.0 && text != "0" { format!("+{text}") } else { text }
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

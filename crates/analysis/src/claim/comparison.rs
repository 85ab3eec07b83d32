//! Comparisons: one setting does better than others.
//!
//! Runs are paired: same instance, same repetition (so the same random stream where the experiment is seeded `paired`), same
//! value of every setting that neither side names. What counts is how many pairs one side wins, so that a run that was never
//! solved needs no figure of its own. For rates this is McNemar's test, for other figures the sign test: the same formula.

use std::collections::BTreeSet;

use super::finding::{Finding, Grid, Verdict};
use crate::samples::{Metric, Roster, Sample, Samples, Selection, Selector, Unselected, pairs};
use evogrid_results::format::{p_text, p_value, percent, shortest};
use evogrid_statistics::{PairCounts, holm};

/// A claim that runs chosen one way do better than runs chosen other ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The figure that is compared.
    pub metric: Metric,
    /// The side that the claim is about.
    pub of: Selector,
    /// The sides that it is compared with.
    pub against: Against,
    /// What holds for both sides.
    pub within: Selector,
    /// What is claimed.
    pub expect: Expectation,
}

/// What a side is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
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

/// What one comparison says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Favours,
    Opposes,
    NoDifference,
    Open,
}

/// Pairs of one comparison, with the runs of both sides.
struct Side<'a> {
    label: String,
    pairs: PairCounts,
    left: Vec<&'a Sample>,
    right: Vec<&'a Sample>,
}

impl Side<'_> {
    /// Leaves the key out of a label `key = value`.
    fn drop_key(&mut self) {
        if let Some((_, value)) = self.label.split_once(" = ") {
            self.label = value.to_owned();
        }
    }
}

impl Comparison {
    pub(super) fn check(&self, roster: &Roster) -> Result<(), Unselected> {
        self.selections(roster).map(|_| ())
    }

    pub(super) fn judge(&self, samples: &Samples) -> Result<Finding, Unselected> {
        let (own, others) = self.selections(&samples.roster)?;
        let mut sides: Vec<Side<'_>> = others
            .iter()
            .map(|(selector, selection)| self.side(samples, &own, selector, selection))
            .collect::<Result<_, _>>()?;
        let key = self.only_key(&others).filter(|_| others.len() > 1);
        if key.is_some() {
            sides.iter_mut().for_each(Side::drop_key);
        }
        let p_values = holm(&sides.iter().map(|side| side.pairs.p_value()).collect::<Vec<_>>());
        let outcomes: Vec<Outcome> =
            sides.iter().zip(&p_values).map(|(side, &p)| outcome(&side.pairs, p, self.metric.margin())).collect();
        let first = &sides[0];
        let ours = if sides.len() == 1 {
            let [left, right] = [&first.left, &first.right].map(|runs| self.metric.summed_up(samples, runs));
            format!("{left} against {right}")
        } else {
            let best = outcomes.iter().filter(|&&outcome| outcome == Outcome::Favours).count();
            format!("{}; better than {best} of {} others", self.metric.summed_up(samples, &first.left), sides.len())
        };
        // Of a single comparison the sentence says it all.
        let grids =
            if sides.len() == 1 { Vec::new() } else { vec![self.grid(samples, key, &sides, &p_values, &outcomes)] };
        Ok(Finding {
            verdict: self.verdict(&sides, &outcomes),
            published: self.claimed(&sides),
            ours,
            published_runs: None,
            runs: n_runs(&sides),
            reasons: self.reasons(&sides, &p_values, &outcomes),
            grids,
        })
    }

    fn selections(&self, roster: &Roster) -> Result<(Selection, Vec<(Selector, Selection)>), Unselected> {
        let within = roster.select(&self.within)?;
        let own = roster.select(&self.of.and(&self.within))?;
        let others = match &self.against {
            Against::These(selectors) => selectors.clone(),
            Against::Others => roster.others(&self.of, &within)?,
        };
        if others.is_empty() {
            return Err(Unselected::Nothing { conditions: format!("anything but {}", self.of.label()) });
        }
        let select = |selector: Selector| Ok((selector.clone(), roster.select(&selector.and(&self.within))?));
        Ok((own, others.into_iter().map(select).collect::<Result<_, Unselected>>()?))
    }

    /// The pairs of our side with one other.
    fn side<'a>(
        &self,
        samples: &'a Samples,
        own: &Selection,
        selector: &Selector,
        other: &Selection,
    ) -> Result<Side<'a>, Unselected> {
        let sides = [(&self.of, own), (selector, other)];
        let mut side =
            Side { label: selector.label(), pairs: PairCounts::default(), left: Vec::new(), right: Vec::new() };
        for (sample, partner) in pairs(samples, sides)? {
            let figures = self.metric.of(samples, sample).zip(self.metric.of(samples, partner));
            let Some((left, right)) = figures else { continue };
            let (wins, losses) = if self.expect == Expectation::Lower { (right, left) } else { (left, right) };
            match wins.total_cmp(&losses) {
                std::cmp::Ordering::Greater => side.pairs.wins += 1,
                std::cmp::Ordering::Less => side.pairs.losses += 1,
                std::cmp::Ordering::Equal => side.pairs.ties += 1,
            }
            side.left.push(sample);
            side.right.push(partner);
        }
        if side.pairs.n() == 0 {
            return Err(Unselected::NoPairs { left: self.of.label(), right: side.label });
        }
        Ok(side)
    }

    fn verdict(&self, sides: &[Side<'_>], outcomes: &[Outcome]) -> Verdict {
        let all = |wanted: Outcome| outcomes.iter().all(|&outcome| outcome == wanted);
        let any = |wanted: Outcome| outcomes.contains(&wanted);
        let differs = sides.iter().any(|side| side.pairs.wins + side.pairs.losses > 0);
        match self.expect {
            Expectation::Identical if differs => Verdict::DoesNotHold,
            Expectation::Identical => Verdict::Holds,
            Expectation::Higher | Expectation::Lower if all(Outcome::Favours) => Verdict::Holds,
            Expectation::Higher | Expectation::Lower if any(Outcome::Opposes) || any(Outcome::NoDifference) => {
                Verdict::DoesNotHold
            }
            Expectation::Same if all(Outcome::NoDifference) => Verdict::Holds,
            Expectation::Same if any(Outcome::Favours) || any(Outcome::Opposes) => Verdict::DoesNotHold,
            _ => Verdict::CannotBeTold,
        }
    }

    fn claimed(&self, sides: &[Side<'_>]) -> String {
        const NAMED: usize = 2;
        let than = match &self.against {
            Against::Others => "all others".to_owned(),
            Against::These(_) if sides.len() > NAMED => format!("{} others", sides.len()),
            Against::These(_) => enumerated(&sides.iter().map(|side| side.label.as_str()).collect::<Vec<_>>()),
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
        let is_of_key = |selector: &Selector| matches!(selector.0.as_slice(), [(other, _)] if other == key);
        others.iter().all(|(selector, _)| is_of_key(selector)).then_some(key)
    }

    fn reasons(&self, sides: &[Side<'_>], p_values: &[f64], outcomes: &[Outcome]) -> Vec<String> {
        let test = if self.metric == Metric::Solved { "exact McNemar test" } else { "exact sign test" };
        if let ([side], [p]) = (sides, p_values) {
            let interval = side.pairs.interval();
            let mut reason = format!(
                "Of {} pairs, {} speak for it, {} against, {} neither way: net {} points (95 % {} to {}; {test}, {}).",
                side.pairs.n(),
                side.pairs.wins,
                side.pairs.losses,
                side.pairs.ties,
                points(side.pairs.net()),
                points(interval.low),
                points(interval.high),
                p_text(*p),
            );
            if outcomes[0] == Outcome::NoDifference {
                reason += &format!(
                    " The interval lies within {} points of zero: no difference worth the name.",
                    shortest(Some(100.0 * self.metric.margin()))
                );
            }
            return vec![reason];
        }
        let named = |wanted: Outcome| {
            let named = sides.iter().zip(outcomes).filter(|&(_, &outcome)| outcome == wanted);
            named.map(|(side, _)| side.label.as_str()).collect::<Vec<_>>()
        };
        let mut reasons = Vec::new();
        let kinds = [
            (Outcome::Favours, "For it speak the comparisons with"),
            (Outcome::Opposes, "Against it speak those with"),
            (Outcome::NoDifference, "No difference worth the name there is to"),
            (Outcome::Open, "Too few runs to tell there are for"),
        ];
        for (outcome, words) in kinds {
            let named = named(outcome);
            if !named.is_empty() {
                reasons.push(format!("{words} {}.", enumerated(&named)));
            }
        }
        let worst = sides.iter().zip(outcomes).filter(|&(_, &outcome)| outcome == Outcome::Opposes);
        if let Some((side, _)) = worst.min_by(|(a, _), (b, _)| a.pairs.net().total_cmp(&b.pairs.net())) {
            reasons.push(format!("What does best against it is {}.", side.label));
        }
        reasons.push(format!("({test} on pairs, Holm's correction over {} comparisons.)", sides.len()));
        reasons
    }

    fn grid(
        &self,
        samples: &Samples,
        key: Option<&str>,
        sides: &[Side<'_>],
        p_values: &[f64],
        outcomes: &[Outcome],
    ) -> Grid {
        let [claimed, other] = ["claimed", "other"].map(|side| format!("{}, {side}", self.metric.name()));
        let header = [
            key.unwrap_or("against"),
            &claimed,
            &other,
            "pairs",
            "for",
            "against it",
            "net points (95 %)",
            "p (Holm)",
            "says",
        ];
        let mut grid = Grid::new(&header, 1);
        for ((side, &p), &outcome) in sides.iter().zip(p_values).zip(outcomes) {
            let interval = side.pairs.interval();
            grid.rows.push(vec![
                side.label.clone(),
                self.metric.summed_up(samples, &side.left),
                self.metric.summed_up(samples, &side.right),
                side.pairs.n().to_string(),
                side.pairs.wins.to_string(),
                side.pairs.losses.to_string(),
                format!("{} ({} to {})", points(side.pairs.net()), points(interval.low), points(interval.high)),
                p_value(p),
                match outcome {
                    Outcome::Favours => "for",
                    Outcome::Opposes => "against",
                    Outcome::NoDifference => "no difference",
                    Outcome::Open => "open",
                }
                .to_owned(),
            ]);
        }
        grid
    }
}

/// How many runs the sides have together; our side has the same ones in every comparison, or nearly.
fn n_runs(sides: &[Side<'_>]) -> u64 {
    let runs = sides.iter().flat_map(|side| side.left.iter().chain(&side.right));
    runs.map(|sample| (sample.cell, sample.instance, sample.repetition)).collect::<BTreeSet<_>>().len() as u64
}

fn outcome(pairs: &PairCounts, p: f64, margin: f64) -> Outcome {
    let interval = pairs.interval();
    let is_within = -margin < interval.low && interval.high < margin;
    match pairs.net() {
        // A difference that is certain but negligible is none: with enough runs every difference is certain.
        _ if is_within => Outcome::NoDifference,
        net if p < 0.05 && net > 0.0 => Outcome::Favours,
        net if p < 0.05 && net < 0.0 => Outcome::Opposes,
        _ => Outcome::Open,
    }
}

/// A share as percentage points with a sign.
fn points(share: f64) -> String {
    let text = percent(share);
    if share > 0.0 && text != "0" { format!("+{text}") } else { text }
}

fn enumerated(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join("; ")),
    }
}

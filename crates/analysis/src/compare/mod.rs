//! Comparisons of configurations: every two of them, with effect sizes, intervals and tests, and a plain sentence for each. Claims are judged
//! by the same [`Effect`].
//!
//! Instances differ more than configurations do, and runs on one instance are alike. So configurations are compared on each instance by itself: by
//! the difference of their rates, or by how often a run of one does better than a run of the other (Vargha and Delaney's
//! A12, 2000); what is reported is the mean of these over instances, with the two answers of [`Effect`]. Of three configurations and more,
//! Friedman's test first says whether any differ. All p-values have Holm's correction, for each question by itself.

mod averages;
mod design;
mod effect;
mod group;
mod looks;
mod margin;
mod method;
mod sentences;
mod table;
#[cfg(test)]
mod tests;

use crate::metric::{Metric, Subject};
use crate::samples::{Samples, SelectionError};
use averages::outcomes_of;
use evogrid_core::family::Direction;
use evogrid_results::columns::differences;
use evogrid_statistics::{FriedmanTest, friedman, nemenyi_critical_difference, skillings_mack};
use group::{RunOrder, typical_cost};
use std::collections::BTreeSet;

pub use averages::AveragedOver;
pub use design::promise;
pub use effect::{Answer, Conclusion, Effect, InstanceOutcomes, Question, correct};
pub use evogrid_statistics::Confidence;
pub use group::{Group, GroupRun, InstanceBlocks, Matching};
pub use looks::Look;
pub use margin::{Criteria, Margin};
pub use table::render;

/// With fewer instances than this, a comparison seldom gives an answer for instances like these.
pub const FEW_INSTANCES: usize = 6;

/// The maximum number of configurations that are compared with each other: 190 pairs.
pub const MAX_CONFIGURATIONS: usize = 20;

/// The result of comparing configurations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The figure that was compared.
    pub metric: Metric,
    /// Whether smaller or larger values of it are better.
    pub direction: Direction,
    /// The configurations, in the order in which they come.
    pub groups: Vec<Group>,
    /// All pairs, each configuration with the baseline, or those that were named.
    pub pairs: Vec<Pair>,
    /// How their runs were matched.
    pub matching: Matching,
    /// Of the intervals of differences, and of the tests.
    pub confidence: Confidence,
    /// Whether any of three or more configurations differ.
    pub omnibus: Option<Omnibus>,
    /// By what p-values are multiplied since results are looked at while runs are added; 1 if no looks are planned.
    pub look_factor: f64,
    /// Which of the planned looks this is, as a sentence.
    pub look: Option<String>,
    /// Number of things that the objectives of the runs measure: families of problems, and objectives within one family.
    pub measures: usize,
    /// Whether at least one run says whether it was solved.
    pub is_judged: bool,
    /// That the configurations are the best of many, and by what; stands above them.
    pub heading: Option<String>,
    /// The best of all, and what it shows on instances that did not choose it; stands below the configurations.
    pub best: Option<String>,
}

/// Two configurations beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The place of one among the groups.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// Over all instances; p-values have Holm's correction over all pairs of configurations.
    pub effect: Effect,
    /// On how many instances the runs of one side had a higher limit of work, and were compared within the lower one.
    pub cut_instances: usize,
    /// Whether every paired run ended the same way in both: the settings made no difference.
    pub is_same: bool,
    /// In each bucket, if there are several; p-values have Holm's correction over the buckets.
    pub buckets: Vec<(String, Effect)>,
    /// What both are averaged over.
    pub averaged_over: Vec<AveragedOver>,
}

/// Friedman's test over instances; Skillings and Mack's where a configuration has no runs on some.
#[derive(Clone, Debug, PartialEq)]
pub struct Omnibus {
    /// The test; ranks count from 1, the best.
    pub friedman: FriedmanTest,
    /// Instances on which configurations are ranked.
    pub instances: usize,
    /// On how many of them not all configurations have runs.
    pub incomplete: usize,
    /// Nemenyi's critical difference of two mean ranks, of complete instances.
    pub critical_difference: f64,
}

/// What is compared with what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions<'a> {
    /// The keys (`algorithm`, varied settings) that tell configurations apart, all of these if it is empty; runs that differ only in other keys
    /// are grouped together.
    pub by: &'a [String],
    /// The configuration with which each other is compared: an algorithm with a single configuration, or the name of a configuration, as a
    /// comparison or a table has it. It is the
    /// second of each pair, so that an effect above zero favours the other one. Without it every two are compared.
    pub baseline: Option<&'a str>,
    /// Pairs of configurations, named as a baseline is: these alone are compared, unless there are none.
    pub pairs: &'a [[String; 2]],
    /// What differences are judged by.
    pub criteria: Criteria,
    /// Where the experiment is in its planned looks, if there are any.
    pub look: Option<Look<'a>>,
}

/// Compares configurations.
///
/// ```
/// use evogrid_analysis::compare::{CompareOptions, Conclusion, Question, compare};
/// use evogrid_analysis::metric::Metric;
/// use evogrid_analysis::samples::Samples;
/// use evogrid_results::runs::Reader;
///
/// let mut csv = "algorithm,instance,repetition,solved\n".to_owned();
/// for repetition in 0..40 {
///     csv += &format!("careful,a,{repetition},true\nhasty,a,{repetition},{}\n", repetition % 2 == 0);
/// }
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// let comparison = compare(&samples, Metric::Solved, CompareOptions::default())?;
/// let effect = &comparison.pairs[0].effect;
/// assert_eq!((effect.size, effect.conclusion(Question::TheseInstances)), (0.5, Conclusion::First));
/// assert_eq!(effect.conclusion(Question::InstancesLikeThese), Conclusion::Open, "one instance says nothing of others");
/// assert!(comparison.sentences()[0].starts_with("On this instance careful solves more than hasty: 50 points (95 % "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are fewer than two configurations or more than [`MAX_CONFIGURATIONS`], two of them share no instance, the file lacks a column, the
/// figures of the metric are in different units, or the baseline matches no configuration, or several.
pub fn compare(samples: &Samples, metric: Metric, options: CompareOptions<'_>) -> Result<Comparison, SelectionError> {
    let CompareOptions { by, baseline, pairs: named, look, .. } = options;
    samples.check_metric(metric)?;
    let (mut groups, order) = group::groups(samples, metric, by)?;
    if !named.is_empty() {
        let of_pairs =
            named.iter().flatten().map(|name| group::baseline(&groups, name)).collect::<Result<Vec<_>, _>>()?;
        let mut places = 0..;
        groups.retain(|_| places.next().is_some_and(|at| of_pairs.contains(&at)));
    }
    if groups.len() < 2 {
        let only = groups.first().map_or("none", |only| &only.name);
        let message = format!("there is only one configuration, {only}: nothing to compare it with");
        return Err(SelectionError::new(message, "expected an experiment with several algorithms or a varied setting"));
    }
    let baseline = baseline.map(|name| group::baseline(&groups, name)).transpose()?;
    // The baseline may stand beside the best.
    if groups.len() > MAX_CONFIGURATIONS + usize::from(baseline.is_some()) {
        let found = groups.len();
        let message = format!(
            "there are {found} configurations to compare, which makes too many pairs: at most {MAX_CONFIGURATIONS} configurations"
        );
        let help = "group configurations by other settings, or compare the best of them with `--top 7`";
        return Err(SelectionError::new(message, help));
    }
    if let Some(silent) = groups.iter().find(|group| group.blocks.0.is_empty()) {
        let declared = metric.declaration();
        let is_of_work = matches!(declared.subject, Subject::Work | Subject::PenalisedWork);
        let lack = if is_of_work && samples.runs.iter().all(|run| run.outcome.solved.is_none()) {
            "says whether it was solved, and what that took"
        } else {
            declared.lack
        };
        let help = match lack.contains("gap") {
            true => "give best known values with the instances, or compare `--metric objective`",
            false => "choose another `--metric`, for which all of them have figures",
        };
        return Err(SelectionError::new(format!("no run of {} {lack}", silent.name), help));
    }
    let matching = group::matching(&order, &groups);
    let places = 0..groups.len();
    let all = || places.clone().flat_map(|first| (first + 1..groups.len()).map(move |second| [first, second]));
    let chosen: Vec<[usize; 2]> = match baseline {
        Some(second) => places.clone().filter(|&first| first != second).map(|first| [first, second]).collect(),
        None if !named.is_empty() => {
            let places = |[first, second]: &[String; 2]| {
                Ok([group::baseline(&groups, first)?, group::baseline(&groups, second)?])
            };
            named.iter().map(places).collect::<Result<_, SelectionError>>()?
        }
        None => all().collect(),
    };
    let compared = chosen.into_iter().map(|pair| compare_two(&order, (metric, matching, options), &groups, pair));
    let mut pairs: Vec<Pair> = compared.collect::<Result<_, _>>()?;
    let confidence = options.criteria.confidence;
    let look_factor = look.map_or(1.0, |look| look.factor(pairs.len(), confidence));
    correct(pairs.iter_mut().map(|pair| &mut pair.effect), look_factor);
    for Pair { buckets, averaged_over, .. } in &mut pairs {
        correct(buckets.iter_mut().map(|(_, effect)| effect), look_factor);
        for over in averaged_over {
            over.p_interaction = (look_factor * over.p_interaction).min(1.0);
            correct(over.levels.iter_mut().map(|(_, effect)| effect), look_factor);
        }
    }
    let mut omnibus = (groups.len() > 2).then(|| omnibus(metric, &groups, Blocks::All, confidence)).flatten();
    if let Some(Omnibus { friedman, .. }) = &mut omnibus {
        friedman.p_value = (look_factor * friedman.p_value).min(1.0);
    }
    let look = look.map(|look| look.sentence(look_factor, confidence));
    let measures = samples.n_measures(&samples.runs);
    let is_judged = samples.runs.iter().any(|run| run.outcome.solved.is_some());
    let direction = samples.runs.first().map_or_else(Direction::default, |run| metric.direction(samples, run));
    Ok(Comparison {
        metric,
        direction,
        groups,
        pairs,
        matching,
        confidence,
        omnibus,
        look_factor,
        look,
        measures,
        is_judged,
        heading: None,
        best: None,
    })
}

fn compare_two<'g>(
    order: &RunOrder<'_>,
    (metric, matching, options): (Metric, Matching, CompareOptions<'_>),
    groups: &'g [Group],
    [first, second]: [usize; 2],
) -> Result<Pair, SelectionError> {
    let samples = order.samples;
    let (one, two) = (&groups[first], &groups[second]);
    let shared: Vec<usize> = one.blocks.instances().filter(|&instance| two.blocks.get(instance).is_some()).collect();
    if shared.is_empty() {
        let message = format!("{} and {} have no instance in common", one.name, two.name);
        return Err(SelectionError::new(message, "expected configurations that were run on the same instances"));
    }
    let runs = |group: &'g Group, instance: usize| group.blocks.get(instance).expect("both have runs on it");
    let mut cut_instances = 0;
    let outcomes: Vec<InstanceOutcomes> = shared
        .iter()
        .map(|&at| {
            let (outcomes, is_cut) = outcomes_of(samples, metric, [one, two].map(|group| runs(group, at)));
            cut_instances += usize::from(is_cut);
            outcomes
        })
        .collect();
    let effect = |outcomes: &[InstanceOutcomes]| Effect::new(metric == Metric::Solved, options.criteria, outcomes);
    let mut buckets: Vec<(&str, Vec<InstanceOutcomes>)> = Vec::new();
    for (&instance, outcomes) in shared.iter().zip(&outcomes) {
        let bucket = samples.roster.instances[instance].bucket.as_str();
        match buckets.iter_mut().find(|(known, _)| *known == bucket) {
            Some((_, members)) => members.push(outcomes.clone()),
            None => buckets.push((bucket, vec![outcomes.clone()])),
        }
    }
    if buckets.len() < 2 {
        buckets.clear();
    }
    let buckets = buckets.into_iter().map(|(bucket, members)| (bucket.to_owned(), effect(&members))).collect();
    let effect = effect(&outcomes);
    let outcome = |run: &GroupRun| &samples.runs[run.run as usize].outcome;
    let end_alike = |(one, two): (&GroupRun, &GroupRun)| differences(outcome(one), outcome(two)).next().is_none();
    let all_end_alike = |&at: &usize| runs(one, at).iter().zip(runs(two, at)).all(end_alike);
    let is_same = matching == Matching::SameSeeds && shared.iter().all(all_end_alike);
    let averaged_over = averages::averaged_over(order, (metric, options), [one, two], &shared);
    Ok(Pair { first, second, effect, cut_instances, is_same, buckets, averaged_over })
}

/// Which instances configurations are ranked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Those on which all configurations have runs.
    Complete,
    /// Those on which at least two have.
    All,
}

/// Friedman's test over instances, or Skillings and Mack's where some are incomplete; none if there are fewer than two.
pub(crate) fn omnibus(metric: Metric, groups: &[Group], wanted: Blocks, confidence: Confidence) -> Option<Omnibus> {
    let cost = |group: &Group, at: usize| group.blocks.get(at).map(|runs| typical_cost(metric, runs));
    let instances: BTreeSet<usize> = groups.iter().flat_map(|group| group.blocks.instances()).collect();
    let mut blocks: Vec<Vec<Option<f64>>> =
        instances.into_iter().map(|at| groups.iter().map(|group| cost(group, at)).collect()).collect();
    let present = |block: &[Option<f64>]| block.iter().flatten().count();
    let least = if wanted == Blocks::Complete { groups.len() } else { 2 };
    blocks.retain(|block| present(block) >= least);
    if blocks.len() < 2 {
        return None;
    }
    let incomplete = blocks.iter().filter(|block| present(block) < groups.len()).count();
    let friedman = if incomplete > 0 {
        skillings_mack(&blocks)
    } else {
        let complete: Vec<Vec<f64>> = blocks.iter().map(|block| block.iter().flatten().copied().collect()).collect();
        friedman(&complete.iter().map(Vec::as_slice).collect::<Vec<_>>())
    };
    let critical_difference = nemenyi_critical_difference(groups.len(), blocks.len(), confidence);
    Some(Omnibus { friedman, instances: blocks.len(), incomplete, critical_difference })
}

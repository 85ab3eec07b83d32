//! Comparisons of all pairs of configurations. Each pair has an effect size, intervals, tests and a sentence. Claims of papers are also
//! judged with an [`Effect`].
//!
//! The differences between instances are usually larger than the differences between configurations. Runs on the same instance are similar
//! to each other. Therefore configurations are compared on each instance separately. For rates, the comparison computes the difference of
//! the rates on each instance. For other metrics, the comparison computes Vargha and Delaney's A12 (2000) on each instance. A12 is the
//! probability that a run of the first configuration is better than a run of the second. The effect size is the mean over the instances:
//! the mean of the differences of the rates, or the mean of A12. An [`Effect`] contains two answers. The first answer holds only for the
//! instances of the experiment. The second answer holds for instances like these: all instances of the same kind. With three or more
//! configurations, Friedman's test first shows whether any configurations differ. All p-values have Holm's correction, separately for each
//! question.

mod effect;
mod group;
mod method;
mod planning;
mod sentences;
mod table;
#[cfg(test)]
mod tests;

use crate::metric::{Metric, Subject};
use crate::samples::{Samples, SelectionError};
use evogrid_core::family::Direction;
use evogrid_results::columns::differences;
use evogrid_statistics::{FriedmanTest, friedman, nemenyi_critical_difference, skillings_mack};
use group::{RunOrder, averaged_over, outcomes_of, typical_cost};
use std::collections::BTreeSet;

pub use effect::{Answer, Conclusion, Criteria, Effect, InstanceOutcomes, Margin, Question, correct};
pub use evogrid_statistics::Confidence;
pub use group::{AveragedOver, Group, GroupRun, InstanceBlocks, Matching};
pub use planning::{Look, promise};
pub use table::render;

/// If a comparison has fewer instances than this number, it seldom reaches a conclusion for other instances of the same kind.
pub const FEW_INSTANCES: usize = 6;

/// The maximum number of compared configurations. 20 configurations form 190 pairs.
pub const MAX_CONFIGURATIONS: usize = 20;

/// The result of comparing configurations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The metric that was compared.
    pub metric: Metric,
    /// Whether smaller or larger values of the metric are better.
    pub direction: Direction,
    /// The compared configurations, in the order of their first runs in the file.
    pub groups: Vec<Group>,
    /// The compared pairs: all pairs, all pairs with the baseline, or the pairs that the user named.
    pub pairs: Vec<Pair>,
    /// How the runs of configurations were matched.
    pub matching: Matching,
    /// The confidence of the tests, and of the intervals of differences.
    pub confidence: Confidence,
    /// The test that shows whether any configurations differ. The test needs three or more configurations.
    pub omnibus: Option<Omnibus>,
    /// If looks are planned, each p-value is multiplied by this factor. The factor is 1 if no looks are planned.
    pub look_factor: f64,
    /// The sentence about the present look (interim analysis), if looks are planned.
    pub look: Option<String>,
    /// The number of different measures that the runs have as objectives. The objectives of two problem families are different measures.
    /// If the runs of one family use two fitness functions, the objectives of these runs are also different measures.
    pub measures: usize,
    /// Whether at least one run has a value in the column `solved`.
    pub is_judged: bool,
    /// The heading above the configurations. The heading exists only if the compared configurations were selected as the best of many
    /// configurations.
    pub heading: Option<String>,
    /// The note below the configurations. The note contains the name of the best of all configurations, the value of this configuration,
    /// and the holdout value. The holdout value is computed only on instances that were not used to choose the best configuration.
    pub best: Option<String>,
}

/// The comparison of two configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The index of the first configuration of the pair in [`Comparison::groups`].
    pub first: usize,
    /// The index of the second configuration of the pair in [`Comparison::groups`].
    pub second: usize,
    /// The effect over all instances. The p-values have Holm's correction over all pairs of configurations.
    pub effect: Effect,
    /// The number of instances on which at least one solved run is treated as unsolved. Suppose that the two configurations had different
    /// work limits. If a solved run needed more work than the smaller limit, the comparison treats this run as unsolved.
    pub cut_instances: usize,
    /// Whether both runs of every pair had the same result. If the results of every pair are the same, the settings in which the two
    /// configurations differ had no effect.
    pub is_same: bool,
    /// The effect in each bucket, if there are several buckets. The p-values have Holm's correction over the buckets.
    pub buckets: Vec<(String, Effect)>,
    /// The keys whose values differ between the runs of one configuration. The runs are averaged over the values of these keys.
    pub averaged_over: Vec<AveragedOver>,
}

/// Friedman's test over instances. If a configuration lacks runs on some instances, the test is Skillings and Mack's.
#[derive(Clone, Debug, PartialEq)]
pub struct Omnibus {
    /// The test. Rank 1 is the best rank.
    pub friedman: FriedmanTest,
    /// The number of instances on which configurations are ranked.
    pub instances: usize,
    /// The number of ranked instances where at least one configuration has no runs.
    pub incomplete: usize,
    /// Nemenyi's critical difference of two mean ranks. The critical difference is valid only if every configuration has runs on every
    /// instance.
    pub critical_difference: f64,
}

/// The options of a comparison: the configurations, the criteria, and the planned looks at the results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions<'a> {
    /// The keys (`algorithm`, varied settings) that distinguish configurations. If the list is empty, all keys are used. If two runs differ
    /// only in keys that are not listed, the runs belong to the same group.
    pub by: &'a [String],
    /// The baseline: the configuration with which all other configurations are compared. The field contains the name of this configuration
    /// in the form that tables show. If an algorithm has only one configuration, the algorithm's name is also accepted. The baseline is the
    /// second configuration of each pair. For rates, a positive difference favours the first configuration of the pair. For metrics that
    /// are not rates, a probability above 1/2 favours the first configuration. If no baseline is given, all pairs are compared.
    pub baseline: Option<&'a str>,
    /// Pairs of configurations. A pair contains the names of two configurations in the form that tables show. If an algorithm has only one
    /// configuration, the algorithm's name is also accepted. If this list is not empty, only these pairs are compared.
    pub pairs: &'a [[String; 2]],
    /// The criteria that judge the differences.
    pub criteria: Criteria,
    /// The planned looks of the experiment, and the present look.
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
/// Returns an error if the number of configurations is below 2 or above [`MAX_CONFIGURATIONS`]. Returns an error if a column is missing, or
/// if two configurations have no common instance. Returns an error if the values of the metric have different units. Returns an error if no
/// configuration has the baseline's name. Returns an error if several configurations have the baseline's name.
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
        let message = format!("there is only one configuration, {only}; a comparison needs two configurations");
        return Err(SelectionError::new(message, "expected an experiment with several algorithms or a varied setting"));
    }
    let baseline = baseline.map(|name| group::baseline(&groups, name)).transpose()?;
    // The baseline may be compared with the best configurations.
    if groups.len() > MAX_CONFIGURATIONS + usize::from(baseline.is_some()) {
        let found = groups.len();
        let message =
            format!("{found} configurations make too many pairs; expected at most {MAX_CONFIGURATIONS} configurations");
        let help = "group configurations by other settings, or compare only the best with `--top 7`";
        return Err(SelectionError::new(message, help));
    }
    if let Some(silent) = groups.iter().find(|group| group.blocks.0.is_empty()) {
        let declared = metric.declaration();
        let is_of_work = matches!(declared.subject, Subject::Work | Subject::PenalisedWork);
        let lack = if is_of_work && samples.runs.iter().all(|run| run.outcome.solved.is_none()) {
            "records whether it was solved and how much work it needed"
        } else {
            declared.lack
        };
        let help = match lack.contains("gap") {
            true => "give best known values with the instances, or compare objectives with `--metric objective`",
            false => "choose another `--metric`, for which all configurations have values",
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
    let mut omnibus = (groups.len() > 2).then(|| omnibus(metric, &groups, 2, confidence)).flatten();
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
    let runs = |group: &'g Group, instance: usize| {
        group.blocks.get(instance).expect("both configurations have runs on the instance")
    };
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
    let averaged_over = averaged_over(order, (metric, options.criteria), [one, two], &shared);
    Ok(Pair { first, second, effect, cut_instances, is_same, buckets, averaged_over })
}

/// Friedman's test over the instances on which at least `least` configurations have runs. If a configuration has no runs on one of these
/// instances, it is Skillings and Mack's test. `None` if there are fewer than two of these instances.
pub(crate) fn omnibus(metric: Metric, groups: &[Group], least: usize, confidence: Confidence) -> Option<Omnibus> {
    let cost = |group: &Group, at: usize| group.blocks.get(at).map(|runs| typical_cost(metric, runs));
    let instances: BTreeSet<usize> = groups.iter().flat_map(|group| group.blocks.instances()).collect();
    let mut blocks: Vec<Vec<Option<f64>>> =
        instances.into_iter().map(|at| groups.iter().map(|group| cost(group, at)).collect()).collect();
    let present = |block: &[Option<f64>]| block.iter().flatten().count();
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

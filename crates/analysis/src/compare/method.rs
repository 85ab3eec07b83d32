//! The sentences on how a comparison was made.

use std::collections::{BTreeMap, BTreeSet};

use super::group::WALL_MS;
use super::{Comparison, Conclusion, Confidence, Group, Matching};
use crate::metric::{Estimator, Metric, Subject};
use evogrid_results::format::{printable, short};

/// Work that differs by more than this factor differs.
const EQUAL_WORK: f64 = 1.1;

/// Times that differ by at least this factor are said.
const UNEQUAL_TIMES: f64 = 3.0;

impl Comparison {
    /// What "alike" means here.
    fn alike(&self) -> String {
        let within = self.pairs.first().map(|pair| pair.effect.margin_text()).unwrap_or_default();
        format!("\"Alike\": no difference is found, and the whole interval lies within {within}.")
    }

    /// A sentence if the configurations' unsolved runs stopped after unequal work and success or fitness is compared: more work solves
    /// more, and ends at lower fitness.
    fn unequal_work(&self) -> Option<String> {
        if !matches!(self.metric.declaration().subject, Subject::Success | Subject::Solution | Subject::PenalisedWork) {
            return None;
        }
        let mut by_unit: BTreeMap<usize, Vec<(f64, &str)>> = BTreeMap::new();
        for group in &self.groups {
            if let Some((unit, work)) = group.unsolved_work {
                by_unit.entry(unit).or_default().push((work, &group.name));
            }
        }
        let (unit, least, most) = by_unit.into_iter().find_map(|(unit, mut work)| {
            work.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (least, most) = (*work.first()?, *work.last()?);
            (most.0 > EQUAL_WORK * least.0).then_some((unit, least, most))
        })?;
        let unit = if unit == WALL_MS { " ms" } else { "" };
        let runs = if self.is_judged { "Unsolved runs" } else { "Runs" };
        Some(format!(
            "{runs} stopped after unequal work: on average {}{unit} in {}, {}{unit} in {}.",
            short(Some(least.0)),
            printable(least.1),
            short(Some(most.0)),
            printable(most.1)
        ))
    }

    /// A sentence if equal evaluations took one configuration much longer than another: a budget of evaluations favours the slow one.
    fn unequal_times(&self) -> Option<String> {
        if matches!(self.metric, Metric::WallMs | Metric::CpuMs | Metric::Par2Ms | Metric::Par10Ms) {
            return None;
        }
        let is_equal = |one: &Group, other: &Group| match (one.unsolved_work, other.unsolved_work) {
            (Some((unit, one)), Some((other_unit, other))) => {
                unit == other_unit && unit != WALL_MS && one.max(other) <= EQUAL_WORK * one.min(other)
            }
            _ => false,
        };
        // Larger instances may take longer in every configuration.
        let share_instances = |one: &Group, other: &Group| one.blocks.instances().eq(other.blocks.instances());
        let pairs = self.groups.iter().flat_map(|fast| self.groups.iter().map(move |slow| (fast, slow)));
        let pairs = pairs.filter(|(fast, slow)| is_equal(fast, slow) && share_instances(fast, slow));
        let timed = pairs.filter_map(|(fast, slow)| {
            let [cpu, wall] = [0, 1].map(|clock| fast.unsolved_ms[clock].zip(slow.unsolved_ms[clock]));
            let (clock, times) = cpu.map(|times| ("processor", times)).or(wall.map(|times| ("wall", times)))?;
            let factor = if times.0 > 0.0 { times.1 / times.0 } else { 0.0 };
            (factor >= UNEQUAL_TIMES).then_some((factor, clock, [(times.0, fast), (times.1, slow)]))
        });
        let (_, clock, sides) = timed.max_by(|one, other| one.0.total_cmp(&other.0))?;
        let runs = if self.is_judged { "Unsolved runs" } else { "Runs" };
        let [fast, slow] = sides.map(|(ms, group)| format!("{} ms in {}", short(Some(ms)), printable(&group.name)));
        Some(format!("{runs} of equal evaluations took unequal {clock} time: in the median {fast}, {slow}."))
    }

    /// That instances weigh equally, and configurations are of different instances, if these make a difference.
    fn unequal_designs(&self) -> Vec<String> {
        let sizes =
            || self.groups.iter().map(|group| group.blocks.fewest_and_most()).filter(|[fewest, most]| fewest < most);
        let mut sentences = Vec::new();
        if let Some((fewest, most)) = sizes().map(|[fewest, _]| fewest).min().zip(sizes().map(|[_, most]| most).max()) {
            let is_of_runs = self.metric.declaration().estimator == Estimator::Median;
            let medians = if is_of_runs { "; medians are of all runs" } else { "" };
            sentences
                .push(format!("Instances weigh equally, though they have between {fewest} and {most} runs{medians}."));
        }
        if self.groups.iter().any(|group| !group.blocks.instances().eq(self.groups[0].blocks.instances())) {
            sentences.push(
                "Not all configurations have runs on the same instances: the figures of each are over its own, comparisons over those that both \
                 have."
                    .to_owned(),
            );
        }
        sentences
    }

    /// What each configuration is averaged over, and whether that is the same for both of each pair.
    fn averaging(&self) -> Vec<String> {
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut unbalanced: BTreeSet<&str> = BTreeSet::new();
        for over in self.pairs.iter().flat_map(|pair| &pair.averaged_over) {
            values.entry(&over.key).or_default().extend(over.levels.iter().map(|(value, _)| value.as_str()));
            unbalanced.extend((!over.is_balanced).then_some(over.key.as_str()));
        }
        let mut sentences = Vec::new();
        if !values.is_empty() {
            let named = values.iter().map(|(key, values)| format!("{} values of {}", values.len(), printable(key)));
            sentences.push(format!(
                "Runs are averaged over {}; whether a difference depends on them is tested on these instances (Cochran's Q).",
                named.collect::<Vec<_>>().join(" and ")
            ));
        }
        if !unbalanced.is_empty() {
            let named: Vec<_> = unbalanced.into_iter().map(printable).collect();
            sentences.push(format!(
                "Two configurations have unequal numbers of runs at the values of {}: their difference is partly that of these values.",
                named.join(" and ")
            ));
        }
        sentences
    }

    /// The sentences on how the comparison was made: the population that intervals and p-values refer to, the tests, the margins, and
    /// failed runs.
    pub(super) fn method(&self) -> Vec<String> {
        let matched = match self.matching {
            Matching::SameSeeds => {
                "Runs are compared on each instance by itself; those of one repetition had the same seed, which no test uses."
            }
            Matching::Repetitions => {
                "Runs are compared on each instance by itself; their seeds differ or are not known."
            }
            Matching::Instances => {
                "Runs are compared on each instance by itself; their repetitions do not match, or are not numbered."
            }
        };
        let mut method = vec![matched.to_owned()];
        let instances = self.pairs.iter().map(|pair| pair.effect.instances);
        let tests = match instances.max() {
            Some(2..) => {
                "These instances: a permutation test asks whether both configurations have equal distributions of runs on each instance. \
                 Instances like these: Student's t asks whether the mean of the instances' differences is 0."
            }
            _ => {
                "Intervals and p-values are only for this instance, by a permutation test of the runs: one instance says nothing of others."
            }
        };
        method.push(tests.to_owned());
        if self.confidence != Confidence::PERCENT_95 {
            method.push(format!(
                "The experiment's confidence is {}: a difference is told at p < {}, and its interval has that confidence; intervals of single \
                 configurations are of 95 %.",
                self.confidence,
                self.confidence.level()
            ));
        }
        let declared = self.metric.declaration();
        match declared.estimator {
            Estimator::Rate => {}
            Estimator::InstanceMean => {
                let means = if self.metric == Metric::Gap { "Mean gaps" } else { "Means" };
                method.push(format!(
                    "{means} are averaged over instances, with the interval for instances like these, or over the runs if there \
                     is one instance."
                ));
            }
            Estimator::Median if self.metric == Metric::Objective && self.measures > 1 => method.push(
                "Objectives are compared on each instance by itself, and never averaged: these are of several families or objectives.".to_owned(),
            ),
            Estimator::Median => method.push("The intervals of medians are only for these instances.".to_owned()),
        }
        if self.pairs.len() > 1 {
            method.push(format!(
                "p-values have Holm's correction over {} comparisons, for each question by itself; intervals, and so \"alike\", are of each \
                 comparison alone.",
                self.pairs.len()
            ));
        }
        method.extend(self.look.clone());
        if self.pairs.iter().any(|pair| pair.conclusions().contains(&Some(Conclusion::Alike))) {
            method.push(self.alike());
        }
        method.extend(self.unequal_designs());
        method.extend(self.averaging());
        let cut = self.pairs.iter().map(|pair| pair.cut_instances).max().unwrap_or_default();
        if cut > 0 {
            method.push(format!(
                "Unsolved runs stopped at unequal limits: on up to {cut} instances a run that took longer than the lower limit of a pair \
                 counts as unsolved."
            ));
        }
        match declared.subject {
            Subject::PenalisedWork => method.push(
                "An unsolved run counts a multiple of the time after which it stopped, not of a common limit: a search that gives up early \
                 counts less."
                    .to_owned(),
            ),
            Subject::Success | Subject::Work | Subject::Solution | Subject::Population => {}
        }
        method.extend(self.unequal_work());
        method.extend(self.unequal_times());
        let counted = |count: fn(&Group) -> u64| -> Vec<String> {
            let there = self.groups.iter().map(|group| (group, count(group))).filter(|&(_, count)| count > 0);
            there
                .map(|(group, count)| format!("{count} of {} runs of {}", group.runs, printable(&group.name)))
                .collect()
        };
        let unsolved = counted(|group| group.blocks.0.iter().filter(|run| run.cost.is_infinite()).count() as u64);
        if declared.subject == Subject::Work && !unsolved.is_empty() {
            method.push(format!("Unsolved, and counted as longer than any: {}.", unsolved.join("; ")));
        }
        let silent = counted(|group| group.silent);
        if let Some(reason) = declared.silence.filter(|_| !silent.is_empty()) {
            method.push(format!("Left out, since {reason}: {}.", silent.join("; ")));
        }
        let failed = counted(|group| group.failed);
        if !failed.is_empty() {
            let counted = match declared.subject {
                Subject::Solution => "counted as infinitely bad",
                Subject::PenalisedWork => "left out",
                Subject::Success | Subject::Work | Subject::Population => "counted as unsolved",
            };
            method.push(format!("Failed, and {counted}: {}.", failed.join("; ")));
        }
        method
    }
}

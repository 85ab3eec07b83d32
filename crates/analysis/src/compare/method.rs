//! The sentences about the method of a comparison.

use std::collections::{BTreeMap, BTreeSet};

use super::group::WALL_MS;
use super::{Comparison, Conclusion, Confidence, Group, Matching, Pair};
use crate::metric::{Estimator, Metric, Subject};
use evogrid_results::format::{printable, short};

/// Two amounts of work are called unequal if their ratio exceeds this factor.
const EQUAL_WORK: f64 = 1.1;

/// Unequal times are mentioned if the ratio of the times is at least this factor.
const UNEQUAL_TIMES: f64 = 3.0;

impl Comparison {
    /// The sentences about the method of the comparison: to which instances the intervals and p-values apply, the tests, the margins, and
    /// the failed runs.
    pub(super) fn method(&self) -> Vec<String> {
        let declared = self.metric.declaration();
        let has_several = self.pairs.iter().any(|pair| pair.effect.instances > 1);
        let mut method = vec![
            match self.matching {
                Matching::SameSeeds => {
                    "Runs are compared on each instance separately. Runs with the same repetition number had the same seed. The tests do not pair runs with the same seed."
                }
                Matching::Repetitions => {
                    "Runs are compared on each instance separately. Runs with the same repetition number had different or unknown seeds."
                }
                Matching::Instances => {
                    "Runs are compared on each instance separately. The repetition numbers of the configurations do not match, or are missing."
                }
            }
            .to_owned(),
            match has_several {
                true => {
                    "A permutation test asks whether both configurations have the same distribution on these instances. \
                     Student's t test asks whether the mean difference over instances like these is 0."
                }
                false => "Intervals and p-values hold for this instance only. The intervals and p-values come from a permutation test of the runs.",
            }
            .to_owned(),
        ];
        method.extend((self.confidence != Confidence::PERCENT_95).then(|| {
            format!(
                "The experiment sets a confidence of {} for intervals of differences. A difference counts \
                 as found if p < {}. The intervals of single configurations are 95 % intervals.",
                self.confidence,
                self.confidence.level()
            )
        }));
        let has_mixed_objectives = self.metric == Metric::Objective && self.measures > 1;
        let estimator = match declared.estimator {
            Estimator::Rate => None,
            Estimator::InstanceMean => Some(
                "Means are taken over instances. The intervals of means hold for instances like these. With one instance, means are taken over runs.",
            ),
            Estimator::Median if has_mixed_objectives => Some(
                "The runs have objectives of several families or several kinds. Objectives are compared on each instance separately, and never averaged.",
            ),
            Estimator::Median => Some("The intervals of medians hold for these instances only."),
        };
        method.extend(estimator.map(str::to_owned));
        method.extend((self.pairs.len() > 1).then(|| {
            format!(
                "Each kind of p-value is corrected for {} comparisons by Holm's method. Each interval, and therefore each verdict \"alike\", holds for one comparison only.",
                self.pairs.len()
            )
        }));
        method.extend(self.look.clone());
        let is_alike = |pair: &&Pair| pair.conclusions().contains(&Some(Conclusion::Alike));
        method.extend(self.pairs.iter().find(is_alike).map(|pair| {
            let margin = pair.effect.margin_text();
            format!(
                "\"Alike\" means: no difference is found, and the whole interval lies within this margin: {margin}."
            )
        }));
        method.extend(self.unequal_designs());
        method.extend(self.averaging());
        let cut = self.pairs.iter().map(|pair| pair.cut_instances).max().unwrap_or_default();
        method.extend((cut > 0).then(|| {
            format!(
                "Unsolved runs stopped at unequal limits. A solved run counts as unsolved if it needed more work than the limit of the other configuration. Each pair of configurations has such runs on at most {cut} instances."
            )
        }));
        method.extend((declared.subject == Subject::PenalisedWork).then(|| {
            "The penalty of an unsolved run is a multiple of the run's own time, not of a common time limit. Therefore a search that gives up early has a smaller penalty.".to_owned()
        }));
        method.extend(self.unequal_work());
        method.extend(self.unequal_times());
        let mut listed = |what: &str, count: fn(&Group) -> u64| {
            let there = self.groups.iter().map(|group| (group, count(group))).filter(|&(_, count)| count > 0);
            let named: Vec<String> = there
                .map(|(group, count)| format!("{count} of {} runs of {}", group.runs, printable(&group.name)))
                .collect();
            method.extend((!named.is_empty()).then(|| format!("{what}: {}.", named.join("; "))));
        };
        if declared.subject == Subject::Work {
            listed("Unsolved runs, which count as longer than any solved run", |group| {
                group.blocks.0.iter().filter(|run| run.cost.is_infinite()).count() as u64
            });
        }
        if let Some(reason) = declared.silence {
            listed(&format!("Omitted runs, because {reason}"), |group| group.silent);
        }
        let counted = match declared.subject {
            Subject::Solution => "count as infinitely bad",
            Subject::PenalisedWork => "are omitted",
            Subject::Success | Subject::Work | Subject::Population => "count as unsolved",
        };
        listed(&format!("Failed runs, which {counted}"), |group| group.failed);
        method
    }

    /// The name of the runs whose work is compared, at the start of a sentence.
    fn unsolved_runs(&self) -> &'static str {
        if self.is_judged { "Unsolved runs" } else { "Runs" }
    }

    /// A sentence if success or fitness is compared, and the unsolved runs of the configurations stopped after unequal work. With more
    /// work, more runs are solved and the fitness becomes lower.
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
        by_unit.into_iter().find_map(|(unit, mut work)| {
            work.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (least, most) = (*work.first()?, *work.last()?);
            let unit = if unit == WALL_MS { " ms" } else { "" };
            let [least_text, most_text] =
                [least, most].map(|(work, name)| format!("{}{unit} in {}", short(Some(work)), printable(name)));
            (most.0 > EQUAL_WORK * least.0).then(|| {
                format!("{} stopped after unequal work: on average {least_text} and {most_text}.", self.unsolved_runs())
            })
        })
    }

    /// A sentence if one configuration needed much more time than another for equal numbers of evaluations. A budget of evaluations favours
    /// the slow configuration.
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
        let [fast, slow] = sides.map(|(ms, group)| format!("{} ms in {}", short(Some(ms)), printable(&group.name)));
        let runs = self.unsolved_runs();
        Some(format!(
            "{runs} with equal numbers of evaluations took unequal {clock} time. The median times are {fast} and {slow}."
        ))
    }

    /// Sentences if instances have unequal numbers of runs, or if configurations have different instances.
    fn unequal_designs(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let sizes = self.groups.iter().map(|group| group.blocks.fewest_and_most());
        let unequal = sizes.filter(|[fewest, most]| fewest < most);
        if let Some([fewest, most]) = unequal.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]) {
            let is_of_runs = self.metric.declaration().estimator == Estimator::Median;
            let medians = if is_of_runs { ". Medians are taken over all runs" } else { "" };
            sentences.push(format!(
                "Instances have equal weight, although they have between {fewest} and {most} runs{medians}."
            ));
        }
        if self.groups.iter().any(|group| !group.blocks.instances().eq(self.groups[0].blocks.instances())) {
            sentences.push(
                "Not all configurations have runs on the same instances. The values of a configuration are computed from all instances on which the configuration has runs. A comparison uses only the instances on which both configurations have runs."
                    .to_owned(),
            );
        }
        sentences
    }

    /// Sentences about the keys over which configurations are averaged, and about pairs whose configurations have unequal numbers of runs
    /// at the values of these keys.
    fn averaging(&self) -> Vec<String> {
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut unbalanced: BTreeSet<&str> = BTreeSet::new();
        for over in self.pairs.iter().flat_map(|pair| &pair.averaged_over) {
            values.entry(&over.key).or_default().extend(over.levels.iter().map(|(value, _)| value.as_str()));
            unbalanced.extend((!over.is_balanced).then_some(over.key.as_str()));
        }
        let named = values.iter().map(|(key, values)| format!("{} values of {}", values.len(), printable(key)));
        let named = named.collect::<Vec<_>>().join(" and ");
        let averaged = (!values.is_empty()).then(|| {
            format!("Runs are averaged over {named}. The difference on these instances is also computed separately for each value of these settings. Cochran's Q test shows whether the difference depends on the values of these settings.")
        });
        let keys = unbalanced.iter().map(|key| printable(key)).collect::<Vec<_>>().join(" and ");
        let confounded = (!unbalanced.is_empty()).then(|| {
            format!(
                "For some values of {keys}, the configurations have unequal numbers of runs. The unequal numbers may cause a part of the differences between configurations."
            )
        });
        averaged.into_iter().chain(confounded).collect()
    }
}

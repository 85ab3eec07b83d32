//! Checks whether runs can be compared in a metric: the values must have the same unit, fitness function or objective. This file also
//! chooses the default metric.

use std::collections::{BTreeMap, BTreeSet};

use super::{Metric, Shared};
use crate::samples::{Sample, Samples, SelectionError};
use evogrid_core::family::{Direction, Objective};
use evogrid_results::is_work_unknown;

/// Returns a warning if some of these fitness functions are objectives that external programs reported. The warning says that these
/// reported objectives were not checked.
pub fn reported_objectives(fitnesses: &[String]) -> Option<String> {
    let n = fitnesses.iter().filter(|fitness| Objective::is_reported(fitness)).count();
    let which = if n < fitnesses.len() { "Some objectives" } else { "Objectives" };
    (n > 0).then(|| format!("{which} were reported by external programs and were not checked."))
}

impl Samples {
    /// The default metric. If a run has a value in `solved`, the default metric is [`Metric::Solved`]. If no run has a value in `solved`,
    /// but every instance has a best known value, the default metric is [`Metric::Gap`]. In all other cases the default metric is
    /// [`Metric::Objective`].
    pub fn default_metric(&self) -> Metric {
        let is_judged = self.runs.iter().any(|run| run.outcome.solved.is_some());
        let has_gaps = self.runs.iter().any(|run| run.gap.is_some());
        let lacks_best_known = self.runs.iter().any(|run| run.outcome.objective.is_some() && run.gap.is_none());
        Metric::by_default(is_judged, has_gaps, lacks_best_known)
    }

    /// Whether smaller or larger objectives and fitnesses are better for a run.
    pub fn direction(&self, run: &Sample) -> Direction {
        Direction::of_marked(&self.fitnesses[run.fitness()]).0
    }

    /// Whether the work of a run is unknown. If a program does not report its evaluations, its run has 0 evaluations. The work of a run
    /// with 0 evaluations is unknown, because every search needs at least one evaluation.
    pub fn is_work_unknown(&self, run: &Sample) -> bool {
        is_work_unknown(&run.outcome, &self.units[run.unit()])
    }

    /// The number of families of some runs. Gaps of different families have different scales and are not averaged.
    pub(crate) fn n_families(&self, runs: &[&Sample]) -> usize {
        let family = |run: &&Sample| self.roster.instances[run.instance()].problem.as_str();
        runs.iter().map(family).collect::<BTreeSet<_>>().len()
    }

    /// Returns a function that identifies the measure behind the objective of a run. The measure is the family. If a configuration has
    /// several fitness functions in the family, the measure is the family with the fitness function. A fitness function that differs only
    /// between algorithms is a setting of the algorithms, so the objective is the same. A fitness function that differs between the runs of
    /// one algorithm depends on the instance.
    fn measures<'s>(&'s self) -> impl Fn(&Sample) -> (&'s str, Option<usize>) + 's {
        let problem = |run: &Sample| self.roster.instances[run.instance()].problem.as_str();
        let mut fitness_of: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        let mut parted: BTreeSet<&str> = BTreeSet::new();
        for run in &self.runs {
            let problem = problem(run);
            let first = *fitness_of.entry((run.configuration(), problem)).or_insert(run.fitness());
            if first != run.fitness() {
                parted.insert(problem);
            }
        }
        move |run| (problem(run), Some(run.fitness()).filter(|_| parted.contains(problem(run))))
    }

    /// The number of different measures that these runs have as objectives. A maximised and a minimised objective are different measures.
    pub(crate) fn n_measures<'a>(&'a self, runs: impl IntoIterator<Item = &'a Sample>) -> usize {
        let measure = self.measures();
        runs.into_iter().map(|run| (measure(run), self.direction(run))).collect::<BTreeSet<_>>().len()
    }

    /// Checks whether all runs can be compared in a metric.
    ///
    /// # Errors
    /// Returns an error if the metric's column is missing, or if the figures cannot be compared.
    pub fn check_metric(&self, metric: Metric) -> Result<(), SelectionError> {
        if let Some(column) = metric.column().filter(|column| self.missing.contains(column)) {
            let help = "choose another `--metric`, or add the missing column to the file";
            return Err(SelectionError::new(format!("the file has no column `{column}`"), help));
        }
        self.check_comparable(metric, &self.runs)
    }

    /// Checks whether these runs can be compared in a metric. All runs must measure their work in the same unit. All fitnesses must be
    /// values of the same fitness function. On one instance, all runs must measure the same objective. Maximised and minimised objectives
    /// cannot be compared.
    ///
    /// # Errors
    /// If the units or the fitness functions differ, returns an error. The error lists the different units or fitness functions. The error
    /// also names the algorithms that use each unit or fitness function.
    pub fn check_comparable<'a>(
        &'a self,
        metric: Metric,
        runs: impl IntoIterator<Item = &'a Sample>,
    ) -> Result<(), SelectionError> {
        type Side = fn(&Sample) -> usize;
        let (figure, names, side): (_, _, Side) = match metric.declaration().shared {
            Shared::Fitness => ("best fitness", &self.fitnesses, Sample::fitness),
            Shared::Unit => ("work", &self.units, Sample::unit),
            Shared::Objective => ("objective", &self.fitnesses, Sample::fitness),
            Shared::Nothing => return Ok(()),
        };
        let runs = runs.into_iter();
        let runs: Vec<&Sample> =
            if metric == Metric::Objective { self.of_mixed_objectives(runs) } else { runs.collect() };
        let mut sides: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for run in runs {
            let algorithm = self.roster.configurations[run.configuration()].algorithm.as_str();
            sides.entry(side(run)).or_default().insert(algorithm);
        }
        if sides.len() < 2 {
            return Ok(());
        }
        let side = |(name, algorithms): (usize, BTreeSet<&str>)| {
            format!("{} in {}", names[name], algorithms.into_iter().collect::<Vec<_>>().join(", "))
        };
        let sides = sides.into_iter().map(side).collect::<Vec<_>>().join("; ");
        Err(SelectionError::new(format!("cannot compare the {figure} of these runs: {sides}"), self.help(metric)))
    }

    /// The runs on instances that have several objectives. If some objectives are maximised and others are minimised, these are all runs.
    fn of_mixed_objectives<'a>(&'a self, runs: impl Iterator<Item = &'a Sample>) -> Vec<&'a Sample> {
        let runs: Vec<&Sample> = runs.collect();
        if Direction::shared(runs.iter().map(|run| self.direction(run))).is_none() {
            return runs;
        }
        let measure = self.measures();
        let parted: Vec<&Sample> = runs.into_iter().filter(|run| measure(run).1.is_some()).collect();
        let mut fitness_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for run in &parted {
            fitness_of.entry(run.instance()).or_default().insert(run.fitness());
        }
        parted.into_iter().filter(|run| fitness_of[&run.instance()].len() > 1).collect()
    }

    /// A line of help for a refused metric: the metrics in which the runs can be compared.
    fn help(&self, metric: Metric) -> String {
        let has = |column: &str| !self.missing.contains(&column);
        let is_of_solutions = metric == Metric::BestFitness;
        let mut shared = Vec::new();
        if self.runs.iter().any(|run| run.gap.is_some()) {
            shared.push("`gap`");
        }
        if is_of_solutions && has("objective") {
            shared.push("`objective`");
        }
        if self.runs.iter().any(|run| run.outcome.solved.is_some()) {
            shared.push("`solved`");
        }
        shared.extend(["`cpu_ms`", "`wall_ms`"]);
        let last = shared.pop().unwrap_or_default();
        let split = if metric == Metric::Objective { "; or select only the rows of one objective" } else { "" };
        format!("choose a metric that all runs have: {} or {last}{split}", shared.join(", "))
    }
}

impl Metric {
    /// The default metric, from three facts. `is_judged`: for some run it is known whether the run was solved. `has_gaps`: some run has a
    /// gap. `lacks_best_known`: some run has an objective but no gap.
    pub fn by_default(is_judged: bool, has_gaps: bool, lacks_best_known: bool) -> Self {
        match (is_judged, has_gaps && !lacks_best_known) {
            (true, _) => Self::Solved,
            (false, true) => Self::Gap,
            (false, false) => Self::Objective,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;
    use crate::test_runs::samples;
    use evogrid_results::runs::Reader;

    #[test]
    fn runs_and_their_summary_have_one_default() {
        for (csv, expected) in [
            ("algorithm,instance,solved\na,x,true\n", Metric::Solved),
            ("algorithm,instance,solved,gap\na,x,,1\na,y,false,2\n", Metric::Solved),
            ("algorithm,instance,solved,objective,best_known\na,x,,5,4\na,y,,6,6\n", Metric::Gap),
            ("algorithm,instance,gap\na,x,5\n", Metric::Gap),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,y,6,\n", Metric::Objective),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,y,6,0\n", Metric::Objective),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,x,,4\n", Metric::Gap),
            ("algorithm,instance,objective\na,x,5\n", Metric::Objective),
        ] {
            let summary = Summary::from_runs(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows");
            assert_eq!((samples(csv).default_metric(), summary.default_metric()), (expected, expected), "{csv}");
        }
    }
}

//! What can be compared: figures in one unit, of one fitness function.

use std::collections::{BTreeMap, BTreeSet};

use super::error::MixedFigures;
use super::metric::Metric;
use super::sample::{Sample, Samples};
use evogrid_results::is_work_unknown;

/// What any two runs can be compared in.
const COMPARE_OBJECTIVES: &str = "compare what all share: `objective`, `solved`, `cpu_ms` or `wall_ms`";
const COMPARE_OUTCOMES: &str = "compare what all share: `solved`, `cpu_ms` or `wall_ms`";

impl Samples {
    /// Whether a run does not say how much it worked: a program that reports no evaluations has 0, which no search takes.
    #[must_use]
    pub fn is_work_unknown(&self, run: &Sample) -> bool {
        is_work_unknown(&run.outcome, &self.units[run.unit()])
    }

    /// Refuses runs whose figures of a metric are in different units, or of different fitness functions.
    ///
    /// # Errors
    /// Which algorithms have which.
    pub fn check_comparable<'a>(
        &self,
        metric: Metric,
        runs: impl IntoIterator<Item = &'a Sample>,
    ) -> Result<(), MixedFigures> {
        type Side = fn(&Sample) -> usize;
        let of_solutions = if self.missing.contains(&"objective") { COMPARE_OUTCOMES } else { COMPARE_OBJECTIVES };
        let (figure, names, side, help): (_, _, Side, _) = match metric {
            Metric::BestFitness => ("best fitness", &self.fitnesses, Sample::fitness, of_solutions),
            Metric::Evaluations | Metric::Generations => ("work", &self.units, Sample::unit, COMPARE_OUTCOMES),
            _ => return Ok(()),
        };
        let mut sides: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for run in runs {
            let algorithm = self.roster.configurations[run.configuration()].algorithm.as_str();
            sides.entry(side(run)).or_default().insert(algorithm);
        }
        if sides.len() < 2 {
            return Ok(());
        }
        let sides = sides
            .into_iter()
            .map(|(name, algorithms)| (names[name].clone(), algorithms.into_iter().map(str::to_owned).collect()));
        Err(MixedFigures { figure: figure.to_owned(), sides: sides.collect(), help })
    }
}

//! Targets and limits that are set after the runs. The module reads the trace of a run, and computes the outcome that the run would have
//! with an earlier stop.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use evogrid_core::budget::Stop;
use evogrid_core::family::{BestKnown, Direction};
use evogrid_results::format::{printable, quoted, shortest};
use evogrid_results::names::NameTable;
use evogrid_results::points::Points;
use evogrid_results::runs::{ColumnName, Reader};
use evogrid_results::sheet::ReadError;
use evogrid_results::trace::POINT_LIMIT;
use evogrid_results::{Row, gap};

/// The name of the setting that says which target a row belongs to. The setting exists only if there are several targets.
pub const TARGET_SETTING: &str = "target";

/// If a run is cut before its real end, the values of these columns are unknown.
pub const UNKNOWN_COLUMNS: [&str; 4] = ["generations", "restarts", "wall_ms", "cpu_ms"];

/// If a trace has at least this number of points, some improvements may be missing from the trace. The reason is that every second point is
/// removed from a full trace.
const THINNED_LEAST: usize = POINT_LIMIT / 2;

/// A target that was set after the runs.
///
/// ```
/// use evogrid_analysis::truncation::{Target, TargetKind};
///
/// assert_eq!("gap=1.5%".parse(), Ok(Target { kind: TargetKind::Gap, value: 1.5 }));
/// assert_eq!("objective=1500".parse(), Ok(Target { kind: TargetKind::Objective, value: 1500.0 }));
/// assert!("gap=-1".parse::<Target>().is_err() && "length=7".parse::<Target>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The kind of the target.
    pub kind: TargetKind,
    /// The value: a fitness, an objective, or a number in per cent.
    pub value: f64,
}

evogrid_core::choices! {
    /// The kind of a target.
    pub enum TargetKind {
        /// A run is solved if its fitness is equal to this value or better.
        Fitness = "fitness",
        /// A run is solved if its objective is equal to this value or better.
        Objective = "objective",
        /// A run is solved if its gap in per cent is at most this value.
        Gap = "gap",
        /// A run is solved if the distance from its fitness to the best fitness is at most this percentage. The best fitness is the best of
        /// all runs on the instance. The percentage is relative to the magnitude of the best fitness.
        Best = "best",
    }
}

/// A target, an evaluation limit, or both. A run counts as ended when it reaches the target or the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EarlierEnd {
    /// The target. A run that reaches this target ends as solved. If the value is `None`, each run keeps its own target.
    pub target: Option<Target>,
    /// A run ends after this number of evaluations. Evaluations are counted in the run's unit of work. This limit is at least 1.
    pub evaluations: Option<u64>,
}

/// Truncates the runs of a file. The truncation needs the file of the runs, and the trace of these runs.
#[derive(Debug)]
pub struct Truncation {
    end: EarlierEnd,
    file: String,
    points: Points,
    /// The number of the run whose course was read last.
    last: Option<u64>,
    /// The evaluations and the best fitness at each point of this run.
    course: Vec<(u64, f64)>,
    instances: NameTable,
    /// The best fitness of any run on each instance, as a cost.
    best: Vec<f64>,
    fitnesses: NameTable,
    /// For each fitness function, whether the fitness is the objective.
    is_objective: Vec<bool>,
    n: Counts,
}

/// The numbers of runs whose new outcome is inexact or incomplete.
#[derive(Debug, Default)]
struct Counts {
    thinned: u64,
    untraced: u64,
    without_best_known: u64,
    without_objective: u64,
    by_fitness: u64,
}

impl Truncation {
    /// Reads the runs once to find each instance's best value. The trace is opened, too.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the runs lack a column.
    pub fn open(runs: &Path, columns: &[ColumnName], trace: &Path, end: EarlierEnd) -> Result<Self, ReadError> {
        let reader = Reader::open_named(runs, columns)?;
        let needed = ["run", "best_fitness", "evaluations", "evaluations_to_best"];
        let file = quoted(&runs.to_string_lossy());
        if let Some(column) = needed.into_iter().find(|column| reader.missing.contains(column)) {
            return Err(ReadError::Content(format!(
                "{file} has no column `{column}`, which is needed for a target or limit that is set after the runs\n  expected the `runs.csv` of a results folder"
            )));
        }
        let (mut reader, mut row) = (reader.without_numbering(), Row::default());
        let (instances, fitnesses) = (NameTable::default(), NameTable::default());
        let points = Points::open(trace)?;
        let (best, is_objective, n) = (Vec::new(), Vec::new(), Counts::default());
        let mut truncation =
            Self { end, file, points, last: None, course: Vec::new(), instances, best, fitnesses, is_objective, n };
        while reader.read_over(&mut row)? {
            truncation.survey(&row);
        }
        Ok(truncation)
    }

    fn survey(&mut self, row: &Row) {
        let [instance, fitness] = self.places(row);
        self.best.resize(self.best.len().max(instance + 1), f64::INFINITY);
        self.is_objective.resize(self.is_objective.len().max(fitness + 1), true);
        if let Some(found) = row.outcome.best_fitness {
            self.best[instance] = self.best[instance].min(row.direction().cost(found));
            self.is_objective[fitness] &= row.outcome.objective == Some(found);
        }
    }

    /// The numbers of a run's instance and fitness function.
    fn places(&mut self, row: &Row) -> [usize; 2] {
        let names = [&row.key.problem, &row.key.bucket, &row.key.instance, &row.fitness];
        [self.instances.number_of_list(names), self.fitnesses.number(&row.fitness)]
    }

    /// Reads the course of a run from the trace. Call this function for each row, in the order of the file.
    ///
    /// # Errors
    /// Returns an error if the rows are not sorted, or if the trace cannot be read.
    pub fn read_course(&mut self, row: &Row) -> Result<(), ReadError> {
        if let Some(before) = self.last.filter(|&before| before >= row.run) {
            return Err(ReadError::Unsorted { file: self.file.clone(), run: row.run, before });
        }
        self.last = Some(row.run);
        self.course.clear();
        while let Some(point) = self.points.next_in_run(row.run)? {
            self.course.push((point.evaluations, point.best_fitness));
        }
        Ok(())
    }

    /// Changes the row to the outcome that the run has at its earlier end. [`read_course`](Self::read_course) must have been called for
    /// this row just before. The values of the [`UNKNOWN_COLUMNS`] are not changed.
    ///
    /// # Errors
    /// Returns an error if the trace does not contain the needed points.
    pub fn end_at(&mut self, row: &mut Row, end: EarlierEnd) -> Result<(), ReadError> {
        let [instance, fitness] = self.places(row);
        let is_objective = self.is_objective.get(fitness) == Some(&true);
        let (whole, direction) = (row.outcome, row.direction());
        let limit = end.evaluations.unwrap_or(u64::MAX);
        let outcome = &mut row.outcome;
        outcome.evaluations = whole.evaluations.min(limit);
        if whole.has_failed() {
            outcome.solved = if end.target.is_some() { Some(false) } else { whole.solved };
            return Ok(());
        }
        let known = |value| BestKnown { direction, ..BestKnown::new(value, false) };
        let target = end.target.map(|Target { kind, value }| {
            Ok(match kind {
                TargetKind::Objective | TargetKind::Gap if !is_objective => {
                    let fitness = printable(Direction::of_marked(&row.fitness).1).into_owned();
                    return Err(ReadError::Content(format!(
                        "run {} optimised `{fitness}` instead of its objective, and its trace has no objectives\n  expected \
                         `--target fitness=VALUE` or `--target best=PERCENT`",
                        row.run
                    )));
                }
                TargetKind::Fitness | TargetKind::Objective => Some(value),
                TargetKind::Gap => row.best_known.map(|best| known(best).within(value)),
                TargetKind::Best => self.best.get(instance).map(|&best| known(direction.cost(best)).within(value)),
            })
        });
        let target = target.transpose()?.flatten();
        let is_by_best = end.target.is_some_and(|target| target.kind == TargetKind::Best);
        self.n.by_fitness += u64::from(is_by_best && !is_objective);
        self.n.without_best_known += u64::from(end.target.is_some() && target.is_none());
        let reaches = |value| target.is_some_and(|target| direction.cost(value) <= direction.cost(target));
        let in_time = &self.course[..self.course.partition_point(|(at, _)| *at <= limit)];
        let mut last = in_time.iter().find(|(_, value)| reaches(*value)).or(in_time.last()).copied();
        if let Some(best) = whole.best_fitness {
            let is_in_time = whole.evaluations_to_best <= limit;
            if self.course.is_empty() && !is_in_time {
                return Err(ReadError::Content(format!(
                    "run {} has no trace: its best value after {limit} evaluations is unknown\n  `run --fresh` repeats \
                     the runs with `[record] trace = \"improvements\"`",
                    row.run
                )));
            }
            self.n.untraced += u64::from(self.course.is_empty() && reaches(best));
            if is_in_time && last.is_none_or(|(_, value)| !reaches(value)) {
                last = Some((whole.evaluations_to_best, best));
            }
        }
        let is_reached = last.is_some_and(|(_, value)| reaches(value));
        outcome.solved = match end.target {
            Some(_) => target.map(|_| is_reached),
            None => whole.solved.map(|is_solved| is_solved && whole.evaluations <= limit),
        };
        outcome.evaluations_to_best = last.map_or(0, |(at, _)| at);
        outcome.best_fitness = last.map(|(_, value)| value);
        if is_reached {
            (outcome.evaluations, outcome.stop) = (outcome.evaluations_to_best, Stop::Target);
        } else if whole.evaluations > limit {
            outcome.stop = Stop::Evaluations;
        }
        let is_cut = is_reached || whole.evaluations > limit;
        self.n.thinned += u64::from(is_cut && self.course.len() >= THINNED_LEAST);
        if outcome.best_fitness == whole.best_fitness {
            return Ok(());
        }
        outcome.objective = outcome.best_fitness.filter(|_| is_objective);
        row.gap = outcome.objective.zip(row.best_known).and_then(|(found, best)| gap(found, best, direction));
        if !is_objective {
            // Otherwise, a run without an objective would count as a run without a solution.
            row.best_known = None;
            self.n.without_objective += 1;
        }
        Ok(())
    }

    /// Sentences that explain the new outcomes. Every output that shows the new outcomes also shows these explanations.
    pub fn notes(&self) -> Vec<String> {
        let Counts { thinned, untraced, without_best_known, without_objective, by_fitness } = self.n;
        let target = self.end.target.map(|target| format!("The target was set after the runs: {target}."));
        let limit = self.end.evaluations.map(|limit| {
            format!("Each run is cut at {limit} evaluations. Generations, restarts and times of cut runs are unknown.")
        });
        let generations = self.points.has_population().then(|| {
            "The trace has points only at the ends of generations. Each improvement is counted at the end of the next recorded generation."
                .to_owned()
        });
        let counted = [
            (
                thinned,
                "Runs with long traces, in which some improvements may be missing (such a run may have needed fewer evaluations than shown, or may have found a better value than shown)",
            ),
            (
                untraced,
                "Runs that reach the target but have no trace (their evaluations are counted until the best value is found)",
            ),
            (
                without_best_known,
                "Runs on instances without a best known value (these runs count as neither solved nor unsolved)",
            ),
            (
                without_objective,
                "Runs whose objective is unknown when the new target or limit is reached (the trace gives the fitness, which is not the objective)",
            ),
            (
                by_fitness,
                "Runs that optimised a fitness other than the objective (this fitness is compared with the target)",
            ),
        ];
        let counted = counted.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{what}: {n}."));
        target.into_iter().chain(limit).chain(generations).chain(counted).collect()
    }
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected =
            "expected `gap=PERCENT`, `objective=VALUE`, `best=PERCENT` or `fitness=VALUE`, for example `gap=1`";
        let (kind, value) = text.split_once('=').ok_or(expected)?;
        let kind = TargetKind::named(kind.trim()).ok_or(expected)?;
        let number = value.trim().trim_end_matches('%').trim_end().parse().ok();
        let least = if kind.is_share() { 0.0 } else { f64::MIN };
        let value = number.filter(|value| (least..=f64::MAX).contains(value)).ok_or(expected)?;
        Ok(Self { kind, value })
    }
}

impl TargetKind {
    fn is_share(self) -> bool {
        matches!(self, Self::Gap | Self::Best)
    }
}

impl Target {
    /// A short name of the target, for example `gap 1 %`.
    pub fn name(self) -> String {
        let unit = if self.kind.is_share() { " %" } else { "" };
        format!("{} {}{unit}", self.kind, shortest(Some(self.value)))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = shortest(Some(self.value));
        match self.kind {
            TargetKind::Fitness => write!(formatter, "a fitness of {value} or better"),
            TargetKind::Objective => write!(formatter, "an objective of {value} or better"),
            TargetKind::Gap => write!(formatter, "a gap of {value} % or less"),
            TargetKind::Best => {
                write!(formatter, "a fitness at most {value} % worse than the best fitness found on the instance")
            }
        }
    }
}

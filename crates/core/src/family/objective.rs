//! Objectives: a family's own measures of solutions, and the best known values of instances.

use std::borrow::Cow;

use crate::direction::Direction;

/// A measure of solutions that belongs to the family. Every run reports the objective of its best solution. So runs with different fitness
/// functions can be compared.
#[derive(Clone, Debug)]
pub struct Objective {
    /// The name of the objective: `digits missing`, `tour length`.
    pub name: Cow<'static, str>,
    /// Whether smaller or larger values are better.
    pub direction: Direction,
    /// The value at which an instance is solved, if there is such a value. Better values solve the instance, too.
    pub solved: Option<f64>,
    /// The source of objectives.
    pub source: ObjectiveSource,
}

/// Computes the objective of a solution ([described](crate::problem::Problem::describe) in one line) of the instance with this
/// [content](super::Instance::content). The error is the reason why the text is not a candidate solution, for example because it changes a
/// given part.
pub type MeasureFunction = fn(content: &str, solution: &str) -> Result<f64, String>;

/// The source of objectives.
#[derive(Clone, Copy, Debug)]
pub enum ObjectiveSource {
    /// The family computes it.
    Computed(MeasureFunction),
    /// A program that belongs to the instance computes it. The function starts this program.
    ByProgram(MeasureFunction),
    /// The search reports it: the objective is the best fitness, and no other code computes it.
    Reported,
}

impl Objective {
    /// A minimised objective that the family computes.
    pub const fn minimised(name: &'static str, measure: MeasureFunction) -> Self {
        Self {
            name: Cow::Borrowed(name),
            direction: Direction::Minimise,
            solved: None,
            source: ObjectiveSource::Computed(measure),
        }
    }

    /// The same objective with this value at which an instance is solved.
    #[must_use]
    pub const fn solved_at(mut self, value: f64) -> Self {
        self.solved = Some(value);
        self
    }

    /// Whether a solution with this objective solves the instance; `None` if no value is known that solves it.
    pub fn is_solved_by(&self, value: f64) -> Option<bool> {
        self.solved.map(|solved| self.direction.cost(value) <= self.direction.cost(solved))
    }

    /// The objective of a solution of the instance with this content, or the reason why the text is not a candidate solution. `None` if
    /// only the search reports the objective. The call may start a program (see [`ObjectiveSource`]).
    pub fn measure(&self, content: &str, solution: &str) -> Option<Result<f64, String>> {
        match self.source {
            ObjectiveSource::Computed(measure) | ObjectiveSource::ByProgram(measure) => {
                Some(measure(content, solution))
            }
            ObjectiveSource::Reported => None,
        }
    }

    /// The mark after the name of an objective that only the search reports.
    const REPORTED: &str = " (reported)";

    /// The name in result files of a fitness that equals the objective.
    pub fn fitness_name(&self) -> String {
        let is_reported = matches!(self.source, ObjectiveSource::Reported);
        self.direction.marked(&format!("{}{}", self.name, if is_reported { Self::REPORTED } else { "" }))
    }

    /// Whether only searches report the values of the fitness with this name in result files.
    pub fn is_reported(fitness: &str) -> bool {
        Direction::of_marked(fitness).1.ends_with(Self::REPORTED)
    }
}

/// The best known value of an instance's objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestKnown {
    /// The value, finite.
    pub value: f64,
    /// Whether a better value may exist.
    pub status: BestKnownStatus,
    /// Whether smaller or larger values are better.
    pub direction: Direction,
}

crate::choices! {
    /// Whether a better value may exist. Data sets and manifests use these names.
    #[derive(PartialOrd, Ord)]
    pub enum BestKnownStatus {
        /// There is a proof that no solution is better.
        Optimal = "optimal",
        /// It is the best value that anybody has found.
        Best = "best",
    }
}

impl BestKnown {
    /// A value of a minimised objective, and whether it is proven optimal.
    pub fn new(value: f64, is_optimal: bool) -> Self {
        let status = if is_optimal { BestKnownStatus::Optimal } else { BestKnownStatus::Best };
        Self { value, status, direction: Direction::Minimise }
    }

    /// The objective that is worse than the value by this percentage.
    ///
    /// ```
    /// use evogrid_core::family::{BestKnown, Direction};
    ///
    /// let known = BestKnown::new(1200.0, true);
    /// assert_eq!(known.within(1.0), 1212.0);
    /// assert_eq!(BestKnown { direction: Direction::Maximise, ..known }.within(1.0), 1188.0);
    /// ```
    pub fn within(&self, gap: f64) -> f64 {
        self.value + self.direction.cost(self.value.abs() * (gap / 100.0))
    }

    /// Whether an objective is better than the value.
    pub fn is_beaten_by(&self, objective: f64) -> bool {
        self.direction.cost(objective) < self.direction.cost(self.value)
    }
}

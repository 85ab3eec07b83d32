//! Objectives: a family's own measures of solutions, and the best known values of instances.

use std::borrow::Cow;

use crate::direction::Direction;

/// A measure of the quality of solutions. The family defines this measure. Every run reports the objective of its best solution. Therefore
/// runs can be compared even if they use different fitness functions.
#[derive(Clone, Debug)]
pub struct Objective {
    /// The name of the objective: `digits missing`, `tour length`.
    pub name: Cow<'static, str>,
    /// Whether smaller or larger values are better.
    pub direction: Direction,
    /// An instance is solved if the objective of a solution has this value or a better value. The field is `None` if the program does not
    /// know such a value.
    pub solved: Option<f64>,
    /// The part of the program that computes the objective.
    pub source: ObjectiveSource,
}

/// Computes the objective of a solution. `content` is the [content](super::Instance::content) of the instance. `solution` is the
/// [description](crate::problem::Problem::describe) of the solution in one line. If the text is not a candidate solution, the error
/// explains why. For example, the text is not a candidate solution if it contradicts a value that the instance gives.
pub type MeasureFunction = fn(content: &str, solution: &str) -> Result<f64, String>;

/// The part of the program that computes the objective.
#[derive(Clone, Copy, Debug)]
pub enum ObjectiveSource {
    /// The family computes the objective.
    Computed(MeasureFunction),
    /// A program that belongs to the instance computes the objective. The function starts the instance's program.
    ByProgram(MeasureFunction),
    /// The search reports the objective, which is the best fitness. Only the search computes the objective; the family does not compute it.
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

    /// Returns a copy of this objective that also has a rule for solved instances. By this rule, an instance is solved if a solution
    /// reaches the objective `value`.
    #[must_use]
    pub const fn solved_at(mut self, value: f64) -> Self {
        self.solved = Some(value);
        self
    }

    /// Whether a solution with this objective solves the instance. The result is `None` if it is not known at which value the instance
    /// counts as solved.
    pub fn is_solved_by(&self, value: f64) -> Option<bool> {
        self.solved.map(|solved| self.direction.cost(value) <= self.direction.cost(solved))
    }

    /// The objective of `solution` on the instance with this content. If the text is not a candidate solution, the error says why. The
    /// result is `None` if only the search reports the objective. This method may start a program (see [`ObjectiveSource`]).
    pub fn measure(&self, content: &str, solution: &str) -> Option<Result<f64, String>> {
        match self.source {
            ObjectiveSource::Computed(measure) | ObjectiveSource::ByProgram(measure) => {
                Some(measure(content, solution))
            }
            ObjectiveSource::Reported => None,
        }
    }

    /// The text that follows the name of an objective in result files if only the search reports the objective.
    const REPORTED: &str = " (reported)";

    /// Returns the name that result files use for a fitness function. This name is valid only for a fitness function that equals the
    /// objective.
    pub fn fitness_name(&self) -> String {
        let is_reported = matches!(self.source, ObjectiveSource::Reported);
        self.direction.marked(&format!("{}{}", self.name, if is_reported { Self::REPORTED } else { "" }))
    }

    /// Whether the value of the objective comes only from the search. Evogrid cannot compute such an objective. The argument is the name
    /// that result files use for the fitness function.
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
    /// Whether a better value may exist. Data sets and manifests use the names `optimal` and `best`.
    #[derive(PartialOrd, Ord)]
    pub enum BestKnownStatus {
        /// The value is proven to be optimal: no solution is better.
        Optimal = "optimal",
        /// The value is the best that anybody has found. A better value may exist.
        Best = "best",
    }
}

impl BestKnown {
    /// A best known value of a minimised objective. `is_optimal` says whether the value is proven optimal.
    pub fn new(value: f64, is_optimal: bool) -> Self {
        let status = if is_optimal { BestKnownStatus::Optimal } else { BestKnownStatus::Best };
        Self { value, status, direction: Direction::Minimise }
    }

    /// Computes the objective that is `gap` per cent worse than the best known value.
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

    /// Whether an objective is better than the best known value.
    pub fn is_beaten_by(&self, objective: f64) -> bool {
        self.direction.cost(objective) < self.direction.cost(self.value)
    }
}

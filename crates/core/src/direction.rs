//! Directions. A direction says whether smaller or larger values are better.

use crate::fitness::Fitness;

crate::choices! {
    /// Whether smaller or larger values are better.
    ///
    /// A search always minimises. Therefore, if a value is maximised, its [`Fitness`] is the negative value. Files, messages and charts
    /// show the original value.
    #[derive(Default, PartialOrd, Ord)]
    pub enum Direction {
        /// Smaller values are better.
        #[default]
        Minimise = "minimise",
        /// Larger values are better.
        Maximise = "maximise",
    }
}

impl Direction {
    /// The text that follows the name of a maximised fitness function in result files.
    const MARK: &'static str = " (maximised)";

    /// Converts the value of an objective to a cost, or a cost back to this value. A cost is always minimised.
    ///
    /// ```
    /// use evogrid_core::direction::Direction;
    ///
    /// assert_eq!([Direction::Minimise.cost(3.5), Direction::Maximise.cost(3.5)], [3.5, -3.5]);
    /// ```
    pub fn cost(self, value: f64) -> f64 {
        match self {
            Self::Minimise => value,
            // Adding zero turns -0 into 0.
            Self::Maximise => -value + 0.0,
        }
    }

    /// Converts a value to a fitness, which is always minimised.
    pub fn fitness(self, value: f64) -> Fitness {
        Fitness::new(self.cost(value))
    }

    /// Converts a fitness back to its value.
    pub fn value(self, fitness: Fitness) -> f64 {
        self.cost(fitness.value())
    }

    /// Returns the name that result files use for a fitness function. If the function is minimised, the result is `name`. If the function
    /// is maximised, a mark follows the name.
    ///
    /// ```
    /// use evogrid_core::direction::Direction;
    ///
    /// let marked = Direction::Maximise.marked("profit");
    /// assert_eq!(marked, "profit (maximised)");
    /// assert_eq!(Direction::of_marked(&marked), (Direction::Maximise, "profit"));
    /// assert_eq!(Direction::of_marked("tour length"), (Direction::Minimise, "tour length"));
    /// ```
    pub fn marked(self, name: &str) -> String {
        match self {
            Self::Minimise => name.to_owned(),
            Self::Maximise => format!("{name}{}", Self::MARK),
        }
    }

    /// Splits the name that a fitness function has in result files. Returns the direction, and the name without the mark of the direction.
    pub fn of_marked(marked: &str) -> (Self, &str) {
        marked.strip_suffix(Self::MARK).map_or((Self::Minimise, marked), |name| (Self::Maximise, name))
    }

    /// If all `directions` are equal, the function returns their common direction. The result is `None` if the directions differ. For an
    /// empty list the result is `Minimise`.
    pub fn shared(directions: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut directions = directions.into_iter();
        let first = directions.next().unwrap_or_default();
        directions.all(|other| other == first).then_some(first)
    }

    /// `minimised` or `maximised`.
    pub fn participle(self) -> &'static str {
        match self {
            Self::Minimise => "minimised",
            Self::Maximise => "maximised",
        }
    }
}

//! Computes how many values there are, their mean, and their sum of squares. The values are added one by one and are not stored.

/// The mean and the sum of squares of the numbers so far (B. P. Welford, "Note on a method for calculating corrected sums of squares and
/// products", Technometrics 4 (1962) 419-420).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    n: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
}

impl Moments {
    /// Adds a number.
    pub fn add(&mut self, figure: f64) {
        self.n += 1;
        let difference = figure - self.mean;
        self.mean += difference / self.n as f64;
        self.squares += difference * (figure - self.mean);
    }

    /// The number of added values.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The mean; `None` if there are no values.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// Returns the sum of the squared differences between the values and `centre`.
    pub fn squares_around(&self, centre: f64) -> f64 {
        self.squares + self.n as f64 * (self.mean - centre) * (self.mean - centre)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_squares_are_those_of_the_figures() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.squares_around(5.0)), (None, 0.0));
        // statistics.variance([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]) is 30.
        [4.0, 7.0, 13.0, 16.0].iter().for_each(|figure| moments.add(1e9 + figure));
        assert_eq!((moments.n(), moments.mean(), moments.squares_around(1e9 + 10.0)), (4, Some(1e9 + 10.0), 90.0));
        assert_eq!(moments.squares_around(1e9 + 11.0), 94.0);
    }
}

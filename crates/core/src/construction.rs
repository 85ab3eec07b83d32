//! Solutions under construction. A search removes elements and inserts them again at their best positions.

use crate::fitness::Fitness;
use crate::layout::Allele;

/// A partial solution of a problem. The problem must have exactly one gene. The solution may be incomplete: jobs or cities may be missing,
/// or a facility may have no location. Constructions, iterated greedy and ant colonies use incomplete solutions.
///
/// The elements of a solution are the alleles of its gene. The solution contains each element at most once. The problem defines the
/// possible positions of an element. For example, the possible positions are places in the present sequence, or free locations.
pub trait PartialSolution {
    /// Loads a complete solution and returns its fitness.
    fn load(&mut self, genome: &[Allele]) -> Fitness;

    /// Removes all elements.
    fn clear(&mut self);

    /// Writes the genome of a complete solution.
    ///
    /// # Panics
    /// Panics if an element is missing from the solution.
    fn write(&self, genome: &mut [Allele]);

    /// Removes an element.
    ///
    /// # Panics
    /// Panics if the element is not in the solution.
    fn remove(&mut self, element: Allele);

    /// Evaluates up to `limit` positions for a missing element and returns the best position. `ties` is the rule that chooses between
    /// equally good positions.
    ///
    /// # Panics
    /// Panics if the solution already contains the element, or if the limit is 0.
    fn best_position(&mut self, element: Allele, limit: u64, ties: Ties) -> BestPosition;

    /// Inserts an element at a position that [`best_position`](Self::best_position) found.
    fn insert(&mut self, element: Allele, position: usize);
}

/// The best position for a missing element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestPosition {
    /// The position.
    pub position: usize,
    /// The fitness that the solution has after the element is inserted at this position. Other elements may still be missing.
    pub fitness: Fitness,
    /// The number of evaluated positions. Each evaluated position counts as one evaluation.
    pub examined: u64,
}

/// The rule that chooses between equally good positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first position.
    First,
    /// The last position.
    Last,
    /// A random position. The field contains the uniform random bits that determine the position.
    Random(u32),
    /// The rule of the problem, for example a rule about idle times. If the problem has no rule for ties, the first position is chosen.
    Family,
}

impl Ties {
    /// Whether a new position replaces an equally good earlier position. `n_equal` is the number of equally good positions so far,
    /// including the new one.
    #[inline]
    pub fn replaces(&mut self, n_equal: u32) -> bool {
        match self {
            Self::First | Self::Family => false,
            Self::Last => true,
            // The probability is `1 / n_equal`, so all positions are equally likely in the end (Waterman's reservoir). The factors define a
            // generator of full period.
            Self::Random(bits) => {
                *bits = bits.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                (u64::from(*bits) * u64::from(n_equal)) >> 32 == 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomStream;

    #[test]
    fn of_equally_good_positions_each_is_taken_as_often() {
        let mut random = RandomStream::from_seed(1);
        let mut taken = [0_u32; 5];
        for _ in 0..20_000 {
            let mut ties = Ties::Random(random.bits() as u32);
            taken[(2..=5).fold(0, |at, n_equal| if ties.replaces(n_equal) { n_equal as usize - 1 } else { at })] += 1;
        }
        // Six standard deviations of a binomial(20000, 1/5).
        assert!(taken.iter().all(|&taken| taken.abs_diff(4000) < 340), "{taken:?}");
    }
}

//! `tournament`: draws a few individuals at random, and chooses the best of these individuals.

use evogrid_core::prelude::*;

use super::{draw_each, fraction};

evogrid_core::parameters! {
    /// Draws each parent by a tournament. For each tournament, `size` individuals are drawn from the whole population. An individual can be
    /// drawn twice. The best of these individuals becomes a parent. If several individuals are equally good, the individual that was drawn
    /// first wins.
    ///
    /// The best individual of the population wins a tournament with probability `1 - (1 - 1/population)^size`, which is about
    /// `size / population`.
    #[derive(Clone, Copy, Debug)]
    pub struct Tournament {
        /// number of individuals in a tournament; the best of them wins
        ///
        /// A tournament of one individual is [random](super::random) selection.
        pub size: usize = Parameter::integer("size", 1, 1_000_000, 3, DOC),
        /// number of drawn parents, as a share of the population; at least one parent
        pub fraction: f64 = fraction(DOC),
    }
}

/// The catalogue entry of `tournament`.
pub const MEMBER: Member<dyn Selection> = crate::member!(
    Tournament,
    "tournament",
    "for each parent, draws a few individuals at random and takes the best",
    "Goldberg and Deb, A Comparative Analysis of Selection Schemes Used in Genetic Algorithms, FOGA 1991, pp. \
     69-93; size 3: Cervigón, UCM, section 4, \"Selección\"",
);

impl Selection for Tournament {
    fn select(&self, population: &Population, chosen: &mut Vec<usize>, random: &mut RandomStream) {
        let (fitnesses, n) = (population.fitnesses(), population.len());
        let winner = |drawn: &[usize]| {
            let better =
                |best: usize, one: usize| if fitnesses[one].value() < fitnesses[best].value() { one } else { best };
            drawn[1..].iter().fold(drawn[0], |best, &one| better(best, one))
        };
        // A tournament of a usual size uses one draw from the stream.
        match self.size {
            2 => draw_each(self.fraction, population, chosen, || winner(&random.batch([n; 2]))),
            3 => draw_each(self.fraction, population, chosen, || winner(&random.batch([n; 3]))),
            size => draw_each(self.fraction, population, chosen, || {
                (1..size).fold(random.below(n), |best, _| winner(&[best, random.below(n)]))
            }),
        }
    }

    fn is_shuffled(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::counts;
    use super::*;

    #[test]
    fn the_best_wins_as_often_as_it_is_drawn() {
        // Of four, the k-th best wins with probability ((5-k)^size - (4-k)^size) / 4^size.
        for size in 1..=5 {
            let wins = counts(&Tournament { size, fraction: 0.0 }, &[7.0, 1.0, 9.0, 4.0], 1, 40_000);
            for (individual, rank) in [(1, 1i32), (3, 2), (0, 3), (2, 4)] {
                let share = |below: i32| f64::from(below.pow(size as u32)) / f64::from(4i32.pow(size as u32));
                let expected = 40_000.0 * (share(5 - rank) - share(4 - rank));
                // Six standard deviations are at most 600.
                assert!((f64::from(wins[individual]) - expected).abs() < 600.0, "{size}: {wins:?}");
            }
        }
    }

    #[test]
    fn among_equals_the_first_drawn_wins_so_that_all_win_alike() {
        for size in [2, 3, 5] {
            let wins = counts(&Tournament { size, fraction: 0.0 }, &[5.0; 3], 1, 30_000);
            assert!(wins.iter().all(|&wins| wins.abs_diff(10_000) < 490), "{size}: {wins:?}");
        }
    }
}

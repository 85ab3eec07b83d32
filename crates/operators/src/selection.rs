//! Parent selection: chooses the parents.
//!
//! ```
//! use evogrid_core::operator::Selection;
//! use evogrid_core::population::Population;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::selection::tournament::Tournament;
//!
//! let mut population = Population::with_capacity(1, 4);
//! for fitness in [8, 3, 5, 9] {
//!     population.candidates(1);
//!     population.admit(fitness.into());
//! }
//! // Two parents, each the best of a hundred draws: almost certainly the best of all.
//! let tournament = Tournament { size: 100, fraction: 0.5 };
//! let mut chosen = Vec::new();
//! tournament.select(&population, &mut chosen, &mut RandomStream::from_seed(1));
//! assert_eq!(chosen, [1, 1]);
//! ```

pub mod random;
pub mod ranking;
pub mod roulette;
pub mod scaling;
pub mod stochastic_universal;
pub mod tournament;
pub mod truncation;

use evogrid_core::parameter::Parameter;
use evogrid_core::population::Population;

use crate::share::share;

/// The setting `fraction` of a selection that draws each parent independently.
const FRACTION: Parameter =
    Parameter::real("fraction", 0.0, 1.0, 1.0, "parents drawn, as a share of the population; at least one");

/// Draws `round(fraction * population)` parents, at least one, each by `draw`.
#[inline]
fn draw_each(fraction: f64, population: &Population, chosen: &mut Vec<usize>, draw: impl FnMut() -> usize) {
    let n_parents = share(fraction, population.len()).max(1);
    chosen.clear();
    chosen.extend(std::iter::repeat_with(draw).take(n_parents));
}

//! Selection: chooses the parents.

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

/// The setting `fraction` of a selection that draws each parent on its own.
const FRACTION: Parameter =
    Parameter::real("fraction", 0.0, 1.0, 1.0, "parents drawn, as a share of the population; at least one");

/// Draws `round(fraction * population)` parents, at least one, each by `draw`.
#[inline]
fn draw_each(fraction: f64, population: &Population, chosen: &mut Vec<usize>, draw: impl FnMut() -> usize) {
    let n_parents = share(fraction, population.len()).max(1);
    chosen.clear();
    chosen.extend(std::iter::repeat_with(draw).take(n_parents));
}

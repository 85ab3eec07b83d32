//! Simulated annealing: random moves, the worse of which are accepted with a probability that falls with the temperature (Kirkpatrick, Gelatt
//! and Vecchi, Science 220, 1983).

use super::metropolis::Metropolis;
use super::{self as walk, LevelRule};
use crate::settings::parameter::{Condition, Declaration, Parameter};

/// The rule of simulated annealing, the criterion of Metropolis et al. at a temperature that falls.
///
/// A move that makes the solution worse by `d` is made with probability `exp(-d / T)`, any other always. After each chain of moves the
/// temperature `T` is lowered.
pub type Annealing = LevelRule<Metropolis>;

/// `annealing` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "annealing",
    "random moves; a move that is worse by `d` is made with probability exp(-d / T), and the temperature T falls from \
     chain to chain of moves",
    "Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220, 1983; lundy-mees: Lundy and \
     Mees, Mathematical Programming 34, 1986",
)
.with(&[
    walk::START,
    walk::NEIGHBOURHOOD,
    TEMPERATURE,
    walk::SAMPLE.only_where(&[Condition::Without("temperature")]),
    walk::ACCEPTED,
    walk::CHAIN,
    COOLING,
    walk::FACTOR.only_where(&[Condition::Is("cooling", "geometric")]),
    walk::BETA,
    walk::CHAINS.only_where(&[Condition::Is("cooling", "linear")]),
    walk::REHEAT,
    walk::FROZEN,
]);

const TEMPERATURE: Parameter = Parameter::optional_real(
    "temperature",
    0.0,
    walk::MAX_LEVEL,
    "start temperature, times the problem's scale; without it, from a sample of moves",
)
.growing();
const COOLING: Parameter = Parameter::choice(
    "cooling",
    &["budget", "geometric", "lundy-mees", "linear", "constant"],
    "budget",
    "how the temperature falls after every chain; `budget`: to 0 at the end of the budget",
);

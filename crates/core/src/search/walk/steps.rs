//! The moves of a walk, one after the other.

use crate::search::*;
/// The most moves between two looks at the clock.
const MOVES_PER_CLOCK_CHECK: u64 = 256;

/// Draws so many moves of the solution, and makes those that are accepted: of a fitness, that after the move, and 32 uniform bits. Returns
/// the best fitness that the solution had. The best solution met is settled where there is no reason to stop.
///
/// # Errors
/// The reason to stop.
pub(super) fn steps<P: Problem, N: Neighbourhood>(
    trial: &mut Trial<'_, '_, P, N>,
    n_moves: u64,
    mut accepts: impl FnMut(f64, f64, u32) -> bool,
) -> Result<f64, Stop> {
    let Trial { evaluator, moves, now, random } = trial;
    let mut value = (*now).into().value();
    let (mut best, mut left) = (value, n_moves);
    while left > 0 {
        let batch = evaluator.begin_batch()?.min(left).min(MOVES_PER_CLOCK_CHECK);
        left -= batch;
        let mut counted = 0;
        for drawn in 1..=batch {
            let bits = random.bits();
            let step = moves.draw(0, (bits >> 32) as u32, random);
            let cost = moves.after(0, step, *now);
            let after = cost.into().value();
            if !accepts(value, after, bits as u32) {
                continue;
            }
            if after > value {
                evaluator.settle(|genome| moves.write(0, genome));
            }
            moves.apply(0, step);
            (*now, value) = (cost, after);
            if after < best {
                best = after;
                // What is told has been counted.
                evaluator.count(drawn - counted);
                counted = drawn;
                evaluator.tell(cost, |genome| moves.write(0, genome))?;
            }
        }
        evaluator.count(batch - counted);
    }
    trial.settle();
    Ok(best)
}

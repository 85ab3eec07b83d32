//! Worked examples: what the source documents print of single boards and rows, recomputed.

mod arkieva;
mod cervigon;
mod huke;
mod mccaffrey;
mod worked;

use evogrid_core::prelude::*;

/// All examples, document by document.
pub(super) fn all(operators: &Operators) -> Vec<WorkedExample> {
    [mccaffrey::examples(), arkieva::examples(), huke::examples(operators), cervigon::examples(operators)].concat()
}

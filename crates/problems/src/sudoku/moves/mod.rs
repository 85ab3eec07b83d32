//! Moves on boards, and samples of them, counted in words of bits.

pub(crate) mod board_neighbourhood;
pub(crate) mod board_sampling;

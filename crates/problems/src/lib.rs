#![doc = include_str!("../README.md")]
//! Nothing outside a folder names its family, except the list below.

pub mod flowshop;
mod permutation;
mod published;
pub mod qap;
mod seeds;
pub mod sudoku;
mod text;
pub mod tsp;

use evogrid_core::family::Family;

/// All families. The first one is the default of commands.
pub fn families() -> Vec<Box<dyn Family>> {
    vec![
        Box::new(sudoku::SudokuFamily),
        Box::new(flowshop::FlowShopFamily),
        Box::new(tsp::TspFamily),
        Box::new(qap::QapFamily),
    ]
}

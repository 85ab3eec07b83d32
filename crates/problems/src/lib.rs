#![doc = include_str!("../README.md")]
//! Nothing outside a folder names its family, except the list below.

pub mod flowshop;
mod published;
pub mod qap;
mod solutions;
pub mod sudoku;
mod text;
pub mod tsp;

pub use published::Published;

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

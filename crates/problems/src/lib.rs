#![doc = include_str!("../README.md")]
//! Each family has its own folder. Outside its folder, a family is mentioned only in the list below.

pub mod flowshop;
mod published;
pub mod qap;
mod solutions;
pub mod sudoku;
mod text;
pub mod tsp;

pub use published::Published;

use evogrid_core::family::Family;

/// All families. Commands use the first family by default.
pub fn families() -> Vec<Box<dyn Family>> {
    vec![
        Box::new(sudoku::SudokuFamily),
        Box::new(flowshop::FlowShopFamily),
        Box::new(tsp::TspFamily),
        Box::new(qap::QapFamily),
    ]
}

#![doc = include_str!("../README.md")]
//!
//! [`document`] reads a file of claims, with the place of everything that is wrong; [`judge`] says of each claim whether it holds, by the
//! runs of its experiment; a [`reproduction`] plans the experiments of several files, and makes the chapters of the page.

pub mod document;
pub mod judge;
pub mod reproduction;

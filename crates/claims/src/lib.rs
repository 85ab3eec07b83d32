#![doc = include_str!("../README.md")]
//!
//! [`document`] reads a file of claims. If the file has mistakes, [`document`] reports the place of each mistake. [`judge`] uses the runs
//! of an experiment to decide whether a claim holds. A [`reproduction`] plans the experiments of several files, and makes the chapters of
//! the page.

pub mod document;
pub mod judge;
pub mod reproduction;

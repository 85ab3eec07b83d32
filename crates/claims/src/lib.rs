#![doc = include_str!("../README.md")]
//!
//! [`document`] reads a file of claims, and reports each mistake with its place in the file. [`judge`] uses the runs of an experiment to
//! decide whether a claim holds. A [`reproduction`] plans the experiments of several files, and makes the chapters of the page.

pub mod document;
pub mod judge;
pub mod reproduction;

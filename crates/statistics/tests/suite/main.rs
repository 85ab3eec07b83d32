//! Every test and interval: held to other programs' figures, and to what holds for every sample.

mod comparisons;
mod statistics;
mod statistics_laws;

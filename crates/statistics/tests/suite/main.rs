//! Every test and interval: held to other programs' figures, and to what holds for every sample.

mod statistics;
mod statistics_laws;

//! Charts: what is drawn, and what is refused.

mod charts;
mod refusals;

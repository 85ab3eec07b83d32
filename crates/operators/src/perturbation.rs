//! Perturbations change a local optimum, so that an iterated local search can leave this optimum.
//!
//! ```
//! use evogrid_core::layout::Layout;
//! use evogrid_core::operator::Perturbation;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::perturbation::double_bridge::DoubleBridge;
//!
//! let layout = Layout::new(8, &[None; 8])?;
//! let (mut genome, mut changes) = (layout.template().to_vec(), Vec::new());
//! DoubleBridge.perturb(&layout, &mut changes, &mut RandomStream::from_seed(1));
//! changes.iter().for_each(|change| change.make(&layout, &mut genome));
//! assert!(layout.is_valid(&genome) && genome != layout.template());
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

pub mod double_bridge;
pub mod random_swaps;
pub mod segment_double_bridge;

use evogrid_core::prelude::*;

/// A random gene with at least this number of free positions, and the number of its free positions; `None` if there is no such gene. All
/// such genes are equally likely.
fn long_gene(layout: &Layout, at_least: usize, random: &mut RandomStream) -> Option<(usize, usize)> {
    let is_long = |gene: &&usize| layout.free(**gene).len() >= at_least;
    let n_long = layout.movable_genes().iter().filter(is_long).count();
    let chosen = if n_long < 2 { 0 } else { random.below(n_long) };
    let gene = *layout.movable_genes().iter().filter(is_long).nth(chosen)?;
    Some((gene, layout.free(gene).len()))
}

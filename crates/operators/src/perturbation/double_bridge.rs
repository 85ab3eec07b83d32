//! `double-bridge`: two adjacent random segments of a gene are exchanged.

use evogrid_core::prelude::*;

use super::long_gene;

/// Cuts a random gene at three random places into the parts `A B C D`. The parts are joined in the order `A C B D`.
#[derive(Clone, Copy, Debug)]
pub struct DoubleBridge;

/// The catalogue entry of `double-bridge`.
pub const MEMBER: Member<dyn Perturbation> = Member {
    declaration: Declaration::new(
        "double-bridge",
        "exchanges two adjacent random segments of a gene",
        "Martin, Otto and Felten, Large-Step Markov Chains for the Traveling Salesman Problem, Complex Systems 5(3), \
         1991",
    ),
    build: |_, _| Ok(Box::new(DoubleBridge)),
};

impl Perturbation for DoubleBridge {
    fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream) {
        // The four segments are not empty.
        if let Some((gene, n_free)) = long_gene(layout, 4, random) {
            let mut cuts = [0; 3];
            random.cut_points(n_free, &mut cuts);
            let [start, middle, end] = cuts;
            changes.push(Rearrangement::Exchange { gene, start, middle, end });
        }
    }
}

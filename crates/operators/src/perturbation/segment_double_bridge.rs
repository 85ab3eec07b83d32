//! `segment-double-bridge`: two adjacent short segments of a gene are exchanged.

use evogrid_core::prelude::*;

use super::long_gene;

evogrid_core::parameters! {
    /// Exchanges two adjacent segments of a random gene at a random place. Each segment has a random length.
    #[derive(Clone, Copy, Debug)]
    pub struct SegmentDoubleBridge {
        /// largest number of positions in a segment
        pub length: usize = Parameter::integer("length", 1, 65_535, 50, DOC),
    }
}

/// The catalogue entry of `segment-double-bridge`.
pub const MEMBER: Member<dyn Perturbation> = crate::member!(
    SegmentDoubleBridge,
    "segment-double-bridge",
    "exchanges two adjacent short segments: only a small part of a gene changes",
    "Johnson and McGeoch, The Traveling Salesman Problem: A Case Study in Local Optimization, 1997, section 5.3 \
     (segment lengths of at most 50)",
);

impl Perturbation for SegmentDoubleBridge {
    fn perturb(&self, layout: &Layout, changes: &mut Vec<Rearrangement>, random: &mut RandomStream) {
        if let Some((gene, n_free)) = long_gene(layout, 2, random) {
            let longest = self.length.min(n_free / 2);
            let [first, second] = random.batch([longest, longest]).map(|length| length + 1);
            let start = random.below(n_free - first - second + 1);
            changes.push(Rearrangement::Exchange { gene, start, middle: start + first, end: start + first + second });
        }
    }
}

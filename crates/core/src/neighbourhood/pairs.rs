//! Random pairs of free positions of one gene. A table contains all pairs, unless there are too many pairs.

use crate::layout::Layout;
use crate::memory::blocks;
use crate::random::RandomStream;

/// The largest number of pairs in a table. If 32 bits draw a pair from a table of this size, the bias is below 2^-14.
const MAX_TABULATED: usize = 1 << 18;

/// All pairs of free positions of the same gene. The pairs are ordered by gene.
#[derive(Clone, Debug)]
pub struct Pairs {
    pairs: Vec<(u32, u32)>,
    /// For each movable gene, the index of its first pair in the table and the number of its pairs; empty if there is no table.
    genes: Vec<(u32, u32)>,
    /// The free positions of each movable gene, if there is no table.
    free: Vec<Vec<u32>>,
}

impl Pairs {
    /// Returns all pairs of free positions that lie in the same gene of the layout.
    pub fn new(layout: &Layout) -> Self {
        let (mut pairs, mut genes) = (Vec::new(), Vec::new());
        if Self::count(layout) > MAX_TABULATED {
            let free = |&gene: &usize| layout.free(gene).iter().map(|&position| position as u32).collect();
            return Self { pairs, genes, free: layout.movable_genes().iter().map(free).collect() };
        }
        for &gene in layout.movable_genes() {
            let (free, start) = (layout.free(gene), pairs.len());
            for (at, &one) in free.iter().enumerate() {
                pairs.extend(free[at + 1..].iter().map(|&other| (one as u32, other as u32)));
            }
            genes.push((start as u32, (pairs.len() - start) as u32));
        }
        Self { pairs, genes, free: Vec::new() }
    }

    fn count(layout: &Layout) -> usize {
        let n_free = layout.movable_genes().iter().map(|&gene| layout.free(gene).len());
        n_free.map(|n_free| n_free * n_free.saturating_sub(1) / 2).sum()
    }

    /// The number of bytes that the pairs of a layout take.
    pub fn memory(layout: &Layout) -> u64 {
        let count = Self::count(layout);
        if count > MAX_TABULATED { blocks(layout.all_free().len(), 4) } else { blocks(count, size_of::<(u32, u32)>()) }
    }

    /// The two positions of each pair. The smaller position comes first. If there are too many pairs for a table, the function returns an
    /// empty table.
    pub fn table(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Chooses a pair by 32 uniform bits, and returns the index of the pair in the [table](Self::table). The bits determine first a movable
    /// gene, and then a pair of free positions in this gene. Each choice is almost uniform: the bias is below 2^-14.
    ///
    /// The choice of the gene uses only some of the bits. The choice of the pair uses the bits that the choice of the gene does not use.
    /// Therefore one draw of 32 bits is enough.
    ///
    /// # Panics
    /// Panics if no gene is movable, or if there are too many pairs for a table.
    #[inline]
    pub fn choose(&self, bits: u32) -> usize {
        let product = u64::from(bits) * self.genes.len() as u64;
        let (start, n_pairs) = self.genes[(product >> 32) as usize];
        (start + ((u64::from(product as u32) * u64::from(n_pairs)) >> 32) as u32) as usize
    }

    /// Draws a movable gene, and then a pair of positions of this gene. The smaller position of the pair comes first.
    ///
    /// # Panics
    /// Panics if no gene is movable.
    #[inline]
    pub fn draw(&self, bits: u32, random: &mut RandomStream) -> (u32, u32) {
        if self.free.is_empty() {
            return self.pairs[self.choose(bits)];
        }
        let free = &self.free[random.below(self.free.len())];
        let (one, other) = random.pair(free.len());
        (free[one], free[other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gene_is_chosen_about_equally_often_and_every_pair_of_it() {
        // Two genes: three free positions, and four.
        let layout = Layout::new(4, &[Some(0), None, None, None, None, None, None, None]).unwrap();
        let pairs = Pairs::new(&layout);
        assert_eq!(pairs.table()[..3], [(1, 2), (1, 3), (2, 3)]);
        let mut counts = [0u32; 9];
        let mut random = RandomStream::from_seed(4);
        for _ in 0..36_000 {
            counts[pairs.choose((random.bits() >> 32) as u32)] += 1;
        }
        // Six standard deviations of a binomial.
        assert!(counts[..3].iter().all(|&count| count.abs_diff(6000) < 430), "{counts:?}");
        assert!(counts[3..].iter().all(|&count| count.abs_diff(3000) < 320), "{counts:?}");
    }

    #[test]
    fn long_genes_have_no_table() {
        let layout = Layout::new(50_000, &[None; 50_000]).unwrap();
        let pairs = Pairs::new(&layout);
        assert!(pairs.table().is_empty() && Pairs::memory(&layout) < 1_000_000);
        let mut random = RandomStream::from_seed(4);
        let drawn: Vec<(u32, u32)> = (0..1000).map(|_| pairs.draw(0, &mut random)).collect();
        assert!(drawn.iter().all(|(one, other)| one < other && *other < 50_000));
        assert!(drawn.iter().any(|(one, _)| *one > 30_000));
    }
}

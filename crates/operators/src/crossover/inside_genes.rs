//! The frame of crossovers that recombine the alleles of two parents inside each gene.

use evogrid_core::prelude::*;

/// A crossover of two parents that recombines each gene separately. In each gene, the alleles at the free positions form a permutation, and
/// the crossover recombines these permutations.
pub trait GeneCrossover: Send + Sync {
    /// The number of entries that the working memory has for each allele of a gene.
    const TABLE_ENTRIES: usize = 1;

    /// Changes the children at the free positions of one gene. When the function is called, the children are copies of the parents. The
    /// gene of each child must stay a permutation.
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream);
}

/// One gene of two parents and their two children.
#[derive(Debug)]
pub struct GenePair<'a> {
    /// The free positions of the gene in the genome, in ascending order. The list contains at least two positions.
    pub free: &'a [usize],
    /// The genomes of the parents.
    pub parents: [&'a [Allele]; 2],
    /// The genomes of the children.
    pub children: [&'a mut [Allele]; 2],
    /// Working memory with arbitrary content. The memory has [`TABLE_ENTRIES`](GeneCrossover::TABLE_ENTRIES) entries for each allele of the
    /// gene.
    pub table: &'a mut [usize],
}

/// A [`GeneCrossover`] as a [`Crossover`]: it recombines every gene that has at least two free positions.
#[derive(Clone, Copy, Debug)]
pub struct InsideGenes<C>(pub C);

impl<C: GeneCrossover + Default + 'static> InsideGenes<C> {
    /// The catalogue entry of a crossover without settings.
    pub const fn member(name: &'static str, doc: &'static str, source: &'static str) -> Member<dyn Crossover> {
        Member { declaration: Declaration::new(name, doc, source), build: |_, _| Ok(Box::new(Self(C::default()))) }
    }
}

impl<C: GeneCrossover> Crossover for InsideGenes<C> {
    fn n_parents(&self) -> usize {
        2
    }

    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        let parents = [parents.genome(0), parents.genome(1)];
        let (first, second) = children.split_at_mut(layout.genome_len());
        first.copy_from_slice(parents[0]);
        second.copy_from_slice(parents[1]);
        scratch.resize(C::TABLE_ENTRIES * layout.gene_len(), 0);
        for &gene in layout.movable_genes() {
            let children = [&mut *first, &mut *second];
            self.0.cross_gene(GenePair { free: layout.free(gene), parents, children, table: scratch }, random);
        }
    }
}

/// Draws the two cut points of a segment in a list of `n` places. The segment has at least one place, but not all places. `n` is at least
/// 2.
pub(super) fn stretch(n: usize, random: &mut RandomStream) -> (usize, usize) {
    // The pair of cut points around all places is rejected.
    loop {
        let (start, end) = random.pair(n + 1);
        if end - start < n {
            return (start, end);
        }
    }
}

/// Writes the position of each free allele of a gene to `places`.
pub(super) fn note_places(free: &[usize], genome: &[Allele], places: &mut [usize]) {
    for &position in free {
        places[usize::from(genome[position])] = position;
    }
}

/// Swaps two alleles in `child`. After the swap, `child` has the allele of `other` at a free position. The function updates `places`, which
/// contains the positions of the free alleles.
#[inline]
pub(super) fn map_position(position: usize, other: &[Allele], child: &mut [Allele], places: &mut [usize]) {
    let (displaced, wanted) = (usize::from(child[position]), usize::from(other[position]));
    let place = places[wanted];
    child.swap(position, place);
    (places[wanted], places[displaced]) = (position, place);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stretch_but_the_whole_is_drawn() {
        let mut random = RandomStream::from_seed(1);
        let mut stretches: Vec<_> = (0..200).map(|_| stretch(3, &mut random)).collect();
        stretches.sort_unstable();
        stretches.dedup();
        assert_eq!(stretches, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
    }
}

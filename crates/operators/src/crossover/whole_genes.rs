//! The frame of crossovers whose children take each gene unchanged from one of the parents.

use evogrid_core::prelude::*;

/// A crossover whose children take each gene unchanged from a parent.
pub trait WholeGeneCrossover: Send + Sync {
    /// The number of parents, which is also the number of children. A crossover has at least 2 parents.
    fn n_parents(&self) -> usize {
        2
    }

    /// Fills `children` with genes of the parents. The genomes lie one after the other in `children`.
    fn recombine(&self, layout: &Layout, parents: Parents<'_>, children: &mut [Allele], random: &mut RandomStream);
}

/// Makes a [`Crossover`] from a [`WholeGeneCrossover`].
#[derive(Clone, Copy, Debug)]
pub struct WholeGenes<C>(pub C);

impl<C: WholeGeneCrossover + Default + 'static> WholeGenes<C> {
    /// The catalogue entry of a crossover without settings.
    pub const fn member(name: &'static str, doc: &'static str, source: &'static str) -> Member<dyn Crossover> {
        Member {
            declaration: Declaration::new(name, doc, source).needing(&[Capability::SeveralGenes]),
            build: |_, _| Ok(Box::new(Self(C::default()))),
        }
    }
}

impl<C: WholeGeneCrossover> Crossover for WholeGenes<C> {
    fn n_parents(&self) -> usize {
        self.0.n_parents()
    }

    fn hands_on_whole_genes(&self) -> bool {
        true
    }

    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        self.0.recombine(layout, parents, children, random);
    }
}

/// Fills `children` with segments of the parents. Each child takes its segments from the parents in turn. Segment `s` of child `j` comes
/// from parent `(j + s) mod n`. There are `n` parents and `n` children.
///
/// `cuts` contains the indices of genes in ascending order. The genomes are cut before these genes. So segment 0 ends before gene
/// `cuts[0]`, and segment 1 ends before gene `cuts[1]`. The last segment ends at the genome's end. No gene is cut, so a permutation stays a
/// permutation. With two parents, one cut gives the one-point crossover, and two cuts give the two-point crossover. With two parents and
/// three or more cuts, the result is the multi-point crossover. With more than two parents, the result is the diagonal crossover.
///
/// ```
/// use evogrid_operators::crossover::deal_segments;
///
/// // Six genes of length 1, cut before genes 2 and 5.
/// let (first, second) = ([0; 6], [1; 6]);
/// let mut children = [9; 12];
/// deal_segments(1, &[&first, &second], &[2, 5], &mut children);
/// assert_eq!(children, [0, 0, 1, 1, 1, 0, /* and */ 1, 1, 0, 0, 0, 1]);
/// ```
///
/// # Panics
/// Panics if the cuts are not in ascending order. Panics if a cut lies behind the last gene. Panics if the genomes differ in length.
#[inline]
pub fn deal_segments(gene_len: usize, parents: &[&[Allele]], cuts: &[usize], children: &mut [Allele]) {
    let genome_len = parents[0].len();
    for (child, genome) in children.chunks_exact_mut(genome_len).enumerate() {
        let (mut start, mut parent) = (0, child);
        for end in cuts.iter().map(|cut| cut * gene_len).chain([genome_len]) {
            genome[start..end].copy_from_slice(&parents[parent][start..end]);
            start = end;
            parent = if parent + 1 < parents.len() { parent + 1 } else { 0 };
        }
    }
}

/// Cuts genes into segments of nearly equal size. Cut `i`, counted from 1, lies before gene `i * n_genes / n_segments`, rounded down. There
/// is one more segment than cuts.
pub(super) fn cut_evenly(n_genes: usize, cuts: &mut [usize]) {
    let n_segments = cuts.len() + 1;
    for (before, cut) in cuts.iter_mut().enumerate() {
        *cut = (before + 1) * n_genes / n_segments;
    }
}

/// Copies two parents to their children, and exchanges the genes for which `is_exchanged` returns true. `is_exchanged` is called once for
/// each gene, in order.
#[inline]
pub(super) fn exchange_genes(
    layout: &Layout,
    parents: Parents<'_>,
    children: &mut [Allele],
    mut is_exchanged: impl FnMut(usize) -> bool,
) {
    let (first, second) = children.split_at_mut(layout.genome_len());
    let len = layout.gene_len();
    for gene in 0..layout.n_genes() {
        let (positions, parent) = (gene * len..(gene + 1) * len, usize::from(is_exchanged(gene)));
        first[positions.clone()].copy_from_slice(&parents.genome(parent)[positions.clone()]);
        second[positions.clone()].copy_from_slice(&parents.genome(1 - parent)[positions]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its name, the gene length, parents, cuts, and children.
    type Case = (&'static str, usize, &'static [&'static str], &'static [usize], &'static [&'static str]);

    #[test]
    fn segments_are_dealt_in_turn() {
        let cases: [Case; 6] = [
            ("no cut copies the parents", 1, &["abcdef", "ABCDEF"], &[], &["abcdef", "ABCDEF"]),
            ("one point", 1, &["abcdef", "ABCDEF"], &[2], &["abCDEF", "ABcdef"]),
            ("two points", 1, &["abcdef", "ABCDEF"], &[1, 3], &["aBCdef", "AbcDEF"]),
            ("a cut falls between genes, not inside", 3, &["abcdef", "ABCDEF"], &[1], &["abcDEF", "ABCdef"]),
            ("a cut at either end leaves an empty segment", 1, &["abcdef", "ABCDEF"], &[0, 6], &["ABCDEF", "abcdef"]),
            ("three parents", 2, &["abcdef", "ABCDEF", "123456"], &[1, 2], &["abCD56", "AB34ef", "12cdEF"]),
        ];
        for (name, gene_len, parents, cuts, expected) in cases {
            let parents: Vec<Vec<Allele>> =
                parents.iter().map(|parent| parent.bytes().map(Allele::from).collect()).collect();
            let parents: Vec<&[Allele]> = parents.iter().map(Vec::as_slice).collect();
            let mut children = vec![0; parents.concat().len()];
            deal_segments(gene_len, &parents, cuts, &mut children);
            let children: Vec<String> = children
                .chunks(6)
                .map(|child| child.iter().map(|&allele| char::from(allele as u8)).collect())
                .collect();
            assert_eq!(children, expected, "{name}");
        }
    }

    #[test]
    fn even_cuts_divide_the_genes_as_evenly_as_they_can() {
        let cases: [(&str, usize, &[usize]); 5] = [
            ("nine genes in three", 9, &[3, 6]),
            ("sixteen genes in four", 16, &[4, 8, 12]),
            ("the last segments get the remainder", 5, &[1, 3]),
            ("a gene each", 3, &[1, 2]),
            ("one segment", 1, &[]),
        ];
        for (name, n_genes, expected) in cases {
            let mut cuts = vec![0; expected.len()];
            cut_evenly(n_genes, &mut cuts);
            assert_eq!(cuts, expected, "{name}");
        }
    }
}

//! Crossover: makes children from parents.

use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::Parents;
use evogrid_core::random::RandomStream;

pub mod alternating;
pub mod combined_alternating;
pub mod combined_positional;
pub mod cycle;
pub mod diagonal;
pub mod one_point;
pub mod order;
pub mod pmx;
pub mod product_geometric;
pub mod three_segment;
pub mod two_point;
pub mod uniform;

/// Fills `children` by handing out whole segments in turn: segment `s` of child `j` comes from parent `(j + s) mod n`, where
/// `n` is the number of parents, and of children.
///
/// `cuts` are genes in ascending order: segment 0 ends before gene `cuts[0]`, the next before `cuts[1]`, the last with the
/// genome. No gene is ever cut, so that a gene which is a permutation stays one. Two parents and one, two or more cuts make
/// the one-point, two-point and multi-point crossover, more parents the diagonal one.
///
/// ```text
/// parents  aa bbb c    children  aa yyy c
///          xx yyy z              xx bbb z      (6 genes of length 1, cuts 2 and 5)
/// ```
///
/// # Panics
/// If the cuts descend or lie beyond the last gene, or the genomes differ in length.
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

/// Copies two parents to their children and calls `cross(free, parents, first child, second child)` for each gene that can change,
/// by its free positions. All are whole genomes.
fn each_movable_gene(
    layout: &Layout,
    parents: Parents<'_>,
    children: &mut [Allele],
    mut cross: impl FnMut(&[usize], [&[Allele]; 2], &mut [Allele], &mut [Allele]),
) {
    let genomes = [parents.genome(0), parents.genome(1)];
    let (first, second) = children.split_at_mut(layout.genome_len());
    first.copy_from_slice(genomes[0]);
    second.copy_from_slice(genomes[1]);
    for &gene in layout.movable_genes() {
        cross(layout.free(gene), genomes, first, second);
    }
}

/// Draws a stretch of `n` places, at least two, by the cut points around it: at least one place, and not all.
fn stretch(n: usize, random: &mut RandomStream) -> (usize, usize) {
    // Of the pairs of n + 1 cut points, the one around everything is left out.
    loop {
        let (start, end) = random.pair(n + 1);
        if end - start < n {
            return (start, end);
        }
    }
}

/// Notes at each free allele of a gene where it stands.
fn note_places(free: &[usize], genome: &[Allele], places: &mut [usize]) {
    for &position in free {
        places[usize::from(genome[position])] = position;
    }
}

/// Swaps in `child` so that it has the allele of `other` at a free position. `places` tells where its free alleles stand, before
/// and after.
#[inline]
fn map_position(position: usize, other: &[Allele], child: &mut [Allele], places: &mut [usize]) {
    let (displaced, wanted) = (usize::from(child[position]), usize::from(other[position]));
    let place = places[wanted];
    child.swap(position, place);
    (places[wanted], places[displaced]) = (position, place);
}

#[cfg(test)]
mod tests {
    use evogrid_core::operator::Crossover;
    use evogrid_core::population::Population;

    use super::*;

    /// The children of two parents, one all `a`, the other all `b`, for as many genes.
    pub(super) fn crossed(crossover: &dyn Crossover, n_genes: usize, seed: u64) -> Vec<String> {
        let layout = Layout::new(1, &vec![None; n_genes]).unwrap();
        let mut population = Population::with_capacity(n_genes, 2);
        population.candidates(2)[n_genes..].fill(1);
        population.admit(0.into());
        population.admit(0.into());
        let (mut children, mut random) = (vec![9; 2 * n_genes], RandomStream::from_seed(seed));
        let parents = Parents::new(&population, &[0, 1]);
        crossover.cross(&layout, parents, &mut children, &mut Vec::new(), &mut random);
        let name = |&allele: &Allele| if allele == 0 { 'a' } else { 'b' };
        children.chunks_exact(n_genes).map(|child| child.iter().map(name).collect()).collect()
    }

    /// A gene as printed, its alleles from 1.
    pub(super) fn gene(printed: &str) -> Vec<Allele> {
        printed.split(' ').map(|allele| allele.parse::<Allele>().unwrap() - 1).collect()
    }

    /// A gene as it would be printed.
    pub(super) fn alleles(gene: &[Allele]) -> String {
        gene.iter().map(|allele| (allele + 1).to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_stretch_but_the_whole_comes_up() {
        let mut random = RandomStream::from_seed(1);
        let mut stretches: Vec<_> = (0..200).map(|_| stretch(3, &mut random)).collect();
        stretches.sort_unstable();
        stretches.dedup();
        assert_eq!(stretches, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
    }

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
}

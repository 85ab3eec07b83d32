//! Crossover: makes children from parents.

use evogrid_core::layout::Allele;

pub mod diagonal;
pub mod two_point;

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
pub fn deal_segments(gene_len: usize, parents: &[&[Allele]], cuts: &[usize], children: &mut [Allele]) {
    let genome_len = parents[0].len();
    for (child, genome) in children.chunks_exact_mut(genome_len).enumerate() {
        let mut start = 0;
        let ends = cuts.iter().map(|cut| cut * gene_len).chain([genome_len]);
        for (segment, end) in ends.enumerate() {
            let parent = parents[(child + segment) % parents.len()];
            genome[start..end].copy_from_slice(&parent[start..end]);
            start = end;
        }
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
}

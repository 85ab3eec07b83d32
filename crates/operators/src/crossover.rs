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

    #[test]
    fn segments_are_dealt_in_turn() {
        let (a, b, c): (&[Allele], &[Allele], &[Allele]) = (&[0, 1, 2, 3, 4, 5], &[10, 11, 12, 13, 14, 15], &[20; 6]);
        let cases: [(&str, usize, &[&[Allele]], &[usize], &[&[Allele]]); 6] = [
            ("no cut copies the parents", 1, &[a, b], &[], &[a, b]),
            ("one point", 1, &[a, b], &[2], &[&[0, 1, 12, 13, 14, 15], &[10, 11, 2, 3, 4, 5]]),
            ("two points", 1, &[a, b], &[1, 3], &[&[0, 11, 12, 3, 4, 5], &[10, 1, 2, 13, 14, 15]]),
            (
                "a cut falls between genes, not inside",
                3,
                &[a, b],
                &[1],
                &[&[0, 1, 2, 13, 14, 15], &[10, 11, 12, 3, 4, 5]],
            ),
            ("a cut at either end leaves an empty segment", 1, &[a, b], &[0, 6], &[b, a]),
            (
                "three parents",
                2,
                &[a, b, c],
                &[1, 2],
                &[&[0, 1, 12, 13, 20, 20], &[10, 11, 20, 20, 4, 5], &[20, 20, 2, 3, 14, 15]],
            ),
        ];
        for (name, gene_len, parents, cuts, expected) in cases {
            let mut children = vec![99; parents.len() * 6];
            deal_segments(gene_len, parents, cuts, &mut children);
            assert_eq!(children, expected.concat(), "{name}");
        }
    }
}

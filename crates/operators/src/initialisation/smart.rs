//! `smart`: random genomes that avoid repeated alleles on a line where possible.

use evogrid_core::prelude::*;

/// Fills the genes one by one. In each gene, it fills the free positions in order. Each position gets a random allele that the gene does
/// not have yet. If possible, the allele is not yet on the [line](Problem::lines) of the position. All possible alleles are equally likely.
///
/// At first, each line contains only the alleles of its locked positions. An allele never occurs twice in a gene. An allele rarely occurs
/// twice on a line. If the problem has no lines, the initialisation makes the same genomes as [`random`](super::random).
///
/// A call allocates memory only if the number of lines times the number of alleles exceeds 8192.
#[derive(Clone, Copy, Debug)]
pub struct SmartInitialisation;

/// The catalogue entry of `smart`.
pub const MEMBER: Member<dyn Initialisation> = Member {
    declaration: Declaration::new(
        "smart",
        "random genomes; if possible, no allele occurs twice on a line",
        "Huke, Evolutionäre Verfahren: Sudoku, TU Ilmenau, slides \"Initialisierung\" (intelligent method)",
    ),
    build: |_, _| Ok(Box::new(SmartInitialisation)),
};

impl Initialisation for SmartInitialisation {
    fn initialise(&self, problem: &dyn Problem, genome: &mut [Allele], random: &mut RandomStream) {
        match problem.lines() {
            [] => problem.randomise(genome, random),
            lines => fill(problem.layout(), lines, genome, random),
        }
    }
}

fn fill(layout: &Layout, lines: &[u16], genome: &mut [Allele], random: &mut RandomStream) {
    let n_lines = lines.iter().copied().max().map_or(0, |last| usize::from(last) + 1);
    let n_words = (n_lines * layout.gene_len()).div_ceil(64);
    let (mut few, mut many) = ([0; 128], Vec::new());
    let mut line_alleles = LineAlleles {
        gene_len: layout.gene_len(),
        words: match few.get_mut(..n_words) {
            Some(words) => words,
            None => {
                many.resize(n_words, 0);
                &mut many
            }
        },
    };

    genome.copy_from_slice(layout.template());
    for position in (0..genome.len()).filter(|&position| layout.is_locked(position)) {
        line_alleles.add(lines[position], genome[position]);
    }
    for gene in 0..layout.n_genes() {
        // The positions that are still to be filled hold the alleles that the gene still lacks.
        let mut open = layout.free(gene);
        while let [position, rest @ ..] = open {
            let line = lines[*position];
            let n_fresh = open.iter().filter(|&&waiting| !line_alleles.has(line, genome[waiting])).count();
            let from = if n_fresh == 0 {
                open[random.below(open.len())]
            } else {
                let mut fresh = open.iter().filter(|&&waiting| !line_alleles.has(line, genome[waiting]));
                *fresh.nth(random.below(n_fresh)).expect("the index is below the number of candidates")
            };
            genome.swap(*position, from);
            line_alleles.add(line, genome[*position]);
            open = rest;
        }
    }
}

/// The alleles of each line, with one bit for each pair of line and allele.
struct LineAlleles<'a> {
    gene_len: usize,
    words: &'a mut [u64],
}

impl LineAlleles<'_> {
    #[inline]
    fn has(&self, line: u16, allele: Allele) -> bool {
        let bit = self.bit(line, allele);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn add(&mut self, line: u16, allele: Allele) {
        let bit = self.bit(line, allele);
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    fn bit(&self, line: u16, allele: Allele) -> usize {
        usize::from(line) * self.gene_len + usize::from(allele)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(gene_len: usize, locked: &[Option<Allele>], lines: &[u16], seed: u64) -> Vec<Allele> {
        let layout = Layout::new(gene_len, locked).unwrap();
        let mut genome = vec![0; layout.genome_len()];
        fill(&layout, lines, &mut genome, &mut RandomStream::from_seed(seed));
        assert!(layout.is_valid(&genome));
        genome
    }

    #[test]
    fn two_genes_on_common_lines_never_share_an_allele_where_that_can_be_avoided() {
        for seed in 0..100 {
            let genome = filled(2, &[None; 4], &[0, 1, 0, 1], seed);
            assert!(genome == [0, 1, 1, 0] || genome == [1, 0, 0, 1], "{genome:?}");
        }
    }

    #[test]
    fn a_locked_allele_counts_on_its_line_before_its_gene_is_reached() {
        for seed in 0..100 {
            let genome = filled(3, &[None, None, None, Some(2), None, None], &[0, 1, 2, 0, 1, 2], seed);
            assert_ne!(genome[0], 2);
        }
    }

    #[test]
    fn if_the_line_has_every_remaining_allele_any_of_them_is_taken() {
        // Three genes of two alleles: both lines have both alleles before the third.
        let genomes: Vec<_> = (0..100).map(|seed| filled(2, &[None; 6], &[0, 1, 0, 1, 0, 1], seed)).collect();
        let n_ascending = genomes.iter().filter(|genome| genome[4] == 0).count();
        assert!((30..70).contains(&n_ascending), "{n_ascending} of 100");
    }

    #[test]
    fn more_lines_than_the_small_table_holds_are_filled_by_the_same_rule() {
        let n = 100;
        let lines: Vec<u16> = (0..2 * n).map(|position| position % n).collect();
        let genome = filled(n.into(), &vec![None; 2 * usize::from(n)], &lines, 1);
        let (first, second) = genome.split_at(n.into());
        // Only the last few positions can be left with nothing but the allele above them.
        assert!(first.iter().zip(second).filter(|(above, below)| above == below).count() <= 1);
    }
}

//! Layouts. A layout describes the permutation genes of a genome, and its locked positions.

use crate::random::RandomStream;

/// The value at one position of a gene. In a gene of length `n`, alleles are integers in `0..n`.
pub type Allele = u16;

/// The error for a layout that cannot exist. The error gives the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LayoutError(String);

/// The structure of a genome: `n_genes` successive genes of `gene_len` positions. Each gene is a permutation of `0..gene_len`. A position
/// may be locked to an allele. All other positions are free.
///
/// A tour is stored as one gene. A Latin square of side `n` is stored as `n` genes of length `n`. The instance gives some entries of the
/// Latin square. These entries are locked.
///
/// ```
/// use evogrid_core::layout::Layout;
///
/// // Two genes of three positions; the second position of the first gene is locked to allele 0.
/// let layout = Layout::new(3, &[None, Some(0), None, None, None, None])?;
/// assert_eq!((layout.n_genes(), layout.gene_len(), layout.genome_len()), (2, 3, 6));
/// assert_eq!(layout.free(0), [0, 2]);
/// assert!(layout.is_valid(&[2, 0, 1, 0, 1, 2]));
/// assert!(!layout.is_valid(&[0, 2, 1, 0, 1, 2]), "the locked position has another allele");
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    gene_len: usize,
    cell_columns: usize,
    /// A valid genome: the locked alleles are at their positions, and the other alleles of each gene are at its free positions, in
    /// ascending order.
    template: Vec<Allele>,
    is_locked: Vec<bool>,
    /// The free positions, ascending. `free_starts[g]..free_starts[g + 1]` is the range of gene `g`.
    free: Vec<usize>,
    free_starts: Vec<usize>,
    movable: Vec<usize>,
}

impl Layout {
    /// Creates a layout with `locked.len() / gene_len` genes. `locked[p]` is the allele of position `p` if the position is locked.
    ///
    /// # Errors
    /// Returns an error if the number of positions is not a multiple of the gene length. Returns an error if a gene cannot be a
    /// permutation.
    pub fn new(gene_len: usize, locked: &[Option<Allele>]) -> Result<Self, LayoutError> {
        if gene_len == 0 || gene_len > usize::from(Allele::MAX) {
            return Err(LayoutError(format!("a gene cannot have length {gene_len}: expected 1 to 65535")));
        }
        if locked.is_empty() || !locked.len().is_multiple_of(gene_len) {
            let n = locked.len();
            let message = format!("the number of positions, {n}, is not a multiple of the gene length {gene_len}");
            return Err(LayoutError(message));
        }
        let floor = gene_len.isqrt();
        let mut layout = Self {
            gene_len,
            cell_columns: floor + usize::from(floor * floor < gene_len),
            template: Vec::with_capacity(locked.len()),
            is_locked: locked.iter().map(Option::is_some).collect(),
            free: Vec::new(),
            free_starts: vec![0],
            movable: Vec::new(),
        };
        for (gene, alleles) in locked.chunks_exact(gene_len).enumerate() {
            layout.push_gene(gene, alleles)?;
        }
        Ok(layout)
    }

    /// Arranges each gene's positions in a grid with this number of columns. The last row of the grid may be shorter than the other rows.
    /// The default grid is nearly square, with no more rows than columns.
    ///
    /// # Panics
    /// Panics if the number of columns is 0.
    #[must_use]
    pub fn with_cell_columns(mut self, cell_columns: usize) -> Self {
        assert!(cell_columns > 0, "a grid has columns");
        self.cell_columns = cell_columns;
        self
    }

    /// The number of genes.
    #[inline]
    pub fn n_genes(&self) -> usize {
        self.free_starts.len() - 1
    }

    /// The number of positions in a gene.
    #[inline]
    pub fn gene_len(&self) -> usize {
        self.gene_len
    }

    /// The number of positions in a genome: `n_genes * gene_len`.
    #[inline]
    pub fn genome_len(&self) -> usize {
        self.template.len()
    }

    /// The number of columns of the grid. The grid contains the positions of a gene, row by row.
    #[inline]
    pub fn cell_columns(&self) -> usize {
        self.cell_columns
    }

    /// Whether the position is locked. The allele of a locked position must never change.
    #[inline]
    pub fn is_locked(&self, position: usize) -> bool {
        self.is_locked[position]
    }

    /// The free positions of a gene, in ascending order. The positions are counted from the start of the whole genome.
    #[inline]
    pub fn free(&self, gene: usize) -> &[usize] {
        &self.free[self.free_starts[gene]..self.free_starts[gene + 1]]
    }

    /// All free positions of the genome, in ascending order.
    #[inline]
    pub fn all_free(&self) -> &[usize] {
        &self.free
    }

    /// The genes with at least two free positions. A gene with fewer than two free positions cannot change.
    #[inline]
    pub fn movable_genes(&self) -> &[usize] {
        &self.movable
    }

    /// A valid genome. The free alleles of each gene are in ascending order.
    #[inline]
    pub fn template(&self) -> &[Allele] {
        &self.template
    }

    /// Fills `genome` with a uniformly random valid genome.
    pub fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        genome.copy_from_slice(&self.template);
        for &gene in &self.movable {
            random.shuffle_at(self.free(gene), genome);
        }
    }

    /// Whether every gene is a permutation and every locked position keeps its allele.
    pub fn is_valid(&self, genome: &[Allele]) -> bool {
        let mut seen = vec![usize::MAX; self.gene_len];
        genome.len() == self.genome_len()
            && genome.iter().enumerate().all(|(position, &allele)| {
                let gene = position / self.gene_len;
                let fresh = seen.get_mut(usize::from(allele)).is_some_and(|last| std::mem::replace(last, gene) != gene);
                fresh && (!self.is_locked[position] || allele == self.template[position])
            })
    }

    fn push_gene(&mut self, gene: usize, alleles: &[Option<Allele>]) -> Result<(), LayoutError> {
        let start = gene * self.gene_len;
        let mut is_used = vec![false; self.gene_len];
        for (position, allele) in alleles.iter().enumerate().filter_map(|(at, allele)| Some((start + at, (*allele)?))) {
            match is_used.get_mut(usize::from(allele)) {
                Some(used) if !*used => *used = true,
                _ => {
                    let what = format!("allele {allele} at position {position}");
                    return Err(LayoutError(format!("{what} is not allowed in the gene, or occurs twice")));
                }
            }
        }
        let mut unused = (0..self.gene_len as Allele).filter(|&allele| !is_used[usize::from(allele)]);
        for (position, allele) in (start..).zip(alleles) {
            self.template.push(allele.or_else(|| unused.next()).expect("the gene has one allele for each position"));
            if allele.is_none() {
                self.free.push(position);
            }
        }
        let start = self.free_starts[gene];
        self.free_starts.push(self.free.len());
        if self.free.len() - start >= 2 {
            self.movable.push(gene);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_holds_the_locked_alleles_and_fills_in_the_others_ascending() {
        let layout = Layout::new(3, &[None, Some(0), None, Some(2), Some(1), None]).unwrap();
        assert_eq!(layout.template(), [1, 0, 2, 2, 1, 0]);
        assert_eq!((layout.free(0), layout.free(1)), (&[0, 2][..], &[5][..]));
        assert_eq!(layout.movable_genes(), [0]);
    }

    #[test]
    fn a_random_genome_is_valid_and_an_altered_one_is_not() {
        let layout = Layout::new(4, &[Some(3), None, None, None, None, None, None, Some(0)]).unwrap();
        let mut genome = vec![0; 8];
        layout.randomise(&mut genome, &mut RandomStream::from_seed(5));
        assert!(layout.is_valid(&genome));
        genome.swap(0, 1);
        assert!(!layout.is_valid(&genome), "a locked position changed");
        genome.swap(0, 1);
        genome[2] = genome[1];
        assert!(!layout.is_valid(&genome), "an allele stands twice");
    }

    #[test]
    fn the_positions_of_a_gene_form_a_square_unless_said_otherwise() {
        for (gene_len, columns) in [(1, 1), (2, 2), (4, 2), (6, 3), (9, 3), (10, 4), (25, 5)] {
            assert_eq!(Layout::new(gene_len, &vec![None; gene_len]).unwrap().cell_columns(), columns, "{gene_len}");
        }
        assert_eq!(Layout::new(6, &[None; 6]).unwrap().with_cell_columns(2).cell_columns(), 2);
    }

    #[test]
    fn a_gene_that_cannot_be_a_permutation_is_refused() {
        for (gene_len, locked, message) in [
            (3, &[Some(1), Some(1), None][..], "allele 1 at position 1 is not allowed in the gene, or occurs twice"),
            (3, &[Some(3), None, None], "allele 3 at position 0 is not allowed in the gene, or occurs twice"),
            (3, &[None; 4], "the number of positions, 4, is not a multiple of the gene length 3"),
            (0, &[], "a gene cannot have length 0: expected 1 to 65535"),
        ] {
            assert_eq!(Layout::new(gene_len, locked).unwrap_err().to_string(), message);
        }
    }
}

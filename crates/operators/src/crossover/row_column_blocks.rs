//! `row-column-blocks`: one child takes the better rows of blocks, and the other child takes the better columns.

use evogrid_core::prelude::*;

/// Treats the genes as blocks in a grid. The grid has `gene_len / cell_columns` blocks in a row. The last row of blocks may be shorter. The
/// positions of a gene form a grid, too. To compute the score of a row of blocks, the crossover counts the different alleles in each row of
/// positions, and adds the counts. The first child takes each row of blocks from the parent with the higher score. The second child takes
/// each column of blocks from the parent whose column has the higher score. If the scores of both parents are equal, the first child takes
/// the row of the first parent, and the second child takes the column of the second parent. Nothing is random.
///
/// If genes are not blocks, the scores have no meaning, but the children are valid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowColumnBlocks;

/// The catalogue entry of `row-column-blocks`.
pub const MEMBER: Member<dyn Crossover> = Member {
    declaration: Declaration {
        needs: &[Capability::SeveralGenes],
        ..Declaration::new(
            "row-column-blocks",
            "genes are blocks in a grid. One child takes each row of blocks from the parent that has fewer repeated \
             alleles in this row. The other child takes each column of blocks from the parent that has fewer repeated \
             alleles in this column",
            "Sato and Inoue, Solving Sudoku with Genetic Operations that Preserve Building Blocks, CIG 2010",
        )
    },
    build: |_, _| Ok(Box::new(RowColumnBlocks)),
};

/// Lines of blocks, one after the other.
#[derive(Clone, Copy)]
enum Lines {
    Rows,
    Columns,
}

/// The grid of the blocks, and the grid of the positions of each block.
#[derive(Clone, Copy)]
struct BlockGrid {
    n_genes: usize,
    gene_len: usize,
    /// The number of blocks in a row.
    columns: usize,
    /// The number of positions in a row of a block.
    cell_columns: usize,
}

impl BlockGrid {
    fn new(layout: &Layout) -> Self {
        let (gene_len, cell_columns) = (layout.gene_len(), layout.cell_columns());
        let columns = (gene_len / cell_columns).clamp(1, layout.n_genes());
        Self { n_genes: layout.n_genes(), gene_len, columns, cell_columns }
    }

    /// The number of rows or of columns of blocks.
    fn n_lines(self, lines: Lines) -> usize {
        match lines {
            Lines::Rows => self.n_genes.div_ceil(self.columns),
            Lines::Columns => self.columns,
        }
    }

    /// The genes in a row or column of blocks.
    fn genes(self, lines: Lines, line: usize) -> impl Iterator<Item = usize> + Clone {
        let (start, step, n) = match lines {
            Lines::Rows => (line * self.columns, 1, self.columns),
            Lines::Columns => (line, self.columns, self.n_lines(Lines::Rows)),
        };
        (0..n).map(move |at| start + at * step).filter(move |&gene| gene < self.n_genes)
    }

    /// The score of a row or column of blocks: the number of different alleles in each of its lines of positions, summed over these lines.
    /// `seen` has an entry for every allele.
    fn score(self, genome: &[Allele], lines: Lines, line: usize, seen: &mut [usize]) -> usize {
        let (cell_columns, cell_rows) = (self.cell_columns, self.gene_len.div_ceil(self.cell_columns));
        let (n_inner, start, step, n) = match lines {
            Lines::Rows => (cell_rows, cell_columns, 1, cell_columns),
            Lines::Columns => (cell_columns, 1, cell_columns, cell_rows),
        };
        seen.fill(usize::MAX);
        let mut n_different = 0;
        for inner in 0..n_inner {
            for gene in self.genes(lines, line) {
                let cells = (0..n).map(|at| inner * start + at * step).filter(|&cell| cell < self.gene_len);
                for cell in cells {
                    let allele = usize::from(genome[gene * self.gene_len + cell]);
                    n_different += usize::from(std::mem::replace(&mut seen[allele], inner) != inner);
                }
            }
        }
        n_different
    }
}

impl Crossover for RowColumnBlocks {
    fn n_parents(&self) -> usize {
        2
    }

    fn cross(
        &self,
        layout: &Layout,
        parents: Parents<'_>,
        children: &mut [Allele],
        scratch: &mut Vec<usize>,
        _random: &mut RandomStream,
    ) {
        let (grid, gene_len) = (BlockGrid::new(layout), layout.gene_len());
        scratch.resize(gene_len, 0);
        let (first, second) = children.split_at_mut(layout.genome_len());
        for (lines, preferred, child) in [(Lines::Rows, 0, first), (Lines::Columns, 1, second)] {
            let (one, other) = (parents.genome(preferred), parents.genome(1 - preferred));
            for line in 0..grid.n_lines(lines) {
                let [score, rival] = [one, other].map(|genome| grid.score(genome, lines, line, scratch));
                let better = if rival > score { other } else { one };
                for gene in grid.genes(lines, line) {
                    let block = gene * gene_len..(gene + 1) * gene_len;
                    child[block.clone()].copy_from_slice(&better[block]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use evogrid_core::population::Population;

    use super::*;

    /// Four rows of four positions, as a grid of two by two blocks of two by two.
    fn blocks(rows: [[Allele; 4]; 4]) -> Vec<Allele> {
        let cell = |block: usize, cell: usize| rows[block / 2 * 2 + cell / 2][block % 2 * 2 + cell % 2];
        (0..16).map(|position| cell(position / 4, position % 4)).collect()
    }

    fn children(parents: [Vec<Allele>; 2]) -> Vec<Vec<Allele>> {
        let layout = Layout::new(4, &[None; 16]).unwrap();
        let population = Population::from_individuals(16, parents.map(|genome| (genome, 0.into())));
        let (mut children, mut random) = (vec![9; 32], RandomStream::from_seed(1));
        // Working memory may hold anything.
        let mut scratch = vec![7; 3];
        let parents = Parents::new(&population, &[0, 1]);
        RowColumnBlocks.cross(&layout, parents, &mut children, &mut scratch, &mut random);
        children.chunks_exact(16).map(<[Allele]>::to_vec).collect()
    }

    #[test]
    fn rows_go_to_one_child_and_columns_to_the_other_by_their_scores() {
        // Different alleles in the rows of positions: 4 + 4 and 2 + 2; in the columns: 2 + 2 and 4 + 4.
        let one = [[0, 1, 2, 3], [2, 3, 0, 1], [0, 1, 1, 0], [2, 3, 3, 2]];
        // 2 + 2 and 3 + 3; 4 + 4 and 3 + 3.
        let other = [[0, 1, 0, 1], [2, 3, 2, 3], [1, 0, 1, 2], [3, 2, 0, 3]];
        let grid = BlockGrid::new(&Layout::new(4, &[None; 16]).unwrap());
        let scores = |rows, lines| [0, 1].map(|line| grid.score(&blocks(rows), lines, line, &mut [0; 4]));
        assert_eq!((scores(one, Lines::Rows), scores(one, Lines::Columns)), ([8, 4], [4, 8]));
        assert_eq!((scores(other, Lines::Rows), scores(other, Lines::Columns)), ([4, 6], [8, 6]));
        let made = children([blocks(one), blocks(other)]);
        assert_eq!(made[0], blocks([one[0], one[1], other[2], other[3]]));
        assert_eq!(made[1], blocks([[0, 1, 2, 3], [2, 3, 0, 1], [1, 0, 1, 0], [3, 2, 3, 2]]));
        // Of equals, as these are whose alleles are renamed, each child takes its own parent's.
        let renamed = one.map(|row| row.map(|allele| 3 - allele));
        assert_eq!(children([blocks(one), blocks(renamed)]), [blocks(one), blocks(renamed)]);
    }
}

//! Problems: what a search must know of the thing it optimises.

use crate::colony::{ColonyVisitor, Pairs, Plain};
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::random::RandomStream;

/// One instance of a combinatorial problem whose solutions are lists of permutation genes.
///
/// The first three methods are all that a search needs; the others are cheap knowledge that some operators ask for.
pub trait Problem: Send + Sync {
    /// Genes, their length and the locked positions.
    fn layout(&self) -> &Layout;

    /// The fitness of a valid genome, minimised. The same genome always has the same fitness.
    fn fitness(&self, genome: &[Allele]) -> Fitness;

    /// The fitness that counts as solved, where one is known.
    fn target(&self) -> Option<Fitness>;

    /// A random valid genome: uniform over the layout, unless the problem knows better.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.layout().randomise(genome, random);
    }

    /// Whether [`conflicts`](Self::conflicts) says anything, so that operators can be guided by it.
    fn has_conflicts(&self) -> bool {
        false
    }

    /// Writes to `conflicts[p]`, for every position `p` of `genome`, how many others it conflicts with; 0 where none. A
    /// solved genome has no conflicts.
    fn conflicts(&self, _genome: &[Allele], conflicts: &mut [u32]) {
        conflicts.fill(0);
    }

    /// For every position the line it lies on, a set of positions across the genes that should not share an allele (the row,
    /// for the boxes of a Sudoku); empty where the problem has no lines.
    fn lines(&self) -> &[u16] {
        &[]
    }

    /// The sets of positions, beside the genes, whose alleles must all be different, where a genome is solved exactly if they
    /// are; `None` where the problem is of another kind. Exact methods work on any problem that has them.
    fn units(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// The genome as one line of text that a person or program can check.
    fn describe(&self, genome: &[Allele]) -> String;

    /// Reads a genome back from a [description](Self::describe), which another program may have written.
    ///
    /// # Errors
    /// Why the text is no valid genome, for a person; always, where the problem reads none.
    fn read(&self, _description: &str) -> Result<Vec<Allele>, String> {
        Err("this problem reads no solutions".to_owned())
    }

    /// What is to be solved as one line of text, in the form of [`Instance::content`](crate::instance::Instance::content), for
    /// another program; `None` where the problem writes none.
    fn content(&self) -> Option<String> {
        None
    }

    /// Shows a visitor the fastest colony of `capacity` solutions that the problem has: one that evaluates every swap from
    /// scratch, unless the problem knows better.
    fn visit_colony<V: ColonyVisitor>(&self, capacity: usize, visitor: V) -> V::Output
    where
        Self: Sized,
    {
        let pairs = Pairs::new(self.layout());
        visitor.visit(Plain::new(self, &pairs, capacity), &pairs)
    }
}

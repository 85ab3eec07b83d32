//! An operator of one's own, a mutation, in a runner of one's own: all that ships, and `displacement` beside it.
//!
//! ```sh
//! cargo run --release --example own_operator -- list operators
//! cargo run --release --example own_operator -- solve datasets/sudoku/printed.csv --id huke --algorithm huke --set mutation=displacement
//! ```
//!
//! The first prints every operator with its settings, `displacement` among the mutations; the second the board, and how the search ended.

use evogrid::prelude::*;

/// A segment of the free positions of one gene is taken out and put back elsewhere.
struct Displacement {
    /// The longest segment, at least 1.
    longest: usize,
}

const MEMBER: Member<dyn Mutation> = Member {
    declaration: Declaration {
        name: "displacement",
        doc: "a segment of a random gene moves to another place",
        source: "Michalewicz, Genetic Algorithms + Data Structures = Evolution Programs, 1992, section 10.2",
        version: 1,
        needs: &[],
        parameters: &[Parameter::integer("longest", 1, 65_535, 3, "longest segment, in alleles")],
    },
    build: |settings, _| Ok(Box::new(Displacement { longest: settings.count("longest") })),
};

impl Mutation for Displacement {
    fn mutate(
        &self,
        layout: &Layout,
        _conflicts: &[u32],
        genome: &mut [Allele],
        _scratch: &mut Vec<usize>,
        random: &mut RandomStream,
    ) {
        // Genes that can change have two free positions or more; where all is locked there is none.
        let genes = layout.movable_genes();
        if genes.is_empty() {
            return;
        }
        let free = layout.free(genes[random.below(genes.len())]);
        let len = 1 + random.below(self.longest.min(free.len() - 1));
        let n_places = free.len() - len + 1;
        let from = random.below(n_places);
        let to = (from + 1 + random.below(n_places - 1)) % n_places;
        displace(free, from, len, to, genome);
    }
}

/// Moves the segment of `len` alleles from free position number `from` so that it begins at number `to`.
fn displace(free: &[usize], from: usize, len: usize, to: usize, genome: &mut [Allele]) {
    let (start, middle, end) = if to < from { (to, from, from + len) } else { (from, from + len, to + len) };
    // Two adjacent segments change places: both are reversed, and then the whole.
    for range in [start..middle, middle..end, start..end] {
        let half = range.len() / 2;
        (0..half).for_each(|at| genome.swap(free[range.start + at], free[range.end - 1 - at]));
    }
}

fn main() -> std::process::ExitCode {
    let mut catalogue = evogrid::catalogue();
    catalogue.operators.mutations.add(MEMBER);
    evogrid::main(catalogue)
}

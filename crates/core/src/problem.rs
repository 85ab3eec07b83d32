//! Problems: what a search must know of the thing it optimises.

use crate::colony::{Colony, ColonyVisitor, Pairs};
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

    /// What is to be solved as one line of text, in the form of [`Instance::content`](crate::family::Instance::content), for
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
        visitor.visit(PlainColony::new(self, &pairs, capacity), &pairs)
    }
}

/// The colony of any problem: every error is evaluated from scratch.
pub struct PlainColony<'p, P: ?Sized> {
    problem: &'p P,
    pairs: &'p Pairs,
    genomes: Vec<Allele>,
    explored: Vec<Allele>,
    kept: Vec<Allele>,
}

impl<'p, P: Problem + ?Sized> PlainColony<'p, P> {
    /// Room for `capacity` solutions.
    #[must_use]
    pub fn new(problem: &'p P, pairs: &'p Pairs, capacity: usize) -> Self {
        let template = problem.layout().template();
        Self {
            problem,
            pairs,
            genomes: template.repeat(capacity),
            explored: template.to_vec(),
            kept: template.to_vec(),
        }
    }

    fn genome(&mut self, place: usize) -> &mut [Allele] {
        let len = self.kept.len();
        &mut self.genomes[place * len..][..len]
    }
}

impl<P: Problem + ?Sized> Colony for PlainColony<'_, P> {
    type Error = Fitness;

    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> Fitness {
        let problem = self.problem;
        let genome = self.genome(place);
        problem.randomise(genome, random);
        problem.fitness(genome)
    }

    fn swapped(&mut self, place: usize, pair: usize, _: Fitness) -> Fitness {
        let (problem, (one, other)) = (self.problem, self.pairs.positions()[pair]);
        let genome = self.genome(place);
        genome.swap(one, other);
        let fitness = problem.fitness(genome);
        genome.swap(one, other);
        fitness
    }

    fn swap(&mut self, place: usize, pair: usize) {
        let (one, other) = self.pairs.positions()[pair];
        self.genome(place).swap(one, other);
    }

    fn explore(&mut self, random: &mut RandomStream) -> Fitness {
        self.problem.randomise(&mut self.explored, random);
        self.problem.fitness(&self.explored)
    }

    fn keep(&mut self) {
        self.kept.copy_from_slice(&self.explored);
    }

    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> Fitness {
        let (len, gene_len) = (self.kept.len(), self.problem.layout().gene_len());
        self.genomes.copy_within(parent * len..(parent + 1) * len, child * len);
        let genome = &mut self.genomes[child * len..][..len];
        for (gene, kept) in genome.chunks_exact_mut(gene_len).zip(self.kept.chunks_exact(gene_len)) {
            if random.chance(0.5) {
                gene.copy_from_slice(kept);
            }
        }
        self.problem.fitness(genome)
    }

    fn write_genome(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.genomes[place * genome.len()..][..genome.len()]);
    }

    fn write_explored(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.explored);
    }
}

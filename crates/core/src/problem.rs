//! Problems: what a search must know of what it optimises.

use std::collections::TryReserveError;

use crate::colony::{Colony, ColonyVisitor, Pairs};
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::{blocks, room};
use crate::random::RandomStream;

/// One instance of a combinatorial problem whose solutions are lists of permutation genes. The [crate] shows a whole one.
///
/// Every problem has a layout and a fitness. The other methods have defaults: they describe solutions, or offer knowledge that some
/// operators and searches ask for.
///
/// ```
/// use evogrid_core::fitness::Fitness;
/// use evogrid_core::layout::{Allele, Layout};
/// use evogrid_core::problem::Problem;
///
/// /// How many places of a permutation lead down.
/// struct Ascending(Layout);
///
/// impl Problem for Ascending {
///     fn layout(&self) -> &Layout {
///         &self.0
///     }
///
///     fn fitness(&self, genome: &[Allele]) -> Fitness {
///         Fitness::from(genome.windows(2).filter(|pair| pair[0] > pair[1]).count() as u32)
///     }
///
///     fn target(&self) -> Option<Fitness> {
///         Some(Fitness::from(0))
///     }
/// }
///
/// let problem = Ascending(Layout::new(4, &[None; 4])?);
/// assert_eq!(problem.fitness(&[2, 3, 1, 0]), Fitness::from(2));
/// assert!(!problem.has_conflicts(), "it knows nothing more than that");
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Problem: Send + Sync {
    /// Genes, their length and the locked positions.
    fn layout(&self) -> &Layout;

    /// The fitness of a valid genome, minimised. The same genome always has the same fitness.
    fn fitness(&self, genome: &[Allele]) -> Fitness;

    /// The fitness at which an instance counts as solved, where one is known. Without it only the budget ends a run.
    fn target(&self) -> Option<Fitness> {
        None
    }

    /// Writes a random valid genome: uniform over the layout, unless the problem has a better way.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.layout().randomise(genome, random);
    }

    /// Whether the problem counts [`conflicts`](Self::conflicts), so that operators can be guided by them.
    fn has_conflicts(&self) -> bool {
        false
    }

    /// Writes to `conflicts[p]`, for every position `p` of `genome`, the number of other positions that it conflicts with. A solved
    /// genome has no conflicts.
    fn conflicts(&self, _genome: &[Allele], conflicts: &mut [u32]) {
        conflicts.fill(0);
    }

    /// For every position the number of the line that it lies on: a set of positions across the genes, no two of which should have
    /// the same allele (a column of a Latin square whose genes are its rows). Empty where the problem has no lines.
    fn lines(&self) -> &[u16] {
        &[]
    }

    /// The sets of positions, beside the genes, whose alleles must all be different, if a genome is a solution exactly when they
    /// are; `None` for any other problem. [Exact methods](crate::search::exact) work on every problem that has them.
    fn units(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// The genome as one line of text that a person or program can check: the list of its alleles, unless the problem has a better form.
    fn describe(&self, genome: &[Allele]) -> String {
        format!("{genome:?}")
    }

    /// Reads a genome back from a [description](Self::describe), which another program may have written.
    ///
    /// # Errors
    /// Why the text is no valid genome, as a message; always, if the problem cannot read solutions.
    fn read(&self, _description: &str) -> Result<Vec<Allele>, String> {
        Err("this problem reads no solutions".to_owned())
    }

    /// The instance as one line of text, in the form of [`Instance::content`](crate::family::Instance::content), for another
    /// program; `None` if the problem has no such form.
    fn content(&self) -> Option<String> {
        None
    }

    /// Calls a visitor with the fastest [`Colony`] of `capacity` solutions that the problem has: a [`PlainColony`], unless the
    /// problem has its own.
    ///
    /// # Errors
    /// The visitor, if the system refuses the memory of the colony.
    fn visit_colony<V: ColonyVisitor>(&self, capacity: usize, visitor: V) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        let pairs = Pairs::new(self.layout());
        match PlainColony::new(self, &pairs, capacity) {
            Ok(colony) => Ok(visitor.visit(colony, &pairs)),
            Err(_) => Err(visitor),
        }
    }

    /// The bytes that the colony of [`visit_colony`](Self::visit_colony) takes, about.
    fn colony_memory(&self, capacity: usize) -> u64 {
        let (layout, allele) = (self.layout(), size_of::<Allele>());
        blocks(capacity.saturating_add(2), layout.genome_len() * allele).saturating_add(Pairs::memory(layout))
    }
}

/// The colony of any problem: every error is the fitness, computed from scratch.
pub struct PlainColony<'p, P: ?Sized> {
    problem: &'p P,
    pairs: &'p Pairs,
    genomes: Vec<Allele>,
    explored: Vec<Allele>,
    kept: Vec<Allele>,
}

impl<'p, P: Problem + ?Sized> PlainColony<'p, P> {
    /// A colony with places for `capacity` solutions.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(problem: &'p P, pairs: &'p Pairs, capacity: usize) -> Result<Self, TryReserveError> {
        let template = problem.layout().template();
        let mut genomes = room(template.len().saturating_mul(capacity))?;
        (0..capacity).for_each(|_| genomes.extend_from_slice(template));
        Ok(Self { problem, pairs, genomes, explored: template.to_vec(), kept: template.to_vec() })
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

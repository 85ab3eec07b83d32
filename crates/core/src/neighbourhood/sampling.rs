//! Neighbourhoods that can also draw random solutions. Some searches use random solutions (samples) in addition to moves.

use std::collections::TryReserveError;

use super::scratch::SolutionSpace;
use super::{Neighbourhood, NeighbourhoodVisitor};
use crate::layout::Allele;
use crate::random::RandomStream;

/// A neighbourhood that can also draw random solutions. The neighbourhood stores two further solutions: the latest sample and the kept
/// sample.
pub trait SamplingNeighbourhood {
    /// The type of the neighbourhood.
    type Moves: Neighbourhood;

    /// The neighbourhood.
    fn moves(&self) -> &Self::Moves;

    /// The neighbourhood, which evaluates and makes moves.
    fn moves_mut(&mut self) -> &mut Self::Moves;

    /// Stores a random solution at place number `place`, and returns the cost of the solution.
    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> MovesCost<Self>;

    /// Draws a random solution, which becomes the latest sample. Returns the cost of the sample.
    fn sample(&mut self, random: &mut RandomStream) -> MovesCost<Self>;

    /// Replaces the kept sample by the latest sample.
    fn keep_sample(&mut self);

    /// Writes the genome of the latest sample.
    fn write_sample(&self, genome: &mut [Allele]);

    /// Writes the genome of the kept sample.
    fn write_kept(&self, genome: &mut [Allele]);

    /// Copies the solution at place number `parent` to place number `child`. Then each gene of the child is replaced, with probability 1/2,
    /// by the same gene of the kept sample. Returns the cost of the child.
    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> MovesCost<Self>;
}

/// The cost of a solution of a [`SamplingNeighbourhood`].
pub type MovesCost<S> = <<S as SamplingNeighbourhood>::Moves as Neighbourhood>::Cost;

/// A computation on a [`SamplingNeighbourhood`]. Such a neighbourhood also draws random solutions. The compiler makes a separate version of
/// the visitor's computation for each neighbourhood type.
pub trait SamplingVisitor: Sized {
    /// The result of the visitor's computation.
    type Output;

    /// Does the computation.
    fn visit<S: SamplingNeighbourhood>(self, sampling: S) -> Self::Output;

    /// If there was enough memory for the neighbourhood, the method does the visitor's computation.
    ///
    /// # Errors
    /// If the operating system does not provide the memory, the function returns the visitor and does not call it.
    fn visit_if<S: SamplingNeighbourhood>(self, sampling: Result<S, TryReserveError>) -> Result<Self::Output, Self> {
        match sampling {
            Ok(sampling) => Ok(self.visit(sampling)),
            Err(_) => Err(self),
        }
    }
}

/// Adds random solutions (samples) to a neighbourhood. The problem draws the samples. A neighbourhood stores solutions in numbered places.
/// The last place is reserved for the samples.
pub struct WithSampling<'p, P: ?Sized, N> {
    problem: &'p P,
    moves: N,
    place: usize,
    sample: Vec<Allele>,
    kept: Vec<Allele>,
    child: Vec<Allele>,
}

impl<P: SolutionSpace + ?Sized, N: Neighbourhood> SamplingNeighbourhood for WithSampling<'_, P, N> {
    type Moves = N;

    fn moves(&self) -> &N {
        &self.moves
    }

    fn moves_mut(&mut self) -> &mut N {
        &mut self.moves
    }

    fn randomise(&mut self, place: usize, random: &mut RandomStream) -> N::Cost {
        self.problem.randomise(&mut self.child, random);
        self.moves.load(place, &self.child)
    }

    fn sample(&mut self, random: &mut RandomStream) -> N::Cost {
        self.problem.randomise(&mut self.sample, random);
        self.moves.load(self.place, &self.sample)
    }

    fn keep_sample(&mut self) {
        self.kept.copy_from_slice(&self.sample);
    }

    fn write_sample(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.sample);
    }

    fn write_kept(&self, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.kept);
    }

    fn merge_kept(&mut self, child: usize, parent: usize, random: &mut RandomStream) -> N::Cost {
        self.moves.write(parent, &mut self.child);
        let gene_len = self.problem.layout().gene_len();
        for (gene, kept) in self.child.chunks_exact_mut(gene_len).zip(self.kept.chunks_exact(gene_len)) {
            if random.chance(0.5) {
                gene.copy_from_slice(kept);
            }
        }
        self.moves.load(child, &self.child)
    }
}

/// A visitor that contains another visitor, the inner visitor. The outer visitor adds stored samples to a neighbourhood, and then calls the
/// inner visitor. If the inner visitor uses `n` solutions, the neighbourhood must be able to store `n + 1` solutions.
pub struct AddSampling<'p, P: ?Sized, V> {
    /// The problem that draws the samples.
    pub problem: &'p P,
    /// The neighbourhood stores solutions in numbered places. The samples are stored at the place with this number.
    pub place: usize,
    /// The inner visitor.
    pub visitor: V,
}

impl<'p, P: SolutionSpace + ?Sized, V: SamplingVisitor> NeighbourhoodVisitor<'p> for AddSampling<'_, P, V> {
    type Output = V::Output;

    fn visit<N: Neighbourhood + 'p>(self, moves: N) -> V::Output {
        let Self { problem, place, visitor } = self;
        let template = || problem.layout().template().to_vec();
        visitor.visit(WithSampling { problem, moves, place, sample: template(), kept: template(), child: template() })
    }
}

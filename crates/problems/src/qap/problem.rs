//! The quadratic assignment problem as a problem for the searches.

use std::cmp::Reverse;
use std::sync::Arc;

use super::instance::{MAX_SIZE, Matrices, potential};
use super::neighbourhood::Swaps;
use super::operands::AnyOperands;
use super::partial::PartialAssignment;
use crate::solutions::{self, Cost};
use evogrid_core::prelude::*;
use evogrid_core::search::ant_colony::PositionByPosition;

/// The problem of finding the assignment with the lowest cost. The allele at position `i` is the row of B that is assigned to row `i` of A.
/// The fitness is the cost.
///
/// ```
/// use evogrid_core::problem::{Construction, Problem};
/// use evogrid_problems::qap::{Matrices, Qap};
///
/// let problem = Qap::new(Matrices::new(3, vec![0, 5, 0, 5, 0, 1, 0, 1, 0], vec![0, 1, 2, 1, 0, 3, 2, 3, 0])?);
/// // A flow of 5 over the distance 1, and a flow of 1 over the distance 2, each in both directions.
/// assert_eq!(problem.fitness(&[1, 0, 2]).value(), 2.0 * (5.0 * 1.0 + 1.0 * 2.0));
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Qap {
    matrices: Arc<Matrices>,
    operands: Arc<AnyOperands>,
    layout: Layout,
}

impl Qap {
    /// Creates the problem of an instance.
    ///
    /// # Panics
    /// Panics if the system cannot provide enough memory. After this panic, only the run with this problem fails, and the other runs
    /// continue.
    pub fn new(matrices: impl Into<Arc<Matrices>>) -> Self {
        let matrices = matrices.into();
        let layout = Layout::new(matrices.n(), &vec![None; matrices.n()]);
        const { assert!(MAX_SIZE < Allele::MAX as usize) };
        let operands = Arc::new(AnyOperands::new(&matrices));
        Self { operands, layout: layout.expect("the size of the instance is in the allowed range"), matrices }
    }
}

impl Problem for Qap {
    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        Cost(self.operands.cost(genome)).into()
    }

    /// For each row of A, lists the row of B that is assigned to it. The text is a permutation of the numbers from 1 to `n`, as in QAPLIB.
    /// Blanks separate these numbers.
    fn describe(&self, genome: &[Allele]) -> String {
        solutions::describe(genome)
    }

    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        let words = description.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        solutions::read(words, self.matrices.n(), "row")
    }

    fn content(&self) -> Option<String> {
        Some(self.matrices.content())
    }

    /// Uses the delta matrix for swaps. All moves that are not swaps are evaluated fully.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match kind {
            NeighbourhoodKind::Swap => match &*self.operands {
                AnyOperands::Narrow(operands) => visitor.visit_if(Swaps::new(operands, &self.layout, places)),
                AnyOperands::Wide(operands) => visitor.visit_if(Swaps::new(operands, &self.layout, places)),
            },
            _ => visitor.visit_if(Scratch::new(self, kind, places)),
        }
    }

    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        match kind {
            NeighbourhoodKind::Swap => match &*self.operands {
                AnyOperands::Narrow(operands) => Swaps::memory(operands, &self.layout, places),
                AnyOperands::Wide(operands) => Swaps::memory(operands, &self.layout, places),
            },
            _ => Scratch::memory(self, places),
        }
    }

    fn size(&self, name: &str) -> Option<f64> {
        (name == "n").then(|| self.matrices.n() as f64)
    }

    /// The average cost of a random assignment, divided by the number of rows. The formula uses the absolute values of the matrix entries.
    fn scale(&self) -> f64 {
        let n = self.matrices.n() as f64;
        let mean = |matrix: &[i64]| matrix.iter().map(|&entry| entry.unsigned_abs() as f64).sum::<f64>() / (n * n);
        n * mean(self.matrices.a()) * mean(self.matrices.b())
    }

    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        Some(match &*self.operands {
            AnyOperands::Narrow(operands) => Box::new(PartialAssignment::new(operands)),
            AnyOperands::Wide(operands) => Box::new(PartialAssignment::new(operands)),
        })
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        Some(self)
    }

    fn constructions(&self) -> Vec<Construction<'_>> {
        let doc = "takes the rows of matrix B in the order of descending sums. Each row gets the free place with the \
            lowest cost; ties are broken at random";
        vec![Construction::new("greedy", doc, |genome, random| self.construct_greedily(genome, random))]
    }
}

impl StepwiseConstruction for Qap {
    /// Assigns the rows of A in descending order of their potentials. The potential of row `i` is the sum of the entries in row `i` and
    /// column `i`. The heuristic information of a row of B is 1 divided by the potential of this row, but at most 1. So the row of A with
    /// the most flow comes first, and the heuristic information favours central rows of B. A central row is near all other rows (Maniezzo,
    /// Colorni and Dorigo, "The Ant System applied to the quadratic assignment problem", IRIDIA 94-28, Brussels, 1994). The reference
    /// solution is the greedy assignment.
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        let mut reference = self.layout.template().to_vec();
        // The random draws only break ties.
        self.construct_greedily(&mut reference, &mut RandomStream::from_seed(0));
        let n = self.matrices.n();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_cached_key(|&row| Reverse(potential(self.matrices.a(), row as usize)));
        let heuristics = (0..n).map(|row| 1.0 / (potential(self.matrices.b(), row) as f64).max(1.0)).collect();
        Box::new(PositionByPosition::new(self, order, heuristics, &reference, places))
    }

    fn memory(&self, places: usize) -> Option<u64> {
        Some(PositionByPosition::<Self>::memory(self.matrices.n(), places))
    }
}

impl Qap {
    /// The construction `greedy`. The greedy assignment takes the rows of B in descending order of their potentials; ties are broken at
    /// random. The first row of B is assigned to the row of A with the least potential, and every other row is assigned where it adds the
    /// least cost.
    fn construct_greedily(&self, genome: &mut [Allele], random: &mut RandomStream) {
        let mut elements: Vec<Allele> = (0..genome.len() as Allele).collect();
        random.shuffle(&mut elements);
        elements.sort_by_cached_key(|&element| Reverse(potential(self.matrices.b(), usize::from(element))));
        let mut partial = self.partial().expect("there is one");
        let least = (0..genome.len()).min_by_key(|&row| potential(self.matrices.a(), row)).expect("there are rows");
        partial.insert(elements[0], least);
        for &element in &elements[1..] {
            let best = partial.best_position(element, u64::MAX, Ties::First);
            partial.insert(element, best.position);
        }
        partial.write(genome);
    }
}

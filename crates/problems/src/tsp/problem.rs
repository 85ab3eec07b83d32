//! The travelling salesman problem for the searches.

use evogrid_core::prelude::*;

use super::ants::{self, Tours};
use super::construction::{self, PartialTour};
use super::instance::TspInstance;
use super::neighbourhood::TourNeighbourhood;
use crate::solutions::{self, Cost};

/// The problem of finding the shortest tour of an instance. The genome has one gene: the tour. The cities of the tour are counted from 0.
/// The fitness is the length of the closed tour.
///
/// ```
/// use evogrid_core::problem::{Construction, Problem};
/// use evogrid_problems::tsp::{TspInstance, TspProblem};
///
/// let square = TspInstance::from_content("EUC_2D 0 0 3 4 3 0 0 4")?;
/// let problem = TspProblem::new(square);
/// assert_eq!(problem.fitness(&[0, 2, 1, 3]).value(), 14.0);
/// assert_eq!(problem.describe(&[0, 2, 1, 3]), "1 3 2 4");
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TspProblem {
    instance: TspInstance,
    layout: Layout,
}

impl TspProblem {
    /// Creates the problem of an instance.
    pub fn new(instance: TspInstance) -> Self {
        let n_cities = instance.n_cities();
        let layout = Layout::new(n_cities, &vec![None; n_cities]).expect("an instance has 3 to 65,535 cities");
        Self { instance, layout }
    }

    /// The instance.
    pub fn instance(&self) -> &TspInstance {
        &self.instance
    }
}

impl Problem for TspProblem {
    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    #[inline]
    fn fitness(&self, genome: &[Allele]) -> Fitness {
        Cost(self.instance.weights().tour_length(genome)).into()
    }

    /// The cities in the order of the tour, counted from 1.
    fn describe(&self, genome: &[Allele]) -> String {
        solutions::describe(genome)
    }

    /// The cities in the order of the tour, counted from 1.
    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        solutions::read(description.split_whitespace(), self.instance.n_cities(), "city")
    }

    fn content(&self) -> Option<String> {
        Some(self.instance.content())
    }

    /// Uses neighbour lists for inversions (2-opt) and Or-opt. Moves of all other kinds are evaluated fully.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match kind {
            NeighbourhoodKind::Swap | NeighbourhoodKind::Insertion => {
                visitor.visit_if(Scratch::new(self, kind, places))
            }
            _ => {
                let has_transfers = kind == NeighbourhoodKind::OrTwoOpt;
                visitor.visit_if(TourNeighbourhood::new(&self.instance, has_transfers, places))
            }
        }
    }

    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        match kind {
            NeighbourhoodKind::Swap | NeighbourhoodKind::Insertion => Scratch::memory(self, places),
            _ => TourNeighbourhood::memory(self.instance.n_cities(), places),
        }
    }

    fn own_neighbourhood(&self) -> NeighbourhoodKind {
        NeighbourhoodKind::OrTwoOpt
    }

    fn size(&self, name: &str) -> Option<f64> {
        (name == "n").then(|| self.instance.n_cities() as f64)
    }

    /// The mean weight of the edge from a city to its nearest city.
    fn scale(&self) -> f64 {
        let (n_cities, neighbours) = (self.instance.n_cities(), self.instance.neighbours());
        let sum: i64 = (0..n_cities).map(|city| i64::from(neighbours.of_city(city)[0].weight)).sum();
        sum as f64 / n_cities as f64
    }

    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        Some(Box::new(PartialTour::new(self.instance.weights())))
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        Some(self)
    }

    /// Offers two constructions. The greedy-edge construction makes no random choices. The nearest-neighbour construction starts at a
    /// random city.
    fn constructions(&self) -> Vec<Construction<'_>> {
        let weights = self.instance.weights();
        let greedy = |genome: &mut [Allele], _: &mut RandomStream| construction::greedy(weights, genome);
        let nearest = |genome: &mut [Allele], random: &mut RandomStream| {
            let start = random.below(genome.len()) as Allele;
            construction::nearest_neighbour(weights, self.instance.neighbours(), start, genome);
        };
        vec![
            Construction::new(
                "greedy",
                "adds edges to the tour, the shortest edges first. If no tour can contain an edge together with the \
                 earlier edges, the edge is skipped",
                greedy,
            ),
            Construction::new(
                "nearest-neighbour",
                "starts at a random city and always visits the nearest unvisited city next",
                nearest,
            ),
        ]
    }
}

impl StepwiseConstruction for TspProblem {
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        Box::new(Tours::new(&self.instance, places))
    }

    fn memory(&self, places: usize) -> Option<u64> {
        Some(ants::memory(self.instance.n_cities(), places))
    }
}

//! Problems: what a search must know about what it optimises.

use crate::ants::StepwiseConstruction;
use crate::construction::PartialSolution;
use crate::direction::Direction;
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::refusal;
use crate::neighbourhood::{
    AddSampling, Boxed, DynNeighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, SamplingVisitor, Scratch,
    SolutionSpace,
};
use crate::random::RandomStream;

/// One instance of a combinatorial problem whose solutions are lists of permutation genes. The [crate] shows a whole one.
///
/// Every problem has a layout and a fitness. The other methods have defaults: they describe solutions, or offer knowledge that some
/// operators and searches need.
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
/// assert!(problem.conflicts().is_none(), "it knows nothing more than that");
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Problem: Send + Sync {
    /// Genes, their length and the locked positions.
    fn layout(&self) -> &Layout;

    /// The fitness of a valid genome, minimised. The same genome always has the same fitness.
    fn fitness(&self, genome: &[Allele]) -> Fitness;

    /// The fitness at which an instance counts as solved, if it is known. Otherwise only the budget ends a run.
    fn target(&self) -> Option<Fitness> {
        None
    }

    /// Whether the values of which the fitness is the cost are minimised or maximised.
    fn direction(&self) -> Direction {
        Direction::Minimise
    }

    /// Whether solutions are genomes. If not, nothing but their text is known, and only a search that
    /// [answers with text](crate::evaluator::Outcome::solution) can solve the problem.
    fn has_genomes(&self) -> bool {
        true
    }

    /// Writes a random valid genome: by default uniformly distributed over the layout.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.layout().randomise(genome, random);
    }

    /// A counter of the conflicts at positions, which guides operators; `None` if the problem does not count conflicts.
    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        None
    }

    /// For every position, the number of the line on which it lies. A line is a set of positions across genes that should all have
    /// different alleles, such as a column of a Latin square whose genes are its rows. Empty if the problem has no lines.
    fn lines(&self) -> &[u16] {
        &[]
    }

    /// The sets of positions, in addition to genes, whose alleles must all differ, provided that a genome is a solution exactly if they
    /// do; `None` for any other problem. [Exact methods](crate::search::exact) work on every problem with such sets.
    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// The genome as one line of text that a person or a program can check: by default the list of its alleles.
    fn describe(&self, genome: &[Allele]) -> String {
        format!("{genome:?}")
    }

    /// Reads a genome from its [description](Self::describe), which another program may have written.
    ///
    /// # Errors
    /// Why the text is not a valid genome, as a message; always, if the problem cannot read solutions.
    fn read(&self, _description: &str) -> Result<Vec<Allele>, String> {
        Err("this problem cannot read solutions".to_owned())
    }

    /// The instance as one line of text, in the form of [`Instance::content`](crate::family::Instance::content), for another
    /// program; `None` if the problem has no such form.
    fn content(&self) -> Option<String> {
        None
    }

    /// Calls a visitor with the fastest [`Neighbourhood`](crate::neighbourhood::Neighbourhood) of this kind and this number of places: a
    /// [`Scratch`] neighbourhood, unless the problem has its own.
    ///
    /// # Errors
    /// The visitor itself, if the system refuses the memory.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        visitor.visit_if(Scratch::new(self, kind, places))
    }

    /// The approximate bytes of the neighbourhood that [`visit_neighbourhood`](Self::visit_neighbourhood) would create.
    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        let _ = kind;
        Scratch::memory(self, places)
    }

    /// Calls a visitor with a neighbourhood that also draws random solutions. By default it is that of
    /// [`visit_neighbourhood`](Self::visit_neighbourhood) with samples from [`randomise`](Self::randomise).
    ///
    /// # Errors
    /// The visitor itself, if the system refuses the memory.
    fn visit_sampling<V: SamplingVisitor>(
        &self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        let adding = AddSampling { problem: self, place: places, visitor };
        self.visit_neighbourhood(kind, places + 1, adding).map_err(|refused| refused.visitor)
    }

    /// The kind of neighbourhood that suits the problem best; it is chosen by `neighbourhood = "family"`.
    fn own_neighbourhood(&self) -> NeighbourhoodKind {
        NeighbourhoodKind::Swap
    }

    /// The size of the instance with this name, which the [family](crate::family::Family::sizes) declares; settings can
    /// [grow](crate::parameter::Parameter::growing) with it. `None` if the problem does not know the size.
    fn size(&self, name: &str) -> Option<f64> {
        let _ = name;
        None
    }

    /// The typical contribution of an element to the fitness, which is the unit of temperatures. For a flow shop it is the mean
    /// processing time.
    fn scale(&self) -> f64 {
        1.0
    }

    /// A solution under construction, from which elements can be removed and reinserted at their best positions; `None` if the problem
    /// cannot tell the cost of a part of a solution.
    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        None
    }

    /// The step-by-step construction of solutions, as an [ant colony](crate::search::ant_colony) uses it; `None` if the problem does not
    /// support it.
    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        None
    }

    /// The constructions, the best first: `start = "family"` chooses the first.
    fn constructions(&self) -> Vec<Construction<'_>> {
        Vec::new()
    }
}

/// Counts the conflicts of positions.
pub trait ConflictCount {
    /// Writes to `conflicts[p]`, for every position `p` of `genome`, the number of other positions that it conflicts with. A solved
    /// genome has no conflicts.
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]);
}

/// A construction of a problem: a rule that makes a solution.
pub struct Construction<'p> {
    /// Its name, a value of settings such as `start`.
    pub name: &'static str,
    /// Its description in one line.
    pub doc: &'static str,
    /// Writes a solution; the stream is used only to break ties.
    pub build: ConstructionRule<'p>,
}

/// A function that writes a solution to a genome.
pub type ConstructionRule<'p> = Box<dyn Fn(&mut [Allele], &mut RandomStream) + 'p>;

impl<'p> Construction<'p> {
    /// A construction by this rule.
    pub fn new(name: &'static str, doc: &'static str, build: impl Fn(&mut [Allele], &mut RandomStream) + 'p) -> Self {
        Self { name, doc, build: Box::new(build) }
    }
}

impl<P: Problem + ?Sized> SolutionSpace for P {
    fn layout(&self) -> &Layout {
        Problem::layout(self)
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        Problem::fitness(self, genome)
    }

    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        Problem::randomise(self, genome, random);
    }
}

/// A problem behind a trait object, with its neighbourhoods, for searches that are compiled separately from the problem. Every
/// [`Problem`] implements it.
pub trait DynProblem: Problem {
    /// The fastest neighbourhood of this kind that the problem has, with this number of places.
    ///
    /// # Errors
    /// Why the memory was refused, as a message.
    fn neighbourhood(&self, kind: NeighbourhoodKind, places: usize) -> Result<Box<dyn DynNeighbourhood + '_>, String>;
}

impl<P: Problem> DynProblem for P {
    fn neighbourhood(&self, kind: NeighbourhoodKind, places: usize) -> Result<Box<dyn DynNeighbourhood + '_>, String> {
        self.visit_neighbourhood(kind, places, Boxed { places })
            .map_err(|_| refusal(&format!("{places} solutions"), self.neighbourhood_memory(kind, places)))
    }
}

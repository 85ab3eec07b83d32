//! Problems: what a search must know about what it optimises.

use crate::ants::StepwiseConstruction;
use crate::construction::PartialSolution;
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

    /// The fitness at which an instance counts as solved, if one is known. Without it only the budget ends a run.
    fn target(&self) -> Option<Fitness> {
        None
    }

    /// Writes a random valid genome: uniform over the layout, unless the problem has a better way.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.layout().randomise(genome, random);
    }

    /// The conflicts of positions, by which operators can be guided; `None` if the problem does not count them.
    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        None
    }

    /// For every position the number of the line that it lies on: a set of positions across the genes, no two of which should have the same
    /// allele (a column of a Latin square whose genes are its rows). Empty if the problem has no lines.
    fn lines(&self) -> &[u16] {
        &[]
    }

    /// The sets of positions, beside the genes, whose alleles must all be different, if a genome is a solution exactly when they
    /// are; `None` for any other problem. [Exact methods](crate::search::exact) work on every problem that has them.
    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// The genome as one line of text that a person or program can check: the list of its alleles, unless the problem has a better form.
    fn describe(&self, genome: &[Allele]) -> String {
        format!("{genome:?}")
    }

    /// Reads a genome back from a [description](Self::describe), which another program may have written.
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

    /// Calls a visitor with the problem's fastest [`Neighbourhood`](crate::neighbourhood::Neighbourhood) of a kind, with so many places: a
    /// [`Scratch`] one, unless the problem has its own.
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

    /// The approximate bytes of the neighbourhood of [`visit_neighbourhood`](Self::visit_neighbourhood).
    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        let _ = kind;
        Scratch::memory(self, places)
    }

    /// Calls a visitor with a neighbourhood that draws random solutions, too: that of
    /// [`visit_neighbourhood`](Self::visit_neighbourhood) with samples from [`randomise`](Self::randomise), unless the problem has a
    /// faster one.
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

    /// The kind of neighbourhood that suits the problem best: what `neighbourhood = "family"` stands for.
    fn own_neighbourhood(&self) -> NeighbourhoodKind {
        NeighbourhoodKind::Swap
    }

    /// A size of the instance by one of the names that its [family](crate::family::Family::sizes) declares, as settings that
    /// [grow](crate::parameter::Parameter::growing) with it ask for; `None` where the problem does not know it.
    fn size(&self, name: &str) -> Option<f64> {
        let _ = name;
        None
    }

    /// The typical contribution of an element to the fitness: the unit in which temperatures are given. For a flow shop the mean processing
    /// time.
    fn scale(&self) -> f64 {
        1.0
    }

    /// A solution under construction, from which elements can be removed and reinserted at their best positions; `None` if the problem
    /// cannot tell the cost of a part of a solution.
    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        None
    }

    /// How solutions are built step by step, as an [ant colony](crate::search::ant_colony) does; `None` if they cannot be.
    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        None
    }

    /// Its constructions, the best first: the one that `start = "family"` stands for.
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
    /// One line of documentation.
    pub doc: &'static str,
    /// Writes a solution; the stream breaks ties, if anything does.
    pub build: ConstructionRule<'p>,
}

/// Writes a solution to a genome.
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

/// A problem behind a trait object, with its neighbourhoods: for searches that are compiled apart from the problem. Every
/// [`Problem`] is one.
pub trait DynProblem: Problem {
    /// The fastest neighbourhood of a kind that the problem has, with places for so many solutions.
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

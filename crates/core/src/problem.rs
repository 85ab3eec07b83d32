//! Problems. A problem contains what a search must know about an instance.

use crate::ants::StepwiseConstruction;
use crate::construction::PartialSolution;
use crate::direction::Direction;
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::refusal;
use crate::neighbourhood::{
    AddSampling, Boxed, DynNeighbourhood, NeighbourhoodKind, NeighbourhoodName, NeighbourhoodVisitor, SamplingVisitor,
    Scratch, SolutionSpace,
};
use crate::random::RandomStream;

/// One instance of a combinatorial problem. Solutions are lists of permutation genes. The documentation of the [crate] contains a complete
/// example.
///
/// Every problem has a layout and a fitness. All methods except `layout` and `fitness` have default implementations. The methods with
/// defaults describe solutions, or give information to some operators and searches.
///
/// ```
/// use evogrid_core::fitness::Fitness;
/// use evogrid_core::layout::{Allele, Layout};
/// use evogrid_core::problem::Problem;
///
/// /// The number of places where a permutation descends.
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
    /// The genes, their length and the locked positions.
    fn layout(&self) -> &Layout;

    /// The fitness of a valid genome. Smaller values are better. The same genome always has the same fitness.
    fn fitness(&self, genome: &[Allele]) -> Fitness;

    /// The fitness at which the instance counts as solved. Returns `None` if no target is known. Without a known target, only the budget
    /// ends a run.
    fn target(&self) -> Option<Fitness> {
        None
    }

    /// The direction of the value that is optimised. A better value gives a smaller fitness.
    fn direction(&self) -> Direction {
        Direction::Minimise
    }

    /// Returns true if the solutions of the problem are genomes. If the solutions are not genomes, they are texts. A problem with texts as
    /// solutions needs a search that [returns texts](crate::evaluator::Outcome::solution).
    fn has_genomes(&self) -> bool {
        true
    }

    /// Writes a random valid genome. By default all valid genomes of the layout are equally likely.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.layout().randomise(genome, random);
    }

    /// An object that counts the conflicts at each position. Some operators use the conflicts to choose positions. Returns `None` if the
    /// problem does not count conflicts.
    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        None
    }

    /// For each position, the number of the line that contains the position. A line is a set of positions in several genes. The alleles on
    /// a line should all differ. For example, in a Latin square the rows are genes, and the columns are lines. The list is empty if the
    /// problem has no lines.
    fn lines(&self) -> &[u16] {
        &[]
    }

    /// The all-different sets: sets of positions whose alleles must all differ. The alleles of each gene are all different, too. But a gene
    /// does not count as an all-different set, so the returned list does not contain the genes. If no set of a genome contains an allele
    /// twice, the genome must be a solution. Returns `None` if the problem has no all-different sets. [Exact methods](crate::search::exact)
    /// work on every problem with all-different sets.
    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// Describes a genome as one line of text. Other programs can check this text. By default the text is the list of alleles.
    fn describe(&self, genome: &[Allele]) -> String {
        format!("{genome:?}")
    }

    /// Reads a genome from its [description](Self::describe). Another program may have written the description.
    ///
    /// # Errors
    /// Returns a message that says why the text is not a valid genome. A problem that cannot read solutions always returns an error.
    fn read(&self, _description: &str) -> Result<Vec<Allele>, String> {
        Err("this problem cannot read solutions".to_owned())
    }

    /// The instance as one line of text for another program. This text equals the text that
    /// [`Instance::content`](crate::family::Instance::content) returns. Returns `None` if the problem cannot write an instance as text.
    fn content(&self) -> Option<String> {
        None
    }

    /// Calls a visitor with the problem's fastest [`Neighbourhood`](crate::neighbourhood::Neighbourhood) of this kind. The argument
    /// `places` is the number of solutions that the neighbourhood can store. By default the neighbourhood is a [`Scratch`] neighbourhood.
    ///
    /// # Errors
    /// If the operating system does not provide the memory, the function returns the visitor and does not call it.
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

    /// The approximate number of bytes of the neighbourhood that [`visit_neighbourhood`](Self::visit_neighbourhood) would create.
    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        let _ = kind;
        Scratch::memory(self, places)
    }

    /// Calls a visitor with a neighbourhood that also draws random solutions. By default,
    /// [`visit_neighbourhood`](Self::visit_neighbourhood) gives the neighbourhood, and [`randomise`](Self::randomise) draws the random
    /// solutions.
    ///
    /// # Errors
    /// If the operating system does not provide the memory, the function returns the visitor and does not call it.
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

    /// The kind of neighbourhood that suits the problem best. If the setting is `neighbourhood = "family"`, searches use this kind.
    fn own_neighbourhood(&self) -> NeighbourhoodKind {
        NeighbourhoodKind::Swap
    }

    /// The kinds of neighbourhoods that the problem adds to the basic kinds. Each kind has a name and one line of documentation. The name is
    /// a value of settings such as `neighbourhood`. [`visit_neighbourhood`](Self::visit_neighbourhood) receives the kind as
    /// [`NeighbourhoodKind::Added`]. All problems of a family must add the same kinds. The names must differ from `family`, `none` and the
    /// names of the basic kinds.
    fn added_neighbourhoods(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The kind of neighbourhood with this name. The name is `family`, or the name of a [basic](NeighbourhoodKind::BASIC) or an
    /// [added](Self::added_neighbourhoods) kind. `family` stands for the kind that suits the problem best
    /// ([`own_neighbourhood`](Self::own_neighbourhood)). Returns `None` if the problem has no neighbourhood with this name.
    fn find_neighbourhood(&self, name: &NeighbourhoodName) -> Option<NeighbourhoodKind> {
        let added = self.added_neighbourhoods().iter().map(|&(added, _)| (added, NeighbourhoodKind::Added(added)));
        let family = ("family", self.own_neighbourhood());
        let mut all = NeighbourhoodKind::BASIC.into_iter().chain([family]).chain(added);
        all.find(|(known, _)| *known == name.as_str()).map(|(_, kind)| kind)
    }

    /// An instance can have several named sizes. For example, the size `n` can be the number of cities. Returns the size that is called
    /// `name`. Returns `None` if the problem does not know the size. The [family](crate::family::Family::sizes) declares its sizes.
    /// Settings can [grow](crate::parameter::Parameter::growing) with these sizes.
    fn size(&self, name: &str) -> Option<f64> {
        let _ = name;
        None
    }

    /// The amount that one element of a solution typically adds to the fitness. Searches use the scale of the problem as the unit of
    /// temperatures. For example, the scale of a flow shop is the mean processing time.
    fn scale(&self) -> f64 {
        1.0
    }

    /// A partial solution. A search can remove elements from a partial solution, and put the elements back at their best positions. Returns
    /// `None` if the problem cannot compute the cost of a partial solution.
    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        None
    }

    /// The step-by-step construction of solutions for an [ant colony](crate::search::ant_colony). Returns `None` if the problem does not
    /// support ant colonies.
    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        None
    }

    /// The constructions of the problem. The best construction comes first. The setting `start = "family"` chooses the best construction.
    fn constructions(&self) -> Vec<Construction<'_>> {
        Vec::new()
    }
}

/// Counts the conflicts of positions.
pub trait ConflictCount {
    /// For every position `p` of `genome`, sets `conflicts[p]` to the number of positions that are in conflict with `p`. If the genome is a
    /// solution, all numbers in `conflicts` are 0.
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]);
}

/// A rule by which a problem constructs a solution.
pub struct Construction<'p> {
    /// The name of the construction. This name can be the value of a setting, such as the setting `start`.
    pub name: &'static str,
    /// The description of the construction in one line.
    pub doc: &'static str,
    /// Writes a solution. The random stream is used only to break ties.
    pub build: ConstructionRule<'p>,
}

/// A function that makes a solution and writes its genome.
pub type ConstructionRule<'p> = Box<dyn Fn(&mut [Allele], &mut RandomStream) + 'p>;

impl<'p> Construction<'p> {
    /// Returns a construction that makes solutions by the rule `build`.
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

/// A problem behind a trait object, together with its neighbourhoods. Searches that are compiled without knowledge of the problem's type
/// use the trait `DynProblem`. Every [`Problem`] implements `DynProblem`.
pub trait DynProblem: Problem {
    /// Creates the fastest neighbourhood of this kind. The argument `places` is the number of solutions that the neighbourhood can store.
    ///
    /// # Errors
    /// Returns an error message if the operating system does not provide the memory for the neighbourhood.
    fn neighbourhood(&self, kind: NeighbourhoodKind, places: usize) -> Result<Box<dyn DynNeighbourhood + '_>, String>;
}

impl<P: Problem> DynProblem for P {
    fn neighbourhood(&self, kind: NeighbourhoodKind, places: usize) -> Result<Box<dyn DynNeighbourhood + '_>, String> {
        self.visit_neighbourhood(kind, places, Boxed { places })
            .map_err(|_| refusal(&format!("{places} solutions"), self.neighbourhood_memory(kind, places)))
    }
}

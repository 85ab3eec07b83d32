//! A neighbourhood stores solutions in a form in which moves are cheap to evaluate.

mod attributes;
mod dynamic;
mod pairs;
mod sampling;
mod scratch;

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::fmt;

use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::random::RandomStream;

pub use attributes::{Attribute, Attributes};
pub use dynamic::{Boxed, DynNeighbourhood};
pub use pairs::Pairs;
pub use sampling::{AddSampling, MovesCost, SamplingNeighbourhood, SamplingVisitor, WithSampling};
pub use scratch::{Scratch, SolutionSpace};

/// A move: a small change of a solution. The neighbourhood defines the meaning of the two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move(pub u32, pub u32);

/// A kind of neighbourhood. Every problem supports the [basic](Self::BASIC) kinds. A family can implement some basic kinds itself. Such an
/// implementation is faster, but works only for the problems of the family. A family can also add kinds.
///
/// A move changes the free positions of one gene. The free positions of a gene are numbered from 0. The number of a position is called its
/// *rank*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NeighbourhoodKind {
    /// Swap: two positions exchange their alleles.
    Swap,
    /// Insertion: one allele moves to another position. All alleles between its old and its new position shift by one position.
    Insertion,
    /// Inversion: the order of a range of alleles is reversed. In a tour, an inversion is 2-opt.
    Inversion,
    /// Inversions, and insertions of up to three successive alleles. An insertion keeps or reverses the order of the inserted alleles. In
    /// tours, these moves are 2-opt and Or-opt (Or, 1976). Source: "or-2opt" in Bentley, Fast algorithms for geometric traveling salesman
    /// problems, 1992.
    OrTwoOpt,
    /// A kind that the problem [adds](crate::problem::Problem::added_neighbourhoods) to the basic kinds. The text is the name of the kind.
    Added(&'static str),
}

impl NeighbourhoodKind {
    /// The kinds that every problem supports, with their names.
    pub const BASIC: [(&str, Self); 4] = [
        ("swap", Self::Swap),
        ("insertion", Self::Insertion),
        ("inversion", Self::Inversion),
        ("or-2opt", Self::OrTwoOpt),
    ];

    /// The names that the setting `neighbourhood` can have for every problem. `family` chooses the kind that suits the problem best
    /// ([`own_neighbourhood`](crate::problem::Problem::own_neighbourhood)).
    pub const NAMES: [&str; 5] = ["family", Self::BASIC[0].0, Self::BASIC[1].0, Self::BASIC[2].0, Self::BASIC[3].0];
}

/// The name of a neighbourhood. Settings such as `neighbourhood` contain this name. [`Problem::find_neighbourhood`] finds the neighbourhood.
///
/// [`Problem::find_neighbourhood`]: crate::problem::Problem::find_neighbourhood
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeighbourhoodName(Cow<'static, str>);

impl NeighbourhoodName {
    /// Returns the name of a basic kind, or another name that is known at compile time.
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for NeighbourhoodName {
    fn from(name: String) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for NeighbourhoodKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let basic = || Self::BASIC.into_iter().find(|(_, kind)| kind == self).map_or("", |(name, _)| name);
        formatter.pad(if let Self::Added(name) = self { name } else { basic() })
    }
}

/// A change that a perturbation makes in one gene. A rearrangement refers to each position by the rank of the position. The free positions
/// of a gene are listed in ascending order. The rank of a free position is the index of the position in this list, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rearrangement {
    /// Two positions exchange their alleles.
    Swap {
        /// The gene.
        gene: usize,
        /// The rank of the first position of the swap. The rank is the index of the position in the list of the gene's free positions.
        one: usize,
        /// The rank of the second position of the swap. The rank is the index of the position in the list of the gene's free positions.
        other: usize,
    },
    /// The adjacent segments `start..middle` and `middle..end` exchange their places. In a tour, this exchange of segments is a double
    /// bridge.
    Exchange {
        /// The gene.
        gene: usize,
        /// The first exchanged segment starts at the position with this rank. The rank is the index of the position in the list of the
        /// gene's free positions.
        start: usize,
        /// The second exchanged segment starts at the position with this rank. The rank is the index of the position in the list of the
        /// gene's free positions.
        middle: usize,
        /// The end of the second exchanged segment: the rank of the last position of this segment, plus 1.
        end: usize,
    },
}

crate::choices! {
    /// The rule that chooses a move from a group. This rule of choice also decides when the scan of a group of moves ends.
    pub enum Pick {
        /// Scans all moves and takes the best allowed move. If several moves are equally good, the first of these moves is taken.
        Best = "best",
        /// Takes the first allowed move.
        First = "first",
    }
}

/// The moves that one scan evaluates. A scan evaluates one group of the moves that are possible in one stored solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope<C> {
    /// The place.
    pub place: usize,
    /// The group.
    pub group: usize,
    /// The present cost of the solution.
    pub now: C,
    /// The largest number of moves that the scan may evaluate.
    pub limit: u64,
}

/// The result of a scan of one group of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan<C> {
    /// The number of evaluated moves. Each evaluated move counts as one evaluation.
    pub examined: u64,
    /// The chosen move, and the cost of the solution after this move.
    pub best: Option<(Move, C)>,
}

impl<C: Copy + PartialOrd> Scan<C> {
    /// The state of a scan that has not evaluated any move yet.
    pub const EMPTY: Self = Self { examined: 0, best: None };

    /// Counts an evaluated move. The move is chosen if two conditions hold: it is better than the move that the scan has chosen so far, and
    /// it is allowed. Returns whether the scan of the group is over.
    #[inline]
    pub fn judge(&mut self, step: Move, cost: C, pick: Pick, allowed: &mut impl FnMut(Move, C) -> bool) -> bool {
        self.examined += 1;
        if self.best.is_none_or(|(_, best)| cost < best) && allowed(step, cost) {
            self.best = Some((step, cost));
            return pick == Pick::First;
        }
        false
    }
}

/// Stores solutions of one problem. The moves of these solutions are cheap to evaluate. The solutions are stored in places, which are
/// numbered from 0.
///
/// The cost of a solution is its fitness, stored in a number type that is exact and fast. The search keeps the present cost of each
/// solution. Methods of the neighbourhood receive this cost as the argument `now`. Moves form *groups*. In a flow shop, for example, a
/// group can contain the moves of one job to all positions. In a tour, a group can contain the moves that connect one city with its near
/// neighbours. If no group has a move that improves a solution, the solution is a local optimum.
///
/// Every problem has [`Scratch`] neighbourhoods. For each move, a [`Scratch`] neighbourhood computes the fitness of the whole genome again:
///
/// ```
/// use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, Pick, Scope, Scratch};
/// use evogrid_core::problem::Problem;
/// # use evogrid_core::fitness::Fitness;
/// # use evogrid_core::layout::{Allele, Layout};
#[doc = include_str!("family/ascending.txt")]
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(4, &[None; 4])?);
/// let mut moves = Scratch::new(&problem, NeighbourhoodKind::Insertion, 1).expect("there is memory for one");
/// let now = moves.load(0, &[1, 2, 3, 0]);
/// let scan = moves.best_in(Scope { place: 0, group: 3, now, limit: u64::MAX }, Pick::Best, |_, after| after < now);
/// let (step, cost) = scan.best.expect("the last allele belongs to the front");
/// moves.apply(0, step);
/// let mut genome = [0; 4];
/// moves.write(0, &mut genome);
/// assert_eq!((genome, cost), ([0, 1, 2, 3], 0.into()));
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Neighbourhood {
    /// The type of a solution's cost. Costs are minimised.
    type Cost: Copy + PartialOrd + Into<Fitness>;

    /// Stores the solution `genome` at place number `place`, and returns the cost of the solution. Loading a solution counts as one full
    /// evaluation.
    fn load(&mut self, place: usize, genome: &[Allele]) -> Self::Cost;

    /// Writes the genome of the solution that is stored at place number `place`.
    fn write(&self, place: usize, genome: &mut [Allele]);

    /// Whether the neighbourhood has no moves.
    fn is_empty(&self) -> bool {
        self.n_groups() == 0
    }

    /// The number of groups of moves.
    fn n_groups(&self) -> usize;

    /// Draws a random move for the solution that is stored at place number `place`. `bits` contains 32 uniform bits for the draw. If 32
    /// bits are not enough, the method also draws from `random`.
    ///
    /// # Panics
    /// Panics if the neighbourhood has no moves.
    fn draw(&self, place: usize, bits: u32, random: &mut RandomStream) -> Move;

    /// The cost that the solution at place number `place` would have after a move. `now` is the present cost of this solution.
    fn after(&mut self, place: usize, step: Move, now: Self::Cost) -> Self::Cost;

    /// Evaluates the moves in a scope. The rule [`pick`](Pick) chooses one of the moves. A move is chosen only if `allowed` returns true
    /// for this move. If the scan has already chosen a move, the method calls `allowed` only for better moves.
    fn best_in(
        &mut self,
        scope: Scope<Self::Cost>,
        pick: Pick,
        allowed: impl FnMut(Move, Self::Cost) -> bool,
    ) -> Scan<Self::Cost>;

    /// Does the same as [`best_in`](Self::best_in), but chooses a move only if it improves the present solution. Descents use this method.
    /// If no move of a group can improve the solution, the neighbourhood may skip the group. The skipped moves count as evaluated.
    fn better_in(&mut self, scope: Scope<Self::Cost>, pick: Pick) -> Scan<Self::Cost> {
        self.best_in(scope, pick, |_, after| after < scope.now)
    }

    /// Evaluates all moves in a scope. If the cost after a move is below `bound`, the method appends the move and this cost to `list`. The
    /// moves have the same order as in the scope. Tabu search uses this method. Unlike this method, [`best_in`](Self::best_in)
    /// may skip moves that cannot improve the solution. `list_below` also evaluates moves that cannot improve the solution. Returns the
    /// number of evaluated moves.
    fn list_below(
        &mut self,
        scope: Scope<Self::Cost>,
        bound: Option<Self::Cost>,
        list: &mut Vec<(Move, Self::Cost)>,
    ) -> u64 {
        let list_all = |step, cost| {
            if bound.is_none_or(|bound| cost < bound) {
                list.push((step, cost));
            }
            false
        };
        self.best_in(scope, Pick::Best, list_all).examined
    }

    /// The attributes that a move removes from a solution, and the attributes that the move adds to the solution. By default, the removed
    /// attributes and the added attributes are the same: the two numbers of the move.
    fn attributes(&self, place: usize, step: Move) -> Attributes {
        let _ = place;
        Attributes::of_numbers(step)
    }

    /// Makes a move. The move must have been drawn from the present solution, or found by a scan of the present solution.
    fn apply(&mut self, place: usize, step: Move);

    /// After the move `step` was [made](Self::apply), some groups may contain an improving move. The method appends to `groups` all groups
    /// that may contain an improving move. The same group may be appended to `groups` twice. By default, the method appends all groups of
    /// the neighbourhood to `groups`.
    fn touched(&self, place: usize, step: Move, groups: &mut Vec<u32>) {
        let _ = (place, step);
        groups.extend(0..self.n_groups() as u32);
    }

    /// Remembers the solution that is now stored at place number `place`. The method [`rollback`](Self::rollback) can restore this solution
    /// later.
    fn mark(&mut self, place: usize);

    /// Restores the solution that [`mark`](Self::mark) remembered for place number `place`. The method undoes all moves and rearrangements
    /// since the latest call of `mark` or `rollback` for this place.
    fn rollback(&mut self, place: usize);

    /// Applies the changes of a perturbation to the solution that is stored at `place`. If a change affects a group of moves, the method
    /// appends this group to `groups`. Returns the new cost of the solution. All changes of one perturbation together count as one
    /// evaluation.
    fn rearrange(
        &mut self,
        place: usize,
        changes: &[Rearrangement],
        now: Self::Cost,
        groups: &mut Vec<u32>,
    ) -> Self::Cost;
}

/// A computation that uses the neighbourhood of a problem. The compiler makes a separate version of the visitor's computation for each
/// neighbourhood type.
pub trait NeighbourhoodVisitor<'p>: Sized {
    /// The result of the visitor's computation.
    type Output;

    /// Does the computation.
    fn visit<N: Neighbourhood + 'p>(self, neighbourhood: N) -> Self::Output;

    /// If there was enough memory for the neighbourhood, the method calls [`visit`](Self::visit).
    ///
    /// # Errors
    /// If the system refused the memory for the neighbourhood, the method returns the visitor and does not call [`visit`](Self::visit).
    fn visit_if<N: Neighbourhood + 'p>(self, neighbourhood: Result<N, TryReserveError>) -> Result<Self::Output, Self> {
        match neighbourhood {
            Ok(neighbourhood) => Ok(self.visit(neighbourhood)),
            Err(_) => Err(self),
        }
    }
}

//! Neighbourhoods: solutions in the form that makes their moves cheap to judge.

mod attributes;
mod dynamic;
mod pairs;
mod sampling;
mod scratch;

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

/// A move: a small change of a solution, named by two numbers whose meaning the neighbourhood defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move(pub u32, pub u32);

/// Which moves there are. Every problem has all kinds; a family has fast ones for the kinds that suit it.
///
/// A move changes the free positions of one gene; *rank* is the number of a position among them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NeighbourhoodKind {
    /// The alleles of two positions change places.
    Swap,
    /// One allele moves to another position; those between make room.
    Insertion,
    /// The alleles between two positions, inclusive, are reversed (2-opt if the gene is a tour).
    Inversion,
    /// Inversions, and insertions of up to three neighbours at once, as they stand or reversed (2-opt and Or-opt together: Or, 1976;
    /// "or-2opt" in Bentley, Fast algorithms for geometric traveling salesman problems, 1992).
    OrTwoOpt,
}

impl NeighbourhoodKind {
    /// The values of a setting: a kind, or `family` for the one that suits the problem best
    /// ([`own_neighbourhood`](crate::problem::Problem::own_neighbourhood)).
    pub const CHOICES: [(&str, Option<Self>); 5] = [
        ("family", None),
        ("swap", Some(Self::Swap)),
        ("insertion", Some(Self::Insertion)),
        ("inversion", Some(Self::Inversion)),
        ("or-2opt", Some(Self::OrTwoOpt)),
    ];
}

impl fmt::Display for NeighbourhoodKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::CHOICES.iter().find(|(_, kind)| kind.as_ref() == Some(self));
        formatter.pad(found.map_or("", |(name, _)| name))
    }
}

/// A change made by a perturbation, in the ranks of the free positions of one gene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rearrangement {
    /// Two alleles change places.
    Swap {
        /// The gene.
        gene: usize,
        /// The rank of one.
        one: usize,
        /// The rank of the other.
        other: usize,
    },
    /// The adjacent segments `start..middle` and `middle..end` change places (a double bridge, where the gene is a tour).
    Exchange {
        /// The gene.
        gene: usize,
        /// The rank at which the first segment begins.
        start: usize,
        /// The rank at which the second begins.
        middle: usize,
        /// The rank behind the second.
        end: usize,
    },
}

/// When the scan of a group ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// After all moves: the best allowed move is taken, among equals the first.
    Best,
    /// The first allowed move, which is taken.
    First,
}

/// The result of scanning a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan<C> {
    /// How many moves were judged: evaluations.
    pub examined: u64,
    /// The move that is taken, with the cost of the solution after it.
    pub best: Option<(Move, C)>,
}

impl<C: Copy + PartialOrd> Scan<C> {
    /// A scan that has judged nothing yet.
    pub const EMPTY: Self = Self { examined: 0, best: None };

    /// Counts a move that was judged, and takes it if it is better than the one taken so far and allowed. Returns whether the scan
    /// is over.
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

/// Solutions of one problem, each at its place, counted from 0, whose moves are cheap to judge.
///
/// The cost of a solution is its fitness, in whatever type is exact and fast. Who searches keeps the cost of each solution, and hands
/// it back as `now`. Moves come in *groups*: a job and all its positions, a city and its near neighbours. A solution none of whose
/// groups has a better move is a local optimum.
///
/// Every problem has [`Scratch`] neighbourhoods, which judge each move by computing the fitness again:
///
/// ```
/// use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, Pick, Scratch};
/// use evogrid_core::problem::Problem;
/// # use evogrid_core::fitness::Fitness;
/// # use evogrid_core::layout::{Allele, Layout};
#[doc = include_str!("family/ascending.txt")]
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(4, &[None; 4])?);
/// let mut moves = Scratch::new(&problem, NeighbourhoodKind::Insertion, 1).expect("there is memory for one");
/// let now = moves.load(0, &[1, 2, 3, 0]);
/// let scan = moves.best_in(0, 3, now, u64::MAX, Pick::Best, |_, after| after < now);
/// let (step, cost) = scan.best.expect("the last allele belongs to the front");
/// moves.apply(0, step);
/// let mut genome = [0; 4];
/// moves.write(0, &mut genome);
/// assert_eq!((genome, cost), ([0, 1, 2, 3], 0.into()));
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait Neighbourhood {
    /// What is minimised.
    type Cost: Copy + PartialOrd + Into<Fitness>;

    /// Puts a solution at a place, and returns its cost: one full evaluation.
    fn load(&mut self, place: usize, genome: &[Allele]) -> Self::Cost;

    /// Writes the genome of the solution at a place.
    fn write(&self, place: usize, genome: &mut [Allele]);

    /// Whether nothing can be moved.
    fn is_empty(&self) -> bool {
        self.n_groups() == 0
    }

    /// How many groups of moves there are.
    fn n_groups(&self) -> usize;

    /// Draws a random move of the solution at a place: from `bits`, 32 uniform bits, if they are enough, else from the stream.
    ///
    /// # Panics
    /// If nothing can be moved.
    fn draw(&self, place: usize, bits: u32, random: &mut RandomStream) -> Move;

    /// The cost that the solution at a place would have after a move; `now` is the one that it has.
    fn after(&mut self, place: usize, step: Move, now: Self::Cost) -> Self::Cost;

    /// Judges the moves of a group, at most `limit` of them; [`pick`](Pick) says which is taken, among those for which `allowed` returns
    /// true; it is called only for moves better than the one taken so far.
    fn best_in(
        &mut self,
        place: usize,
        group: usize,
        now: Self::Cost,
        limit: u64,
        pick: Pick,
        allowed: impl FnMut(Move, Self::Cost) -> bool,
    ) -> Scan<Self::Cost>;

    /// As [`best_in`](Self::best_in), for moves that improve the present solution: what a descent needs. A neighbourhood that can tell at
    /// once that a group has none need not judge each; the moves count as judged all the same.
    fn better_in(&mut self, place: usize, group: usize, now: Self::Cost, limit: u64, pick: Pick) -> Scan<Self::Cost> {
        self.best_in(place, group, now, limit, pick, |_, after| after < now)
    }

    /// Judges all moves of a group, at most `limit` of them, and appends those whose cost is below a bound, with their costs, in order:
    /// what tabu search needs. Moves that [`best_in`](Self::best_in) skips because they cannot improve the solution are included. Returns
    /// how many were judged.
    fn list_below(
        &mut self,
        place: usize,
        group: usize,
        now: Self::Cost,
        limit: u64,
        bound: Option<Self::Cost>,
        list: &mut Vec<(Move, Self::Cost)>,
    ) -> u64 {
        let list_all = |step, cost| {
            if bound.is_none_or(|bound| cost < bound) {
                list.push((step, cost));
            }
            false
        };
        self.best_in(place, group, now, limit, Pick::Best, list_all).examined
    }

    /// What a move removes from the solution at a place, and what it adds. By default these are the move's numbers.
    fn attributes(&self, place: usize, step: Move) -> Attributes {
        let _ = place;
        Attributes::of_numbers(step)
    }

    /// Makes a move. The move was drawn or found on the present solution.
    fn apply(&mut self, place: usize, step: Move);

    /// Appends the groups that may have a better move after this one was [made](Self::apply); a group may appear twice.
    fn touched(&self, place: usize, step: Move, groups: &mut Vec<u32>);

    /// Remembers the solution at a place, for [`rollback`](Self::rollback).
    fn mark(&mut self, place: usize);

    /// Undoes all moves and rearrangements since the last [mark](Self::mark) or the last rollback.
    fn rollback(&mut self, place: usize);

    /// Makes the changes of a perturbation, appends the groups that they affect, and returns the cost: one evaluation.
    fn rearrange(
        &mut self,
        place: usize,
        changes: &[Rearrangement],
        now: Self::Cost,
        groups: &mut Vec<u32>,
    ) -> Self::Cost;
}

/// A computation on a neighbourhood of whatever type a problem has: it is compiled for each of them.
pub trait NeighbourhoodVisitor<'p>: Sized {
    /// The result of the computation.
    type Output;

    /// Does the computation.
    fn visit<N: Neighbourhood + 'p>(self, neighbourhood: N) -> Self::Output;

    /// Does the computation; it is called if the system granted the memory of the neighbourhood.
    ///
    /// # Errors
    /// The visitor itself, if it was refused.
    fn visit_if<N: Neighbourhood + 'p>(self, neighbourhood: Result<N, TryReserveError>) -> Result<Self::Output, Self> {
        match neighbourhood {
            Ok(neighbourhood) => Ok(self.visit(neighbourhood)),
            Err(_) => Err(self),
        }
    }
}

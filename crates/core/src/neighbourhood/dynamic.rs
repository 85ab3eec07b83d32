//! Neighbourhoods behind a trait object, for searches that are compiled separately from the problem. One virtual call examines a whole
//! group of moves.

use super::{Move, Neighbourhood, NeighbourhoodVisitor, Pick, Rearrangement, Scan, Scope};
use crate::fitness::Fitness;
use crate::layout::Allele;
use crate::random::RandomStream;

/// A [`Neighbourhood`] of any type. It stores the cost together with each solution.
///
/// ```
/// use evogrid_core::neighbourhood::{NeighbourhoodKind, Pick};
/// use evogrid_core::problem::{DynProblem, Problem};
/// # use evogrid_core::fitness::Fitness;
/// # use evogrid_core::layout::{Allele, Layout};
#[doc = include_str!("../family/ascending.txt")]
///
/// // `Ascending` is a problem whose fitness counts the descents of a permutation.
/// let problem = Ascending(Layout::new(4, &[None; 4])?);
/// let mut moves = problem.neighbourhood(NeighbourhoodKind::Swap, 1).expect("there is memory for one");
/// let now = moves.load(0, &[3, 1, 2, 0]);
/// let scan = moves.better_in(0, 0, u64::MAX, Pick::Best);
/// let (step, after) = scan.best.expect("the first and the last change places");
/// assert_eq!((now, after), (2.into(), 0.into()));
/// assert_eq!(moves.apply(0, step), after);
/// # Ok::<(), evogrid_core::layout::LayoutError>(())
/// ```
pub trait DynNeighbourhood {
    /// Does the same as [`Neighbourhood::load`].
    fn load(&mut self, place: usize, genome: &[Allele]) -> Fitness;

    /// Does the same as [`Neighbourhood::write`].
    fn write(&self, place: usize, genome: &mut [Allele]);

    /// The cost of the solution that is stored at place number `place`.
    ///
    /// # Panics
    /// Panics if no solution is stored at place number `place`.
    fn now(&self, place: usize) -> Fitness;

    /// Does the same as [`Neighbourhood::n_groups`].
    fn n_groups(&self) -> usize;

    /// Draws a move, like [`Neighbourhood::draw`]. The random bits for the move come from the random stream `random`.
    fn draw(&self, place: usize, random: &mut RandomStream) -> Move;

    /// Does the same as [`Neighbourhood::after`].
    fn after(&mut self, place: usize, step: Move) -> Fitness;

    /// Does the same as [`Neighbourhood::best_in`].
    fn best_in(
        &mut self,
        place: usize,
        group: usize,
        limit: u64,
        pick: Pick,
        allowed: &mut dyn FnMut(Move, Fitness) -> bool,
    ) -> Scan<Fitness>;

    /// Does the same as [`Neighbourhood::better_in`].
    fn better_in(&mut self, place: usize, group: usize, limit: u64, pick: Pick) -> Scan<Fitness>;

    /// Does the same as [`Neighbourhood::apply`]. Returns the new cost of the solution.
    fn apply(&mut self, place: usize, step: Move) -> Fitness;

    /// Does the same as [`Neighbourhood::touched`].
    fn touched(&self, place: usize, step: Move, groups: &mut Vec<u32>);

    /// Does the same as [`Neighbourhood::mark`].
    fn mark(&mut self, place: usize);

    /// Does the same as [`Neighbourhood::rollback`].
    fn rollback(&mut self, place: usize);

    /// Does the same as [`Neighbourhood::rearrange`].
    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], groups: &mut Vec<u32>) -> Fitness;
}

/// A visitor that converts a neighbourhood into a trait object.
pub struct Boxed {
    /// The number of solutions that the neighbourhood can store at the same time.
    pub places: usize,
}

impl<'p> NeighbourhoodVisitor<'p> for Boxed {
    type Output = Box<dyn DynNeighbourhood + 'p>;

    fn visit<N: Neighbourhood + 'p>(self, moves: N) -> Self::Output {
        Box::new(WithCosts { moves, costs: vec![None; self.places] })
    }
}

/// A neighbourhood with two costs of each solution: the present cost, and the cost at the latest mark.
struct WithCosts<N: Neighbourhood> {
    moves: N,
    costs: Vec<Option<[N::Cost; 2]>>,
}

impl<N: Neighbourhood> WithCosts<N> {
    fn cost(&self, place: usize) -> N::Cost {
        self.costs[place].expect("a solution was loaded")[0]
    }

    fn set(&mut self, place: usize, cost: N::Cost) -> Fitness {
        let marked = self.costs[place].map_or(cost, |[_, marked]| marked);
        self.costs[place] = Some([cost, marked]);
        cost.into()
    }
}

impl<C: Into<Fitness>> Scan<C> {
    fn into_fitness(self) -> Scan<Fitness> {
        Scan { examined: self.examined, best: self.best.map(|(step, cost)| (step, cost.into())) }
    }
}

impl<N: Neighbourhood> DynNeighbourhood for WithCosts<N> {
    fn load(&mut self, place: usize, genome: &[Allele]) -> Fitness {
        let cost = self.moves.load(place, genome);
        self.set(place, cost)
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        self.moves.write(place, genome);
    }

    fn now(&self, place: usize) -> Fitness {
        self.cost(place).into()
    }

    fn n_groups(&self) -> usize {
        self.moves.n_groups()
    }

    fn draw(&self, place: usize, random: &mut RandomStream) -> Move {
        let bits = (random.bits() >> 32) as u32;
        self.moves.draw(place, bits, random)
    }

    fn after(&mut self, place: usize, step: Move) -> Fitness {
        let now = self.cost(place);
        self.moves.after(place, step, now).into()
    }

    fn best_in(
        &mut self,
        place: usize,
        group: usize,
        limit: u64,
        pick: Pick,
        allowed: &mut dyn FnMut(Move, Fitness) -> bool,
    ) -> Scan<Fitness> {
        let now = self.cost(place);
        let scope = Scope { place, group, now, limit };
        self.moves.best_in(scope, pick, |step, cost| allowed(step, cost.into())).into_fitness()
    }

    fn better_in(&mut self, place: usize, group: usize, limit: u64, pick: Pick) -> Scan<Fitness> {
        let now = self.cost(place);
        self.moves.better_in(Scope { place, group, now, limit }, pick).into_fitness()
    }

    fn apply(&mut self, place: usize, step: Move) -> Fitness {
        let now = self.cost(place);
        let cost = self.moves.after(place, step, now);
        self.moves.apply(place, step);
        self.set(place, cost)
    }

    fn touched(&self, place: usize, step: Move, groups: &mut Vec<u32>) {
        self.moves.touched(place, step, groups);
    }

    fn mark(&mut self, place: usize) {
        self.moves.mark(place);
        let cost = self.cost(place);
        self.costs[place] = Some([cost; 2]);
    }

    fn rollback(&mut self, place: usize) {
        self.moves.rollback(place);
        let marked = self.costs[place].expect("a solution was loaded")[1];
        self.costs[place] = Some([marked; 2]);
    }

    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], groups: &mut Vec<u32>) -> Fitness {
        let now = self.cost(place);
        let cost = self.moves.rearrange(place, changes, now, groups);
        self.set(place, cost)
    }
}

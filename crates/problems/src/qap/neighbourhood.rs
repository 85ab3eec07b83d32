//! Exchanges of two rows of an assignment, which are evaluated with the delta matrix.

use std::collections::TryReserveError;

use super::deltas::{self, Deltas};
use super::operands::Operands;
use super::scalar::Scalar;
use crate::solutions::{Cost, Places};
use evogrid_core::prelude::*;

/// The swap neighbourhood of assignments. Each place has one assignment. Group `i` consists of the exchanges of row `i` with every later
/// row, so each exchange is in exactly one group.
///
/// The delta matrix of a place is made when a group of the place is first scanned. Searches that only draw moves do not need it.
pub(super) struct Swaps<'p, S: Scalar> {
    operands: &'p Operands<S>,
    layout: &'p Layout,
    pairs: Pairs,
    genomes: Places<Allele>,
    tables: Vec<Option<Deltas<S>>>,
    /// For each place, a copy of its table from the moment when the place was marked.
    marked: Vec<Option<Deltas<S>>>,
    /// Whether the system refused the memory of a table. After a refusal, no more tables are made. At places without a table, every
    /// exchange is evaluated separately.
    is_refused: bool,
    /// The genome that a perturbation makes.
    changed: Vec<Allele>,
}

impl<'p, S: Scalar> Swaps<'p, S> {
    /// Creates space for this number of assignments. Fails if there is not enough memory.
    pub(super) fn new(operands: &'p Operands<S>, layout: &'p Layout, places: usize) -> Result<Self, TryReserveError> {
        let tables = || (0..places).map(|_| None).collect();
        Ok(Self {
            operands,
            layout,
            pairs: Pairs::new(layout),
            genomes: Places::new(layout.template(), places)?,
            tables: tables(),
            marked: tables(),
            is_refused: false,
            changed: layout.template().to_vec(),
        })
    }

    /// The approximate size of this number of assignments in bytes, including the delta matrix of one assignment and of its mark.
    pub(super) fn memory(operands: &Operands<S>, layout: &Layout, places: usize) -> u64 {
        let genome = (layout.genome_len() * size_of::<Allele>() + size_of::<Option<Deltas<S>>>()) as u64;
        let tables = Pairs::memory(layout) + 2 * deltas::memory(operands);
        (places as u64).saturating_mul(2 * genome).saturating_add(tables)
    }

    /// Exchanges two rows.
    fn exchange(&mut self, place: usize, i: usize, j: usize) {
        self.genomes.at_mut(place).swap(i, j);
        if let Some(table) = &mut self.tables[place] {
            table.exchange(self.operands, i, j);
        }
    }

    /// The row of the delta matrix for a group, up to the limit; `None` if the matrix did not get its memory.
    #[inline]
    fn row(&mut self, Scope { place, group, now, limit }: Scope<Cost>) -> Option<Row<'_, S>> {
        if self.tables[place].is_none() && !self.is_refused {
            self.tables[place] = Deltas::new(self.operands, self.genomes.at(place)).ok();
            self.is_refused = self.tables[place].is_none();
        }
        let deltas = self.tables[place].as_mut()?.row(self.operands, group);
        let n_examined = deltas.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        Some(Row { deltas: &deltas[..n_examined], group, now: now.0 })
    }

    #[cfg(test)]
    pub(super) fn refuse_tables(&mut self) {
        self.is_refused = true;
    }
}

impl<S: Scalar> Neighbourhood for Swaps<'_, S> {
    type Cost = Cost;

    /// If the new assignment differs little from the present assignment, exchanges update the delta matrix.
    fn load(&mut self, place: usize, genome: &[Allele]) -> Cost {
        let present = self.genomes.at(place);
        let n_different = present.iter().zip(genome).filter(|(one, other)| one != other).count();
        if self.tables[place].is_some() && n_different <= genome.len() / 4 {
            for (at, &wanted) in genome.iter().enumerate() {
                let present = self.genomes.at(place);
                if present[at] != wanted {
                    let from = present.iter().position(|&allele| allele == wanted);
                    self.exchange(place, at, from.expect("a permutation contains every allele"));
                }
            }
        } else {
            self.genomes.at_mut(place).copy_from_slice(genome);
            if let Some(table) = &mut self.tables[place] {
                table.load(self.operands, genome);
            }
        }
        Cost(self.operands.cost(genome))
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(self.genomes.at(place));
    }

    fn n_groups(&self) -> usize {
        self.layout.genome_len() - 1
    }

    fn draw(&self, _: usize, bits: u32, random: &mut RandomStream) -> Move {
        let (one, other) = self.pairs.draw(bits, random);
        Move(one, other)
    }

    fn after(&mut self, place: usize, Move(i, j): Move, Cost(now): Cost) -> Cost {
        let (i, j) = (i as usize, j as usize);
        let delta = match &self.tables[place] {
            Some(table) => table.delta(self.operands, i, j),
            None => self.operands.delta(self.genomes.at(place), i, j),
        };
        Cost(now + delta)
    }

    fn best_in(&mut self, scope: Scope<Cost>, pick: Pick, mut allowed: impl FnMut(Move, Cost) -> bool) -> Scan<Cost> {
        if let Some(row) = self.row(scope) {
            return row.best(pick, allowed);
        }
        let Scope { place, group, now, limit } = scope;
        let mut scan = Scan::EMPTY;
        for other in (group + 1..self.layout.genome_len()).take(usize::try_from(limit).unwrap_or(usize::MAX)) {
            let step = Move(group as u32, other as u32);
            let cost = self.after(place, step, now);
            if scan.judge(step, cost, pick, &mut allowed) {
                break;
            }
        }
        scan
    }

    /// Uses the smallest delta of a row, which shows whether the row has an improving move.
    fn better_in(&mut self, scope: Scope<Cost>, pick: Pick) -> Scan<Cost> {
        match self.row(scope) {
            Some(row) => row.better(pick),
            None => self.best_in(scope, pick, |_, after| after < scope.now),
        }
    }

    fn list_below(&mut self, scope: Scope<Cost>, bound: Option<Cost>, list: &mut Vec<(Move, Cost)>) -> u64 {
        if let Some(row) = self.row(scope) {
            return row.list_below(bound, list);
        }
        let list_all = |step, cost| {
            list.extend(bound.is_none_or(|bound| cost < bound).then_some((step, cost)));
            false
        };
        self.best_in(scope, Pick::Best, list_all).examined
    }

    fn attributes(&self, place: usize, Move(i, j): Move) -> Attributes {
        Attributes::of_exchange(self.genomes.at(place), i as usize, j as usize)
    }

    fn apply(&mut self, place: usize, Move(i, j): Move) {
        self.exchange(place, i as usize, j as usize);
    }

    fn mark(&mut self, place: usize) {
        self.genomes.mark(place);
        let Some(table) = &self.tables[place] else { return self.marked[place] = None };
        if self.marked[place].is_none() {
            self.marked[place] = Deltas::new(self.operands, self.genomes.at(place)).ok();
        }
        if let Some(mark) = &mut self.marked[place] {
            mark.copy_from(table);
        }
    }

    fn rollback(&mut self, place: usize) {
        self.genomes.rollback(place);
        match (&mut self.tables[place], &self.marked[place]) {
            (Some(table), Some(mark)) => table.copy_from(mark),
            (Some(table), None) => table.load(self.operands, self.genomes.at(place)),
            (None, _) => {}
        }
    }

    /// Appends all groups, because every delta may change.
    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], Cost(now): Cost, groups: &mut Vec<u32>) -> Cost {
        groups.extend(0..self.n_groups() as u32);
        let mut cost = Cost(now);
        for change in changes {
            match *change {
                Rearrangement::Swap { one, other, .. } => {
                    let step = Move(one as u32, other as u32);
                    cost = self.after(place, step, cost);
                    self.apply(place, step);
                }
                Rearrangement::Exchange { .. } => {
                    let mut genome = std::mem::take(&mut self.changed);
                    self.write(place, &mut genome);
                    change.make(self.layout, &mut genome);
                    cost = self.load(place, &genome);
                    self.changed = genome;
                }
            }
        }
        cost
    }
}

/// The first position of a number in a list.
fn position<N: Copy + PartialEq>(numbers: &[N], wanted: N) -> Option<usize> {
    // The search looks at whole chunks, because compilers do not vectorise a loop that may end at each number.
    let (chunks, rest) = numbers.as_chunks::<16>();
    let has_it = |chunk: &[N; 16]| chunk.iter().fold(false, |has_it, &number| has_it | (number == wanted));
    let at = chunks.iter().position(has_it).map_or(numbers.len() - rest.len(), |chunk| chunk * 16);
    Some(at + numbers[at..].iter().position(|&number| number == wanted)?)
}

/// The scanned part of a row of the delta matrix.
struct Row<'t, S: Scalar> {
    deltas: &'t [S::Sum],
    group: usize,
    /// The present cost of the assignment.
    now: i64,
}

impl<S: Scalar> Row<'_, S> {
    /// The move at an index of the row, with the cost after it.
    #[inline]
    fn judged(&self, at: usize, delta: S::Sum) -> (Move, Cost) {
        (Move(self.group as u32, (self.group + 1 + at) as u32), Cost(self.now + S::to_integer(delta)))
    }

    /// Scans the row once. In tabu search, `allowed` returns false for nearly all moves. To try the smallest delta first would be slower.
    #[inline]
    fn best(&self, pick: Pick, mut allowed: impl FnMut(Move, Cost) -> bool) -> Scan<Cost> {
        let mut taken: Option<(usize, S::Sum)> = None;
        for (at, &delta) in self.deltas.iter().enumerate() {
            if taken.is_none_or(|(_, least)| delta < least) {
                let (step, cost) = self.judged(at, delta);
                if allowed(step, cost) {
                    taken = Some((at, delta));
                    if pick == Pick::First {
                        break;
                    }
                }
            }
        }
        self.scan(pick, taken.map(|(at, _)| at))
    }

    fn list_below(&self, bound: Option<Cost>, list: &mut Vec<(Move, Cost)>) -> u64 {
        let bound = bound.map(|bound| S::to_sum(bound.0 - self.now));
        let is_below = |delta: S::Sum| bound.is_none_or(|bound| delta < bound);
        let mut list_part = |start: usize, part: &[S::Sum]| {
            let below = part.iter().enumerate().filter(|&(_, &delta)| is_below(delta));
            list.extend(below.map(|(at, &delta)| self.judged(start + at, delta)));
        };
        // Nearly all chunks have no delta below the bound. A test of a whole chunk is faster than a branch at each delta.
        let (chunks, rest) = self.deltas.as_chunks::<16>();
        for (number, chunk) in chunks.iter().enumerate() {
            if chunk.iter().fold(false, |is_any, &delta| is_any | is_below(delta)) {
                list_part(number * 16, chunk);
            }
        }
        list_part(self.deltas.len() - rest.len(), rest);
        self.deltas.len() as u64
    }

    fn better(&self, pick: Pick) -> Scan<Cost> {
        let (least, zero) = (S::least(self.deltas), S::Sum::default());
        let taken = match pick {
            Pick::Best if least < zero => position(self.deltas, least),
            Pick::First if least < zero => self.deltas.iter().position(|&delta| delta < zero),
            _ => None,
        };
        self.scan(pick, taken)
    }

    /// The result of scanning a row until a move was chosen.
    #[inline]
    fn scan(&self, pick: Pick, taken: Option<usize>) -> Scan<Cost> {
        let end = taken.filter(|_| pick == Pick::First).map_or(self.deltas.len(), |at| at + 1);
        Scan { examined: end as u64, best: taken.map(|at| self.judged(at, self.deltas[at])) }
    }
}

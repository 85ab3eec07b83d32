//! Exchanges of two rows of an assignment, judged by the delta matrix.

use std::collections::TryReserveError;

use super::deltas::{self, Deltas};
use super::{Operands, Scalar};
use evogrid_core::memory::room;
use evogrid_core::prelude::*;

/// The cost of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(pub(super) i64);

impl From<Cost> for Fitness {
    fn from(cost: Cost) -> Self {
        Self::new(cost.0 as f64)
    }
}

/// The swap neighbourhood of assignments at places. Group `i` consists of the exchanges of row `i` with every later row, so that each
/// exchange is in exactly one group.
///
/// The delta matrix of a place is made when a group of it is first scanned: searches that only draw moves do without it.
pub(super) struct Swaps<'p, S: Scalar> {
    operands: &'p Operands<S>,
    layout: &'p Layout,
    pairs: Pairs,
    genomes: Vec<Allele>,
    marks: Vec<Allele>,
    tables: Vec<Option<Deltas<S>>>,
    /// The table of each place when it was marked.
    marked: Vec<Option<Deltas<S>>>,
    /// The system refused the memory of a table: no more are made, and every exchange is judged separately where there is none.
    is_refused: bool,
    /// Room for the genome that a perturbation makes.
    changed: Vec<Allele>,
}

impl<'p, S: Scalar> Swaps<'p, S> {
    /// Space for this many assignments. Fails if there is not enough memory.
    pub(super) fn new(operands: &'p Operands<S>, layout: &'p Layout, places: usize) -> Result<Self, TryReserveError> {
        let mut genomes = room(layout.genome_len().saturating_mul(places))?;
        (0..places).for_each(|_| genomes.extend_from_slice(layout.template()));
        let tables = || (0..places).map(|_| None).collect();
        Ok(Self {
            operands,
            layout,
            pairs: Pairs::new(layout),
            genomes,
            marks: Vec::new(),
            tables: tables(),
            marked: tables(),
            is_refused: false,
            changed: layout.template().to_vec(),
        })
    }

    /// The approximate bytes of this many assignments, including the delta matrix of one assignment and of its mark.
    pub(super) fn memory(operands: &Operands<S>, layout: &Layout, places: usize) -> u64 {
        let genome = (layout.genome_len() * size_of::<Allele>() + size_of::<Option<Deltas<S>>>()) as u64;
        let tables = Pairs::memory(layout) + 2 * deltas::memory(operands);
        (places as u64).saturating_mul(2 * genome).saturating_add(tables)
    }

    fn genome(&self, place: usize) -> &[Allele] {
        let n = self.layout.genome_len();
        &self.genomes[place * n..][..n]
    }

    /// Exchanges two rows.
    fn exchange(&mut self, place: usize, i: usize, j: usize) {
        let n = self.layout.genome_len();
        self.genomes[place * n..][..n].swap(i, j);
        if let Some(table) = &mut self.tables[place] {
            table.exchange(self.operands, i, j);
        }
    }

    /// Updates the table of a place after any change of its genome.
    fn reload(&mut self, place: usize) {
        let genome = &self.genomes[place * self.layout.genome_len()..][..self.layout.genome_len()];
        if let Some(table) = &mut self.tables[place] {
            table.load(self.operands, genome);
        }
    }

    /// Scans a group; it uses the row of the delta matrix if there was enough memory.
    #[inline]
    fn row_scope(&mut self, Scope { place, group, now, limit }: Scope<Cost>, pick: Pick) -> RowScope {
        if self.tables[place].is_none() && !self.is_refused {
            self.make_table(place);
        }
        RowScope { group, now, limit: usize::try_from(limit).unwrap_or(usize::MAX), pick }
    }

    fn make_table(&mut self, place: usize) {
        self.tables[place] = Deltas::new(self.operands, self.genome(place)).ok();
        self.is_refused = self.tables[place].is_none();
    }

    #[cfg(test)]
    pub(super) fn refuse_tables(&mut self) {
        self.is_refused = true;
    }
}

impl<S: Scalar> Neighbourhood for Swaps<'_, S> {
    type Cost = Cost;

    /// If little has changed since the last assignment at the place, its delta matrix is updated by exchanges.
    fn load(&mut self, place: usize, genome: &[Allele]) -> Cost {
        let n = genome.len();
        if self.tables[place].is_some() {
            let n_different = self.genome(place).iter().zip(genome).filter(|(one, other)| one != other).count();
            if n_different <= n / 4 {
                for (at, &wanted) in genome.iter().enumerate() {
                    if self.genome(place)[at] != wanted {
                        let from = self.genome(place).iter().position(|&allele| allele == wanted);
                        self.exchange(place, at, from.expect("a permutation has every allele"));
                    }
                }
            } else {
                self.genomes[place * n..][..n].copy_from_slice(genome);
                self.reload(place);
            }
        } else {
            self.genomes[place * n..][..n].copy_from_slice(genome);
        }
        Cost(self.operands.cost(genome))
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(self.genome(place));
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
            None => self.operands.delta(self.genome(place), i, j),
        };
        Cost(now + delta)
    }

    fn best_in(&mut self, scope: Scope<Cost>, pick: Pick, allowed: impl FnMut(Move, Cost) -> bool) -> Scan<Cost> {
        let (Scope { place, group, .. }, scope) = (scope, self.row_scope(scope, pick));
        match &mut self.tables[place] {
            Some(table) => scope.best_of::<S>(table.row(self.operands, group), allowed),
            None => scope.best_without_table(self.operands, self.genome(place), allowed),
        }
    }

    /// The smallest delta of a row shows whether the row has an improving move.
    fn better_in(&mut self, scope: Scope<Cost>, pick: Pick) -> Scan<Cost> {
        let (Scope { place, group, now, .. }, scope) = (scope, self.row_scope(scope, pick));
        match &mut self.tables[place] {
            Some(table) => scope.better_of::<S>(table.row(self.operands, group)),
            None => scope.best_without_table(self.operands, self.genome(place), |_, after| after < now),
        }
    }

    fn list_below(&mut self, scope: Scope<Cost>, bound: Option<Cost>, list: &mut Vec<(Move, Cost)>) -> u64 {
        let (Scope { place, group, .. }, scope) = (scope, self.row_scope(scope, Pick::Best));
        match &mut self.tables[place] {
            Some(table) => scope.list_below::<S>(table.row(self.operands, group), bound, list),
            None => {
                let list_all = |step, cost| {
                    list.extend(bound.is_none_or(|bound| cost < bound).then_some((step, cost)));
                    false
                };
                scope.best_without_table(self.operands, self.genome(place), list_all).examined
            }
        }
    }

    fn attributes(&self, place: usize, Move(i, j): Move) -> Attributes {
        Attributes::of_exchange(self.genome(place), i as usize, j as usize)
    }

    fn apply(&mut self, place: usize, Move(i, j): Move) {
        self.exchange(place, i as usize, j as usize);
    }

    /// All groups, because every delta may change.
    fn mark(&mut self, place: usize) {
        let n = self.layout.genome_len();
        if self.marks.is_empty() {
            self.marks.clone_from(&self.genomes);
        }
        self.marks[place * n..][..n].copy_from_slice(&self.genomes[place * n..][..n]);
        match (&mut self.marked[place], &self.tables[place]) {
            (Some(mark), Some(table)) => mark.copy_from(table),
            (mark, table) => *mark = table.as_ref().and_then(|table| table.copy().ok()),
        }
    }

    fn rollback(&mut self, place: usize) {
        let n = self.layout.genome_len();
        self.genomes[place * n..][..n].copy_from_slice(&self.marks[place * n..][..n]);
        match (&mut self.tables[place], &self.marked[place]) {
            (Some(table), Some(mark)) => table.copy_from(mark),
            _ => self.reload(place),
        }
    }

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

/// The first position of a number.
fn position<N: Copy + PartialEq>(numbers: &[N], wanted: N) -> Option<usize> {
    // Chunk by chunk: a search that may end at each number is not vectorised.
    let (chunks, rest) = numbers.as_chunks::<16>();
    let has_it = |chunk: &[N; 16]| chunk.iter().fold(false, |has_it, &number| has_it | (number == wanted));
    let at = chunks.iter().position(has_it).map_or(numbers.len() - rest.len(), |chunk| chunk * 16);
    Some(at + numbers[at..].iter().position(|&number| number == wanted)?)
}

/// What is scanned of a row.
struct RowScope {
    group: usize,
    now: Cost,
    limit: usize,
    pick: Pick,
}

impl RowScope {
    /// The move at an index of the row, with its cost.
    #[inline]
    fn judged<S: Scalar>(&self, at: usize, delta: S::Sum) -> (Move, Cost) {
        (Move(self.group as u32, (self.group + 1 + at) as u32), Cost(self.now.0 + S::to_integer(delta)))
    }

    /// Scans the row once. Trying the smallest delta first would be slower if `allowed` returns false for nearly all moves, as in tabu
    /// search.
    #[inline]
    fn best_of<S: Scalar>(&self, row: &[S::Sum], mut allowed: impl FnMut(Move, Cost) -> bool) -> Scan<Cost> {
        let row = &row[..row.len().min(self.limit)];
        let mut taken: Option<(usize, S::Sum)> = None;
        for (at, &delta) in row.iter().enumerate() {
            if taken.is_none_or(|(_, least)| delta < least) {
                let (step, cost) = self.judged::<S>(at, delta);
                if allowed(step, cost) {
                    taken = Some((at, delta));
                    if self.pick == Pick::First {
                        break;
                    }
                }
            }
        }
        self.scan_of::<S>(row, taken.map(|(at, _)| at))
    }

    fn list_below<S: Scalar>(&self, row: &[S::Sum], bound: Option<Cost>, list: &mut Vec<(Move, Cost)>) -> u64 {
        let row = &row[..row.len().min(self.limit)];
        let bound = bound.map(|bound| S::to_sum(bound.0 - self.now.0));
        let is_below = |delta: S::Sum| bound.is_none_or(|bound| delta < bound);
        // Nearly all chunks have none: to look at a whole one takes less than to ask at each delta.
        let (chunks, rest) = row.as_chunks::<16>();
        for (number, chunk) in chunks.iter().enumerate() {
            if chunk.iter().fold(false, |is_any, &delta| is_any | is_below(delta)) {
                let below = chunk.iter().enumerate().filter(|&(_, &delta)| is_below(delta));
                list.extend(below.map(|(at, &delta)| self.judged::<S>(number * 16 + at, delta)));
            }
        }
        let before = row.len() - rest.len();
        let below = rest.iter().enumerate().filter(|&(_, &delta)| is_below(delta));
        list.extend(below.map(|(at, &delta)| self.judged::<S>(before + at, delta)));
        row.len() as u64
    }

    fn better_of<S: Scalar>(&self, row: &[S::Sum]) -> Scan<Cost> {
        let row = &row[..row.len().min(self.limit)];
        let (least, zero) = (S::least(row), S::Sum::default());
        let taken = match self.pick {
            Pick::Best if least < zero => position(row, least),
            Pick::First if least < zero => row.iter().position(|&delta| delta < zero),
            _ => None,
        };
        self.scan_of::<S>(row, taken)
    }

    /// The scan of a row that chose a move.
    #[inline]
    fn scan_of<S: Scalar>(&self, row: &[S::Sum], taken: Option<usize>) -> Scan<Cost> {
        let end = taken.filter(|_| self.pick == Pick::First).map_or(row.len(), |at| at + 1);
        Scan { examined: end as u64, best: taken.map(|at| self.judged::<S>(at, row[at])) }
    }

    fn best_without_table<S: Scalar>(
        &self,
        operands: &Operands<S>,
        genome: &[Allele],
        mut allowed: impl FnMut(Move, Cost) -> bool,
    ) -> Scan<Cost> {
        let mut scan = Scan::EMPTY;
        for other in (self.group + 1..genome.len()).take(self.limit) {
            let step = Move(self.group as u32, other as u32);
            let cost = Cost(self.now.0 + operands.delta(genome, self.group, other));
            if scan.judge(step, cost, self.pick, &mut allowed) {
                break;
            }
        }
        scan
    }
}

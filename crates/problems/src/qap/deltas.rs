//! The delta matrix of an assignment: what every exchange of two rows would change in its cost.
//!
//! After an exchange of rows r and s, the delta of a pair that has neither changes by (u_i - u_j) (v_i - v_j), where u is the difference of
//! columns r and s of A and v that of B as it lay before (E. Taillard, "Robust taboo search for the quadratic assignment problem", Parallel
//! Computing 17, 1991, 443-455); pairs that have r or s are recomputed. A row is updated when it is asked for, from a log of the exchanges
//! since: a search that goes from row to row pays only for the rows that it uses.
//!
//! Where there is one layer and all rows are up to date, as in tabu search, only the pairs that have r are recomputed: with d before and d'
//! after the exchange, d'(r, j) + d'(s, j) = d(r, j) + d(s, j) - d(r, s). The six orders in which r, s and j can have their three assigned
//! rows are three even and three odd ones, and both groups cost the same in sum: in either group each row has each assigned row once, and
//! each pair of rows has each unordered pair.

use std::collections::TryReserveError;

use super::{Operands, Scalar};
use evogrid_core::layout::Allele;
use evogrid_core::memory::filled;

/// The delta matrix of one assignment: a row for each `i`, with the pairs `i < j`.
#[derive(Debug)]
pub(super) struct Deltas<S: Scalar> {
    /// B in the order of the assignment, by layers.
    b: Vec<S>,
    b_diagonal: Vec<i64>,
    /// `n` by `n`, of which the part above the diagonal is used.
    sums: Vec<S::Sum>,
    /// How many exchanges had been made when a row was last computed; [`NEVER`] where a row must be recomputed.
    computed: Vec<u64>,
    /// How many rows are up to date.
    n_current: usize,
    /// Exchanges since the beginning, plus 1.
    made: u64,
    log: Log<S>,
}

/// A row that was not computed yet.
const NEVER: u64 = 0;

/// The last exchanges, each in the slot of its number.
#[derive(Clone, Debug)]
struct Log<S> {
    pairs: Vec<(usize, usize)>,
    /// Whether the deltas of the pairs that have one of the two were computed at once.
    are_pairs_done: Vec<bool>,
    /// u and v of every layer of every slot.
    differences: Vec<S>,
}

/// The approximate bytes of the deltas of one assignment.
pub(super) fn memory<S: Scalar>(operands: &Operands<S>) -> u64 {
    let Operands { n, n_layers, stride, .. } = *operands;
    let slot = size_of::<(usize, usize)>() + size_of::<bool>() + n_layers * 2 * n * size_of::<S>();
    (n * (n * size_of::<S::Sum>() + n_layers * stride * size_of::<S>() + 16) + n_slots(n) * slot) as u64
}

/// Number of exchanges that are kept: applying one to a row takes as long as recomputing three of its entries, so that more cannot pay.
fn n_slots(n: usize) -> usize {
    (n / 3 + 1).next_power_of_two()
}

impl<S> Log<S> {
    fn slot(&self, made: u64) -> usize {
        // The number of slots is a power of two.
        made as usize & (self.pairs.len() - 1)
    }
}

impl<S: Scalar> Deltas<S> {
    /// The deltas of an assignment, without computed rows. Fails if there is not enough memory.
    pub(super) fn new(operands: &Operands<S>, genome: &[Allele]) -> Result<Self, TryReserveError> {
        let mut deltas = Self::empty(operands.n, operands.n_layers, operands.b.len())?;
        deltas.load(operands, genome);
        Ok(deltas)
    }

    /// A copy. Fails if there is not enough memory.
    pub(super) fn copy(&self) -> Result<Self, TryReserveError> {
        let (n, n_differences) = (self.b_diagonal.len(), self.log.differences.len());
        let mut copy = Self::empty(n, n_differences / (n_slots(n) * 2 * n), self.b.len())?;
        copy.copy_from(self);
        Ok(copy)
    }

    /// Room for the deltas of `n` rows, with so many numbers of B.
    fn empty(n: usize, n_layers: usize, b_len: usize) -> Result<Self, TryReserveError> {
        let (n_slots, zero) = (n_slots(n), S::from_entry(0));
        Ok(Self {
            b: filled(zero, b_len)?,
            b_diagonal: filled(0, n)?,
            sums: filled(S::Sum::default(), n * n)?,
            computed: filled(NEVER, n)?,
            n_current: 0,
            made: 1,
            log: Log {
                pairs: filled((0, 0), n_slots)?,
                are_pairs_done: filled(false, n_slots)?,
                differences: filled(zero, n_slots * n_layers * 2 * n)?,
            },
        })
    }

    /// Loads another assignment.
    pub(super) fn load(&mut self, operands: &Operands<S>, genome: &[Allele]) {
        let Operands { n, stride, n_layers, .. } = *operands;
        for layer in 0..n_layers {
            for (row, &target) in genome.iter().enumerate() {
                let from = operands.b_row(layer, usize::from(target));
                let to = &mut self.b[(layer * n + row) * stride..][..n];
                for (entry, &other) in to.iter_mut().zip(genome) {
                    *entry = from[usize::from(other)];
                }
            }
        }
        for (entry, &target) in self.b_diagonal.iter_mut().zip(genome) {
            *entry = operands.b_diagonal[usize::from(target)];
        }
        self.computed.fill(NEVER);
        self.n_current = 0;
        self.made = 1;
    }

    /// Becomes equal to the deltas of another assignment of the same instance.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.b.copy_from_slice(&other.b);
        self.b_diagonal.copy_from_slice(&other.b_diagonal);
        self.sums.copy_from_slice(&other.sums);
        self.computed.copy_from_slice(&other.computed);
        self.n_current = other.n_current;
        self.made = other.made;
        self.log.are_pairs_done.copy_from_slice(&other.log.are_pairs_done);
        self.log.pairs.copy_from_slice(&other.log.pairs);
        self.log.differences.copy_from_slice(&other.log.differences);
    }

    /// The delta of the exchange of rows `i` and `j`.
    pub(super) fn delta(&self, operands: &Operands<S>, i: usize, j: usize) -> i64 {
        let (i, j) = (i.min(j), i.max(j));
        let is_current = self.computed[i] == self.made;
        S::to_integer(if is_current { self.sums[i * operands.n + j] } else { self.recompute(operands, i, j) })
    }

    /// The up-to-date deltas of row `i` with the rows `i + 1`, `i + 2`, ...
    pub(super) fn row(&mut self, operands: &Operands<S>, i: usize) -> &[S::Sum] {
        let n = operands.n;
        if self.computed[i] != self.made {
            self.update(operands, i);
        }
        &self.sums[i * n + i + 1..(i + 1) * n]
    }

    /// Exchanges rows `r` and `s`.
    pub(super) fn exchange(&mut self, operands: &Operands<S>, r: usize, s: usize) {
        let Operands { n, stride, n_layers, .. } = *operands;
        let slot = self.log.slot(self.made);
        self.log.pairs[slot] = (r, s);
        // The last row has no pairs, and is never asked for.
        let are_pairs_done = n_layers == 1 && self.n_current == n - 1;
        self.log.are_pairs_done[slot] = are_pairs_done;
        if are_pairs_done {
            self.add_pairs(n, r, s);
        }
        let slots = self.log.differences[slot * n_layers * 2 * n..][..n_layers * 2 * n].chunks_exact_mut(2 * n);
        for (layer, slot) in slots.enumerate() {
            // The columns of a layer are the rows of the other one; of the same one where there is just one.
            let columns = n_layers - 1 - layer;
            let (u, v) = slot.split_at_mut(n);
            let b_row = |row: usize| &self.b[(columns * n + row) * stride..][..n];
            difference(u, operands.a_row(columns, r), operands.a_row(columns, s));
            difference(v, b_row(r), b_row(s));
        }
        for rows in self.b.chunks_exact_mut(n * stride) {
            let (first, second) = (r.min(s), r.max(s));
            let (head, tail) = rows.split_at_mut(second * stride);
            head[first * stride..][..stride].swap_with_slice(&mut tail[..stride]);
            for row in rows.chunks_exact_mut(stride) {
                row.swap(r, s);
            }
        }
        self.b_diagonal.swap(r, s);
        self.made += 1;
        self.n_current = 0;
        if are_pairs_done {
            self.part_pairs(operands, r, s);
            self.n_current = [r, s].into_iter().filter(|&row| row + 1 < n).count();
        }
        self.computed[r] = if are_pairs_done { self.made } else { NEVER };
        self.computed[s] = self.computed[r];
    }

    /// Before rows `r` and `s` are exchanged: stores, for each other row, what its deltas with the two will sum to, in place of its delta
    /// with `s`.
    fn add_pairs(&mut self, n: usize, r: usize, s: usize) {
        let both = S::to_integer(self.sums[pair(n, r, s)]);
        for j in (0..n).filter(|&j| j != r && j != s) {
            let sum = S::to_integer(self.sums[pair(n, r, j)]) + S::to_integer(self.sums[pair(n, s, j)]) - both;
            self.sums[pair(n, s, j)] = S::to_sum(sum);
        }
        self.sums[pair(n, r, s)] = S::to_sum(-both);
    }

    /// After the exchange: splits these sums.
    fn part_pairs(&mut self, operands: &Operands<S>, r: usize, s: usize) {
        let n = operands.n;
        for j in (0..n).filter(|&j| j != r && j != s) {
            let delta = self.recompute(operands, r, j);
            self.sums[pair(n, r, j)] = delta;
            let of_s = S::to_integer(self.sums[pair(n, s, j)]) - S::to_integer(delta);
            self.sums[pair(n, s, j)] = S::to_sum(of_s);
        }
    }

    /// Updates row `i`.
    fn update(&mut self, operands: &Operands<S>, i: usize) {
        let Operands { n, n_layers, .. } = *operands;
        let (first, behind) = (self.computed[i], self.made - self.computed[i]);
        if first == NEVER || behind.saturating_mul(3) >= (n - i) as u64 {
            for j in i + 1..n {
                self.sums[i * n + j] = self.recompute(operands, i, j);
            }
        } else {
            let sums = &mut self.sums[i * n + i + 1..(i + 1) * n];
            for made in first..self.made {
                let slot = self.log.slot(made);
                let (r, s) = self.log.pairs[slot];
                let are_done = self.log.are_pairs_done[slot];
                let kept = [r, s]
                    .map(|j| (j, j > i && are_done))
                    .map(|(j, is_done)| is_done.then(|| (j - i - 1, sums[j - i - 1])));
                for layer in self.log.differences[slot * n_layers * 2 * n..][..n_layers * 2 * n].chunks_exact(2 * n) {
                    let (u, v) = layer.split_at(n);
                    S::add_products(sums, u[i], &u[i + 1..], v[i], &v[i + 1..]);
                }
                kept.into_iter().flatten().for_each(|(at, sum)| sums[at] = sum);
            }
            for made in first..self.made {
                let slot = self.log.slot(made);
                let (r, s) = self.log.pairs[slot];
                for j in [r, s].into_iter().filter(|&j| j > i && !self.log.are_pairs_done[slot]) {
                    self.sums[i * n + j] = self.recompute(operands, i, j);
                }
            }
        }
        self.n_current += usize::from(i + 1 < n);
        self.computed[i] = self.made;
    }

    /// The delta of a pair, computed from the matrices.
    fn recompute(&self, operands: &Operands<S>, i: usize, j: usize) -> S::Sum {
        let (mut sum, mut a_ij, mut b_ij) = (0, 0, 0);
        for layer in 0..operands.n_layers {
            let (a_i, b_i) = (operands.a_row(layer, i), self.b_row(operands, layer, i));
            let (a_j, b_j) = (operands.a_row(layer, j), self.b_row(operands, layer, j));
            sum += S::to_integer(S::crossed(a_i, a_j, b_i, b_j));
            a_ij += a_i[j].entry();
            b_ij += b_i[j].entry();
        }
        S::to_sum(sum + operands.rest((i, j), (a_ij, b_ij), (self.b_diagonal[i], self.b_diagonal[j])))
    }

    /// A row of B in the order of the assignment.
    fn b_row(&self, operands: &Operands<S>, layer: usize, row: usize) -> &[S] {
        &self.b[(layer * operands.n + row) * operands.stride..][..operands.stride]
    }
}

/// Where the delta of two different rows is.
#[inline]
fn pair(n: usize, i: usize, j: usize) -> usize {
    i.min(j) * n + i.max(j)
}

fn difference<S: Scalar>(to: &mut [S], one: &[S], other: &[S]) {
    for ((to, &one), &other) in to.iter_mut().zip(one).zip(other) {
        *to = one.minus(other);
    }
}

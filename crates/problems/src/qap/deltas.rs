//! The delta matrix of an assignment. For each exchange of two rows, it contains the change in the cost of the assignment.
//!
//! An exchange of rows r and s changes the delta of every pair (i, j) that contains neither r nor s. The change is (u_i - u_j) (v_i - v_j).
//! Here u is the difference of columns r and s of A, and v is the same difference of B before the exchange (Taillard, "Robust taboo search
//! for the quadratic assignment problem", Parallel Computing 17, 1991, 443-455). Pairs with r or s are recomputed. When a search asks for a
//! row of the matrix, the row is updated from a log of the exchanges since its last update. So a search pays only for the rows that it
//! uses.
//!
//! If there is one layer and all rows are up to date, as in tabu search, only the pairs with r are recomputed. The deltas d before and d'
//! after the exchange satisfy d'(r, j) + d'(s, j) = d(r, j) + d(s, j) - d(r, s). The reason: the assigned rows of r, s and j can be
//! permuted in six ways, three even and three odd ones. The even and the odd permutations have the same sum of costs. In each of these two
//! groups, every row gets every assigned row once, and every pair of rows gets every unordered pair of assigned rows once.

use std::collections::TryReserveError;

use super::operands::Operands;
use super::scalar::Scalar;
use evogrid_core::layout::Allele;
use evogrid_core::memory::filled;

/// The delta matrix of one assignment: a row for each `i`, with the pairs `i < j`.
#[derive(Debug)]
pub(super) struct Deltas<S: Scalar> {
    /// B in the order of the assignment, by layers.
    b: Vec<S>,
    b_diagonal: Vec<i64>,
    /// An `n` by `n` matrix. Only the part above the diagonal is used.
    sums: Vec<S::Sum>,
    /// The value of `made` when a row was last computed; [`NEVER`] if a row must be recomputed.
    computed: Vec<u64>,
    /// The number of rows that are up to date.
    n_current: usize,
    /// The number of exchanges since the beginning, plus 1.
    made: u64,
    /// The last exchanges, each in the slot of its number. The flag says that the deltas of pairs with one of the two rows were computed
    /// immediately.
    exchanges: Vec<(usize, usize, bool)>,
    /// The differences u and v of every layer of every slot.
    differences: Vec<S>,
}

/// The mark of a row that was not computed yet.
const NEVER: u64 = 0;

/// The approximate size of the deltas of one assignment, in bytes.
pub(super) fn memory<S: Scalar>(operands: &Operands<S>) -> u64 {
    let Operands { n, n_layers, stride, .. } = *operands;
    let slot = size_of::<(usize, usize, bool)>() + n_layers * 2 * n * size_of::<S>();
    (n * (n * size_of::<S::Sum>() + n_layers * stride * size_of::<S>() + 16) + n_slots(n) * slot) as u64
}

/// The number of exchanges in the log, a power of two. Applying one exchange to a row takes as long as recomputing three of its entries, so
/// a longer log would not save time.
fn n_slots(n: usize) -> usize {
    (n / 3 + 1).next_power_of_two()
}

impl<S: Scalar> Deltas<S> {
    /// Creates the deltas of an assignment, without computed rows. Fails if there is not enough memory.
    pub(super) fn new(operands: &Operands<S>, genome: &[Allele]) -> Result<Self, TryReserveError> {
        let (n, zero) = (operands.n, S::from_entry(0));
        let mut deltas = Self {
            b: filled(zero, operands.b.len())?,
            b_diagonal: filled(0, n)?,
            sums: filled(S::Sum::default(), n * n)?,
            computed: filled(NEVER, n)?,
            n_current: 0,
            made: 1,
            exchanges: filled((0, 0, false), n_slots(n))?,
            differences: filled(zero, n_slots(n) * operands.n_layers * 2 * n)?,
        };
        deltas.load(operands, genome);
        Ok(deltas)
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

    /// Copies the deltas of another assignment of the same instance.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.b.copy_from_slice(&other.b);
        self.b_diagonal.copy_from_slice(&other.b_diagonal);
        self.sums.copy_from_slice(&other.sums);
        self.computed.copy_from_slice(&other.computed);
        self.n_current = other.n_current;
        self.made = other.made;
        self.exchanges.copy_from_slice(&other.exchanges);
        self.differences.copy_from_slice(&other.differences);
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
        let slot = self.slot(self.made);
        // The last row has no pairs, and no search asks for it.
        let are_pairs_done = n_layers == 1 && self.n_current == n - 1;
        self.exchanges[slot] = (r, s, are_pairs_done);
        if are_pairs_done {
            self.add_pairs(n, r, s);
        }
        let slots = self.differences[slot * n_layers * 2 * n..][..n_layers * 2 * n].chunks_exact_mut(2 * n);
        for (layer, slot) in slots.enumerate() {
            // The columns of a layer are the rows of the other layer. A single layer has equal rows and columns.
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

    /// Prepares an exchange of rows `r` and `s`. For each other row, the function adds the new deltas with `r` and with `s`, and stores the
    /// sum instead of the delta with `s`.
    fn add_pairs(&mut self, n: usize, r: usize, s: usize) {
        let both = S::to_integer(self.sums[pair(n, r, s)]);
        for j in (0..n).filter(|&j| j != r && j != s) {
            let sum = S::to_integer(self.sums[pair(n, r, j)]) + S::to_integer(self.sums[pair(n, s, j)]) - both;
            self.sums[pair(n, s, j)] = S::to_sum(sum);
        }
        self.sums[pair(n, r, s)] = S::to_sum(-both);
    }

    /// Completes the exchange: splits the sums of [`add_pairs`](Self::add_pairs) into the two deltas.
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
                let slot = made as usize & (self.exchanges.len() - 1);
                let (r, s, are_done) = self.exchanges[slot];
                let kept = [r, s].map(|j| (j > i && are_done).then(|| (j - i - 1, sums[j - i - 1])));
                for layer in self.differences[slot * n_layers * 2 * n..][..n_layers * 2 * n].chunks_exact(2 * n) {
                    let (u, v) = layer.split_at(n);
                    S::add_products(sums, u[i], &u[i + 1..], v[i], &v[i + 1..]);
                }
                kept.into_iter().flatten().for_each(|(at, sum)| sums[at] = sum);
            }
            for made in first..self.made {
                let (r, s, are_done) = self.exchanges[self.slot(made)];
                for j in [r, s].into_iter().filter(|&j| j > i && !are_done) {
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

    /// The slot of an exchange in the log, whose length is a power of two.
    fn slot(&self, made: u64) -> usize {
        made as usize & (self.exchanges.len() - 1)
    }

    /// A row of B in the order of the assignment.
    fn b_row(&self, operands: &Operands<S>, layer: usize, row: usize) -> &[S] {
        &self.b[(layer * operands.n + row) * operands.stride..][..operands.stride]
    }
}

/// The index of the delta of two different rows.
#[inline]
fn pair(n: usize, i: usize, j: usize) -> usize {
    i.min(j) * n + i.max(j)
}

fn difference<S: Scalar>(to: &mut [S], one: &[S], other: &[S]) {
    for ((to, &one), &other) in to.iter_mut().zip(one).zip(other) {
        *to = one.minus(other);
    }
}

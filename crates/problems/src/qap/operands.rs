//! An instance in the form that is used to compute costs and deltas.
//!
//! The diagonals of A and B are separate, and A and B have zeros there. If one matrix is symmetric, the other matrix may be transposed
//! without a change in cost. In this case only B' = B + B^T (or A' likewise) is needed. An exchange of rows i and j of an assignment
//! changes the cost by
//!
//! sum over k of (a_ik - a_jk) (b'_jk - b'_ik)  +  2 a_ij b'_ij  +  (a_ii - a_jj) (b_jj - b_ii),
//!
//! with the rows and columns of B in the order of the assignment. The matrices in this form are one *layer* of rows. Two matrices without
//! symmetry need twice the work: the sum runs over rows and columns, and the columns form the rows of a second layer.

use super::instance::{Matrices, refused};
use super::scalar::{LANES, Scalar};
use evogrid_core::layout::Allele;
use evogrid_core::memory::filled;

/// Matrices without their diagonals in one or two layers; rows are padded with zeros.
#[derive(Debug)]
pub(crate) struct Operands<S> {
    pub(super) n: usize,
    /// The length of a padded row.
    pub(super) stride: usize,
    /// The number of layers: 1 if a matrix is symmetric, otherwise 2 (rows, then columns).
    pub(super) n_layers: usize,
    pub(super) a: Vec<S>,
    pub(super) b: Vec<S>,
    pub(super) a_diagonal: Vec<i64>,
    pub(super) b_diagonal: Vec<i64>,
}

/// The operands of an instance in the narrowest number type for which all sums are exact.
#[derive(Debug)]
pub(super) enum AnyOperands {
    Narrow(Operands<i16>),
    Wide(Operands<f64>),
}

impl AnyOperands {
    pub(super) fn new(matrices: &Matrices) -> Self {
        if matrices.is_narrow() { Self::Narrow(Operands::new(matrices)) } else { Self::Wide(Operands::new(matrices)) }
    }

    pub(super) fn cost(&self, genome: &[Allele]) -> i64 {
        match self {
            Self::Narrow(operands) => operands.cost(genome),
            Self::Wide(operands) => operands.cost(genome),
        }
    }
}

impl<S: Scalar> Operands<S> {
    pub(super) fn new(matrices: &Matrices) -> Self {
        let (n, stride) = (matrices.n(), matrices.n().next_multiple_of(LANES));
        let is_symmetric = |matrix: &[i64]| {
            (0..n).all(|row| (0..row).all(|column| matrix[row * n + column] == matrix[column * n + row]))
        };
        let [a_symmetric, b_symmetric] = [is_symmetric(matrices.a()), is_symmetric(matrices.b())];
        let n_layers = if a_symmetric || b_symmetric { 1 } else { 2 };
        // If both matrices are symmetric, B is doubled as if it were not symmetric.
        let layers = |matrix: &[i64], is_merged: bool| {
            // The memory was available when the matrices were read, but other runs may have taken it since.
            let mut layers = filled(S::from_entry(0), n_layers * n * stride)
                .unwrap_or_else(|_| panic!("{}", refused(n, 2 * n_layers * size_of::<S>())));
            for (row, column) in (0..n * n).map(|at| (at / n, at % n)).filter(|(row, column)| row != column) {
                let (entry, transposed) = (matrix[row * n + column], matrix[column * n + row]);
                let of_rows = if is_merged { entry + transposed } else { entry };
                layers[row * stride + column] = S::from_entry(of_rows);
                if n_layers == 2 {
                    layers[(n + row) * stride + column] = S::from_entry(transposed);
                }
            }
            layers
        };
        let diagonal = |matrix: &[i64]| matrix.iter().step_by(n + 1).copied().collect();
        Self {
            n,
            stride,
            n_layers,
            a: layers(matrices.a(), n_layers == 1 && !a_symmetric),
            b: layers(matrices.b(), n_layers == 1 && a_symmetric),
            a_diagonal: diagonal(matrices.a()),
            b_diagonal: diagonal(matrices.b()),
        }
    }

    /// A row of A in a layer.
    #[inline]
    pub(super) fn a_row(&self, layer: usize, row: usize) -> &[S] {
        &self.a[(layer * self.n + row) * self.stride..][..self.stride]
    }

    /// A row of B in a layer, in its own order.
    #[inline]
    pub(super) fn b_row(&self, layer: usize, row: usize) -> &[S] {
        &self.b[(layer * self.n + row) * self.stride..][..self.stride]
    }

    /// The cost of an assignment. With one layer, the sum contains each pair once.
    pub(super) fn cost(&self, genome: &[Allele]) -> i64 {
        let mut total = 0;
        for (row, &target) in genome.iter().enumerate() {
            let (a, b) = (self.a_row(0, row), self.b_row(0, usize::from(target)));
            let n_columns = if self.n_layers == 1 { row } else { self.n };
            let matched = a.iter().zip(genome).take(n_columns);
            let sum =
                matched.fold(S::Sum::default(), |sum, (&a, &other)| S::accumulated(sum, a, b[usize::from(other)]));
            total += S::to_integer(sum) + self.a_diagonal[row] * self.b_diagonal[usize::from(target)];
        }
        total
    }

    /// The change in cost if rows `i` and `j` of an assignment exchange their assigned rows.
    pub(super) fn delta(&self, genome: &[Allele], i: usize, j: usize) -> i64 {
        let (p_i, p_j) = (usize::from(genome[i]), usize::from(genome[j]));
        let (mut sum, mut a_ij, mut b_ij) = (S::Sum::default(), 0, 0);
        for layer in 0..self.n_layers {
            let (a_i, a_j) = (self.a_row(layer, i), self.a_row(layer, j));
            let (b_i, b_j) = (self.b_row(layer, p_i), self.b_row(layer, p_j));
            for ((a_i, a_j), &other) in a_i.iter().zip(a_j).zip(genome) {
                let other = usize::from(other);
                sum = S::accumulated(sum, a_i.minus(*a_j), b_j[other].minus(b_i[other]));
            }
            a_ij += a_i[j].entry();
            b_ij += b_i[p_j].entry();
        }
        let rest = self.rest((i, j), (a_ij, b_ij), (self.b_diagonal[p_i], self.b_diagonal[p_j]));
        S::to_integer(sum) + rest
    }

    /// The part of a delta that the sums over rows do not contain: the diagonals, and the entries between `i` and `j`, which are summed
    /// over the layers. The diagonal entries of B belong to the rows that are assigned to `i` and `j`.
    #[inline]
    pub(super) fn rest(&self, (i, j): (usize, usize), (a_ij, b_ij): (i64, i64), (b_ii, b_jj): (i64, i64)) -> i64 {
        // (a_ij + a_ji) (b_ij + b_ji); with one layer a_ji equals a_ij, and b_ij contains b_ji already.
        let both = if self.n_layers == 1 { 2 * a_ij } else { a_ij };
        both * b_ij + (self.a_diagonal[i] - self.a_diagonal[j]) * (b_jj - b_ii)
    }
}

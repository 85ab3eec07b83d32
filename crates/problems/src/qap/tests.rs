//! Small instances against exhaustive search: fitness, deltas and their updates.

use evogrid_core::layout::Allele;
use proptest::prelude::*;

use super::Matrices;
use super::deltas::Deltas;
use super::independent_check;
use super::operands::{AnyOperands, Operands};
use super::scalar::Scalar;

/// The definition: the sum over all pairs of entries.
pub(super) fn cost(matrices: &Matrices, genome: &[Allele]) -> i64 {
    let n = matrices.n();
    let matched = |at: usize| usize::from(genome[at / n]) * n + usize::from(genome[at % n]);
    (0..n * n).map(|at| matrices.a()[at] * matrices.b()[matched(at)]).sum()
}

/// Matrices of sizes 2 to 8 with diagonals and negative numbers, either of them symmetric or not.
pub(super) fn instances(entries: i64) -> impl Strategy<Value = Matrices> {
    let matrix = move |n: usize| (proptest::collection::vec(-entries..=entries, n * n), any::<bool>());
    (2..=8usize).prop_flat_map(move |n| (matrix(n), matrix(n))).prop_map(|(a, b)| {
        let n = a.0.len().isqrt();
        let [a, b] = [a, b].map(|(mut matrix, is_symmetric)| {
            for (row, column) in
                (0..n * n).map(|at| (at / n, at % n)).filter(|(row, column)| is_symmetric && column < row)
            {
                matrix[row * n + column] = matrix[column * n + row];
            }
            matrix
        });
        Matrices::new(n, a, b).expect("small numbers")
    })
}

fn identity(n: usize) -> Vec<Allele> {
    (0..n as Allele).collect()
}

/// After every exchange, some rows of the table are looked at; whatever was looked at before, every delta is right.
fn check_deltas<S: Scalar>(matrices: &Matrices, exchanges: &[(usize, usize, u8)]) -> Result<(), TestCaseError> {
    let (operands, n) = (Operands::<S>::new(matrices), matrices.n());
    let mut genome = identity(n);
    let mut deltas = Deltas::new(&operands, &genome).unwrap();
    let mut marked = None;
    for &(one, other, looked_at) in exchanges {
        let (i, j) = (one % n, other % n);
        if i != j {
            genome.swap(i, j);
            deltas.exchange(&operands, i, j);
        }
        let now = cost(matrices, &genome);
        prop_assert_eq!(operands.cost(&genome), now);
        for i in (0..n).filter(|&i| looked_at >> i & 1 == 1) {
            let row: Vec<i64> = deltas.row(&operands, i).iter().map(|&sum| S::to_integer(sum)).collect();
            for (j, found) in (i + 1..n).zip(row) {
                let mut after = genome.clone();
                after.swap(i, j);
                prop_assert_eq!(found, cost(matrices, &after) - now, "rows {} and {}", i, j);
                prop_assert_eq!(operands.delta(&genome, i, j), found);
                prop_assert_eq!(operands.delta(&genome, j, i), found);
                prop_assert_eq!(deltas.delta(&operands, j, i), found);
            }
        }
        match (looked_at, &marked) {
            (0..64, _) => {
                let mut copy = Deltas::new(&operands, &genome).unwrap();
                copy.copy_from(&deltas);
                marked = Some((genome.clone(), copy));
            }
            (64..96, Some((old, copy))) => {
                genome.clone_from(old);
                deltas.copy_from(copy);
            }
            (96..100, _) => {
                genome.reverse();
                deltas.load(&operands, &genome);
            }
            _ => {}
        }
    }
    Ok(())
}

fn exchanges() -> impl Strategy<Value = Vec<(usize, usize, u8)>> {
    proptest::collection::vec((0..8usize, 0..8usize, any::<u8>()), 1..30)
}

proptest! {
    #[test]
    fn deltas_are_right_after_every_exchange(matrices in instances(9), exchanges in exchanges()) {
        check_deltas::<i16>(&matrices, &exchanges)?;
    }

    #[test]
    fn deltas_of_large_numbers_are_right_after_every_exchange(matrices in instances(1 << 20), exchanges in exchanges()) {
        prop_assert!(matches!(AnyOperands::new(&matrices), AnyOperands::Wide(_)));
        check_deltas::<f64>(&matrices, &exchanges)?;
    }

    #[test]
    fn the_independent_check_agrees(matrices in instances(50), exchanges in exchanges()) {
        let (operands, n) = (AnyOperands::new(&matrices), matrices.n());
        let mut genome = identity(n);
        exchanges.iter().for_each(|(one, other, _)| genome.swap(one % n, other % n));
        let solution: Vec<String> = genome.iter().map(|allele| (allele + 1).to_string()).collect();
        let checked = independent_check::cost(&matrices.content(), &solution.join(" "));
        prop_assert_eq!(checked, Ok(operands.cost(&genome)));
        prop_assert_eq!(operands.cost(&genome), cost(&matrices, &genome));
    }
}

/// The largest numbers that are computed in 16 bits, so placed that differences of differences are greatest.
#[test]
fn sixteen_bits_are_wide_enough_for_the_largest_numbers_they_are_chosen_for() {
    for (a, b) in [(4095, 1), (1, 4095), (2000, 600), (1100, 1100), (2000, 15_000)] {
        for n in [4, 8] {
            let signs =
                |entry: i64| (0..n * n).map(|at| if (at / n + at % n) % 2 == 0 { entry } else { -entry }).collect();
            let matrices = Matrices::new(n, signs(a), signs(b)).unwrap();
            let exchanges: Vec<_> = (0..40).map(|k| (k * 5, k * 3 + 1, 255)).collect();
            let checked = match AnyOperands::new(&matrices) {
                AnyOperands::Narrow(_) => check_deltas::<i16>(&matrices, &exchanges),
                AnyOperands::Wide(_) => check_deltas::<f64>(&matrices, &exchanges),
            };
            checked.unwrap_or_else(|error| panic!("{a}, {b}: {error}"));
        }
    }
}

//! Set equivalence theory: pairs of regions of a board that contain the same digits on every solved board. The differences between the two
//! regions are added to the fitness and to the conflicts.

use super::geometry::Representation;
use super::shape::{MAX_SIDE, Shape};
use evogrid_core::prelude::*;

/// The cells of two regions, each in ascending order.
type Regions = [Vec<usize>; 2];

/// The regions that remain of two sets of units after their common cells are removed. A unit is the number of its family (row, column or
/// box) and its index in the family.
///
/// Units of the same set must not share a cell, and both sets must have equally many units. Each unit of a solved board contains every
/// digit once, so both sets contain every digit equally often. After the common cells are removed, both sets still contain every digit
/// equally often. (Set equivalence theory, as shown by Cracking the Cryptic; Huke names this theory as future work.)
fn regions(shape: Shape, left: &[(usize, usize)], right: &[(usize, usize)]) -> Regions {
    let is_in =
        |set: &[(usize, usize)], cell: usize| set.iter().any(|&(family, index)| shape.units_of(cell)[family] == index);
    let only = |one: &[(usize, usize)], other: &[(usize, usize)]| {
        (0..shape.n_cells()).filter(|&cell| is_in(one, cell) && !is_in(other, cell)).collect()
    };
    [only(left, right), only(right, left)]
}

/// The ring around the inner boxes, and the corners of the board. At 9x9 each has 16 cells, and each corner is 2x2.
///
/// The corners come from the outer columns of the outer stacks. The ring comes from the rows that touch the inner bands from outside, and
/// from the outer boxes of the inner bands. `None` if boxes are not squares.
fn ring(shape: Shape) -> Option<Regions> {
    let (side, width) = (shape.side(), shape.box_cols());
    if width != shape.box_rows() || width < 2 {
        return None;
    }
    let rows = [width - 1, side - width].map(|row| (0, row));
    let boxes = (1..width - 1).flat_map(|band| [band * width, band * width + width - 1]).map(|index| (2, index));
    let ring: Vec<_> = rows.into_iter().chain(boxes).collect();
    let corners: Vec<_> = (0..width - 1).chain(side - width + 1..side).map(|column| (1, column)).collect();
    Some(regions(shape, &ring, &corners))
}

/// The regions of every line (row or column) with each box that it crosses.
fn lines(shape: Shape) -> Vec<Regions> {
    let side = shape.side();
    let lines = (0..side).flat_map(|line| [(0, line), (1, line)]);
    let pairs = lines.flat_map(|line| (0..side).map(move |index| regions(shape, &[line], &[(2, index)])));
    // If a line does not cross a box, all cells of the line remain.
    pairs.filter(|[line, _]| line.len() < side).collect()
}

evogrid_core::choices! {
    /// The equivalences that are added to the fitness.
    pub enum Equivalences {
        /// No equivalences.
        None = "none",
        /// The ring around the inner boxes, and the corners.
        Ring = "ring",
        /// All lines, each with the boxes that it crosses.
        Lines = "lines",
    }
}

impl Equivalences {
    fn on(self, shape: Shape) -> Vec<Regions> {
        match self {
            Self::None => Vec::new(),
            Self::Ring => ring(shape).into_iter().collect(),
            Self::Lines => lines(shape),
        }
    }
}

/// An additional term of the fitness: `weight` times a sum over all equivalences and digits. Each summand is the absolute difference
/// between the frequencies of the digit in the two regions. The term is 0 on every solved board, so the target does not change.
#[derive(Clone, Debug)]
pub(super) struct EquivalenceTerm {
    weight: f64,
    counts_conflicts: bool,
    /// For each equivalence, the positions of its two regions in the genome.
    regions: Vec<Regions>,
}

impl EquivalenceTerm {
    /// Creates the term. If `counts_conflicts` is true, the term also adds conflicts: an allele that occurs more often in its region than
    /// in the other region gets one conflict for each surplus occurrence.
    pub(super) fn new(
        equivalences: Equivalences,
        (shape, representation): (Shape, Representation),
        weight: f64,
        counts_conflicts: bool,
    ) -> Self {
        let mut position_of = vec![0; shape.n_cells()];
        (0..shape.n_cells()).for_each(|position| position_of[representation.cell(shape, position)] = position);
        let positions = |cells: Vec<usize>| cells.iter().map(|&cell| position_of[cell]).collect();
        let regions = equivalences.on(shape).into_iter().map(|regions| regions.map(positions)).collect();
        Self { weight, counts_conflicts, regions }
    }

    /// The value of the term.
    pub(super) fn value(&self, genome: &[Allele]) -> f64 {
        let of_regions =
            |regions| balance(regions, genome).iter().map(|surplus: &i32| surplus.unsigned_abs()).sum::<u32>();
        self.weight * f64::from(self.regions.iter().map(of_regions).sum::<u32>())
    }

    /// Adds the conflicts.
    pub(super) fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
        for regions in self.regions.iter().filter(|_| self.counts_conflicts) {
            let balance = balance(regions, genome);
            for (region, sign) in regions.iter().zip([1, -1]) {
                for &position in region {
                    conflicts[position] += (sign * balance[usize::from(genome[position])]).max(0).unsigned_abs();
                }
            }
        }
    }
}

/// For each allele, its frequency in the first region minus its frequency in the second region.
fn balance([left, right]: &Regions, genome: &[Allele]) -> [i32; MAX_SIDE] {
    let mut balance = [0; MAX_SIDE];
    left.iter().for_each(|&position| balance[usize::from(genome[position])] += 1);
    right.iter().for_each(|&position| balance[usize::from(genome[position])] -= 1);
    balance
}

#[cfg(test)]
mod tests {
    use super::super::{Board, FitnessKind, Sudoku, generate};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ring_around_the_centre_box_stands_against_the_four_corners() {
        let ring = super::ring(Shape::new(3, 3).unwrap()).unwrap();
        let drawn: String = (0..81)
            .map(|cell| match (ring[0].contains(&cell), ring[1].contains(&cell)) {
                (true, _) => 'o',
                (_, true) => 'x',
                _ => '.',
            })
            .collect();
        let rows: Vec<&str> = (0..9).map(|row| &drawn[9 * row..9 * row + 9]).collect();
        let expected = [
            "xx.....xx",
            "xx.....xx",
            "..ooooo..",
            "..o...o..",
            "..o...o..",
            "..o...o..",
            "..ooooo..",
            "xx.....xx",
            "xx.....xx",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_centre_of_a_small_board_holds_what_its_corners_do() {
        let ring = super::ring(Shape::new(2, 2).unwrap()).unwrap();
        assert_eq!(ring, [vec![5, 6, 9, 10], vec![0, 3, 12, 15]]);
        assert_eq!(super::ring(Shape::new(2, 3).unwrap()), None);
    }

    proptest! {
        #[test]
        fn the_term_is_zero_on_every_solved_board(seed: u64) {
            for (box_rows, box_cols) in [(2, 2), (2, 3), (3, 3), (4, 4)] {
                let shape = Shape::new(box_rows, box_cols).unwrap();
                let solved = generate::full_board(shape, &mut RandomStream::from_seed(seed));
                for &(_, representation) in Representation::CHOICES {
                    for &(_, equivalences) in Equivalences::CHOICES {
                        let sudoku = Sudoku::new(&solved, representation, FitnessKind::Missing);
                        let genome = sudoku.genome_of(&solved);
                        let problem = sudoku.with_equivalences(equivalences, 2.5, true);
                        prop_assert_eq!(Some(problem.fitness(&genome)), problem.target());
                        let mut conflicts = vec![9; genome.len()];
                        problem.count(&genome, &mut conflicts);
                        prop_assert!(conflicts.iter().all(|&count| count == 0));
                    }
                }
            }
        }

        #[test]
        fn a_position_in_surplus_has_as_many_conflicts_more_as_are_too_many(seed: u64) {
            let shape = Shape::new(3, 3).unwrap();
            for &(_, representation) in Representation::CHOICES {
                for &(_, equivalences) in Equivalences::CHOICES {
                    let sudoku = Sudoku::new(&Board::empty(shape), representation, FitnessKind::Collisions);
                    let mut genome = vec![0; 81];
                    sudoku.randomise(&mut genome, &mut RandomStream::from_seed(seed));
                    let mut expected = vec![0; 81];
                    sudoku.count(&genome, &mut expected);
                    let without = sudoku.clone().with_equivalences(equivalences, 0.0, false);
                    let mut conflicts = vec![9; 81];
                    without.count(&genome, &mut conflicts);
                    prop_assert_eq!(&conflicts, &expected);
                    let allele = |cell: usize| {
                        genome[(0..81).find(|&position| representation.cell(shape, position) == cell).unwrap()]
                    };
                    let n_holding = |cells: &[usize], sought: Allele| {
                        cells.iter().filter(|&&cell| allele(cell) == sought).count()
                    };
                    for position in 0..81 {
                        let (cell, own) = (representation.cell(shape, position), genome[position]);
                        for [left, right] in equivalences.on(shape) {
                            let surplus = match (left.contains(&cell), right.contains(&cell)) {
                                (true, _) => n_holding(&left, own).saturating_sub(n_holding(&right, own)),
                                (_, true) => n_holding(&right, own).saturating_sub(n_holding(&left, own)),
                                _ => 0,
                            };
                            expected[position] += surplus as u32;
                        }
                    }
                    sudoku.with_equivalences(equivalences, 0.0, true).count(&genome, &mut conflicts);
                    prop_assert_eq!(&conflicts, &expected);
                }
            }
        }

        #[test]
        fn the_regions_of_any_equally_many_rows_and_columns_hold_the_same_digits(seed: u64, rows: u16, columns: u16) {
            let shape = Shape::new(3, 3).unwrap();
            let solved = generate::full_board(shape, &mut RandomStream::from_seed(seed));
            let chosen = |bits: u16| (0..9).filter(move |index| bits >> index & 1 == 1);
            let rows: Vec<_> = chosen(rows).map(|row| (0, row)).collect();
            let columns: Vec<_> = chosen(columns).map(|column| (1, column)).take(rows.len()).collect();
            let [left, right] = regions(shape, &rows[..columns.len()], &columns);
            let digits = |cells: &[usize]| {
                let mut digits: Vec<u8> = cells.iter().map(|&cell| solved.cells()[cell]).collect();
                digits.sort_unstable();
                digits
            };
            prop_assert_eq!(digits(&left), digits(&right));
        }
    }
}

//! Set equivalence theory: two regions of a board that must hold the same digits, as an added term of the fitness and of the conflicts.

use super::{Shape, Sudoku};
use evogrid_core::prelude::*;

/// A row, column or box of a board, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
    /// A box.
    Box(usize),
}

impl Unit {
    fn holds(self, shape: Shape, cell: usize) -> bool {
        let [row, col, index] = shape.units_of(cell);
        self == Unit::Row(row) || self == Unit::Column(col) || self == Unit::Box(index)
    }
}

/// Two regions that contain the same digits, with the same frequencies, on every solved board.
///
/// Take some units that share no cell, and equally many others. Each unit of a solved board holds every digit once, so both
/// sets hold every digit equally often; and they still do when the cells that they share are taken from both. (Set equivalence
/// theory, as shown by Cracking the Cryptic; named by Huke as his outlook.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Equivalence {
    /// Cells of the first set that are not in the second, ascending.
    pub left: Vec<usize>,
    /// Cells of the second set that are not in the first, ascending.
    pub right: Vec<usize>,
}

impl Equivalence {
    /// The regions that remain after removing the common cells of two sets of units.
    ///
    /// # Panics
    /// If the sets are not equally large, or units of one set share a cell.
    pub(crate) fn new(shape: Shape, left: &[Unit], right: &[Unit]) -> Self {
        assert_eq!(left.len(), right.len(), "both sets have equally many units");
        let count = |units: &[Unit], cell: usize| units.iter().filter(|unit| unit.holds(shape, cell)).count();
        let mut regions = Self { left: Vec::new(), right: Vec::new() };
        for cell in 0..shape.n_cells() {
            match (count(left, cell), count(right, cell)) {
                (1, 0) => regions.left.push(cell),
                (0, 1) => regions.right.push(cell),
                (0 | 1, 0 | 1) => {}
                _ => panic!("units of one set share no cell"),
            }
        }
        regions
    }

    /// The ring around the inner boxes, and the corners of the board: 16 cells each at 9x9, where each corner is 2x2.
    ///
    /// The columns that are outermost in the outer stacks, against the row of the first band and the row of the last band
    /// that touch the inner bands together with the outer boxes of the inner bands. `None` where boxes are not squares, or there
    /// is not an inner band.
    pub(crate) fn ring(shape: Shape) -> Option<Self> {
        let (side, width) = (shape.side(), shape.box_cols());
        if width != shape.box_rows() || width < 2 {
            return None;
        }
        let columns = (0..width - 1).chain(side - width + 1..side).map(Unit::Column);
        let rows = [width - 1, side - width].map(Unit::Row);
        let boxes = (1..width - 1).flat_map(|band| [band * width, band * width + width - 1]).map(Unit::Box);
        let (ring, corners): (Vec<Unit>, Vec<Unit>) = (rows.into_iter().chain(boxes).collect(), columns.collect());
        Some(Self::new(shape, &ring, &corners))
    }

    /// Rows and boxes inside each band, and columns and boxes inside each stack: one line and one box, and the first line with each box
    /// that it crosses.
    pub(crate) fn lines(shape: Shape) -> Vec<Self> {
        let side = shape.side();
        let lines = (0..side).flat_map(|line| [Unit::Row(line), Unit::Column(line)]);
        let crossed = lines.flat_map(|line| (0..side).map(move |index| (line, Unit::Box(index))));
        // A line that does not cross the box has all of its cells beside it.
        crossed
            .map(|(line, other)| Self::new(shape, &[line], &[other]))
            .filter(|regions| regions.left.len() < side)
            .collect()
    }
}

evogrid_core::choices! {
    /// The equivalences that are added to the fitness.
    pub enum Equivalences {
        /// None.
        None = "none",
        /// The [ring and the corners](Equivalence::ring).
        Ring = "ring",
        /// All [lines and the boxes that they cross](Equivalence::lines).
        Lines = "lines",
    }
}

impl Equivalences {
    fn on(self, shape: Shape) -> Vec<Equivalence> {
        match self {
            Self::None => Vec::new(),
            Self::Ring => Equivalence::ring(shape).into_iter().collect(),
            Self::Lines => Equivalence::lines(shape),
        }
    }
}

/// A Sudoku whose fitness has an additional term: `weight` times the sum, over equivalences and digits, of the absolute difference
/// between both frequencies. The term is 0 on every solved board, so the target does not change.
pub(crate) struct WithEquivalences {
    sudoku: Sudoku,
    weight: f64,
    counts_conflicts: bool,
    /// For each equivalence its positions in the genome, left and right.
    regions: Vec<(Vec<usize>, Vec<usize>)>,
}

impl WithEquivalences {
    /// Adds the equivalences to the fitness of a Sudoku and, if `counts_conflicts`, to its conflicts: an allele that occurs more often on
    /// its side of an equivalence than on the other side gets one conflict for each surplus occurrence.
    pub(crate) fn new(sudoku: Sudoku, equivalences: Equivalences, weight: f64, counts_conflicts: bool) -> Self {
        let (shape, representation) = (sudoku.shape(), sudoku.representation());
        let mut position_of = vec![0; shape.n_cells()];
        (0..shape.n_cells()).for_each(|position| position_of[representation.cell(shape, position)] = position);
        let positions = |cells: &[usize]| cells.iter().map(|&cell| position_of[cell]).collect();
        let regions = equivalences.on(shape);
        let regions = regions.iter().map(|one| (positions(&one.left), positions(&one.right))).collect();
        Self { sudoku, weight, counts_conflicts, regions }
    }

    /// The additional term without its weight.
    pub(crate) fn difference(&self, genome: &[Allele]) -> u32 {
        let of_regions = |(left, right): &(Vec<usize>, Vec<usize>)| {
            balance(left, right, genome).iter().map(|digit| digit.unsigned_abs()).sum::<u32>()
        };
        self.regions.iter().map(of_regions).sum()
    }
}

/// How much more often each allele stands left than right.
fn balance(left: &[usize], right: &[usize], genome: &[Allele]) -> [i32; super::MAX_SIDE] {
    let mut balance = [0; super::MAX_SIDE];
    left.iter().for_each(|&position| balance[usize::from(genome[position])] += 1);
    right.iter().for_each(|&position| balance[usize::from(genome[position])] -= 1);
    balance
}

impl ConflictCount for WithEquivalences {
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
        self.sudoku.count(genome, conflicts);
        for (left, right) in self.regions.iter().filter(|_| self.counts_conflicts) {
            let balance = balance(left, right, genome);
            for (side, sign) in [(left, 1), (right, -1)] {
                for &position in side {
                    conflicts[position] += (sign * balance[usize::from(genome[position])]).max(0).unsigned_abs();
                }
            }
        }
    }
}

impl Problem for WithEquivalences {
    fn layout(&self) -> &Layout {
        self.sudoku.layout()
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        Fitness::new(self.sudoku.fitness(genome).value() + self.weight * f64::from(self.difference(genome)))
    }

    fn target(&self) -> Option<Fitness> {
        self.sudoku.target()
    }

    fn size(&self, name: &str) -> Option<f64> {
        self.sudoku.size(name)
    }

    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream) {
        self.sudoku.randomise(genome, random);
    }

    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        Some(self)
    }

    fn lines(&self) -> &[u16] {
        Problem::lines(&self.sudoku)
    }

    fn describe(&self, genome: &[Allele]) -> String {
        Problem::describe(&self.sudoku, genome)
    }

    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        self.sudoku.read(description)
    }

    fn content(&self) -> Option<String> {
        self.sudoku.content()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Board, FitnessKind, Representation, generate};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ring_around_the_centre_box_stands_against_the_four_corners() {
        let ring = Equivalence::ring(Shape::new(3, 3).unwrap()).unwrap();
        let drawn: String = (0..81)
            .map(|cell| match (ring.left.contains(&cell), ring.right.contains(&cell)) {
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
        let ring = Equivalence::ring(Shape::new(2, 2).unwrap()).unwrap();
        assert_eq!((ring.left, ring.right), (vec![5, 6, 9, 10], vec![0, 3, 12, 15]));
        assert_eq!(Equivalence::ring(Shape::new(2, 3).unwrap()), None);
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
                        let problem = WithEquivalences::new(sudoku, equivalences, 2.5, true);
                        prop_assert_eq!(problem.difference(&genome), 0);
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
                    let without = WithEquivalences::new(sudoku.clone(), equivalences, 0.0, false);
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
                        for Equivalence { left, right } in equivalences.on(shape) {
                            let surplus = match (left.contains(&cell), right.contains(&cell)) {
                                (true, _) => n_holding(&left, own).saturating_sub(n_holding(&right, own)),
                                (_, true) => n_holding(&right, own).saturating_sub(n_holding(&left, own)),
                                _ => 0,
                            };
                            expected[position] += surplus as u32;
                        }
                    }
                    WithEquivalences::new(sudoku, equivalences, 0.0, true).count(&genome, &mut conflicts);
                    prop_assert_eq!(&conflicts, &expected);
                }
            }
        }

        #[test]
        fn the_regions_of_any_equally_many_rows_and_columns_hold_the_same_digits(seed: u64, rows: u16, columns: u16) {
            let shape = Shape::new(3, 3).unwrap();
            let solved = generate::full_board(shape, &mut RandomStream::from_seed(seed));
            let chosen = |bits: u16| (0..9).filter(move |index| bits >> index & 1 == 1);
            let rows: Vec<Unit> = chosen(rows).map(Unit::Row).collect();
            let columns: Vec<Unit> = chosen(columns).map(Unit::Column).take(rows.len()).collect();
            let regions = Equivalence::new(shape, &rows[..columns.len()], &columns);
            let digits = |cells: &[usize]| {
                let mut digits: Vec<u8> = cells.iter().map(|&cell| solved.cells()[cell]).collect();
                digits.sort_unstable();
                digits
            };
            prop_assert_eq!(digits(&regions.left), digits(&regions.right));
        }
    }
}

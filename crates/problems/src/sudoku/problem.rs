//! The Sudoku as a problem for the searches.

use std::collections::TryReserveError;

use super::board::{Board, symbol};
use super::board_colony::BoardColony;
use super::explorers::Explorers;
use super::fitness::{ConflictsKernel, FitnessKernel, FitnessKind, conflicts_kernel, fitness_kernel};
use super::geometry::Lines;
use super::parse::read_cells;
use super::representation::Representation;
use super::shape::Shape;
use evogrid_core::colony::{Colony, ColonyVisitor, Pairs};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::problem::{PlainColony, Problem};
use evogrid_core::search::exact::Structure;

/// A board to be filled: genes are boxes or rows, the givens are locked, and the fitness is 0 where it is solved.
#[derive(Clone, Debug)]
pub struct Sudoku {
    shape: Shape,
    representation: Representation,
    layout: Layout,
    lines: Lines,
    kind: FitnessKind,
    fitness: FitnessKernel,
    conflicts: ConflictsKernel,
}

impl Sudoku {
    /// The problem of a board.
    #[must_use]
    pub fn new(board: &Board, representation: Representation, fitness: FitnessKind) -> Self {
        let shape = board.shape();
        Self {
            shape,
            representation,
            layout: representation.layout(board),
            lines: Lines::new(shape, representation),
            kind: fitness,
            fitness: fitness_kernel(fitness, shape, representation),
            conflicts: conflicts_kernel(shape, representation),
        }
    }

    /// Cells and units of every board of a shape, for checks of cells that no [`Board`] would take: cells along the rows, as in
    /// [`Board::cells`]; rows, then columns, then boxes.
    #[must_use]
    pub fn structure(shape: Shape) -> Structure {
        let empty = Self::new(&Board::empty(shape), Representation::Rows, FitnessKind::Missing);
        Structure::from_problem(&empty).expect("a board has units, and few digits")
    }

    /// The shape of the board.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What the genes are.
    #[must_use]
    pub fn representation(&self) -> Representation {
        self.representation
    }

    /// The genome of a full board.
    ///
    /// # Panics
    /// If the board has a free cell or another shape.
    #[must_use]
    pub fn genome_of(&self, solved: &Board) -> Vec<Allele> {
        assert_eq!(solved.shape(), self.shape, "the board has the problem's shape");
        let digit = |position| solved.cells()[self.representation.cell(self.shape, position)];
        let allele = |position| Allele::from(digit(position).checked_sub(1).expect("no cell is free"));
        (0..self.shape.n_cells()).map(allele).collect()
    }
}

impl Problem for Sudoku {
    #[inline]
    fn layout(&self) -> &Layout {
        &self.layout
    }

    #[inline]
    fn fitness(&self, genome: &[Allele]) -> Fitness {
        (self.fitness)(&self.lines, genome)
    }

    fn target(&self) -> Option<Fitness> {
        Some(Fitness::from(0))
    }

    fn has_conflicts(&self) -> bool {
        true
    }

    /// Huke's map ("Fitness-Sudoku"): the other cells with the same digit in the first line plus in the second.
    #[inline]
    fn conflicts(&self, genome: &[Allele], conflicts: &mut [u32]) {
        (self.conflicts)(&self.lines, genome, conflicts);
    }

    /// The row where genes are boxes, the column where they are rows.
    #[inline]
    fn lines(&self) -> &[u16] {
        &self.lines.first
    }

    /// The lines of both open families: rows and columns where genes are boxes, columns and boxes where they are rows.
    fn units(&self) -> Option<Vec<Vec<usize>>> {
        let mut units = vec![Vec::new(); 2 * self.shape.side()];
        for (position, (&first, &second)) in self.lines.first.iter().zip(&self.lines.second).enumerate() {
            units[usize::from(first)].push(position);
            units[self.shape.side() + usize::from(second)].push(position);
        }
        Some(units)
    }

    /// The board in one line, row after row.
    fn describe(&self, genome: &[Allele]) -> String {
        let mut cells = vec!['.'; self.shape.n_cells()];
        for (position, &allele) in genome.iter().enumerate() {
            cells[self.representation.cell(self.shape, position)] = symbol(allele as u8 + 1);
        }
        cells.into_iter().collect()
    }

    /// A filled board, in one line or in rows. Rows, columns and boxes may hold a digit twice, but for those that are genes.
    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        let (cells, _) = read_cells(description).map_err(|error| error.to_string())?;
        let (side, n_cells) = (self.shape.side(), self.shape.n_cells());
        if cells.len() != n_cells {
            return Err(format!("it has {} cells, and the board {n_cells}", cells.len()));
        }
        let allele = |position: usize| {
            let cell = self.representation.cell(self.shape, position);
            let (digit, place) = (cells[cell], format!("row {}, column {}", cell / side + 1, cell % side + 1));
            let given = self.layout.template()[position] as u8 + 1;
            match digit {
                0 => Err(format!("{place} is free")),
                _ if usize::from(digit) > side => Err(format!("{place}: {} is too large", symbol(digit))),
                _ if self.layout.is_locked(position) && digit != given => {
                    Err(format!("{place}: {} is given, and it has {}", symbol(given), symbol(digit)))
                }
                _ => Ok(Allele::from(digit - 1)),
            }
        };
        let genome: Vec<Allele> = (0..n_cells).map(allele).collect::<Result<_, _>>()?;
        let gene = self.representation.gene();
        for (index, alleles) in (1..).zip(genome.chunks_exact(side)) {
            let missing = (0..side as Allele).find(|allele| !alleles.contains(allele));
            if let Some(missing) = missing {
                let missing = symbol(missing as u8 + 1);
                return Err(format!("{gene} {index} has no {missing}, and where a gene is a {gene} it must"));
            }
        }
        Ok(genome)
    }

    fn content(&self) -> Option<String> {
        let mut cells = vec![symbol(0); self.shape.n_cells()];
        for (position, &allele) in self.layout.template().iter().enumerate() {
            if self.layout.is_locked(position) {
                cells[self.representation.cell(self.shape, position)] = symbol(allele as u8 + 1);
            }
        }
        Some(format!("{} {}", self.shape, String::from_iter(cells)))
    }

    /// Digits missing are judged by what the lines hold; any other fitness from scratch.
    fn visit_colony<V: ColonyVisitor>(&self, capacity: usize, visitor: V) -> Result<V::Output, V> {
        let pairs = Pairs::new(&self.layout);
        if self.kind != FitnessKind::Missing {
            return visit(PlainColony::new(self, &pairs, capacity), &pairs, visitor);
        }
        let explorers = Explorers::new(self.shape, self.representation, &self.layout, &self.lines);
        if self.shape.side() <= 16 {
            visit(BoardColony::<u32>::new(&self.layout, &self.lines, explorers, &pairs, capacity), &pairs, visitor)
        } else {
            visit(BoardColony::<u64>::new(&self.layout, &self.lines, explorers, &pairs, capacity), &pairs, visitor)
        }
    }

    fn colony_memory(&self, capacity: usize) -> u64 {
        let (n_cells, side) = (self.shape.n_cells(), self.shape.side());
        let each = match (self.kind, side) {
            (FitnessKind::Missing, ..=16) => n_cells + (2 * side + 1) * size_of::<u32>(),
            (FitnessKind::Missing, _) => n_cells + (2 * side + 1) * size_of::<u64>(),
            _ => n_cells * size_of::<Allele>(),
        };
        (capacity as u64).saturating_mul(each as u64).saturating_add(2 * Pairs::memory(&self.layout))
    }
}

/// Visits a colony, unless its memory was refused.
fn visit<C: Colony, V: ColonyVisitor>(
    colony: Result<C, TryReserveError>,
    pairs: &Pairs,
    visitor: V,
) -> Result<V::Output, V> {
    match colony {
        Ok(colony) => Ok(visitor.visit(colony, pairs)),
        Err(_) => Err(visitor),
    }
}

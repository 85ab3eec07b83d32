//! The Sudoku as a problem for the searches.

use std::collections::TryReserveError;

use super::board::symbol;
use super::explorers::Explorers;
use super::fitness::{ConflictsKernel, conflicts_kernel};
use super::moves::board_neighbourhood::{BoardNeighbourhood, Word};
use super::moves::board_sampling::BoardSampling;
use super::parse::read_cells;
use super::{Board, FitnessKernel, FitnessKind, Lines, Representation, Shape, fitness_kernel};
use evogrid_core::neighbourhood::AddSampling;
use evogrid_core::prelude::*;
use evogrid_core::search::ant_colony::CellByCell;
use evogrid_core::search::exact::Structure;

/// A board to be filled: genes are boxes or rows, the givens are locked, and the fitness of a solution is 0.
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

    /// The cells and units that all boards of a shape have. A check can use them on cells that [`Board`] refuses. The cells are numbered
    /// along the rows, as in [`Board::cells`]; the units are the rows, then the columns, then the boxes.
    pub fn structure(shape: Shape) -> Structure {
        let empty = Self::new(&Board::empty(shape), Representation::Rows, FitnessKind::Missing);
        Structure::from_problem(&empty).expect("a board has units, and few digits")
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The part of the board that a gene represents.
    pub fn representation(&self) -> Representation {
        self.representation
    }

    /// The genome of a full board.
    ///
    /// # Panics
    /// If the board has a free cell or another shape.
    pub fn genome_of(&self, solved: &Board) -> Vec<Allele> {
        assert_eq!(solved.shape(), self.shape, "the board has the problem's shape");
        let digit = |position| solved.cells()[self.representation.cell(self.shape, position)];
        let allele = |position| Allele::from(digit(position).checked_sub(1).expect("no cell is free"));
        (0..self.shape.n_cells()).map(allele).collect()
    }
}

impl ConflictCount for Sudoku {
    /// Huke's map ("Fitness-Sudoku"): the number of other cells with the same digit in the first line, plus that in the second line.
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
        (self.conflicts)(&self.lines, genome, conflicts);
    }
}

impl StepwiseConstruction for Sudoku {
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        Box::new(CellByCell::new(self, places).expect("a board has units, and few digits"))
    }

    fn memory(&self, places: usize) -> Option<u64> {
        CellByCell::memory(self, places)
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

    /// Cells that propagation filled count as givens.
    fn size(&self, name: &str) -> Option<f64> {
        match name {
            "n" => Some(self.shape.side() as f64),
            "free" => {
                Some((0..self.shape.n_cells()).filter(|&position| !self.layout.is_locked(position)).count() as f64)
            }
            _ => None,
        }
    }

    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        Some(self)
    }

    /// The row if genes are boxes, or the column if they are rows.
    #[inline]
    fn lines(&self) -> &[u16] {
        &self.lines.first
    }

    /// The lines of both open families: rows and columns if genes are boxes, columns and boxes if they are rows.
    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        let side = self.shape.side();
        let mut units: Vec<Vec<usize>> = (0..2 * side).map(|_| Vec::with_capacity(side)).collect();
        for (position, (&first, &second)) in self.lines.first.iter().zip(&self.lines.second).enumerate() {
            units[usize::from(first)].push(position);
            units[side + usize::from(second)].push(position);
        }
        Some(units)
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        Some(self)
    }

    /// The board as one line, row by row.
    fn describe(&self, genome: &[Allele]) -> String {
        let mut cells = vec!['.'; self.shape.n_cells()];
        for (position, &allele) in genome.iter().enumerate() {
            cells[self.representation.cell(self.shape, position)] = symbol(allele as u8 + 1);
        }
        let mut line = String::with_capacity(cells.len());
        line.extend(cells);
        line
    }

    /// Reads a filled board, in one line or in rows. Rows, columns and boxes may contain a digit twice, except those that are genes.
    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        let (cells, _) = read_cells(description).map_err(|error| error.to_string())?;
        let (side, n_cells) = (self.shape.side(), self.shape.n_cells());
        if cells.len() != n_cells {
            return Err(format!("it has {} cells, but the board has {n_cells}", cells.len()));
        }
        let allele = |position: usize| {
            let cell = self.representation.cell(self.shape, position);
            let (digit, place) = (cells[cell], format!("row {}, column {}", cell / side + 1, cell % side + 1));
            let given = self.layout.template()[position] as u8 + 1;
            match digit {
                0 => Err(format!("{place} is free")),
                _ if usize::from(digit) > side => Err(format!("{place}: {} is too large", symbol(digit))),
                _ if self.layout.is_locked(position) && digit != given => Err(format!(
                    "{place}: the given digit is {}, but the solution has {}",
                    symbol(given),
                    symbol(digit)
                )),
                _ => Ok(Allele::from(digit - 1)),
            }
        };
        let genome: Vec<Allele> = (0..n_cells).map(allele).collect::<Result<_, _>>()?;
        let gene = self.representation.gene();
        for (index, alleles) in (1..).zip(genome.chunks_exact(side)) {
            let missing = (0..side as Allele).find(|allele| !alleles.contains(allele));
            if let Some(missing) = missing {
                let missing = symbol(missing as u8 + 1);
                return Err(format!(
                    "{gene} {index} does not contain {missing}; every {gene} must contain all digits if it is a gene"
                ));
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

    /// Evaluates swaps from the digits in the lines if the fitness is the number of missing digits; other fitness functions use full
    /// evaluation.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match self.word(kind) {
            None => visitor.visit_if(Scratch::new(self, kind, places)),
            Some(LineWord::Narrow) => visitor.visit_if(self.moves::<u32>(places)),
            Some(LineWord::Wide) => visitor.visit_if(self.moves::<u64>(places)),
        }
    }

    fn visit_sampling<V: SamplingVisitor>(
        &self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match self.word(kind) {
            None => {
                let adding = AddSampling { problem: self, place: places, visitor };
                self.visit_neighbourhood(kind, places + 1, adding).map_err(|refused| refused.visitor)
            }
            Some(LineWord::Narrow) => visitor.visit_if(self.sampling::<u32>(places)),
            Some(LineWord::Wide) => visitor.visit_if(self.sampling::<u64>(places)),
        }
    }

    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        let words = match self.word(kind) {
            None => return Scratch::memory(self, places),
            Some(LineWord::Narrow) => size_of::<<u32 as Word>::Board>(),
            Some(LineWord::Wide) => size_of::<<u64 as Word>::Board>(),
        };
        let each = 2 * self.shape.n_cells() + words;
        (places as u64).saturating_mul(each as u64).saturating_add(2 * Pairs::memory(&self.layout))
    }
}

/// How wide the words are that tell what a line holds.
#[derive(Clone, Copy)]
enum LineWord {
    /// For lines of up to 15 digits.
    Narrow,
    /// For longer lines.
    Wide,
}

impl Sudoku {
    /// The type of words in the fast neighbourhood of this kind; `None` if there is none.
    fn word(&self, kind: NeighbourhoodKind) -> Option<LineWord> {
        let is_fast = kind == NeighbourhoodKind::Swap && self.kind == FitnessKind::Missing;
        is_fast.then_some(if self.shape.side() < 16 { LineWord::Narrow } else { LineWord::Wide })
    }

    fn moves<W: Word>(&self, places: usize) -> Result<BoardNeighbourhood<'_, W>, TryReserveError> {
        BoardNeighbourhood::new(&self.layout, &self.lines, places)
    }

    fn sampling<W: Word>(&self, places: usize) -> Result<BoardSampling<'_, W>, TryReserveError> {
        let explorers = Explorers::new(self.shape, self.representation, &self.layout, &self.lines);
        Ok(BoardSampling { moves: self.moves(places)?, explorers })
    }
}

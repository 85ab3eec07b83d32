//! The Sudoku as a problem for the searches.

use super::board::{Board, symbol};
use super::equivalence::{EquivalenceTerm, Equivalences};
use super::fitness::{ConflictsKernel, FitnessKernel, FitnessKind, conflicts_kernel, fitness_kernel};
use super::geometry::{Lines, Representation};
use super::neighbourhood::{BoardNeighbourhood, Word};
use super::parse::read_cells;
use super::sampling::BoardSampling;
use super::shape::Shape;
use evogrid_core::neighbourhood::AddSampling;
use evogrid_core::prelude::*;
use evogrid_core::search::ant_colony::CellByCell;
use evogrid_core::search::exact::Structure;

/// The problem of filling the free cells of a board. The genes are boxes or rows. The givens are locked. A solved board has the fitness 0.
#[derive(Clone, Debug)]
pub struct Sudoku {
    shape: Shape,
    representation: Representation,
    layout: Layout,
    lines: Lines,
    kind: FitnessKind,
    fitness: FitnessKernel,
    conflicts: ConflictsKernel,
    equivalences: Option<EquivalenceTerm>,
}

impl Sudoku {
    /// Creates the problem of a board.
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
            equivalences: None,
        }
    }

    /// The same problem with equivalences that add to the fitness and, if `counts_conflicts` is true, to the conflicts.
    #[must_use]
    pub(super) fn with_equivalences(mut self, added: Equivalences, weight: f64, counts_conflicts: bool) -> Self {
        self.equivalences =
            Some(EquivalenceTerm::new(added, (self.shape, self.representation), weight, counts_conflicts));
        self
    }

    /// Returns the cells and units that all boards of a shape have. You can also use these units to check a list of cells that [`Board`]
    /// refuses. The cells are numbered row by row, as in [`Board::cells`]. The units are the rows, then the columns, then the boxes.
    pub fn structure(shape: Shape) -> Structure {
        let empty = Self::new(&Board::empty(shape), Representation::Rows, FitnessKind::Missing);
        Structure::from_problem(&empty).expect("a board has rows, columns and boxes, and at most 25 different digits")
    }

    /// The genome of a full board.
    ///
    /// # Panics
    /// Panics if the board has a free cell, or if the shape of the board is not the shape of the problem.
    pub fn genome_of(&self, solved: &Board) -> Vec<Allele> {
        assert_eq!(solved.shape(), self.shape, "the solved board and the problem have the same shape of boxes");
        let digit = |position| solved.cells()[self.representation.cell(self.shape, position)];
        let allele =
            |position| Allele::from(digit(position).checked_sub(1).expect("every cell of the solved board is filled"));
        (0..self.shape.n_cells()).map(allele).collect()
    }
}

impl ConflictCount for Sudoku {
    /// Huke's map ("Fitness-Sudoku"). Each cell belongs to two lines. If genes are boxes, these two lines are the row and the column of the
    /// cell. On each of the two lines of a cell, the function counts the other cells that have the same digit as this cell. The conflicts
    /// of a cell are the sum of the two counts.
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
        (self.conflicts)(&self.lines, genome, conflicts);
        self.equivalences.iter().for_each(|term| term.count(genome, conflicts));
    }
}

impl StepwiseConstruction for Sudoku {
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        Box::new(
            CellByCell::new(self, places)
                .expect("a board has rows, columns and boxes, and at most 25 different digits"),
        )
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
        let fitness = (self.fitness)(&self.lines, genome);
        match &self.equivalences {
            None => fitness,
            Some(term) => Fitness::new(fitness.value() + term.value(genome)),
        }
    }

    fn target(&self) -> Option<Fitness> {
        Some(Fitness::from(0))
    }

    /// Returns the size that is called `name`. For example, the size `free` is the number of free cells. Cells that were filled by
    /// propagation count as givens.
    fn size(&self, name: &str) -> Option<f64> {
        let free = (0..self.shape.n_cells()).filter(|&position| !self.layout.is_locked(position));
        match name {
            "n" => Some(self.shape.side() as f64),
            "free" => Some(free.count() as f64),
            _ => None,
        }
    }

    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        Some(self)
    }

    /// If genes are boxes, returns the row of each position. If genes are rows, returns the column of each position.
    #[inline]
    fn lines(&self) -> &[u16] {
        &self.lines.first
    }

    /// The all-different sets are the units (rows, columns, boxes) that are not genes. If genes are boxes, the all-different sets are the
    /// rows and the columns. If genes are rows, the all-different sets are the columns and the boxes. If equivalences are part of the
    /// fitness, the result is `None`. The reason is that the sets do not contain the equivalences, so a search would ignore the
    /// equivalences.
    fn all_different_sets(&self) -> Option<Vec<Vec<usize>>> {
        if self.equivalences.is_some() {
            return None;
        }
        let side = self.shape.side();
        let mut units: Vec<Vec<usize>> = (0..2 * side).map(|_| Vec::with_capacity(side)).collect();
        for (position, (&first, &second)) in self.lines.first.iter().zip(&self.lines.second).enumerate() {
            units[usize::from(first)].push(position);
            units[side + usize::from(second)].push(position);
        }
        Some(units)
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        self.equivalences.is_none().then_some(self as _)
    }

    /// The board as one line, row by row.
    fn describe(&self, genome: &[Allele]) -> String {
        let mut cells = vec![b'.'; self.shape.n_cells()];
        for (position, &allele) in genome.iter().enumerate() {
            cells[self.representation.cell(self.shape, position)] = symbol(allele as u8 + 1) as u8;
        }
        String::from_utf8(cells).expect("symbols are ASCII")
    }

    /// Reads a filled board. The text is one line, or has one line for each row. A digit may occur twice in a unit that is not a gene.
    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        let (cells, _) = read_cells(description).map_err(|error| error.to_string())?;
        let (side, n_cells) = (self.shape.side(), self.shape.n_cells());
        if cells.len() != n_cells {
            return Err(format!("the text has {} cells, but the board has {n_cells}", cells.len()));
        }
        let allele = |position: usize| {
            let cell = self.representation.cell(self.shape, position);
            let (digit, place) = (cells[cell], format!("row {}, column {}", cell / side + 1, cell % side + 1));
            let given = self.layout.template()[position] as u8 + 1;
            match digit {
                0 => Err(format!("{place} is free")),
                _ if usize::from(digit) > side => Err(format!("{place}: {} is too large", symbol(digit))),
                _ if self.layout.is_locked(position) && digit != given => {
                    let [given, digit] = [given, digit].map(symbol);
                    Err(format!("{place}: the given digit is {given}, but the solution has {digit}"))
                }
                _ => Ok(Allele::from(digit - 1)),
            }
        };
        let genome: Vec<Allele> = (0..n_cells).map(allele).collect::<Result<_, _>>()?;
        let gene = self.representation.gene();
        for (index, alleles) in (1..).zip(genome.chunks_exact(side)) {
            if let Some(missing) = (0..side as Allele).find(|allele| !alleles.contains(allele)) {
                let missing = symbol(missing as u8 + 1);
                let rule = format!("if each {gene} is a gene, every {gene} must contain all digits");
                return Err(format!("{gene} {index} does not contain {missing}; {rule}"));
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

    /// If the fitness is the number of missing digits, the neighbourhood uses the digits on the lines to compute the fitness after a swap.
    /// All other fitness functions evaluate the whole board after each swap.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match self.lines_are_narrow(kind) {
            None => visitor.visit_if(Scratch::new(self, kind, places)),
            Some(true) => visitor.visit_if(BoardNeighbourhood::<u32>::new(&self.layout, &self.lines, places)),
            Some(false) => visitor.visit_if(BoardNeighbourhood::<u64>::new(&self.layout, &self.lines, places)),
        }
    }

    fn visit_sampling<V: SamplingVisitor>(
        &self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        let (genes, layout, lines) = ((self.shape, self.representation), &self.layout, &self.lines);
        match self.lines_are_narrow(kind) {
            None => {
                let adding = AddSampling { problem: self, place: places, visitor };
                self.visit_neighbourhood(kind, places + 1, adding).map_err(|refused| refused.visitor)
            }
            Some(true) => visitor.visit_if(BoardSampling::<u32>::new(genes, layout, lines, places)),
            Some(false) => visitor.visit_if(BoardSampling::<u64>::new(genes, layout, lines, places)),
        }
    }

    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        let words = match self.lines_are_narrow(kind) {
            None => return Scratch::memory(self, places),
            Some(true) => size_of::<<u32 as Word>::Board>(),
            Some(false) => size_of::<<u64 as Word>::Board>(),
        };
        let each = 2 * self.shape.n_cells() + words;
        (places as u64).saturating_mul(each as u64).saturating_add(2 * Pairs::memory(&self.layout))
    }
}

impl Sudoku {
    /// Returns true if the fast neighbourhood of this kind uses narrow words. Narrow words hold lines of up to 15 digits. Returns `None` if
    /// there is no fast neighbourhood.
    fn lines_are_narrow(&self, kind: NeighbourhoodKind) -> Option<bool> {
        let is_missing = self.kind == FitnessKind::Missing && self.equivalences.is_none();
        (kind == NeighbourhoodKind::Swap && is_missing).then(|| self.shape.side() < 16)
    }
}

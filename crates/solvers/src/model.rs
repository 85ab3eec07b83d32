//! The model that both solvers build: a binary `x[c, v]` for every cell and value, true where the cell has the value.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::Evaluator;
use evogrid_core::problem::Problem;
use evogrid_core::search::exact::{Structure, cells_of, genome_of, sanity};

/// Cells, and the binaries that there are.
pub(crate) struct Model {
    pub(crate) structure: Structure,
    /// Cell and value (from 1) of every binary.
    pub(crate) binaries: Vec<(usize, u8)>,
    /// The binary of cell `c` and value `v` at `c * n_values + v - 1`.
    index: Vec<Option<usize>>,
    cells: Vec<u8>,
    presolve: bool,
}

impl Model {
    /// The model of a problem. With `presolve` there are binaries for the candidates of free cells only; without, for every
    /// value of every cell.
    ///
    /// # Panics
    /// If the problem is not made of all-different units.
    pub(crate) fn new(problem: &dyn Problem, presolve: bool) -> Self {
        let structure = Structure::from_problem(problem).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        let cells = cells_of(problem.layout());
        let candidates = structure.candidates(&cells);
        let (mut binaries, mut index) = (Vec::new(), Vec::new());
        for (cell, candidates) in candidates.into_iter().enumerate() {
            for value in 1..=structure.n_values() as u8 {
                let is_there = !presolve || candidates >> (value - 1) & 1 == 1;
                index.push(is_there.then_some(binaries.len()));
                binaries.extend(is_there.then_some((cell, value)));
            }
        }
        Self { structure, binaries, index, cells, presolve }
    }

    /// Whether the sanity checks already show that there is no solution.
    pub(crate) fn is_refuted(&self) -> bool {
        sanity::check(&self.structure, &self.cells).is_err()
    }

    /// The sets of binaries of which exactly one is true: each cell has one value, and a unit with as many cells as there are
    /// values holds each once. A set without a binary cannot be met.
    pub(crate) fn exactly_one(&self) -> Vec<Vec<usize>> {
        let of_cell = |cell: usize| self.values().filter_map(|value| self.binary(cell, value)).collect();
        let open = (0..self.structure.n_cells()).filter(|&cell| !self.presolve || self.cells[cell] == 0);
        open.map(of_cell).chain(self.units(|len| len == self.structure.n_values())).collect()
    }

    /// The sets of binaries of which at most one is true: a value in a unit with fewer cells than there are values.
    pub(crate) fn at_most_one(&self) -> Vec<Vec<usize>> {
        self.units(|len| len < self.structure.n_values()).collect()
    }

    /// The binaries that a given makes true; none where presolve left givens out.
    pub(crate) fn givens(&self) -> Vec<usize> {
        let given = |(cell, &value): (usize, &u8)| if value == 0 { None } else { self.binary(cell, value) };
        self.cells.iter().enumerate().filter_map(given).collect()
    }

    /// Ends a run with what a solver found: the true binaries, or that there is no solution.
    pub(crate) fn conclude(
        &self,
        truth: Option<impl Fn(usize) -> bool>,
        evaluator: &mut Evaluator<'_, dyn Problem>,
    ) -> Stop {
        let Some(is_true) = truth else { return Stop::Exhausted };
        let mut cells = self.cells.clone();
        for (binary, &(cell, value)) in self.binaries.iter().enumerate() {
            if is_true(binary) {
                cells[cell] = value;
            }
        }
        let genome = genome_of(&cells);
        assert!(evaluator.problem().layout().is_valid(&genome), "a solver's answer is a valid genome");
        let fitness = evaluator.problem().fitness(&genome);
        evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err().unwrap_or(Stop::Exhausted)
    }

    /// For every unit of the wanted lengths and every value that no given of it has, the binaries of its cells.
    fn units(&self, wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = Vec<usize>> {
        self.structure.units().iter().filter(move |unit| wanted(unit.len())).flat_map(move |unit| {
            let is_given = |value: u8| self.presolve && unit.iter().any(|&cell| self.cells[cell] == value);
            let open = self.values().filter(move |&value| !is_given(value));
            open.map(|value| unit.iter().filter_map(|&cell| self.binary(cell, value)).collect())
        })
    }

    fn values(&self) -> std::ops::RangeInclusive<u8> {
        1..=self.structure.n_values() as u8
    }

    fn binary(&self, cell: usize, value: u8) -> Option<usize> {
        self.index[cell * self.structure.n_values() + usize::from(value) - 1]
    }
}

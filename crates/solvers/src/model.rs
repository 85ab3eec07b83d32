//! The model of both solvers. It has a binary variable `x[c, v]` for every cell `c` and every value `v`. The variable is true if the cell
//! has the value.

use evogrid_core::prelude::*;
use evogrid_core::search::exact::{Structure, cells_of, sanity, tell_solution};

/// The cells of a problem and their binary variables. The binary variables are called binaries here.
pub(crate) struct Model {
    structure: Structure,
    /// The cell and the value (from 1) of every binary.
    pub(crate) binaries: Vec<(usize, u8)>,
    /// The number of each binary variable. The entry for cell `c` and value `v` is at the index `c * n_values + v - 1`.
    index: Vec<Option<usize>>,
    cells: Vec<u8>,
    presolve: bool,
}

impl Model {
    /// The model of a problem. With `presolve`, only the candidates of open cells have binaries. Without `presolve`, every value of every
    /// cell has a binary.
    ///
    /// # Panics
    /// If the problem does not consist of all-different sets.
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

    /// Whether the sanity checks show that there is no solution.
    pub(crate) fn is_refuted(&self) -> bool {
        sanity::check(&self.structure, &self.cells).is_err()
    }

    /// The sets of binaries in which exactly one binary is true. Each cell has one value, and a unit with as many cells as values has each
    /// value once. If a set is empty, there is no solution.
    pub(crate) fn exactly_one(&self) -> Vec<Vec<usize>> {
        let binaries = |cell: usize| self.values().filter_map(|value| self.binary(cell, value)).collect();
        let open = (0..self.structure.n_cells()).filter(|&cell| !self.presolve || self.cells[cell] == 0);
        open.map(binaries).chain(self.units(|len| len == self.structure.n_values())).collect()
    }

    /// The sets of binaries in which no more than one binary is true. If a unit has fewer cells than values, it has each value no more than
    /// once.
    pub(crate) fn at_most_one(&self) -> Vec<Vec<usize>> {
        self.units(|len| len < self.structure.n_values()).collect()
    }

    /// The binaries that locked cells make true. With `presolve` there are no such binaries, because locked cells have no binaries.
    pub(crate) fn locked(&self) -> Vec<usize> {
        let locked = |(cell, &value): (usize, &u8)| if value == 0 { None } else { self.binary(cell, value) };
        self.cells.iter().enumerate().filter_map(locked).collect()
    }

    /// Reports the solution to the evaluator, and returns the reason to stop. `truth` says which binaries are true.
    pub(crate) fn tell(&self, truth: &[bool], evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Stop {
        let mut cells = self.cells.clone();
        for (&(cell, value), _) in self.binaries.iter().zip(truth).filter(|(_, is_true)| **is_true) {
            cells[cell] = value;
        }
        tell_solution(evaluator, &cells)
    }

    /// Sets of binaries. There is one set for each unit with a wanted length and each value that is not locked in the unit. The set
    /// contains the binaries of the cells of the unit with this value.
    fn units(&self, wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = Vec<usize>> {
        self.structure.units().iter().filter(move |unit| wanted(unit.len())).flat_map(move |unit| {
            let is_locked = |value: u8| self.presolve && unit.iter().any(|&cell| self.cells[cell] == value);
            let open = self.values().filter(move |&value| !is_locked(value));
            open.map(|value| unit.iter().filter_map(|&cell| self.binary(cell, value)).collect())
        })
    }

    /// The number of binaries in each set of binaries.
    pub(crate) fn set_sizes(&self) -> impl Iterator<Item = usize> {
        self.exactly_one().into_iter().chain(self.at_most_one()).map(|set| set.len())
    }

    fn values(&self) -> std::ops::RangeInclusive<u8> {
        1..=self.structure.n_values() as u8
    }

    fn binary(&self, cell: usize, value: u8) -> Option<usize> {
        self.index[cell * self.structure.n_values() + usize::from(value) - 1]
    }
}

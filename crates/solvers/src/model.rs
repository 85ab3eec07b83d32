//! The model of both solvers: a binary variable `x[c, v]` for every cell and value, true if the cell has the value.

use evogrid_core::budget::Stop;
use evogrid_core::evaluator::Evaluator;
use evogrid_core::problem::{DynProblem, Problem};
use evogrid_core::search::exact::{Structure, cells_of, genome_of, sanity};

/// The cells of a problem and their binary variables, here called binaries.
pub(crate) struct Model {
    pub(crate) structure: Structure,
    /// The cell and the value (from 1) of every binary.
    pub(crate) binaries: Vec<(usize, u8)>,
    /// The binary of cell `c` and value `v` at `c * n_values + v - 1`.
    index: Vec<Option<usize>>,
    cells: Vec<u8>,
    presolve: bool,
}

impl Model {
    /// The model of a problem. With `presolve`, only the candidates of free cells have binaries; without it, every value of every cell
    /// has one.
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

    /// Whether the sanity checks show that there is no solution.
    pub(crate) fn is_refuted(&self) -> bool {
        sanity::check(&self.structure, &self.cells).is_err()
    }

    /// The sets of binaries of which exactly one is true: each cell has one value, and each value occurs once in a unit with as many
    /// cells as values. An empty set means that there is no solution.
    pub(crate) fn exactly_one(&self) -> Vec<Vec<usize>> {
        let binaries = |cell: usize| self.values().filter_map(|value| self.binary(cell, value)).collect();
        let open = (0..self.structure.n_cells()).filter(|&cell| !self.presolve || self.cells[cell] == 0);
        open.map(binaries).chain(self.units(|len| len == self.structure.n_values())).collect()
    }

    /// The sets of binaries of which at most one is true: the binaries of one value in a unit with fewer cells than values.
    pub(crate) fn at_most_one(&self) -> Vec<Vec<usize>> {
        self.units(|len| len < self.structure.n_values()).collect()
    }

    /// The binaries that locked cells make true; empty with `presolve`, because locked cells then have no binaries.
    pub(crate) fn locked(&self) -> Vec<usize> {
        let locked = |(cell, &value): (usize, &u8)| if value == 0 { None } else { self.binary(cell, value) };
        self.cells.iter().enumerate().filter_map(locked).collect()
    }

    /// Ends a run with the answer of a solver: the true binaries, or the proof that there is no solution.
    pub(crate) fn conclude(&self, truth: Option<Vec<bool>>, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Stop {
        let Some(truth) = truth else { return Stop::Exhausted };
        let mut cells = self.cells.clone();
        for (&(cell, value), is_true) in self.binaries.iter().zip(truth) {
            if is_true {
                cells[cell] = value;
            }
        }
        let genome = genome_of(&cells);
        assert!(evaluator.problem().layout().is_valid(&genome), "a solver's answer is a valid genome");
        let fitness = evaluator.problem().fitness(&genome);
        evaluator.end(fitness, |best| best.copy_from_slice(&genome)).err().unwrap_or(Stop::Exhausted)
    }

    /// For every unit of the wanted lengths and every value that is not locked in it, the variables of its cells.
    fn units(&self, wanted: impl Fn(usize) -> bool) -> impl Iterator<Item = Vec<usize>> {
        self.structure.units().iter().filter(move |unit| wanted(unit.len())).flat_map(move |unit| {
            let is_locked = |value: u8| self.presolve && unit.iter().any(|&cell| self.cells[cell] == value);
            let open = self.values().filter(move |&value| !is_locked(value));
            open.map(|value| unit.iter().filter_map(|&cell| self.binary(cell, value)).collect())
        })
    }

    /// The sizes of the sets of binaries of which exactly one, and at most one, is true.
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

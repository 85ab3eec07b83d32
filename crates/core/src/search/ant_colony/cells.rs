//! Boards that ants fill cell by cell, with propagation after each decision.

use crate::ants::{Candidate, FinishedSolution, StepwiseSolutions};
use crate::search::exact::{Structure, ones};
use crate::search::propagation::{Assignment, Propagation, complete};
use crate::search::*;

/// The construction of assignments for a problem with [all-different sets](Problem::all_different_sets). The ants use the method of Lloyd
/// and Amos. ("Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games 12(3), 2020.)
///
/// An ant begins at a random cell, and visits all cells in order. After the genome's last cell, the ant continues with the first cell. The
/// ant assigns a possible value to each open cell. Then all [singles](Propagation) are filled. If a cell has no possible value, the ant
/// skips the cell. Each pair of a cell and a value has a trail. The ants use no heuristic information. At the beginning, a trail has the
/// pheromone `1 / c`, where `c` is the number of cells. A solution with `f` filled cells has the pheromone value `c / (c - f)`. A complete
/// solution has the same pheromone value as a solution with one open cell. Values that follow from the givens are filled before the first
/// ant begins.
pub struct CellByCell<'p, P> {
    problem: &'p P,
    propagation: Propagation,
    start: Assignment,
    n_forced: u64,
    ants: Vec<CellAnt>,
}

struct CellAnt {
    assignment: Assignment,
    /// The cell of the latest decision. At the start it is the cell before the first cell that the ant visits.
    cell: usize,
    /// The number of cells that the ant has not visited.
    n_left: usize,
}

impl<'p, P: Problem> CellByCell<'p, P> {
    /// Returns storage for assignments under construction. The argument `places` is the number of these assignments.
    ///
    /// # Errors
    /// Returns a message if the problem has no all-different sets, or if there are too many values.
    pub fn new(problem: &'p P, places: usize) -> Result<Self, String> {
        let propagation = Propagation::new(&Structure::from_problem(problem)?);
        let mut start = propagation.givens(problem.layout());
        let n_forced = propagation.propagate(&mut start, u64::MAX, false);
        start.forget();
        let ant = || CellAnt { assignment: propagation.empty(), cell: 0, n_left: 0 };
        Ok(Self { problem, ants: (0..places).map(|_| ant()).collect(), propagation, start, n_forced })
    }

    /// The number of bytes for the pheromone and for the assignments under construction. The argument `places` is the number of these
    /// assignments. Returns `None` if the problem does not support the construction of assignments cell by cell.
    pub fn memory(problem: &P, places: usize) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        let pheromone = structure.n_cells() * structure.n_values() * size_of::<f64>();
        Some(Propagation::memory(&structure, places + 1) + pheromone as u64)
    }

    fn trail(&self, cell: usize, value: usize) -> u32 {
        (cell * self.propagation.n_values + value) as u32
    }
}

impl<P: Problem> StepwiseSolutions for CellByCell<'_, P> {
    fn n_trails(&self) -> usize {
        self.problem.layout().genome_len() * self.propagation.n_values
    }

    fn initial_pheromone(&self) -> f64 {
        1.0 / self.problem.layout().genome_len() as f64
    }

    fn n_forced(&self) -> u64 {
        self.n_forced
    }

    fn begin(&mut self, place: usize, random: &mut RandomStream) {
        let n_cells = self.problem.layout().genome_len();
        let ant = &mut self.ants[place];
        ant.assignment.copy_from(&self.start);
        ant.cell = random.below(n_cells);
        ant.n_left = n_cells;
    }

    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let n_cells = self.problem.layout().genome_len();
        let ant = &mut self.ants[place];
        while ant.n_left > 0 {
            ant.n_left -= 1;
            ant.cell = if ant.cell + 1 == n_cells { 0 } else { ant.cell + 1 };
            let (cell, values) = (ant.cell, ant.assignment.values(ant.cell));
            if !ant.assignment.is_filled[cell] && values != 0 {
                let candidate = |value| Candidate { trail: self.trail(cell, value), heuristic: 1.0 };
                candidates.extend(ones(values).map(candidate));
                return;
            }
        }
    }

    fn take(&mut self, place: usize, candidate: usize, limit: u64) -> u64 {
        let CellAnt { assignment, cell, .. } = &mut self.ants[place];
        let value = ones(assignment.values(*cell)).nth(candidate).expect("the value is a candidate of the cell");
        self.propagation.fill(assignment, *cell, value);
        1 + self.propagation.propagate(assignment, limit - 1, false)
    }

    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution {
        let (layout, assignment) = (self.problem.layout(), &self.ants[place].assignment);
        complete(layout, |cell| assignment.value(cell), genome, random);
        let n_open = (genome.len() - assignment.filled.len()).max(1);
        FinishedSolution { fitness: self.problem.fitness(genome), deposit: genome.len() as f64 / n_open as f64 }
    }

    fn trails(&self, place: usize, trails: &mut Vec<u32>) {
        let assignment = &self.ants[place].assignment;
        let filled = assignment.filled.iter().map(|&cell| cell as usize);
        trails.extend(filled.filter_map(|cell| Some(self.trail(cell, assignment.value(cell)?.into()))));
    }
}

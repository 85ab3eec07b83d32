//! Exact search: counts or finds the solutions of a board, for making boards and checking them.
//!
//! Candidates are bit masks; naked and hidden singles are followed up before every guess; a guess takes the cell with the
//! fewest candidates, the first among equals. Without recursion and without allocation once a [`Search`] exists.

use super::board::Board;
use super::shape::Shape;

/// Number of solutions of a board, counted up to `limit`: with 2, whether the solution is unique.
#[must_use]
pub fn count_solutions(board: &Board, limit: usize) -> usize {
    Search::new(board.shape()).count(board, limit).expect("no limit of nodes")
}

/// The first solution of a board (lowest digits tried first), if it has one.
#[must_use]
pub fn solve(board: &Board) -> Option<Board> {
    Search::new(board.shape()).solve(board).expect("no limit of nodes")
}

/// A search gave up: it made as many guesses as it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("gave up after {nodes} guesses")]
pub struct NodeLimit {
    /// Guesses made.
    pub nodes: u64,
}

/// The memory of an exact search on boards of one shape, used again from board to board.
#[derive(Clone, Debug)]
pub struct Search {
    shape: Shape,
    all: u32,
    node_limit: u64,
    nodes: u64,
    /// Cells of every unit: rows, then columns, then boxes.
    units: Vec<u16>,
    /// Row, column and box of every cell.
    units_of: Vec<[u8; 3]>,
    /// The cells that share a unit with a cell, `n_peers` for each.
    peers: Vec<u16>,
    n_peers: usize,
    /// The digits left for every cell, digit `d` as bit `d - 1`.
    candidates: Vec<u32>,
    /// Cells with more than one candidate.
    n_open: usize,
    /// Cells and the candidates that they had before, to undo a guess.
    trail: Vec<(u16, u32)>,
    guesses: Vec<Guess>,
    /// Cells whose only candidate is still to be taken from their peers.
    singles: Vec<u16>,
    /// Units with a change since they were last looked through for hidden singles: rows, columns, boxes as bit masks.
    changed: [u32; 3],
}

#[derive(Clone, Copy, Debug)]
struct Guess {
    cell: usize,
    /// What is left for the cell if the guess was wrong.
    others: u32,
    trail_len: usize,
}

/// The board cannot be completed from here.
struct Contradiction;

impl Search {
    /// A search for boards of this shape, without a limit.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let (side, n_cells) = (shape.side(), shape.n_cells());
        let cells_of = |family| (0..n_cells).map(move |at| shape.cell_in_unit(family, at / side, at % side) as u16);
        let units_of = |cell| shape.units_of(cell).map(|unit| unit as u8);
        let units_of: Vec<[u8; 3]> = (0..n_cells).map(units_of).collect();
        let are_peers = |one: usize, other: usize| {
            one != other && units_of[one].iter().zip(&units_of[other]).any(|(one, other)| one == other)
        };
        let peers_of = |cell| (0..n_cells).filter(move |&other| are_peers(cell, other)).map(|other| other as u16);
        let peers: Vec<u16> = (0..n_cells).flat_map(peers_of).collect();
        Self {
            shape,
            all: (1 << side) - 1,
            node_limit: u64::MAX,
            nodes: 0,
            units: (0..3).flat_map(cells_of).collect(),
            n_peers: peers.len() / n_cells,
            peers,
            units_of,
            candidates: Vec::with_capacity(n_cells),
            n_open: 0,
            // A cell is restricted at most N - 1 times in a row.
            trail: Vec::with_capacity(n_cells * side),
            guesses: Vec::with_capacity(n_cells),
            singles: Vec::with_capacity(n_cells),
            changed: [0; 3],
        }
    }

    /// Lets every search make at most so many guesses.
    #[must_use]
    pub fn with_node_limit(mut self, nodes: u64) -> Self {
        self.node_limit = nodes;
        self
    }

    /// Guesses made by the last search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Number of solutions of a board, counted up to `limit`.
    ///
    /// # Errors
    /// If the search reached its limit of nodes.
    ///
    /// # Panics
    /// If the board has another shape.
    pub fn count(&mut self, board: &Board, limit: usize) -> Result<usize, NodeLimit> {
        let mut solutions = 0;
        let mut state = self.load(board);
        while solutions < limit && self.next_solution(state, &mut lowest)? {
            solutions += 1;
            state = Err(Contradiction);
        }
        Ok(solutions)
    }

    /// The first solution of a board (lowest digits tried first), if it has one.
    ///
    /// # Errors
    /// If the search reached its limit of nodes.
    ///
    /// # Panics
    /// If the board has another shape.
    pub fn solve(&mut self, board: &Board) -> Result<Option<Board>, NodeLimit> {
        self.solve_by(board, lowest)
    }

    /// The first solution, where `choose` picks the bit to guess out of a cell's candidates.
    pub(super) fn solve_by(
        &mut self,
        board: &Board,
        mut choose: impl FnMut(u32) -> u32,
    ) -> Result<Option<Board>, NodeLimit> {
        let state = self.load(board);
        Ok(self.next_solution(state, &mut choose)?.then(|| self.solution()))
    }

    /// Whether a board, that has a solution, has one with another digit than `digit` in a free cell.
    pub(super) fn has_other(&mut self, board: &Board, cell: usize, digit: u8) -> Result<bool, NodeLimit> {
        let state = self.load(board).and_then(|()| {
            self.restrict(cell, self.candidates[cell] & !(1 << (digit - 1)))?;
            self.propagate()
        });
        self.next_solution(state, &mut lowest)
    }

    /// Starts anew from a board.
    fn load(&mut self, board: &Board) -> Result<(), Contradiction> {
        assert_eq!(board.shape(), self.shape, "a search is for boards of its shape");
        self.nodes = 0;
        self.trail.clear();
        self.guesses.clear();
        self.singles.clear();
        self.changed = [(1 << self.shape.side()) - 1; 3];
        self.candidates.clear();
        self.candidates.resize(self.shape.n_cells(), self.all);
        self.n_open = self.shape.n_cells();
        for (cell, &digit) in board.cells().iter().enumerate().filter(|&(_, &digit)| digit != 0) {
            self.restrict(cell, 1 << (digit - 1))?;
        }
        self.propagate()
    }

    /// Goes on to the next solution. `state` tells whether the present candidates are still possible; a contradiction leads
    /// back to the last guess, and so past a solution already found.
    fn next_solution(
        &mut self,
        mut state: Result<(), Contradiction>,
        choose: &mut impl FnMut(u32) -> u32,
    ) -> Result<bool, NodeLimit> {
        loop {
            if state.is_ok() {
                if self.n_open == 0 {
                    return Ok(true);
                }
                if self.nodes == self.node_limit {
                    return Err(NodeLimit { nodes: self.nodes });
                }
                self.nodes += 1;
                let cell = self.narrowest();
                let guess = choose(self.candidates[cell]);
                let others = self.candidates[cell] & !guess;
                self.guesses.push(Guess { cell, others, trail_len: self.trail.len() });
                state = self.restrict(cell, guess).and_then(|()| self.propagate());
            } else {
                let Some(guess) = self.guesses.pop() else { return Ok(false) };
                self.undo(guess.trail_len);
                state = self.restrict(guess.cell, guess.others).and_then(|()| self.propagate());
            }
        }
    }

    /// The open cell with the fewest candidates, the first among equals.
    fn narrowest(&self) -> usize {
        let (mut narrowest, mut fewest) = (0, u32::MAX);
        for (cell, &candidates) in self.candidates.iter().enumerate() {
            let rest = candidates & candidates.wrapping_sub(1);
            if rest == 0 {
                continue;
            }
            // Two candidates cannot be beaten; and counting bits is the dear part.
            if rest.is_power_of_two() {
                return cell;
            }
            let count = candidates.count_ones();
            if count < fewest {
                (narrowest, fewest) = (cell, count);
            }
        }
        narrowest
    }

    /// Takes naked and hidden singles until there are none.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(single) = self.singles.pop() {
                let single = usize::from(single);
                let digit = self.candidates[single];
                for at in single * self.n_peers..(single + 1) * self.n_peers {
                    let peer = usize::from(self.peers[at]);
                    let candidates = self.candidates[peer];
                    if candidates & digit != 0 {
                        self.restrict(peer, candidates & !digit)?;
                    }
                }
            }
            let Some(family) = self.changed.iter().position(|&units| units != 0) else { return Ok(()) };
            let unit = self.changed[family].trailing_zeros() as usize;
            self.changed[family] &= self.changed[family] - 1;
            self.take_hidden_singles(family * self.shape.side() + unit)?;
        }
    }

    /// Restricts every cell of a unit that alone can hold some digit to that digit.
    fn take_hidden_singles(&mut self, unit: usize) -> Result<(), Contradiction> {
        let side = self.shape.side();
        let (mut once, mut twice) = (0, 0);
        for &cell in &self.units[unit * side..(unit + 1) * side] {
            let candidates = self.candidates[usize::from(cell)];
            twice |= once & candidates;
            once |= candidates;
        }
        if once != self.all {
            return Err(Contradiction);
        }
        let hidden = once & !twice;
        for at in unit * side..(unit + 1) * side {
            let cell = usize::from(self.units[at]);
            let candidates = self.candidates[cell];
            let here = candidates & hidden;
            if here != 0 && here != candidates {
                if !here.is_power_of_two() {
                    return Err(Contradiction);
                }
                self.restrict(cell, here)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn restrict(&mut self, cell: usize, candidates: u32) -> Result<(), Contradiction> {
        if candidates == 0 {
            return Err(Contradiction);
        }
        self.trail.push((cell as u16, self.candidates[cell]));
        if candidates.is_power_of_two() && !self.candidates[cell].is_power_of_two() {
            self.n_open -= 1;
            self.singles.push(cell as u16);
        }
        self.candidates[cell] = candidates;
        for (changed, &unit) in self.changed.iter_mut().zip(&self.units_of[cell]) {
            *changed |= 1 << unit;
        }
        Ok(())
    }

    fn undo(&mut self, trail_len: usize) {
        self.singles.clear();
        self.changed = [0; 3];
        for (cell, before) in self.trail.drain(trail_len..).rev() {
            let candidates = &mut self.candidates[usize::from(cell)];
            self.n_open += usize::from(candidates.is_power_of_two() && !before.is_power_of_two());
            *candidates = before;
        }
    }

    fn solution(&self) -> Board {
        let cells = self.candidates.iter().map(|digit| digit.trailing_zeros() as u8 + 1).collect();
        Board::new(self.shape, cells).expect("a solution has no digit twice")
    }
}

/// The lowest of a cell's candidates.
fn lowest(candidates: u32) -> u32 {
    candidates & candidates.wrapping_neg()
}

#[cfg(test)]
mod tests;

//! Worked examples: what a paper prints of a board or an operator, worked again.

mod read;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::operator::{Crossover, Parents};
use evogrid_core::population::Population;
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::exact::sanity;
use evogrid_core::sudoku::{Board, FitnessKind, Representation, Shape, Sudoku, exact, logic};
use evogrid_results::claim::{Finding, Verdict};

pub(super) use read::read;

/// Random streams that are tried before a crossover with random cuts counts as unable to make some children.
const STREAMS: u64 = 10_000;

/// Guesses after which no solution is looked for any more: those of printed boards are found within thousands.
const GUESSES: u64 = 1_000_000;

/// An example, with what was printed. Boards are texts of digits; cells and boxes count from 0.
pub enum Example {
    /// The fitness of a full board.
    Fitness {
        /// Its digits.
        board: String,
        /// Which fitness.
        fitness: FitnessKind,
        /// What was printed.
        published: i64,
    },
    /// How many others each cell of a box of a full board collides with, row by row.
    Collisions {
        /// The board's digits.
        board: String,
        /// The box.
        of_box: usize,
        /// What was printed.
        published: Vec<i64>,
    },
    /// The digits that fit into a cell.
    Candidates {
        /// The board.
        board: Board,
        /// Row and column.
        cell: [usize; 2],
        /// What was printed.
        published: Vec<i64>,
    },
    /// How many cells can be filled one after the other because one digit alone fits.
    Forced {
        /// The board.
        board: Board,
        /// What was printed.
        published: i64,
    },
    /// The solution of a board.
    Solution {
        /// The board.
        board: Board,
        /// What was printed, or the beginning of it.
        published: String,
    },
    /// The box of a cell, and the corner of a box, on a board of side 9.
    BoxAndCorner {
        /// Row and column.
        cell: [usize; 2],
        /// Its box, as printed.
        published_box: usize,
        /// A box.
        corner_of: usize,
        /// Row and column of its upper left cell, as printed.
        published_corner: [usize; 2],
    },
    /// What a check before any search says of a board.
    Sanity {
        /// The board's digits, 0 where it is free.
        board: String,
        /// Words that the check's answer holds.
        published: String,
    },
    /// The children of some parents.
    Children {
        /// The crossover.
        crossover: Box<dyn Crossover>,
        /// Its name, as the file writes it.
        called: String,
        /// How the genes lie.
        layout: Layout,
        /// The parents' genomes.
        parents: Vec<Vec<Allele>>,
        /// The printed children's genomes.
        children: Vec<Vec<Allele>>,
    },
}

impl Example {
    /// Works it.
    #[must_use]
    pub fn finding(&self) -> Finding {
        match self {
            Self::Fitness { board, fitness, published } => {
                let (sudoku, genome) = full(board, *fitness);
                compared(&published.to_string(), &sudoku.fitness(&genome).to_string())
            }
            Self::Collisions { board, of_box, published } => {
                let (sudoku, genome) = full(board, FitnessKind::Collisions);
                let mut conflicts = vec![0; genome.len()];
                sudoku.conflicts(&genome, &mut conflicts);
                let side = sudoku.shape().side();
                let ours = conflicts[of_box * side..(of_box + 1) * side].iter().map(|&count| i64::from(count));
                compared(&listed(published), &listed(&ours.collect::<Vec<_>>()))
            }
            Self::Candidates { board, cell, published } => {
                let side = board.shape().side();
                let candidates = board.candidates()[cell[0] * side + cell[1]];
                let ours: Vec<i64> =
                    (1..=side).filter(|digit| candidates & (1 << (digit - 1)) != 0).map(|digit| digit as i64).collect();
                compared(&listed(published), &listed(&ours))
            }
            Self::Forced { board, published } => {
                let ours = logic::propagate_naked(board).map_or(0, |filled| filled.steps.len());
                compared(&published.to_string(), &ours.to_string())
            }
            Self::Solution { board, published } => {
                let ours = match exact::Search::new(board.shape()).with_node_limit(GUESSES).solve(board) {
                    Ok(solution) => solution.map(|board| board.to_string()).unwrap_or_default(),
                    Err(limit) => limit.to_string(),
                };
                compared(published, &ours.chars().take(published.chars().count()).collect::<String>())
            }
            Self::BoxAndCorner { cell, published_box, corner_of, published_corner } => {
                let shape = Shape::square_for(9).expect("9 is a square");
                let corner = shape.corner(*corner_of);
                compared(
                    &format!("box {published_box}, corner ({}, {})", published_corner[0], published_corner[1]),
                    &format!("box {}, corner ({}, {})", shape.box_of(cell[0], cell[1]), corner.0, corner.1),
                )
            }
            Self::Sanity { board, published } => {
                let cells: Vec<u8> = digits(board).iter().map(|&digit| digit as u8).collect();
                let shape = Shape::square_for(9).expect("9 is a square");
                let said = sanity::check(&Sudoku::structure(shape), &cells);
                let ours = said.err().map_or_else(|| "nothing is wrong".to_owned(), |wrong| wrong.to_string());
                let verdict = if ours.contains(published.as_str()) { Verdict::Holds } else { Verdict::DoesNotHold };
                finding(verdict, published, &ours)
            }
            Self::Children { crossover, called, layout, parents, children } => {
                let made = can_make(crossover.as_ref(), layout, parents, children);
                let n_made = made.iter().filter(|&&made| made).count();
                let verdict = if n_made == children.len() { Verdict::Holds } else { Verdict::DoesNotHold };
                let which = made.iter().enumerate().filter(|&(_, &made)| made);
                let which = which.map(|(at, _)| (at + 1).to_string()).collect::<Vec<_>>().join(", ");
                let ours = match n_made {
                    0 => format!("{called} makes none of them"),
                    n if n == children.len() => format!("{called} makes all {n}"),
                    n => format!("{called} makes {n} of {} (number {which})", children.len()),
                };
                finding(verdict, &format!("{} children", children.len()), &ours)
            }
        }
    }
}

/// For each printed child, whether it is made: all from one stream where there is such a stream, else one by one.
fn can_make(
    crossover: &dyn Crossover,
    layout: &Layout,
    parents: &[Vec<Allele>],
    children: &[Vec<Allele>],
) -> Vec<bool> {
    let n_positions = parents[0].len();
    let mut population = Population::with_capacity(n_positions, parents.len());
    for parent in parents {
        population.cradle(1).copy_from_slice(parent);
        population.admit(0.into());
    }
    let chosen: Vec<usize> = (0..parents.len()).collect();
    let (mut made, mut scratch) = (vec![0; n_positions * parents.len()], Vec::new());
    let mut best = vec![false; children.len()];
    for seed in 0..STREAMS {
        let mut random = RandomStream::from_seed(seed);
        crossover.cross(layout, Parents::new(&population, &chosen), &mut made, &mut scratch, &mut random);
        let found: Vec<bool> =
            children.iter().map(|child| made.chunks_exact(n_positions).any(|made| made == &child[..])).collect();
        let count = |found: &[bool]| found.iter().filter(|&&found| found).count();
        if count(&found) > count(&best) {
            best = found;
        }
        if best.iter().all(|&found| found) {
            break;
        }
    }
    best
}

/// A full board, which may be wrong, as a genome of boxes.
fn full(board: &str, fitness: FitnessKind) -> (Sudoku, Vec<Allele>) {
    let shape = Shape::square_for(9).expect("9 is a square");
    let sudoku = Sudoku::new(&Board::empty(shape), Representation::Boxes, fitness);
    (sudoku, genome_of_board(shape, board))
}

/// The digits of a board in the order of a genome of boxes.
fn genome_of_board(shape: Shape, board: &str) -> Vec<Allele> {
    let digits = digits(board);
    (0..shape.n_cells()).map(|position| digits[Representation::Boxes.cell(shape, position)].saturating_sub(1)).collect()
}

/// The digits of a text; 0 for any sign of a free cell. Spaces are passed over.
fn digits(text: &str) -> Vec<u16> {
    let signs = text.chars().filter(|sign| !sign.is_whitespace());
    signs.map(|sign| sign.to_digit(10).unwrap_or(0) as u16).collect()
}

fn listed(numbers: &[i64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn compared(published: &str, ours: &str) -> Finding {
    finding(if published == ours { Verdict::Holds } else { Verdict::DoesNotHold }, published, ours)
}

fn finding(verdict: Verdict, published: &str, ours: &str) -> Finding {
    Finding {
        verdict,
        published: published.to_owned(),
        ours: ours.to_owned(),
        published_runs: None,
        runs: 0,
        reasons: Vec::new(),
        grids: Vec::new(),
    }
}

/// Builds the crossover that settings name, as the genetic algorithm would.
fn crossover(catalogue: &Catalogue, settings: &evogrid_core::settings::Settings) -> Box<dyn Crossover> {
    catalogue.crossovers.build(settings.table("crossover"), catalogue)
}

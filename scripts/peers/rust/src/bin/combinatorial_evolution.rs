//! Combinatorial evolution as McCaffrey's article prints it, ported plainly (MIT or Apache-2.0, as the project): nested vectors, every
//! organism a copy, every evaluation of the whole board. `combinatorial_evolution EPOCHS SEED`; a solved board begins anew.

use evogrid_peers::{BOARD, argument, cpu_seconds, print};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const ORGANISMS: usize = 200;
const WORKERS: usize = 180;
const MAX_AGE: u32 = 1000;
const MAX_EPOCHS: u64 = 5000;
const MISTAKE: f64 = 0.001;

type Matrix = Vec<Vec<i32>>;

#[derive(Clone)]
struct Organism {
    matrix: Matrix,
    error: i32,
    age: u32,
}

struct Solver {
    problem: Matrix,
    random: Xoshiro256PlusPlus,
    counted: u64,
}

/// The cells of a box.
fn cells(block: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..9).map(move |cell| (block / 3 * 3 + cell / 3, block % 3 * 3 + cell % 3))
}

impl Solver {
    fn random_matrix(&mut self) -> Matrix {
        let mut matrix = self.problem.clone();
        for block in 0..9 {
            let given: Vec<i32> = cells(block).map(|(row, column)| self.problem[row][column]).collect();
            let mut digits: Vec<i32> = (1..=9).filter(|digit| !given.contains(digit)).collect();
            digits.shuffle(&mut self.random);
            for (row, column) in cells(block).filter(|&(row, column)| self.problem[row][column] == 0) {
                matrix[row][column] = digits.pop().expect("a digit for each free cell");
            }
        }
        matrix
    }

    fn neighbour(&mut self, matrix: &Matrix) -> Matrix {
        let mut changed = matrix.clone();
        let block = self.random.random_range(0..9);
        let free: Vec<(usize, usize)> = cells(block).filter(|&(row, column)| self.problem[row][column] == 0).collect();
        let first = self.random.random_range(0..free.len());
        let second = (first + self.random.random_range(1..free.len())) % free.len();
        let ((row, column), (other_row, other_column)) = (free[first], free[second]);
        changed[row][column] = matrix[other_row][other_column];
        changed[other_row][other_column] = matrix[row][column];
        changed
    }

    /// Digits missing in rows and columns.
    fn error(&mut self, matrix: &Matrix) -> i32 {
        self.counted += 1;
        let mut error = 0;
        for line in 0..9 {
            let (mut in_row, mut in_column) = (vec![0; 9], vec![0; 9]);
            for cell in 0..9 {
                in_row[matrix[line][cell] as usize - 1] += 1;
                in_column[matrix[cell][line] as usize - 1] += 1;
            }
            error += in_row.iter().chain(&in_column).filter(|&&count| count == 0).count() as i32;
        }
        error
    }

    fn organism(&mut self, matrix: Matrix) -> Organism {
        let error = self.error(&matrix);
        Organism { matrix, error, age: 0 }
    }

    fn random_organism(&mut self) -> Organism {
        let matrix = self.random_matrix();
        self.organism(matrix)
    }

    fn epoch(&mut self, population: &mut [Organism]) {
        for organism in &mut population[..WORKERS] {
            let matrix = self.neighbour(&organism.matrix);
            let error = self.error(&matrix);
            if error < organism.error || self.random.random::<f64>() < MISTAKE {
                organism.matrix = matrix;
                organism.error = error;
                continue;
            }
            organism.age += 1;
            if organism.age > MAX_AGE {
                *organism = self.random_organism();
            }
        }
        for organism in &mut population[WORKERS..] {
            *organism = self.random_organism();
        }
        let (workers, explorers) = population.split_at(WORKERS);
        let mut merged = workers.iter().min_by_key(|organism| organism.error).expect("workers").matrix.clone();
        let best_explorer = explorers.iter().min_by_key(|organism| organism.error).expect("explorers");
        let worst = (0..WORKERS).max_by_key(|&worker| workers[worker].error).expect("workers");
        for block in 0..9 {
            if self.random.random::<f64>() < 0.5 {
                cells(block).for_each(|(row, column)| merged[row][column] = best_explorer.matrix[row][column]);
            }
        }
        population[worst] = self.organism(merged);
    }
}

fn main() {
    let (epochs, seed): (u64, u64) = (argument(1), argument(2));
    let digits: Vec<i32> = BOARD.bytes().map(|digit| i32::from(digit - b'0')).collect();
    let random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut solver = Solver { problem: digits.chunks(9).map(<[i32]>::to_vec).collect(), random, counted: 0 };
    let (mut done, mut asked, mut best) = (0, 0, i32::MAX);
    let start = cpu_seconds();
    while done < epochs {
        let mut population: Vec<Organism> = (0..ORGANISMS).map(|_| solver.random_organism()).collect();
        asked += ORGANISMS as u64;
        for _ in 0..MAX_EPOCHS.min(epochs - done) {
            solver.epoch(&mut population);
            (done, asked) = (done + 1, asked + ORGANISMS as u64 + 1);
            best = best.min(population.iter().map(|organism| organism.error).min().expect("organisms"));
            if population.iter().any(|organism| organism.error == 0) {
                break;
            }
        }
    }
    print(solver.counted, cpu_seconds() - start, asked, solver.counted, best);
}

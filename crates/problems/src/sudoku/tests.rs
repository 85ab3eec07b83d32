//! The fitnesses held to printed figures and to plain implementations that share no code with the kernels.

use proptest::prelude::*;

use super::*;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::problem::{ConflictCount, Problem};
use evogrid_core::random::RandomStream;

/// The board whose fitness Huke prints ("Fitnessberechnung").
const HUKE: &str = "963219246527835713184647859421549195675362863983178724871986435345452278296173691";

/// Every usual shape, and some that only the tables know.
const SHAPES: [(usize, usize); 9] = [(2, 2), (2, 3), (3, 3), (4, 4), (5, 5), (2, 4), (3, 2), (1, 5), (5, 1)];

/// The genome of cells that may break rows and columns.
fn genome_of(cells: &[u8], shape: Shape, representation: Representation) -> Vec<Allele> {
    (0..cells.len()).map(|position| Allele::from(cells[representation.cell(shape, position)] - 1)).collect()
}

/// All lines of the two families that the genes leave open, as lists of the genome's positions.
fn open_lines(shape: Shape, representation: Representation) -> Vec<Vec<usize>> {
    let side = shape.side();
    let mut lines = vec![Vec::new(); 2 * side];
    for position in 0..shape.n_cells() {
        let cell = representation.cell(shape, position);
        let (row, col) = (cell / side, cell % side);
        let in_box = (row / shape.box_rows()) * (side / shape.box_cols()) + col / shape.box_cols();
        let (first, second) = if representation == Representation::Boxes { (row, col) } else { (col, in_box) };
        lines[first].push(position);
        lines[side + second].push(position);
    }
    lines
}

fn plain_conflicts(genome: &[Allele], lines: &[Vec<usize>]) -> Vec<u32> {
    let conflicts = |position: usize| {
        let own = lines.iter().filter(|line| line.contains(&position));
        own.flatten().filter(|&&other| other != position && genome[other] == genome[position]).count() as u32
    };
    (0..genome.len()).map(conflicts).collect()
}

fn plain_missing(genome: &[Allele], side: usize, lines: &[Vec<usize>]) -> u32 {
    let is_missing = |line: &[usize], digit: usize| line.iter().all(|&position| usize::from(genome[position]) != digit);
    lines.iter().map(|line| (0..side).filter(|&digit| is_missing(line, digit)).count() as u32).sum()
}

fn plain_sum_product(genome: &[Allele], side: usize, lines: &[Vec<usize>]) -> f64 {
    let digits = |line: &[usize]| line.iter().map(|&position| i128::from(genome[position]) + 1).collect::<Vec<_>>();
    let (target_sum, target_product) = ((1..=side as i128).sum::<i128>(), (1..=side as i128).product::<i128>());
    let sums: i128 = lines.iter().map(|line| (digits(line).iter().sum::<i128>() - target_sum).abs()).sum();
    let roots = lines.iter().map(|line| ((digits(line).iter().product::<i128>() - target_product).abs() as f64).sqrt());
    10.0 * sums as f64 + roots.sum::<f64>() + 50.0 * f64::from(plain_missing(genome, side, lines))
}

#[test]
fn hukes_board_scores_what_he_prints() {
    let shape = Shape::square_for(9).unwrap();
    let cells: Vec<u8> = HUKE.bytes().map(|digit| digit - b'0').collect();
    let genome = genome_of(&cells, shape, Representation::Boxes);
    let board = Board::empty(shape);
    let problem = |kind| Sudoku::new(&board, Representation::Boxes, kind);
    assert_eq!(problem(FitnessKind::Collisions).fitness(&genome), Fitness::from(86));
    assert_eq!(problem(FitnessKind::Missing).fitness(&genome), Fitness::from(42));
    let lines = open_lines(shape, Representation::Boxes);
    let plain = plain_conflicts(&genome, &lines);
    assert_eq!(plain.iter().sum::<u32>(), 86);
    assert_eq!(plain_missing(&genome, 9, &lines), 42);
    let mut conflicts = vec![0; 81];
    problem(FitnessKind::Collisions).count(&genome, &mut conflicts);
    assert_eq!(conflicts[..9], [2, 1, 1, 1, 1, 1, 0, 2, 1]);
    assert_eq!(problem(FitnessKind::Missing).describe(&genome), HUKE);
}

#[test]
fn all_rows_alike_is_the_worst_board_of_every_shape() {
    for (box_rows, box_cols) in SHAPES {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let side = shape.side();
        let genome: Vec<Allele> = (0..shape.n_cells()).map(|position| (position % side) as Allele).collect();
        let problem = Sudoku::new(&Board::empty(shape), Representation::Rows, FitnessKind::Collisions);
        let expected = plain_conflicts(&genome, &open_lines(shape, Representation::Rows)).iter().sum::<u32>();
        assert_eq!(problem.fitness(&genome), Fitness::from(expected), "{shape}");
    }
}

#[test]
fn solved_boards_score_nothing_in_every_fitness() {
    for (box_rows, box_cols) in SHAPES {
        let shape = Shape::new(box_rows, box_cols).unwrap();
        let solved = generate::full_board(shape, &mut RandomStream::from_seed(7));
        for (&(_, representation), &(name, kind)) in
            Representation::CHOICES.iter().flat_map(|one| FitnessKind::CHOICES.iter().map(move |other| (one, other)))
        {
            let problem = Sudoku::new(&solved, representation, kind);
            let genome = problem.genome_of(&solved);
            assert_eq!(Some(problem.fitness(&genome)), problem.target(), "{shape}, {name}, {representation:?}");
            let mut conflicts = vec![9; genome.len()];
            problem.count(&genome, &mut conflicts);
            assert!(conflicts.iter().all(|&count| count == 0) && problem.layout().is_valid(&genome));
            assert_eq!(problem.describe(&genome), solved.to_string());
        }
    }
}

#[test]
fn a_text_that_is_no_genome_is_refused_with_the_reason() {
    let board: Board = "1...|....|....|...2".parse().unwrap();
    let wrong = |representation, text: &str| {
        Sudoku::new(&board, representation, FitnessKind::Missing).read(text).expect_err("it is wrong")
    };
    let boxes = |text: &str| wrong(Representation::Boxes, text);
    assert_eq!(boxes("1234"), "the text has 4 cells, but the board has 16");
    assert_eq!(boxes(&"1".repeat(100_000)), "the text has 626 cells, but the board has 16");
    assert_eq!(boxes("12.4341221434312"), "row 1, column 3 is free");
    assert_eq!(boxes("1254341221434312"), "row 1, column 3: 5 is too large");
    assert_eq!(boxes("2134341221434312"), "row 1, column 1: the given digit is 1, but the solution has 2");
    assert_eq!(boxes("1234341221434313"), "row 4, column 4: the given digit is 2, but the solution has 3");
    assert_eq!(
        boxes("1234123412341342"),
        "box 1 does not contain 3; if each box is a gene, every box must contain all digits"
    );
    assert_eq!(
        wrong(Representation::Rows, "1233341221434312"),
        "row 1 does not contain 4; if each row is a gene, every row must contain all digits"
    );
    assert!(boxes("?").starts_with("unexpected `?` at line 1, column 1"));
}

proptest! {
    #[test]
    fn what_is_described_is_read_back_and_what_is_to_be_solved_restored(seed: u64, givens: u64) {
        for (box_rows, box_cols) in SHAPES {
            let shape = Shape::new(box_rows, box_cols).unwrap();
            let mut random = RandomStream::from_seed(seed);
            let mut cells = generate::full_board(shape, &mut random).cells().to_vec();
            cells.iter_mut().enumerate().filter(|(cell, _)| givens >> (cell % 64) & 1 == 0).for_each(|(_, digit)| *digit = 0);
            let board = Board::new(shape, cells).unwrap();
            for &(_, representation) in Representation::CHOICES {
                let problem = Sudoku::new(&board, representation, FitnessKind::Missing);
                let mut genome = vec![0; shape.n_cells()];
                problem.randomise(&mut genome, &mut random);
                let text = problem.describe(&genome);
                prop_assert_eq!(problem.read(&text), Ok(genome.clone()));
                let rows: Vec<&str> = text.as_bytes().chunks(shape.side()).map(|row| std::str::from_utf8(row).unwrap()).collect();
                prop_assert_eq!(problem.read(&rows.join("\n")), Ok(genome));
                prop_assert_eq!(problem.content(), Some(format!("{shape} {board}")));
            }
        }
    }

    #[test]
    fn reading_a_genome_never_panics(text in "\\PC{0,40}|[.0-9A-Pa-p| \n]{16,17}|[1-4]{16}") {
        let problem = |board: &Board| Sudoku::new(board, Representation::Boxes, FitnessKind::Missing);
        let problem = problem(&Board::empty(Shape::square_for(4).unwrap()));
        if let Ok(genome) = problem.read(&text) {
            prop_assert!(problem.layout().is_valid(&genome));
        }
    }

    #[test]
    fn kernels_agree_with_plain_implementations(seed: u64) {
        for (box_rows, box_cols) in SHAPES {
            let shape = Shape::new(box_rows, box_cols).unwrap();
            for &(_, representation) in Representation::CHOICES {
                let lines = open_lines(shape, representation);
                let problem = |kind| Sudoku::new(&Board::empty(shape), representation, kind);
                let mut genome = vec![0; shape.n_cells()];
                problem(FitnessKind::Missing).randomise(&mut genome, &mut RandomStream::from_seed(seed));
                let expected = plain_conflicts(&genome, &lines);
                let mut conflicts = vec![0; genome.len()];
                problem(FitnessKind::Collisions).count(&genome, &mut conflicts);
                prop_assert_eq!(&conflicts, &expected);
                let fitness = |kind| problem(kind).fitness(&genome).value();
                prop_assert_eq!(fitness(FitnessKind::Collisions), f64::from(expected.iter().sum::<u32>()));
                prop_assert_eq!(fitness(FitnessKind::Missing), f64::from(plain_missing(&genome, shape.side(), &lines)));
                let sum_product = plain_sum_product(&genome, shape.side(), &lines);
                prop_assert!((fitness(FitnessKind::SumProduct) - sum_product).abs() <= 1e-9 * sum_product);
            }
        }
    }
}

//! The crossovers that Huke printed, cell for cell. ("Evolutionäre Verfahren: Sudoku", TU Ilmenau, slides "2-Punkt-Crossover"
//! and "Diagonales-Crossover".)
//!
//! His children are exactly what his parents give. Yet two of the parents are no boards that his own algorithm could hold,
//! and every child that inherits the box shows the same:
//!
//! * `SECOND`, row 3, column 6 is a 6, so that the second box holds two sixes and no eight. The 6 in row 3, column 4 is given
//!   in the board that he solves: the misprint is in column 6, where 8 belongs.
//! * `SECOND` and `THIRD`, row 6, column 3 is a 6; the board that he solves has 3 given there. Both boxes are permutations
//!   nevertheless: no misprint, it seems, but a given that was shuffled along with the rest.

use evogrid::core::layout::{Allele, Layout};
use evogrid::core::operator::{Crossover, Parents};
use evogrid::core::population::Population;
use evogrid::core::random::RandomStream;
use evogrid::operators::crossover::{WholeGenes, deal_segments};
use evogrid::operators::crossover::diagonal::{Cuts, Diagonal};

/// The board to be solved; 0 where it is free.
const GIVEN: &str = "060209000 000030010 100600009 420500090 005302860 083100024 870906035 340050270 206073001";

const FIRST: &str = "963219246 527835713 184647859 421549195 675362863 983178724 871986435 345452278 296173691";
const SECOND: &str = "269219234 735735617 148646859 421576195 395342863 786198724 871946835 345258279 296173461";
const THIRD: &str = "567219285 928735413 143684769 429589197 715342863 386176524 871986935 349451278 256273461";

#[test]
fn the_printed_two_point_crossover_exchanges_the_fourth_to_the_sixth_box() {
    let children = [
        "963219246 527835713 184647859 421576195 395342863 786198724 871986435 345452278 296173691",
        "269219234 735735617 148646859 421549195 675362863 983178724 871946835 345258279 296173461",
    ];
    let mut crossed = [0; 2 * 81];
    deal_segments(9, &[&genome(FIRST), &genome(SECOND)], &[3, 6], &mut crossed);
    assert_eq!(boards(&crossed), children);
}

#[test]
fn the_printed_diagonal_crossover_cuts_three_parents_at_the_bands_of_boxes() {
    let children = [
        "963219246 527835713 184647859 421576195 395342863 786198724 871986935 349451278 256273461",
        "269219234 735735617 148646859 429589197 715342863 386176524 871986435 345452278 296173691",
        "567219285 928735413 143684769 421549195 675362863 983178724 871946835 345258279 296173461",
    ];
    let mut population = Population::with_capacity(81, 3);
    for board in [FIRST, SECOND, THIRD] {
        population.candidates(1).copy_from_slice(&genome(board));
        population.admit(0.into());
    }
    let mut crossed = [0; 3 * 81];
    let layout = Layout::new(9, &[None; 81]).unwrap().in_grid(3);
    let parents = Parents::new(&population, &[0, 1, 2]);
    let crossover = WholeGenes(Diagonal { n_parents: 3, cuts: Cuts::Even });
    crossover.cross(&layout, parents, &mut crossed, &mut Vec::new(), &mut RandomStream::from_seed(0));
    assert_eq!(boards(&crossed), children);
}

#[test]
fn the_printed_parents_are_valid_but_for_the_cells_named_above() {
    let mut faults = Vec::new();
    for (name, board) in [("first", FIRST), ("second", SECOND), ("third", THIRD)] {
        for (number, gene) in genome(board).chunks_exact(9).enumerate() {
            if (0..9).any(|allele| !gene.contains(&allele)) {
                faults.push(format!("{name}: box {} is no permutation", number + 1));
            }
        }
        let (rows, given) = (digits(board), digits(GIVEN));
        for cell in (0..81).filter(|&cell| given[cell] != 0 && given[cell] != rows[cell]) {
            faults.push(format!("{name}: row {}, column {} is given otherwise", cell / 9 + 1, cell % 9 + 1));
        }
    }
    assert_eq!(
        faults,
        [
            "second: box 2 is no permutation",
            "second: row 6, column 3 is given otherwise",
            "third: row 6, column 3 is given otherwise",
        ]
    );
    let corrected = genome(&SECOND.replace("148646859", "148648859"));
    assert!(Layout::new(9, &[None; 81]).unwrap().is_valid(&corrected));
}

fn digits(board: &str) -> Vec<u8> {
    board.bytes().filter(|&byte| byte != b' ').map(|byte| byte - b'0').collect()
}

/// The board's rows as boxes, one gene each, alleles from 0.
fn genome(board: &str) -> Vec<Allele> {
    let rows = digits(board);
    (0..81).map(|position| Allele::from(rows[cell(position)]) - 1).collect()
}

/// The boards of some genomes, as rows.
fn boards(genomes: &[Allele]) -> Vec<String> {
    let board = |genome: &[Allele]| {
        let mut rows = [0; 81];
        for (position, &allele) in genome.iter().enumerate() {
            rows[cell(position)] = b'1' + allele as u8;
        }
        rows.chunks_exact(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join(" ")
    };
    genomes.chunks_exact(81).map(board).collect()
}

/// Where position `p` of a genome lies on the board, its cells counted row by row.
fn cell(position: usize) -> usize {
    let (number, inside) = (position / 9, position % 9);
    (number / 3 * 3 + inside / 3) * 9 + number % 3 * 3 + inside % 3
}

//! The parts of worked examples: boards and rows as printed, and the results of an operator on them.

use evogrid_core::prelude::*;

use crate::sudoku::{Board, Representation, Shape};

/// The number of random streams that are tried before an operator counts as unable to produce a result.
pub(super) const N_STREAMS: u64 = 10_000;

/// The example with this name, compared with this result.
pub(super) fn example(id: &str, ours: String) -> WorkedExample {
    WorkedExample::printed(include_str!("printed.txt"), id, ours)
}

/// The example of a crossover, given by its name and settings, that should produce the printed children: all from one random stream if
/// possible, otherwise one by one. If the crossover is not registered, it produces none.
pub(super) fn children(
    id: &str,
    (operators, name, settings): (&Operators, &str, &[(&str, Value)]),
    layout: &Layout,
    parents: &[Vec<Allele>],
    children: &[Vec<Allele>],
) -> WorkedExample {
    let mut crossover = Settings::new();
    crossover.set("kind", Value::Text(name.to_owned()));
    settings.iter().for_each(|(name, value)| crossover.set(*name, value.clone()));
    let made = match operators.crossovers.find(name) {
        Some(member) => {
            let crossover = (member.build)(&crossover, operators).expect("settings of the document");
            let population =
                Population::from_individuals(layout.genome_len(), parents.iter().map(|parent| (parent, 0.into())));
            let chosen: Vec<usize> = (0..parents.len()).collect();
            let mut genomes = vec![0; layout.genome_len() * parents.len()];
            best_of_streams(children.len(), |random| {
                let parents = Parents::new(&population, &chosen);
                crossover.cross(layout, parents, &mut genomes, &mut Vec::new(), random);
                let is_made = |child: &Vec<Allele>| genomes.chunks_exact(child.len()).any(|made| made == &child[..]);
                children.iter().map(is_made).collect()
            })
        }
        None => vec![false; children.len()],
    };
    made_of(id, name, &made)
}

/// The example of an operator that should produce some printed results, of which it produces these.
pub(super) fn made_of(id: &str, operator: &str, made: &[bool]) -> WorkedExample {
    let numbers: Vec<String> =
        (1..).zip(made).filter(|(_, made)| **made).map(|(at, _): (usize, _)| at.to_string()).collect();
    let ours = match numbers.len() {
        0 => format!("{operator} makes none of them"),
        n if n == made.len() => format!("{operator} makes all {n}"),
        n => format!("{operator} makes {n} of {} (number {})", made.len(), numbers.join(", ")),
    };
    WorkedExample { agrees: numbers.len() == made.len(), ..example(id, ours) }
}

/// Which of `n` children are made by the random stream that makes most of them.
fn best_of_streams(n: usize, mut made_by: impl FnMut(&mut RandomStream) -> Vec<bool>) -> Vec<bool> {
    let count = |made: &[bool]| made.iter().filter(|&&made| made).count();
    let mut best = vec![false; n];
    for seed in 0..N_STREAMS {
        let made = made_by(&mut RandomStream::from_seed(seed));
        if count(&made) > count(&best) {
            best = made;
        }
        if count(&best) == n {
            break;
        }
    }
    best
}

pub(super) fn nine() -> Shape {
    Shape::square_for(9).expect("9 is a square")
}

/// The digits that are possible in a cell of a board.
pub(super) fn candidates(board: &Board, cell: usize) -> String {
    let candidates = board.candidates()[cell];
    let fits = |digit: &usize| candidates & (1 << (digit - 1)) != 0;
    (1..=board.shape().side()).filter(fits).map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ")
}

/// A full board, which may contain errors, as a genome of boxes.
pub(super) fn genome(board: &str) -> Vec<Allele> {
    by_boxes(board).into_iter().map(|digit| digit - 1).collect()
}

/// The digits of a board, box by box.
pub(super) fn by_boxes(board: &str) -> Vec<u16> {
    let (shape, digits) = (nine(), digits(board));
    (0..shape.n_cells()).map(|position| digits[Representation::Boxes.cell(shape, position)]).collect()
}

/// The digits of a text, 0 for a free cell. Spaces are ignored.
pub(super) fn digits(text: &str) -> Vec<u16> {
    text.chars().filter_map(|sign| sign.to_digit(10)).map(|digit| digit as u16).collect()
}

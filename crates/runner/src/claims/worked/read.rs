//! Reading worked examples from a file of claims.

use evogrid_core::catalogue::Catalogue;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::settings::{Settings, Value};
use evogrid_core::sudoku::{Board, FitnessKind, Shape};

use super::super::read::need;
use super::{Example, crossover, digits, genome_of_board};
use crate::document::{Span, Table};
use crate::spec::fields::Reader;

/// The examples, with their own keys, all of which are needed but for `givens`.
const EXAMPLES: [(&str, &[&str]); 8] = [
    ("fitness", &["board", "fitness", "published"]),
    ("collisions", &["board", "box", "published"]),
    ("candidates", &["board", "cell", "published"]),
    ("forced", &["board", "published"]),
    ("solution", &["board", "published"]),
    ("box-and-corner", &["cell", "published_box", "corner_of", "published_corner"]),
    ("sanity", &["board", "published"]),
    ("children", &["crossover", "parents", "children"]),
];

/// Reads an example; `common` are the keys that every claim may have.
pub(in super::super) fn read<'d>(
    reader: &mut Reader<'d>,
    span: &Span,
    table: &'d Table,
    common: &[&str],
    catalogue: &Catalogue,
) -> Option<Example> {
    need(reader, span, table, &["example"])?;
    let name = reader.text(table, "example")?;
    let keys = reader.choice(table, "example", &EXAMPLES)?;
    let more: &[&str] = if name == "children" { &["example", "givens"] } else { &["example"] };
    reader.known(table, &format!("an example of `{name}`"), &[common, more, keys].concat());
    need(reader, span, table, keys)?;
    Some(match name {
        "fitness" => {
            let names: Vec<(&str, FitnessKind)> = FitnessKind::NAMES.into();
            let fitness = reader.choice(table, "fitness", &names)?;
            Example::Fitness { board: full(reader, table)?, fitness, published: integer(reader, table, "published")? }
        }
        "collisions" => {
            let of_box = reader.whole(table, "box", 0, 8)? as usize;
            Example::Collisions {
                board: full(reader, table)?,
                of_box,
                published: integers(reader, table, "published")?,
            }
        }
        "candidates" => {
            let board = board(reader, table)?;
            let cell = place(reader, table, "cell", board.shape().side())?;
            Example::Candidates { board, cell, published: integers(reader, table, "published")? }
        }
        "forced" => Example::Forced { board: board(reader, table)?, published: integer(reader, table, "published")? },
        "solution" => {
            Example::Solution { board: board(reader, table)?, published: reader.text(table, "published")?.to_owned() }
        }
        "box-and-corner" => Example::BoxAndCorner {
            cell: place(reader, table, "cell", 9)?,
            published_box: reader.whole(table, "published_box", 0, 8)? as usize,
            corner_of: reader.whole(table, "corner_of", 0, 8)? as usize,
            published_corner: place(reader, table, "published_corner", 9)?,
        },
        "sanity" => {
            Example::Sanity { board: full(reader, table)?, published: reader.text(table, "published")?.to_owned() }
        }
        _ => read_children(reader, table, catalogue)?,
    })
}

fn read_children<'d>(reader: &mut Reader<'d>, table: &'d Table, catalogue: &Catalogue) -> Option<Example> {
    let entry = table.get("crossover")?;
    let mut raw = Settings::new();
    for (key, value) in [("kind", "genetic"), ("selection", "truncation"), ("mutation", "swap-random")] {
        raw.set(key, Value::Text(value.to_owned()));
    }
    raw.set_at("budget.generations", Value::Integer(1));
    raw.set("crossover", reader.value("crossover", &entry.node)?);
    let settings = match catalogue.resolve(&raw, &[]) {
        Ok(settings) => settings,
        Err(faults) => {
            for fault in faults {
                reader.fault(&entry.node.span, fault.message, fault.expected);
            }
            return None;
        }
    };
    let crossover = crossover(catalogue, &settings);
    let parents: Vec<Vec<u16>> = reader.texts(table, "parents")?.iter().map(|(text, _)| digits(text)).collect();
    let children: Vec<Vec<u16>> = reader.texts(table, "children")?.iter().map(|(text, _)| digits(text)).collect();
    let n_cells = parents.first().map_or(0, Vec::len);
    let is_fine = |genome: &Vec<u16>| genome.len() == n_cells && genome.iter().all(|&digit| (1..=9).contains(&digit));
    let givens = reader.text(table, "givens").map_or_else(|| vec![0; n_cells], digits);
    if ![9, 81].contains(&n_cells) || !parents.iter().chain(&children).all(is_fine) || givens.len() != n_cells {
        let help = "expected texts of 9 digits (a gene) or of 81 (a board), all alike; `givens` too, 0 where free";
        reader.fault(&table.get("parents")?.node.span, "these are no parents and children", help);
        return None;
    }
    if parents.len() != crossover.n_parents() {
        let message = format!("the crossover takes {} parents, and there are {}", crossover.n_parents(), parents.len());
        reader.fault(&table.get("parents")?.node.span, message, "expected as many as it takes");
        return None;
    }
    let arranged = |digits: &[u16]| -> Vec<Allele> {
        if n_cells == 9 {
            return digits.iter().map(|&digit| digit.saturating_sub(1)).collect();
        }
        let text: String = digits.iter().map(ToString::to_string).collect();
        genome_of_board(Shape::square_for(9).expect("9 is a square"), &text)
    };
    let is_given = arranged(&givens.iter().map(|&digit| if digit == 0 { 1 } else { 2 }).collect::<Vec<_>>());
    let values = arranged(&givens);
    let locked: Vec<Option<Allele>> =
        is_given.iter().zip(values).map(|(&given, value)| (given == 1).then_some(value)).collect();
    let layout = match Layout::new(9, &locked) {
        Ok(layout) if n_cells == 81 => layout.in_grid(3),
        Ok(layout) => layout,
        Err(error) => {
            reader.fault(
                &table.get("givens")?.node.span,
                error.to_string(),
                "expected digits that differ in each gene",
            );
            return None;
        }
    };
    let genomes =
        |digits: Vec<Vec<u16>>| -> Vec<Vec<Allele>> { digits.iter().map(|digits| arranged(digits)).collect() };
    let (parents, children) = (genomes(parents), genomes(children));
    // The children are what was printed, right or wrong. A parent may be misprinted only where nobody looks into its genes.
    let wrong = parents.iter().position(|parent| !layout.is_valid(parent));
    if let Some(wrong) = wrong.filter(|_| !crossover.hands_on_whole_genes()) {
        let help =
            "expected every digit once in a gene (a row of 9, or a box of a board), and the `givens` in their places";
        reader.fault(&table.get("parents")?.node.span, format!("parent {} is none", wrong + 1), help);
        return None;
    }
    let settings = settings.table("crossover");
    let called = settings.name("kind").to_owned();
    Some(Example::Children { crossover, called, layout, parents, children })
}

/// A board that may be solved.
fn board<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Option<Board> {
    let text = reader.text(table, "board")?;
    match Board::parse(text, None) {
        Ok(board) => Some(board),
        Err(error) => {
            reader.fault(&table.get("board")?.node.span, error.to_string(), "expected a board");
            None
        }
    }
}

/// 81 digits, whatever they hold.
fn full<'d>(reader: &mut Reader<'d>, table: &'d Table) -> Option<String> {
    let text = reader.text(table, "board")?;
    if digits(text).len() == 81 {
        return Some(text.to_owned());
    }
    let message = format!("a board of {} cells", digits(text).len());
    reader.fault(&table.get("board")?.node.span, message, "expected 81 digits; spaces between them are passed over");
    None
}

fn integer<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Option<i64> {
    reader.whole(table, key, 0, 1_000_000).map(|number| number as i64)
}

fn integers<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str) -> Option<Vec<i64>> {
    Some(reader.list_of_numbers(table, key)?.into_iter().map(|number| number as i64).collect())
}

/// Row and column of a cell on a board of this side.
fn place<'d>(reader: &mut Reader<'d>, table: &'d Table, key: &str, side: usize) -> Option<[usize; 2]> {
    let [row, column] = reader.numbers(table, key)?;
    let span = &table.get(key)?.node.span;
    if [row, column].iter().all(|&at| at >= 0.0 && at < side as f64) {
        return Some([row as usize, column as usize]);
    }
    let help = format!("expected [row, column], both from 0 to {}", side - 1);
    reader.fault(span, format!("`{key}` is no cell"), help);
    None
}

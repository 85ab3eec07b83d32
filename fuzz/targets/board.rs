//! Boards as `runner solve` and `runner rate` take them: a file in any format, with or without the shape of its boxes.
//!
//! A first line such as `--box 2x3` is that option. Every accepted board is read back from each way to write it, and what logic
//! makes of it keeps its givens.
#![no_main]

use evogrid_core::family::{Instance, Marks, Options, Room};
use evogrid_fuzz::{CATALOGUE, assert_harmless, check_or_refuse};
use evogrid_problems::sudoku::{Board, Shape, independent_check, logic};
use evogrid_runner::experiment::data_set::NamedInstance;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::document::read_from;
use evogrid_runner::experiment::instance_file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check_or_refuse(read(bytes), |boards| {
        assert!(!boards.is_empty());
        boards.iter().for_each(check);
    });
});

fn read(bytes: &[u8]) -> Result<Vec<NamedInstance>, Diagnostics> {
    let text = read_from("boards.txt", bytes, 1 << 20)?;
    let option = text.strip_prefix("--box ").and_then(|rest| rest.split_once('\n'));
    let (shape, boards) = option.unwrap_or(("", &text));
    let options = match shape.parse::<Shape>() {
        Ok(shape) => Options::from([("box".to_owned(), shape.to_string())]),
        Err(_) => Options::new(),
    };
    let family = CATALOGUE.families().next().expect("a family");
    instance_file::parse("boards.txt", boards, family, &options)
}

fn check(named: &NamedInstance) {
    assert_harmless(&named.id);
    assert_harmless(&named.bucket);
    let options = named.instance.options();
    let shape = options.get("box").map(|shape| shape.parse().expect("a shape"));
    let board = &Board::parse(&named.instance.text(), shape).expect("its own text");
    let shape = Some(board.shape());
    assert_eq!(Board::parse(&board.to_string(), shape).as_ref(), Ok(board));
    let grid = board.draw(None, Marks::None, Room::UNBOUNDED).join("\n");
    assert_eq!(Board::parse(&grid, shape).as_ref(), Ok(board));

    for (columns, rows) in [(usize::MAX, usize::MAX), (20, 9), (3, 2), (0, 0)] {
        for marks in [Marks::None, Marks::Beside] {
            let room = Room { columns, rows };
            board.draw(None, marks, room).iter().for_each(|line| assert_harmless(line));
        }
    }
    check_or_refuse(logic::propagate(board), |found| {
        assert!(board.cells().iter().zip(found.cells()).all(|(&given, &cell)| given == 0 || given == cell));
        let is_solved = independent_check::digits_missing(&board.content(), &found.to_string()) == Ok(0);
        assert_eq!(is_solved, found.solves(board));
    });
}

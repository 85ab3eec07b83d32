//! `runner generate`: boards with one solution, by bucket or by number of givens.

use crate::test_folder::{Report, TestFolder};

fn generate(arguments: &[&str]) -> Report {
    TestFolder::empty().report(&[&["generate"], arguments].concat())
}

fn made(arguments: &[&str]) -> Vec<String> {
    let (status, boards, said) = generate(arguments);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{boards}");
    boards.lines().map(str::to_owned).collect()
}

#[test]
fn each_number_of_a_range_is_a_bucket_of_its_own() {
    let lines = made(&["--givens", "34-36", "--each", "--count", "2", "--seed", "2016"]);
    let row = |line: &String| {
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        (fields[0].clone(), fields[1].clone(), fields[2].bytes().filter(u8::is_ascii_digit).count())
    };
    assert_eq!(lines[0], "id,bucket,puzzle");
    let rows: Vec<(String, String, usize)> = lines[1..].iter().map(row).collect();
    let expected = [("34", "g34-01"), ("34", "g34-02"), ("35", "g35-01"), ("35", "g35-02"), ("36", "g36-01")];
    for ((bucket, id), row) in expected.into_iter().zip(&rows) {
        assert_eq!(row, &(id.to_owned(), bucket.to_owned(), bucket.parse().expect("a number")));
    }
    assert_eq!(rows.len(), 6);
    // A wider or narrower range, and a longer series, hold the same boards.
    let alone = made(&["--givens", "35", "--each", "--count", "3", "--seed", "2016"]);
    assert_eq!(alone[1..3], lines[3..5]);
}

#[test]
fn numbers_below_ten_are_written_with_two_digits_and_walked_boards_say_so() {
    let lines = made(&["--size", "6", "--box", "2x3", "--givens", "8-12", "--each", "--count", "2", "--seed", "2016"]);
    assert_eq!(lines[0], "id,bucket,puzzle,box,made");
    assert!(lines[1].starts_with("g08-01,08,") && lines[1].ends_with(",2x3,dug"), "{}", lines[1]);
    assert!(lines[2].starts_with("g08-02,08,") && lines[2].ends_with(",2x3,walked"), "{}", lines[2]);
    assert!(lines[9].starts_with("g12-01,12,") && lines[9].ends_with(",2x3,dug"), "{}", lines[9]);
}

#[test]
fn a_range_is_one_bucket_unless_each_is_asked_for() {
    let lines = made(&["--givens", "34-36", "--count", "1", "--seed", "2016"]);
    assert!(lines.len() == 2 && lines[1].starts_with("givens-34-36-01,givens-34-36,"), "{lines:?}");
}

#[test]
fn impossible_ranges_are_refused() {
    let refused = |givens: &str| {
        let (status, boards, said) = generate(&["--givens", givens, "--each", "--seed", "1"]);
        assert_eq!((status, boards.as_str()), (Some(2), ""), "{givens}");
        said
    };
    insta::assert_snapshot!(refused("30-28"), @"error: the range from 30 to 28 givens is empty");
    insta::assert_snapshot!(refused("16-20"), @"error: a board with boxes of 3x3 and 16 givens cannot have a unique solution: expected 17 to 81 givens");
    insta::assert_snapshot!(refused("20-99999999999999"), @"error: a board with boxes of 3x3 and 99999999999999 givens cannot have a unique solution: expected 17 to 81 givens");
    insta::assert_snapshot!(refused("x"), @"error: --givens x: expected a number or a range, for example 28 or 28-30");
    for unreadable in [["--bucket", "hard", "--each"].as_slice(), &["--each"]] {
        let (status, _, said) = generate(&[unreadable, &["--seed", "1"]].concat());
        assert!(status == Some(2) && said.contains("--each"), "{said}");
    }
}

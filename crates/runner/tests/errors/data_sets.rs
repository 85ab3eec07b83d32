//! What is wrong with data sets.

use super::case::{BOARDS, Case};

#[test]
fn an_empty_data_set_is_refused() {
    let message = Case::new().boards("").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv is empty
      expected the columns `id`, `puzzle` and, if there are buckets, `bucket`
    ");
}

#[test]
fn a_data_set_with_a_header_only_is_refused() {
    let message = Case::new().boards("id,bucket,puzzle\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:1:1: no instance follows the first line
       |
     1 | id,bucket,puzzle
       | ^^^^^^^^^^^^^^^^
      expected a row for each instance
    ");
}

#[test]
fn a_missing_column_is_named() {
    let message = Case::new().boards("id,bucket\none,easy\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:1:1: there is no column `puzzle`
       |
     1 | id,bucket
       | ^^^^^^^^^
      expected `id`, `puzzle` and, if there are buckets, `bucket` in the first line;
      found `id` and `bucket`
    ");
}

#[test]
fn a_misspelt_column_names_the_nearest() {
    let message = Case::new().boards("ID,bukket,puzzle\none,easy,12..34..........\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:1:1: unknown column `ID`
       |
     1 | ID,bukket,puzzle
       | ^^
      did you mean `id`?

    error: boards.csv:1:4: unknown column `bukket`
       |
     1 | ID,bukket,puzzle
       |    ^^^^^^
      did you mean `bucket`?

    2 errors
    ");
}

#[test]
fn a_column_twice_is_refused() {
    let message = Case::new().boards("id,puzzle,puzzle\none,12..34..........,12..34..........\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:1:11: the column `puzzle` stands twice
       |
     1 | id,puzzle,puzzle
       |           ^^^^^^
      leave one out
    ");
}

#[test]
fn a_wrong_number_of_cells_is_refused() {
    let message = Case::new().boards("id,puzzle\none,12..34.........\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: 15 cells make no board
       |
     2 | one,12..34.........
       |     ^^^^^^^^^^^^^^^
      expected the square of its side, such as 16, 36, 81, 256 or 625
    ");
}

#[test]
fn a_digit_twice_in_a_row_is_refused() {
    let message = Case::new().boards("id,puzzle\none,1..1............\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     2 | one,1..1............
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn a_digit_twice_in_a_column_is_refused() {
    let message = Case::new().boards("id,puzzle\none,1...........1...\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: digit 1 stands twice in column 1: in row 1, column 1 and in row 4, column 1
       |
     2 | one,1...........1...
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn a_digit_twice_in_a_box_is_refused() {
    let message = Case::new().boards("id,puzzle\none,1....1..........\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: digit 1 stands twice in box 1: in row 1, column 1 and in row 2, column 2
       |
     2 | one,1....1..........
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn an_invalid_character_is_refused() {
    let message = Case::new().boards("id,puzzle\none,12?.............\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: unexpected `?` at line 1, column 3
       |
     2 | one,12?.............
       |     ^^^^^^^^^^^^^^^^
      expected a digit, a letter from 10 on, or `.` for a free cell
    ");
}

#[test]
fn a_digit_too_large_is_refused() {
    let message = Case::new().boards("id,puzzle\none,12.5............\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: digit 5 in row 1, column 4 is too large for a board of side 4
       |
     2 | one,12.5............
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn a_board_of_side_6_needs_its_box() {
    let message = Case::new().boards(&format!("id,puzzle\none,{}\n", ".".repeat(36))).refused();
    insta::assert_snapshot!(message, @r#"
    error: boards.csv:2:5: `one`: a board of side 6 needs the shape of its boxes, rows x columns, as in `box = "2x3"`
       |
     2 | one,....................................
       |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      mend the row, or take it out
    "#);
}

#[test]
fn a_box_of_a_row_that_does_not_fit_is_refused() {
    let message = Case::new().boards("id,puzzle,box\none,12..34..........,2x3\ntwo,12..34..........,2y3\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: 16 cells do not fit boxes of 2x3
       |
     2 | one,12..34..........,2x3
       |     ^^^^^^^^^^^^^^^^
      expected 36 cells

    error: boards.csv:3:22: `two`: box `2y3`: `2y3` is no box shape
       |
     3 | two,12..34..........,2y3
       |                      ^^^
      expected rows x columns, as in `2x3`

    2 errors
    ");
}

#[test]
fn an_id_twice_in_a_data_set_is_refused() {
    let message = Case::new().boards("puzzle,id\n12..34..........,1\n\n1...............,1\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:4:18: the id `1` stands on line 2 too
       |
     4 | 1...............,1
       |                  ^
      every instance has an id of its own
    ");
}

#[test]
fn an_empty_id_is_refused() {
    let message = Case::new().boards("id,puzzle\n,12..34..........\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:1: the id is empty
       |
     2 | ,12..34..........
       | ^
      every instance has an id, which stands in the results
    ");
}

#[test]
fn a_row_with_too_few_fields_is_refused() {
    let message = Case::new().boards("id,bucket,puzzle\none\ntwo,hard,1...............,more\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:1: the row has 1 field
       |
     2 | one
       | ^^^
      expected 3 as in the first line

    error: boards.csv:3:1: the row has 4 fields
       |
     3 | two,hard,1...............,more
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected 3 as in the first line

    2 errors
    ");
}

#[test]
fn an_unclosed_quote_is_named_as_the_likely_cause() {
    let message = Case::new().boards("id,puzzle\n\"one,12..34..........\ntwo,1...............\n").refused();
    insta::assert_snapshot!(message, @r#"
    error: boards.csv:2:1: the row has 1 field
       |
     2 | "one,12..34..........
       | ^^^^^^^^^^^^^^^^^^^^^
      expected 2 as in the first line; a quote that is opened must be closed
    "#);
}

#[test]
fn many_errors_of_a_data_set_are_counted() {
    let message = Case::new()
        .boards(&format!("id,puzzle\n{}", (0..30).map(|at| format!("b{at},1..1............\n")).collect::<String>()))
        .refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv has 20 more errors
      its first 10 are shown

    error: boards.csv:2:4: `b0`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     2 | b0,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:3:4: `b1`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     3 | b1,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:4:4: `b2`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     4 | b2,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:5:4: `b3`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     5 | b3,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:6:4: `b4`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     6 | b4,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:7:4: `b5`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     7 | b5,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:8:4: `b6`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     8 | b6,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:9:4: `b7`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     9 | b7,1..1............
       |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:10:4: `b8`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
        |
     10 | b8,1..1............
        |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    error: boards.csv:11:4: `b9`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
        |
     11 | b9,1..1............
        |    ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    11 errors
    ");
}

#[test]
fn escape_sequences_of_a_data_set_do_not_reach_the_terminal() {
    let message =
        Case::new().boards("id,puzzle\none,\u{1b}]0;owned\u{7}\u{1b}[2J\ntwo\u{1b}[31m,1...............\n").refused();
    insta::assert_snapshot!(message, @r"
    error: boards.csv:2:5: `one`: unexpected `\u{1b}` at line 1, column 1
       |
     2 | one,�]0;owned��[2J
       |     ^^^^^^^^^^^^^^
      expected a digit, a letter from 10 on, or `.` for a free cell

    error: boards.csv:3:1: the id cannot be printed
       |
     3 | two�[31m,1...............
       | ^^^^^^^^
      every instance has an id, which stands in the results

    2 errors
    ");
}

#[test]
fn an_over_long_line_is_cut_around_the_place() {
    let message =
        Case::new().boards(&format!("id,puzzle,note\none,1..1............,{}\n", "x".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:5: `one`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     2 | one,1..1............,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn a_field_of_a_hundred_thousand_characters_is_cut_short() {
    let message = Case::new()
        .boards(&format!("id,puzzle\n{},1...............\n{0},1...............\n", "x".repeat(100_000)))
        .refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:3:1: the id `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ... xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` stands on line 2 too
       |
     3 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      every instance has an id of its own
    ");
}

#[test]
fn an_error_after_crlf_line_ends_is_in_its_line_and_column() {
    let message = Case::new().boards("id,puzzle\r\none,1...............\r\ntwo,1..1............\r\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:3:5: `two`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 4
       |
     3 | two,1..1............
       |     ^^^^^^^^^^^^^^^^
      mend the row, or take it out
    ");
}

#[test]
fn a_data_set_with_a_mark_and_crlf_is_accepted() {
    Case::new().boards(&format!("\u{feff}{}", BOARDS.replace('\n', "\r\n"))).accepted();
}

#[test]
fn a_data_set_that_is_not_utf_8_shows_where() {
    let message =
        Case::new().file("boards.csv", b"id,puzzle\none,12..34..........\ntw\xf6,1...............\n").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:3:3: byte 0xf6 is not UTF-8
       |
     3 | tw�,1...............
       |   ^
      save the file as UTF-8
    ");
}

#[test]
fn a_data_set_in_utf_16_is_refused() {
    let message = Case::new().file("boards.csv", b"\xff\xfei\0d\0").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv is UTF-16
      save it as UTF-8
    ");
}

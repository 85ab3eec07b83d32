//! What is wrong with the tables that name data sets.

use super::case::{BOARDS, Case};

#[test]
fn a_data_set_that_does_not_exist_names_the_file_beside_it() {
    let message = Case::new().with("boards.csv", "board.csv").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:8:8: board.csv does not exist
       |
     8 | path = "board.csv"
       |        ^^^^^^^^^^^
      did you mean `boards.csv`?; it is relative to this file
    "#);
}

#[test]
fn a_directory_is_no_data_set() {
    let message = Case::new().with("boards.csv", "folder").file("folder/boards.csv", BOARDS).refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:8:8: folder is a directory
       |
     8 | path = "folder"
       |        ^^^^^^^^
      expected a file in it
    "#);
}

#[test]
fn a_misspelt_problem_hides_no_missing_file() {
    let message = Case::new().with("boards.csv", "nothing").with("\"sudoku\"", "\"tour\"").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:7:11: unknown problem `tour`
       |
     7 | problem = "tour"
       |           ^^^^^^
      expected ...

    error: demo.toml:8:8: nothing does not exist
       |
     8 | path = "nothing"
       |        ^^^^^^^^^
      check the path; it is relative to this file

    2 errors
    "#);
}

#[test]
fn a_data_set_without_problem_and_path_is_told_both() {
    let message = Case::new().with("problem = \"sudoku\"\npath = \"boards.csv\"\n", "limit = 0\n").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:6:1: the data set has no `problem`
       |
     6 | [[instances]]
       | ^^^^^^^^^^^^^
      every data set has a `problem` and a `path`

    error: demo.toml:6:1: the data set has no `path`
       |
     6 | [[instances]]
       | ^^^^^^^^^^^^^
      every data set has a `problem` and a `path`

    error: demo.toml:7:9: `limit = 0` is out of range
       |
     7 | limit = 0
       |         ^
      expected a whole number from 1

    3 errors
    ");
}

#[test]
fn a_misspelt_bucket_names_the_nearest_and_hides_no_other() {
    let message = Case::new().data_set("buckets = [\"Easyy\", \"unheard-of\"]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:12: the data set has no bucket `Easyy`
       |
     9 | buckets = ["Easyy", "unheard-of"]
       |            ^^^^^^^
      expected `easy` or `hard`; did you mean `easy`?

    error: demo.toml:9:21: the data set has no bucket `unheard-of`
       |
     9 | buckets = ["Easyy", "unheard-of"]
       |                     ^^^^^^^^^^^^
      expected `easy` or `hard`

    2 errors
    "#);
}

#[test]
fn a_misspelt_id_names_the_nearest() {
    let message = Case::new().data_set("ids = [\"tow\", 2]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:8: the data set has no id `tow`
       |
     9 | ids = ["tow", 2]
       |        ^^^^^
      expected `one` or `two`; did you mean `two`?

    error: demo.toml:9:15: an entry of `ids` is a whole number
       |
     9 | ids = ["tow", 2]
       |               ^
      expected text in quotes

    2 errors
    "#);
}

#[test]
fn a_filter_that_is_no_list_is_refused() {
    let message = Case::new().data_set("buckets = \"easy\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:11: `buckets` is text
       |
     9 | buckets = "easy"
       |           ^^^^^^
      expected a list of names, as in ["one", "two"]
    "#);
}

#[test]
fn a_filter_on_buckets_needs_the_column() {
    let message = Case::new().data_set("buckets = [\"easy\"]").boards("id,puzzle\none,12..34..........\n").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:1: boards.csv has no column `bucket`
       |
     9 | buckets = ["easy"]
       | ^^^^^^^
      leave the filter out, or add the column
    "#);
}

#[test]
fn filters_that_leave_nothing_are_refused() {
    let message = Case::new().data_set("buckets = [\"easy\"]\nids = [\"two\"]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:8:8: boards.csv has no instance left to run
       |
     8 | path = "boards.csv"
       |        ^^^^^^^^^^^^
      no row passes `buckets` and `ids` together
    "#);
}

#[test]
fn a_box_that_is_none_is_said_once_where_it_stands() {
    let message = Case::new().data_set("box = \"2y3\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:7: box `2y3`: `2y3` is no box shape
       |
     9 | box = "2y3"
       |       ^^^^^
      expected rows x columns, as in `2x3`
    "#);
}

#[test]
fn a_box_that_fits_no_board_is_refused_for_each() {
    let message = Case::new().data_set("box = \"2x3\"").refused();
    insta::assert_snapshot!(message, @"
    error: boards.csv:2:10: `one`: 16 cells do not fit boxes of 2x3
       |
     2 | one,easy,12..34..........
       |          ^^^^^^^^^^^^^^^^
      expected 36 cells

    error: boards.csv:3:10: `two`: 16 cells do not fit boxes of 2x3
       |
     3 | two,hard,1..............4
       |          ^^^^^^^^^^^^^^^^
      expected 36 cells

    2 errors
    ");
}

#[test]
fn an_id_in_two_data_sets_is_refused() {
    let message = Case::new().data_set("\n[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:12:8: the id `one` stands in an earlier data set too, and so does 1 more
        |
     12 | path = "boards.csv"
        |        ^^^^^^^^^^^^
      every instance of an experiment has an id of its own; `ids` and `buckets`
      choose some of a data set
    "#);
}

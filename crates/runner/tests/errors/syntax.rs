//! What is wrong with an experiment as a text.

use super::case::{Case, EXPERIMENT};

#[test]
fn an_unclosed_string_is_shown_in_its_line() {
    let message = Case::new().with("name = \"demo\"", "name = \"demo").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:2:13: not valid TOML: invalid basic string
       |
     2 | name = "demo
       |             ^
      expected `"`
    "#);
}

#[test]
fn a_duplicate_key_is_refused() {
    let message = Case::new().with("seed = 1", "seed = 1\nseed = 2").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:4:1: not valid TOML: a key that stands twice
       |
     4 | seed = 2
       | ^^^^
      leave one out
    ");
}

#[test]
fn a_duplicate_table_is_refused() {
    let message = Case::new().with("[budget]", "[experiment]\n[budget]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:17:2: not valid TOML: a key that stands twice
        |
     17 | [experiment]
        |  ^^^^^^^^^^
      leave one out
    ");
}

#[test]
fn a_key_without_a_value_is_refused() {
    let message = Case::new().with("seed = 1", "seed =").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:3:7: not valid TOML: no value
       |
     3 | seed =
       |       ^
      expected a value, as in 1, 0.5, true or "text" in quotes
    "#);
}

#[test]
fn a_name_without_quotes_is_refused() {
    let message = Case::new().with("name = \"demo\"", "name = demo").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:2:8: not valid TOML: no value
       |
     2 | name = demo
       |        ^^^^
      expected a value, as in 1, 0.5, true or "text" in quotes
    "#);
}

#[test]
fn an_unclosed_bracket_is_refused() {
    let message = Case::new().with("[budget]", "[budget").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:17:8: not valid TOML: unclosed table
        |
     17 | [budget
        |        ^
      expected `]`
    ");
}

#[test]
fn a_list_without_its_end_is_refused() {
    let message = Case::new().with("[0.5, 1.0]", "[0.5, 1.0").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:17:1: not valid TOML: missing comma between array elements
        |
     17 | [budget]
        | ^
      expected `,`

    error: demo.toml:18:1: not valid TOML: missing comma between array elements
        |
     18 | generations = 3
        | ^
      expected `,`

    2 errors
    ");
}

#[test]
fn two_syntax_errors_are_reported_together() {
    let message =
        Case::new().with("[experiment]\nname = \"demo\"\nseed = 1", "[experiment]\nname = demo\nseed = 1 2").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:2:8: not valid TOML: no value
       |
     2 | name = demo
       |        ^^^^
      expected a value, as in 1, 0.5, true or "text" in quotes
    "#);
}

#[test]
fn a_control_character_in_a_key_does_not_reach_the_terminal() {
    let message = Case::new().with("seed = 1", "seed = 1\n\"\\u001B[2J\\u202Eseed\" = 1").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:4:1: `experiment` has no key `�[2J�seed`
       |
     4 | "\u001B[2J\u202Eseed" = 1
       | ^^^^^^^^^^^^^^^^^^^^^
      expected `name`, `title`, `seed`, `repetitions`, `seeding` or `published`
    "#);
}

#[test]
fn a_raw_escape_in_a_comment_does_not_reach_the_terminal() {
    let message = Case::new().with("seed = 1", "seed = 1 # \u{1b}[2J").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:3:12: not valid TOML: invalid comment character
       |
     3 | seed = 1 # �[2J
       |            ^
      expected printable characters
    ");
}

#[test]
fn an_error_after_tabs_and_letters_of_several_bytes_is_marked_in_its_column() {
    let message = Case::new().with("seed = 1", "title = \"größer – 数\"\n\tseed =\t-1").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:4:9: `seed = -1` is out of range
       |
     4 |  seed = -1
       |         ^^
      expected a whole number from 0
    ");
}

#[test]
fn an_error_after_a_byte_order_mark_is_in_its_line_and_column() {
    let message = Case::new().with("[experiment]", "\u{feff}[experimemt]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:2: an experiment has no key `experimemt`
       |
     1 | [experimemt]
       |  ^^^^^^^^^^
      expected `experiment`, `instances`, `algorithms`, `budget` or `record`; did
      you mean `experiment`?
    ");
}

#[test]
fn an_error_after_crlf_line_ends_is_in_its_line_and_column() {
    let message =
        Case::new().file("demo.toml", EXPERIMENT.replace("seed = 1", "seed = -1").replace('\n', "\r\n")).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:3:8: `seed = -1` is out of range
       |
     3 | seed = -1
       |        ^^
      expected a whole number from 0
    ");
}

#[test]
fn a_byte_order_mark_and_crlf_line_ends_are_accepted() {
    Case::new().file("demo.toml", format!("\u{feff}{}", EXPERIMENT.replace('\n', "\r\n"))).accepted();
}

#[test]
fn an_empty_file_is_told_what_an_experiment_is() {
    let message = Case::new().file("demo.toml", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:1: there is no table `[experiment]`
       |
     1 |
       | ^
      every experiment has a `name`, a `seed` and `repetitions`

    error: demo.toml:1:1: there is no instance
       |
     1 |
       | ^
      expected `[[instances]]` with a `problem` and a `path`

    error: demo.toml:1:1: there is no algorithm
       |
     1 |
       | ^
      expected a table `[algorithms.NAME]` for each algorithm

    3 errors
    ");
}

#[test]
fn an_experiment_that_is_not_utf_8_shows_where() {
    let message = Case::new().file("demo.toml", b"\xef\xbb\xbftitle = \"gr\xf6\xdfer\"\n").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:1:12: byte 0xf6 is not UTF-8
       |
     1 | title = "gr��er"
       |            ^
      save the file as UTF-8
    "#);
}

#[test]
fn an_over_long_line_is_cut_around_the_place() {
    let message = Case::new()
        .setting(&format!("selection = {{ kind = \"sus\", {} fractoin = 1 }}", " ".repeat(50_000)))
        .refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:13:50030: `sus` has no setting `fractoin`
        |
     13 |                                                             fractoin = 1 }
        |                                                             ^^^^^^^^
      expected `fraction` or `scaling`; did you mean `fraction`?
    ");
}

#[test]
fn a_key_of_a_hundred_thousand_characters_is_cut_short() {
    let message = Case::new().with("seed = 1", &format!("seed = 1\n{} = 1", "k".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:4:1: `experiment` has no key `kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk ... kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk`
       |
     4 | kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected `name`, `title`, `seed`, `repetitions`, `seeding` or `published`
    ");
}

#[test]
fn lists_in_lists_in_lists_overflow_no_stack() {
    let message = Case::new().setting(&format!("selection = {}{}", "[".repeat(100_000), "]".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:13:43: this is nested too deep
        |
     13 | selection = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
        |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected at most 32 tables in each other
    ");
}

#[test]
fn tables_in_tables_in_tables_overflow_no_stack() {
    let message =
        Case::new().setting(&format!("selection = {}1{}", "{ a = ".repeat(50_000), " }".repeat(50_000))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:13:193: this is nested too deep
        |
     13 | { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a =
        |                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected at most 32 tables in each other
    ");
}

#[test]
fn a_path_of_a_hundred_thousand_keys_overflows_no_stack() {
    let message = Case::new().setting(&format!("a{} = 1", ".a".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml is not valid TOML: nested too deep
      expected at most 32 tables in each other
    ");
}

#[test]
fn a_path_in_quotes_of_a_hundred_thousand_keys_overflows_no_stack() {
    let message = Case::new().setting(&format!("\"a{}\" = 1", ".a".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:13:1: `a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a ... a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a` names no setting
        |
     13 | "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
        | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected the name of a setting, or names with dots between them
    "#);
}

#[test]
fn tables_nested_deeper_than_any_setting_are_refused() {
    let message = Case::new().setting(&format!("selection = {}1{}", "{ a = ".repeat(40), " }".repeat(40))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:13:193: this is nested too deep
        |
     13 | { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a =
        |                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected at most 32 tables in each other
    ");
}

#[test]
fn a_path_in_quotes_of_an_axis_overflows_no_stack() {
    let message = Case::new().grid(&format!("\"a{}\" = [1]", ".a".repeat(100_000))).refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:1: `a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a ... a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a` names no setting
        |
     15 | "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
        | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected the name of a setting, or names with dots between them
    "#);
}

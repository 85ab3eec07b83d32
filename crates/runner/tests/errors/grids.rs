//! What is wrong with what an algorithm varies.

use super::case::Case;

#[test]
fn a_grid_over_an_unknown_path_names_the_nearest() {
    let message = Case::new().grid("popluation = [1, 2]").refused_listing();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:1: `genetic` has no setting `popluation`
        |
     15 | popluation = [1, 2]
        | ^^^^^^^^^^
      expected ...; did you mean `population`?
    ");
}

#[test]
fn a_grid_over_an_unknown_path_of_an_operator_names_the_nearest() {
    let message = Case::new().grid("\"mutation.othr\" = [0.1, 0.2]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:1: `collision-swap` has no setting `othr`
        |
     15 | "mutation.othr" = [0.1, 0.2]
        | ^^^^^^^^^^^^^^^
      expected `other` or `genes`; did you mean `other`?
    "#);
}

#[test]
fn a_sweep_with_no_values_is_refused() {
    let message = Case::new().grid("population = []").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:14: `population` has no values
        |
     15 | population = []
        |              ^^
      expected at least one
    ");
}

#[test]
fn a_value_twice_in_a_sweep_is_refused() {
    let message = Case::new().grid("mutation_rate = [1, 0.5, 1.0]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:26: the value `1` stands twice in `mutation_rate`
        |
     15 | mutation_rate = [1, 0.5, 1.0]
        |                          ^^^
      leave one out
    ");
}

#[test]
fn a_wrong_value_of_a_sweep_is_marked_itself() {
    let message = Case::new().grid("population = [2016-01-02, 20, 0, \"many\"]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:15: `population` is a date
        |
     15 | population = [2016-01-02, 20, 0, "many"]
        |               ^^^^^^^^^^
      expected a number, a name or a table

    error: demo.toml:15:31: `population = 0` is out of range
        |
     15 | population = [2016-01-02, 20, 0, "many"]
        |                               ^
      expected a whole number from 1 to 10000000

    error: demo.toml:15:34: `population` is text
        |
     15 | population = [2016-01-02, 20, 0, "many"]
        |                                  ^^^^^^
      expected a whole number from 1 to 10000000

    3 errors
    "#);
}

#[test]
fn a_list_in_a_sweep_is_no_value() {
    let message = Case::new().grid("population = [[20], 40]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:15: a value of `population` is a list
        |
     15 | population = [[20], 40]
        |               ^^^^
      expected a number, a name or a table
    ");
}

#[test]
fn a_range_without_an_end_is_refused() {
    let message = Case::new().grid("population = { from = 10, step = 10 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:14: the range of `population` has no `to`
        |
     15 | population = { from = 10, step = 10 }
        |              ^^^^^^^^^^^^^^^^^^^^^^^^
      expected { from, to, step } or { from, to, factor }
    ");
}

#[test]
fn a_range_without_a_step_is_refused() {
    let message = Case::new().grid("population = { from = 10, to = 20 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:14: the range of `population` has no `step` or `factor`
        |
     15 | population = { from = 10, to = 20 }
        |              ^^^^^^^^^^^^^^^^^^^^^^
      expected { from, to, step } or { from, to, factor }
    ");
}

#[test]
fn a_range_with_two_ways_is_refused() {
    let message = Case::new().grid("population = { from = 10, to = 20, step = 1, factor = 2 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:14: the range of `population` has both `step` and `factor`
        |
     15 | population = { from = 10, to = 20, step = 1, factor = 2 }
        |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected { from, to, step } or { from, to, factor }
    ");
}

#[test]
fn a_range_with_a_misspelt_end_is_one_error() {
    let message = Case::new().grid("population = { from = 10, too = 20, step = 1 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:27: a range has no key `too`
        |
     15 | population = { from = 10, too = 20, step = 1 }
        |                           ^^^
      expected `from`, `to`, `step` or `factor`; did you mean `to`?
    ");
}

#[test]
fn a_range_with_a_negative_step_is_refused() {
    let message = Case::new().grid("population = { from = 10, to = 20, step = -5 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:43: `step = -5` leads nowhere
        |
     15 | population = { from = 10, to = 20, step = -5 }
        |                                           ^^
      expected a number above 0
    ");
}

#[test]
fn a_range_that_ends_before_it_begins_is_refused() {
    let message = Case::new().grid("population = { from = 20, to = 10, step = 5 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:32: the range of `population` ends before it begins
        |
     15 | population = { from = 20, to = 10, step = 5 }
        |                                ^^
      expected `from` up to `to`
    ");
}

#[test]
fn a_range_with_a_factor_of_one_is_refused() {
    let message = Case::new().grid("population = { from = 20, to = 40, factor = 1.0 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:45: `factor = 1` leads nowhere
        |
     15 | population = { from = 20, to = 40, factor = 1.0 }
        |                                             ^^^
      expected a number above 1
    ");
}

#[test]
fn a_range_of_over_a_million_values_is_refused() {
    let message = Case::new().grid("mutation_rate = { from = 0.0, to = 1.0, step = 1e-9 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:17: the range of `mutation_rate` has over a million values
        |
     15 | mutation_rate = { from = 0.0, to = 1.0, step = 1e-9 }
        |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected a larger step
    ");
}

#[test]
fn a_range_out_of_range_is_one_error() {
    let message = Case::new().grid("population = { from = -1000, to = 1000, step = 1 }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:14: `population = -1000` is out of range
        |
     15 | population = { from = -1000, to = 1000, step = 1 }
        |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected a whole number from 1 to 10000000
    ");
}

#[test]
fn a_text_in_place_of_a_sweep_is_refused() {
    let message = Case::new().grid("population = \"10..20\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:14: `population` is text
        |
     15 | population = "10..20"
        |              ^^^^^^^^
      expected a list of values, or a range as { from = 0.0, to = 0.5, step = 0.1 }
    "#);
}

#[test]
fn a_sweep_over_misspelt_operators_names_the_nearest() {
    let message =
        Case::new().grid("selection = [\"sus\", { kind = \"truncatoin\", fraction = 0.2 }]").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:30: unknown selection `truncatoin`
        |
     15 | selection = ["sus", { kind = "truncatoin", fraction = 0.2 }]
        |                              ^^^^^^^^^^^^
      expected ...; did you mean `truncation`?
    "#);
}

#[test]
fn a_setting_that_one_of_the_swept_operators_lacks_is_refused() {
    let message =
        Case::new().grid("crossover = [\"diagonal\", \"two-point\"]\n\"crossover.parents\" = [3, 4]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:26: `two-point` has no setting `parents`
        |
     15 | crossover = ["diagonal", "two-point"]
        |                          ^^^^^^^^^^^
      it has no settings
    "#);
}

#[test]
fn a_sweep_over_limits_is_checked_like_them() {
    let message = Case::new().grid("\"budget.generations\" = [10, 0]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:15:29: `budget.generations = 0` is out of range
        |
     15 | "budget.generations" = [10, 0]
        |                             ^
      expected a whole number from 1
    "#);
}

#[test]
fn two_axes_on_one_path_are_refused() {
    let message = Case::new().grid("\"mutation.other\" = [0.1, 0.2]\nmutation.other = [0.3, 0.4]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:16:10: `mutation.other` is varied twice
        |
     16 | mutation.other = [0.3, 0.4]
        |          ^^^^^
      leave one out
    ");
}

#[test]
fn a_grid_that_is_a_list_is_refused() {
    let message = Case::new().with("[algorithms.huke.grid]\nmutation_rate = [0.5, 1.0]", "grid = [1, 2]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:8: `grid` is a list
        |
     14 | grid = [1, 2]
        |        ^^^^^^
      expected a table
    ");
}

#[test]
fn a_zip_of_unequal_length_is_refused() {
    let message = Case::new().beside_grid("zip = { population = [10, 20, 30], crossover_rate = [0.5, 1.0] }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:36: `crossover_rate` has 2 values and `population` 3
        |
     14 | zip = { population = [10, 20, 30], crossover_rate = [0.5, 1.0] }
        |                                    ^^^^^^^^^^^^^^
      settings that move together have equally many values
    ");
}

#[test]
fn a_zip_of_one_setting_is_refused() {
    let message = Case::new().beside_grid("zip = { population = [10, 20] }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:9: only `population` moves here
        |
     14 | zip = { population = [10, 20] }
        |         ^^^^^^^^^^
      expected several settings that move together; one alone belongs in `grid`
    ");
}

#[test]
fn a_zip_and_a_grid_on_one_path_are_refused() {
    let message = Case::new().beside_grid("zip = { mutation_rate = [0.1, 0.2], population = [10, 20] }").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:9: `mutation_rate` is varied twice
        |
     14 | zip = { mutation_rate = [0.1, 0.2], population = [10, 20] }
        |         ^^^^^^^^^^^^^
      leave one out
    ");
}

#[test]
fn a_path_without_quotes_that_begins_with_no_setting_is_refused() {
    let message = Case::new().grid("mutatoin.other = [0.1, 0.2]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:10: `genetic` has no setting `mutatoin`
        |
     15 | mutatoin.other = [0.1, 0.2]
        |          ^^^^^
      expected `population`, `initialisation`, `selection`, `crossover`,
      `crossover_rate`, `mutation`, `mutation_rate`, `mutated`, `accept`,
      `survival`, `representation`, `fitness`, `propagate`, `equivalence` or
      `equivalence_weight`; did you mean `mutation`?
    ");
}

#[test]
fn more_values_than_can_be_checked_are_refused_however_they_are_spread() {
    let wide = |path: &str| format!("{path} = {{ from = 0, to = 1, step = 0.00002 }}\n");
    let message = Case::new().grid(&(wide("mutation_rate") + &wide("crossover_rate"))).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:15:1: over 100000 values are varied
        |
     15 | mutation_rate = { from = 0, to = 1, step = 0.00002 }
        | ^^^^^^^^^^^^^
      split them over several algorithms
    ");
}

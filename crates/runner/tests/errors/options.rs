//! What is wrong with `--set`.

use super::case::Case;

#[test]
fn an_option_without_an_equals_sign_sets_nothing() {
    let message = Case::new().set("population").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `population` sets nothing
       |
     1 | population
       | ^^^^^^^^^^
      expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`
    ");
}

#[test]
fn an_option_without_a_path_sets_nothing() {
    let message = Case::new().set("=5").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `` is no dotted path
       |
     1 | =5
       | ^
      expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`
    ");
}

#[test]
fn an_option_with_an_empty_name_is_no_path() {
    let message = Case::new().set("experiment..seed=5").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `experiment..seed` is no dotted path
       |
     1 | experiment..seed=5
       | ^^^^^^^^^^^^^^^^
      expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`
    ");
}

#[test]
fn an_unknown_path_names_the_nearest() {
    let message = Case::new().set("popluation=5").refused_listing();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `genetic` has no setting `popluation`
       |
     1 | popluation=5
       | ^^^^^^^^^^
      expected ...; did you mean `population`?
    ");
}

#[test]
fn a_misspelt_table_names_the_nearest() {
    let message = Case::new().set("experimnt.seed=5").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: an experiment has no key `experimnt`
       |
     1 | experimnt.seed=5
       | ^^^^^^^^^^^^^^
      expected `experiment`, `instances`, `algorithms`, `budget` or `record`; did
      you mean `experiment`?
    ");
}

#[test]
fn an_unknown_algorithm_names_the_nearest() {
    let message = Case::new().set("algorithms.hukee.population=5").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: there is no algorithm `hukee`
       |
     1 | algorithms.hukee.population=5
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
      did you mean `huke`?
    ");
}

#[test]
fn an_unknown_entry_of_a_list_is_refused() {
    let message = Case::new().set("instances.limit=1").set("instances.1.limit=1").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `limit` is no number of an entry of `instances`
       |
     1 | instances.limit=1
       | ^^^^^^^^^^^^^^^
      expected 0 for its only entry, as in `instances.0`

    error: --set:1:1: `1` is no number of an entry of `instances`
       |
     1 | instances.1.limit=1
       | ^^^^^^^^^^^^^^^^^
      expected 0 for its only entry, as in `instances.0`

    2 errors
    ");
}

#[test]
fn a_bad_value_is_shown_in_the_option() {
    let message = Case::new().set("mutation_rate=1.5").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:15: `mutation_rate = 1.5` is out of range
       |
     1 | mutation_rate=1.5
       |               ^^^
      expected a number from 0 to 1
    ");
}

#[test]
fn a_bad_value_in_a_table_is_marked_in_its_column() {
    let message = Case::new().set("selection={ kind = \"truncation\", fraction = 1.5 }").refused();
    insta::assert_snapshot!(message, @r#"
    error: --set:1:45: `selection.fraction = 1.5` is out of range
       |
     1 | selection={ kind = "truncation", fraction = 1.5 }
       |                                             ^^^
      expected a number from 0 to 1
    "#);
}

#[test]
fn a_value_that_is_no_toml_is_refused() {
    let message = Case::new().set("selection={ kind = \"sus\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: --set:1:11: not valid TOML: unclosed inline table
       |
     1 | selection={ kind = "sus"
       |           ^^^^^^^^^^^^^^
      expected a value of TOML, or a plain name
    "#);
}

#[test]
fn a_huge_number_is_not_taken_for_another() {
    let message = Case::new().set("experiment.seed=99999999999999999999").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:17: `seed` does not fit in 64 bits
       |
     1 | experiment.seed=99999999999999999999
       |                 ^^^^^^^^^^^^^^^^^^^^
      expected a whole number from 0
    ");
}

#[test]
fn an_empty_value_is_no_number() {
    let message = Case::new().set("population=").refused();
    insta::assert_snapshot!(message, @r#"
    error: --set:1:12: `population` is given no value
       |
     1 | population=
       |            ^
      expected a value after the `=`; empty text is ""
    "#);
}

#[test]
fn all_wrong_options_and_the_file_are_reported_together() {
    let message = Case::new()
        .with("repetitions = 1", "repetitions = 0")
        .set("population")
        .set("experiment.seed=x")
        .set("mutation_rate=nan")
        .refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:4:15: `repetitions = 0` is out of range
       |
     4 | repetitions = 0
       |               ^
      expected a whole number from 1 to 1000000000

    error: --set:1:1: `population` sets nothing
       |
     1 | population
       | ^^^^^^^^^^
      expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`

    error: --set:1:15: `mutation_rate` is nan, which is no finite number
       |
     1 | mutation_rate=nan
       |               ^^^
      expected a finite number of 64 bits

    error: --set:1:17: `seed` is text
       |
     1 | experiment.seed=x
       |                 ^
      expected a whole number from 0

    4 errors
    ");
}

#[test]
fn a_setting_that_moves_with_others_is_not_set_without_them() {
    let message = Case::new()
        .beside_grid("zip = { population = [10, 20], crossover_rate = [0.5, 1.0] }")
        .set("population=5")
        .refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `population` moves together with others in a `zip`
       |
     1 | population=5
       | ^^^^^^^^^^
      take it out of the `zip` to set it
    ");
}

#[test]
fn a_path_of_many_keys_overflows_no_stack() {
    let message = Case::new().set(&format!("a{}=1", ".a".repeat(50_000))).refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:1: `a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a ... .a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a` is no dotted path
       |
     1 | a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      expected `--set PATH=VALUE`, as in `--set experiment.repetitions=2`
    ");
}

#[test]
fn an_option_with_an_escape_does_not_reach_the_terminal() {
    let message = Case::new().set("population=\u{1b}[2J").refused();
    insta::assert_snapshot!(message, @"
    error: --set:1:12: `population` is text
       |
     1 | population=�[2J
       |            ^^^^
      expected a whole number from 1 to 10000000
    ");
}

#[test]
fn a_plain_name_needs_no_quotes_and_takes_its_setting_out_of_the_grid() {
    Case::new().grid("selection = [\"sus\"]").set("selection = sus").set("experiment.seed = 3").accepted();
}

#[test]
fn a_limit_stands_over_the_algorithms_own() {
    Case::new().setting("budget = { generations = 0 }").set("budget.generations=2").accepted();
}

//! What is wrong with the settings of an experiment.

use super::case::Case;

#[test]
fn the_base_of_all_cases_is_accepted() {
    Case::new().accepted();
}

#[test]
fn an_unknown_key_of_the_file_names_the_keys() {
    let message = Case::new().with("[budget]", "[bugdet]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:17:2: an experiment has no key `bugdet`
        |
     17 | [bugdet]
        |  ^^^^^^
      expected `experiment`, `instances`, `algorithms`, `budget` or `record`; did
      you mean `budget`?
    ");
}

#[test]
fn an_unknown_key_of_the_experiment_names_the_nearest() {
    let message = Case::new().with("repetitions = 1", "repetitions = 1\nsede = 3").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:5:1: `experiment` has no key `sede`
       |
     5 | sede = 3
       | ^^^^
      expected `name`, `title`, `seed`, `repetitions`, `seeding` or `published`; did
      you mean `seed`?
    ");
}

#[test]
fn an_unknown_key_of_a_data_set_names_the_nearest() {
    let message = Case::new().with("path = \"boards.csv\"", "path = \"boards.csv\"\nbucket = [\"easy\"]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:9:1: a data set has no key `bucket`
       |
     9 | bucket = ["easy"]
       | ^^^^^^
      expected `problem`, `path`, `buckets`, `ids`, `limit` or `box`; did you mean
      `buckets`?
    "#);
}

#[test]
fn an_unknown_key_of_an_algorithm_names_the_nearest() {
    let message = Case::new().with("population = 20", "popluation = 20").refused_listing();
    insta::assert_snapshot!(message, @"
    error: demo.toml:12:1: `genetic` has no setting `popluation`
        |
     12 | popluation = 20
        | ^^^^^^^^^^
      expected ...; did you mean `population`?
    ");
}

#[test]
fn a_misspelt_limit_is_not_taken_for_none() {
    let message = Case::new().with("generations = 3", "generation = 3").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:18:1: `budget` has no setting `generation`
        |
     18 | generation = 3
        | ^^^^^^^^^^
      expected `evaluations`, `generations`, `stagnation`, `seconds`, `restarts` or
      `target`; did you mean `generations`?
    ");
}

#[test]
fn a_wrong_type_names_the_setting_and_the_range() {
    let message = Case::new().with("population = 20", "population = \"many\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:12:14: `population` is text
        |
     12 | population = "many"
        |              ^^^^^^
      expected a whole number from 1 to 10000000
    "#);
}

#[test]
fn a_fraction_is_no_whole_number() {
    let message = Case::new().with("population = 20", "population = 20.5").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:12:14: `population = 20.5` is not a whole number
        |
     12 | population = 20.5
        |              ^^^^
      expected a whole number from 1 to 10000000
    ");
}

#[test]
fn a_seed_in_quotes_is_text() {
    let message = Case::new().with("seed = 1", "seed = \"1\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:3:8: `seed` is text
       |
     3 | seed = "1"
       |        ^^^
      expected a whole number from 0
    "#);
}

#[test]
fn a_population_of_none_is_out_of_range() {
    let message = Case::new().with("population = 20", "population = 0").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:12:14: `population = 0` is out of range
        |
     12 | population = 0
        |              ^
      expected a whole number from 1 to 10000000
    ");
}

#[test]
fn a_negative_seed_is_out_of_range() {
    let message = Case::new().with("seed = 1", "seed = -1").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:3:8: `seed = -1` is out of range
       |
     3 | seed = -1
       |        ^^
      expected a whole number from 0
    ");
}

#[test]
fn no_repetitions_are_out_of_range() {
    let message = Case::new().with("repetitions = 1", "repetitions = 0").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:4:15: `repetitions = 0` is out of range
       |
     4 | repetitions = 0
       |               ^
      expected a whole number from 1 to 1000000000
    ");
}

#[test]
fn a_huge_integer_is_not_cut_short() {
    let message = Case::new().with("seed = 1", "seed = 99999999999999999999").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:3:8: `seed` does not fit in 64 bits
       |
     3 | seed = 99999999999999999999
       |        ^^^^^^^^^^^^^^^^^^^^
      expected a whole number from 0
    ");
}

#[test]
fn nan_and_inf_are_no_values_of_a_setting() {
    let message = Case::new().with("population = 20", "population = nan\ncrossover_rate = -inf").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:12:14: `population` is nan, which is no finite number
        |
     12 | population = nan
        |              ^^^
      expected a finite number of 64 bits

    error: demo.toml:13:18: `crossover_rate` is -inf, which is no finite number
        |
     13 | crossover_rate = -inf
        |                  ^^^^
      expected a finite number of 64 bits

    2 errors
    ");
}

#[test]
fn a_date_is_no_value() {
    let message = Case::new().with("name = \"demo\"", "name = 2016-01-02").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:2:8: `name` is a date
       |
     2 | name = 2016-01-02
       |        ^^^^^^^^^^
      expected text in quotes
    ");
}

#[test]
fn a_misspelt_preset_names_the_nearest() {
    let message = Case::new().with("preset = \"huke\"", "preset = \"hukee\"").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:11:10: unknown preset `hukee`
        |
     11 | preset = "hukee"
        |          ^^^^^^^
      expected ...; did you mean `huke`?
    "#);
}

#[test]
fn a_misspelt_preset_hides_no_other_error_of_the_algorithm() {
    let message =
        Case::new().with("preset = \"huke\"\npopulation = 20", "preset = \"huk\"\npopulation = [20]").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:11:10: unknown preset `huk`
        |
     11 | preset = "huk"
        |          ^^^^^
      expected ...; did you mean `huke`?

    error: demo.toml:12:14: `population` is a list
        |
     12 | population = [20]
        |              ^^^^
      expected one value; several belong in the algorithm's `grid`

    2 errors
    "#);
}

#[test]
fn a_misspelt_problem_names_the_nearest() {
    let message = Case::new().with("problem = \"sudoku\"", "problem = \"soduku\"").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:7:11: unknown problem `soduku`
       |
     7 | problem = "soduku"
       |           ^^^^^^^^
      expected ...; did you mean `sudoku`?
    "#);
}

#[test]
fn a_misspelt_choice_names_the_nearest() {
    let message = Case::new().with("repetitions = 1", "repetitions = 1\nseeding = \"Pared\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:5:11: unknown seeding `Pared`
       |
     5 | seeding = "Pared"
       |           ^^^^^^^
      expected `paired` or `independent`; did you mean `paired`?
    "#);
}

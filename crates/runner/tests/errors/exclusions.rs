//! Combinations of a grid that are left out.

use super::case::Case;

#[test]
fn an_exclusion_of_a_path_that_is_not_varied_is_refused() {
    let message = Case::new().beside_grid("exclude = [{ mutation_rat = 0.5 }, { population = 20 }]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:14: `mutation_rat` is not varied
        |
     14 | exclude = [{ mutation_rat = 0.5 }, { population = 20 }]
        |              ^^^^^^^^^^^^
      only what is varied can be left out: did you mean `mutation_rate`?

    error: demo.toml:14:38: `population` is not varied
        |
     14 | exclude = [{ mutation_rat = 0.5 }, { population = 20 }]
        |                                      ^^^^^^^^^^
      only what is varied can be left out: expected `mutation_rate`

    2 errors
    ");
}

#[test]
fn an_exclusion_of_a_value_that_does_not_occur_is_refused() {
    let message = Case::new().beside_grid("exclude = [{ mutation_rate = 0.7 }]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:30: `mutation_rate` never has the value `0.7`
        |
     14 | exclude = [{ mutation_rate = 0.7 }]
        |                              ^^^
      expected `0.5` or `1`; did you mean `0.5`?
    ");
}

#[test]
fn an_empty_exclusion_is_refused() {
    let message = Case::new().beside_grid("exclude = [{}]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:12: an empty table in `exclude` leaves everything out
        |
     14 | exclude = [{}]
        |            ^^
      name the settings of the combination that is left out
    ");
}

#[test]
fn an_exclusion_of_everything_is_refused() {
    let message = Case::new().beside_grid("exclude = [{ mutation_rate = 0.5 }, { mutation_rate = 1 }]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:1: `exclude` leaves nothing of `huke`
        |
     14 | exclude = [{ mutation_rate = 0.5 }, { mutation_rate = 1 }]
        | ^^^^^^^
      take a combination out of it
    ");
}

#[test]
fn an_exclusion_of_a_dotted_path_needs_no_quotes() {
    Case::new().beside_grid("exclude = [{ mutation.other = 0.1 }]").grid("mutation.other = [0.1, 0.2]").accepted();
}

#[test]
fn an_exclusion_from_more_combinations_than_can_be_looked_at_is_refused() {
    let wide =
        "crossover_rate = { from = 0, to = 1, step = 0.0005 }\nmutation.other = { from = 0, to = 1, step = 0.0005 }";
    let message = Case::new().beside_grid("exclude = [{ crossover_rate = 1 }]").grid(wide).refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:14:1: `exclude` chooses from over 1000000 combinations
        |
     14 | exclude = [{ crossover_rate = 1 }]
        | ^^^^^^^
      split them over several algorithms, or leave nothing out
    ");
}

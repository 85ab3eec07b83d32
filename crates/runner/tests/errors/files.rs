//! What is wrong with the parts of an experiment, and with the file that holds it.

use super::case::{BOARDS, Case};

#[test]
fn neither_a_preset_nor_a_kind_says_nothing_to_run() {
    let message = Case::new().with("preset = \"huke\"\n", "").refused_listing();
    insta::assert_snapshot!(message, @"
    error: demo.toml:10:13: the algorithm has no `kind`
        |
     10 | [algorithms.huke]
        |             ^^^^
      expected ..., or a `preset`: ...
    ");
}

#[test]
fn a_missing_name_is_asked_for() {
    let message = Case::new().with("name = \"demo\"\n", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:2: `experiment.name` is missing
       |
     1 | [experiment]
       |  ^^^^^^^^^^
      every experiment has a `name`, a `seed` and `repetitions`
    ");
}

#[test]
fn a_missing_seed_is_asked_for() {
    let message = Case::new().with("seed = 1\n", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:2: `experiment.seed` is missing
       |
     1 | [experiment]
       |  ^^^^^^^^^^
      every experiment has a `name`, a `seed` and `repetitions`
    ");
}

#[test]
fn an_experiment_without_its_table_is_one_error() {
    let message = Case::new().with("[experiment]\nname = \"demo\"\nseed = 1\nrepetitions = 1\n", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:1: there is no table `[experiment]`
       |
     1 |
       | ^
      every experiment has a `name`, a `seed` and `repetitions`
    ");
}

#[test]
fn a_table_that_is_a_number_is_one_error() {
    let message =
        Case::new().with("[experiment]\nname = \"demo\"\nseed = 1\nrepetitions = 1\n", "experiment = 3\n").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:14: `experiment` is a whole number
       |
     1 | experiment = 3
       |              ^
      expected a table
    ");
}

#[test]
fn no_algorithms_are_asked_for() {
    let message = Case::new().with("[algorithms.huke]\npreset = \"huke\"\npopulation = 20\n\n[algorithms.huke.grid]\nmutation_rate = [0.5, 1.0]\n", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:1: there is no algorithm
       |
     1 | [experiment]
       | ^
      expected a table `[algorithms.NAME]` for each algorithm
    ");
}

#[test]
fn no_instances_are_asked_for() {
    let message = Case::new().with("[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n", "").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:1: there is no instance
       |
     1 | [experiment]
       | ^
      expected `[[instances]]` with a `problem` and a `path`
    ");
}

#[test]
fn instances_in_single_brackets_are_set_right() {
    let message = Case::new().with("[[instances]]", "[instances]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:6:2: `instances` is no list of tables
       |
     6 | [instances]
       |  ^^^^^^^^^
      write `[[instances]]`, with two brackets
    ");
}

#[test]
fn a_name_cannot_lead_out_of_the_results() {
    let message = Case::new().with("name = \"demo\"", "name = \"../demo\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:2:8: `../demo` cannot be the name of an experiment
       |
     2 | name = "../demo"
       |        ^^^^^^^^^
      it names the results folder: expected 1 to 100 letters, digits, `-` or `_`
    "#);
}

#[test]
fn a_name_cannot_forge_a_message() {
    let message = Case::new().with("name = \"demo\"", "name = \"x`\\nerror: \\u001B[31mall is lost\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:2:8: `x`�error: �[31mall is lost` cannot be the name of an experiment
       |
     2 | name = "x`\nerror: \u001B[31mall is lost"
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      it names the results folder: expected 1 to 100 letters, digits, `-` or `_`
    "#);
}

#[test]
fn an_empty_list_of_instances_is_refused() {
    let message = Case::new()
        .with("[experiment]", "instances = []\n[experiment]")
        .with("[[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n", "")
        .refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:1:13: there is no instance
       |
     1 | instances = []
       |             ^^
      expected `[[instances]]` with a `problem` and a `path`
    ");
}

#[test]
fn a_misspelt_operator_names_the_nearest() {
    let message = Case::new().setting("selection = \"truncatoin\"").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:13:13: unknown selection `truncatoin`
        |
     13 | selection = "truncatoin"
        |             ^^^^^^^^^^^^
      expected ...; did you mean `truncation`?
    "#);
}

#[test]
fn a_misspelt_setting_of_an_operator_names_the_nearest() {
    let message = Case::new().setting("mutation = { kind = \"collision-swap\", othr = 0.5 }").refused_listing();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:13:39: `collision-swap` has no setting `othr`
        |
     13 | mutation = { kind = "collision-swap", othr = 0.5 }
        |                                       ^^^^
      expected ...; did you mean `other`?
    "#);
}

#[test]
fn a_value_of_an_operator_is_checked_in_its_place() {
    let message = Case::new().setting("selection = { kind = \"truncation\", fraction = 1.5 }").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:13:47: `selection.fraction = 1.5` is out of range
        |
     13 | selection = { kind = "truncation", fraction = 1.5 }
        |                                               ^^^
      expected a number from 0 to 1
    "#);
}

#[test]
fn a_table_in_place_of_a_number_is_named() {
    let message = Case::new().setting("crossover_rate = { kind = \"high\" }").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:13:18: `crossover_rate` is a table
        |
     13 | crossover_rate = { kind = "high" }
        |                  ^^^^^^^^^^^^^^^^^
      expected a number from 0 to 1
    "#);
}

#[test]
fn a_list_outside_the_grid_says_where_it_belongs() {
    let message = Case::new().with("population = 20", "population = [20, 40]").refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:12:14: `population` is a list
        |
     12 | population = [20, 40]
        |              ^^^^^^^^
      expected one value; several belong in the algorithm's `grid`
    ");
}

#[test]
fn a_kind_in_the_budget_is_no_limit() {
    let message = Case::new().with("generations = 3", "generations = 3\nkind = \"budget\"").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:19:1: `budget` has no setting `kind`
        |
     19 | kind = "budget"
        | ^^^^
      expected `evaluations`, `generations`, `stagnation`, `seconds`, `restarts` or
      `target`
    "#);
}

#[test]
fn a_search_without_any_limit_is_refused() {
    let message = Case::new()
        .with(
            "preset = \"huke\"",
            "kind = \"genetic\"\nselection = \"sus\"\ncrossover = \"two-point\"\nmutation = \"collision-swap\"",
        )
        .with("generations = 3", "restarts = 2")
        .refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:10:13: the search has no limit
        |
     10 | [algorithms.huke]
        |             ^^^^
      expected `evaluations`, `generations`, `stagnation` or `seconds` in `budget`
    ");
}

#[test]
fn an_algorithm_cannot_be_called_everything() {
    let message =
        Case::new().with("[algorithms.huke]", "[algorithms.\"*\"]\npreset = \"huke\"\n[algorithms.huke]").refused();
    insta::assert_snapshot!(message, @r#"
    error: demo.toml:10:13: `*` cannot be the name of an algorithm
        |
     10 | [algorithms."*"]
        |             ^^^
      expected a name that can be printed; `*` means every algorithm in `--set`
    "#);
}

#[test]
fn errors_of_all_parts_are_reported_together_in_their_order() {
    let message = Case::new()
        .with("seed = 1", "seed = -1")
        .with("population = 20", "population = 0")
        .with("generations = 3", "generatons = 3")
        .boards(&BOARDS.replace("12..", "11.."))
        .refused();
    insta::assert_snapshot!(message, @"
    error: demo.toml:3:8: `seed = -1` is out of range
       |
     3 | seed = -1
       |        ^^
      expected a whole number from 0

    error: demo.toml:12:14: `population = 0` is out of range
        |
     12 | population = 0
        |              ^
      expected a whole number from 1 to 10000000

    error: demo.toml:18:1: `budget` has no setting `generatons`
        |
     18 | generatons = 3
        | ^^^^^^^^^^
      expected `evaluations`, `generations`, `stagnation`, `seconds`, `restarts` or
      `target`; did you mean `generations`?

    error: boards.csv:2:10: `one`: digit 1 stands twice in row 1: in row 1, column 1 and in row 1, column 2
       |
     2 | one,easy,11..34..........
       |          ^^^^^^^^^^^^^^^^
      mend the row, or take it out

    4 errors
    ");
}

#[test]
fn a_long_file_of_errors_is_cut_short_and_counted() {
    let message =
        Case::new().with("seed = 1", &(0..300).map(|at| format!("key{at} = 1\n")).collect::<String>()).refused();
    let message = message.lines().last().expect("a last line");
    insta::assert_snapshot!(message, @"301 errors, the first 100 found are shown");
}

#[test]
fn an_experiment_that_does_not_exist_names_the_file_beside_it() {
    let message = Case::new().named("dmeo.toml").refused();
    insta::assert_snapshot!(message, @"
    error: dmeo.toml does not exist
      did you mean `demo.toml`?
    ");
}

#[test]
fn an_experiment_in_no_folder_says_so() {
    let message = Case::new().named("experiments/demo.toml").refused();
    insta::assert_snapshot!(message, @"
    error: experiments/demo.toml does not exist
      there is no folder `experiments` either
    ");
}

#[test]
fn a_directory_is_no_experiment() {
    let message = Case::new().file("folder/x", "").named("folder").refused();
    insta::assert_snapshot!(message, @"
    error: folder is a directory
      expected a file in it
    ");
}

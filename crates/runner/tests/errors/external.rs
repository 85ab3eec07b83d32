//! What is wrong with the settings of an external program.

use super::case::Case;

/// The valid experiment with an external program in the place of its algorithm: these lines, and a budget of 3 generations.
fn program(lines: &str) -> Case {
    let before = "preset = \"huke\"\npopulation = 20\n\n[algorithms.huke.grid]\nmutation_rate = [0.5, 1.0]";
    Case::new().with(before, &format!("kind = \"external\"\n{lines}"))
}

#[test]
fn a_program_and_its_parameters_are_accepted() {
    program("command = \"sh -c 'exit 0' {instance} {seed} {generations} {rate} {{}}\"\nparameters = { rate = 0.5 }")
        .accepted();
    program("command = 'sh {a} {b}'\ngrid.\"parameters.a\" = [1, 'x', true]\ngrid.parameters.b = { from = 1, to = 9, step = 1 }")
        .accepted();
    // What the program is called may be a parameter, and is then not looked for.
    program("command = 'solve-{version-of-it}'\nparameters = { version-of-it = 'a' }").accepted();
    // However many combinations: none touches another.
    let parameters: Vec<String> =
        (0..7).map(|number| format!("grid.\"parameters.p{number}\" = {{ from = 1, to = 10, step = 1 }}")).collect();
    program(&format!("command = 'sh {{p0}}{{p1}}{{p2}}{{p3}}{{p4}}{{p5}}{{p6}}'\n{}", parameters.join("\n")))
        .accepted();
    // It ends at its timeout, so that it needs no budget.
    program("command = 'sh'").with("generations = 3", "").accepted();
}

#[test]
fn a_program_without_a_command_is_told_to_have_one() {
    insta::assert_snapshot!(program("version = \"1\"").refused(), @"
    error: demo.toml:10:13: `command` is missing
        |
     10 | [algorithms.huke]
        |             ^^^^
      expected text in quotes
    ");
    insta::assert_snapshot!(program("command = [\"sh\"]").refused(), @r#"
    error: demo.toml:12:11: `command` is a list
        |
     12 | command = ["sh"]
        |           ^^^^^^
      expected one value; several belong in the algorithm's `grid`
    "#);
    insta::assert_snapshot!(program("command = 7").refused(), @"
    error: demo.toml:12:11: `command` is a whole number
        |
     12 | command = 7
        |           ^
      expected text in quotes
    ");
}

#[test]
fn a_command_that_cannot_be_read_says_what_is_wrong() {
    insta::assert_snapshot!(program("command = ' '").refused(), @"
    error: demo.toml:12:11: `command` names no program
        |
     12 | command = ' '
        |           ^^^
      expected a program and its arguments
    ");
    insta::assert_snapshot!(program("command = \"sh 'x\"").refused(), @r#"
    error: demo.toml:12:11: `command` has a ' that is not closed
        |
     12 | command = "sh 'x"
        |           ^^^^^^^
      expected a program and its arguments
    "#);
    insta::assert_snapshot!(program("command = 'sh {seed'").refused(), @"
    error: demo.toml:12:11: `command` has a lone `{`: a brace itself is written `{{`
        |
     12 | command = 'sh {seed'
        |           ^^^^^^^^^^
      expected a program and its arguments
    ");
}

#[test]
fn an_unknown_placeholder_names_the_nearest() {
    insta::assert_snapshot!(program("command = 'sh {sede} {rate}'\nparameters.rate = 1").refused(), @"
    error: demo.toml:12:11: unknown placeholder `{sede}`
        |
     12 | command = 'sh {sede} {rate}'
        |           ^^^^^^^^^^^^^^^^^^
      expected `instance`, `seed`, `generations`, `rate` or `restarts`; did you mean
      `seed`?
    ");
}

#[test]
fn a_limit_that_there_is_not_stands_for_nothing() {
    insta::assert_snapshot!(program("command = 'sh {evaluations}'").refused(), @"
    error: demo.toml:12:11: `{evaluations}` stands for a limit that the budget does not have
        |
     12 | command = 'sh {evaluations}'
        |           ^^^^^^^^^^^^^^^^^^
      set `evaluations` in `budget`, or leave it out
    ");
}

#[test]
fn a_program_that_is_not_there_is_found_before_anything_runs() {
    insta::assert_snapshot!(program("command = 'no-such-program {seed}'").refused(), @"
    error: demo.toml:12:11: there is no program `no-such-program` in PATH
        |
     12 | command = 'no-such-program {seed}'
        |           ^^^^^^^^^^^^^^^^^^^^^^^^
      install it, or give its path, as in `./NAME`
    ");
    insta::assert_snapshot!(program("command = './solve {seed}'").refused(), @"
    error: demo.toml:12:11: there is no program `./solve`
        |
     12 | command = './solve {seed}'
        |           ^^^^^^^^^^^^^^^^
      expected a path, from the folder in which `runner` is started
    ");
    insta::assert_snapshot!(program("command = './solve {seed}'").file("solve", "").refused(), @"
    error: demo.toml:12:11: `./solve` may not be run
        |
     12 | command = './solve {seed}'
        |           ^^^^^^^^^^^^^^^^
      make it executable (`chmod +x`), or name what runs it before it
    ");
    insta::assert_snapshot!(program("command = './'").refused(), @"
    error: demo.toml:12:11: `./` is a directory
        |
     12 | command = './'
        |           ^^^^
      expected a program in it
    ");
}

#[test]
fn a_parameter_that_changes_nothing_is_refused() {
    insta::assert_snapshot!(program("command = 'sh'\ngrid.\"parameters.rate\" = [0.1, 0.2]").refused(), @r#"
    error: demo.toml:13:6: the parameter `rate` is not used
        |
     13 | grid."parameters.rate" = [0.1, 0.2]
        |      ^^^^^^^^^^^^^^^^^
      expected `{rate}` in `command`
    "#);
    insta::assert_snapshot!(program("command = 'sh {seed}'\nparameters = { seed = 1 }").refused(), @"
    error: demo.toml:13:16: `{seed}` stands for the run's own and cannot be a parameter
        |
     13 | parameters = { seed = 1 }
        |                ^^^^
      expected another name
    ");
}

#[test]
fn parameters_are_numbers_texts_and_flags_under_plain_names() {
    insta::assert_snapshot!(program("command = 'sh {a}'\nparameters = { a = { b = 1 } }").refused(), @"
    error: demo.toml:13:20: `parameters.a` is a table
        |
     13 | parameters = { a = { b = 1 } }
        |                    ^^^^^^^^^
      expected a number, text, true or false
    ");
    insta::assert_snapshot!(program("command = 'sh {a}'\nparameters = { a = [1] }").refused(), @"
    error: demo.toml:13:20: `parameters.a` is a list
        |
     13 | parameters = { a = [1] }
        |                    ^^^
      expected one value; several belong in the algorithm's `grid`
    ");
    insta::assert_snapshot!(program("command = 'sh'\nparameters = { 'a b' = 1 }").refused(), @"
    error: demo.toml:13:16: `parameters` cannot have the name `a b`
        |
     13 | parameters = { 'a b' = 1 }
        |                ^^^^^
      expected letters, digits, `-` and `_`, and not `kind`
    ");
    insta::assert_snapshot!(program("command = 'sh'\nparameters = 3").refused(), @"
    error: demo.toml:13:14: `parameters` is a whole number
        |
     13 | parameters = 3
        |              ^
      expected a table of settings, as in { population = 50, rate = 0.1 }
    ");
}

#[test]
fn a_timeout_before_the_end_of_the_budgets_time_is_refused() {
    let case = program("command = 'sh'\ntimeout = 5").with("generations = 3", "seconds = 10");
    insta::assert_snapshot!(case.refused(), @"
    error: demo.toml:13:11: the `timeout` of 5 s comes before the 10 `seconds` of the budget
        |
     13 | timeout = 5
        |           ^
      expected a `timeout` from there on
    ");
    program("command = 'sh'").with("generations = 3", "seconds = 3600").accepted();
}

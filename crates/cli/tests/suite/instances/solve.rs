//! `runner solve`: one run on one board, shown, repeated, interrupted, refused.

use std::path::Path;

use crate::test_folder::{Report, TestFolder, command, number_before, report};

/// McCaffrey's demo board.
const DEMO: &str = "006200080008970000004810500000060002070000030600050000002047100003028400050001200";

/// Its solution as it is printed here.
const SOLVED: &str = "\
7 1 6 | 2 3 5 | 9 8 4
5 2 8 | 9 7 4 | 3 1 6
3 9 4 | 8 1 6 | 5 2 7
------+-------+------
8 4 5 | 1 6 3 | 7 9 2
2 7 1 | 4 8 9 | 6 3 5
6 3 9 | 7 5 2 | 8 4 1
------+-------+------
9 8 2 | 6 4 7 | 1 5 3
1 6 3 | 5 2 8 | 4 7 9
4 5 7 | 3 9 1 | 2 6 8
";

/// What it does with this on standard input.
fn solve_with(input: &str, arguments: &[&str]) -> Report {
    report(&mut command(Path::new("."), &[&["solve"], arguments].concat()), input)
}

fn solve(arguments: &[&str]) -> Report {
    solve_with("", arguments)
}

/// What is said without times, which differ.
fn timeless(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let is_time = word.contains('.') && word.parse::<f64>().is_ok();
        if is_time { "[time]" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_board_is_solved_and_the_way_to_do_it_again_is_told() {
    let (status, board, said) = solve(&[DEMO, "--set", "accept=better-or-equal", "--seed", "7"]);
    assert_eq!((status, board.as_str()), (Some(0), SOLVED), "{said}");
    let again = said.lines().last().expect("a command").trim();
    assert_eq!(
        again,
        format!("runner solve {} --algorithm mccaffrey --set accept=better-or-equal --seed 7", DEMO.replace('0', "."))
    );
    let words: Vec<&str> = again.split(' ').skip(2).collect();
    let (_, board_again, said_again) = solve(&words);
    assert_eq!((board_again, timeless(&said_again)), (board, timeless(&said)));
}

#[test]
fn a_seed_of_an_experiment_repeats_its_run_under_the_same_id() {
    let folder = TestFolder::new("[20, 50]", 2);
    folder.run(&["--out", "results", "--quiet"]);
    let rows = folder.rows("results");
    let header: Vec<&str> = rows.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| header.iter().position(|column| *column == name).expect("the column is there");
    for row in rows.lines().skip(1).step_by(5) {
        let fields: Vec<&str> = row.split(',').collect();
        let population = format!("population={}", fields[at("population")]);
        let boards = folder.path("boards.csv").display().to_string();
        let board = [boards.as_str(), "--id", fields[at("instance")]];
        let search = ["--algorithm", "huke", "--set", &population, "--seed", fields[at("seed")]];
        let (status, _, said) = solve(&[&board[..], &search].concat());
        assert_eq!(status, Some(i32::from(fields[at("solved")] != "true")), "{row}\n{said}");
        for (column, word) in [("evaluations", " evaluation"), ("generations", " generation"), ("restarts", " restart")]
        {
            assert_eq!(number_before(&said, word).to_string(), fields[at(column)], "{column} of {row}\n{said}");
        }
        assert!(said.contains(&format!("run {};", fields[at("run_id")])), "{row}\n{said}");
        assert!(said.contains(&format!("stop: {}", fields[at("stop")])), "{row}\n{said}");
    }
}

#[test]
fn a_board_is_read_from_an_argument_a_file_and_standard_input_in_any_format() {
    let grid = SOLVED.replacen("7 1 6", ". . .", 1);
    let folder = TestFolder::empty();
    folder.write("grid.txt", &grid);
    let path = folder.path("grid.txt").display().to_string();
    let printed = "../../datasets/sudoku/printed.csv";
    for arguments in [vec![grid.as_str()], vec![path.as_str()], vec!["-"], vec![printed, "--id", "mccaffrey"]] {
        let (status, board, said) = solve_with(&grid, &arguments);
        assert_eq!((status, board.as_str()), (Some(0), SOLVED), "{arguments:?}: {said}");
    }
    let lines = format!("{DEMO}\n\n{DEMO}\n");
    assert_eq!(solve_with(&lines, &["-", "--id", "3"]).1, SOLVED);
    let (status, board, said) = solve(&["123456..............................", "--box", "2x3"]);
    assert!(status == Some(0) && board.starts_with("1 2 3 | 4 5 6\n"), "{said}");
    assert!(said.contains(" --box 2x3 "), "{said}");
}

#[test]
fn nothing_but_the_board_is_printed_where_quiet_is_asked_for() {
    assert_eq!(solve(&[DEMO, "--quiet"]), (Some(0), SOLVED.to_owned(), String::new()));
}

#[test]
fn a_board_that_is_not_solved_is_shown_all_the_same_with_status_1() {
    let (status, board, said) = solve(&[DEMO, "--set", "budget.generations=2", "--set", "budget.restarts=0"]);
    assert_eq!((status, board.lines().count()), (Some(1), 11), "{said}");
    assert!(said.contains("not solved, best error ") && said.contains("stop: generations"), "{said}");
    let (status, _, said) = solve(&[DEMO, "--set", "budget.target=1000"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("the target is reached, but the board is not solved: error "), "{said}");
}

#[test]
fn a_board_without_a_solution_or_with_several_is_told_before_the_search() {
    let short = ["--set", "budget.generations=3", "--set", "budget.restarts=0"];
    let (status, _, said) = solve(&[&["123..........4.."], &short[..]].concat());
    assert!(status == Some(0) && said.starts_with("warning: the board has several solutions"), "{said}");
    let (status, _, said) = solve(&[&["123....4........"], &short[..]].concat());
    assert_eq!(status, Some(1));
    let none = "warning: the board has no solution: no digit is possible in row 1, column 4; the search can only \
                reduce the number of errors\n";
    assert!(said.starts_with(none), "{said}");
    // An exact method finds that out too, and has nothing to show.
    let (status, board, said) = solve(&["123....4........", "--algorithm", "arkieva"]);
    assert_eq!((status, board.as_str()), (Some(1), "1 2 | 3 .\n. . | . 4\n----+----\n. . | . .\n. . | . .\n"));
    assert!(said.contains("not solved; the whole search space was examined: "), "{said}");
}

#[test]
fn improvements_are_told_in_lines_where_there_is_no_terminal() {
    let (status, board, said) = solve(&[DEMO, "--watch"]);
    assert_eq!((status, board.as_str()), (Some(0), SOLVED), "{said}");
    let told: Vec<&str> = said.lines().filter(|line| line.starts_with("error ")).collect();
    assert!(told.len() > 3 && told[0].contains(" after 1 evaluation, generation 0, restarts 0, "), "{said}");
    assert!(told[told.len() - 1].starts_with("error 0 after "), "{said}");
    assert!(!said.contains('\x1b') && !board.contains('\x1b'), "{said:?}");
    // Watching changes nothing.
    let unwatched = solve(&[DEMO]).2;
    assert_eq!(number_before(&said, " evaluations, 6"), number_before(&unwatched, " evaluations, 6"));
}

// It sends a signal.
#[cfg(unix)]
#[test]
fn an_interrupted_search_shows_the_best_board_and_the_command_to_begin_again() {
    use crate::test_folder::{report_at_end, send};

    let folder = TestFolder::empty();
    let child = folder.start(&["solve", DEMO, "--watch", "--pace", "5"]);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    send("INT", &child);
    let (status, board, said) = report_at_end(child);
    assert_eq!((status, board.lines().count()), (Some(130), 11), "{said}");
    assert!(
        said.contains("interrupted: best error ")
            && said.contains("to start again from the beginning:\n  runner solve "),
        "{said}"
    );
}

#[test]
fn every_step_of_backtracking_goes_into_its_history() {
    let folder = TestFolder::empty();
    let (board, told) = folder.outputs(0, &["solve", DEMO, "--algorithm", "arkieva", "--history", "history.csv"]);
    assert_eq!(board, SOLVED);
    let text = folder.read("history.csv");
    let rows: Vec<Vec<u64>> = text
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(|field| field.parse().expect("a number")).collect())
        .collect();
    assert!(text.starts_with("counter,options,cell,value\n") && text.ends_with('\n'));
    assert_eq!(number_before(&told, " steps in"), rows.len());
    // McCaffrey: filling forced cells only gets stuck after nine.
    assert_eq!(rows.iter().take_while(|row| row[1] == 1).count(), 9);
    // What was assigned and not set back is the solution.
    let assigned = rows.iter().filter(|row| row[3] != 0 && row[3] != 9999).count();
    let set_back = rows.iter().filter(|row| row[3] == 0).count();
    assert_eq!(assigned - set_back, 54);
}

// To Windows a name of dots alone is that of a folder.
#[cfg(unix)]
#[test]
fn what_cannot_be_solved_is_refused_with_status_2_and_what_to_do() {
    let boards = "../../datasets/sudoku/huke-40.csv";
    let refused = |arguments: &[&str]| {
        let (status, board, said) = solve(arguments);
        assert_eq!((status, board.as_str()), (Some(2), ""), "{said}");
        said
    };
    let free = ".".repeat(36);
    let cases: [&[&str]; 12] = [
        &["huke-40.cvs"],
        &["../../datasets/sudoku/huke-4.csv"],
        &["11.............."],
        &["1234"],
        &[&free],
        &["1...............", "--box", "2by2"],
        &[boards],
        &[boards, "--id", "esy-01"],
        &[DEMO, "--id", "easy-01"],
        &[DEMO, "--set", "accept=bettr", "--set", "budgte.restarts=1", "--set", "organisms=[1]"],
        &[DEMO, "--set", "budget.restart=3"],
        &[DEMO, "--algorithm", "combinatorial-evolution"],
    ];
    let messages: Vec<String> = cases.iter().map(|case| refused(case)).collect();
    insta::assert_snapshot!(messages.join("\n"));
    let unknown = refused(&[DEMO, "--algorithm", "mcaffrey"]);
    assert!(unknown.replace("\n  ", " ").contains("did you mean `mccaffrey`?"), "{unknown}");
    let seed = refused(&[DEMO, "--seed", "9007199254740992"]);
    assert!(seed.contains("9007199254740992 is not in 0..9007199254740992"), "{seed}");
}

/// A square of four cities: the shortest tour is 40 long.
const SQUARE: &str = "NAME : square\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n\
                      1 0 0\n2 10 10\n3 10 0\n4 0 10\nEOF\n";

#[test]
fn a_solution_that_a_drawing_does_not_show_is_printed_and_its_objective_told() {
    let folder = TestFolder::empty();
    folder.write("square.tsp", SQUARE);
    folder.write("shop.txt", "3 2\n3 1 4\n1 5 9\n");
    let climb = ["--algorithm", "hill-climbing", "--set", "budget.evaluations=200"];
    let [square, shop] = ["square.tsp", "shop.txt"].map(|name| folder.path(name).display().to_string());
    let is_order = |line: &str, n: usize| {
        let mut places: Vec<usize> = line.split(' ').map(|place| place.parse().expect("a number")).collect();
        places.sort_unstable();
        places == (1..=n).collect::<Vec<_>>()
    };
    for (arguments, n, drawn, measure) in [
        (&[square.as_str()][..], 4, "tour of 4 cities, length 40", "tour length 40"),
        (&[shop.as_str(), "--problem", "flowshop"], 3, "all done at 16", "makespan 16"),
    ] {
        let arguments = [arguments, &climb].concat();
        let (status, printed, said) = solve(&arguments);
        let lines: Vec<&str> = printed.lines().collect();
        let [.., summary, order] = lines.as_slice() else { panic!("{printed}") };
        assert!(status == Some(0) && *summary == drawn && is_order(order, n), "{printed}{said}");
        assert!(said.contains(measure) && said.contains(" --problem "), "{said}");
        assert_eq!(solve(&[&arguments[..], &["--quiet"]].concat()), (Some(0), format!("{order}\n"), String::new()));
        let (_, _, said) = solve(&[&arguments[..], &["--watch"]].concat());
        assert!(said.contains(&format!("{measure} after ")) && !said.contains("error "), "{said}");
        let target = format!("budget.target={}", measure.rsplit(' ').next().expect("a value"));
        let (status, _, said) = solve(&[&arguments[..], &["--set", &target]].concat());
        let reached = format!("the target is reached, {measure}: ");
        assert!(status == Some(0) && said.contains(&reached), "{said}");
    }
}

#[test]
fn the_problem_of_a_file_is_told_by_its_extension_its_columns_or_its_content() {
    let folder = TestFolder::empty();
    folder.write("square.tsp", SQUARE);
    folder.write("wrong.tsp", SQUARE.replace("EUC_2D", "EUC_9D"));
    folder.write("small.dat", "2 0 1 1 0 0 1 1 0\n");
    folder.write("shop.txt", "3 2\n3 1 4\n1 5 9\n");
    folder.write("small.csv", "id,matrices\nsmall,2 0 1 1 0 0 1 1 0\n");
    folder.write("other.csv", "id,cost\na,1\n");
    folder.write("notes.txt", "nothing that is an instance\n");
    let said = |name: &str| {
        let climb = ["--algorithm", "hill-climbing", "--set", "budget.evaluations=20"];
        let (status, _, said) = folder.report(&[&["solve", name], &climb[..]].concat());
        (status, said)
    };
    for (name, problem) in [("square.tsp", "tsp"), ("small.dat", "qap"), ("shop.txt", "flowshop"), ("small.csv", "qap")]
    {
        let (status, said) = said(name);
        assert!(status == Some(0) && said.contains(&format!(" --problem {problem} ")), "{name}: {said}");
    }
    let refused = ["wrong.tsp", "other.csv", "notes.txt"].map(|name| {
        let (status, said) = said(name);
        assert_eq!(status, Some(2), "{name}: {said}");
        said
    });
    insta::assert_snapshot!(refused.join("\n"));
}

#[test]
fn what_is_no_file_and_no_instance_of_a_named_problem_is_refused() {
    let growing = "budget.evaluations={ per = \"n-4\", times = 3 }";
    let cases: [&[&str]; 4] = [
        &["tours/my9.tsp", "--problem", "tsp"],
        &["./my9", "--problem", "tsp"],
        &["no.csv", "--problem", "qap"],
        &["EUC_2D 0 0 0 10 10 10 10 0", "--problem", "tsp", "--set", growing],
    ];
    let messages = cases.map(|case| {
        let (status, _, said) = solve(case);
        assert_eq!(status, Some(2), "{said}");
        said
    });
    insta::assert_snapshot!(messages.join("\n"));
}

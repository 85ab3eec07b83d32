//! `runner rate`: how hard boards are, always the same, and a data set again.

use std::path::Path;

use crate::test_folder::{Report, TestFolder, command, report};

fn rate(arguments: &[&str], input: &str) -> Report {
    report(&mut command(Path::new("."), &[&["rate"], arguments].concat()), input)
}

fn rated(arguments: &[&str], input: &str) -> String {
    let (status, ratings, said) = rate(arguments, input);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{ratings}");
    ratings
}

const PRINTED: &str = "../../datasets/sudoku/printed.csv";

#[test]
fn boards_are_rated_by_givens_logic_and_guesses() {
    let ratings = rated(&[PRINTED, "--runs", "0", "--format", "csv"], "");
    insta::assert_snapshot!(ratings, @"
    id,bucket,puzzle,labelled,givens,solutions,logic,forced,guesses,runs,solved,median_evaluations
    mccaffrey,expert,..62...8...897......481.5......6...2.7.....3.6...5......2.471....3.284...5...12..,printed,27,1,search,13,1,0,0,
    huke,easy,.6.2.9.......3..1.1..6....942.5...9...53.286..831...2487.9.6.3534..5.27.2.6.73..1,printed,38,1,naked,43,0,0,0,
    cervigon,hard,.6.1.4.5...83.56..2.......18..4.7..6..6...3..7..9.1..45.......2..72.69...4.5.8.7.,printed,30,1,hidden,51,0,0,0,
    ");
}

#[test]
fn a_rating_hangs_on_the_board_alone_and_the_order_is_kept() {
    let boards = "../../datasets/sudoku/huke-40.csv";
    let one = rated(&[boards, "--runs", "2", "--format", "csv", "--jobs", "1"], "");
    assert_eq!(rated(&[boards, "--runs", "2", "--format", "csv", "--jobs", "4"], ""), one);
    let lines: Vec<&str> = one.lines().collect();
    assert!(lines.len() == 41 && lines[1].starts_with("easy-01,easy,") && lines[40].starts_with("expert-10,expert,"));
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[1], fields[3], "the bucket by givens is the one it was made for: {line}");
        let is_measured = fields[11].parse::<u64>().is_ok_and(|evaluations| evaluations > 1000);
        assert!(is_measured || fields[10] != "2", "{line}");
    }
    // The same board under another id, alone and in another format.
    let puzzle = lines[3].split(',').nth(2).expect("a puzzle");
    let alone = rated(&["-", "--runs", "2", "--format", "csv"], puzzle);
    let measures = |line: &str| line.rsplitn(9, ',').take(8).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(measures(alone.lines().nth(1).expect("a rating")), measures(lines[3]));
}

#[test]
fn ratings_are_a_data_set_again() {
    let folder = TestFolder::empty();
    let boards = format!("{:.<36}\n{:.<36}\n", "", "12....3");
    folder.write("rated.csv", rated(&["-", "--box", "2x3", "--runs", "1", "--format", "csv"], &boards));
    let experiment = "[experiment]\nname = \"it\"\nseed = 1\nrepetitions = 1\n[[instances]]\nproblem = \"sudoku\"\n\
                      path = \"rated.csv\"\nbuckets = [\"beyond-expert\"]\n[algorithms.a]\npreset = \"huke\"\n";
    folder.write("it.toml", experiment);
    let (said, wrong) = folder.outputs(0, &["check", "it.toml"]);
    assert!(said.contains("2 instances"), "{said}{wrong}");
}

#[test]
fn a_table_is_for_people() {
    let table = rated(&[PRINTED, "--runs", "0"], "");
    insta::assert_snapshot!(table, @"
    id         bucket  givens  logic   guesses  solved  evaluations
    mccaffrey  expert      27  search        1     0/0            -
    huke       easy        38  naked         0     0/0            -
    cervigon   hard        30  hidden        0     0/0            -
    ");
}

#[test]
fn a_board_that_is_no_proper_one_is_named_so() {
    let table = rated(&["-", "--runs", "1"], "123....4........\n123..........4..\n");
    let notes: Vec<&str> = table.lines().skip(1).map(|line| line.rsplit("  ").next().unwrap_or_default()).collect();
    assert_eq!(notes, ["no solution", "several solutions"], "{table}");
    assert!(table.contains("0/1     unsolved") && table.contains("1/1"), "{table}");
}

#[test]
fn every_column_is_told_of_in_the_help() {
    let (_, help, _) = rate(&["--help"], "");
    let header = rated(&["-", "--box", "2x3", "--runs", "0", "--format", "csv"], &".".repeat(36));
    let columns = header.lines().next().expect("a header").split(',').chain(["labelled"]);
    for column in columns {
        let is_told = |line: &str| line.split("  ").any(|part| part.split(", ").any(|name| name.trim() == column));
        assert!(help.lines().any(is_told), "{column}\n{help}");
    }
}

#[test]
fn a_file_without_boards_is_refused() {
    let refused = |arguments: &[&str], input: &str| {
        let (status, ratings, said) = rate(arguments, input);
        assert_eq!((status, ratings.as_str()), (Some(2), ""), "{said}");
        said
    };
    let unrated = "instances of `qap` cannot be rated: this family has no measures of difficulty\n  families that can be rated: `sudoku`";
    assert!(refused(&["-", "--problem", "qap"], "").contains(unrated));
    assert!(refused(&["printed.cvs"], "").contains("`printed.cvs` does not exist"));
    assert!(refused(&["-"], "id,bucket\na,b\n").contains("the column `puzzle` is missing"));
    assert!(refused(&["-"], "--\n").contains("standard input does not contain any board"));
    let both = refused(&["-"], "id,puzzle\na,11..............\nb,12..............\nc,1.1.............\n");
    assert!(both.contains("standard input:2:3:") && both.contains("standard input:4:3:"), "{both}");
}

//! Bad input gets a clear error before anything runs: exit status 2, nothing written, all errors of a file at once, each with
//! its place and what was expected. The cases are text files in `tests/errors`, explained in its README.md.

use std::path::{Path, PathBuf};

use case_file::Case;
use invocation::Invocation;
use rayon::prelude::*;

mod case_file;
mod invocation;
mod mutations;

/// The environment variable with which expected texts are replaced by what the runner says now.
const REWRITE: &str = "EVOGRID_BLESS";

#[test]
fn every_case_gets_its_expected_text() {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors")).expect("the folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort_unstable();
    assert!(!paths.is_empty(), "no case was found");
    let failures: Vec<String> = paths.iter().flat_map(|path| failures(path)).collect();
    let (n_failures, told) = (failures.len(), failures.join("\n"));
    assert!(
        n_failures == 0,
        "\n\n{told}\n{n_failures} failures. {REWRITE}=1 replaces the expected texts by what the runner says now."
    );
}

/// What is wrong with the cases of a file. If it is asked for, their expected texts are rewritten.
fn failures(path: &Path) -> Vec<String> {
    let name = path.file_name().expect("a file").display();
    let text = std::fs::read_to_string(path).expect("the cases are text");
    let cases: Vec<Case> = match case_file::parse(&text) {
        Ok(cases) => cases.into_iter().filter(|case| cfg!(unix) || !case.needs_unix()).collect(),
        Err(mistake) => return vec![format!("{name}: {mistake}\n")],
    };
    let found: Vec<Result<String, String>> = cases.par_iter().map(Case::found).collect();
    let is_rewriting = std::env::var_os(REWRITE).is_some();
    if is_rewriting {
        std::fs::write(path, case_file::rewritten(&text, &cases, &found)).expect("the cases are written");
    }
    let failure = |(case, found): (&Case, &Result<String, String>)| {
        let wrong = match found {
            Ok(found) if *found == case.expected || is_rewriting => return None,
            Ok(found) => difference(&case.expected, found),
            Err(wrong) => format!("{wrong}\n"),
        };
        Some(format!("{name}:{}: {}\n{wrong}", case.line, case.title))
    };
    cases.iter().zip(&found).filter_map(failure).collect()
}

/// The lines of both texts, those that differ marked: `-` expected, `+` found.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let n_before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (&old[n_before..], &new[n_before..]);
    let n_after = old_end.iter().rev().zip(new_end.iter().rev()).take_while(|(old, new)| old == new).count();
    let mark = |mark: &str, lines: &[&str]| lines.iter().map(|line| format!("{mark} {line}\n")).collect::<String>();
    mark(" ", &old[..n_before])
        + &mark("-", &old_end[..old_end.len() - n_after])
        + &mark("+", &new_end[..new_end.len() - n_after])
        + &mark(" ", &old_end[old_end.len() - n_after..])
}

#[test]
fn a_difference_shows_what_was_expected_and_what_was_found() {
    assert_eq!(difference("a\nb\nc", "a\nx\ny\nc"), "  a\n- b\n+ x\n+ y\n  c\n");
    assert_eq!(difference("", "a\na"), "+ a\n+ a\n");
}

#[test]
fn a_long_file_of_errors_is_cut_short_and_counted() {
    let keys: Vec<Vec<u8>> = (0..300).map(|number| format!("key{number} = 1").into_bytes()).collect();
    let mut invocation = Invocation::valid();
    invocation.replace(&[b"seed = 1".to_vec()], &keys).expect("the experiment has a seed");
    let message = invocation.refusal().expect("a refusal");
    assert_eq!(message.lines().last(), Some("301 errors; only the first 20 are shown"));
}

//! `runner reproduce`: a page from claims, mistakes found before anything runs, and runs that are never lost.
//!
//! Every test runs the real binary.

mod experiment_folder;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use experiment_folder::ExperimentFolder;

const CLAIMS: &str = include_str!("reproduce/claims.toml");

fn folder(claims: &str) -> ExperimentFolder {
    let folder = ExperimentFolder::new("[5, 200]", 2);
    fs::write(folder.path("claims.toml"), claims).expect("the claims are written");
    folder
}

fn command(folder: &ExperimentFolder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_runner"));
    command.current_dir(folder.path("")).args(["reproduce", "claims.toml"]).args(arguments);
    command
}

fn reproduce(folder: &ExperimentFolder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the runner runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a page that depend on no run: headings, and the heads of its tables.
fn shape(page: &str) -> Vec<&str> {
    let lines: Vec<&str> = page.lines().collect();
    let is_head = |at: usize| lines.get(at + 1).is_some_and(|next| next.starts_with("| ---"));
    let kept = lines.iter().enumerate().filter(|&(at, line)| line.starts_with('#') || is_head(at));
    kept.map(|(_, line)| *line).collect()
}

#[test]
fn every_claim_gets_a_verdict_on_the_page() {
    let folder = folder(CLAIMS);
    let output = reproduce(&folder, &["--page", "docs/PAGE.md"]);
    assert!(output.status.success(), "{}", told(&output));
    let last = told(&output).lines().last().unwrap_or_default().to_owned();
    assert!(
        last.starts_with("6 claims: 4 hold, 0 do not, of 1 it cannot be told, 1 are figures of ours alone; see"),
        "{last}"
    );
    let page = fs::read_to_string(folder.path("docs/PAGE.md")).expect("the page is there");
    insta::assert_snapshot!(shape(&page).join("\n"));
    assert!(page.contains("Experiment: [test.toml](../test.toml)."), "{page}");
    assert!(page.contains("comes from 32 runs"), "{page}");
}

#[test]
fn the_quick_form_has_the_same_shape_and_results_of_its_own() {
    let folder = folder(CLAIMS);
    let [full, quick] = [reproduce(&folder, &[]), reproduce(&folder, &["--quick"])];
    let [full, quick] = [full, quick].map(|output| String::from_utf8(output.stdout).expect("text"));
    assert_eq!(shape(&full), shape(&quick));
    assert!(quick.contains("This is the quick form") && quick.contains("comes from 16 runs"), "{quick}");
    assert_eq!((folder.journal_lines("results/test"), folder.journal_lines("results/quick/test")), (32, 16));
}

#[test]
fn mistakes_are_found_before_anything_runs() {
    let claims = CLAIMS
        .replace("of = { population = 200 }", "of = { populatoin = 200 }")
        .replace("along = \"population\"", "along = \"populations\"")
        .replace("groups = [\"population\"]", "groops = [\"population\"]")
        .replace("examples = \"arkieva\"", "examples = \"arkiva\"");
    let folder = folder(&claims);
    let output = reproduce(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("mistakes_of_a_claim_alone", told(&output));
    let claims = claims.replace("groops", "groups").replace("arkiva", "arkieva");
    fs::write(folder.path("claims.toml"), claims).expect("the claims are written");
    let output = reproduce(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("mistakes_of_a_claim_about_its_experiment", told(&output));
    assert!(!folder.path("results").exists());
}

#[test]
fn an_id_that_no_link_can_lead_to_is_refused() {
    let folder = folder(&CLAIMS.replace("id = \"along\"", "id = \"from 0.8\""));
    let output = reproduce(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(told(&output));
}

#[test]
fn the_claims_of_the_papers_can_be_read() {
    let catalogue = evogrid_runner::catalogue();
    let files = fs::read_dir("../../experiments/claims").expect("the claims").map(|file| file.expect("a file").path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    assert_eq!(files.len(), 5);
    for path in files {
        let claims = evogrid_runner::claims::Claims::load(&path, &catalogue);
        assert!(claims.is_ok(), "{}", claims.err().map(|wrong| wrong.to_string()).unwrap_or_default());
    }
}

#[test]
fn what_had_finished_when_it_was_killed_is_found_again() {
    let folder = folder(CLAIMS);
    folder.write("[5, 1000]", 20);
    fs::write(folder.path("claims.toml"), CLAIMS.replace("= 200", "= 1000")).expect("the claims are written");
    let mut child = command(&folder, &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    while folder.journal_lines("results/test") < 20 {
        assert!(child.try_wait().expect("its state is known").is_none(), "it was to be killed before it ended");
        sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it is waited for");
    let kept = folder.journal_lines("results/test");
    let output = reproduce(&folder, &["--page", "page.md"]);
    assert!(output.status.success());
    let found = experiment_folder::number_before(&told(&output), " found in the journal");
    assert!(found > 0 && found <= kept, "{found} of {kept}");
}

//! `runner reproduce`: a page from claims, mistakes found before anything runs, and runs that are never lost.
//!
//! Every test runs the real binary.

use std::fs;

use crate::test_folder::{TestFolder, number_before};

const COMMAND: [&str; 2] = ["reproduce", "claims.toml"];

const CLAIMS: &str = include_str!("claims.toml");

fn folder(claims: &str) -> TestFolder {
    let folder = TestFolder::new("[5, 200]", 2);
    folder.write("claims.toml", claims);
    folder
}

/// The page and the messages, where it ends well.
fn reproduce(folder: &TestFolder, arguments: &[&str]) -> (String, String) {
    folder.outputs(0, &[&COMMAND, arguments].concat())
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
    let (_, told) = reproduce(&folder, &["--page", "docs/PAGE.md"]);
    let last = told.lines().last().unwrap_or_default();
    assert!(
        last.starts_with(
            "12 claims: 9 hold, 1 does not hold, 1 has the verdict \"cannot be told\", 1 is not judged (only our values are shown); see"
        ),
        "{last}"
    );
    let page = folder.read("docs/PAGE.md");
    insta::assert_snapshot!(shape(&page).join("\n"));
    assert!(page.contains("Experiment: [test.toml](../test.toml)."), "{page}");
    assert!(page.contains("come from 32 runs"), "{page}");
}

#[test]
fn the_quick_form_has_the_same_shape_and_results_of_its_own() {
    let folder = folder(CLAIMS);
    let [full, quick] = [reproduce(&folder, &[]).0, reproduce(&folder, &["--quick"]).0];
    assert_eq!(shape(&full), shape(&quick));
    assert!(quick.contains("from the quick form") && quick.contains("come from 16 runs"), "{quick}");
    assert_eq!((folder.journal_lines("results/test"), folder.journal_lines("results/quick/test")), (32, 16));
}

#[test]
fn more_runs_than_claims_can_be_judged_by_are_refused_before_they_are_done() {
    let folder = folder(CLAIMS);
    for repetitions in [250_000, 1_000_000_000] {
        folder.write_experiment("[5, 200]", repetitions);
        let told = folder.refused(2, &COMMAND);
        let runs = ["4,000,000", "16,000,000,000"][usize::from(repetitions > 250_000)];
        assert_eq!(
            told,
            format!("error: the experiment `test` has {runs} runs; claims can be judged with at most 2,000,000 runs\n")
        );
    }
    assert!(!folder.path("results").exists());
}

#[test]
fn mistakes_are_found_before_anything_runs() {
    let claims = CLAIMS
        .replace("of = { population = 200 }", "of = { populatoin = 200 }")
        .replace("along = \"population\"", "along = \"populations\"")
        .replace("groups = [\"population\"]", "groops = [\"population\"]")
        .replace("examples = \"arkieva\"", "examples = \"arkiva\"");
    let folder = folder(&claims);
    insta::assert_snapshot!("mistakes_of_a_claim_alone", folder.refused(2, &COMMAND));
    let claims = claims.replace("groops", "groups").replace("arkiva", "arkieva");
    folder.write("claims.toml", claims);
    insta::assert_snapshot!("mistakes_of_a_claim_about_its_experiment", folder.refused(2, &COMMAND));
    assert!(!folder.path("results").exists());
}

#[test]
fn claims_that_compare_use_the_margin_and_the_confidence_of_their_experiment() {
    let folder = folder(CLAIMS);
    let (usual, _) = reproduce(&folder, &[]);
    assert!(!usual.contains("the experiment's"), "{usual}");
    folder.change("test.toml", |text| {
        text.to_owned() + "\n[analysis]\nconfidence = 0.99\nmargin = { points = 2, ratio = 1.5 }\n"
    });
    let (page, _) = reproduce(&folder, &[]);
    let said = ". A difference within this margin is not relevant: 2 points for rates and a factor of 1.5 for the odds (the experiment's margin). The \
                experiment's confidence is 99 %.";
    assert!(page.contains(said) && page.contains("points (99 % "), "{page}");
    assert!(page.contains("| ours (95 %) |"), "other figures keep their interval: {page}");
}

/// The claims, the first of which is confirmed by an experiment that sets this.
fn confirmed(set: &str) -> String {
    let again =
        format!("\nagain = {{ path = \"test.toml\", set = [{set}], quick = [\"experiment.repetitions=1\"] }}\n");
    CLAIMS.replace(
        "\n\n[[claims]]\nid = \"larger\"",
        &format!("{again}\n[[claims]]\nid = \"larger\"\nconfirmation = \"again\""),
    )
}

#[test]
fn a_finding_is_looked_for_again_on_fresh_seeds() {
    let folder = folder(&confirmed("\"experiment.seed=7\""));
    reproduce(&folder, &["--page", "docs/PAGE.md"]);
    let page = folder.read("docs/PAGE.md");
    let confirmation = page.split("Verdict of the confirmation: **").nth(1).expect("it stands on the page");
    assert!(confirmation.contains("Experiment: [test.toml](../test.toml) with `experiment.seed=7`."), "{page}");
    assert_eq!((folder.journal_lines("results/test"), folder.journal_lines("results/again")), (32, 32));
    let seeds =
        ["test", "again"].map(|name| folder.read(format!("results/{name}/runs.csv")).lines().nth(1).map(str::to_owned));
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn a_confirmation_on_the_seed_of_the_finding_is_refused() {
    let folder = folder(&confirmed("\"experiment.repetitions=3\""));
    insta::assert_snapshot!(folder.refused(2, &COMMAND));
}

#[test]
fn outcomes_that_are_more_than_all_are_refused() {
    let claim = r#"
[[claims]]
id = "ends"
place = "p. 5"
says = "How runs end."
kind = "distribution"
experiment = "test"
outcomes = [{ event = "solved", published = 0.7 }, { event = "best_fitness", fitness = [1, 4], published = 0.4 }]
"#;
    let claims = format!("{CLAIMS}{claim}");
    let folder = folder(&claims);
    insta::assert_snapshot!(folder.refused(2, &COMMAND));
    folder.write("claims.toml", claims.replace("0.7", "0.6"));
    let (page, _) = reproduce(&folder, &[]);
    assert!(page.contains("| best fitness 1 to 4 | 40 % |") && page.contains("| any other | 0 % |"), "{page}");
}

#[test]
fn an_id_that_no_link_can_lead_to_is_refused() {
    let folder = folder(&CLAIMS.replace("id = \"along\"", "id = \"from 0.8\""));
    insta::assert_snapshot!(folder.refused(2, &COMMAND));
}

#[test]
fn the_claims_of_the_papers_can_be_read() {
    let catalogue = evogrid_cli::catalogue();
    let files = fs::read_dir("../../experiments/claims").expect("the claims").map(|file| file.expect("a file").path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    assert_eq!(files.len(), 13);
    for path in files {
        let claims = evogrid_claims::document::Claims::load(&path, &catalogue);
        assert!(claims.is_ok(), "{}", claims.err().map(|wrong| wrong.to_string()).unwrap_or_default());
    }
}

#[test]
fn what_had_finished_when_it_was_killed_is_found_again() {
    let folder = folder(CLAIMS);
    folder.write_experiment("[5, 1000]", 20);
    folder.change("claims.toml", |claims| claims.replace("= 200", "= 1000"));
    let mut child = folder.start_until("results/test", 20, &COMMAND);
    child.kill().expect("it can be killed");
    child.wait().expect("it is waited for");
    let kept = folder.journal_lines("results/test");
    let (_, told) = reproduce(&folder, &["--page", "page.md"]);
    let found = number_before(&told, " found in the journal");
    assert!(found > 0 && found <= kept, "{found} of {kept}");
}

// Windows tells no processor times.
#[cfg(unix)]
#[test]
fn claims_on_instances_that_are_not_here_are_not_judged_and_it_is_said() {
    let claim = |id: &str, experiment: &str| {
        format!(
            "[[claims]]\nid = \"{id}\"\nplace = \"p. 1\"\nsays = \"Most are solved.\"\nkind = \"rate\"\nexperiment = \"{experiment}\"\n\
             event = \"solved\"\nat_least = 0.01\nby = \"an ant colony in 5 s on a Xeon\"\n"
        )
    };
    let folder = folder(&format!(
        "[paper]\npage = \"State of the art\"\ntitle = \"A paper\"\nsource = \"Somebody, 2000\"\n[experiments]\n\
         test = {{ path = \"test.toml\" }}\ntheirs = {{ path = \"test.toml\", needs = [\"test.toml\", \"theirs.csv\"] }}\n{}{}",
        claim("ours", "test"),
        claim("theirs", "theirs")
    ));
    let (page, told) = reproduce(&folder, &[]);
    assert!(told.contains("skipped the claims that need the experiment `theirs`: theirs.csv is missing"), "{told}");
    assert!(page.starts_with("# State of the art\n"), "{page}");
    assert!(page.contains(", 1 are not judged (their instances are missing here)."), "{page}");
    assert!(page.contains("| [theirs](#theirs) | - | - | - | **not judged here** |"), "{page}");
    assert!(
        page.contains(
            "The instances of this claim (theirs.csv) are missing: the project has no permission to distribute these instances."
        ),
        "{page}"
    );
    let figures = page.lines().find(|line| line.starts_with("| [ours]")).expect("its row");
    assert!(figures.contains("at least 1 % (an ant colony in 5 s on a Xeon)"), "{figures}");
    assert!(figures.contains("; processor time per run: "), "{figures}");
}

//! What a page of claims shows.

use super::*;

fn half() -> page::Statement {
    page::Statement { id: "half".into(), says: "More than half are solved.".into(), ..page::Statement::default() }
}

#[test]
fn a_page_escapes_what_experiments_are_called() {
    let finding = rate(Event::Solved, ClaimedRate::AtLeast(0.5), &GOOD);
    let entry = page::Entry {
        statement: page::Statement { place: "p. 1 | <b>".into(), ..half() },
        finding: Finding { experiment: Some(link("../experiments/half.toml", &[])), ..finding },
        ..page::Entry::default()
    };
    let chapter =
        page::Chapter { title: "A & B".into(), source: "A, 2000".into(), text: String::new(), entries: vec![entry] };
    insta::assert_snapshot!(page::render("Reproduction", "Lead.", &[chapter]));
}

#[test]
fn a_page_shows_a_finding_and_its_confirmation() {
    let [found, again] = [&GOOD, &BAD].map(|runs| rate(Event::Solved, ClaimedRate::AtLeast(0.5), runs));
    let entry = page::Entry {
        statement: page::Statement { place: "ours".into(), ..half() },
        finding: Finding { experiment: Some(link("../half.toml", &[])), ..found },
        confirmation: Some(Finding { experiment: Some(link("../half.toml", &["experiment.seed=7"])), ..again }),
        ..page::Entry::default()
    };
    let chapter =
        page::Chapter { title: "Ours".into(), source: "2026".into(), text: String::new(), entries: vec![entry] };
    insta::assert_snapshot!(page::render("Reproduction", "Lead.", &[chapter]));
}

#[test]
fn readings_and_goals_are_no_claims_of_their_own() {
    let entry = |id: &str, reading_of: Option<&str>, is_goal| page::Entry {
        statement: page::Statement {
            id: id.into(),
            reading_of: reading_of.map(str::to_owned),
            is_goal,
            ..page::Statement::default()
        },
        finding: rate(Event::Solved, ClaimedRate::AtLeast(0.5), &BAD),
        ..page::Entry::default()
    };
    let mut claim = page::Entry { threshold: Some("at least 50 %".into()), ..entry("a", None, false) };
    claim.statement.caveat = Some("chosen to fit".into());
    let entries = vec![claim, entry("a-read", Some("a"), false), entry("b", None, true)];
    let chapter = page::Chapter { title: "T".into(), source: "S".into(), text: String::new(), entries };
    let page = page::render("Reproduction", "Lead.", std::slice::from_ref(&chapter));
    assert_eq!(
        page::totals(&[chapter]),
        "0 claims: 0 hold, 0 do not hold, 0 have the verdict \"cannot be told\", 0 are not judged (only our values are shown). We judge 1 more claim by our thresholds: \
         0 hold, 1 does not hold, 0 have the verdict \"cannot be told\". We also judge 1 other reading of these claims. Of our 1 goals, \
         0 are reached, 1 is not reached, 0 have the verdict \"cannot be told\""
    );
    for part in [
        "| claim | published | our threshold |",
        "| at least 50 % | at least 50 % |",
        "does not hold (by our threshold) (chosen to fit) |",
        "[a-read](#a-read), another reading |",
        "| does not hold (for this reading of the claim) |",
        "[b](#b), our goal |",
        "| **not reached** |",
        "\nThis is another reading of the claim [a](#a).\n",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

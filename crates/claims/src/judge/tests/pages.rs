//! What a page of claims shows.

use super::*;

#[test]
fn a_page_escapes_what_experiments_are_called() {
    let finding = rate(Event::Solved, ClaimedRate::AtLeast(0.5), &GOOD);
    let entry = page::Entry {
        id: "half".into(),
        place: "p. 1 | <b>".into(),
        says: "More than half are solved.".into(),
        experiment: Some(link("../experiments/half.toml", &[])),
        finding,
        ..page::Entry::default()
    };
    let chapter =
        page::Chapter { title: "A & B".into(), source: "A, 2000".into(), text: String::new(), entries: vec![entry] };
    insta::assert_snapshot!(page::render("Reproduction", "Lead.", &[chapter]));
}

#[test]
fn a_page_shows_a_finding_and_its_confirmation() {
    let entry = page::Entry {
        id: "half".into(),
        place: "ours".into(),
        says: "More than half are solved.".into(),
        experiment: Some(link("../half.toml", &[])),
        finding: rate(Event::Solved, ClaimedRate::AtLeast(0.5), &GOOD),
        confirmation: Some(page::Confirmation {
            experiment: link("../half.toml", &["experiment.seed=7"]),
            finding: rate(Event::Solved, ClaimedRate::AtLeast(0.5), &BAD),
        }),
        ..page::Entry::default()
    };
    let chapter =
        page::Chapter { title: "Ours".into(), source: "2026".into(), text: String::new(), entries: vec![entry] };
    insta::assert_snapshot!(page::render("Reproduction", "Lead.", &[chapter]));
}

#[test]
fn readings_and_goals_are_no_claims_of_their_own() {
    let entry = |id: &str, role| page::Entry {
        id: id.into(),
        role,
        finding: rate(Event::Solved, ClaimedRate::AtLeast(0.5), &BAD),
        ..page::Entry::default()
    };
    let claim = page::Entry {
        threshold: Some("at least 50 %".into()),
        caveat: Some("chosen to fit".into()),
        ..entry("a", page::Role::Claim)
    };
    let entries = vec![claim, entry("a-read", page::Role::Reading("a".into())), entry("b", page::Role::Goal)];
    let chapter = page::Chapter { title: "T".into(), source: "S".into(), text: String::new(), entries };
    let page = page::render("Reproduction", "Lead.", std::slice::from_ref(&chapter));
    assert_eq!(
        page::totals(&[chapter]),
        "0 claims: 0 hold, 0 do not, of 0 it cannot be told, 0 are figures of ours alone; of 1 more in words, by thresholds of ours, 0 hold, 1 do not, \
         of 0 it cannot be told; 1 further readings of them; of 1 goals of ours 0 are reached, 1 are not, of 0 it cannot be told"
    );
    for part in [
        "| claim | published | threshold of ours |",
        "| at least 50 % | at least 50 % |",
        "by our threshold: does not hold (chosen to fit) |",
        "[a-read](#a-read), another reading |",
        "| so read: does not hold |",
        "[b](#b), a goal of ours |",
        "| **not reached** |",
        "\nAnother reading of [a](#a).\n",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
}

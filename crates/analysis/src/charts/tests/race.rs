//! Races.

use super::*;
use crate::race::RecordedRace;

fn of(race: &RecordedRace) -> Result<Chart, ChartError> {
    let samples = groups(&[("ga", "100", "easy", 5, 10)]);
    draw(ChartKind::Race, &ChartInput { race: Some(race), ..input(&samples) })
}

#[test]
fn a_candidate_is_a_line_from_its_first_block_to_its_last_in_the_colour_of_its_fate() {
    let rows = [
        "1,0,winner,1,4,9,6,0,0.04,8123.4,12.34567890",
        "0,,worse,,0,3,4,2,25.5,,",
        "2,1,in the race,2,4,9,6,0,1.26,8.5,3",
        "3,1,set aside,,4,7,4,0,2,9,4",
    ];
    let race = recorded_race("rate", &rows);
    let chart = of(&race).expect("a chart");
    let [panel] = panels(&chart)[..] else { panic!("one panel") };
    let drawn = rows_of(panel);
    assert_eq!(
        drawn,
        [
            json!(["0", "shown to be worse", 0, 3, "rate = -", 4, 2, "25.5", "-", "-"]),
            json!(["1", "winner", 4, 9, "rate = 12.35", 6, 0, "0.04", "8123", "0"]),
            json!(["2", "in the race", 4, 9, "rate = 3", 6, 0, "1.26", "8.5", "1"]),
            json!(["3", "set aside", 4, 7, "rate = 4", 4, 0, "2", "9", "1"]),
        ]
    );
    let color = &panel["encoding"]["color"];
    assert_eq!(color["scale"]["domain"], json!(["winner", "in the race", "shown to be worse", "set aside"]));
    assert_eq!(color["type"], "nominal", "the colours of the palette");
    assert_eq!(panel["encoding"]["y"]["scale"]["domain"], json!(["0", "1", "2", "3"]), "the first at the top");
    insta::assert_snapshot!(chart.notes.iter().chain(&chart.caveats).cloned().collect::<Vec<_>>().join("\n"), @"
    Each of the 4 candidates has a line from its first to its last block. The first candidate is at the top. Fates: 1 winner, 1 in the race, 1 shown to be worse, 1 set aside.
    If the evidence against a candidate reaches 20, this shows that another candidate is better. The evidence against the best candidate can reach 20 by mistake. The probability of this mistake is at most 5 %.
    2 of 20 runs of the race failed. A failed run counts as worse than all other runs.
    ");
}

fn rows_of(panel: &Value) -> Vec<Value> {
    rows(panel, &["y", "series", "first", "last", "setting1", "runs", "failed", "evidence", "mean", "parent"])
}

#[test]
fn hundreds_of_candidates_are_thin_lines_without_labels() {
    let lines: Vec<String> = (0..300).map(|at| format!("{at},,worse,,0,3,4,0,20,1,{at}")).collect();
    let all: Vec<&str> = lines.iter().map(String::as_str).collect();
    let layout = |n: usize| {
        let chart = of(&recorded_race("rate", &all[..n])).expect("a chart");
        let height = chart.spec["height"].as_f64().expect("a height");
        let width = chart.spec["layer"][0]["mark"]["strokeWidth"].as_f64().expect("a width");
        (height, width, chart.spec["encoding"]["y"]["axis"]["labels"] == false)
    };
    assert_eq!(layout(20), (200.0, 2.0, false));
    let (height, width, has_no_labels) = layout(300);
    assert!(height <= 600.0 && width < height / 300.0 && has_no_labels, "{height} {width}");
}

#[test]
fn without_a_race_it_is_said_what_leaves_one() {
    let samples = groups(&[("ga", "100", "easy", 5, 10)]);
    let refusal = |race| draw(ChartKind::Race, &ChartInput { race, ..input(&samples) }).expect_err("none").to_string();
    let told = "race.csv is missing; only `runner tune` writes this file";
    assert_eq!(refusal(None), told);
    assert_eq!(refusal(Some(&recorded_race("rate", &[]))), told);
}

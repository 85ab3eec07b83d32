//! Session files of other programs: whatever stands beside a journal, an experiment's folder stays its own.

use crate::test_folder::TestFolder;

/// What a file may say that begins after every session of this program.
const SESSIONS: [&str; 6] = [
    "{\"experiment\": {\"name\": \"other\"}, \"runs\": 7, \"evogrid\": {\"results_version\": VERSION}}",
    "{\"evogrid\": {\"version\": \"0.1.0\"}}",
    "{\"evogrid\": \"another\"}",
    "{\"sessions\": null, \"experiment\": null}",
    "[\"none\"]",
    "7",
];

#[test]
fn no_session_replaces_what_a_manifest_says() {
    let folder = TestFolder::new("[10]", 1);
    folder.run(&["--out", "o"]);
    let manifest = || serde_json::from_str::<serde_json::Value>(&folder.read("o/manifest.json")).expect("it is JSON");
    let before = manifest();
    let version = before["evogrid"]["results_version"].to_string();
    for session in SESSIONS {
        folder.write("o/journal/z.session.json", session.replace("VERSION", &version));
        folder.run(&["--out", "o"]);
        let after = manifest();
        assert_eq!(
            (&after["experiment"], &after["runs"]["planned"]),
            (&before["experiment"], &before["runs"]["planned"]),
            "{session}"
        );
        folder.outputs(0, &["verify", "o"]);
    }
}

#[test]
fn a_living_process_is_named_in_one_line_whatever_its_session_says() {
    let folder = TestFolder::new("[10]", 1);
    folder.run(&["--out", "o"]);
    // Nothing is known of it but that its journal file was touched just now.
    folder.write("o/journal/z.jsonl", "");
    let host = "\"a\\nwarning: all is lost\\u001b[31m\"";
    folder.write("o/journal/z.session.json", format!("{{\"ended\": null, \"started\": [], \"host\": {host}}}"));
    let told = folder.run_to(1, &["--out", "o", "--fresh"]);
    assert!(told.contains("process ? (on a\u{fffd}warning: all is lost\u{fffd}[31m, since ?)"), "{told}");
}

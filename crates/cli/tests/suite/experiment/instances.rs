//! Instances of an experiment: a limit takes some of every bucket, and boards that cannot be solved, or in several ways, are told.

use serde_json::Value;

use crate::test_folder::TestFolder;

#[test]
fn a_limit_takes_so_many_of_every_bucket_and_the_manifest_says_that_others_are_left_out() {
    let folder = TestFolder::new("[20]", 1);
    let used = |folder: &TestFolder| {
        let manifest: Value = serde_json::from_str(&folder.read("results/test/manifest.json")).expect("it is JSON");
        manifest["all_instances_used"].clone()
    };
    folder.run(&["--set", "instances.0.buckets=[\"easy\", \"hard\"]", "--set", "instances.0.limit=2"]);
    assert_eq!(folder.column("results/test", "instance"), ["easy-01", "easy-02", "hard-01", "hard-02"]);
    assert_eq!(used(&folder), true);
    folder.run(&["--set", "instances.0.buckets=[\"easy\", \"hard\"]", "--set", "instances.0.limit=1"]);
    assert_eq!(folder.column("results/test", "instance"), ["easy-01", "hard-01"]);
    assert_eq!(used(&folder), false);
    let table = folder.outputs(0, &["table", "results/test"]).0;
    assert!(table.contains("`limit` leaves out 2 instances of the data sets."), "{table}");
    folder.outputs(0, &["merge", "results/test"]);
    assert_eq!(used(&folder), false, "a merge knows it, too");
}

#[test]
fn check_warns_of_boards_without_a_solution_and_with_several() {
    let folder = TestFolder::new("[20]", 1);
    assert_eq!(folder.outputs(0, &["check", "test.toml"]).1, "");
    let boards =
        "id,puzzle\nright,1234341221434321\nnone,123........4....\nopen,1...............\nwide,................\n";
    folder.write("boards.csv", boards);
    let (printed, messages) = folder.outputs(0, &["check", "test.toml"]);
    assert!(printed.starts_with("test.toml is valid: "), "{printed}");
    assert_eq!(
        messages,
        "warning: 1 instance has no solution: `none`\nwarning: 2 instances have several solutions: `open` and `wide`\n"
    );
}

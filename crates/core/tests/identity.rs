//! Seeds and ids of runs: if they change, no run of an earlier version is found again.

use evogrid_core::identity::{Fingerprint, RunId, run_seed};

#[test]
fn seeds_and_ids_never_change() {
    let instance = Fingerprint::of_instance("sudoku", "2x2 1...............");
    let seed = run_seed(2016, &instance, 0, None);
    assert_eq!(seed, 8_019_042_476_458_226);
    assert_eq!(
        RunId::new(&Fingerprint::of_settings("kind=\"genetic\"\n"), &instance, seed).to_string(),
        "r647c10ee78c358d1"
    );
}

//! Data sets as `[[instances]]` names them: plain, with the shape of boxes, and with filters.
//!
//! Every accepted instance has an id of its own that can be printed, and comes back from the text that a manifest keeps of it.
#![no_main]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use evogrid_core::identity::Fingerprint;
use evogrid_fuzz::{CATALOGUE, assert_harmless, check_or_refuse, scratch};
use evogrid_runner::experiment::document::Document;
use evogrid_runner::experiment::instance_list::InstanceList;
use evogrid_runner::experiment::spec::Spec;
use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| scratch("dataset", &[]));

/// What may stand in `[[instances]]` besides the problem and the path.
const OPTIONS: [&str; 3] = ["", "box = \"2x3\"", "buckets = [\"easy\", \"hard\"]\nids = [\"a\", \"b\"]\nlimit = 2"];

fuzz_target!(|bytes: &[u8]| {
    fs::write(FOLDER.join("boards.csv"), bytes).expect("a file");
    for options in OPTIONS {
        let text = format!(
            "[experiment]\nname = \"x\"\nseed = 1\nrepetitions = 1\n\
             [[instances]]\nproblem = \"sudoku\"\npath = \"boards.csv\"\n{options}\n[algorithms.huke]\npreset = \"huke\"\n"
        );
        let document = Document::parse("experiment.toml", text).expect("it is TOML");
        let spec = Spec::from_document(document, Path::new(&*FOLDER), &[], &CATALOGUE);
        check_or_refuse(spec, |spec| check(&spec.instances));
    }
});

fn check(instances: &InstanceList) {
    assert!(!instances.is_empty());
    let mut ids = BTreeSet::new();
    for (number, loaded) in instances.iter().enumerate() {
        assert_harmless(loaded.id);
        assert!(!loaded.id.is_empty() && ids.insert(loaded.id));
        let family = CATALOGUE.family(loaded.problem).expect("it was found before");
        let content = loaded.content;
        let restored = family.restore(content).expect("its own text");
        assert_eq!(restored.content(), content);
        assert_eq!(Fingerprint::of_instance(loaded.problem, content), *instances.fingerprint(number, &CATALOGUE));
    }
}

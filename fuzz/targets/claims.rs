//! Files of claims: from bytes to findings from the runs of a small experiment, or to diagnostics that can be shown.
#![no_main]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use evogrid_analysis::samples::{Roster, Samples};
use evogrid_claims::document::Claims;
use evogrid_claims::judge::page::{Chapter, Entry, render};
use evogrid_fuzz::{CATALOGUE, assert_harmless, check_or_refuse, scratch, spec};
use evogrid_results::runs::Reader;
use evogrid_runner::experiment::diagnostic::{Diagnostics, printable};
use evogrid_runner::experiment::document::{Document, read_from};
use evogrid_runner::experiment::plan::Plan;
use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let files = [
        ("boards.csv", include_str!("small/boards.csv")),
        ("small.toml", include_str!("small/experiment.toml")),
        ("published.csv", include_str!("small/published.csv")),
    ];
    scratch("claims", &files)
});

static ROSTER: LazyLock<Roster> = LazyLock::new(|| {
    let spec = spec(include_str!("small/experiment.toml"), &FOLDER);
    Plan::new(spec, Arc::clone(&CATALOGUE)).roster()
});

static SAMPLES: LazyLock<Samples> = LazyLock::new(|| {
    let reader = Reader::new("runs.csv", include_bytes!("small/runs.csv").as_slice());
    reader.and_then(Samples::read).expect("the target's own runs")
});

fuzz_target!(|bytes: &[u8]| check_or_refuse(read(bytes), judge));

fn read(bytes: &[u8]) -> Result<Claims, Diagnostics> {
    let text = read_from("claims.toml", bytes, 1 << 20)?;
    Claims::from_document(Document::parse("claims.toml", text)?, &FOLDER, &CATALOGUE)
}

fn judge(claims: Claims) {
    let mut entries = Vec::new();
    for claim in claims.claims {
        let finding = claim.kind.check(&ROSTER).and_then(|()| claim.kind.judge(&SAMPLES));
        let finding = match finding {
            Ok(finding) => finding,
            Err(wrong) => {
                let wrong = claims.document.diagnostic(&claim.span, wrong.to_string(), wrong.help());
                assert_harmless(&wrong.to_string());
                continue;
            }
        };
        entries.push(Entry { statement: claim.statement, finding, ..Entry::default() });
    }
    let chapter = Chapter { title: claims.title, source: claims.source, text: claims.text, entries };
    assert_harmless(&printable(&render("", "", &[chapter])));
}

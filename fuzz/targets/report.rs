//! All that is made of a file of runs beyond its table: comparisons, charts, the report's page, an export.
//!
//! An input is `runs.csv`, published figures, the text of a trace and a manifest, between lines of four dashes. Whatever stands
//! in them, the page is the same but for its title and its data, neither of which holds a `<`; and an export writes nothing but
//! plainly named files into its own folder.
#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use evogrid_analysis::Published;
use evogrid_analysis::compare::{CompareOptions, compare, render};
use evogrid_analysis::metric::METRICS;
use evogrid_analysis::samples::Samples;
use evogrid_cli::arguments::Cli;
use evogrid_cli::commands::execute;
use evogrid_fuzz::{CATALOGUE, FORMATS, assert_harmless, check_or_refuse, names, parts, scratch};
use evogrid_results::export::ioh;
use evogrid_results::runs::Reader;
use evogrid_runner::experiment::diagnostic::printable;
use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| scratch("report", &[]));

/// The parts of a page that no data reach.
static FRAME: LazyLock<String> = LazyLock::new(|| {
    let runs = "algorithm,instance,solved\na,x,true\n";
    let path = FOLDER.join("frame.csv");
    fs::write(&path, runs).expect("a file");
    let page = page(&path, None).expect("a page");
    fs::remove_file(path).expect("a file");
    frame_of(&page).0
});

fuzz_target!(|bytes: &[u8]| {
    let [runs, published, trace, manifest] = parts(bytes);
    let manifest = String::from_utf8_lossy(manifest);
    let Ok(samples) = Reader::new("runs.csv", runs).and_then(Samples::read) else { return };
    let frame = &*FRAME;
    let [runs_path, trace_path] = ["runs.csv", "trace.csv.gz"].map(|name| FOLDER.join(name));
    fs::write(&runs_path, runs).expect("a file");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(trace).expect("writing to memory cannot fail");
    fs::write(&trace_path, gzip.finish().expect("writing to memory cannot fail")).expect("a file");

    check_comparisons(&samples, &trace_path);
    let others = [("manifest.json", manifest.as_bytes()), ("published.csv", published)];
    let [manifest_path, published_path] = others.map(|(name, content)| {
        let path = FOLDER.join(name);
        fs::write(&path, content).expect("a file");
        path
    });
    let is_manifest = serde_json::from_str::<serde_json::Value>(&manifest).is_ok();
    let is_published = Published::read("published.csv", published).is_ok();
    let results = if is_manifest { FOLDER.as_path() } else { &runs_path };
    let page = page(results, is_published.then_some(&published_path));
    [manifest_path, published_path].iter().for_each(|path| fs::remove_file(path).expect("a file"));
    if let Some(page) = page {
        let (around, data) = frame_of(&page);
        assert_eq!(&around, frame);
        serde_json::from_str::<serde_json::Value>(data).expect("the data are JSON");
    }
    check_export(&runs_path, &trace_path);
});

/// The page that `runner report` writes for these results; `None` if the command refuses them.
fn page(results: &Path, published: Option<&PathBuf>) -> Option<String> {
    let out = FOLDER.join("page.html");
    let published = published.map(|path| ["--against".into(), path.into()]);
    let words = ["runner".into(), "report".into(), results.into(), "--out".into(), out.clone().into()];
    let cli = Cli::read(words.into_iter().chain(published.into_iter().flatten()).collect(), &CATALOGUE);
    execute(cli, evogrid_cli::catalogue()).ok()?;
    let page = fs::read_to_string(&out).expect("the page");
    fs::remove_file(out).expect("the page");
    Some(page)
}

/// A page without its title and its data, and the data.
fn frame_of(page: &str) -> (String, &str) {
    let (head, rest) = page.split_once("<title>").expect("a title");
    let (title, rest) = rest.split_once("</title>").expect("a title");
    let (body, rest) = rest.split_once("id=\"data\">").expect("data");
    let (data, end) = rest.split_once("</script>").expect("data");
    assert!(!title.contains('<') && !data.contains('<'), "{title}\n{data}");
    ([head, body, end].concat(), data)
}

fn check_comparisons(samples: &Samples, trace: &Path) {
    for declared in METRICS.iter() {
        match compare(samples, declared.metric, CompareOptions::default()) {
            Ok(comparison) => {
                for format in FORMATS {
                    assert_harmless(&render(&comparison, format, &[]));
                }
            }
            Err(refusal) => assert_harmless(&printable(&refusal.to_string())),
        }
    }
    let _ = samples.clone().read_diversity(trace, &[0, 10]);
}

fn check_export(runs: &Path, trace: &Path) {
    let dimensions = BTreeMap::from([("one".to_owned(), 10)]);
    for trace in [None, Some(trace)] {
        let out = FOLDER.join("out");
        check_or_refuse(
            ioh::export(&ioh::Request { runs, columns: &[], trace, dimensions: &dimensions, out: &out }),
            |_| {
                check_names(&out);
                fs::remove_dir_all(&out).expect("the export");
            },
        );
        assert_eq!(names(&FOLDER), ["runs.csv", "trace.csv.gz"]);
        assert_eq!(names(FOLDER.parent().expect("a folder")), ["inside"]);
    }
}

/// All that is in a folder has a plain name, and leads nowhere else.
fn check_names(folder: &Path) {
    for name in names(folder) {
        assert!(name.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character)), "{name}");
        let path = folder.join(name);
        assert!(!path.is_symlink());
        if path.is_dir() {
            check_names(&path);
        }
    }
}

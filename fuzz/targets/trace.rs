//! Traces: a `trace.csv.gz`, or the text in one, and after a line of four dashes a line of a journal.
//!
//! However long a file is when it is no longer compressed, reading it takes little memory, and it says what its rows say. The trace of a
//! record is written, compressed and read back the same.
#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::Samples;
use evogrid_fuzz::{check_or_refuse, parts, scratch, within_memory};
use evogrid_results::Record;
use evogrid_results::export::ioh;
use evogrid_results::runs::Reader;
use evogrid_results::trace::{Point, Trace, Trigger, Writer};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;

/// What reading a trace may take, in bytes, and how long one in a thousand is made.
const MEMORY: usize = 4 << 20;
const LONG: usize = 8 << 20;

/// The generations whose diversity is asked for.
const GENERATIONS: [u64; 3] = [0, 2, 10];

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| scratch("trace", &[("runs.csv", include_str!("small/runs.csv"))]));

static SAMPLES: LazyLock<Samples> = LazyLock::new(|| {
    let reader = Reader::new("runs.csv", include_bytes!("small/runs.csv").as_slice());
    reader.and_then(Samples::read).expect("the target's own runs")
});

fuzz_target!(|bytes: &[u8]| {
    let [file, line] = parts(bytes);
    let path = FOLDER.join("trace.csv.gz");
    check_file(file, &path);
    let record = str::from_utf8(line).ok().and_then(|line| serde_json::from_str::<Record>(line).ok());
    if let Some((record, trace)) = record.and_then(|record| Some((record.clone(), record.trace?))) {
        let text = serde_json::to_string(&record).expect("a record is JSON");
        assert_eq!(serde_json::from_str::<Record>(&text).expect("its own line"), record);
        check_trace(&trace, &path);
    }
});

fn check_file(file: &[u8], path: &Path) {
    if file.starts_with(&[0x1f, 0x8b]) {
        fs::write(path, file).expect("a file");
    } else {
        // What follows the first line stands once, or very often. Where nothing does, the first has no end.
        let start = file.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let (first, rest) = file.split_at(if start == file.len() { 0 } else { start });
        let is_long = !rest.is_empty() && crc32fast::hash(file).is_multiple_of(1024);
        let times = if is_long { LONG / rest.len() } else { 1 };
        let mut gzip = GzEncoder::new(fs::File::create(path).expect("a file"), Compression::fast());
        gzip.write_all(first).expect("a file");
        (0..times).for_each(|_| gzip.write_all(rest).expect("a file"));
        gzip.finish().expect("a file");
    }
    let mut samples = SAMPLES.clone();
    let read = within_memory(MEMORY, || samples.read_diversity(path, &GENERATIONS));
    check_or_refuse(read, |()| {
        if let Some(expected) = str::from_utf8(file).ok().and_then(plain_diversity) {
            assert_diversity(&samples, |run, generation| expected.get(&(run, generation)).copied());
        }
    });
    let out = FOLDER.join("out");
    let dimensions = BTreeMap::from([("one".to_owned(), 10), ("two".to_owned(), 10)]);
    let request = ioh::Request {
        runs: &FOLDER.join("runs.csv"),
        columns: &[],
        trace: Some(path),
        dimensions: &dimensions,
        out: &out,
    };
    let exported = within_memory(MEMORY, || ioh::export(&request));
    check_or_refuse(exported, |_| fs::remove_dir_all(&out).expect("the export"));
}

/// The last diversity of each run and generation, of a text in which every field is plain.
fn plain_diversity(text: &str) -> Option<BTreeMap<(u64, u64), f64>> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || ",.-+_\n".contains(sign);
    if !text.chars().all(is_plain) {
        return None;
    }
    let mut lines = text.lines().filter(|line| !line.is_empty()).map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next()?;
    let [run, generation, diversity] =
        ["run", "generation", "diversity"].map(|name| names.iter().position(|other| *other == name));
    let (run, generation, diversity) = (run?, generation?, diversity?);
    let mut values = BTreeMap::new();
    for line in lines {
        let Ok(value) = line.get(diversity)?.parse() else { continue };
        // Other programs write whole numbers in other ways.
        values.insert((line.get(run)?.parse().ok()?, line.get(generation)?.parse().ok()?), value);
    }
    Some(values)
}

#[track_caller]
fn assert_diversity(samples: &Samples, expected: impl Fn(u64, u64) -> Option<f64>) {
    for sample in &samples.runs {
        for generation in GENERATIONS {
            let found = Metric::Diversity { generation }.figure(samples, sample);
            assert_eq!(found, expected(sample.run, generation), "run {}, generation {generation}", sample.run);
        }
    }
}

fn check_trace(trace: &Trace, path: &Path) {
    const RUN: u64 = 3;
    let mut writer = Writer::new(fs::File::create(path).expect("a file"), trace.trigger).expect("a file");
    writer.write(RUN, &trace.points).and_then(|()| writer.finish()).expect("a file");
    let text = io::read_to_string(GzDecoder::new(fs::File::open(path).expect("a file"))).expect("our own file");
    let has_population = matches!(trace.trigger, Trigger::Every(_));
    let read: Vec<Point> = text.lines().skip(1).map(|line| point(line, RUN)).collect();
    let seen = |value: Option<f64>| value.filter(|_| has_population);
    let written = trace.points.iter().map(|point| Point {
        mean_fitness: seen(point.mean_fitness),
        diversity: seen(point.diversity),
        ..*point
    });
    assert!(read.iter().copied().eq(written), "{trace:?}\n{text}");
    if has_population {
        let mut samples = SAMPLES.clone();
        samples.read_diversity(path, &GENERATIONS).expect("our own file");
        assert_diversity(&samples, |run, generation| {
            let mut points = trace.points.iter().filter(|point| run == RUN && point.generation == generation);
            points.rfind(|point| point.diversity.is_some())?.diversity
        });
    }
}

/// A row as a point.
fn point(line: &str, expected: u64) -> Point {
    let fields: Vec<&str> = line.split(',').collect();
    let real = |at: usize| fields.get(at).filter(|text| !text.is_empty()).map(|text| text.parse().expect("a number"));
    let [run, evaluations, generation] = [0, 1, 2].map(|at| fields[at].parse::<u64>().expect("a whole number"));
    assert_eq!(run, expected);
    let best_fitness = real(3).expect("a number");
    Point { evaluations, generation, best_fitness, mean_fitness: real(4), diversity: real(5) }
}

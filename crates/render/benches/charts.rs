//! The time that a chart takes: the engine's start, a drawing, a picture, a page, and the first chart of a process as a whole.

use divan::{Bencher, black_box};
use evogrid_render::{Renderer, pdf, png};
use serde_json::Value;

fn main() {
    divan::main();
}

fn spec(name: &str) -> Value {
    let text = match name {
        "boxes" => include_str!("../samples/boxes.vl.json"),
        "ecdf" => include_str!("../samples/ecdf.vl.json"),
        "heatmap" => include_str!("../samples/heatmap.vl.json"),
        "scatter" => include_str!("../samples/scatter.vl.json"),
        _ => include_str!("../samples/success.vl.json"),
    };
    serde_json::from_str(text).expect("JSON")
}

const SAMPLES: [&str; 5] = ["boxes", "ecdf", "heatmap", "scatter", "success"];

#[divan::bench(sample_count = 20)]
fn start() -> Renderer {
    Renderer::new().expect("an engine")
}

#[divan::bench(sample_count = 20)]
fn first_svg() -> String {
    Renderer::new().expect("an engine").svg(&spec("success")).expect("a drawing")
}

#[divan::bench(args = SAMPLES, sample_count = 20)]
fn svg(bencher: Bencher<'_, '_>, name: &str) {
    let mut renderer = Renderer::new().expect("an engine");
    let spec = spec(name);
    bencher.bench_local(|| renderer.svg(black_box(&spec)).expect("a drawing"));
}

/// Some 960 x 660 pixels.
#[divan::bench(sample_count = 20)]
fn picture(bencher: Bencher<'_, '_>) {
    let svg = Renderer::new().expect("an engine").svg(&spec("ecdf")).expect("a drawing");
    bencher.bench(|| png(black_box(&svg), 3.0).expect("a picture"));
}

#[divan::bench(sample_count = 20)]
fn page(bencher: Bencher<'_, '_>) {
    let svg = Renderer::new().expect("an engine").svg(&spec("ecdf")).expect("a drawing");
    bencher.bench(|| pdf(black_box(&svg)).expect("a page"));
}

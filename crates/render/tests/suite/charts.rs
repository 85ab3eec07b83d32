//! Charts as their readers see them: what is drawn, how large, and that it is always the same.

use std::collections::BTreeMap;

use evogrid_render::{PALETTE, Renderer, VEGA, VEGA_EMBED, VEGA_LITE, dark_theme, pdf, png, theme};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::{Document, Node};
use serde_json::{Value, json};

const SAMPLES: [(&str, &str); 5] = [
    ("boxes", include_str!("../../samples/boxes.vl.json")),
    ("ecdf", include_str!("../../samples/ecdf.vl.json")),
    ("heatmap", include_str!("../../samples/heatmap.vl.json")),
    ("scatter", include_str!("../../samples/scatter.vl.json")),
    ("success", include_str!("../../samples/success.vl.json")),
];

fn sample(name: &str) -> Value {
    let (_, text) = SAMPLES.iter().find(|(sample, _)| *sample == name).expect("a sample");
    serde_json::from_str(text).expect("JSON")
}

fn draw(spec: &Value) -> String {
    Renderer::new().expect("an engine").svg(spec).expect("a drawing")
}

/// Points with one series for each name.
fn points(names: &[&str]) -> Value {
    let values: Vec<_> = names.iter().enumerate().map(|(x, name)| json!({ "x": x, "name": name })).collect();
    json!({
        "data": { "values": values },
        "mark": "point",
        "encoding": {
            "x": { "field": "x", "type": "quantitative" },
            "color": { "field": "name", "type": "nominal", "sort": null }
        }
    })
}

/// The number of marks of each kind; axes and legends are not marks.
fn marks(svg: &str) -> BTreeMap<String, usize> {
    let document = Document::parse(svg).expect("XML");
    let mut found = BTreeMap::new();
    for node in document.descendants() {
        let mut classes = node.attribute("class").unwrap_or_default().split(' ');
        if let (Some(kind), Some("role-mark")) = (classes.next(), classes.next()) {
            *found.entry(kind.to_owned()).or_default() += node.children().filter(Node::is_element).count();
        }
    }
    found
}

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("XML");
    document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

#[test]
fn samples_are_drawn_without_a_warning() {
    let mut renderer = Renderer::new().expect("an engine");
    for (name, _) in SAMPLES {
        let svg = renderer.svg(&sample(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(renderer.warnings(), [""; 0], "{name}");
        Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn warnings_of_vega_are_returned() {
    let mut renderer = Renderer::new().expect("an engine");
    let mut spec = points(&["a"]);
    spec["encoding"]["theta"] = json!({ "field": "x", "type": "quantitative" });
    renderer.svg(&spec).expect("a drawing");
    assert!(renderer.warnings().iter().any(|warning| warning.contains("theta")), "{:?}", renderer.warnings());
    renderer.svg(&points(&["a"])).expect("a drawing");
    assert_eq!(renderer.warnings(), [""; 0]);
}

#[test]
fn every_datum_has_its_mark() {
    for (name, expected) in [
        ("boxes", vec![("mark-rule", 4), ("mark-rect", 8), ("mark-symbol", 15)]),
        ("heatmap", vec![("mark-rect", 36), ("mark-text", 36)]),
        ("scatter", vec![("mark-symbol", 200)]),
        ("success", vec![("mark-rule", 18), ("mark-symbol", 18), ("mark-line", 3)]),
        ("ecdf", vec![("mark-area", 3), ("mark-line", 3)]),
    ] {
        let found = marks(&draw(&sample(name)));
        for (kind, count) in expected {
            assert_eq!(found.get(kind), Some(&count), "{name}, {kind}: {found:?}");
        }
    }
}

#[test]
fn axes_and_legends_say_what_is_shown() {
    let found = texts(&draw(&sample("success")));
    for text in ["population size", "success rate", "genetic", "combinatorial evolution", "2,000", "60%"] {
        assert!(found.iter().any(|found| found == text), "no {text:?} in {found:?}");
    }
}

#[test]
fn labels_are_text_whatever_stands_in_them() {
    let names = ["<script>alert(1)</script>", "a & b", "\"quoted\" 'so'", "µ ≤ λ, наука, 日本語", "]]> <!-- x"];
    let svg = draw(&points(&names));
    assert!(!svg.contains("<script"), "{svg}");
    let found = texts(&svg);
    for name in names {
        assert!(found.iter().any(|found| found == name), "no {name:?} in {found:?}");
    }
}

#[test]
fn characters_that_xml_must_not_hold_are_replaced() {
    let names = ["bell \u{7}", "nul \0", "no character \u{ffff}"];
    let svg = draw(&points(&names));
    assert!(texts(&svg).contains(&"bell \u{fffd}".to_owned()));
    assert!(pdf(&svg).is_ok());
    // Cut between the two halves of a surrogate pair.
    let mut long = points(&[&"😀".repeat(40)]);
    let mut renderer = Renderer::new().expect("an engine");
    for limit in 60..70 {
        long["config"] = json!({ "legend": { "labelLimit": limit } });
        Document::parse(&renderer.svg(&long).expect("a drawing")).expect("XML");
    }
}

#[test]
fn texts_are_measured_not_guessed() {
    // 40 letters of 2.2 pixels; guessed at 8 they would be cut.
    let narrow = "i".repeat(40);
    // 30 letters of 9.4 pixels: cut.
    let wide = "W".repeat(30);
    let found = texts(&draw(&points(&[&narrow, &wide])));
    assert!(found.contains(&narrow), "{found:?}");
    assert!(found.iter().any(|text| text.starts_with("WWW") && text.ends_with('…')), "{found:?}");
}

#[test]
fn a_drawing_is_as_large_as_asked() {
    for name in ["boxes", "ecdf", "heatmap", "success"] {
        let svg = draw(&sample(name));
        for (scale, size) in [(1.0, (320, 220)), (2.5, (800, 550))] {
            let picture = Pixmap::decode_png(&png(&svg, scale).expect("a picture")).expect("a PNG");
            assert_eq!((picture.width(), picture.height()), size, "{name}");
        }
    }
}

#[test]
fn a_picture_shows_the_chart_on_white() {
    let picture = Pixmap::decode_png(&png(&draw(&sample("success")), 1.0).expect("a picture")).expect("a PNG");
    let pixels = picture.pixels();
    let share = |red, green, blue| {
        let same = pixels.iter().filter(|pixel| (pixel.red(), pixel.green(), pixel.blue()) == (red, green, blue));
        same.count() as f64 / pixels.len() as f64
    };
    assert!(share(255, 255, 255) > 0.7);
    // Blue and orange, the first two series.
    assert!(share(0x00, 0x72, 0xb2) > 0.001);
    assert!(share(0xe6, 0x9f, 0x00) > 0.001);
}

#[test]
fn a_page_holds_its_font_and_is_a_column_wide() {
    let page = pdf(&draw(&sample("success"))).expect("a page");
    assert!(page.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&page);
    assert!(text.trim_end().ends_with("%%EOF"));
    assert!(text.contains("+Arimo"), "no font's name");
    assert!(text.contains("/FontFile"), "no font");
    assert!(text.contains("/MediaBox [0 0 240 165]"), "no size");
    assert!(text.contains("/ToUnicode"), "its text cannot be searched");
}

#[test]
fn a_page_is_scaled_with_its_gradients() {
    let page = pdf(&draw(&sample("heatmap"))).expect("a page");
    // The legend's 160 x 8 pixels.
    assert!(String::from_utf8_lossy(&page).contains("/Matrix [120 0 0 -6 "));
}

#[test]
fn what_stands_before_a_drawing_is_no_part_of_it() {
    let svg = draw(&sample("success"));
    let whole = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by hand -->\n{svg}");
    assert!(pdf(&whole) == pdf(&svg));
    assert!(png(&whole, 1.0) == png(&svg, 1.0));
}

#[test]
fn the_same_chart_is_drawn_to_the_same_bytes() {
    let mut one = Renderer::new().expect("an engine");
    let first: Vec<_> = SAMPLES.iter().map(|(name, _)| one.svg(&sample(name)).expect("a drawing")).collect();
    for ((name, _), svg) in SAMPLES.iter().zip(&first).rev() {
        assert!(*svg == one.svg(&sample(name)).expect("a drawing"), "{name} differs after others");
        assert!(*svg == draw(&sample(name)), "{name} differs in a new engine");
        assert!(png(svg, 1.0) == png(svg, 1.0), "{name}");
    }
}

#[test]
fn the_same_page_has_the_same_bytes() {
    let mut spec = sample("ecdf");
    // In bold: a second font.
    spec["title"] = json!("Runs solved");
    let svg = draw(&spec);
    let page = pdf(&svg).expect("a page");
    for _ in 0..20 {
        assert!(page == pdf(&svg).expect("a page"));
    }
}

#[test]
fn a_page_finds_its_objects() {
    let mut spec = sample("heatmap");
    spec["title"] = json!("Success");
    let page = pdf(&draw(&spec)).expect("a page");
    let find =
        |text: &[u8], from: usize| page[from..].windows(text.len()).position(|part| part == text).map(|at| from + at);
    let start = find(b"startxref\n", 0).expect("an end") + 10;
    let table: usize =
        str::from_utf8(&page[start..]).expect("text").lines().next().expect("a place").parse().expect("a number");
    let table = str::from_utf8(&page[table..start]).expect("text");
    assert!(table.starts_with("xref\n0 "));
    let places: Vec<_> = table.lines().filter(|line| line.ends_with('n')).collect();
    assert!(places.len() > 20, "{table}");
    for (at, place) in places.iter().enumerate() {
        let place: usize = place[..10].parse().expect("a place");
        assert!(page[place..].starts_with(format!("{} 0 obj\n", at + 1).as_bytes()), "{}", at + 1);
    }
    let size = format!("/Size {}\n", places.len() + 1);
    assert!(table.contains(&size) && table.contains("/Root 1 0 R"), "{table}");
    assert!(find(b"endobj\n", 0).is_some());
    for name in ["Arimo", "Arimo-Bold"] {
        let (entry, name) = ("/FontName /", format!("+{name}"));
        let text = String::from_utf8_lossy(&page);
        assert!(text.lines().any(|line| line.contains(entry) && line.ends_with(&name)), "no {name}");
    }
}

#[test]
fn drawings_do_not_depend_on_what_was_drawn_before() {
    let mut renderer = Renderer::new().expect("an engine");
    let heatmap = renderer.svg(&sample("heatmap"));
    for _ in 0..3 {
        assert!(heatmap == renderer.svg(&sample("heatmap")));
    }
}

#[test]
fn random_numbers_are_the_same_in_every_drawing() {
    let mut renderer = Renderer::new().expect("an engine");
    let mut spec = points(&["a", "b", "c"]);
    spec["transform"] = json!([{ "calculate": "random()", "as": "y" }]);
    spec["encoding"]["y"] = json!({ "field": "y", "type": "quantitative" });
    assert_eq!(renderer.svg(&spec), renderer.svg(&spec));
}

#[test]
fn a_specification_takes_precedence_over_the_theme() {
    let mut spec = points(&["a"]);
    let svg = draw(&spec);
    assert!(svg.contains(PALETTE[0]), "{svg}");
    assert!(svg.contains("Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif"), "{svg}");
    spec["config"] = json!({ "range": { "category": ["#123456"] } });
    assert!(draw(&spec).contains("#123456"));
    spec["config"] = dark_theme();
    let dark = draw(&spec);
    assert!(dark.contains("#16181D"), "{dark}");
    assert!(!dark.contains("#222222"), "{dark}");
}

/// CIE L* of `#rrggbb`, 0 to 100.
fn lightness(colour: &str) -> f64 {
    let part = |from| {
        let value = f64::from(u8::from_str_radix(&colour[from..from + 2], 16).expect("two digits")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance: f64 = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
    if luminance > 0.008_856 { 116.0 * luminance.cbrt() - 16.0 } else { 903.3 * luminance }
}

#[test]
fn neighbours_differ_in_grey_print() {
    for (name, config) in [("paper", theme()), ("dark", dark_theme())] {
        let colours = config["range"]["category"].as_array().expect("colours").clone();
        let greys: Vec<_> = colours.iter().map(|colour| lightness(colour.as_str().expect("a colour"))).collect();
        for pair in greys.windows(2) {
            assert!((pair[0] - pair[1]).abs() > 8.0, "{name}: {greys:?}");
        }
        for (at, grey) in greys[..3].iter().enumerate() {
            assert!(greys[..at].iter().all(|other| (grey - other).abs() > 14.0), "{name}: {greys:?}");
        }
        let background = lightness(config["background"].as_str().expect("a colour"));
        assert!(greys.iter().all(|grey| (grey - background).abs() > 25.0), "{name}: {greys:?} on {background}");
    }
}

/// CIE L*a*b* of linear red, green and blue.
fn lab(linear: [f64; 3]) -> [f64; 3] {
    const TO_XYZ: [[f64; 3]; 3] =
        [[0.412_456, 0.357_576, 0.180_438], [0.212_673, 0.715_152, 0.072_175], [0.019_334, 0.119_192, 0.950_304]];
    const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];
    let xyz = times(TO_XYZ, linear.map(|part| part.clamp(0.0, 1.0)));
    let [x, y, z] = [0, 1, 2].map(|at| match xyz[at] / WHITE[at] {
        part if part > 0.008_856 => part.cbrt(),
        part => (903.3 * part + 16.0) / 116.0,
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn times(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(one, other)| one * other).sum())
}

/// G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE
/// TVCG 15(6), 2009, doi:10.1109/TVCG.2009.113, table of severity 1.
const VISIONS: [(&str, [[f64; 3]; 3]); 3] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
];

#[test]
fn colours_differ_for_every_reader() {
    for (name, config) in [("paper", theme()), ("dark", dark_theme())] {
        let colours = config["range"]["category"].as_array().expect("colours").clone();
        let linear = |colour: &Value| {
            [1, 3, 5].map(|from| {
                let text = colour.as_str().expect("a colour");
                let value = f64::from(u8::from_str_radix(&text[from..from + 2], 16).expect("two digits")) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            })
        };
        for (vision, matrix) in VISIONS {
            let seen: Vec<[f64; 3]> = colours.iter().map(|colour| lab(times(matrix, linear(colour)))).collect();
            for (at, one) in seen.iter().enumerate() {
                for (before, other) in seen[..at].iter().enumerate() {
                    let distance = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    let least = if at == before + 1 { 35.0 } else { 25.0 };
                    assert!(distance >= least, "{name}, {vision}: {before} and {at} differ by {distance}");
                }
            }
        }
    }
}

#[test]
fn a_picture_says_its_density() {
    let picture = png(&draw(&sample("success")), 300.0 / 96.0).expect("a picture");
    let place = picture.windows(4).position(|part| part == b"pHYs").expect("a density");
    // 300 pixels an inch are 11811 a metre, as libpng writes them; the checksum is that of zlib.crc32.
    assert_eq!(picture[place..place + 17], *b"pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01\x78\xa5\x3f\x76");
    assert!(Pixmap::decode_png(&picture).is_ok());
}

#[test]
fn the_scripts_can_stand_in_a_page() {
    for (script, name) in [(VEGA, "vega={}"), (VEGA_LITE, "vegaLite={}"), (VEGA_EMBED, "vegaEmbed=")] {
        assert!(script.contains(name), "no {name}");
        let script = script.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"), "{name}");
    }
}

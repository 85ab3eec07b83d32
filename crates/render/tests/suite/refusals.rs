//! Specifications that are wrong, refer outside or take too much: always an error that says so, never a panic, and the next chart
//! is drawn.

use std::time::Duration;

use evogrid_render::{DEEPEST_NESTING, LONGEST_SIDE, Limits, RenderError, Renderer, pdf, png};
use serde_json::{Value, json};

fn bars() -> Value {
    json!({
        "data": { "values": [{ "x": "a", "y": 1 }, { "x": "b", "y": 2.5 }] },
        "transform": [{ "calculate": "datum.y * 2", "as": "z" }],
        "mark": { "type": "bar", "tooltip": true },
        "encoding": {
            "x": { "field": "x", "type": "nominal", "axis": { "title": "letter" } },
            "y": { "field": "z", "type": "quantitative", "scale": { "domain": [0, 5] } }
        }
    })
}

fn refusal(spec: &Value) -> RenderError {
    let mut renderer = Renderer::new().expect("an engine");
    let error = renderer.svg(spec).expect_err("an error");
    assert!(renderer.svg(&bars()).is_ok(), "no chart is drawn after: {error}");
    error
}

#[test]
fn an_exception_is_told() {
    let mut spec = bars();
    spec["transform"][0]["calculate"] = json!("datum.y *");
    let message = refusal(&spec).to_string();
    assert_eq!(message, "cannot draw the chart: Unexpected end of input");

    let message = refusal(&json!({ "mark": "bar", "data": 7, "encoding": 3, "layer": "no" })).to_string();
    assert!(message.starts_with("cannot draw the chart: "), "{message}");
}

#[test]
fn an_unknown_function_is_told() {
    let mut spec = bars();
    spec["transform"][0]["calculate"] = json!("fetch('x')");
    assert_eq!(refusal(&spec).to_string(), "cannot draw the chart: Unrecognized function: fetch");
}

#[test]
fn nothing_is_loaded() {
    let place = "https://example.org/numbers.csv";
    let with = |change: &dyn Fn(&mut Value)| {
        let mut spec = bars();
        change(&mut spec);
        spec
    };
    let cases = [
        ("data", with(&|spec| spec["data"] = json!({ "url": place }))),
        (
            "a layer's data",
            json!({ "layer": [bars(), with(&|spec| spec["data"] = json!({ "url": place, "format": { "type": "csv" } }))] }),
        ),
        (
            "a lookup",
            with(&|spec| {
                spec["transform"] =
                    json!([{ "lookup": "x", "from": { "data": { "url": place }, "key": "x", "fields": ["z"] } }]);
            }),
        ),
        ("an image", with(&|spec| spec["mark"] = json!({ "type": "image", "url": place }))),
        ("a link", with(&|spec| spec["encoding"]["href"] = json!({ "value": place }))),
        ("a paint", with(&|spec| spec["mark"] = json!({ "type": "bar", "fill": format!("url({place})") }))),
        ("a hidden paint", with(&|spec| spec["mark"] = json!({ "type": "bar", "fill": format!("ur\\6c({place})") }))),
        ("a background", with(&|spec| spec["background"] = json!(format!("URL('{place}')")))),
    ];
    for (name, spec) in cases {
        match refusal(&spec) {
            RenderError::ExternalReference { url } => assert!(url.contains(place), "{name}: {url}"),
            other => panic!("{name}: {other}"),
        }
    }
}

#[test]
fn a_name_with_an_address_in_it_is_no_link() {
    let mut spec = bars();
    spec["data"]["values"][0]["x"] = json!("fill=\"url(https://example.org)\" \\");
    spec["encoding"]["x"]["axis"]["title"] = json!("https://example.org");
    Renderer::new().expect("an engine").svg(&spec).expect("a drawing");
}

#[test]
fn deep_nesting_is_refused() {
    let mut nested = json!(1);
    for _ in 0..DEEPEST_NESTING {
        nested = json!([nested]);
    }
    assert!(!matches!(refusal(&json!({ "data": { "values": [nested.clone()] } })), RenderError::TimeLimit { .. }));
    assert_eq!(refusal(&json!([nested])), RenderError::Nesting { limit: DEEPEST_NESTING });
    for _ in 0..200 {
        nested = json!({ "layer": [nested] });
    }
    assert_eq!(refusal(&nested), RenderError::Nesting { limit: DEEPEST_NESTING });
}

#[test]
fn layers_within_layers_are_an_error_or_a_chart() {
    let mut spec = bars();
    for _ in 0..DEEPEST_NESTING / 2 - 5 {
        spec = json!({ "layer": [spec] });
    }
    let mut renderer = Renderer::new().expect("an engine");
    drop(renderer.svg(&spec));
    assert!(renderer.svg(&bars()).is_ok());
}

/// Every value of a specification in turn becomes `junk`.
fn broken(spec: &Value, junk: &Value) -> Vec<Value> {
    let mut all = vec![junk.clone()];
    match spec {
        Value::Object(parts) => {
            for (key, part) in parts {
                for broken in broken(part, junk) {
                    let mut whole = parts.clone();
                    whole.insert(key.clone(), broken);
                    all.push(Value::Object(whole));
                }
            }
        }
        Value::Array(parts) => {
            for (at, part) in parts.iter().enumerate() {
                for broken in broken(part, junk) {
                    let mut whole = parts.clone();
                    whole[at] = broken;
                    all.push(Value::Array(whole));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn no_json_is_too_strange() {
    let mut renderer = Renderer::new().expect("an engine");
    let mut drawn = 0;
    let mut refused = 0;
    for junk in [json!(null), json!("\0<"), json!(-1e308), json!([[], {}]), json!({ "__proto__": { "type": 1 } })] {
        for spec in broken(&bars(), &junk) {
            match renderer.svg(&spec) {
                Ok(svg) => {
                    // What is drawn can be looked at, unless it has no size.
                    drop(png(&svg, 1.0));
                    drawn += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().ends_with(": "), "{spec}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(drawn > 20 && refused > 20, "{drawn} drawn, {refused} refused");
    assert!(renderer.svg(&bars()).is_ok());
}

#[test]
fn time_is_bounded() {
    let limits = Limits { time: Duration::from_secs(3), ..Limits::default() };
    let mut renderer = Renderer::with_limits(limits).expect("an engine");
    let mut spec = bars();
    // Its backtracking takes exponential time.
    spec["transform"][0]["calculate"] = json!(format!("test(regexp('^(a+)+$'), '{}b')", "a".repeat(60)));
    assert_eq!(renderer.svg(&spec), Err(RenderError::TimeLimit { seconds: 3.0 }));
    assert!(renderer.svg(&bars()).is_ok());

    let none = Limits { time: Duration::ZERO, ..Limits::default() };
    assert!(matches!(Renderer::with_limits(none).err(), Some(RenderError::TimeLimit { .. })));
}

#[test]
fn memory_is_bounded() {
    let limits = Limits { bytes: 64 << 20, ..Limits::default() };
    let mut renderer = Renderer::with_limits(limits).expect("an engine");
    let mut spec = bars();
    spec["data"] = json!({ "sequence": { "start": 0, "stop": 1e9 } });
    assert_eq!(renderer.svg(&spec), Err(RenderError::MemoryLimit { bytes: 64 << 20 }));
    assert!(renderer.svg(&bars()).is_ok());

    let little = Limits { bytes: 100_000, ..Limits::default() };
    assert!(matches!(
        Renderer::with_limits(little).err(),
        Some(RenderError::MemoryLimit { .. } | RenderError::Start { .. })
    ));
}

#[test]
fn pictures_have_bounded_sides() {
    let svg = Renderer::new().expect("an engine").svg(&bars()).expect("a drawing");
    for scale in [0.0, -1.0, 1e-9, 1e6, f32::INFINITY, f32::NAN] {
        match png(&svg, scale) {
            Err(RenderError::PictureSize { limit, .. }) => assert_eq!(limit, LONGEST_SIDE),
            other => panic!("{scale}: {other:?}"),
        }
    }
}

#[test]
fn only_svg_becomes_a_picture_or_a_page() {
    for text in ["", "no", "<p/>", "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='5'/>"] {
        for result in [png(text, 1.0), pdf(text)] {
            assert!(matches!(result, Err(RenderError::Svg { .. })), "{text}: {result:?}");
        }
    }
}

#[test]
fn pictures_load_nothing() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><image href='Cargo.toml' width='9' height='9'/>\
               <image href='data:image/png;base64,AAAA' width='9' height='9'/></svg>";
    let empty = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'/>";
    assert_eq!(png(svg, 1.0), png(empty, 1.0));
}

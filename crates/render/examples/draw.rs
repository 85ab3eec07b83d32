//! Draws a Vega-Lite file: `draw CHART.vl.json OUT.svg|OUT.png|OUT.pdf [SCALE]`.

use std::error::Error;
use std::fs;

use evogrid_render::{Renderer, pdf, png};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("expected CHART.vl.json OUT.svg|OUT.png|OUT.pdf [SCALE]".into());
    };
    let scale = arguments.next().map_or(Ok(2.0), |scale| scale.parse())?;
    let mut renderer = Renderer::new()?;
    let svg = renderer.svg(&serde_json::from_str(&fs::read_to_string(from)?)?)?;
    if let Some(warning) = renderer.warnings().first() {
        return Err(warning.clone().into());
    }
    let bytes = match to.rsplit_once('.') {
        Some((_, "png")) => png(&svg, scale)?,
        Some((_, "pdf")) => pdf(&svg)?,
        _ => svg.into_bytes(),
    };
    Ok(fs::write(to, bytes)?)
}

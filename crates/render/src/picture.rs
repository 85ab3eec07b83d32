//! From a drawing to a picture.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::RenderError;
use crate::font::FONTS;

/// How long a side of a picture may be, in pixels.
pub const LONGEST_SIDE: u32 = 16_384;

/// Turns a drawing into a PNG, with `scale` pixels for each of the drawing's. For print, 4 are some 400 an inch.
///
/// # Errors
/// If it is no SVG, or the picture's sides are not within 1 and [`LONGEST_SIDE`].
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, RenderError> {
    let tree = read(svg)?;
    let sides = [tree.size().width(), tree.size().height()].map(|side| (f64::from(side) * f64::from(scale)).round());
    let [width, height] = sides;
    if !sides.iter().all(|side| (1.0..=f64::from(LONGEST_SIDE)).contains(side)) {
        return Err(RenderError::Size { width, height, limit: LONGEST_SIDE });
    }
    let failed = |message: String| RenderError::Write { format: "PNG", message };
    let mut pixels =
        Pixmap::new(width as u32, height as u32).ok_or_else(|| failed("there is no room for it".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(error.to_string()))
}

/// Reads a drawing, set in our font. Images in it are left out: none is ever loaded.
pub(crate) fn read(svg: &str) -> Result<Tree, RenderError> {
    let options = Options {
        font_family: crate::font::FAMILY.to_owned(),
        fontdb: Arc::clone(&FONTS),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| RenderError::Svg { message: error.to_string() })
}

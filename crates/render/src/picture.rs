//! Pictures: an SVG drawing becomes a PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::RenderError;
use crate::fit::PIXELS_PER_MM;
use crate::font::FONTS;

/// The maximum length of a side of a picture, in pixels.
pub const LONGEST_SIDE: u32 = 16_384;

/// Converts an SVG drawing to a PNG. The size of the picture is the drawing's size in pixels, multiplied by `scale`. A scale of 4 gives
/// about 400 pixels per inch, which is enough for print. The picture contains its pixel density. So other programs show the picture in the
/// size of the drawing. The same drawing and scale give the same bytes on every machine.
///
/// # Errors
/// Returns [`RenderError::Svg`] if the text is not SVG. Returns [`RenderError::PictureSize`] if a side is shorter than 1 pixel or longer
/// than [`LONGEST_SIDE`].
///
/// # Example
/// ```
/// let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='320' height='220'><rect width='9' height='9'/></svg>";
/// let picture = evogrid_render::png(svg, 2.0)?;
/// assert_eq!(picture[16..24], [0, 0, 2, 128, 0, 0, 1, 184], "640 x 440 pixels");
/// # Ok::<(), evogrid_render::RenderError>(())
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, RenderError> {
    let tree = read(svg)?;
    let sides = [tree.size().width(), tree.size().height()].map(|side| (f64::from(side) * f64::from(scale)).round());
    let [width, height] = sides;
    if !sides.iter().all(|side| (1.0..=f64::from(LONGEST_SIDE)).contains(side)) {
        return Err(RenderError::PictureSize { width, height, limit: LONGEST_SIDE });
    }
    let failed = |message: String| RenderError::Write { format: "PNG", message };
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| failed("not enough memory for the pixels of the picture".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let picture = pixels.encode_png().map_err(|error| failed(error.to_string()))?;
    Ok(with_density(picture, f64::from(scale)))
}

/// The picture with its number of pixels per metre. A pixel of the drawing is 1/96 inch.
fn with_density(mut picture: Vec<u8>, scale: f64) -> Vec<u8> {
    /// The number of bytes of the signature and the chunk of sizes together. The chunk includes its length, name and checksum.
    const HEAD: usize = 8 + 25;
    let per_metre = ((scale * PIXELS_PER_MM * 1000.0).round() as u32).to_be_bytes();
    let content = [b"pHYs", &per_metre[..], &per_metre, &[1]].concat();
    let chunk = [&9u32.to_be_bytes()[..], &content, &checksum(&content).to_be_bytes()].concat();
    picture.splice(HEAD..HEAD, chunk);
    picture
}

/// The cyclic redundancy check of a chunk (ISO 3309, polynomial 0x04C11DB7).
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1));
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// Reads an SVG drawing with our font for its texts. Images in the drawing are omitted and never loaded.
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

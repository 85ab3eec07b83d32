//! The font of every chart, and the widths of its texts.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb;
use ttf_parser::Face;

/// The name of the font, and the names of fonts with the same widths for viewers without the font.
pub(crate) const FAMILIES: &str = "Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif";

pub(crate) const FAMILY: &str = "Arimo";
const REGULAR: &[u8] = include_bytes!("../fonts/Arimo-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/Arimo-Bold.ttf");

/// The minimum CSS weight of the bold face.
const LEAST_BOLD_WEIGHT: u32 = 600;

/// The fonts of pictures and pages: our font for every name. Fonts of the machine are not used.
pub(crate) static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(REGULAR)));
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(BOLD)));
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_serif_family(FAMILY);
    fonts.set_monospace_family(FAMILY);
    fonts.set_cursive_family(FAMILY);
    fonts.set_fantasy_family(FAMILY);
    Arc::new(fonts)
});

/// Measures the widths of texts.
pub(crate) struct TextMeasure {
    regular: Face<'static>,
    bold: Face<'static>,
}

fn face(font: &'static [u8]) -> Face<'static> {
    Face::parse(font, 0).expect("the fonts of the crate are valid")
}

impl TextMeasure {
    /// The widths in our font.
    pub(crate) fn new() -> Self {
        Self { regular: face(REGULAR), bold: face(BOLD) }
    }

    /// The width of `text` in CSS pixels, in a CSS font such as `bold 11px Arimo`: the sum of the advances of its glyphs. If the font lacks
    /// a character, the width is the width of a box, which is drawn in its place.
    pub(crate) fn width(&self, font: &str, text: &str) -> f64 {
        let (bold, size) = weight_and_size(font);
        let face = if bold { &self.bold } else { &self.regular };
        let advance = |character| {
            let glyph = face.glyph_index(character).unwrap_or_default();
            f64::from(face.glyph_hor_advance(glyph).unwrap_or_default())
        };
        text.chars().map(advance).sum::<f64>() * size / f64::from(face.units_per_em())
    }
}

/// The distinct characters in the texts of a drawing that our font lacks, in order. Pictures and pages show boxes for these characters.
pub(crate) fn lacking(svg: &str) -> Vec<char> {
    static FACE: LazyLock<Face<'static>> = LazyLock::new(|| face(REGULAR));
    let texts = svg.split('<').filter_map(|part| part.split_once('>')).flat_map(|(_, text)| text.chars());
    let is_lacking = |character: &char| FACE.glyph_index(*character).is_none() && !character.is_whitespace();
    let lacking: BTreeSet<char> = texts.filter(is_lacking).collect();
    lacking.into_iter().collect()
}

/// Whether a CSS font is bold, and its size in pixels. The size is 0 if the font has none.
fn weight_and_size(font: &str) -> (bool, f64) {
    let mut bold = false;
    for word in font.split_ascii_whitespace() {
        if let Some(size) = word.strip_suffix("px").and_then(|number| number.parse().ok()) {
            return (bold, size);
        }
        bold |= matches!(word, "bold" | "bolder") || word.parse().is_ok_and(|weight: u32| weight >= LEAST_BOLD_WEIGHT);
    }
    (bold, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_wide_as_in_arial() {
        let measure = TextMeasure::new();
        // Of 1000 units: a digit 556, a full stop 278, `W` 944, bold `a` 556.
        for (font, text, width) in [
            ("10px Arimo", "0.5", 13.9),
            ("normal 400 20px Arimo", "W", 18.88),
            ("bold 10px Arimo, Arial", "a", 5.56),
            ("italic 700 10px x", "a", 5.56),
            ("10px Arimo", "", 0.0),
            ("Arimo", "a", 0.0),
        ] {
            let found = measure.width(font, text);
            assert!((found - width).abs() < 0.01, "{font}: {text:?} is {found} wide");
        }
    }

    #[test]
    fn what_the_font_lacks_is_told() {
        assert_eq!(lacking("<svg aria-label=\"字\"><text>数独 9</text><text>独 ä&lt;</text></svg>"), ['数', '独']);
    }

    #[test]
    fn the_font_has_the_signs_of_the_field() {
        let measure = TextMeasure::new();
        for sign in "aÄßéøłŠμλσαΔЖ−–—×±≤≥≠≈∞→·…%‰°²³⁰¹⁴⁵⁶⁷⁸⁹⁻₀₁₂½".chars()
        {
            assert!(measure.regular.glyph_index(sign).is_some(), "no {sign}");
            assert!(measure.bold.glyph_index(sign).is_some(), "no bold {sign}");
        }
    }
}

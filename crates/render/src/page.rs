//! Pages: an SVG drawing becomes a PDF of one page.
//!
//! `svg2pdf` keeps fonts and resources in hash maps and writes them in random order. Therefore this module writes the page again in a fixed
//! order. `krilla-svg` would not need this step. But `krilla-svg` builds a second `usvg` and a font library (`skrifa`, `write-fonts`). With
//! `lopdf`, this module would still have to sort the objects.

use std::collections::BTreeMap;
use std::ops::Range;

use svg2pdf::{ConversionOptions, PageOptions};

use crate::RenderError;
use crate::picture::read;

/// The number of points of a page per pixel of a drawing, as in CSS: 320 pixels are 8.5 cm.
const POINTS_PER_PIXEL: f32 = 0.75;

/// Converts an SVG drawing to a PDF of one page. The page has the size of the drawing at 96 pixels per inch. The page contains its fonts,
/// and readers can search its text. The same drawing gives the same bytes on every machine.
///
/// # Errors
/// Returns [`RenderError::Svg`] if the text is not SVG.
///
/// # Example
/// ```
/// let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='320' height='220'><rect width='9' height='9'/></svg>";
/// let page = evogrid_render::pdf(svg)?;
/// assert!(String::from_utf8_lossy(&page).contains("/MediaBox [0 0 240 165]"), "in points");
/// # Ok::<(), evogrid_render::RenderError>(())
/// ```
pub fn pdf(svg: &str) -> Result<Vec<u8>, RenderError> {
    let failed = |message: String| RenderError::Write { format: "PDF", message };
    let (size, start) = (read(svg)?.size(), svg.find("<svg").unwrap_or_default());
    // The converter can scale a drawing, but it does not scale gradients. So a larger drawing contains the drawing.
    let scaled = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">{}</svg>",
        size.width() * POINTS_PER_PIXEL,
        size.height() * POINTS_PER_PIXEL,
        size.width(),
        size.height(),
        &svg[start..]
    );
    let page = svg2pdf::to_pdf(&read(&scaled)?, ConversionOptions::default(), PageOptions { dpi: 72.0 })
        .map_err(|error| failed(error.to_string()))?;
    in_fixed_order(&page)
        .ok_or_else(|| failed("the objects of the PDF page cannot be written in a fixed order".to_owned()))
}

/// One object of a PDF: its text, and the bytes of its stream. An object without a stream has no bytes.
type Object<'a> = (String, &'a [u8]);

/// The same page with its objects and dictionary entries in a fixed order, which depends only on the page.
fn in_fixed_order(page: &[u8]) -> Option<Vec<u8>> {
    let end = page.windows(10).rposition(|window| window == b"startxref\n")?;
    let table = str::from_utf8(&page[end + 10..]).ok()?.lines().next()?.parse().ok()?;
    let (table_text, trailer) = str::from_utf8(page.get(table..end)?).ok()?.split_once("trailer\n")?;
    // After two lines of heading, the table has a line for each object. A line begins with the place of the object. The line of an unused
    // number ends in `f`.
    let places = table_text.lines().skip(2).enumerate().filter(|(_, line)| line.trim_end().ends_with('n'));
    let mut places: Vec<(usize, usize)> =
        places.map(|(number, line)| Some((line.get(..10)?.parse().ok()?, number))).collect::<Option<_>>()?;
    places.sort_unstable();
    let ends = places.iter().skip(1).map(|&(start, _)| start).chain([table]);
    let objects: BTreeMap<usize, Object<'_>> = places
        .iter()
        .zip(ends)
        .map(|(&(start, number), end)| Some((number, object(page.get(start..end)?)?)))
        .collect::<Option<_>>()?;

    // The objects are numbered in the order of the first references to them. The search begins at the trailer.
    let mut numbers = BTreeMap::new();
    let mut order = Vec::new();
    let mut open: Vec<usize> = references(trailer).map(|(_, number)| number).collect();
    open.reverse();
    while let Some(number) = open.pop() {
        if numbers.contains_key(&number) {
            continue;
        }
        let object = objects.get(&number)?;
        numbers.insert(number, numbers.len() + 1);
        order.push(object);
        let first = open.len();
        open.extend(references(&object.0).map(|(_, number)| number));
        open[first..].reverse();
    }

    let mut sorted = page[..places.first()?.0].to_vec();
    let mut starts = Vec::new();
    for (at, (head, stream)) in order.iter().enumerate() {
        starts.push(sorted.len());
        sorted.extend_from_slice(format!("{} 0 obj\n{}", at + 1, renumbered(head, &numbers)).as_bytes());
        sorted.extend_from_slice(stream);
    }
    let table = sorted.len();
    let entries: String = starts.iter().map(|start| format!("{start:010} 00000 n\r\n")).collect();
    let size = starts.len() + 1;
    let references: Vec<_> =
        renumbered(trailer, &numbers).lines().filter(|line| line.contains(" R")).map(str::to_owned).collect();
    sorted.extend_from_slice(
        format!(
            "xref\n0 {size}\n0000000000 65535 f\r\n{entries}trailer\n<<\n  /Size {size}\n{}\n>>\nstartxref\n{table}\n%%EOF",
            references.join("\n")
        )
        .as_bytes(),
    );
    Some(sorted)
}

/// Reads an object, and sorts its dictionary entries if each entry is on its own line.
fn object(bytes: &[u8]) -> Option<Object<'_>> {
    let stream = bytes.windows(8).position(|window| window == b"\nstream\n").map_or(bytes.len(), |at| at + 1);
    let (head, stream) = bytes.split_at(stream);
    let (_number, head) = str::from_utf8(head).ok()?.split_once('\n')?;
    let mut lines: Vec<&str> = head.lines().collect();
    let entry = |line: &str| line.trim_start().starts_with('/') && !line.ends_with("<<");
    let depth = |line: &str| line.len() - line.trim_start().len();
    for run in lines.chunk_by_mut(|one, next| entry(one) && entry(next) && depth(one) == depth(next)) {
        run.sort_unstable();
    }
    Some((lines.join("\n") + "\n", stream))
}

/// For each reference in a text, such as `12 0 R`, the place of its number and the number itself.
fn references(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    text.match_indices(" 0 R").filter_map(|(end, _)| {
        let start = text[..end].rfind(|character: char| !character.is_ascii_digit()).map_or(0, |before| before + 1);
        Some((start..end, text[start..end].parse().ok()?))
    })
}

/// The text with new numbers in its references.
fn renumbered(text: &str, numbers: &BTreeMap<usize, usize>) -> String {
    let mut sorted = String::with_capacity(text.len());
    let mut copied = 0;
    for (place, number) in references(text) {
        sorted.push_str(&text[copied..place.start]);
        sorted.push_str(&numbers.get(&number).unwrap_or(&number).to_string());
        copied = place.end;
    }
    sorted + &text[copied..]
}

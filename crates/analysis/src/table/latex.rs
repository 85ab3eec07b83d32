//! LaTeX tables for papers, with the horizontal lines of the package `booktabs`. A table fits the width of a line and the height of a page.
//! Long names are broken into lines. Columns and rows that do not fit are put into further tables below. In a document with two columns, a
//! table spans both columns.

use super::model::{CellStyle, ColumnKind, TENTH, Table};

const STYLE: CellStyle = CellStyle {
    dash: "--",
    mark: "$^{*}$",
    best: ["\\textbf{", "}"],
    may_be_best: "$^{\\sim}$",
    step: TENTH,
    escape: escaped,
};

/// The width of a line in points, in LaTeX's class `article` with a font of 10 points. This is the narrowest of the usual widths.
const LINE_WIDTH: f64 = 345.0;

/// The space on each side of a column, in points.
const COLUMN_GAP: f64 = 2.5;

/// The smallest width of a column of names, in points.
const MIN_NAME_WIDTH: f64 = 50.0;

/// The maximum number of lines of a table on a page.
const PAGE_LINES: usize = 40;

/// A `\clearpage` follows after this number of tables, because LaTeX can keep only about fifty tables that wait for room on a page.
const PAGES_HELD_BACK: usize = 12;

/// A word with more characters than this may be broken, at the latest after this number of characters.
const WORD_LENGTH: usize = 12;

/// A word may be broken after a punctuation mark, if at least this number of characters precede the break.
const PIECE_LENGTH: usize = 4;

/// Some columns of a table, by index. If the text of a column wraps, the column has a width in points.
type Part = Vec<(usize, Option<f64>)>;

pub(super) fn render(table: &Table) -> String {
    let (table, parts) = table.parted(LINE_WIDTH, |table| {
        let all: Vec<usize> = (0..table.columns.len()).collect();
        narrowest(table, &all).into_iter().map(|(at, wraps)| taken(table, at, wraps)).collect()
    });
    let parts: Vec<Part> = parts.iter().map(|part| spread(&table, part)).collect();
    let pages: Vec<(&Part, String)> =
        parts.iter().flat_map(|part| pages(&table, part).into_iter().map(move |page| (part, page))).collect();
    let mut text = String::new();
    for (at, (part, page)) in pages.iter().enumerate() {
        text += match at {
            0 => "",
            _ if at % PAGES_HELD_BACK == 0 => "\n\\clearpage\n",
            _ => "\n",
        };
        push_page(&mut text, &table, part, page, (at + 1, pages.len()));
    }
    for note in table.legend.as_deref().into_iter().chain(table.notes.iter().map(String::as_str)) {
        text += &format!("\n{{\\noindent\\raggedright {}\\par}}\n", escaped(note));
    }
    needs(&text) + &text
}

/// TeX comments with the commands that a document needs for this text.
fn needs(text: &str) -> String {
    let mut needs = "% needs \\usepackage{array,booktabs}\n".to_owned();
    let foreign: std::collections::BTreeSet<char> = text.chars().filter(|character| !character.is_ascii()).collect();
    if !foreign.is_empty() {
        let foreign: String = foreign.into_iter().collect();
        needs += &format!(
            "% needs \\usepackage[T1]{{fontenc}} for {foreign}\n% if pdfLaTeX lacks these characters, use XeLaTeX or LuaLaTeX, and a font with the characters\n"
        );
    }
    needs
}

/// The width of a column, including the space around the column.
fn taken(table: &Table, at: usize, wraps: Option<f64>) -> f64 {
    2.0 * COLUMN_GAP + wraps.unwrap_or_else(|| width(table, at, text_width))
}

/// These columns. The free width of the line is divided evenly among the columns of names.
fn spread(table: &Table, columns: &[usize]) -> Part {
    let mut part = narrowest(table, columns);
    loop {
        let n_wrapping = part.iter().filter(|(_, wraps)| wraps.is_some()).count();
        let all: f64 = part.iter().map(|&(at, wraps)| taken(table, at, wraps)).sum();
        let share = (LINE_WIDTH - all) / n_wrapping.max(1) as f64;
        if n_wrapping == 0 || share < 1.0 {
            return part;
        }
        for (at, wraps) in &mut part {
            *wraps = wraps.map(|wraps| wraps + share).filter(|&wraps| wraps < width(table, *at, text_width));
        }
    }
}

/// These columns. Wide columns of text are made as narrow as possible.
fn narrowest(table: &Table, columns: &[usize]) -> Part {
    let wrapped = |at: usize| {
        let longest = |text: &str| text.split(' ').flat_map(pieces).map(text_width).fold(0.0, f64::max);
        let least = MIN_NAME_WIDTH.max(width(table, at, longest));
        (table.columns[at].kind == ColumnKind::Text && width(table, at, text_width) > least).then_some(least)
    };
    columns.iter().map(|&at| (at, wrapped(at))).collect()
}

/// The width of the widest text in a column, including the heading.
fn width(table: &Table, at: usize, measure: impl Fn(&str) -> f64) -> f64 {
    let rows = table.blocks.iter().flat_map(|block| &block.rows);
    rows.map(|row| measure(&row[at].shown(&CellStyle::PLAIN))).fold(measure(name(table, at)), f64::max)
}

/// The approximate width of a text in points, at the size `footnotesize` of the same class (Computer Modern at 8 points).
fn text_width(text: &str) -> f64 {
    let width = |character| match character {
        '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'i' | 'j' | 'l' => 2.4,
        ' ' | '(' | ')' | '[' | ']' | '/' | 'f' | 'r' | 's' | 't' => 3.4,
        '0'..='9' | '-' | 'a' | 'c' | 'e' | 'g' | 'o' | 'z' => 4.25,
        'a'..='l' | 'n'..='v' | 'x'..='z' | '*' | '_' => 4.75,
        'M' | 'W' => 9.0,
        character if character.is_ascii() => 7.1,
        _ => 9.0,
    };
    text.chars().map(width).sum()
}

/// The pieces of a word. The word may be broken between two pieces. A short word is a single piece.
fn pieces(word: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut length) = (0, 0);
    if word.chars().nth(WORD_LENGTH).is_none() {
        return vec![word];
    }
    for (at, character) in word.char_indices() {
        let end = at + character.len_utf8();
        length += 1;
        if length == WORD_LENGTH || (length >= PIECE_LENGTH && !character.is_alphanumeric()) {
            pieces.push(&word[start..end]);
            (start, length) = (end, 0);
        }
    }
    pieces.push(&word[start..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The heading of a column. It is the short name if a legend explains the short name.
fn name(table: &Table, at: usize) -> &str {
    let column = &table.columns[at];
    if table.legend.is_some() { column.short } else { &column.name }
}

/// The rows of a part of the table, divided into pages.
fn pages(table: &Table, part: &Part) -> Vec<String> {
    let mut pages = vec![String::new()];
    let mut n_lines = 0;
    for block in &table.blocks {
        let mut is_headed = false;
        for cells in &block.rows {
            // Words fill at least two thirds of a line.
            let lines = |&(at, wraps): &(usize, Option<f64>)| {
                wraps.map_or(1, |width| (1.5 * text_width(&cells[at].shown(&CellStyle::PLAIN)) / width).ceil() as usize)
            };
            let n_own = part.iter().map(lines).max().unwrap_or(1);
            if n_lines > 0 && n_lines + n_own > PAGE_LINES {
                pages.push(String::new());
                (n_lines, is_headed) = (0, false);
            }
            let page = pages.last_mut().expect("there is one");
            if !is_headed {
                is_headed = true;
                *page += "\\midrule\n";
                if !table.keys.is_empty() {
                    let heading = block.heading(&table.keys);
                    n_lines += push_heading(page, &heading, part.len());
                }
            }
            n_lines += n_own;
            *page += &row(part.iter().map(|&(at, _)| cells[at].shown(&STYLE)));
        }
    }
    pages
}

/// Adds the heading of a block, and returns the number of lines of the heading.
fn push_heading(page: &mut String, heading: &str, n_columns: usize) -> usize {
    let room = LINE_WIDTH - 2.0 * COLUMN_GAP;
    let width = text_width(heading);
    let alignment = if width > LINE_WIDTH / 2.0 { format!("p{{{room:.0}pt}}") } else { "l".to_owned() };
    *page += &format!("\\multicolumn{{{n_columns}}}{{{alignment}}}{{{}}} \\\\\n", escaped(heading));
    (1.5 * width / room).ceil() as usize
}

/// Adds one of the tables into which the whole table is divided.
fn push_page(text: &mut String, table: &Table, part: &Part, page: &str, (number, n_pages): (usize, usize)) {
    let column = |&(at, wraps): &(usize, Option<f64>)| match (wraps, table.columns[at].kind) {
        (Some(width), _) => format!(">{{\\raggedright\\arraybackslash}}p{{{width:.0}pt}}"),
        (None, ColumnKind::Text) => "l".to_owned(),
        (None, ColumnKind::Number | ColumnKind::Interval) => "r".to_owned(),
    };
    let alignment: String = part.iter().map(column).collect();
    let heading = row(part.iter().map(|&(at, _)| escaped(name(table, at))));
    let of_pages = if n_pages > 1 { format!(" ({number} of {n_pages})") } else { String::new() };
    let label = if n_pages > 1 { format!("{}-{number}", table.caption.label) } else { table.caption.label.to_owned() };
    *text += &format!(
        "\\begin{{table*}}[htbp]\n\\centering\\footnotesize\\setlength{{\\tabcolsep}}{{{COLUMN_GAP}pt}}\n\
         \\caption{{{}{of_pages}}}\\label{{tab:{label}}}\n\
         \\begin{{tabular}}{{{alignment}}}\n\\toprule\n{heading}{page}\\bottomrule\n\\end{{tabular}}\n\\end{{table*}}\n",
        table.heading.as_deref().map_or_else(|| latex_text(table.caption.text), escaped),
    );
}

fn row(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// Writes the text as TeX. TeX may break long words at the end of a line.
fn escaped(text: &str) -> String {
    let word = |word: &str| pieces(word).into_iter().map(latex_text).collect::<Vec<_>>().join("\\allowbreak{}");
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Writes the text as TeX. All special characters of TeX are escaped.
///
/// ```
/// assert_eq!(evogrid_analysis::table::latex_text("5 % of a_b"), "5 \\% of a\\_b");
/// ```
pub fn latex_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => shown += "\\textbackslash{}",
            '~' => shown += "\\textasciitilde{}",
            '^' => shown += "\\textasciicircum{}",
            '<' => shown += "\\textless{}",
            '>' => shown += "\\textgreater{}",
            '|' => shown += "\\textbar{}",
            // The default encoding of documents has no command for this character.
            '"' => shown += "\\symbol{34}",
            '`' => shown += "\\textasciigrave{}",
            // TeX would read a bracket at the start of a row as a part of the command before.
            '[' => shown += "{[}",
            '*' => shown += "{*}",
            // Two of them would become one sign.
            '-' | '\'' | ',' if shown.ends_with(character) => shown.extend(['{', '}', character]),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => shown.extend(['\\', character]),
            _ => shown.push(character),
        }
    }
    shown
}

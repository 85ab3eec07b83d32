//! Tables for papers, with the rules of the package `booktabs`. They keep to the width of a line: names wrap, and columns that do not
//! fit beside each other come in another table below.

use super::model::{Block, Cell, CellStyle, ColumnKind, TENTH, Table};

const STYLE: CellStyle = CellStyle { dash: "--", mark: "$^{*}$", step: TENTH, escape: escaped };

/// The same as it is seen, for its width.
const SEEN: CellStyle = CellStyle { dash: "-", mark: "*", step: TENTH, escape: str::to_owned };

/// The width of a line in points: LaTeX's class `article` at 10 points, the narrowest of the usual ones.
const LINE_WIDTH: f64 = 345.0;

/// The space on either side of a column, in points.
const COLUMN_GAP: f64 = 2.5;

/// The narrowest that a column of names is made, in points.
const MIN_NAME_WIDTH: f64 = 50.0;

/// The most rows of a table that is not broken over pages.
const PAGE_ROWS: usize = 40;

/// Some columns of a table, by their places, each with its width in points if its text wraps.
type Part = Vec<(usize, Option<f64>)>;

pub(super) fn render(table: &Table) -> String {
    let parts = parts(table);
    let mut text = "% needs \\usepackage{array,booktabs,longtable}\n".to_owned();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        push_part(&mut text, table, part, (at + 1, parts.len()));
    }
    for note in table.legend.into_iter().chain(table.notes.iter().map(String::as_str)) {
        text += &format!("\n\\par\\noindent {}\n", escaped(note));
    }
    text
}

/// The columns that fit beside each other: all of them if their names may wrap, else those that do, the names before each.
fn parts(table: &Table) -> Vec<Part> {
    let widths: Vec<f64> = (0..table.columns.len()).map(|at| width(table, at, text_width)).collect();
    let all: Vec<usize> = (0..widths.len()).collect();
    if let Some(part) = fitted(table, &all, &widths) {
        return vec![part];
    }
    let n_names = table.columns.iter().take_while(|column| column.kind == ColumnKind::Text).count();
    let (names, mut others) = all.split_at(n_names);
    let mut parts = Vec::new();
    while !others.is_empty() {
        let beside = |n: usize| fitted(table, &[names, &others[..n]].concat(), &widths);
        let n = (2..=others.len()).take_while(|&n| beside(n).is_some()).last().unwrap_or(1);
        // A single column stands beside its names, however wide they are.
        parts.push(beside(n).unwrap_or_else(|| narrowest(table, &[names, &others[..n]].concat(), &widths)));
        others = &others[n..];
    }
    parts
}

/// These columns with widths at which they fit a line, if there are any: what is to spare goes to the names, evenly.
fn fitted(table: &Table, columns: &[usize], widths: &[f64]) -> Option<Part> {
    let mut part = narrowest(table, columns, widths);
    let gaps = 2.0 * COLUMN_GAP * columns.len() as f64;
    let taken = |part: &Part| gaps + part.iter().map(|&(at, wraps)| wraps.unwrap_or(widths[at])).sum::<f64>();
    if taken(&part) > LINE_WIDTH {
        return None;
    }
    loop {
        let n_wrapping = part.iter().filter(|(_, wraps)| wraps.is_some()).count();
        let share = (LINE_WIDTH - taken(&part)) / n_wrapping.max(1) as f64;
        if n_wrapping == 0 || share < 1.0 {
            return Some(part);
        }
        for (at, wraps) in &mut part {
            *wraps = wraps.map(|width| width + share).filter(|&width| width < widths[*at]);
        }
    }
}

/// These columns, the wide ones of text as narrow as they are made.
fn narrowest(table: &Table, columns: &[usize], widths: &[f64]) -> Part {
    let wrapped = |at: usize| {
        let longest_word = |text: &str| text.split(' ').map(text_width).fold(0.0, f64::max);
        let least = MIN_NAME_WIDTH.max(width(table, at, longest_word));
        (table.columns[at].kind == ColumnKind::Text && widths[at] > least).then_some(least)
    };
    columns.iter().map(|&at| (at, wrapped(at))).collect()
}

/// The largest width of the heading and the cells of a column.
fn width(table: &Table, at: usize, measure: impl Fn(&str) -> f64) -> f64 {
    let rows = table.blocks.iter().flat_map(|block| &block.rows);
    rows.map(|row| measure(&row[at].shown(&SEEN))).fold(measure(name(table, at)), f64::max)
}

/// About the width of a text in points, at the size `footnotesize` of the same class (Computer Modern at 8 points).
fn text_width(text: &str) -> f64 {
    let width = |character| match character {
        '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'i' | 'j' | 'l' => 2.4,
        ' ' | '(' | ')' | '[' | ']' | '/' | 'f' | 'r' | 's' | 't' => 3.4,
        '0'..='9' | '-' | 'a' | 'c' | 'e' | 'g' | 'o' | 'z' => 4.25,
        'a'..='l' | 'n'..='v' | 'x'..='z' | '*' | '_' => 4.75,
        _ => 7.1,
    };
    text.chars().map(width).sum()
}

/// The heading of a column: the short one where a legend explains it.
fn name(table: &Table, at: usize) -> &str {
    let column = &table.columns[at];
    if table.legend.is_some() { column.short } else { &column.name }
}

/// One of so many tables of a table.
fn push_part(text: &mut String, table: &Table, part: &Part, (number, n_parts): (usize, usize)) {
    let column = |&(at, wraps): &(usize, Option<f64>)| match (wraps, table.columns[at].kind) {
        (Some(width), _) => format!(">{{\\raggedright\\arraybackslash}}p{{{width:.0}pt}}"),
        (None, ColumnKind::Text) => "l".to_owned(),
        (None, ColumnKind::Number | ColumnKind::Interval) => "r".to_owned(),
    };
    let alignment: String = part.iter().map(column).collect();
    let heading = row(part.iter().map(|&(at, _)| escaped(name(table, at))));
    let body: String = table.blocks.iter().map(|block| body(table, part, block)).collect();
    let of_parts = if n_parts > 1 { format!(" ({number} of {n_parts})") } else { String::new() };
    let label = if n_parts > 1 { format!("{}-{number}", table.caption.label) } else { table.caption.label.to_owned() };
    let caption = format!("\\caption{{{}{of_parts}}}\\label{{tab:{label}}}", escaped(table.caption.text));
    let size = format!("\\footnotesize\\setlength{{\\tabcolsep}}{{{COLUMN_GAP}pt}}\n");
    let n_rows: usize = table.blocks.iter().map(|block| block.rows.len() + 1).sum();
    *text += &if n_rows > PAGE_ROWS {
        format!(
            "{{{size}\\begin{{longtable}}{{{alignment}}}\n{caption} \\\\\n\\toprule\n{heading}\\endhead\n\
             \\bottomrule\n\\endfoot\n{body}\\end{{longtable}}}}\n"
        )
    } else {
        format!(
            "\\begin{{table}}[htbp]\n\\centering{size}{caption}\n\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{heading}\
             {body}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
        )
    };
}

/// A block below its heading.
fn body(table: &Table, part: &Part, block: &Block) -> String {
    let mut text = "\\midrule\n".to_owned();
    if !table.keys.is_empty() {
        let heading = block.heading(&table.keys);
        let is_wide = text_width(&heading) > LINE_WIDTH / 2.0;
        let alignment = if is_wide { format!("p{{{:.0}pt}}", LINE_WIDTH - 2.0 * COLUMN_GAP) } else { "l".to_owned() };
        text += &format!("\\multicolumn{{{}}}{{{alignment}}}{{{}}} \\\\\n", part.len(), escaped(&heading));
    }
    let cell = |cells: &[Cell], at: usize| cells[at].shown(&STYLE);
    text.extend(block.rows.iter().map(|cells| row(part.iter().map(|&(at, _)| cell(cells, at)))));
    text
}

fn row(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// With all that TeX would take for a command escaped.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => shown += "\\textbackslash{}",
            '~' => shown += "\\textasciitilde{}",
            '^' => shown += "\\textasciicircum{}",
            '<' => shown += "\\textless{}",
            '>' => shown += "\\textgreater{}",
            '|' => shown += "\\textbar{}",
            '"' => shown += "\\textquotedbl{}",
            '`' => shown += "\\textasciigrave{}",
            // A row that begins with one would be read as a part of the command before it.
            '[' => shown += "{[}",
            '*' => shown += "{*}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => shown.extend(['\\', character]),
            _ => shown.push(character),
        }
    }
    shown
}

//! The page: claims, paper by paper, with what became of them, in Markdown.

use super::finding::{Finding, Grid, Verdict};
use crate::table::markdown::{escaped, push_row};

/// A paper and its claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// Its heading.
    pub title: String,
    /// Author, title, place, year.
    pub source: String,
    /// What a reader should know first, in Markdown.
    pub text: String,
    /// The claims.
    pub entries: Vec<Entry>,
}

/// A claim and its finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name, unique on the page.
    pub id: String,
    /// Where in the paper it stands.
    pub place: String,
    /// What is claimed, in Markdown.
    pub says: String,
    /// The experiment whose runs judge it, as a path from the page; none where it is judged without runs.
    pub experiment: Option<String>,
    /// Remarks, in Markdown.
    pub note: Option<String>,
    /// What became of it.
    pub finding: Finding,
}

/// The page. `lead` stands below the title.
#[must_use]
pub fn render(lead: &str, chapters: &[Chapter]) -> String {
    let mut text = format!("# Reproduction\n\n{}\n", lead.trim());
    text += "\n## At a glance\n\n";
    text += &format!("{}.\n", totals(chapters));
    for chapter in chapters {
        text += &format!("\n### {}\n\n", escaped(&chapter.title));
        text += &overview(&chapter.entries);
    }
    for chapter in chapters {
        text += &format!("\n## {}\n\n{}\n", escaped(&chapter.title), escaped(&chapter.source));
        if !chapter.text.trim().is_empty() {
            text += &format!("\n{}\n", chapter.text.trim());
        }
        chapter.entries.iter().for_each(|entry| push_entry(&mut text, entry));
    }
    text
}

/// How many claims came to which verdict: `40 claims: 20 hold, 9 do not, of 6 it cannot be told, 5 are figures of ours alone`.
#[must_use]
pub fn totals(chapters: &[Chapter]) -> String {
    let all = || chapters.iter().flat_map(|chapter| &chapter.entries);
    let [hold, fail, open, ours] =
        Verdict::ALL.map(|verdict| all().filter(|entry| entry.finding.verdict == verdict).count());
    let n = all().count();
    let claims = if n == 1 { "claim" } else { "claims" };
    format!("{n} {claims}: {hold} hold, {fail} do not, of {open} it cannot be told, {ours} are figures of ours alone")
}

fn overview(entries: &[Entry]) -> String {
    let header = ["claim", "published", "ours (95 %)", "runs, theirs / ours", "verdict"];
    let mut grid = Grid::new(header, header.len());
    for entry in entries {
        let finding = &entry.finding;
        let theirs = finding.published_runs.map_or_else(|| "not said".to_owned(), |runs| runs.to_string());
        let runs = if finding.runs == 0 { "none needed".to_owned() } else { format!("{theirs} / {}", finding.runs) };
        grid.rows.push(vec![
            format!("[{0}](#{0})", entry.id),
            escaped(&finding.published),
            escaped(&finding.ours),
            runs,
            strong(finding.verdict),
        ]);
    }
    table(&grid, str::to_owned)
}

fn push_entry(text: &mut String, entry: &Entry) {
    let finding = &entry.finding;
    *text += &format!("\n### {}\n\n> {} ({})\n", entry.id, entry.says.trim(), escaped(&entry.place));
    for grid in &finding.grids {
        *text += &format!("\n{}", table(grid, escaped));
    }
    let mut verdict = format!("Verdict: {}", strong(finding.verdict));
    if !finding.ours.is_empty() {
        verdict += &format!(". Published: {}. Ours: {}", escaped(&finding.published), escaped(&finding.ours));
    }
    *text += &format!("\n{verdict}.\n");
    if !finding.reasons.is_empty() {
        text.push('\n');
    }
    for reason in &finding.reasons {
        *text += &format!("- {}\n", escaped(reason));
    }
    if let Some(experiment) = &entry.experiment {
        let name = experiment.rsplit('/').next().unwrap_or(experiment);
        *text += &format!("\nExperiment: [{}]({experiment}).\n", escaped(name));
    }
    if let Some(note) = &entry.note {
        *text += &format!("\n{}\n", note.trim());
    }
}

fn strong(verdict: Verdict) -> String {
    format!("**{}**", verdict.text())
}

fn table(grid: &Grid, shown: fn(&str) -> String) -> String {
    let cell = |cell: &String| if cell.is_empty() { "-".to_owned() } else { shown(cell) };
    let rule = |at: usize| if at < grid.n_names { "---" } else { "---:" }.to_owned();
    let mut text = String::new();
    push_row(&mut text, grid.header.iter().map(cell));
    push_row(&mut text, (0..grid.header.len()).map(rule));
    grid.rows.iter().for_each(|row| push_row(&mut text, row.iter().map(cell)));
    text
}

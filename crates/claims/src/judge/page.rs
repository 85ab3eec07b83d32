//! The page in Markdown: the claims, paper by paper, with their findings.

use super::finding::{Finding, Grid, Verdict};
use evogrid_analysis::table::markdown::{escaped, push_row};

/// A paper and its claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// Its heading.
    pub title: String,
    /// Author, title, place, year.
    pub source: String,
    /// An introduction for the reader, in Markdown.
    pub text: String,
    /// The claims.
    pub entries: Vec<Entry>,
}

/// A claim and its finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// Its name, unique on the page.
    pub id: String,
    /// The place in the paper.
    pub place: String,
    /// The statement of the claim, in Markdown.
    pub says: String,
    /// The experiment whose runs judge the claim; none if the claim is judged without runs.
    pub experiment: Option<ExperimentLink>,
    /// Remarks, in Markdown.
    pub note: Option<String>,
    /// Whether it is a claim, another reading of a claim, or a goal.
    pub role: Role,
    /// The threshold, if it is ours because the source gives none.
    pub threshold: Option<String>,
    /// A short remark next to the verdict.
    pub caveat: Option<String>,
    /// The finding.
    pub finding: Finding,
    /// Its finding in another experiment, if it was tested again.
    pub confirmation: Option<Confirmation>,
}

/// Whether an entry is a claim, another reading of a claim, or a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A claim.
    #[default]
    Claim,
    /// Another reading of the claim with this id; it is not counted separately.
    Reading(String),
    /// A goal that we set ourselves.
    Goal,
}

/// A finding that was tested again, on other instances and seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The experiment whose runs judge it.
    pub experiment: ExperimentLink,
    /// The finding from the runs of the confirmation.
    pub finding: Finding,
}

/// The origin of a finding's runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentLink {
    /// The experiment's file, as a path from the page.
    pub path: String,
    /// The settings laid over it.
    pub sets: Vec<String>,
}

impl Entry {
    /// The verdict, including the confirmation if there is one.
    pub fn verdict(&self) -> Verdict {
        let found = self.finding.verdict;
        self.confirmation.as_ref().map_or(found, |confirmation| found.confirmed_by(confirmation.finding.verdict))
    }

    /// The verdict in words, with the remark next to it.
    fn verdict_text(&self) -> String {
        let verdict = match (&self.role, self.verdict()) {
            (Role::Goal, Verdict::Holds) => "**reached**".to_owned(),
            (Role::Goal, Verdict::DoesNotHold) => "**not reached**".to_owned(),
            (Role::Reading(_), verdict) => format!("so read: {}", verdict.name()),
            (Role::Claim, verdict) if self.threshold.is_some() => format!("by our threshold: {}", verdict.name()),
            (_, verdict) => strong(verdict),
        };
        match &self.caveat {
            Some(caveat) => format!("{verdict} ({})", escaped(caveat)),
            None => verdict,
        }
    }
}

/// Renders the page with this title, followed by `lead`.
pub fn render(title: &str, lead: &str, chapters: &[Chapter]) -> String {
    let mut text = format!("# {}\n\n{}\n", escaped(title), lead.trim());
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

/// The number of claims with each verdict, as a sentence. Claims judged by our own thresholds, further readings and goals are counted
/// separately.
pub fn totals(chapters: &[Chapter]) -> String {
    let entries = |is_one: fn(&Entry) -> bool| {
        let all = chapters.iter().flat_map(|chapter| &chapter.entries);
        all.filter(move |entry| is_one(entry)).map(Entry::verdict).collect::<Vec<_>>()
    };
    let count = |verdicts: &[Verdict]| {
        let mut counts = [0; Verdict::NAMES.len()];
        verdicts.iter().for_each(|&verdict| counts[verdict as usize] += 1);
        counts
    };
    let claims = entries(|entry| entry.role == Role::Claim && entry.threshold.is_none());
    let [hold, fail, open, shown, ours, absent] = count(&claims);
    let n = claims.len();
    let noun = if n == 1 { "claim" } else { "claims" };
    let mut text = format!(
        "{n} {noun}: {hold} hold, {fail} do not, of {open} it cannot be told, {ours} are figures of ours alone"
    );
    if shown > 0 {
        text += &format!(", {shown} are times of other machines, shown and not judged");
    }
    if absent > 0 {
        text += &format!("; {absent} not judged, since the instances are not here");
    }
    let by_ours = entries(|entry| entry.role == Role::Claim && entry.threshold.is_some());
    if !by_ours.is_empty() {
        let [hold, fail, open, ..] = count(&by_ours);
        let n = by_ours.len();
        text += &format!(
            "; of {n} more in words, by thresholds of ours, {hold} hold, {fail} do not, of {open} it cannot be told"
        );
    }
    let readings = entries(|entry| matches!(entry.role, Role::Reading(_))).len();
    if readings > 0 {
        text += &format!("; {readings} further readings of them");
    }
    let goals = entries(|entry| entry.role == Role::Goal);
    if !goals.is_empty() {
        let [reached, not, open, ..] = count(&goals);
        text += &format!(
            "; of {} goals of ours {reached} are reached, {not} are not, of {open} it cannot be told",
            goals.len()
        );
    }
    text
}

fn overview(entries: &[Entry]) -> String {
    let has_threshold = entries.iter().any(|entry| entry.threshold.is_some());
    let mut header = vec!["claim", "published", "ours (95 %)", "runs, theirs / ours", "verdict"];
    if has_threshold {
        header.insert(2, "threshold of ours");
    }
    let n = header.len();
    let mut grid = Grid::new(header, n);
    for entry in entries {
        let finding = &entry.finding;
        let again = entry.confirmation.as_ref().map(|confirmation| &confirmation.finding);
        let theirs = finding.published_runs.map_or_else(|| "not said".to_owned(), |runs| runs.to_string());
        let ours = finding.runs + again.map_or(0, |again| again.runs);
        let is_absent = finding.verdict == Verdict::NotJudged;
        let runs = if is_absent {
            String::new()
        } else if ours == 0 {
            "none needed".to_owned()
        } else {
            format!("{theirs} / {ours}")
        };
        let figures =
            again.map_or_else(|| finding.ours.clone(), |again| format!("{}; again: {}", finding.ours, again.ours));
        let of = match &entry.role {
            Role::Claim => "",
            Role::Reading(_) => ", another reading",
            Role::Goal => ", a goal of ours",
        };
        let mut row = vec![
            format!("[{0}](#{0}){of}", entry.id),
            escaped(&finding.published),
            escaped(&figures),
            runs,
            entry.verdict_text(),
        ];
        if has_threshold {
            row.insert(2, escaped(entry.threshold.as_deref().unwrap_or_default()));
        }
        grid.rows.push(row);
    }
    table(&grid, str::to_owned)
}

fn push_entry(text: &mut String, entry: &Entry) {
    let finding = &entry.finding;
    *text += &format!("\n### {}\n\n> {} ({})\n", entry.id, entry.says.trim(), escaped(&entry.place));
    push_grids(text, finding);
    if let Role::Reading(of) = &entry.role {
        *text += &format!("\nAnother reading of [{of}](#{of}).\n");
    }
    let mut verdict = format!("Verdict: {}", entry.verdict_text());
    if let Some(threshold) = &entry.threshold {
        verdict += &format!(". Threshold of ours: {}", escaped(threshold));
    }
    if !finding.ours.is_empty() {
        verdict += &format!(". Published: {}. Ours: {}", escaped(&finding.published), escaped(&finding.ours));
    }
    *text += &format!("\n{verdict}.\n");
    push_reasons(text, finding);
    if let Some(experiment) = &entry.experiment {
        *text += &format!("\nExperiment: {}.\n", link(experiment));
    }
    if let Some(Confirmation { experiment, finding: again }) = &entry.confirmation {
        let verdicts = [finding, again].map(|finding| strong(finding.verdict));
        *text += &format!(
            "\nConfirmation: {}, where the finding itself {}. Ours: {}, of {} runs.\n",
            verdicts[1],
            verdicts[0],
            escaped(&again.ours),
            again.runs
        );
        push_grids(text, again);
        push_reasons(text, again);
        *text += &format!("\nExperiment: {}.\n", link(experiment));
    }
    if let Some(note) = &entry.note {
        *text += &format!("\n{}\n", note.trim());
    }
}

fn push_grids(text: &mut String, finding: &Finding) {
    finding.grids.iter().for_each(|grid| *text += &format!("\n{}", table(grid, escaped)));
}

fn push_reasons(text: &mut String, finding: &Finding) {
    if !finding.reasons.is_empty() {
        text.push('\n');
    }
    finding.reasons.iter().for_each(|reason| *text += &format!("- {}\n", escaped(reason)));
}

/// `[x.toml](../x.toml) with experiment.seed=7`.
fn link(ExperimentLink { path, sets }: &ExperimentLink) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let with = if sets.is_empty() { String::new() } else { format!(" with {}", code_list(sets)) };
    format!("[{}]({path}){with}", escaped(name))
}

fn code_list(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

fn strong(verdict: Verdict) -> String {
    format!("**{}**", verdict.name())
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

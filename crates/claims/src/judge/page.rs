//! Writes the page in Markdown. For each paper, the page shows the claims with their findings.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior, context};
use serde::Serialize;

use super::finding::{Finding, Verdict};
use evogrid_analysis::table::markdown::escaped;

/// A paper and its claims.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Entry {
    /// The statement of the claim.
    #[serde(flatten)]
    pub statement: Statement,
    /// The threshold that we chose. If the paper gives a threshold, or if the claim needs none, the field `threshold` is `None`.
    pub threshold: Option<String>,
    /// The finding.
    pub finding: Finding,
    /// The finding of the second test, which uses other instances and other seeds. The value is `None` if there is no second test.
    pub confirmation: Option<Finding>,
}

/// The statement of a claim, and the texts that the page shows with the statement.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statement {
    /// The name of the claim, which is unique in the file and on the page.
    pub id: String,
    /// The place of the claim in the paper.
    pub place: String,
    /// The statement of the claim, in Markdown.
    pub says: String,
    /// Remarks, in Markdown.
    pub note: Option<String>,
    /// If this statement is the second interpretation of a claim, the field contains the id of that claim. If this statement is a separate
    /// claim, the value is `None`. The number of claims on the page does not include second interpretations.
    pub reading_of: Option<String>,
    /// Whether the claim is a goal that we set for ourselves.
    pub is_goal: bool,
    /// A short remark that the page shows next to the verdict.
    pub caveat: Option<String>,
}

impl Entry {
    /// The verdict on the claim. If the claim was tested again, the verdict depends on both tests.
    pub fn verdict(&self) -> Verdict {
        let found = self.finding.verdict;
        self.confirmation.as_ref().map_or(found, |confirmation| found.confirmed_by(confirmation.verdict))
    }
}

/// Renders the page. The page begins with the title and the text `lead`.
pub fn render(title: &str, lead: &str, chapters: &[Chapter]) -> String {
    let verdicts = |chapter: &Chapter| chapter.entries.iter().map(|entry| entry.verdict().name()).collect();
    let verdicts: Vec<Vec<&str>> = chapters.iter().map(verdicts).collect();
    let (totals, chapters) = (totals(chapters), Serde(chapters));
    rendered(include_str!("page.md.j2"), context! { title, lead, totals, chapters, verdicts })
}

/// A sentence that says how many claims have each verdict. Three groups are counted separately: claims with our own threshold, second
/// interpretations, and goals.
pub fn totals(chapters: &[Chapter]) -> String {
    let mut counts = [[0; Verdict::NAMES.len()]; 4];
    for entry in chapters.iter().flat_map(|chapter| &chapter.entries) {
        let kind = match &entry.statement {
            Statement { reading_of: Some(_), .. } => 2,
            Statement { is_goal: true, .. } => 3,
            _ => usize::from(entry.threshold.is_some()),
        };
        counts[kind][entry.verdict() as usize] += 1;
    }
    let [claims, by_ours, readings, goals] = counts;
    rendered(include_str!("totals.j2"), context! { claims, by_ours, readings, goals })
}

/// Fills in a template. A line that contains only a tag leaves no empty line in the result.
fn rendered(template: &str, values: Value) -> String {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build().expect("the usual marks"));
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.add_filter("escaped", escaped);
    environment.add_filter("cell", |text: &str| if text.is_empty() { "-".to_owned() } else { escaped(text) });
    environment.render_str(template, values).unwrap_or_else(|error| panic!("the page of claims: {error}"))
}

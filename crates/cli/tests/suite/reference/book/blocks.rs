//! The code blocks of the book's pages: what their info strings say is done with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A fenced code block.
pub(crate) struct Block {
    /// Its page, relative to the repository, and the line of its first fence.
    pub(crate) place: String,
    pub(crate) language: String,
    /// The other words of its info string.
    pub(crate) tags: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    /// Whether its info string has this word.
    pub(crate) fn is(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }

    /// What its info string has behind `KEY=`.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix(key)?.strip_prefix('='))
    }
}

/// The folder of the repository.
pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file of the repository.
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages of the book, relative to the repository, but for those that are printed from declarations.
pub(crate) fn written_pages() -> Vec<String> {
    pages().into_iter().filter(|page| !page.starts_with("docs/reference/")).collect()
}

/// All pages of the book, relative to the repository.
pub(crate) fn pages() -> Vec<String> {
    let summary = text("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).map(|rest| rest.split(')').next().expect("a link ends"));
    links.map(|link| link.strip_prefix("../").map_or_else(|| format!("docs/{link}"), str::to_owned)).collect()
}

/// The pages below `docs`, which are all to be in the book.
pub(crate) fn pages_below_docs() -> BTreeSet<String> {
    let pages = ["docs", "docs/reference"].map(|folder| {
        let entries = fs::read_dir(repository().join(folder)).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
        names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").map(move |name| format!("{folder}/{name}"))
    });
    pages.into_iter().flatten().collect()
}

/// The blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let text = text(page);
    let mut lines = text.lines().zip(1..);
    let mut blocks = Vec::new();
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let mut words = info.split([' ', ',']).map(str::to_owned);
        let content = lines.by_ref().map(|(line, _)| line).take_while(|line| line.trim() != "```");
        let indent = line.len() - line.trim_start().len();
        let text: Vec<&str> = content.map(|line| line.get(indent..).unwrap_or_default()).collect();
        blocks.push(Block {
            place: format!("{page}:{number}"),
            language: words.next().unwrap_or_default(),
            tags: words.collect(),
            text: text.join("\n") + "\n",
        });
    }
    blocks
}

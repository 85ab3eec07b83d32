//! Worked examples: what a source document prints of an instance or an operator, recomputed.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The source document, by a short name that files of claims use.
    pub document: &'static str,
    /// Its name, unique in the document.
    pub id: &'static str,
    /// The place in the document.
    pub place: &'static str,
    /// What the document says.
    pub says: &'static str,
    /// A remark for the reader.
    pub note: Option<&'static str>,
    /// The published text or value.
    pub published: &'static str,
    /// The text or value that this program computes.
    pub ours: String,
    /// Whether the published and the computed text agree.
    pub agrees: bool,
}

impl WorkedExample {
    /// Looks up a worked example by its name in the family's file of examples and compares it with the computed text; it agrees if both
    /// texts are equal. Each example of the file consists of lines for the document, the name, the place, the statement, the printed
    /// text, and optionally a note; an empty line separates two examples.
    ///
    /// # Panics
    ///
    /// If the file has no such example.
    pub fn printed(file: &'static str, id: &str, ours: String) -> Self {
        let mut examples = file.split("\n\n").map(|example| example.lines().collect::<Vec<_>>());
        let example = examples.find(|example| example.get(1) == Some(&id));
        let Some(&[document, id, place, says, published, ref note @ ..]) = example.as_deref() else {
            panic!("the file has no example {id}");
        };
        let (note, agrees) = (note.first().copied(), published == ours);
        Self { document, id, place, says, note, published, ours, agrees }
    }
}

//! Worked examples. A source document prints a calculation for an instance or an operator, and the program repeats the calculation.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The short name of the source document. Files of claims use the same name.
    pub document: &'static str,
    /// The name of the example. It is unique in the document.
    pub id: &'static str,
    /// The place in the document.
    pub place: &'static str,
    /// The statement of the document that the example checks.
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
    /// Looks up a worked example by its name in the family's file of examples, and compares the printed text with the computed text. Each
    /// example of the file has one line for each of these items: the document, the name, the place, the statement, the printed text, and
    /// optionally a note. An empty line separates two examples.
    ///
    /// # Panics
    /// If the file has no example with this name.
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

//! Worked examples. A source document prints a calculation for an instance or an operator. The program repeats the calculation.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The short name of the source document. Files of claims use the same name.
    pub document: &'static str,
    /// The name of the example, unique in its document.
    pub id: &'static str,
    /// The place of the calculation in the document.
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
    /// Reads the example `id` from the family's file of examples. The example's printed text is compared with the computed text `ours`. An
    /// example has these lines in the file: document, name, place, statement, printed text. A note is optional. An empty line separates two
    /// examples.
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

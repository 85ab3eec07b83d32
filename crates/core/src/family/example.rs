//! Worked examples. A worked example is a calculation that is printed in a publication (the source document). The calculation concerns an
//! instance or an operator. Evogrid repeats the calculation from the publication.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The short name of the source document. The files of claims use the same short name for the document.
    pub document: &'static str,
    /// The name of the example. Two examples of one document never have the same name.
    pub id: &'static str,
    /// The place of the calculation in the document.
    pub place: &'static str,
    /// A statement of the source document. The example checks this statement.
    pub says: &'static str,
    /// A remark for the reader.
    pub note: Option<&'static str>,
    /// The published text or value.
    pub published: &'static str,
    /// The text or value that this program computes.
    pub ours: String,
    /// Whether the published text and the computed text agree.
    pub agrees: bool,
}

impl WorkedExample {
    /// Reads the example `id` from the family's file of examples. This function compares two texts: the text that is printed in the
    /// document, and the text `ours`, which the program computed. In the file, an example has these lines: document, name, place,
    /// statement, printed text. A sixth line with a note is optional. An empty line separates two examples.
    ///
    /// # Panics
    /// Panics if the file has no example with this name.
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

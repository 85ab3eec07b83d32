//! Worked examples: calculations that a source document prints for an instance or an operator, and that the program repeats.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The short name of the source document, as in files of claims.
    pub document: &'static str,
    /// The name of the example, unique in the document.
    pub id: &'static str,
    /// The place in the document.
    pub place: &'static str,
    /// The statement of the document.
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
    /// Looks up a worked example by its name in the family's file of examples, and compares it with the computed text. The example agrees
    /// if both texts are equal. Each example of the file consists of lines for the document, the name, the place, the statement, the
    /// printed text, and optionally a note. An empty line separates two examples.
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

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
    /// What is printed there.
    pub published: &'static str,
    /// What comes out here.
    pub ours: String,
    /// Whether both are the same.
    pub agrees: bool,
}

impl WorkedExample {
    /// The example of a name, as a family's file of examples has it, beside what comes out here; it agrees if the printed and the
    /// computed text are equal. Each example of the file has a line for its document, its name, the place, what is said, what is
    /// printed, and perhaps a note; an empty line is between two.
    ///
    /// # Panics
    ///
    /// If the file has no such example.
    #[must_use]
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

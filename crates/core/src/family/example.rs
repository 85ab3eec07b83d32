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
    pub published: String,
    /// What comes out here.
    pub ours: String,
    /// Whether both are the same.
    pub agrees: bool,
}

impl WorkedExample {
    /// An example without a note, which agrees if the printed and the computed text are equal.
    #[must_use]
    pub fn new(
        document: &'static str,
        id: &'static str,
        place: &'static str,
        says: &'static str,
        published: &str,
        ours: String,
    ) -> Self {
        let (agrees, published) = (published == ours, published.to_owned());
        Self { document, id, place, says, note: None, published, ours, agrees }
    }
}

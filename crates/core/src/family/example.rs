//! Worked examples: what a source document prints of an instance or an operator, worked again.

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkedExample {
    /// The source document, by a short name that files of claims use.
    pub document: &'static str,
    /// Its name, unique in the document.
    pub id: &'static str,
    /// Where it stands in the document.
    pub place: &'static str,
    /// What the document says.
    pub says: &'static str,
    /// A remark for the reader.
    pub note: Option<&'static str>,
    /// What is printed there.
    pub published: String,
    /// What comes out here.
    pub ours: String,
    /// Whether that is the same.
    pub agrees: bool,
}

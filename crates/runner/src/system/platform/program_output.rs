//! The output of a program.

/// What a program printed until it ended, by itself or not, and how it ended.
pub(crate) struct ProgramOutput {
    /// Whether its time was over first.
    pub(crate) is_late: bool,
    /// How it ended, where that was not well.
    pub(crate) failure: Option<String>,
    pub(crate) printed: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub(crate) errors: Vec<u8>,
    /// The processor time that it took, with all that it waited for, in milliseconds.
    pub(crate) cpu_ms: f64,
}

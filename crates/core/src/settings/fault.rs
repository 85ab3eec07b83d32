//! A fault describes the error in a setting, and the place of this error.

/// The description of an invalid setting: its path, the faulty part, and the expected value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The dotted path of the setting.
    pub path: String,
    /// The faulty part of the setting.
    pub part: SettingPart,
    /// The message.
    pub message: String,
    /// The values that would be valid. If a name is misspelt, the text includes the most similar valid name.
    pub expected: String,
}

/// A part of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingPart {
    /// The name.
    Name,
    /// The value.
    Value,
}

impl Fault {
    /// A fault in the value of a setting. If a [member](crate::registry::Member) refuses a combination of settings, the returned fault
    /// names one of these settings. The fault then says that the value of this setting is invalid.
    ///
    /// ```
    /// use evogrid_core::fault::Fault;
    ///
    /// let fault = Fault::value("cuts", "3 cuts need 4 parents", "expected fewer cuts, or more parents").below("crossover");
    /// assert_eq!(fault.path, "crossover.cuts");
    /// ```
    pub fn value(path: impl Into<String>, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { path: path.into(), part: SettingPart::Value, message: message.into(), expected: expected.into() }
    }

    /// A fault in the name of a setting.
    pub fn name(path: impl Into<String>, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { part: SettingPart::Name, ..Self::value(path, message, expected) }
    }

    /// Returns the same fault, but puts the path of the operator (`path`) before the path of the setting.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        let path = if self.path.is_empty() { path.to_owned() } else { format!("{path}.{}", self.path) };
        Self { path, ..self }
    }
}

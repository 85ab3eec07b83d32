//! What a program said until it ended.

/// What a program said until it ended, by itself or not.
pub(super) struct Said {
    /// Whether its time was over first.
    pub(super) is_late: bool,
    /// How it ended, where that was not well.
    pub(super) failure: Option<String>,
    pub(super) output: Vec<u8>,
    /// The end of what it said on standard error.
    pub(super) errors: Vec<u8>,
}

impl Said {
    /// The last line that is not empty; nothing, if there is none.
    pub(super) fn last_line(&self) -> &[u8] {
        last_line(&self.output)
    }

    /// The same among the lines that it finished.
    pub(super) fn last_whole_line(&self) -> &[u8] {
        let end = self.output.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        last_line(&self.output[..end])
    }

    /// A message, and with it what the program said on standard error at last.
    pub(super) fn explained(&self, message: &str) -> String {
        let errors = String::from_utf8_lossy(&self.errors);
        let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return message.to_owned();
        }
        format!("{message}\n  on standard error: {}", lines.join("\n    "))
    }
}

fn last_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str, errors: &str) -> Said {
        Said { is_late: false, failure: None, output: output.into(), errors: errors.into() }
    }

    #[test]
    fn the_last_line_that_is_not_empty_is_the_answer() {
        for (output, last, whole) in
            [("", "", ""), ("a", "a", ""), ("a\n", "a", "a"), ("a\nb\r\n \n\n", "b", "b"), ("a\n\nb", "b", "a")]
        {
            let said = said(output, "");
            assert_eq!((said.last_line(), said.last_whole_line()), (last.as_bytes(), whole.as_bytes()), "{output:?}");
        }
    }

    #[test]
    fn what_was_said_on_standard_error_explains_a_message() {
        assert_eq!(said("", " \n").explained("it failed"), "it failed");
        assert_eq!(said("", "one\n\ntwo\n").explained("it failed"), "it failed\n  on standard error: one\n    two");
    }
}

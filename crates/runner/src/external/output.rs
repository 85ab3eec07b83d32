//! The output of a program: its answer, and its last words on standard error.

use super::reply::{Reply, is_improvement};
use crate::system::platform::ProgramOutput;

impl ProgramOutput {
    /// The last line that is not empty; empty if there is none.
    pub(super) fn last_line(&self) -> &[u8] {
        last_line(&self.printed)
    }

    /// The last line among those that the program finished.
    pub(super) fn last_whole_line(&self) -> &[u8] {
        let end = self.printed.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        last_line(&self.printed[..end])
    }

    /// The improvements that it reported.
    ///
    /// # Errors
    /// What is wrong with the first that cannot be read.
    pub(super) fn improvements(&self) -> Result<Vec<Reply>, String> {
        self.lines().filter(|line| is_improvement(line)).map(Reply::read).collect()
    }

    /// How many lines are an answer.
    pub(super) fn n_answers(&self) -> usize {
        self.lines().filter(|line| !line.is_empty() && !is_improvement(line)).count()
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.printed.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
    }

    /// The message, followed by the end of what the program wrote to standard error.
    pub(super) fn explained(&self, message: &str) -> String {
        // Of much text its end is kept, which may begin within a character.
        let begun = self.errors.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        let errors = String::from_utf8_lossy(&self.errors[begun..]);
        let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return message.to_owned();
        }
        format!("{message}\n  its standard error: {}", lines.join("\n    "))
    }
}

fn last_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::platform::ProgramUsage;

    fn output(printed: &str, errors: &str) -> ProgramOutput {
        ProgramOutput {
            reached: None,
            failure: None,
            printed: printed.into(),
            errors: errors.into(),
            usage: ProgramUsage::default(),
        }
    }

    #[test]
    fn the_last_line_that_is_not_empty_is_the_answer() {
        for (printed, last, whole) in
            [("", "", ""), ("a", "a", ""), ("a\n", "a", "a"), ("a\nb\r\n \n\n", "b", "b"), ("a\n\nb", "b", "a")]
        {
            let output = output(printed, "");
            assert_eq!(
                (output.last_line(), output.last_whole_line()),
                (last.as_bytes(), whole.as_bytes()),
                "{printed:?}"
            );
        }
    }

    #[test]
    fn what_was_written_to_standard_error_explains_a_message() {
        assert_eq!(output("", " \n").explained("it failed"), "it failed");
        let cut = ProgramOutput { errors: "é: wrong\n".as_bytes()[1..].to_vec(), ..output("", "") };
        assert_eq!(cut.explained("it failed"), "it failed\n  its standard error: : wrong");
        assert_eq!(output("", "one\n\ntwo\n").explained("it failed"), "it failed\n  its standard error: one\n    two");
    }
}

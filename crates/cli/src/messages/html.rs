//! HTML: templates to fill in, and escaped text.

/// The template with every mark replaced once; inserted text is not searched for marks.
#[cfg(feature = "charts")]
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        text += &rest[..start];
        rest = &rest[start..];
        let part = parts.iter().find(|(mark, _)| rest.starts_with(mark));
        let (mark, part) = part.expect("the template has no other marks");
        text += part;
        rest = &rest[mark.len()..];
    }
    text + rest
}

/// The text as HTML shows it, also inside double quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(feature = "charts")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let parts = [("{{a}}", "{{b}}".to_owned()), ("{{b}}", "2".to_owned())];
        assert_eq!(filled("x {{a}} {{b}} y", &parts), "x {{b}} 2 y");
    }
}

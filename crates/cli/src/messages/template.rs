//! Templates of texts and pages. Values are inserted into the templates.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use evogrid_results::format::{printable, wrapped};
use evogrid_runner::experiment::diagnostic::in_one_line;
use evogrid_runner::system::numbers::counted;
use evogrid_runner::system::program;

use super::shell::{escaped_word, shell_text, shell_word};

/// Fills in a template that is a file next to the code, for example `rendered!("plan/plan.txt", values)`.
macro_rules! rendered {
    ($file:literal, $values:expr $(,)?) => {
        $crate::messages::fill_in($file, include_str!($file), $values)
    };
}
pub(crate) use rendered;

/// Fills in a template of this program. If the name of the template ends in `.html`, values are escaped unless the template marks them as
/// `safe`.
///
/// The variable `runner` is the name of this program. A line with nothing but a tag leaves no empty line.
///
/// # Panics
/// If the template uses a value that `values` does not have. This is a mistake in this program.
pub(crate) fn fill_in(name: &str, template: &str, values: impl Serialize) -> String {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build().expect("the usual marks"));
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.add_global("runner", program::name());
    environment.add_filter("counted", counted);
    environment.add_filter("cut", cut);
    environment.add_filter("escaped_word", |value: Value| {
        value.as_str().map_or(value.clone(), |text| escaped_word(text).into())
    });
    environment.add_filter("one_line", in_one_line);
    environment.add_filter("printable", |text: &str| printable(text).into_owned());
    environment.add_filter("quoted", |value: Value| serde_json::to_string(&value).expect("the value is JSON"));
    environment.add_filter("wrapped", |text: &str, width: usize, indent: usize| {
        wrapped(text, width).join(&format!("\n{:indent$}", ""))
    });
    environment.add_filter("shell_path", |path: &str| shell_word(path.as_ref()));
    environment.add_filter("shell_text", shell_text);
    environment.set_formatter(|output, state, value| {
        let is_escaped = *state.auto_escape() == AutoEscape::Html && !value.is_safe();
        let text = value.to_string();
        Ok(output.write_str(&if is_escaped { escaped(&text) } else { text })?)
    });
    let text = environment.render_named_str(name, template, Serde(values));
    text.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the text as HTML shows it, also between double quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The filter `cut`: a text from a file, on one line, cut to `length` characters.
fn cut(text: &str, length: usize) -> String {
    let shown = printable(text);
    let mut cut: String = shown.chars().take(length).collect();
    if cut.len() < shown.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_escaped_in_pages_and_stays_as_it_is_elsewhere() {
        let filled = |name| {
            fill_in(
                name,
                "{% if true %}\n{{ a | cut(3) }} {{ b }} {{ c | safe }}\n{% endif %}\n",
                [("a", "<\u{202e}b"), ("b", "{{ a }}\""), ("c", "<i>")]
                    .into_iter()
                    .collect::<std::collections::BTreeMap<_, _>>(),
            )
        };
        assert_eq!(filled("x.txt"), "<\\u… {{ a }}\" <i>\n");
        assert_eq!(filled("x.html"), "&lt;\\u… {{ a }}&quot; <i>\n");
    }
}

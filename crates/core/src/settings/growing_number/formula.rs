//! Formulas over the sizes of an instance, such as `n*m/2`. A formula determines how a setting grows with the instance.

use std::fmt;

/// A formula of numbers and size names, combined by `+`, `-`, `*` and `/`.
///
/// ```
/// use evogrid_core::growing_number::Formula;
///
/// let formula = Formula::parse("n * (m + 1) / 2").expect("a formula");
/// assert_eq!(formula.to_string(), "n*(m+1)/2");
/// assert_eq!(formula.names(), ["n", "m"]);
/// assert_eq!(formula.value(&|name| if name == "n" { 20.0 } else { 5.0 }), 60.0);
/// assert!(Formula::parse("n*").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// A size of the instance, given by the name of the size.
    Size(String),
    /// Two formulas with an operation between them: `+`, `-`, `*` or `/`.
    Of(Box<Formula>, char, Box<Formula>),
}

/// The operations `+` and `-`, and the operations `*` and `/`. The operations `*` and `/` are done first.
const SUM: &str = "+-";
const PRODUCT: &str = "*/";

/// The largest number of characters in a formula. This limit prevents deep nesting.
const MAX_LENGTH: usize = 200;

impl Formula {
    /// Reads a formula: numbers, size names, `+`, `-`, `*`, `/` and parentheses.
    ///
    /// # Errors
    /// Returns a message that says why the text is not a formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("a formula has at most {MAX_LENGTH} characters"));
        }
        let mut parser = Parser { rest: text };
        let formula = parser.sum()?;
        match parser.next() {
            None => Ok(formula),
            Some(unexpected) => Err(format!("unexpected `{unexpected}`")),
        }
    }

    /// The names of the sizes in the formula. Each name is listed once, in the order of the first occurrences.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Size(name) => vec![name],
            Self::Of(one, _, other) => {
                let mut names = one.names();
                let others: Vec<&str> = other.names().into_iter().filter(|name| !names.contains(name)).collect();
                names.extend(others);
                names
            }
        }
    }

    /// Computes the formula. The function `size` receives the name of a size in the formula, and returns the value of this size.
    pub fn value(&self, size: &dyn Fn(&str) -> f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Size(name) => size(name),
            Self::Of(one, operation, other) => {
                let (one, other) = (one.value(size), other.value(size));
                match operation {
                    '+' => one + other,
                    '-' => one - other,
                    '*' => one * other,
                    _ => one / other,
                }
            }
        }
    }
}

/// The canonical form, without spaces and without unnecessary parentheses.
impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |formatter: &mut fmt::Formatter<'_>, term: &Self, is_in_parentheses: bool| {
            if is_in_parentheses { write!(formatter, "({term})") } else { write!(formatter, "{term}") }
        };
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Size(name) => formatter.write_str(name),
            Self::Of(one, operation, other) => {
                let is_product = PRODUCT.contains(*operation);
                let is_sum = |term: &Self| matches!(term, Self::Of(_, inner, _) if SUM.contains(*inner));
                write(formatter, one, is_product && is_sum(one))?;
                write!(formatter, "{operation}")?;
                // A formula is evaluated from left to right.
                let is_below = match &**other {
                    Self::Of(_, inner, _) => is_product || SUM.contains(*inner),
                    _ => false,
                };
                write(formatter, other, is_below)
            }
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn sum(&mut self) -> Result<Formula, String> {
        self.chain(SUM, Self::product)
    }

    fn product(&mut self) -> Result<Formula, String> {
        self.chain(PRODUCT, Self::factor)
    }

    /// Reads a series of formulas that are joined by these operations.
    fn chain(
        &mut self,
        operations: &str,
        mut term: impl FnMut(&mut Self) -> Result<Formula, String>,
    ) -> Result<Formula, String> {
        let mut all = term(self)?;
        loop {
            let Some(operation) = self.next().filter(|&symbol| operations.contains(symbol)) else { return Ok(all) };
            self.rest = &self.rest[1..];
            all = Formula::Of(Box::new(all), operation, Box::new(term(self)?));
        }
    }

    fn factor(&mut self) -> Result<Formula, String> {
        match self.next() {
            Some('(') => {
                self.rest = &self.rest[1..];
                let term = self.sum()?;
                if self.next() != Some(')') {
                    return Err("a closing parenthesis is missing".to_owned());
                }
                self.rest = &self.rest[1..];
                Ok(term)
            }
            Some(first) if first.is_ascii_digit() || first == '.' => {
                let word = self.take(|character| character.is_ascii_digit() || character == '.');
                word.parse().map(Formula::Number).map_err(|_| format!("`{word}` is not a number"))
            }
            Some(first) if first.is_ascii_alphabetic() => {
                let word = self.take(|character| character.is_ascii_alphanumeric() || character == '_');
                Ok(Formula::Size(word.to_owned()))
            }
            Some(unexpected) => Err(format!("unexpected `{unexpected}`")),
            None => Err("the formula is incomplete".to_owned()),
        }
    }

    fn take(&mut self, is_inside: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|character| !is_inside(character)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_form_reads_as_the_same_formula() {
        for (text, canonical) in [
            ("n*n", "n*n"),
            (" 2 * n ", "2*n"),
            ("(n*m)/2", "n*m/2"),
            ("n*(m/2)", "n*(m/2)"),
            ("(n+1)*(n-1)", "(n+1)*(n-1)"),
            ("n+(m*2)", "n+m*2"),
            ("n-(m-2)", "n-(m-2)"),
            ("((n))", "n"),
            ("0.06*n", "0.06*n"),
        ] {
            let formula = Formula::parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
            assert_eq!(formula.to_string(), canonical);
            assert_eq!(Formula::parse(canonical).as_ref(), Ok(&formula));
        }
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for (text, wrong) in [
            ("", "the formula is incomplete"),
            ("n*", "the formula is incomplete"),
            ("n m", "unexpected `m`"),
            ("(n", "a closing parenthesis is missing"),
            ("n)", "unexpected `)`"),
            ("n^2", "unexpected `^`"),
            ("1.2.3", "`1.2.3` is not a number"),
        ] {
            assert_eq!(Formula::parse(text), Err(wrong.to_owned()), "{text}");
        }
        assert!(Formula::parse(&"(".repeat(100_000)).is_err());
    }
}

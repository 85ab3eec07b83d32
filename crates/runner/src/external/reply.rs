//! Replies: a program answers with a line of JSON, which is found in the output of the program.

use evogrid_core::budget::Stop;
use evogrid_core::problem::DynProblem;
use evogrid_core::suggestion::one_of;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use crate::system::platform::ProgramOutput;

/// The reasons to stop that a program may give. A program does not decide whether the target is reached.
const STOPS: [Stop; 6] =
    [Stop::Generations, Stop::Evaluations, Stop::Stagnation, Stop::Time, Stop::Restarts, Stop::Exhausted];

/// The maximum number of characters of a line that a message quotes.
const QUOTE_LENGTH: usize = 200;

/// The largest count that a reply may have, 2^53: every reader of the tables stores whole numbers up to this number exactly.
const LARGEST_COUNT: u64 = 1 << 53;

/// The report of a program about its search. A key may be missing, or `null`.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Reply {
    pub(super) solution: Option<String>,
    #[serde(deserialize_with = "number")]
    pub(super) objective: Option<f64>,
    #[serde(deserialize_with = "number")]
    pub(super) best_fitness: Option<f64>,
    #[serde(deserialize_with = "stop")]
    pub(super) stop: Option<Stop>,
    #[serde(deserialize_with = "count")]
    pub(super) evaluations: u64,
    #[serde(deserialize_with = "count")]
    pub(super) generations: u64,
    #[serde(deserialize_with = "count")]
    pub(super) restarts: u64,
    /// If the program reports this number, it is at most `evaluations`.
    #[serde(deserialize_with = "optional_count")]
    pub(super) evaluations_to_best: Option<u64>,
    improvement: Option<bool>,
    /// The seed of the run that the program answers, if the program reports it.
    #[serde(deserialize_with = "optional_count")]
    pub(super) seed: Option<u64>,
}

/// Whether a line reports an improvement on the way to an answer: an object with `"improvement": true`.
pub(super) fn is_improvement(line: &[u8]) -> bool {
    const KEY: &str = "improvement";
    let line = line.trim_ascii();
    // Most lines do not contain the word, and need not be parsed.
    line.starts_with(b"{")
        && line.windows(KEY.len()).any(|part| part == KEY.as_bytes())
        && serde_json::from_slice::<Value>(line).is_ok_and(|value| value[KEY] == true)
}

impl Reply {
    /// The value of the best candidate: its fitness, or its objective on a problem without genomes. A program that does not know the kind of
    /// problem may call an objective a fitness.
    ///
    /// # Errors
    /// If the program reports an objective instead of a fitness.
    pub(super) fn value(&self, problem: &dyn DynProblem) -> Result<Option<f64>, String> {
        match self.objective {
            Some(_) if problem.has_genomes() => {
                Err("the reply has an `objective`, which belongs to external problems: expected `best_fitness`"
                    .to_owned())
            }
            objective => Ok(objective.or(self.best_fitness)),
        }
    }

    /// Reads the reply from a line.
    ///
    /// # Errors
    /// If the line is not a reply, with the reason and the line.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        if line.is_empty() {
            return Err("the program printed nothing: expected one line of JSON".to_owned());
        }
        let expected = "expected one JSON object, for example {\"solution\": \"...\", \"evaluations\": 100}";
        let read: serde_json::Result<Self> = serde_json::from_slice(line);
        let wrong = match read {
            _ if !line.starts_with(b"{") => "is not a JSON object".to_owned(),
            Err(error) => {
                let text = error.to_string();
                let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
                format!("is not valid at column {}: {what}", error.column())
            }
            Ok(reply) if reply.evaluations_to_best > Some(reply.evaluations) => {
                "has a value of `evaluations_to_best` above its value of `evaluations`".to_owned()
            }
            Ok(reply) => return Ok(reply),
        };
        let line = String::from_utf8_lossy(line);
        let shown = match line.char_indices().nth(QUOTE_LENGTH) {
            Some((end, _)) => format!("{}... ({} bytes)", &line[..end], line.len()),
            None => line.into_owned(),
        };
        let wrong: String = wrong.chars().take(2 * QUOTE_LENGTH).collect();
        Err(format!("the reply {wrong}; {expected}\n  last line of the reply: {shown}"))
    }
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    optional(deserializer, "a number", Value::as_f64)
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Ok(optional_count(deserializer)?.unwrap_or(0))
}

fn optional_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let expected = format!("a whole number from 0 to {LARGEST_COUNT}");
    optional(deserializer, &expected, |value| value.as_u64().filter(|&count| count <= LARGEST_COUNT))
}

/// Reads a value that may be `null`.
fn optional<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let value: Option<Value> = Deserialize::deserialize(deserializer)?;
    let wrong = |value: &Value| D::Error::custom(format!("found `{value}`, expected {expected}"));
    value.map(|value| read(&value).ok_or_else(|| wrong(&value))).transpose()
}

fn stop<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Stop>, D::Error> {
    let Some(name): Option<String> = Deserialize::deserialize(deserializer)? else { return Ok(None) };
    let found = STOPS.into_iter().find(|stop| stop.name() == name);
    found.map(Some).ok_or_else(|| {
        D::Error::custom(match name.as_str() {
            "target" => {
                "`stop` cannot be `target`: omit `stop` if the target is reached; Evogrid itself checks the `solution`"
                    .to_owned()
            }
            "failed" => "`stop` cannot be `failed`: to report a failure, end with an exit status above 0".to_owned(),
            _ => format!("the `stop` is `{name}`: {}", one_of(&name, &STOPS.map(Stop::name))),
        })
    })
}

impl ProgramOutput {
    /// The last line that is not empty; an empty text if all lines are empty.
    pub(super) fn last_line(&self) -> &[u8] {
        last_line(&self.printed)
    }

    /// The last complete line that is not empty.
    pub(super) fn last_whole_line(&self) -> &[u8] {
        let end = self.printed.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        last_line(&self.printed[..end])
    }

    /// The improvements that the program reported.
    ///
    /// # Errors
    /// If an improvement cannot be read, with the reason.
    pub(super) fn improvements(&self) -> Result<Vec<Reply>, String> {
        self.lines().filter(|line| is_improvement(line)).map(Reply::read).collect()
    }

    /// The number of lines that are answers.
    pub(super) fn n_answers(&self) -> usize {
        self.lines().filter(|line| !line.is_empty() && !is_improvement(line)).count()
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.printed.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
    }

    /// The message, followed by the last part of the program's standard error.
    pub(super) fn explained(&self, message: &str) -> String {
        // Only the end of a long text is kept. It may begin within a character.
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
    use proptest::prelude::*;

    use super::*;
    use crate::system::platform::ProgramUsage;

    const KEYS: [&str; 10] = [
        "solution",
        "objective",
        "best_fitness",
        "stop",
        "evaluations",
        "generations",
        "restarts",
        "evaluations_to_best",
        "improvement",
        "seed",
    ];

    proptest! {
        #[test]
        fn reading_never_panics(line: Vec<u8>, value in "-?[0-9]{1,30}(\\.[0-9]{0,3})?(e[0-9]{1,4})?|null|\\[\\]|\"[a-z]{0,5}\"", key in 0..KEYS.len()) {
            let _ = Reply::read(&line);
            if let Ok(reply) = Reply::read(format!("{{\"{}\": {value}}}", KEYS[key]).as_bytes()) {
                prop_assert!(reply.evaluations_to_best <= Some(reply.evaluations));
                prop_assert!(reply.best_fitness.is_none_or(f64::is_finite));
            }
        }
    }

    #[test]
    fn what_a_program_leaves_out_is_none_or_nothing() {
        let reply = Reply::read(br#"{"solution": "1234", "best_fitness": null, "evaluations": 7}"#).unwrap();
        let expected = Reply { solution: Some("1234".to_owned()), evaluations: 7, ..Reply::default() };
        assert_eq!(reply, expected);
    }

    #[test]
    fn every_reason_to_stop_but_success_and_failure_may_be_said() {
        for stop in STOPS {
            let line = format!("{{\"stop\": \"{stop}\", \"best_fitness\": 2.5}}");
            assert_eq!(Reply::read(line.as_bytes()).map(|reply| reply.stop), Ok(Some(stop)));
        }
    }

    #[test]
    fn what_is_no_reply_is_refused_with_the_line() {
        let wrong = |line: &str| Reply::read(line.as_bytes()).expect_err("it is wrong");
        assert_eq!(wrong(""), "the program printed nothing: expected one line of JSON");
        let told = [
            "solved!",
            "[\"1\"]",
            "{\"solution\": ",
            r#"{"solutoin": "1"}"#,
            r#"{"solution": 12}"#,
            r#"{"evaluations": 1.5}"#,
            r#"{"evaluations": -1}"#,
            r#"{"best_fitness": "0"}"#,
            r#"{"evaluations": 3, "evaluations_to_best": 4}"#,
            r#"{"stop": "tired"}"#,
            r#"{"stop": "target"}"#,
        ];
        let first = |line: &str| wrong(line).lines().next().unwrap_or_default().to_owned();
        insta::assert_snapshot!(told.map(first).join("\n").replace("; expected one JSON object, for example {\"solution\": \"...\", \"evaluations\": 100}", ""), @r#"
        the reply is not a JSON object
        the reply is not a JSON object
        the reply is not valid at column 13: EOF while parsing a value
        the reply is not valid at column 11: unknown field `solutoin`, expected one of `solution`, `objective`, `best_fitness`, `stop`, `evaluations`, `generations`, `restarts`, `evaluations_to_best`, `improvement`, `seed`
        the reply is not valid at column 15: invalid type: integer `12`, expected a string
        the reply is not valid at column 20: found `1.5`, expected a whole number from 0 to 9007199254740992
        the reply is not valid at column 19: found `-1`, expected a whole number from 0 to 9007199254740992
        the reply is not valid at column 21: found `"0"`, expected a number
        the reply has a value of `evaluations_to_best` above its value of `evaluations`
        the reply is not valid at column 17: the `stop` is `tired`: expected `generations`, `evaluations`, `stagnation`, `time`, `restarts` or `exhausted`
        the reply is not valid at column 18: `stop` cannot be `target`: omit `stop` if the target is reached; Evogrid itself checks the `solution`
        "#);
        for key in ["evaluations", "generations", "restarts", "evaluations_to_best"] {
            for count in ["9007199254740993", "9223372036854775808", "18446744073709551615", "1e30"] {
                assert!(first(&format!("{{\"{key}\": {count}}}")).contains("expected a whole number from 0 to 9007"));
            }
            assert!(
                Reply::read(format!("{{\"{key}\": 9007199254740992}}").as_bytes()).is_ok()
                    || key == "evaluations_to_best"
            );
        }
        let long = wrong(&"x".repeat(5000));
        assert!(long.ends_with("x... (5000 bytes)") && long.len() < 500, "{long}");
        assert!(Reply::read(b"\xff\xfe").is_err());
        for long in
            ["{\"KEY\": 1}", "{\"stop\": \"KEY\"}"].map(|line| wrong(&line.replace("KEY", &"x".repeat(100_000))))
        {
            assert!(long.len() < 1000, "{} bytes", long.len());
        }
    }

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

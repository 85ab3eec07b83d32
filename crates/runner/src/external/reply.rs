//! Replies: the line of JSON with which a program answers, found in its output.

use evogrid_core::budget::Stop;
use evogrid_core::problem::DynProblem;
use evogrid_core::suggestion::one_of;
use serde_json::{Map, Value};

use crate::system::platform::ProgramOutput;

/// What a reply may hold.
const REPLY_KEYS: [&str; 10] = [
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

/// The reasons to stop that a program may give. Whether the target is reached is decided here.
const STOPS: [Stop; 6] =
    [Stop::Generations, Stop::Evaluations, Stop::Stagnation, Stop::Time, Stop::Restarts, Stop::Exhausted];

/// The most characters of a line, or of a text in it, that a message quotes.
const QUOTE_LENGTH: usize = 200;

/// What a program reports of its search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) solution: Option<String>,
    pub(super) objective: Option<f64>,
    pub(super) best_fitness: Option<f64>,
    pub(super) stop: Option<Stop>,
    pub(super) evaluations: u64,
    pub(super) generations: u64,
    pub(super) restarts: u64,
    /// At most `evaluations`, if the program says it.
    pub(super) evaluations_to_best: Option<u64>,
    /// The seed of the run that it answers, if the program says it.
    pub(super) seed: Option<u64>,
}

/// Whether a line reports an improvement on the way to an answer: an object with `"improvement": true`.
pub(super) fn is_improvement(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // Most lines are no such object, and need not be read.
    line.starts_with(b"{")
        && line.windows(IMPROVEMENT.len()).any(|part| part == IMPROVEMENT.as_bytes())
        && serde_json::from_slice::<Value>(line).is_ok_and(|value| value[IMPROVEMENT] == true)
}

const IMPROVEMENT: &str = "improvement";

/// The largest count that a reply may have, 2^53: up to it every reader of the tables has whole numbers exactly.
const LARGEST_COUNT: u64 = 1 << 53;

impl Reply {
    /// The value of the best candidate: its fitness, or on a problem without genomes its objective. A program that does not know the kind of
    /// problem may call an objective a fitness.
    ///
    /// # Errors
    /// If it reports an objective instead of a fitness.
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
    /// What is wrong with it, and the line, for a person.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        if line.is_empty() {
            return Err("the program printed nothing: expected one line of JSON".to_owned());
        }
        read(line).map_err(|wrong| format!("{wrong}\n  its last line: {}", quoted(line)))
    }
}

fn read(line: &[u8]) -> Result<Reply, String> {
    const EXPECTED: &str = "expected one JSON object, for example {\"solution\": \"...\", \"evaluations\": 100}";
    let value: Value =
        serde_json::from_slice(line).map_err(|error| format!("the reply is not JSON ({error}): {EXPECTED}"))?;
    let Value::Object(fields) = value else { return Err(format!("the reply is {}: {EXPECTED}", type_name(&value))) };
    if let Some(unknown) = fields.keys().find(|key| !REPLY_KEYS.contains(&key.as_str())) {
        let shown = quoted(unknown.as_bytes());
        return Err(format!("the reply has an unknown key `{shown}`: {}", one_of(unknown, &REPLY_KEYS)));
    }
    field(&fields, IMPROVEMENT, "true or false", Value::as_bool)?;
    let text = |key| field(&fields, key, "text", Value::as_str);
    let count = |value: &Value| value.as_u64().filter(|&count| count <= LARGEST_COUNT);
    let whole = |key| field(&fields, key, &format!("a whole number from 0 to {LARGEST_COUNT}"), count);
    let evaluations = whole("evaluations")?.unwrap_or(0);
    let evaluations_to_best = whole("evaluations_to_best")?;
    if let Some(to_best) = evaluations_to_best.filter(|&to_best| to_best > evaluations) {
        return Err(format!(
            "the reply's `evaluations_to_best` {to_best} is larger than its `evaluations` {evaluations}"
        ));
    }
    Ok(Reply {
        solution: text("solution")?.map(str::to_owned),
        objective: field(&fields, "objective", "a number", Value::as_f64)?,
        best_fitness: field(&fields, "best_fitness", "a number", Value::as_f64)?,
        stop: text("stop")?.map(stop).transpose()?,
        evaluations,
        generations: whole("generations")?.unwrap_or(0),
        restarts: whole("restarts")?.unwrap_or(0),
        evaluations_to_best,
        seed: whole("seed")?,
    })
}

/// The value of a key; `null` counts as none.
fn field<'f, T>(
    fields: &'f Map<String, Value>,
    key: &str,
    expected: &str,
    read: impl Fn(&'f Value) -> Option<T>,
) -> Result<Option<T>, String> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(format!("the reply's `{key}` is {}: expected {expected}", type_name(value))),
        },
    }
}

fn stop(name: &str) -> Result<Stop, String> {
    let names = STOPS.map(Stop::name);
    let found = STOPS.into_iter().find(|stop| stop.name() == name);
    found.ok_or_else(|| match name {
        "target" => "the reply's `stop` is `target`: omit `stop`, because the `solution` shows whether the target was \
             reached"
            .to_owned(),
        "failed" => "the reply's `stop` is `failed`: to report a failure, end the program with an exit status above 0"
            .to_owned(),
        _ => format!("the reply's `stop` is `{}`: {}", quoted(name.as_bytes()), one_of(name, &names)),
    })
}

fn type_name(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "true or false".to_owned(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(_) => "text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn quoted(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    match line.char_indices().nth(QUOTE_LENGTH) {
        Some((end, _)) => format!("{}... ({} bytes)", &line[..end], line.len()),
        None => line.into_owned(),
    }
}

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
    use proptest::prelude::*;

    use super::*;
    use crate::system::platform::ProgramUsage;

    proptest! {
        #[test]
        fn reading_never_panics(line: Vec<u8>, value in "-?[0-9]{1,30}(\\.[0-9]{0,3})?(e[0-9]{1,4})?|null|\\[\\]|\"[a-z]{0,5}\"", key in 0..REPLY_KEYS.len()) {
            let _ = Reply::read(&line);
            if let Ok(reply) = Reply::read(format!("{{\"{}\": {value}}}", REPLY_KEYS[key]).as_bytes()) {
                prop_assert!(reply.evaluations_to_best <= Some(reply.evaluations));
                prop_assert!(reply.best_fitness.is_none_or(f64::is_finite));
            }
        }
    }

    #[test]
    fn what_a_program_leaves_out_is_none_or_nothing() {
        let reply = Reply::read(br#"{"solution": "1234", "best_fitness": null, "evaluations": 7}"#).unwrap();
        let expected = Reply {
            solution: Some("1234".to_owned()),
            objective: None,
            best_fitness: None,
            stop: None,
            evaluations: 7,
            generations: 0,
            restarts: 0,
            evaluations_to_best: None,
            seed: None,
        };
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
        assert_eq!(
            wrong("solved!"),
            "the reply is not JSON (expected value at line 1 column 1): expected one JSON object, for example \
             {\"solution\": \"...\", \"evaluations\": 100}\n  its last line: solved!"
        );
        let first = |line: &str| wrong(line).lines().next().unwrap_or_default().to_owned();
        assert!(first("[1]").starts_with("the reply is a list: expected one JSON object"));
        assert_eq!(
            first(r#"{"solutoin": "1"}"#),
            "the reply has an unknown key `solutoin`: expected `solution`, `objective`, `best_fitness`, `stop`, `evaluations`, `generations`, \
             `restarts`, `evaluations_to_best`, `improvement` or `seed`; did you mean `solution`?"
        );
        assert_eq!(first(r#"{"solution": 12}"#), "the reply's `solution` is the number 12: expected text");
        assert_eq!(
            first(r#"{"evaluations": 1.5}"#),
            "the reply's `evaluations` is the number 1.5: expected a whole number from 0 to 9007199254740992"
        );
        assert_eq!(
            first(r#"{"evaluations": -1}"#),
            "the reply's `evaluations` is the number -1: expected a whole number from 0 to 9007199254740992"
        );
        for key in ["evaluations", "generations", "restarts", "evaluations_to_best"] {
            for count in ["9007199254740993", "9223372036854775808", "18446744073709551615", "1e30"] {
                assert!(first(&format!("{{\"{key}\": {count}}}")).contains("expected a whole number from 0 to 9007"));
            }
            assert!(Reply::read(format!("{{\"evaluations\": 9007199254740992, \"{key}\": 1}}").as_bytes()).is_ok());
        }
        assert_eq!(first(r#"{"best_fitness": "0"}"#), "the reply's `best_fitness` is text: expected a number");
        assert_eq!(
            first(r#"{"evaluations": 3, "evaluations_to_best": 4}"#),
            "the reply's `evaluations_to_best` 4 is larger than its `evaluations` 3"
        );
        assert_eq!(
            first(r#"{"stop": "tired"}"#),
            "the reply's `stop` is `tired`: expected `generations`, `evaluations`, `stagnation`, `time`, `restarts` or `exhausted`"
        );
        assert!(first(r#"{"stop": "target"}"#).contains("omit `stop`"));
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

//! Files of cases, as README.md explains them. Not `trycmd`: it wants a folder of whole files for each case, and can neither say
//! what is changed in a valid experiment nor hold every refusal to the same promises.

use std::ops::Range;

use super::invocation::Invocation;

/// The expected text where the runner is to take what it is given.
const ACCEPTED: &str = "accepted";

#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) title: String,
    /// The number of the title's line, from 1.
    pub(crate) line: usize,
    pub(crate) expected: String,
    /// Where the expected text stands, or is to stand, in lines from 0.
    expected_lines: Range<usize>,
    invocation: Invocation,
    has_elided_lists: bool,
    /// What is wrong with the case itself.
    mistake: Option<String>,
}

/// The cases of a file, or what is wrong above the first of them.
pub(crate) fn parse(text: &str) -> Result<Vec<Case>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let titles: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("=== ")).collect();
    let mut common = Case {
        title: String::new(),
        line: 0,
        expected: String::new(),
        expected_lines: 0..0,
        invocation: Invocation::valid(),
        has_elided_lists: false,
        mistake: None,
    };
    common.read_changes(&lines, 0..*titles.first().ok_or("the file has no case")?)?;
    let mut cases: Vec<Case> = Vec::new();
    for (number, &at) in titles.iter().enumerate() {
        let mut end = titles.get(number + 1).copied().unwrap_or(lines.len());
        while lines[end - 1].is_empty() {
            end -= 1;
        }
        let is_expected = |line: &&str| *line == ACCEPTED || line.starts_with("error: ");
        let expected = lines[at..end].iter().position(is_expected).map_or(end, |offset| at + offset);
        let mut case = common.clone();
        case.title = lines[at]["=== ".len()..].to_owned();
        case.line = at + 1;
        case.expected = lines[expected..end].join("\n");
        case.expected_lines = expected..end;
        case.mistake = case.read_changes(&lines, at + 1..expected).err();
        if let Some(other) = cases.iter().find(|other| other.title == case.title) {
            case.mistake = Some(format!("the case on line {} has the same title", other.line));
        }
        cases.push(case);
    }
    Ok(cases)
}

/// The text of a file of cases with what was found in the place of what was expected.
pub(crate) fn rewritten(text: &str, cases: &[Case], found: &[Result<String, String>]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for (case, found) in cases.iter().zip(found).rev() {
        let Ok(found) = found else { continue };
        let space = case.expected.is_empty().then_some("");
        lines.splice(case.expected_lines.clone(), space.into_iter().chain([found.as_str()]));
    }
    lines.join("\n") + "\n"
}

impl Case {
    /// What stands in the place of the expected text now; an error says what is wrong with the case, or which promise
    /// the runner breaks.
    pub(crate) fn found(&self) -> Result<String, String> {
        if let Some(mistake) = &self.mistake {
            return Err(mistake.clone());
        }
        if self.expected == ACCEPTED {
            return self.invocation.acceptance().map(|()| ACCEPTED.to_owned());
        }
        let message = self.invocation.refusal()?;
        let message = if self.has_elided_lists { without_lists(&message) } else { message };
        Ok(message.strip_suffix('\n').expect("the last line of a message is ended").to_owned())
    }

    /// Whether it has a program in another language, which other systems do not start, or a longer command line than they take.
    pub(crate) fn needs_unix(&self) -> bool {
        let has_program =
            self.invocation.files.values().any(|text| text.windows(10).any(|part| part == b"\"external\""));
        has_program || self.invocation.settings.iter().any(|setting| setting.len() > 30_000)
    }

    /// Reads what is changed.
    fn read_changes(&mut self, lines: &[&str], range: Range<usize>) -> Result<(), String> {
        let mut at = range.start;
        while at < range.end {
            at += self.read_change(&lines[at..range.end]).map_err(|mistake| format!("line {}: {mistake}", at + 1))?;
        }
        Ok(())
    }

    /// Reads the change that the first line begins, and counts its lines.
    fn read_change(&mut self, lines: &[&str]) -> Result<usize, String> {
        let file_name = lines[0].strip_prefix("file ");
        let first = usize::from(file_name.is_some());
        let marked: Vec<(char, &str)> = lines[first..].iter().map_while(|line| marked(line)).collect();
        let with = |marks: &str| -> Result<Vec<Vec<u8>>, String> {
            marked.iter().filter(|(mark, _)| marks.contains(*mark)).map(|(_, text)| bytes(text)).collect()
        };
        let invocation = &mut self.invocation;
        if let Some(name) = file_name {
            if marked.iter().any(|(mark, _)| *mark != '+') {
                return Err("every line of a file begins with `+`".to_owned());
            }
            let content = with("+")?.into_iter().flat_map(|line| [line, b"\n".to_vec()].concat()).collect();
            invocation.files.insert(name.to_owned(), content);
        } else if !marked.is_empty() {
            invocation.replace(&with("- ")?, &with("+ ")?)?;
        } else {
            match lines[0].split_once(' ').unwrap_or((lines[0], "")) {
                ("#", _) | ("", "") => {}
                ("run", name) => name.clone_into(&mut invocation.experiment),
                ("--set", setting) => {
                    invocation.settings.push(String::from_utf8(bytes(setting)?).map_err(|error| error.to_string())?);
                }
                ("crlf", name) => {
                    let content = invocation.files.get_mut(name).ok_or("the case has no such file")?;
                    *content = content.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
                }
                ("elide", "lists") => self.has_elided_lists = true,
                _ => return Err(format!("unknown: {}", lines[0])),
            }
        }
        Ok((first + marked.len()).max(1))
    }
}

/// A line of text after its mark: `-` where it goes, `+` where it comes, a space where it stays.
fn marked(line: &str) -> Option<(char, &str)> {
    let mark = line.chars().next().filter(|&mark| "-+ ".contains(mark))?;
    let text = &line[1..];
    if text.is_empty() { Some((mark, text)) } else { Some((mark, text.strip_prefix(' ')?)) }
}

/// What a line stands for: `<<1b 07>>` for two bytes, `<<100 * "ab">>` for text repeated.
fn bytes(line: &str) -> Result<Vec<u8>, String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((plain, after)) = rest.split_once("<<") {
        let (special, after) = after.split_once(">>").ok_or("`<<` without `>>`")?;
        found.extend_from_slice(plain.as_bytes());
        let unknown = || format!("unknown: <<{special}>>");
        if let Some((count, text)) = special.split_once(" * ") {
            let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).ok_or_else(unknown)?;
            found.extend(text.repeat(count.parse().map_err(|_| unknown())?).into_bytes());
        } else {
            for byte in special.split(' ') {
                found.push(u8::from_str_radix(byte, 16).map_err(|_| unknown())?);
            }
        }
        rest = after;
    }
    found.extend_from_slice(rest.as_bytes());
    Ok(found)
}

/// A message with `...` for each list of all operators, presets or settings that there are, which grow.
fn without_lists(message: &str) -> String {
    let mut shown = String::new();
    let mut lines = message.lines().peekable();
    while let Some(line) = lines.next() {
        let mut line = line.to_owned();
        if line.starts_with("  expected `") {
            while let Some(more) = lines.next_if(|next| next.starts_with("  ") && !next.contains('|')) {
                line.push_str(&more[1..]);
            }
            let end = [";", ", or a"].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
            line.replace_range("  expected ".len()..end, "...");
            if let Some((before, _)) = line.split_once("`preset`: ") {
                line = format!("{before}`preset`: ...");
            }
        }
        // A single name makes no list.
        shown += &line.replace("  did you mean", "  expected ...; did you mean");
        shown.push('\n');
    }
    shown
}

#[test]
fn mistakes_in_a_file_of_cases_are_told_with_their_line() {
    let mistakes = [
        ("# Nothing.\n", "the file has no case"),
        ("- seed = 2\n\n=== a\naccepted\n", "line 1: the experiment has no such lines"),
        ("=== a\n- seed = 2\n+ seed = 3\n", "line 2: the experiment has no such lines"),
        ("=== a\n+ seed = 3\n", "line 2: the line before or after the new ones is missing"),
        ("=== a\n-\n+ x\n", "line 2: the experiment has these lines twice"),
        ("=== a\nsett population=1\n", "line 2: unknown: sett population=1"),
        ("=== a\nrefused\n", "line 2: unknown: refused"),
        ("=== a\nelide\n", "line 2: unknown: elide"),
        ("=== a\nfile x\n+ x\n- y\n", "line 2: every line of a file begins with `+`"),
        ("=== a\n\ncrlf x\n", "line 3: the case has no such file"),
        ("=== a\nfile x\n+ <<1g>>\n", "line 2: unknown: <<1g>>"),
        ("=== a\nfile x\n+ <<2 * a>>\n", "line 2: unknown: <<2 * a>>"),
        ("=== a\nfile x\n+ <<2\n", "line 2: `<<` without `>>`"),
        ("=== a\naccepted\n\n=== a\naccepted\n", "the case on line 1 has the same title"),
    ];
    for (text, mistake) in mistakes {
        let found = parse(text).and_then(|cases| cases.iter().map(Case::found).collect::<Result<Vec<_>, _>>());
        assert_eq!(found, Err(mistake.to_owned()), "{text}");
    }
}

#[test]
fn only_expected_texts_are_rewritten() {
    let text = "# Some.\n\n=== a\n--set x\n\n=== b\n# Why.\nelide lists\n\nerror: x\n  y\n\n\n=== c\naccepted\n";
    let cases = parse(text).expect("three cases");
    let expected: Vec<&str> = cases.iter().map(|case| case.expected.as_str()).collect();
    assert_eq!(expected, ["", "error: x\n  y", "accepted"]);
    let found = [Ok("error: 1\n\nerror: 2".to_owned()), Ok("error: 3".to_owned()), Err("broken".to_owned())];
    let new = text.replace("--set x\n", "--set x\n\nerror: 1\n\nerror: 2\n").replace("error: x\n  y", "error: 3");
    assert_eq!(rewritten(text, &cases, &found), new);
}

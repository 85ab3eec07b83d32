//! The files of one configuration on one function: a JSON file that lists the runs, and a dat file with their courses.

use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use evogrid_core::family::Direction;
use serde_json::{Value, json};

use super::course::Course;
use crate::files::{FileError, NamedOutput};
use crate::format::shortest;
use crate::runs::Row;

/// The text that closes the list of runs. Further runs overwrite this text.
const CLOSING: &str = "\n]}]}\n";

/// The facts that all runs in the files share.
#[derive(Debug)]
pub(super) struct Header {
    /// The problem family.
    pub(super) suite: String,
    /// The number of the function, counted from 1.
    pub(super) function: u16,
    /// The name of the function: the id of the instance.
    pub(super) function_name: String,
    /// The name in a form that is safe in file names.
    pub(super) safe_name: String,
    /// The algorithm, including its settings.
    pub(super) algorithm: String,
    /// The settings, and the bucket.
    pub(super) attributes: Vec<(String, String)>,
    /// The number of free positions.
    pub(super) dimension: u16,
    /// Whether smaller or larger fitnesses are better.
    pub(super) direction: Direction,
}

/// The two open files. Runs that were written are not kept in memory.
#[derive(Debug)]
pub(super) struct Dataset {
    json: NamedOutput,
    dat: NamedOutput,
    has_runs: bool,
}

impl Dataset {
    /// Opens the files of a configuration in this folder. Missing files are created; new runs are appended to existing files.
    pub(super) fn open(folder: &Path, head: &Header) -> Result<Self, FileError> {
        let Header { function, safe_name, dimension, .. } = head;
        let data = format!("data_f{function}_{safe_name}");
        let dat_name = format!("{data}/IOHprofiler_f{function}_DIM{dimension}.dat");
        let (json_path, dat_path) =
            (folder.join(format!("IOHprofiler_f{function}_{safe_name}.json")), folder.join(&dat_name));
        let data = folder.join(data);
        std::fs::create_dir_all(&data).map_err(FileError::from_io("create", &data))?;
        let dat = OpenOptions::new().create(true).append(true).open(&dat_path);
        let dat = NamedOutput::new(dat.map_err(FileError::from_io("create", &dat_path))?, &dat_path);
        let (json, has_runs) =
            open_json(&json_path, &dat_name, head).map_err(FileError::from_io("create", &json_path))?;
        Ok(Self { json, dat, has_runs })
    }

    /// Adds a run. The course contains costs, which are minimised. They are written as fitnesses in the direction of the run. `has_seed`
    /// says whether the seed in `row` is known.
    pub(super) fn add(&mut self, row: &Row, course: &Course, has_seed: bool, direction: Direction) -> io::Result<()> {
        let mut lines = "evaluations raw_y\n".to_owned();
        for &(evaluations, cost) in &course.rows {
            lines += &format!("{evaluations} {}\n", shortest(Some(direction.cost(cost))));
        }
        self.dat.write_all(lines.as_bytes())?;
        let comma = if self.has_runs { "," } else { "" };
        self.has_runs = true;
        write!(self.json, "{comma}\n{}", run_json(row, course, has_seed, direction))
    }

    /// Writes all pending data and closes the files.
    pub(super) fn close(mut self) -> io::Result<()> {
        self.json.write_all(CLOSING.as_bytes())?;
        self.json.flush()?;
        self.dat.flush()
    }
}

/// Opens the JSON file for the next run. Also returns whether the file already has runs.
fn open_json(path: &Path, dat_name: &str, head: &Header) -> io::Result<(NamedOutput, bool)> {
    match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        Ok(file) => {
            let mut json = NamedOutput::new(file, path);
            json.write_all(header_json(dat_name, head).as_bytes())?;
            Ok((json, false))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.seek(SeekFrom::End(-(CLOSING.len() as i64)))?;
            Ok((NamedOutput::new(file, path), true))
        }
        Err(error) => Err(error),
    }
}

/// The text of the JSON file before the runs.
fn header_json(dat_name: &str, head: &Header) -> String {
    let attributes: Vec<Value> =
        head.attributes.iter().map(|(name, value)| json!({ name: evaluable(value) })).collect();
    let (suite, name, algorithm) = (json!(head.suite), json!(head.function_name), json!(head.algorithm));
    let (info, attributes) = (json!(concat!("Evogrid ", env!("CARGO_PKG_VERSION"))), json!(attributes));
    format!(
        "{{\"version\":\"0.3.22\",\"suite\":{suite},\"function_id\":{},\"function_name\":{name},\"maximization\":{},\n\
         \"algorithm\":{{\"name\":{algorithm},\"info\":{info}}},\n\
         \"experiment_attributes\":{attributes},\n\
         \"run_attributes\":[\"repetition\",\"seed\",\"solved\"],\"attributes\":[\"evaluations\",\"raw_y\"],\n\
         \"scenarios\":[{{\"dimension\":{},\"path\":{},\"runs\":[",
        head.function,
        head.direction == Direction::Maximise,
        head.dimension,
        json!(dat_name),
    )
}

/// The text of a run in the JSON file: one line.
fn run_json(Row { key, outcome, .. }: &Row, course: &Course, has_seed: bool, direction: Direction) -> String {
    let (evaluations, evaluations_to_best, repetition) =
        (outcome.evaluations, course.evaluations_to_best, key.repetition);
    let best = shortest(Some(direction.cost(course.best)));
    let seed = if has_seed { format!(",\"seed\":{}", key.seed) } else { String::new() };
    format!(
        "{{\"instance\":1,\"evals\":{evaluations},\"best\":{{\"evals\":{evaluations_to_best},\"y\":{best},\"x\":[]}},\
         \"repetition\":{repetition}{seed},\"solved\":{}}}",
        outcome.solved.map_or("null", |solved| if solved { "1" } else { "0" })
    )
}

/// A value of a setting in the form that `iohinspector` needs: `iohinspector` evaluates the text as an expression of Python. Therefore, a
/// value that is not a number is written as a text literal, which has no effects.
fn evaluable(value: &str) -> String {
    let is_plain = value.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let is_whole = value.parse::<i64>().is_ok_and(|whole| whole.to_string() == value);
    let is_real = value.contains(['.', 'e', 'E']) && value.parse().is_ok_and(f64::is_finite);
    if is_plain && (is_whole || is_real) { value.to_owned() } else { json!(value).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Header {
        Header {
            suite: "tour".into(),
            function: 7,
            function_name: "easy \"1\"".into(),
            safe_name: "easy_1".into(),
            algorithm: "huke, population = 100".into(),
            attributes: vec![("population".into(), "100".into()), ("bucket".into(), "easy".into())],
            dimension: 51,
            direction: Direction::Minimise,
        }
    }

    fn write(folder: &Path, seeds: &[u64]) {
        let mut dataset = Dataset::open(folder, &head()).expect("it opens");
        for &seed in seeds {
            let mut row = Row::default();
            (row.key.seed, row.outcome.evaluations, row.outcome.solved) = (seed, 20, Some(true));
            let rows = vec![(1, 43.5), (20, 0.0)];
            let course = Course { rows, evaluations_to_best: 20, best: 0.0, is_traced: true, is_assumed: false };
            dataset.add(&row, &course, true, Direction::Minimise).expect("it is written");
        }
        dataset.close().expect("it is written");
    }

    #[test]
    fn the_files_are_those_of_iohprofiler() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path(), &[11, 12]);
        let json = std::fs::read_to_string(folder.path().join("IOHprofiler_f7_easy_1.json")).expect("it is there");
        serde_json::from_str::<Value>(&json).expect("it is JSON");
        insta::assert_snapshot!(json.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
        let dat = folder.path().join("data_f7_easy_1/IOHprofiler_f7_DIM51.dat");
        let dat = std::fs::read_to_string(dat).expect("it is there");
        assert_eq!(dat, "evaluations raw_y\n1 43.5\n20 0\n".repeat(2));
    }

    #[test]
    fn files_that_are_opened_again_go_on() {
        let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().expect("a temporary folder"));
        write(whole.path(), &[1, 2, 3]);
        [1, 2, 3].iter().for_each(|&seed| write(parts.path(), &[seed]));
        for name in ["IOHprofiler_f7_easy_1.json", "data_f7_easy_1/IOHprofiler_f7_DIM51.dat"] {
            let [whole, parts] =
                [&whole, &parts].map(|folder| std::fs::read_to_string(folder.path().join(name)).expect("it is there"));
            assert_eq!(whole, parts);
        }
    }

    #[test]
    fn no_value_of_a_setting_is_an_expression() {
        for number in ["100", "-3", "0.5", "1e-05", "1.5"] {
            assert_eq!(evaluable(number), number);
        }
        for text in ["all", "1_000", "007", "1e999", "99999999999999999999", "nan", "", "exit()", "a\"b", "+", "1+1"] {
            assert_eq!(evaluable(text), json!(text).to_string());
        }
    }
}

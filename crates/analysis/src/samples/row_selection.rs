//! The selection of rows from one or several files, and of the settings that distinguish the rows. The options `--where` and `--by` use it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use evogrid_core::suggestion::{list, one_of};
use evogrid_results::Row;

use super::roster::{Key, Roster, SelectionError, same_value};

/// The name of the column that contains the name of a row's file, if there are several files.
const SOURCE: &str = "results";

/// The name of the algorithm in rows that are averaged over algorithms.
const ALL: &str = "all";

/// The maximum number of values that a message lists.
const MOST_LISTED: usize = 20;

/// A condition on rows, for example `population=100,200`, `bucket!=easy` or `n>=100`.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    key: String,
    holds: Relation,
    /// Whether the condition compares numbers. If not, it checks whether values are equal.
    is_of_numbers: bool,
    values: Vec<String>,
}

/// A function that says whether a relation holds for two values with this order.
type Relation = fn(Ordering) -> bool;

/// The signs of the relations, each with its relation. Longer signs come first.
const RELATIONS: [(&str, Relation); 6] = [
    ("!=", Ordering::is_ne),
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
    ("=", Ordering::is_eq),
];

impl Condition {
    /// Reads a condition: a key, a relation (`=`, `!=`, `<`, `<=`, `>`, `>=`), and a value. `=` and `!=` accept several values, separated
    /// by commas. The relations `<`, `<=`, `>` and `>=` compare numbers.
    ///
    /// # Errors
    /// If the text is not a condition, returns a message that says what was expected.
    pub fn new(text: &str) -> Result<Self, String> {
        let expected =
            || "expected a key, one of = != < <= > >=, and a value: `population=100,200`, `bucket!=easy`, `n>=100`";
        let at = text.find(['=', '!', '<', '>']).ok_or_else(expected)?;
        let (key, rest) = (text[..at].trim(), &text[at..]);
        let (sign, holds) = *RELATIONS.iter().find(|(sign, _)| rest.starts_with(sign)).ok_or_else(expected)?;
        let values: Vec<String> = rest[sign.len()..].split(',').map(|value| value.trim().to_owned()).collect();
        let is_of_numbers = !matches!(sign, "=" | "!=");
        if key.is_empty() || values.iter().all(String::is_empty) && is_of_numbers {
            return Err(expected().to_owned());
        }
        if is_of_numbers && (values.len() > 1 || values[0].parse::<f64>().is_err()) {
            return Err(format!("`{}` is not a number, and `{sign}` compares numbers", values.join(",")));
        }
        Ok(Self { text: text.to_owned(), key: key.to_owned(), holds, is_of_numbers, values })
    }

    fn holds(&self, value: &str) -> bool {
        if !self.is_of_numbers {
            let is_one = self.values.iter().any(|own| same_value(own, value));
            return (self.holds)(if is_one { Ordering::Equal } else { Ordering::Less });
        }
        let number = |text: &str| text.parse::<f64>().ok();
        number(value).zip(number(&self.values[0])).is_some_and(|(value, own)| (self.holds)(value.total_cmp(&own)))
    }
}

/// The sizes of instances. The key is the id of an instance. The list contains the name and the number of each size of this instance.
pub type InstanceSizes = BTreeMap<String, Vec<(String, f64)>>;

/// A selection of rows from one or several files. In each selected row, the settings are replaced by the settings that the analysis uses.
#[derive(Debug)]
pub struct RowSelection {
    /// The names of the files, if there are several files.
    sources: Vec<String>,
    /// The varied settings of all files. If there are several files, the first setting is the name of the file.
    settings: Vec<String>,
    /// For each file, the indices of these settings in the rows of the file.
    places: Vec<Vec<Option<usize>>>,
    /// The conditions with their keys. The key is `None` if the condition is about a size of the instance.
    conditions: Vec<(Condition, Option<Key>)>,
    /// For each condition, the values that were seen. `None` if at least one row satisfied the condition.
    seen: Vec<Option<BTreeSet<String>>>,
    sizes: InstanceSizes,
    /// The indices of the settings that are kept, and whether the algorithm is kept. If it is `None`, all settings and the algorithm are
    /// kept.
    by: Option<(Vec<usize>, bool)>,
    /// For each group: each combination of values over which the rows are averaged, and the number of rows with this combination.
    averaged: BTreeMap<Vec<String>, BTreeMap<Vec<String>, u64>>,
    admitted: u64,
}

impl RowSelection {
    /// Creates a selection of the rows that satisfy all conditions. `files` contains the name and the varied settings of each file. `by`
    /// contains the keys that distinguish configurations. If `by` is empty, all keys are used. The key of a condition must be the name of a
    /// setting, the name of an instance size such as `n`, or one of the columns `algorithm`, `bucket`, `instance` and `problem`. The
    /// function `sizes` returns the sizes of the instances. The function `sizes` is called only if the key of a condition is neither a
    /// setting nor one of the columns `algorithm`, `bucket`, `instance` and `problem`.
    ///
    /// # Errors
    /// Returns an error if a key is unknown. Returns an error if `by` contains the bucket or the instance.
    pub fn new<E: From<SelectionError>>(
        files: &[(String, Vec<String>)],
        conditions: &[Condition],
        by: &[String],
        sizes: impl FnOnce() -> Result<InstanceSizes, E>,
    ) -> Result<Self, E> {
        let mut settings: Vec<String> = if files.len() > 1 { vec![SOURCE.to_owned()] } else { Vec::new() };
        for setting in files.iter().flat_map(|(_, varied)| varied) {
            if !settings.contains(setting) {
                settings.push(setting.clone());
            }
        }
        let place = |varied: &Vec<String>, name: &String| varied.iter().position(|own| own == name);
        let places =
            files.iter().map(|(_, varied)| settings.iter().map(|name| place(varied, name)).collect()).collect();
        let roster = Roster { varied: settings.clone(), ..Roster::default() };
        let known = |key: &str| if key == "problem" { Some(Key::Problem) } else { roster.key(key).ok() };
        let is_size = conditions.iter().any(|condition| known(&condition.key).is_none());
        let sizes = if is_size { sizes()? } else { InstanceSizes::new() };
        let names = || -> BTreeSet<&str> { sizes.values().flatten().map(|(name, _)| name.as_str()).collect() };
        let unknown = |key: &str, more: Vec<&str>| {
            let names: Vec<&str> = more.into_iter().chain(settings.iter().map(String::as_str)).collect();
            SelectionError::new(format!("the runs do not differ in `{key}`"), one_of(key, &names))
        };
        let mut placed = Vec::new();
        for condition in conditions {
            let key = known(&condition.key);
            if key.is_none() && !names().contains(condition.key.as_str()) {
                let columns = ["algorithm", "bucket", "instance", "problem"].into_iter().chain(names());
                return Err(unknown(&condition.key, columns.collect()).into());
            }
            placed.push((condition.clone(), key));
        }
        let mut kept = (Vec::new(), false);
        for key in by {
            match known(key) {
                Some(Key::Algorithm) => kept.1 = true,
                Some(Key::Setting(at)) => kept.0.push(at),
                _ => return Err(unknown(key, vec!["algorithm"]).into()),
            }
        }
        Ok(Self {
            sources: files.iter().map(|(name, _)| name.clone()).collect(),
            places,
            seen: vec![Some(BTreeSet::new()); placed.len()],
            conditions: placed,
            sizes,
            by: (!by.is_empty()).then_some(kept),
            averaged: BTreeMap::new(),
            admitted: 0,
            settings,
        })
    }

    /// The varied settings of the admitted rows.
    pub fn varied(&self) -> Vec<String> {
        match &self.by {
            Some((kept, _)) => kept.iter().map(|&at| self.settings[at].clone()).collect(),
            None => self.settings.clone(),
        }
    }

    /// Whether the row is admitted. This function replaces the settings of the row by the settings in [`varied`](Self::varied). `file` is
    /// the index of the row's file.
    pub fn admit(&mut self, file: usize, row: &mut Row) -> bool {
        if self.sources.len() == 1 && self.conditions.is_empty() && self.by.is_none() {
            self.admitted += 1;
            return true;
        }
        let mut values: Vec<String> =
            self.places[file].iter().map(|place| place.map(|at| row.varied[at].clone()).unwrap_or_default()).collect();
        if self.sources.len() > 1 {
            values[0].clone_from(&self.sources[file]);
        }
        for ((condition, place), seen) in self.conditions.iter().zip(&mut self.seen) {
            let size;
            let value = match *place {
                Some(Key::Algorithm) => &row.key.algorithm,
                Some(Key::Instance) => &row.key.instance,
                Some(Key::Bucket) => &row.key.bucket,
                Some(Key::Problem) => &row.key.problem,
                Some(Key::Setting(at)) => &values[at],
                None => {
                    let sizes = self.sizes.get(&row.key.instance).into_iter().flatten();
                    size = sizes.filter(|(name, _)| *name == condition.key).map(|(_, size)| size.to_string()).next();
                    size.as_ref().map_or("", String::as_str)
                }
            };
            if condition.holds(value) {
                *seen = None;
                continue;
            }
            if let Some(seen) = seen.as_mut().filter(|seen| seen.len() <= MOST_LISTED) {
                seen.insert(value.to_owned());
            }
            return false;
        }
        self.admitted += 1;
        if let Some((kept, keeps_algorithm)) = &self.by {
            let mut group: Vec<String> = kept.iter().map(|&at| values[at].clone()).collect();
            let rest = values.iter().enumerate().filter(|(at, _)| !kept.contains(at)).map(|(_, value)| value.clone());
            let mut rest: Vec<String> = rest.collect();
            rest.insert(0, row.key.algorithm.clone());
            if *keeps_algorithm {
                group.push(rest.remove(0));
            } else {
                ALL.clone_into(&mut row.key.algorithm);
            }
            row.varied = kept.iter().map(|&at| std::mem::take(&mut values[at])).collect();
            *self.averaged.entry(group).or_default().entry(rest).or_default() += 1;
        } else {
            row.varied = values;
        }
        true
    }

    /// Returns notes for readers of the results. One note lists the conditions that the rows satisfy. If the results are averaged over the
    /// values of some keys, another note lists these keys.
    ///
    /// # Errors
    /// Returns an error if no row satisfies the conditions.
    pub fn finish(self) -> Result<Vec<String>, SelectionError> {
        let texts: Vec<&str> = self.conditions.iter().map(|(condition, _)| condition.text.as_str()).collect();
        let mut notes: Vec<String> = Vec::new();
        if !texts.is_empty() {
            if self.admitted == 0 {
                let seen = self.seen.iter().map(|seen| seen.as_ref().filter(|seen| !seen.is_empty()));
                let never = texts.iter().zip(seen).find_map(|(text, seen)| Some((text, seen?)));
                let Some((text, seen)) = never else { return Err(SelectionError::nothing(texts.join(" and "))) };
                let listed: Vec<&str> =
                    seen.iter().filter(|value| !value.is_empty()).take(MOST_LISTED).map(String::as_str).collect();
                let more = if seen.len() > MOST_LISTED { " or others" } else { "" };
                return Err(SelectionError::new(
                    format!("no run fits `{text}`"),
                    format!("expected {}{more}", list(&listed)),
                ));
            }
            notes.push(format!("Only runs with {}.", texts.join(" and ")));
        }
        if let Some((kept, keeps_algorithm)) = &self.by {
            let names =
                self.settings.iter().enumerate().filter(|(at, _)| !kept.contains(at)).map(|(_, name)| name.as_str());
            let names: Vec<&str> = (!keeps_algorithm).then_some("algorithm").into_iter().chain(names).collect();
            let rests = || self.averaged.values();
            let values = |at: usize| rests().flat_map(BTreeMap::keys).map(move |rest| &rest[at]);
            let differs = |at: usize| values(at).any(|value| Some(value) != values(at).next());
            let over: Vec<&str> = (0..names.len()).filter(|&at| differs(at)).map(|at| names[at]).collect();
            if !over.is_empty() {
                let is_balanced = rests().all(|rest| Some(rest) == rests().next());
                let balance = if is_balanced {
                    "all groups have equal numbers of runs for each combination of these values"
                } else {
                    "for some combinations of these values, the groups have unequal numbers of runs; the unequal numbers may cause differences between the groups"
                };
                notes.push(format!("Runs are averaged over {}: {balance}.", over.join(", ")));
            }
        }
        Ok(notes)
    }
}

#[cfg(test)]
mod tests {
    use evogrid_results::runs::Reader;

    use super::*;

    const CSV: &str = "algorithm,population,rate,instance,bucket,solved\nga,10,0.1,a,easy,1\nga,20,0.1,a,easy,0\nga,10,0.2,a,easy,1\nga,20,0.2,b,hard,0\nhc,,0.1,b,hard,1\n";

    fn selected(texts: &[&str], by: &[&str]) -> (Vec<String>, Result<Vec<String>, SelectionError>) {
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::new(text).expect("a condition")).collect();
        let by: Vec<String> = by.iter().map(|&key| key.to_owned()).collect();
        let reader = Reader::new("x.csv", CSV.as_bytes()).expect("columns");
        let sizes = || {
            Ok::<_, SelectionError>(
                [("a", 9.0), ("b", 100.0)].map(|(id, n)| (id.to_owned(), vec![("n".to_owned(), n)])).into(),
            )
        };
        let files = [("x".to_owned(), reader.varied.clone())];
        let mut selection = match RowSelection::new(&files, &conditions, &by, sizes) {
            Ok(selection) => selection,
            Err(error) => return (Vec::new(), Err(error)),
        };
        let mut rows = Vec::new();
        for row in reader {
            let mut row = row.expect("a row");
            if selection.admit(0, &mut row) {
                rows.push(format!("{} {} {}", row.key.algorithm, row.varied.join(" "), row.key.instance));
            }
        }
        (rows, selection.finish())
    }

    #[test]
    fn all_conditions_hold_for_what_is_selected() {
        let rows = |texts: &[&str]| selected(texts, &[]).0;
        assert_eq!(rows(&["population=10"]), ["ga 10 0.1 a", "ga 10 0.2 a"]);
        assert_eq!(rows(&["population = 10, 20", "rate>=0.15"]), ["ga 10 0.2 a", "ga 20 0.2 b"]);
        assert_eq!(rows(&["population!=10"]), ["ga 20 0.1 a", "ga 20 0.2 b", "hc  0.1 b"]);
        assert_eq!(rows(&["population="]), ["hc  0.1 b"], "an algorithm without the setting");
        assert_eq!(rows(&["n>9", "algorithm=ga"]), ["ga 20 0.2 b"], "a size of the instance");
        assert_eq!(rows(&["bucket=hard", "rate<0.2"]), ["hc  0.1 b"]);
        assert_eq!(selected(&["rate<=0.1"], &[]).1, Ok(vec!["Only runs with rate<=0.1.".to_owned()]));
    }

    #[test]
    fn what_fits_no_run_is_told_with_what_there_is() {
        let told = |texts: &[&str], by: &[&str]| {
            let error = selected(texts, by).1.expect_err("nothing fits");
            format!("{error}\n  {}", error.help())
        };
        insta::assert_snapshot!(told(&["population=30"], &[]), @r"
        no run fits `population=30`
          expected `10` or `20`
        ");
        insta::assert_snapshot!(told(&["popluation=10"], &[]), @r"
        the runs do not differ in `popluation`
          expected `algorithm`, `bucket`, `instance`, `problem`, `n`, `population` or `rate`; did you mean `population`?
        ");
        insta::assert_snapshot!(told(&["population=10", "bucket=hard"], &[]), @r"
        no run fits `bucket=hard`
          expected `easy`
        ");
        insta::assert_snapshot!(told(&[], &["bucket"]), @r"
        the runs do not differ in `bucket`
          expected `algorithm`, `population` or `rate`
        ");
        insta::assert_snapshot!(Condition::new("population").expect_err("no relation"), @"expected a key, one of = != < <= > >=, and a value: `population=100,200`, `bucket!=easy`, `n>=100`");
        insta::assert_snapshot!(Condition::new("n>=many").expect_err("no number"), @"`many` is not a number, and `>=` compares numbers");
    }

    #[test]
    fn an_average_says_over_what_and_whether_it_is_balanced() {
        let (rows, notes) = selected(&["instance=a", "algorithm=ga"], &["rate"]);
        assert_eq!(rows, ["all 0.1 a", "all 0.1 a", "all 0.2 a"]);
        insta::assert_snapshot!(notes.expect("rows").join("\n"), @r"
        Only runs with instance=a and algorithm=ga.
        Runs are averaged over population: for some combinations of these values, the groups have unequal numbers of runs; the unequal numbers may cause differences between the groups.
        ");
        let (rows, notes) = selected(&["algorithm=ga"], &["population", "algorithm"]);
        assert_eq!(rows[0], "ga 10 a");
        assert!(
            notes.expect("rows")[1]
                .ends_with("all groups have equal numbers of runs for each combination of these values.")
        );
    }

    #[test]
    fn several_files_have_a_column_that_says_which_and_all_of_their_settings() {
        let files =
            [("one".to_owned(), vec!["a".to_owned()]), ("two".to_owned(), vec!["b".to_owned(), "a".to_owned()])];
        let mut selection =
            RowSelection::new::<SelectionError>(&files, &[], &[], || Ok(InstanceSizes::new())).expect("a selection");
        assert_eq!(selection.varied(), ["results", "a", "b"]);
        let mut row = Row { varied: vec!["1".to_owned()], ..Row::default() };
        assert!(selection.admit(0, &mut row));
        assert_eq!(row.varied, ["one", "1", ""]);
        let mut row = Row { varied: vec!["2".to_owned(), "3".to_owned()], ..Row::default() };
        assert!(selection.admit(1, &mut row));
        assert_eq!(row.varied, ["two", "3", "2"]);
    }
}

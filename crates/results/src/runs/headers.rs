//! Headers of files of other programs: finds the header of each column.

use std::io::Read;

use evogrid_core::suggestion::{nearest, nearest_spelling};

use crate::columns::COLUMNS;
use crate::format::quoted;
use crate::sheet::{ReadError, Sheet};

/// The header that a column has in a file.
///
/// ```
/// use evogrid_results::runs::{ColumnName, Reader, column_named};
///
/// let column = column_named("algorithm")?;
/// let name = ColumnName { column, header: "Method".into(), origin: "`--column`".into() };
/// let text = "Method;Instance;Objective\nga;easy-01;0,5\n";
/// let mut reader = Reader::new_named("other.csv", text.as_bytes(), &[name])?;
/// let row = reader.next().expect("a row")?;
/// assert_eq!((row.key.algorithm.as_str(), row.outcome.objective), ("ga", Some(0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnName {
    /// The column of `runs.csv`.
    pub column: &'static str,
    /// The header that the column has in the file.
    pub header: String,
    /// The place where the user gave this header, such as `--column`. Error messages say that the header comes from this place.
    pub origin: String,
}

/// The column of `runs.csv` with this name.
///
/// # Errors
/// Returns a text with the valid names, or with the most similar names.
pub fn column_named(name: &str) -> Result<&'static str, String> {
    let names = || COLUMNS.iter().map(|column| column.name);
    names().find(|column| *column == name).ok_or_else(|| match nearest(name, names()) {
        Some(near) => format!("expected a column of runs.csv; did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            format!("expected a column of runs.csv: {}", names.join(", "))
        }
    })
}

/// Finds the columns that have another name in the file. Their headers are given by `names`, or differ only in case, spaces, `-` and `_`.
/// Returns a sentence about the columns that were recognised without `names`.
pub(super) fn resolve<R: Read>(sheet: &mut Sheet<R>, names: &[ColumnName]) -> Result<Option<String>, ReadError> {
    for ColumnName { column, header, origin } in names {
        let Some(at) = sheet.columns.iter().position(|name| name == header) else {
            let near = nearest_spelling(header, sheet.columns.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean `{}`?", quoted(near))).unwrap_or_default();
            return Err(ReadError::Content(format!(
                "{}:1: {origin} gives the header `{}` for the column `{column}`, but no column of the file has this \
                 header; the columns are {}{near}",
                sheet.file,
                quoted(header),
                sheet.named()
            )));
        };
        sheet.aliases.push((column, at));
    }
    let mut recognised = Vec::new();
    for column in COLUMNS.iter().map(|column| column.name).filter(|name| !names.iter().any(|own| own.column == *name)) {
        let is_it =
            |header: &String| folded(header) == folded(column) && !names.iter().any(|own| own.header == *header);
        let mut alike = sheet.columns.iter().enumerate().filter(|(_, header)| is_it(header));
        let (first, is_only) = (alike.next(), alike.next().is_none());
        if let Some((at, header)) = first.filter(|(_, header)| is_only && *header != column) {
            recognised.push(format!("`{}` is `{column}`", quoted(header)));
            sheet.aliases.push((column, at));
        }
    }
    match sheet.separator {
        b';' => recognised.insert(0, "semicolons separate the columns, and numbers may have decimal commas".to_owned()),
        b'\t' => recognised.insert(0, "tabs separate the columns, and numbers may have decimal commas".to_owned()),
        _ => {}
    }
    Ok((!recognised.is_empty()).then(|| recognised.join("; ")))
}

/// The place of the first column in this list that the file has. If the file lacks all these columns, the last column of the list is the
/// one that probably has another header.
pub(super) fn require<R: Read>(sheet: &Sheet<R>, columns: &[&'static str]) -> Result<usize, ReadError> {
    columns.iter().find_map(|column| sheet.find(column)).ok_or_else(|| {
        let probable: Vec<&'static str> = columns.iter().rev().copied().collect();
        let help = match suggested(sheet, &probable) {
            Some(option) => format!("; did you mean `{option}`?"),
            None if sheet.columns.is_empty() => String::new(),
            None => format!("; a column with another header needs `--column {}=HEADER`", columns[0]),
        };
        sheet.missing(columns[0], &help)
    })
}

/// The option that names the header nearest to one of these columns.
pub(super) fn suggested<R: Read>(sheet: &Sheet<R>, columns: &[&'static str]) -> Option<String> {
    // A header that is the name of another column is not suggested.
    let is_free = |header: &&String| !COLUMNS.iter().any(|column| column.name == *header);
    columns.iter().find_map(|column| {
        // A rate is a setting or a figure of several runs, not an outcome of a single run.
        let is_near = |header: &&String| nearest(header, [*column]).is_some() && !folded(header).ends_with("rate");
        let header = sheet.columns.iter().filter(is_free).find(is_near)?;
        let (header, is_word) =
            (quoted(header), header.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter)));
        Some(if is_word { format!("--column {column}={header}") } else { format!("--column '{column}={header}'") })
    })
}

/// A name in lower case, without spaces, `-` and `_`.
pub(super) fn folded(name: &str) -> String {
    name.chars().filter(|letter| !" -_".contains(*letter)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::runs::{Reader, Row, Writer};

    /// A file of ours as another program may write it: with this separator, decimal commas, and other headers.
    fn rewritten(text: &str, separator: u8, header: impl Fn(&str) -> String) -> String {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        for (line, record) in reader.records().map(|record| record.expect("a row")).enumerate() {
            let with_comma = |text: &str| if number(text) { text.replace('.', ",") } else { text.to_owned() };
            let fields = record.iter().map(|text| if line == 0 { header(text) } else { with_comma(text) });
            writer.write_record(fields).expect("memory");
        }
        String::from_utf8(writer.into_inner().expect("memory")).expect("text")
    }

    fn number(text: &str) -> bool {
        text.parse::<f64>().is_ok_and(f64::is_finite)
    }

    fn error(text: &str, names: &[ColumnName]) -> String {
        let rows: Result<Vec<Row>, _> = Reader::new_named("x.csv", text.as_bytes(), names).and_then(Iterator::collect);
        rows.expect_err("an error").to_string()
    }

    fn named(column: &'static str, header: &str) -> ColumnName {
        ColumnName { column, header: header.to_owned(), origin: "`--column`".into() }
    }

    proptest! {
        #[test]
        fn a_file_of_ours_reads_the_same_with_other_separators_and_headers(
            separator in prop_oneof![Just(b';'), Just(b'\t')],
            style in 0u8..3,
            values in proptest::collection::vec((-1e9..1e9f64, 0u32..9_000_000, proptest::option::of(0u8..9)), 1..6),
        ) {
            let row = |(at, (real, whole, rate)): (u64, &(f64, u32, Option<u8>))| {
                let mut row = Row { run: at, unit: "evaluations".into(), ..Row::default() };
                (row.key.algorithm, row.key.instance, row.key.repetition) = ("g,a".into(), "é;1".into(), at);
                row.varied = vec![rate.map_or(String::new(), |rate| format!("0.{rate}5")), "swap, 2".into()];
                (row.outcome.objective, row.outcome.evaluations) = (Some(*real), (*whole).into());
                row.outcome.wall_ms = f64::from(*whole) / 8.0;
                row
            };
            let rows: Vec<Row> = (0..).zip(&values).map(row).collect();
            let mut text = Vec::new();
            let mut writer = Writer::new(&mut text, &["rate".into(), "moves".into()]).expect("memory");
            rows.iter().for_each(|row| writer.write(row).expect("memory"));
            writer.finish().expect("memory");
            let text = rewritten(std::str::from_utf8(&text).expect("text"), separator, |name| match (style, name) {
                (_, "rate" | "moves") => name.to_owned(),
                (0, "algorithm") => "Method".to_owned(),
                (0, _) => name.to_uppercase(),
                (1, _) => name.replace('_', " "),
                _ => name.replace('_', "-"),
            });
            let names = if style == 0 { vec![named("algorithm", "Method")] } else { vec![] };
            let reader = Reader::new_named("x.csv", text.as_bytes(), &names).expect("columns");
            prop_assert_eq!(&reader.varied, &["rate", "moves"]);
            let read: Vec<Row> = reader.collect::<Result<_, _>>().expect("rows");
            for (read, row) in read.iter().zip(&rows) {
                prop_assert!((read.outcome.wall_ms - row.outcome.wall_ms).abs() < 1e-3);
            }
            let rest = |row: &Row| { let mut row = row.clone(); row.outcome.wall_ms = 0.0; row };
            prop_assert_eq!(read.iter().map(rest).collect::<Vec<_>>(), rows.iter().map(rest).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_number_that_can_be_read_in_two_ways_is_refused_with_its_place() {
        let objective = |text: &str| format!("algorithm;instance;objective\na;x;{text}\n");
        let count = |text: &str| format!("algorithm;instance;gap;evaluations\na;x;0;{text}\n");
        let errors = [
            objective("1.234,5"),
            objective("1,234.5"),
            objective("1.234.567"),
            objective("1,5\na;y;2.5"),
            count("1.000"),
            count("1,000"),
            count("1,5"),
            objective("1,5 km"),
        ]
        .map(|text| error(&text, &[]));
        insta::assert_snapshot!(errors.join("\n"), @"
        x.csv:2: column `objective`: `1.234,5` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:2: column `objective`: `1,234.5` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:2: column `objective`: `1.234.567` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:3: column `objective`: `2.5` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:2: column `evaluations`: `1.000` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:2: column `evaluations`: `1,000` is ambiguous: use only commas or only points for decimals, and no separators of thousands
        x.csv:2: column `evaluations`: expected a whole number of at least 0, found `1,5`
        x.csv:2: column `objective`: expected a number, found `1,5 km`
        ");
        let read = |text: &str| -> Vec<Row> {
            Reader::new("x.csv", text.as_bytes()).expect("columns").collect::<Result<_, _>>().expect("rows")
        };
        assert_eq!(read(&objective("1,234"))[0].outcome.objective, Some(1.234));
        assert_eq!(read(&objective("1e-3\na;y;-2.5"))[1].outcome.objective, Some(-2.5));
        assert_eq!(read(&count("7,0"))[0].outcome.evaluations, 7);
    }

    #[test]
    fn a_column_that_is_not_found_is_named_with_the_option_that_names_it() {
        let errors = [
            error("Method,instance,solved\n", &[]),
            error("algorithm,Benchmark function,solved\nx", &[]),
            error("algorithm,instance,Total cost,Cost\n", &[]),
            error("algorithm,instance,success rate\n", &[]),
            error("thing;it;is\n", &[]),
            error("Algorithm,ALGORITHM,instance,solved\n", &[]),
            error("Method,instance,solved\n", &[named("algorithm", "Methd")]),
            error("Method\tinstance\tsolved\n", &[named("algorithm", "\u{1b}[31m")]),
        ];
        insta::assert_snapshot!(errors.join("\n"), @r"
        x.csv: no column `algorithm`; the columns are `Method`, `instance`, `solved`; did you mean `--column algorithm=Method`?
        x.csv: no column `instance`; the columns are `algorithm`, `Benchmark function`, `solved`; a column with another header needs `--column instance=HEADER`
        x.csv: no column `solved`; the columns are `algorithm`, `instance`, `Total cost`, `Cost`; did you mean `--column objective=Cost`?
        x.csv: no column `solved`; the columns are `algorithm`, `instance`, `success rate`; a column with another header needs `--column solved=HEADER`
        x.csv: no column `algorithm`; the columns are `thing`, `it`, `is`; a column with another header needs `--column algorithm=HEADER`
        x.csv: no column `algorithm`; the columns are `Algorithm`, `ALGORITHM`, `instance`, `solved`; did you mean `--column algorithm=Algorithm`?
        x.csv:1: `--column` gives the header `Methd` for the column `algorithm`, but no column of the file has this header; the columns are `Method`, `instance`, `solved`; did you mean `Method`?
        x.csv:1: `--column` gives the header `\u{1b}[31m` for the column `algorithm`, but no column of the file has this header; the columns are `Method`, `instance`, `solved`
        ");
        insta::assert_snapshot!(column_named("algoritm").expect_err("no column"), @"expected a column of runs.csv; did you mean `algorithm`?");
    }

    #[test]
    fn a_header_may_stand_for_two_columns_and_another_column_of_that_name_is_left_out() {
        let names = [named("algorithm", "Method"), named("objective", "Cost"), named("best_fitness", "Cost")];
        let text = "algorithm,Method,instance,Cost,Size\nx,ga,a,3,7\n";
        let mut reader = Reader::new_named("x.csv", text.as_bytes(), &names).expect("columns");
        assert_eq!((&reader.varied, &reader.recognised), (&vec!["Size".to_owned()], &None));
        let row = reader.next().expect("a row").expect("a row");
        assert_eq!((row.key.algorithm.as_str(), row.outcome.objective), ("ga", Some(3.0)));
        assert_eq!(row.outcome.best_fitness, Some(3.0));
        let recognised = Reader::new("x.csv", "Algorithm;Instance;GAP\n".as_bytes()).expect("columns");
        insta::assert_snapshot!(recognised.recognised.unwrap_or_default(), @"semicolons separate the columns, and numbers may have decimal commas; `Algorithm` is `algorithm`; `Instance` is `instance`; `GAP` is `gap`");
    }
}

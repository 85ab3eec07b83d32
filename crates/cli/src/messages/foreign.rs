//! Notes on files of other programs: how they are read, and what they lack.

use std::fs::File;
use std::path::Path;

use evogrid_results::runs::Reader;
use evogrid_runner::engine::progress::line;

/// Reports how a file is read that is not written as ours are.
pub(crate) fn note_recognised(path: &Path, reader: &Reader<File>) {
    if let Some(recognised) = &reader.recognised {
        line(&format!("note: {}: {recognised}", path.display()));
    }
}

/// Reports the figures that are missing because the file lacks columns.
pub(crate) fn note_missing(path: &Path, reader: &Reader<File>) {
    const MEANINGS: [(&str, &str); 7] = [
        ("solved", "no rates of success"),
        ("bucket", "no difference of buckets"),
        ("best_fitness", "no best fitness"),
        ("evaluations", "no evaluations and no expected running time"),
        ("generations", "no generations"),
        ("wall_ms", "no times and no PAR10"),
        ("repetition", "runs are numbered in the order of the file"),
    ];
    for (column, meaning) in MEANINGS.iter().filter(|(column, _)| reader.missing.contains(column)) {
        let meant = reader.suggested(column).map(|option| format!("; did you mean `{option}`?")).unwrap_or_default();
        line(&format!("note: {} has no column `{column}`: {meaning}{meant}", path.display()));
    }
}

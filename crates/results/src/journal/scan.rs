//! Scanning: finds where the records of a journal are, and which lines are damaged. The files are cut into pieces that are read in
//! parallel.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::PathBuf;

use rayon::prelude::*;

use super::lines::{LineEnd, read_line};
use super::place::{Entry, Place, Standing};
use super::skim::{SkimmedLine, Skimmer};
use super::solutions::{SOLUTIONS_SUFFIX, SolutionReader};
use super::{JournalError, SESSION_SUFFIX};
use crate::files::{FileError, FilePlace, open_regular};

/// The number of bytes of a piece, including the solutions of its lines that are not stored in the lines.
const PIECE_BYTES: u64 = 64 << 20;

/// The minimum number of bytes of the journal file in a piece. It holds for solutions of any length.
const MIN_PIECE_BYTES: u64 = 1 << 16;

/// The maximum size of a file: larger offsets cannot be stored. A sparse file may report a size that is larger than any disk.
const FILE_LIMIT: u64 = 1 << 40;

/// The number of pieces that are read before their entries are passed on, to limit memory.
const PIECES_AT_ONCE: usize = 8;

/// A file of a journal.
#[derive(Debug)]
pub(super) struct JournalFile {
    pub(super) path: PathBuf,
    /// Whether this program wrote the file. If so, a session file is beside the file. In such a file, each line has a checksum.
    pub(super) is_sealed: bool,
}

impl JournalFile {
    pub(super) fn new(path: PathBuf) -> Self {
        let is_sealed = fs::symlink_metadata(path.with_extension(SESSION_SUFFIX)).is_ok();
        Self { path, is_sealed }
    }
}

/// The contents of a piece of a file.
#[derive(Debug, Default)]
pub(super) struct PieceContents {
    pub(super) entries: Vec<Entry>,
    /// The damaged lines: the number of the file, the line, its offset, and the reason.
    pub(super) damages: Vec<(usize, u64, u64, String)>,
}

/// Lines of a file that begin in `start..end`.
#[derive(Clone, Copy)]
struct Piece {
    file: usize,
    start: u64,
    end: u64,
}

/// Scans all files, and passes on their contents in order.
///
/// # Errors
/// If a journal file or a file of solutions cannot be read, a file is too large, or `is_cancelled` returns true.
pub(super) fn scan(
    files: &[JournalFile],
    is_cancelled: &dyn Fn() -> bool,
    mut hand_on: impl FnMut(PieceContents),
) -> Result<(), JournalError> {
    let pieces = pieces(files)?;
    // The present file, and the number of its lines in the pieces before.
    let (mut file, mut lines) = (0, 0);
    for wave in pieces.chunks(PIECES_AT_ONCE) {
        if is_cancelled() {
            return Err(JournalError::Cancelled);
        }
        let scanned: Vec<(PieceContents, u64)> =
            wave.par_iter().map(|piece| piece.scan(files)).collect::<Result<_, _>>()?;
        for (piece, (mut scanned, n_lines)) in wave.iter().zip(scanned) {
            if piece.file != file {
                (file, lines) = (piece.file, 0);
            }
            scanned.damages.iter_mut().for_each(|(_, line, _, _)| *line += lines);
            lines += n_lines;
            hand_on(scanned);
        }
    }
    Ok(())
}

fn pieces(files: &[JournalFile]) -> Result<Vec<Piece>, JournalError> {
    let mut pieces = Vec::new();
    for (file, JournalFile { path, .. }) in files.iter().enumerate() {
        let length = match fs::symlink_metadata(path) {
            // The file may be missing: a writer without records removes its file.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found.map_err(FileError::from_io("read", path))?.len(),
        };
        if length > FILE_LIMIT {
            return Err(JournalError::TooLarge { path: path.clone() });
        }
        let of_solutions = fs::symlink_metadata(path.with_extension(SOLUTIONS_SUFFIX)).map_or(0, |found| found.len());
        let piece_bytes = (PIECE_BYTES / (1 + of_solutions / length.max(1))).max(MIN_PIECE_BYTES);
        let mut start = 0;
        while length - start > piece_bytes {
            pieces.push(Piece { file, start, end: start + piece_bytes });
            start += piece_bytes;
        }
        // The file may be growing, so the last piece has no end: it includes all lines that exist when it is read.
        pieces.push(Piece { file, start, end: u64::MAX });
    }
    Ok(pieces)
}

impl Piece {
    /// Scans the piece, and counts its lines.
    fn scan(&self, files: &[JournalFile]) -> Result<(PieceContents, u64), JournalError> {
        let journal_file = &files[self.file];
        let path = &journal_file.path;
        let file = match open_regular(FilePlace::in_subfolder(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((PieceContents::default(), 0)),
            file => file.map_err(FileError::from_io("read", path))?,
        };
        self.read(&mut BufReader::with_capacity(1 << 18, file), journal_file)
    }

    /// Scans the piece, which is read from an input.
    fn read<R: BufRead + Seek>(
        &self,
        input: &mut R,
        JournalFile { path, is_sealed }: &JournalFile,
    ) -> Result<(PieceContents, u64), JournalError> {
        let unreadable = |error| FileError::from_io("read", path)(error);
        let mut offset = self.start;
        if self.start > 0 {
            // A line that begins before the piece belongs to the piece before.
            input.seek(SeekFrom::Start(self.start - 1)).map_err(unreadable)?;
            let skipped = input.take(self.end - self.start + 1).skip_until(b'\n').map_err(unreadable)?;
            offset += (skipped as u64).saturating_sub(1);
        }
        let (mut scanned, mut lines) = (PieceContents::default(), 0);
        let (mut line, mut skimmer, mut solutions) = (Vec::new(), Skimmer::default(), SolutionReader::new(path));
        while offset < self.end
            && let Some((kind, passed)) = read_line(input, &mut line, self.end - offset).map_err(unreadable)?
        {
            lines += 1;
            match entry((&mut skimmer, &mut solutions), &mut line, (kind, *is_sealed))? {
                Ok(Some((id, standing))) => {
                    let place = Place::new(standing, self.file, offset);
                    let place = place.ok_or_else(|| JournalError::TooLarge { path: path.clone() })?;
                    scanned.entries.push(Entry { id, place });
                }
                Ok(None) => {}
                Err(reason) => scanned.damages.push((self.file, lines, offset, reason)),
            }
            offset += passed;
        }
        Ok((scanned, lines))
    }
}

/// The run of a line and the standing of its record; `None` if the line is blank or was never finished. If the line or its solution is not
/// valid, the inner error is the reason.
///
/// # Errors
/// If the file of solutions exists and cannot be read.
fn entry(
    (skimmer, solutions): (&mut Skimmer, &mut SolutionReader),
    line: &mut [u8],
    (kind, is_sealed): (LineEnd, bool),
) -> Result<Result<Option<(u64, Standing)>, String>, FileError> {
    if kind == LineEnd::TooLong {
        return Ok(Err(format!("the line is longer than {} bytes", super::LINE_LIMIT)));
    }
    if line.trim_ascii().is_empty() {
        return Ok(Ok(None));
    }
    let SkimmedLine { finished, solution_place, .. } = match skimmer.skim(line, is_sealed, |_| 0) {
        Ok(skimmed) => skimmed,
        // A record is complete when its braces are closed. So a line that lacks only its line break is a record.
        Err(_) if kind == LineEnd::Unfinished => return Ok(Ok(None)),
        Err(wrong) => return Ok(Err(wrong)),
    };
    if let Some(place) = solution_place
        && let Err(wrong) = solutions.read(&place)?
    {
        return Ok(Err(wrong));
    }
    Ok(Ok(Some((finished.run_id.bits(), Standing::of(&finished.outcome)))))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::record::tests::record;

    #[test]
    fn wherever_a_file_is_cut_the_same_lines_stand_in_it() {
        let mut text = Vec::new();
        for number in 1..4 {
            serde_json::to_writer(&mut text, &record(number)).expect("a record is JSON");
            text.extend_from_slice(b"\n\nno record\n");
        }
        let file = JournalFile { path: "none.jsonl".into(), is_sealed: false };
        let read = |start, end| {
            let piece = Piece { file: 0, start, end };
            piece.read(&mut Cursor::new(&text), &file).expect("memory")
        };
        let (whole, lines) = read(0, u64::MAX);
        assert_eq!((whole.entries.len(), whole.damages.len(), lines), (3, 3, 9));
        for cut in 1..text.len() as u64 {
            let ((mut first, before), (second, after)) = (read(0, cut), read(cut, u64::MAX));
            first.entries.extend(second.entries);
            let moved =
                second.damages.into_iter().map(|(file, line, offset, reason)| (file, line + before, offset, reason));
            first.damages.extend(moved);
            assert_eq!(
                (first.entries, first.damages, before + after),
                (whole.entries.clone(), whole.damages.clone(), lines),
                "cut at {cut}"
            );
        }
    }
}

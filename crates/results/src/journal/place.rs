//! The positions of records: 16 bytes for each record.

use crate::run::RunOutcome;

/// One record of a run. Sorting groups the records of a run, and puts the record that counts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The run's id, as a number.
    pub(super) id: u64,
    pub(super) place: Place,
}

/// The position of a record in 64 bits: 2 bits for the standing of the record, 22 bits for the file, and 40 bits for the offset (a
/// terabyte). Positions of failures count down, so that the latest failure comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u64);

/// The standing of a record: more informative records of a run come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Complete,
    /// As before version 0.2.0: the objective is not recorded.
    WithoutObjective,
    Failed,
}

impl Standing {
    pub(super) fn of(outcome: &RunOutcome) -> Self {
        match outcome.objective {
            _ if outcome.has_failed() => Self::Failed,
            // A run that its time limit ended before the first evaluation has no objective to record.
            None if outcome.evaluations > 0 => Self::WithoutObjective,
            _ => Self::Complete,
        }
    }
}

impl Place {
    const OFFSET_BITS: u32 = 40;
    const FILE_BITS: u32 = 22;
    const PLACE_BITS: u64 = (1 << (Self::OFFSET_BITS + Self::FILE_BITS)) - 1;

    /// The position; `None` if there are too many files, or a file is too large.
    pub(super) fn new(standing: Standing, file: usize, offset: u64) -> Option<Self> {
        let fits = file < 1 << Self::FILE_BITS && offset < 1 << Self::OFFSET_BITS;
        let place = (file as u64) << Self::OFFSET_BITS | offset;
        let place = if standing == Standing::Failed { !place & Self::PLACE_BITS } else { place };
        fits.then_some(Self((standing as u64) << 62 | place))
    }

    /// The number of the file and the offset, combined in one number. The reversed bits of a failure are restored.
    fn place(self) -> u64 {
        if self.is_failed() { !self.0 & Self::PLACE_BITS } else { self.0 & Self::PLACE_BITS }
    }

    pub(super) fn is_failed(self) -> bool {
        self.0 >> 62 == Standing::Failed as u64
    }

    /// Whether two records are equally informative.
    pub(super) fn stands_as(self, other: Self) -> bool {
        self.0 >> 62 == other.0 >> 62
    }

    /// The number of the file in the order of the index.
    pub(super) fn file(self) -> usize {
        (self.place() >> Self::OFFSET_BITS) as usize
    }

    /// The offset of the line in bytes.
    pub(super) fn offset(self) -> u64 {
        self.place() & ((1 << Self::OFFSET_BITS) - 1)
    }
}

//! Where records are: 16 bytes a record, whatever it holds.

/// One record of a run. The order puts a run's records together, the one that counts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// The run's id, as a number.
    pub(super) id: u64,
    pub(super) place: Place,
}

/// Where a record is, in 64 bits: one for a failure, 23 for the file, 40 for the offset (a terabyte).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u64);

impl Place {
    const OFFSET_BITS: u32 = 40;
    const FILE_BITS: u32 = 23;

    /// `None` if there are too many files, or one is too large.
    pub(super) fn new(is_failed: bool, file: usize, offset: u64) -> Option<Self> {
        let fits = file < 1 << Self::FILE_BITS && offset < 1 << Self::OFFSET_BITS;
        fits.then_some(Self(u64::from(is_failed) << 63 | (file as u64) << Self::OFFSET_BITS | offset))
    }

    pub(super) fn is_failed(self) -> bool {
        self.0 >> 63 == 1
    }

    /// The file, by its number in the order of names.
    pub(super) fn file(self) -> usize {
        (self.0 >> Self::OFFSET_BITS) as usize & ((1 << Self::FILE_BITS) - 1)
    }

    /// Where its line begins, in bytes.
    pub(super) fn offset(self) -> u64 {
        self.0 & ((1 << Self::OFFSET_BITS) - 1)
    }
}

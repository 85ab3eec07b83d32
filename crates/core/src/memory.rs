//! Memory. If the operating system does not provide a large memory block, the run fails with a message. The process continues.

use std::collections::TryReserveError;

/// Returns an empty vector with this capacity.
///
/// # Errors
/// Returns an error if the operating system does not provide the memory.
pub fn room<T>(capacity: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(capacity)?;
    Ok(vector)
}

/// A vector of `len` copies of a value.
///
/// # Errors
/// Returns an error if the operating system does not provide the memory.
///
/// ```
/// use evogrid_core::memory::filled;
///
/// assert_eq!(filled(7_u8, 3), Ok(vec![7, 7, 7]));
/// assert!(filled(0_u64, usize::MAX / 16).is_err());
/// ```
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = room(len)?;
    vector.resize(len, value);
    Ok(vector)
}

/// Whether the system would grant one block of memory with this number of bytes. If your code cannot handle a refused request for memory,
/// call this function before the request.
pub fn is_available(bytes: usize) -> bool {
    // Without `black_box` the optimiser removes the request, since nothing is written to the block.
    std::hint::black_box(room::<u8>(bytes)).is_ok()
}

/// The number of bytes in `count` blocks of `bytes` bytes. If the product overflows, the result is the largest possible number.
pub(crate) fn blocks(count: usize, bytes: usize) -> u64 {
    (count as u64).saturating_mul(bytes as u64)
}

/// The message of a run that fails because there is not enough memory.
pub(crate) fn refusal(what: &str, bytes: u64) -> String {
    let megabytes = bytes.div_ceil(1_000_000);
    format!(
        "not enough memory for {what}: about {megabytes} MB are needed. Reduce the setting that needs this memory, do fewer runs at a time, or use a larger machine"
    )
}

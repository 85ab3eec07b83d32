//! Checksums: the last field of a line is the CRC-32 of all before it, so that a flipped bit is never taken for another result.
//!
//! A line without one is taken as it is: people and programs may write journals, too.

/// What stands before the eight hexadecimal digits, and after.
const BEFORE: &[u8] = b",\"crc32\":\"";
const AFTER: &[u8] = b"\"}";
const LEN: usize = BEFORE.len() + 8 + AFTER.len();

/// Adds its checksum to the object that `line` ends with, from `start` on.
pub(super) fn seal(line: &mut Vec<u8>, start: usize) {
    let brace = line.pop();
    debug_assert_eq!(brace, Some(b'}'), "a record is an object");
    let digits = hexadecimal(crc32fast::hash(&line[start..]));
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(&digits);
    line.extend_from_slice(AFTER);
}

/// Whether a line is what was sealed, or has no checksum.
pub(super) fn is_whole(line: &[u8]) -> bool {
    let Some(at) = line.len().checked_sub(LEN) else { return true };
    let (content, seal) = line.split_at(at);
    match seal.strip_prefix(BEFORE).and_then(|seal| seal.strip_suffix(AFTER)) {
        Some(digits) => digits == hexadecimal(crc32fast::hash(content)),
        None => true,
    }
}

/// The number in eight digits. Every line of a journal asks for it: `format!` would take as long as a whole column.
fn hexadecimal(number: u32) -> [u8; 8] {
    std::array::from_fn(|at| b"0123456789abcdef"[(number >> (28 - 4 * at)) as usize & 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_is_an_object_with_one_more_field() {
        let mut line = b"{\"a\":1}\n{\"b\":2}".to_vec();
        seal(&mut line, 8);
        assert_eq!(line, b"{\"a\":1}\n{\"b\":2,\"crc32\":\"2cbe023a\"}");
        assert!(is_whole(&line[8..]));
    }

    #[test]
    fn every_flipped_bit_of_what_was_sealed_is_seen() {
        let mut line = b"{\"evaluations\":4200,\"solved\":true}".to_vec();
        seal(&mut line, 0);
        for bit in 0..8 * (line.len() - LEN) {
            let mut flipped = line.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_whole(&flipped), "bit {bit}");
        }
    }

    #[test]
    fn a_line_without_a_checksum_is_taken_as_it_is() {
        for line in ["", "{}", "{\"evaluations\":4200,\"solved\":true}", "no object at all, and longer than a checksum"]
        {
            assert!(is_whole(line.as_bytes()), "{line}");
        }
    }
}

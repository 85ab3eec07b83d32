//! Checksums: the last field of a line is the CRC-32 of the text before this field. So a line with a changed bit is never read as another
//! result.
//!
//! Other people and programs may also write journals, without checksums. A file of our own processes has a session file beside it. In such
//! a file, a line without a checksum counts as damaged.

/// The text before the eight hexadecimal digits, and the text after the digits.
const BEFORE: &[u8] = b",\"crc32\":\"";
const AFTER: &[u8] = b"\"}";
const SEAL_LEN: usize = BEFORE.len() + 8 + AFTER.len();

/// Appends a checksum to the JSON object at the end of `line`, which begins at `start`.
pub(super) fn seal(line: &mut Vec<u8>, start: usize) {
    let brace = line.pop();
    debug_assert_eq!(brace, Some(b'}'), "a record is a JSON object");
    let digits = hexadecimal(crc32fast::hash(&line[start..]));
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(&digits);
    line.extend_from_slice(AFTER);
}

/// Whether the checksum of a line is correct; `None` if the line has no checksum.
pub(super) fn check(line: &[u8]) -> Option<bool> {
    let (content, seal) = line.split_at(line.len().checked_sub(SEAL_LEN)?);
    let digits = seal.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    Some(digits == hexadecimal(crc32fast::hash(content)))
}

/// The number in eight hexadecimal digits. The digits are computed for every line of a journal, and `format!` would take as much time as a
/// whole column.
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
        assert_eq!(check(&line[8..]), Some(true));
    }

    #[test]
    fn every_flipped_bit_of_what_was_sealed_is_seen() {
        let mut line = b"{\"evaluations\":4200,\"solved\":true}".to_vec();
        seal(&mut line, 0);
        for bit in 0..8 * line.len() {
            let mut flipped = line.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let is_content = bit < 8 * (line.len() - SEAL_LEN);
            assert_ne!(check(&flipped), Some(true), "bit {bit}");
            assert!(!is_content || check(&flipped) == Some(false), "bit {bit}");
        }
    }

    #[test]
    fn a_line_without_a_checksum_is_known() {
        for line in ["", "{}", "{\"evaluations\":4200,\"solved\":true}", "no object at all, and longer than a checksum"]
        {
            assert_eq!(check(line.as_bytes()), None, "{line}");
        }
    }
}

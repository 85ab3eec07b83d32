//! The build of the running program, which distinguishes compilations of the same version.

use std::fs::File;
use std::io::{self, Read};
use std::sync::OnceLock;

/// The number of bytes at the start of an executable in which the linker's note is searched.
const HEAD_SIZE: u64 = 1 << 16;

/// The bytes before the 20 bytes of a build id in an ELF file: the sizes of the name and the id, the type of the note, and its name.
const NOTE: &[u8] = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0";

/// The id of the running executable in hexadecimal digits: the build id of the linker, or the BLAKE3 hash of the file if there is no build
/// id. `None` if the executable cannot be read.
pub(crate) fn build_id() -> Option<&'static str> {
    static ID: OnceLock<Option<String>> = OnceLock::new();
    ID.get_or_init(|| identify(&mut File::open(std::env::current_exe().ok()?).ok()?).ok()).as_deref()
}

fn identify(program: &mut impl Read) -> io::Result<String> {
    let mut head = Vec::new();
    program.take(HEAD_SIZE).read_to_end(&mut head)?;
    // Reading a whole program with its debugging information would take tenths of a second.
    let note = head.windows(NOTE.len()).position(|bytes| bytes == NOTE);
    if let Some(id) = note.and_then(|at| head.get(at + NOTE.len()..at + NOTE.len() + 20)) {
        return Ok(id.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    program.read_to_end(&mut head)?;
    Ok(blake3::hash(&head).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_the_id_of_its_linker_or_that_of_all_its_bytes() {
        let linked = [b"\x7fELF..".as_slice(), NOTE, &[0xab; 20], b"code"].concat();
        assert_eq!(identify(&mut linked.as_slice()).expect("it is read"), "ab".repeat(20));
        let [one, other] = [b'a', b'b'].map(|last| {
            let mut bytes = vec![0; 100_000];
            bytes.push(last);
            identify(&mut bytes.as_slice()).expect("it is read")
        });
        assert_ne!(one, other);
        assert!(build_id().is_some_and(|id| id.len() >= 40));
    }
}

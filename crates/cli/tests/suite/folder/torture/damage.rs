//! Journals damaged in every way that a disk, a network or an editor can.

use std::fs;

use evogrid_core::random::RandomStream;

use super::{n_faults, random_stream, report};
use crate::test_folder::{TestFolder, number_before};

/// Damages a journal, and says how many of its lines may be lost by it.
type Damage = fn(&mut Vec<u8>, &mut RandomStream) -> usize;

const KINDS: [(&str, Damage); 7] = [
    ("torn last line", |bytes, random| {
        let last = bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(last + random.below(bytes.len() - last));
        1
    }),
    ("truncated anywhere", |bytes, random| {
        bytes.truncate(random.below(bytes.len()));
        usize::MAX
    }),
    ("flipped bits", |bytes, random| {
        let flips = 1 + random.below(20);
        for _ in 0..flips {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        // A flipped end of a line spoils the next line, too.
        2 * flips
    }),
    ("a block of zeros", |bytes, random| {
        let (start, len) = (random.below(bytes.len()), 1 + random.below(4096));
        let end = bytes.len().min(start + len);
        bytes[start..end].fill(0);
        usize::MAX
    }),
    ("a block of another file", |bytes, random| {
        let (start, len) = (random.below(bytes.len()), 1 + random.below(4096));
        let garbage: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
        bytes.splice(start..start, garbage);
        2
    }),
    ("lines repeated", |bytes, random| {
        let mut lines = lines(bytes);
        for _ in 0..20 {
            let line = lines[random.below(lines.len())].clone();
            lines.insert(random.below(lines.len()), line);
        }
        *bytes = lines.concat();
        0
    }),
    ("lines in another order", |bytes, random| {
        let mut lines = lines(bytes);
        for at in (1..lines.len()).rev() {
            lines.swap(at, random.below(at + 1));
        }
        *bytes = lines.concat();
        0
    }),
];

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn journals_damaged_at_random() {
    let n_faults = n_faults();
    let folder = TestFolder::new("[20, 60]", 6);
    folder.run(&["--out", "whole"]);
    let journal = &folder.journals("whole")[0];
    let whole = fs::read(journal).expect("a journal");
    // With a session file, each line needs its checksum. Without a session file, one flipped bit could hide that another is wrong.
    let session = fs::read(journal.with_extension("session.json")).expect("a session file");
    let n_runs = lines(&whole).len();
    for (name, damage) in KINDS {
        let mut random = random_stream(name);
        let mut done_again = 0;
        for number in 0..n_faults {
            let results = format!("{}-{number}", name.replace(' ', "-"));
            let mut damaged = whole.clone();
            let most = damage(&mut damaged, &mut random);
            fs::create_dir_all(folder.path(&results).join("journal")).expect("a folder");
            folder.write(folder.path(&results).join("journal/damaged.jsonl"), damaged);
            folder.write(folder.path(&results).join("journal/damaged.session.json"), &session);
            let messages = folder.run(&["--out", &results]);
            let done = n_runs - number_before(&messages, " found in the journal");
            assert!(done <= most.min(n_runs), "{name}: {done} runs were done again: {messages}");
            assert_eq!(folder.rows(&results), folder.rows("whole"), "{name}");
            done_again += done;
        }
        let found = format!("{done_again} of {} runs done again", n_faults * n_runs);
        report(&format!("journal: {name}"), &format!("{n_faults} times"), &found);
    }
}

//! Disks that fill up or become read-only, on a small file system in memory. Mounting one takes root's rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{n_faults, random_stream, report};
use crate::test_folder::{TestFolder, number_before, report_at_end};

/// A file system in memory, of a size that can be changed; unmounted when dropped.
struct Disk(PathBuf);

impl Disk {
    /// Mounts one; `None`, with the reason told, where that cannot be done.
    fn mount(folder: &Path, kilobytes: usize) -> Option<Self> {
        fs::create_dir_all(folder).expect("a folder");
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder.to_owned())),
            Ok(output) => {
                println!("skipped: no tmpfs can be mounted here: {}", String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(error) => {
                println!("skipped: `mount` cannot be run here: {error}");
                None
            }
        }
    }

    fn remount(&self, options: &str) {
        let status = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status();
        assert!(status.expect("mount runs").success(), "the disk can be changed");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// The number of runs that a message says are safe.
fn n_safe(messages: &str) -> usize {
    let words = if messages.contains(" finished runs ") { " finished runs " } else { " finished run " };
    number_before(messages, words)
}

#[test]
fn a_disk_that_fills_up() {
    let (n_faults, mut random) = (n_faults(), random_stream("a disk that fills up"));
    let folder = TestFolder::new("[20, 60]", 20);
    folder.run(&["--out", "whole"]);
    let (mut while_running, mut while_making_files) = (0, 0);
    for number in 0..n_faults {
        // The journal of all runs takes some 290 kB, the files another 40.
        let Some(disk) = Disk::mount(&folder.path(format!("disk-{number}")), 40 + random.below(290)) else { return };
        let out = format!("disk-{number}/results");
        let messages = folder.run_to(1, &["--out", &out]);
        assert!(messages.contains("No space left on device") && messages.contains("repeat the command"), "{messages}");
        if messages.contains("all runs are safe in the journal") {
            while_making_files += 1;
        } else {
            while_running += 1;
            assert_eq!(n_safe(&messages), folder.journal_lines(&out), "{messages}");
        }
        disk.remount("size=2m");
        let found = folder.run(&["--out", &out]);
        if messages.contains("finished run") {
            assert_eq!(number_before(&found, " found in the journal"), n_safe(&messages), "{messages}{found}");
        }
        assert_eq!(folder.rows(&out), folder.rows("whole"));
    }
    let done = format!("{n_faults} times: {while_running} during the runs, {while_making_files} while files were made");
    report(
        "a disk that fills up",
        &done,
        "the next command `run` found every run that the message had called safe, and did the missing runs",
    );
}

#[test]
fn a_folder_that_becomes_read_only() {
    let n_faults = n_faults().div_ceil(4);
    let folder = TestFolder::new("[500, 1000]", 20);
    folder.run(&["--out", "whole"]);
    for number in 0..n_faults {
        let Some(disk) = Disk::mount(&folder.path(format!("disk-{number}")), 4096) else { return };
        let out = format!("disk-{number}/results");
        disk.remount("ro");
        let messages = folder.run_to(1, &["--out", &out]);
        assert!(messages.contains("no run was started, and no data were lost"), "{messages}");
        disk.remount("rw");
        let child = folder.start_until(&out, 10, &["run", "test.toml", "--out", &out]);
        // A file system with a file open for writing cannot be made read-only: the runs go on to the journal that is open, and the
        // files, which are new, cannot be made.
        let busy = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk.0).output().expect("mount runs");
        assert!(!busy.status.success(), "it is busy");
        assert_eq!(report_at_end(child).0, Some(0));
        assert_eq!(folder.rows(&out), folder.rows("whole"));
    }
    report(
        "a folder that is read-only",
        &format!("{n_faults} times"),
        "the command was refused before any run. Later, in a writable folder, the runs were done",
    );
}

//! Disks that fill up or become read-only, on a small file system in memory. Mounting one takes root's rights.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::workshop::Workshop;
use super::{blows, chance, tell};

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

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the message says is safe.
fn safe(told: &str) -> usize {
    super::workshop::number_before(
        told,
        if told.contains(" finished runs ") { " finished runs " } else { " finished run " },
    )
}

#[test]
fn a_disk_that_fills_up() {
    let (blows, mut random) = (blows(), chance("a disk that fills up"));
    let workshop = Workshop::new("[20, 60]", 20);
    workshop.run(&["--out", "whole"]);
    let (mut while_running, mut while_making_files) = (0, 0);
    for blow in 0..blows {
        // The journal of all runs takes some 290 kB, the files another 40.
        let Some(disk) = Disk::mount(&workshop.path(&format!("disk-{blow}")), 40 + random.below(290)) else { return };
        let out = format!("disk-{blow}/results");
        let output = workshop.command(&["--out", &out]).output().expect("the runner runs");
        let told = told(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("No space left on device") && told.contains("give the same command again"), "{told}");
        if told.contains("all runs are safe in the journal") {
            while_making_files += 1;
        } else {
            while_running += 1;
            assert_eq!(safe(&told), workshop.journal_lines(&out), "{told}");
        }
        disk.remount("size=2m");
        let found = workshop.run(&["--out", &out]);
        if told.contains("finished run") {
            assert_eq!(super::workshop::number_before(&found, " found in the journal"), safe(&told), "{told}{found}");
        }
        assert_eq!(workshop.rows(&out), workshop.rows("whole"));
    }
    let done = format!("{blows} times: {while_running} in the middle, {while_making_files} while files were made");
    tell("a disk that fills up", &done, "what was said to be safe was found again, and the rest done");
}

#[test]
fn a_folder_that_becomes_read_only() {
    let blows = blows().div_ceil(4);
    let workshop = Workshop::new("[500, 1000]", 20);
    workshop.run(&["--out", "whole"]);
    for blow in 0..blows {
        let Some(disk) = Disk::mount(&workshop.path(&format!("disk-{blow}")), 4096) else { return };
        let out = format!("disk-{blow}/results");
        disk.remount("ro");
        let output = workshop.command(&["--out", &out]).output().expect("the runner runs");
        assert!(told(&output).contains("nothing was run and nothing lost"), "{}", told(&output));
        assert_eq!(output.status.code(), Some(1));
        disk.remount("rw");
        let child = workshop.command(&["--out", &out]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the runner starts");
        while workshop.journal_lines(&out) < 10 {
            sleep(Duration::from_millis(1));
        }
        // A file system with a file open for writing cannot be made read-only: the runs go on to the journal that is open, and the
        // files, which are new, cannot be made.
        let busy = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk.0).output().expect("mount runs");
        assert!(!busy.status.success(), "it is busy");
        assert!(child.wait_with_output().expect("it ends").status.success());
        assert_eq!(workshop.rows(&out), workshop.rows("whole"));
    }
    tell("a folder that is read-only", &format!("{blows} times"), "refused before any run; done once it was writable");
}

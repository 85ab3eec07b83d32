//! Files that appear whole, and what is opened.

use super::*;

/// The names in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_whole_and_nothing_else_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.csv");
    for text in ["old", "new"] {
        replace(&path, |output| Ok::<_, Box<dyn std::error::Error>>(output.write_all(text.as_bytes())?))
            .expect("a file");
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
    }
    assert_eq!(names(folder.path()), ["runs.csv"]);
}

#[test]
fn of_several_that_create_a_file_one_succeeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("manifest.json");
    let created: Vec<bool> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|number| {
                let path = &path;
                scope.spawn(move || {
                    let written = create(path, |output| {
                        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(write!(output, "{number}")?)
                    });
                    written.expect("a file").is_some()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(created.iter().filter(|&&created| created).count(), 1);
    assert!(created[text.parse::<usize>().expect("its number")]);
    assert_eq!(names(folder.path()), ["manifest.json"]);
}

#[test]
fn a_failure_or_a_panic_leaves_the_old_file_and_no_temporary_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.csv");
    fs::write(&path, "old").expect("a file");
    let assert_old = || {
        assert_eq!(fs::read_to_string(&path).expect("a file"), "old");
        assert_eq!(names(folder.path()), ["runs.csv"]);
    };
    let failed: Result<(), Box<dyn std::error::Error>> = replace(&path, |output| {
        output.write_all(b"half")?;
        Err("no more".into())
    });
    assert_eq!(failed.expect_err("it failed").to_string(), "no more");
    assert_old();
    let panicked = std::panic::catch_unwind(|| replace(&path, |_| -> Result<(), FileError> { panic!("a bug") }));
    assert!(panicked.is_err());
    assert_old();
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "text").expect("a file");
    open_regular(&path("file")).expect("it is one");
    assert!(is_regular(&path("file")).expect("it is one") && !is_regular(&path("none")).expect("there is nothing"));
    assert_eq!(open_regular(&path("none")).expect_err("there is nothing").kind(), ErrorKind::NotFound);
    let link = |name: &str, target: &str| std::os::unix::fs::symlink(target, path(name)).expect("a link");
    link("link", "file");
    link("dangling", "nothing");
    link("loop", "loop");
    link("device", "/dev/zero");
    let made = std::process::Command::new("mkfifo").arg(path("pipe")).status();
    assert!(made.expect("it starts").success());
    std::os::unix::net::UnixListener::bind(path("socket")).expect("a socket");
    fs::create_dir(path("folder")).expect("a folder");
    for (name, expected) in [
        ("link", "it is a link; "),
        ("dangling", "it is a link; "),
        ("loop", "it is a link; "),
        ("device", "it is a link; "),
        ("pipe", "it is a device, a pipe or a socket, "),
        ("socket", "it is a device, a pipe or a socket, "),
        ("folder", "it is a directory"),
    ] {
        let error = open_regular(&path(name)).expect_err(name).to_string();
        assert!(error.starts_with(expected), "{name}: {error}");
        is_regular(&path(name)).expect_err(name);
    }
}

#[test]
fn an_error_names_the_file() {
    let path = Path::new("/no/such/folder/runs.csv");
    let error = replace(path, |_| Ok::<_, FileError>(())).expect_err("no folder");
    assert_eq!(error.to_string(), "cannot create `/no/such/folder/runs.csv`");
}

//! Hostile git repositories: nothing that the configuration of a repository names is executed, and its revision is known all the same.
// What git is made to execute is a script of the shell.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::test_folder::TestFolder;

/// A way in which git can be made to execute a program.
struct Vector {
    name: &'static str,
    /// Whether `git status` and `git rev-parse`, which were asked once, execute it.
    is_live: bool,
    /// Prepares a repository, by commands of the shell; `$P` is the program.
    prepare: &'static str,
}

const VECTORS: [Vector; 13] = [
    Vector { name: "fsmonitor", is_live: true, prepare: "git config core.fsmonitor $P" },
    Vector {
        name: "include",
        is_live: true,
        prepare: "git config -f more core.fsmonitor $P; git config include.path ../more",
    },
    Vector {
        name: "conditional include",
        is_live: true,
        prepare: "git config -f more core.fsmonitor $P; git config includeIf.gitdir:/**.path ../more",
    },
    Vector {
        name: "configuration of a worktree",
        is_live: true,
        prepare: "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor $P",
    },
    Vector {
        name: "repository elsewhere",
        is_live: true,
        prepare: "git config core.fsmonitor $P; mv .git elsewhere; echo gitdir: elsewhere > .git",
    },
    Vector {
        name: "clean filter",
        is_live: true,
        prepare: "git config filter.f.clean $P; echo '*.csv filter=f' > .git/info/attributes; touch -t 200101010000 boards.csv",
    },
    Vector {
        name: "filter process",
        is_live: true,
        prepare: "git config filter.f.process $P; echo '*.csv filter=f' > .git/info/attributes; touch -t 200101010000 boards.csv",
    },
    Vector {
        name: "hook",
        is_live: true,
        prepare: "mkdir hooks; cp $P hooks/post-index-change; git config core.hooksPath hooks; touch -t 200101010000 boards.csv",
    },
    Vector {
        name: "missing object, fetched by a program",
        is_live: true,
        prepare: "git config core.repositoryFormatVersion 1; git config extensions.partialClone o; git config remote.o.promisor true; \
                  git config remote.o.url \"ext::$P\"; git config protocol.ext.allow always; \
                  t=$(git rev-parse HEAD^{tree}); rm -f .git/objects/${t%??????????????????????????????????????}/*",
    },
    Vector {
        name: "missing object, fetched by ssh",
        is_live: true,
        prepare: "git config core.repositoryFormatVersion 1; git config extensions.partialClone o; git config remote.o.promisor true; \
                  git config remote.o.url ssh://nowhere/x; git config core.sshCommand $P; \
                  t=$(git rev-parse HEAD^{tree}); rm -f .git/objects/${t%??????????????????????????????????????}/*",
    },
    Vector { name: "alias", is_live: false, prepare: "git config alias.status !$P; git config alias.rev-parse !$P" },
    Vector { name: "pager", is_live: false, prepare: "git config core.pager $P; git config pager.status $P" },
    Vector {
        name: "difference",
        is_live: false,
        prepare: "git config diff.external $P; git config diff.d.textconv $P; echo '*.csv diff=d' > .git/info/attributes",
    },
];

fn shell(folder: &Path, program: &Path, commands: &str) -> String {
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", commands]).current_dir(folder).env("P", program).output().expect("a shell");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn nothing_that_a_repository_names_is_executed() {
    for Vector { name, is_live, prepare } in VECTORS {
        let folder = TestFolder::new("[10]", 1);
        let (program, trace) = (folder.path("program"), folder.path("executed"));
        folder.script("program", &format!("touch {}; exit 1", trace.display()));
        folder.write(".gitignore", "");
        let commit = "git init -q . && git add test.toml boards.csv && \
                      git -c user.name=a -c user.email=b -c commit.gpgsign=false commit -qm x && git rev-parse HEAD";
        let revision = shell(&folder.path(""), &program, commit).trim().to_owned();
        assert_eq!(revision.len(), 40, "git is there");
        shell(&folder.path(""), &program, prepare);
        fs::remove_file(&trace).ok();
        for command in ["check", "plan", "run"] {
            folder.outputs(0, &[command, "test.toml", "--set", "budget.generations=1"]);
            assert!(!trace.exists(), "{name}: `{command}` executed it");
        }
        folder.outputs(0, &["verify", "results/test"]);
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.read("results/test/manifest.json")).expect("JSON");
        assert_eq!(manifest["repository"], serde_json::json!({ "revision": revision }), "{name}");
        assert!(!trace.exists(), "{name}");
        // The attack is one: git itself, asked as it was before, would have executed it.
        shell(&folder.path(""), &program, "git rev-parse HEAD; git status --porcelain --untracked-files=no");
        assert_eq!(trace.exists(), is_live, "{name}");
    }
}

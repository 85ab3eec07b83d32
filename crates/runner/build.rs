//! Tells the manifest of every experiment what the program was made of.

use std::env::var;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = Command::new(var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())).arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    println!("cargo::rustc-env=EVOGRID_RUSTC={compiler}");
    println!("cargo::rustc-env=EVOGRID_TARGET={}", var("TARGET").unwrap_or_default());
}

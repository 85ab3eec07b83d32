//! The command line, tried as whoever types it meets it: nearly every test starts the real binary in a temporary folder of its own.
//!
//! All of it is one program, whose tests run side by side in its threads: none changes the folder, the environment, the signal handlers
//! or the panic hook of the process. What has to is a program of its own beside this one, and says why.

mod experiment;
mod folder;
mod instances;
mod old_folders;
mod own_runner;
mod reference;
mod results;
mod test_folder;
mod wide_family;

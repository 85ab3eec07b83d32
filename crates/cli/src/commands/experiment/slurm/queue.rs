//! Slurm's own commands: the largest array of a cluster, and the submission of scripts.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, anyhow, bail};

/// The last index that an array may have on this cluster; `None` if Slurm is not available.
pub(super) fn last_index() -> Option<u64> {
    let output = Command::new("scontrol").args(["show", "config"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, size) =
        text.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "MaxArraySize")?;
    size.trim().parse::<u64>().ok()?.checked_sub(1)
}

/// Submits a script. With `after`, its job starts when that job has ended, successfully or not. Returns the id of the new job.
///
/// # Errors
/// If `sbatch` does not exist or reports an error.
pub(super) fn submit(script: &Path, after: Option<&str>) -> Result<String> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(after.map(|job| format!("--dependency=afterany:{job}"))).arg(script);
    let submitted = match command.output() {
        Ok(output) => job_id(&output),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(anyhow!("`sbatch` not found")),
        Err(error) => Err(error).context("`sbatch` does not start"),
    };
    submitted.with_context(|| format!("cannot submit {}", script.display()))
}

/// The id in the answer of `sbatch`: `ID`, or `ID;CLUSTER` if there are several clusters.
fn job_id(output: &Output) -> Result<String> {
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("{}", if message.trim().is_empty() { output.status.to_string() } else { message.trim().to_owned() });
    }
    let answer = String::from_utf8_lossy(&output.stdout);
    let id = answer.trim().split(';').next().unwrap_or_default();
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!(
            "`sbatch` answered `{}`, which is not a job id; check with `squeue --me` whether the job was submitted",
            answer.trim()
        );
    }
    Ok(id.to_owned())
}

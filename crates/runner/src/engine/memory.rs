//! Memory: estimates how much memory the runs of a plan need. This module also finds how much memory the process may use.

use std::cmp::Reverse;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use evogrid_core::family::Instance;

use crate::engine::progress::wrapped_line;
use crate::experiment::instance_list::ListedInstance;
use crate::experiment::plan::{Configuration, Plan, Run};
use crate::system::numbers::counted;
use crate::system::platform::memory_limits;

/// The time limit of the search for the configuration and the instance that need the most memory.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// The memory that the largest run of a plan needs.
#[derive(Debug)]
pub struct MemoryNeed {
    /// Bytes of one run.
    bytes: u64,
    /// The number of simultaneous runs.
    runs: u64,
    /// The algorithm and the varied settings of this run.
    configuration: String,
    /// Its instance.
    instance: String,
}

impl MemoryNeed {
    /// Returns the number of bytes that all simultaneous runs need together. Each run is assumed to need as much memory as the largest run.
    pub fn at_a_time(&self) -> u64 {
        self.bytes.saturating_mul(self.runs)
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, runs, configuration, instance } = self;
        write!(formatter, "{configuration} on {instance} needs about {} of memory per run", size(*bytes))?;
        if *runs > 1 {
            write!(formatter, ", {} for {} at a time", size(self.at_a_time()), counted(*runs, "run"))?;
        }
        Ok(())
    }
}

/// Warns if the runs of a plan need more memory than is available. Returns the needed memory, if it is known.
pub fn warn(plan: &Plan, jobs: usize) -> Option<MemoryNeed> {
    let need = need(plan, jobs)?;
    let (limit, whose) = limit()?;
    if need.at_a_time() > limit {
        let fewer = if need.bytes > limit { "" } else { "do fewer runs at a time (`--jobs`), " };
        wrapped_line(&format!(
            "warning: {need}, but {whose} is {}: {fewer}choose smaller settings, or provide more memory",
            size(limit)
        ));
    }
    Some(need)
}

/// Computes how many runs of the list `runs` fit into memory at the same time. Each run is assumed to need as much memory as the largest
/// run. The result is from 1 to `jobs`. Warns if the memory may not suffice for a single run.
pub fn jobs_that_fit(plan: &Plan, runs: &[Run], jobs: usize) -> usize {
    let needs = runs.iter().filter_map(|run| {
        let (_, instance) = plan.restore(run).ok()?;
        Some((instance.prepare(&plan.settings(run)).memory(&run.projection().search)?, run))
    });
    let Some(((bytes, run), (limit, whose))) = needs.max_by_key(|(bytes, _)| *bytes).zip(limit()) else { return jobs };
    if bytes > limit {
        let (run, instance) = (run.id, plan.instance(run).id);
        wrapped_line(&format!(
            "warning: {run} on {instance} needs about {} of memory, but {whose} is {}: the system may kill this \
             process; to avoid this, use `--sample 0`, which repeats no run",
            size(bytes),
            size(limit)
        ));
    }
    usize::try_from(limit / bytes.max(1)).map_or(jobs, |fitting| fitting.clamp(1, jobs.max(1)))
}

/// The memory that the largest run of a plan needs, as far as this was found within the time limit. Only searches that declare their need
/// of memory are considered.
fn need(plan: &Plan, jobs: usize) -> Option<MemoryNeed> {
    let deadline = Instant::now() + SEARCH_TIME;
    let instances = largest_instances(plan, deadline);
    let runs = plan.n_runs().min(jobs as u64);
    let needs = (0..plan.spec().algorithms.len()).flat_map(|algorithm| {
        instances.iter().filter_map(move |(id, family, instance)| {
            let (bytes, configuration) =
                largest_configuration((plan, algorithm), (*family, instance.as_ref()), deadline)?;
            Some(MemoryNeed { bytes, runs, configuration: name(plan, &configuration), instance: id.clone() })
        })
    });
    needs.max_by_key(|need| need.bytes)
}

/// For each family of problems, the instance with the longest text, with its id and the number of the family.
pub(crate) fn largest_instances(plan: &Plan, deadline: Instant) -> Vec<(String, usize, Box<dyn Instance>)> {
    let mut largest: Vec<ListedInstance<'_>> = Vec::new();
    for listed in plan.spec().instances.iter() {
        match largest.iter_mut().find(|other| other.problem == listed.problem) {
            Some(found) if found.content.len() < listed.content.len() => *found = listed,
            Some(_) => {}
            None => largest.push(listed),
        }
        if Instant::now() > deadline {
            break;
        }
    }
    let restore = |(family, listed): (usize, &ListedInstance<'_>)| {
        Some((listed.id.to_owned(), family, listed.restore(plan.catalogue()).ok()?.1))
    };
    // The instances are in the order in which their families first occur.
    largest.iter().enumerate().filter_map(restore).collect()
}

/// The maximum number of points of a design whose need is computed.
const POINTS_TRIED: u64 = 1000;

/// The configuration of an algorithm that needs the most memory on an instance of the family with this number, and the needed number of
/// bytes. The grid is not enumerated: on each axis, the point with the largest need of memory is chosen, with all other axes at their first
/// point.
fn largest_configuration(
    (plan, number): (&Plan, usize),
    (family, instance): (usize, &dyn Instance),
    deadline: Instant,
) -> Option<(u64, Configuration)> {
    let look = |points: &[usize]| {
        let configuration = plan.configuration_at(number, points)?;
        let projection = &configuration.projections[family];
        let bytes = instance.prepare(&projection.settings).memory(&projection.search)?;
        Some((bytes, configuration))
    };
    let algorithm = &plan.spec().algorithms[number];
    let spec = algorithm.spec();
    if !spec.designs.is_empty() {
        let numbers = (0..algorithm.n_configurations().min(POINTS_TRIED)).take_while(|_| Instant::now() <= deadline);
        return numbers.filter_map(|number| look(&algorithm.configuration(number))).max_by_key(|(bytes, _)| *bytes);
    }
    let mut points = vec![0; spec.axes.len()];
    let mut largest = look(&points);
    for (at, axis) in spec.axes.iter().enumerate() {
        let looked = (0..axis.points.len()).take_while(|_| Instant::now() <= deadline).filter_map(|point| {
            let mut varied = vec![0; spec.axes.len()];
            varied[at] = point;
            Some((point, look(&varied)?))
        });
        let most = looked.max_by_key(|(point, (bytes, _))| (*bytes, Reverse(*point)));
        let Some((point, found)) = most else { continue };
        points[at] = point;
        if largest.as_ref().is_none_or(|(bytes, _)| found.0 > *bytes) {
            largest = Some(found);
        }
    }
    look(&points).into_iter().chain(largest).max_by_key(|(bytes, _)| *bytes)
}

/// The name of a configuration in a message.
fn name(plan: &Plan, configuration: &Configuration) -> String {
    let varied = plan.varied().iter().zip(&configuration.varied).filter(|(_, value)| !value.is_empty());
    let varied: Vec<String> = varied.map(|(path, value)| format!("{path} = {value}")).collect();
    let of = if varied.is_empty() { String::new() } else { format!(" with {}", varied.join(", ")) };
    format!("`{}`{of}", configuration.algorithm)
}

/// The memory that this process may use, in bytes, with the name of the limit: the lowest limit that the system reports.
fn limit() -> Option<(u64, &'static str)> {
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    });
    let [address_space, data] = memory_limits();
    let limits = [
        (machine, "the memory of this machine"),
        (control_group(), "the memory limit of the control group of this process"),
        (address_space, "the memory limit of this process (`ulimit -v`)"),
        (data, "the memory limit of this process (`ulimit -d`)"),
    ];
    limits.into_iter().filter_map(|(limit, whose)| Some((limit?, whose))).min()
}

/// The lowest limit of this process's control groups, version 2 or 1.
fn control_group() -> Option<u64> {
    let groups = read("/proc/self/cgroup")?;
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return Vec::new(),
        };
        let folders = Path::new(path.trim_start_matches('/')).ancestors();
        // Without a limit, the file has no number, or a number that is larger than any memory.
        folders.filter_map(|folder| read(Path::new(root).join(folder).join(file))?.trim().parse().ok()).collect()
    });
    limits.min()
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// A number of bytes in a message: `35 MB`, `3.2 GB`.
fn size(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{} KB", bytes.div_ceil(1000)),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

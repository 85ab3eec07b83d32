//! The command line.

mod analysis;
mod columns;
mod experiments;
mod folders;
mod instances;
mod plot;
mod reference;
mod table;

use std::path::PathBuf;
use std::process::exit;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Options};
use evogrid_core::suggestion::nearest;

use evogrid_runner::engine::folder::session::{COMPILER, TARGET};
use evogrid_runner::engine::progress::line;
use evogrid_runner::system::program;

pub use analysis::AnalysisOptions;
pub use columns::ColumnOptions;
pub use experiments::{
    ExecutionArgs, ExperimentArgs, InitArgs, PlanArgs, RunArgs, SlurmArgs, SpaceArgs, SpaceStyle, TargetArgs,
    TargetStyle, TuneArgs,
};
pub use folders::{LiveArgs, MergeArgs, MissingArgs, ProgramArgs, ReplayArgs, VerifyArgs};
pub use instances::{GenerateArgs, InstanceArgs, RateArgs, RateFormat, SolveArgs};
pub use plot::{ChartFormat, ChartName, PlotArgs};
pub use reference::{ListArgs, ListFormat, Listed, SchemaFormat};
pub use table::{Format, TableArgs};

/// Version, revision, compiler, system and features, as `--version` says them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let [version, revision, features] = [env!("CARGO_PKG_VERSION"), env!("EVOGRID_REVISION"), env!("EVOGRID_FEATURES")];
    format!("{version} ({revision}; {COMPILER}; {TARGET}; {features})")
});

/// Parallel experiments on metaheuristics: one TOML file from question to chart
#[derive(Debug, Parser)]
#[command(name = "runner", display_name = "Evogrid", version, long_version = VERSION.as_str(), arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The description of the command line with the options of one family: `family` if the catalogue has it, otherwise the first family
    /// of the catalogue.
    pub fn with_families(catalogue: &Catalogue, family: Option<&str>) -> clap::Command {
        let named = family.and_then(|name| catalogue.family(name));
        match named.or_else(|| catalogue.families().next()) {
            Some(family) => instances::add_family(Self::command(), family),
            None => Self::command(),
        }
    }

    /// Reads the command line. For help and errors, the process ends here.
    pub fn read(arguments: Vec<std::ffi::OsString>, catalogue: &Catalogue) -> Self {
        let family = named_family(&arguments, catalogue);
        let command = Self::with_families(catalogue, family.map(|family| family.declaration().name));
        let is_bare = arguments.len() < 2;
        let matches = command.try_get_matches_from(arguments).unwrap_or_else(|mut error| {
            if is_bare && error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                line(&experiments::first_steps(catalogue));
                exit(error.exit_code());
            }
            mend_suggestion(&mut error);
            error.exit()
        });
        let mut cli = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let (Some(family), Some((_, matches))) = (family.or_else(|| catalogue.families().next()), matches.subcommand())
        else {
            return cli;
        };
        let reading = || -> Options {
            let given = instances::given(family.options(), matches);
            given.into_iter().filter_map(|(name, values)| Some((name.to_owned(), values.into_iter().next()?))).collect()
        };
        match &mut cli.command {
            Command::Solve(args) => args.instances.options = reading(),
            Command::Rate(args) => args.instances.options = reading(),
            Command::Generate(args) => {
                let options = family.generator().map(|generator| generator.options).unwrap_or_default();
                args.options = instances::given(options, matches);
            }
            _ => {}
        }
        cli
    }
}

/// Names that other programs have for an option, and what to do instead.
const OTHER_OPTIONS: [(&[&str], &str); 5] = [
    (&["resume", "continue"], "omit this option: finished runs are never repeated"),
    (
        &[
            "seed",
            "repetitions",
            "runs",
            "trials",
            "seconds",
            "time",
            "evaluations",
            "generations",
            "time-limit",
            "timeout",
        ],
        "write settings in the experiment file or with `--set`, for example `--set experiment.seed=3` or `--set \
         budget.seconds=1`",
    ),
    (
        &["threads", "j", "t", "cores", "cpus", "workers", "processes", "parallel", "n-jobs"],
        "expected `--jobs N`, the number of simultaneous runs",
    ),
    (&["dry-run", "n", "check", "validate"], "the commands `check` and `plan` do not start any run"),
    (&["o", "output", "output-dir", "outdir", "results"], "expected `--out DIR`, in the commands that write a folder"),
];

/// Mends what the parser suggests: for `--reuse` it suggests `--fresh`, which means the opposite, and it does not know the names that other
/// programs have for an option.
fn mend_suggestion(error: &mut clap::Error) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-').to_owned()),
        _ => None,
    };
    let is_experiment = |word: &String| word.ends_with(".toml");
    let tip = match (text(ContextKind::InvalidSubcommand).filter(is_experiment), text(ContextKind::InvalidArg)) {
        (Some(experiment), _) => Some(format!("to run it: `{} run {experiment}`", program::name())),
        (None, Some(given)) => {
            let suggested = text(ContextKind::SuggestedArg);
            if suggested.as_deref().is_some_and(|suggested| nearest(&given, [suggested]).is_some()) {
                return;
            }
            let known = OTHER_OPTIONS.iter().find(|(names, _)| names.contains(&given.as_str()));
            if known.is_none() && suggested.is_none() {
                return;
            }
            known.map(|(_, tip)| (*tip).to_owned())
        }
        _ => return,
    };
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Usage);
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// The family that a command line names. It is looked for before the arguments are parsed, since the options depend on it.
fn named_family<'c>(arguments: &[std::ffi::OsString], catalogue: &'c Catalogue) -> Option<&'c dyn Family> {
    let mut words = arguments.iter().filter_map(|word| word.to_str()).skip(1);
    if words.next()? == "generate" {
        return catalogue.family(words.next()?);
    }
    let mut is_next = false;
    let named = words.find_map(|word| {
        if is_next {
            return Some(word);
        }
        is_next = word == "--problem";
        word.strip_prefix("--problem=")
    });
    named.and_then(|name| catalogue.family(name))
}

/// What the runner can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a first experiment and its instances into this folder
    Init(InitArgs),
    /// Run an experiment, or what is left of it, and print its table
    Run(RunArgs),
    /// Race configurations of an algorithm's space, test the winner on other instances, and say which settings made the difference
    Tune(TuneArgs),
    /// Check an experiment and the files that it names, without running anything
    Check(ExperimentArgs),
    /// Say how many runs an experiment has and how long they will take
    Plan(PlanArgs),
    /// Show what external programs are given and may answer, or test them
    #[command(subcommand)]
    External(ExternalCommand),
    /// Write the space of an algorithm, and all that another tuner needs, as files of irace, SMAC3 or Optuna
    Space(SpaceArgs),
    /// Do one run for an algorithm configurator (irace, SMAC3, AClib), and print its cost
    Target(TargetArgs),
    /// Print the table of an experiment's results
    Table(TableArgs),
    /// Say which configuration is the best, by how much and how sure; or write every number as LaTeX commands for a text
    Answer(CompareArgs),
    /// Compare all pairs of configurations: effect sizes, intervals, tests, and a sentence for each pair
    Compare(CompareArgs),
    /// Say which configurations may be the best, what each varied setting does, and which depend on each other
    Effects(CompareArgs),
    /// Draw the charts of an experiment's results
    Plot(PlotArgs),
    /// Write results for other programs: IOHprofiler's readers, data frames
    Export(ExportArgs),
    /// Read results of other programs: folders of IOHprofiler become a file of runs
    Import(ImportArgs),
    /// List algorithms, operators, problems and presets with their parameters
    List(ListArgs),
    /// Make instances of a family of problems, as a CSV data set
    Generate(GenerateArgs),
    /// Solve one instance, with a live view if you like; or repeat one run of an experiment by its seed
    Solve(SolveArgs),
    /// Measure how difficult instances are, by their family's measures and by a reference search
    Rate(RateArgs),
    /// Write one HTML page with everything: tables, tests, charts, every instance
    Report(ReportArgs),
    /// Join the shards of an experiment, and say which runs are missing
    Merge(MergeArgs),
    /// Move runs that the experiment no longer has from the journal to a folder of their own
    Clean {
        /// A results folder
        #[arg(value_name = "DIR")]
        results: PathBuf,
        /// Move the runs without asking
        #[arg(long)]
        yes: bool,
    },
    /// Watch a results folder while its runs are done: progress, time left, failures
    Live(LiveArgs),
    /// Print which shards still have runs to do
    Missing(MissingArgs),
    /// Do one run of a results folder again, and say whether the outcome is the same
    Replay(ReplayArgs),
    /// Check a results folder: every row, every solution by independent code, and a sample of its runs done again
    Verify(VerifyArgs),
    /// Run the experiments of papers, and write a page that judges each claim
    Reproduce(ReproduceArgs),
    /// Write the scripts that run an experiment on a Slurm cluster, and submit them
    Slurm(SlurmArgs),
    /// Print the JSON schema of experiment files, with which editors complete and check them, or print their keys as a page
    Schema {
        /// How it is written
        #[arg(long, value_enum, default_value_t = SchemaFormat::Json)]
        format: SchemaFormat,
    },
    /// Print the shell completions of this command line
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual of this command line, one page for each command
    Man {
        /// Folder for the pages, one for each command; created if it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

/// What can be asked about external programs.
#[derive(Debug, Subcommand)]
pub enum ExternalCommand {
    /// Print the command, the standard input and a valid answer for one run of each program and family
    Show(ExperimentArgs),
    /// Start each program a few times, and say whether it keeps its seed and its limits, and whether its answers are true
    Test(ExperimentArgs),
}

/// Format of a command's tables.
#[derive(Clone, Copy, Debug, Args)]
pub struct TableOutput {
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format csv`: an apostrophe before every text that a spreadsheet would take for a formula
    #[arg(long)]
    pub safe_csv: bool,
}

/// The arguments of `answer`, `compare` and `effects`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results, and how they are shown.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// How it is written.
    #[command(flatten)]
    pub output: TableOutput,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A results folder, or a CSV with the columns of runs.csv; for ioh `algorithm`, `instance`, `solved` and `evaluations` are
    /// enough
    pub results: PathBuf,
    /// The names of its columns.
    #[command(flatten)]
    pub columns: ColumnOptions,
    /// How it is written
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// Folder to write, which must not exist yet; by default `RESULTS/ioh`, `RESULTS/parquet` or `RESULTS/csv`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Folders that IOHprofiler's logger wrote, or an export in its format; each with files `IOHprofiler_f*.json` in it or below
    #[arg(value_name = "IOHDIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder to write, which must not exist yet: runs.csv and trace.csv.gz; or a file `NAME.csv` for the runs alone
    #[arg(long, visible_alias = "output", value_name = "FOLDER_OR_CSV")]
    pub out: PathBuf,
}

/// Formats of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// For IOHanalyzer and iohinspector: a folder for each configuration, a function for each instance
    Ioh,
    /// runs.parquet and trace.parquet, with typed columns
    Parquet,
    /// runs.csv with our names of columns, commas and decimal points, and the types of its columns
    Csv,
}

/// The arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results, and how they are shown.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// File of the page; by default `report.html` in the results folder
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// The arguments of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Files of claims, one for each paper
    #[arg(value_name = "CLAIMS.toml", required = true)]
    pub claims: Vec<PathBuf>,
    /// Run the quick form: fewer runs, as the files of claims declare; its results are kept apart, in the folder `quick`
    #[arg(long)]
    pub quick: bool,
    /// File to write the page to; by default standard output
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
    /// Folder for the results of the experiments; each experiment has a folder in it
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Number of runs at a time; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

//! The command line.

mod analysis;
mod checks;
mod format;
mod init;
mod installation;
mod instances;
mod live;
mod plot;
mod reference;
mod run;
mod shards;
mod slurm;

use std::path::PathBuf;
use std::process::exit;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use evogrid_analysis::table;
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Options};
use evogrid_core::suggestion::nearest;

use evogrid_runner::engine::folder::session::{COMPILER, TARGET};
use evogrid_runner::engine::progress::line;

pub use analysis::AnalysisOptions;
pub use checks::{ProgramArgs, ReplayArgs, VerifyArgs};
pub use format::Format;
pub use init::InitArgs;
pub use installation::{CompletionsArgs, ManArgs};
pub use instances::{GenerateArgs, InstanceArgs, RateArgs, RateFormat, SolveArgs};
pub use live::LiveArgs;
pub use plot::{ChartFormat, ChartName, PlotArgs};
pub use reference::{ListArgs, ListFormat, Listed, SchemaArgs, SchemaFormat};
pub use run::{ExperimentArgs, PlanArgs, RunArgs};
pub use shards::{MergeArgs, MissingArgs};
pub use slurm::SlurmArgs;

/// Version, revision, compiler, system and features, as `--version` says them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let [version, revision, features] = [env!("CARGO_PKG_VERSION"), env!("EVOGRID_REVISION"), env!("EVOGRID_FEATURES")];
    format!("{version} ({revision}; {COMPILER}; {TARGET}; {features})")
});

/// Parallel experiments on metaheuristics: one TOML file from question to figure
#[derive(Debug, Parser)]
#[command(name = "runner", display_name = "Evogrid", version, long_version = VERSION.as_str(), arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The command line's description, with the options of the families in this catalogue; of `family` where it is one that the
    /// command line names, else of the first.
    #[must_use]
    pub fn with_families(catalogue: &Catalogue, family: Option<&str>) -> clap::Command {
        let named = family.and_then(|name| catalogue.family(name));
        match named.or_else(|| catalogue.families().next()) {
            Some(family) => instances::add_family(Self::command(), family),
            None => Self::command(),
        }
    }

    /// Reads the command line. Help and errors end the process.
    #[must_use]
    pub fn read(arguments: Vec<std::ffi::OsString>, catalogue: &Catalogue) -> Self {
        let family = named_family(&arguments, catalogue);
        let command = Self::with_families(catalogue, family.map(|family| family.declaration().name));
        let matches = command.try_get_matches_from(arguments).unwrap_or_else(|mut error| {
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                line(&init::first_steps(catalogue));
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

/// Takes out the suggestion of an option that was hardly meant: of `--reuse` the parser takes `--fresh` for a misspelling, which is
/// its opposite.
fn mend_suggestion(error: &mut clap::Error) {
    let (Some(ContextValue::String(given)), Some(ContextValue::String(suggested))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::SuggestedArg))
    else {
        return;
    };
    let name = |option: &str| option.trim_start_matches('-').to_owned();
    let given = name(given);
    if nearest(&given, [name(suggested).as_str()]).is_some() {
        return;
    }
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Usage);
    if ["reuse", "resume", "continue"].contains(&given.as_str()) {
        let tip = "finished runs are never repeated: leave the option out".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// The family that a command line names, looked for before its options are known: they depend on it.
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
    /// Check an experiment and all that it names, and do nothing
    Check(ExperimentArgs),
    /// Say how many runs an experiment has and how long they will take
    Plan(PlanArgs),
    /// Print the table of an experiment's results
    Table(TableArgs),
    /// Compare every two settings: effect sizes, intervals, tests, and a sentence for each
    Compare(CompareArgs),
    /// Draw the charts of an experiment's results
    Plot(PlotArgs),
    /// Write results for other programs: IOHprofiler's readers, data frames
    Export(ExportArgs),
    /// List algorithms, operators, problems and presets with their parameters
    List(ListArgs),
    /// Make instances of a family of problems, as a CSV data set
    Generate(GenerateArgs),
    /// Solve one instance, watched if you like; or repeat one run of an experiment by its seed
    Solve(SolveArgs),
    /// Say how difficult instances are, by measures of their family and by a reference search
    Rate(RateArgs),
    /// Write one HTML page with everything: tables, tests, charts, every instance
    Report(ReportArgs),
    /// Join the shards of an experiment, and say what is missing
    Merge(MergeArgs),
    /// Watch a results folder while its runs are done: how far, how long, what failed
    Live(LiveArgs),
    /// Print which shards have runs left to do
    Missing(MissingArgs),
    /// Do one run of a results folder again, and say whether it comes out the same
    Replay(ReplayArgs),
    /// Check a results folder: every row, every solution by other code, and a sample of its runs done again
    Verify(VerifyArgs),
    /// Try what papers claim, and write a page that says of each claim whether it holds
    Reproduce(ReproduceArgs),
    /// Write the scripts that run an experiment on a Slurm cluster, and submit them
    Slurm(SlurmArgs),
    /// Print the JSON schema of experiment files, for editors that complete and check; or their keys as a page
    Schema(SchemaArgs),
    /// Print what a shell needs to complete this command line
    Completions(CompletionsArgs),
    /// Write the manual of this command line, a page a command
    Man(ManArgs),
}

/// How a table is printed.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Results, and how they are looked at.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// How it is laid out
    #[arg(long, value_enum, default_value_t = Layout::Buckets)]
    pub layout: Layout,
    /// How it is written.
    #[command(flatten)]
    pub output: TableOutput,
}

/// How the tables of a command are written.
#[derive(Clone, Copy, Debug, Args)]
pub struct TableOutput {
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format csv`: an apostrophe before every text that a spreadsheet would take for a formula
    #[arg(long)]
    pub safe_csv: bool,
}

/// What is compared.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Results, and how they are looked at.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// How it is written.
    #[command(flatten)]
    pub output: TableOutput,
}

/// What is exported.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A results folder, or a CSV with the columns of runs.csv; for ioh `algorithm`, `instance`, `solved` and `evaluations` are
    /// enough
    pub results: PathBuf,
    /// How it is written
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// A folder that is not there yet; `RESULTS/ioh` or `RESULTS/parquet` unless given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Formats of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// For IOHanalyzer and iohinspector: a folder for each configuration, a function for each instance
    Ioh,
    /// runs.parquet and trace.parquet, with typed columns
    Parquet,
}

/// Layouts of a table.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Layout {
    /// A block for each configuration, a row for each bucket
    Buckets,
    /// A row for each configuration and bucket, with every column
    Long,
}

impl From<Layout> for table::Layout {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Buckets => table::Layout::Buckets,
            Layout::Long => table::Layout::Long,
        }
    }
}

/// What is reported.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Results, and how they are looked at.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// The page; `report.html` in the folder unless given
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// Which claims are tried.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Files of claims, one a paper
    #[arg(value_name = "CLAIMS.toml", required = true)]
    pub claims: Vec<PathBuf>,
    /// The quick form: fewer runs, as the files of claims say; its results stand apart, in the folder `quick`
    #[arg(long)]
    pub quick: bool,
    /// Write the page to this file; to standard output unless given
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
    /// Folder for the results of the experiments, a folder for each
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

//! The arguments of the command line.

mod analysis;
mod experiments;
mod folders;
mod instances;
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
use evogrid_runner::experiment::shard::MAX_SHARDS;
use evogrid_runner::system::program;

pub use analysis::{AnalysisOptions, ColumnOptions};
pub use experiments::{
    ExecutionArgs, ExperimentArgs, InitArgs, PlanArgs, RunArgs, SlurmArgs, SpaceArgs, SpaceStyle, TargetArgs,
    TargetStyle, TuneArgs,
};
pub use folders::{LiveArgs, MergeArgs, ProgramArgs, ReplayArgs, VerifyArgs};
pub use instances::{GenerateArgs, InstanceArgs, RateArgs, RateFormat, SolveArgs};
pub use table::{ChartFormat, ChartName, Format, Layout, PlotArgs, TableArgs};

/// The text of `--version`: version, revision, compiler, system and features.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let [version, revision, features] = [env!("CARGO_PKG_VERSION"), env!("EVOGRID_REVISION"), env!("EVOGRID_FEATURES")];
    format!("{version} ({revision}; {COMPILER}; {TARGET}; {features})")
});

/// Parallel experiments on metaheuristics: one TOML file describes one experiment
#[derive(Debug, Parser)]
#[command(name = "runner", display_name = "Evogrid", version, long_version = VERSION.as_str(), arg_required_else_help = true)]
pub struct Cli {
    /// The command to execute.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Describes the command line with the options of the family named `family`. If no family has this name, the first family of the
    /// catalogue is used.
    pub fn with_families(catalogue: &Catalogue, family: Option<&str>) -> clap::Command {
        let named = family.and_then(|name| catalogue.family(name));
        match named.or_else(|| catalogue.families().next()) {
            Some(family) => instances::add_family(Self::command(), family),
            None => Self::command(),
        }
    }

    /// Reads the command line. Ends the process after printing help or an error.
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

/// Corrects the suggestions of the parser. For `--reuse` the parser suggests `--fresh`, which means the opposite. The parser also does not
/// know the option names of other programs.
fn mend_suggestion(error: &mut clap::Error) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-').to_owned()),
        _ => None,
    };
    let is_experiment = |word: &String| word.ends_with(".toml");
    let tip = match (text(ContextKind::InvalidSubcommand).filter(is_experiment), text(ContextKind::InvalidArg)) {
        (Some(experiment), _) => Some(format!("to run this experiment: `{} run {experiment}`", program::name())),
        (None, Some(given)) => {
            let suggested = text(ContextKind::SuggestedArg);
            if suggested.as_deref().is_some_and(|suggested| nearest(&given, [suggested]).is_some()) {
                return;
            }
            // Each line has option names of other programs, and a hint that says what to write instead.
            let mut others =
                include_str!("arguments/other_options.txt").lines().filter_map(|line| line.split_once(": "));
            let known = others.find(|(names, _)| names.split(' ').any(|name| name == given));
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

/// Finds the family that is named on the command line. This happens before the arguments are parsed, since the options depend on the
/// family.
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

/// The commands of the runner.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a first experiment and its instances into this folder
    Init(InitArgs),
    /// Do the missing runs of an experiment, and print its table
    Run(RunArgs),
    /// Race configurations, test the winner on other instances, and show which settings mattered
    Tune(TuneArgs),
    /// Check an experiment and its files without starting a run
    Check(ExperimentArgs),
    /// Print the number of runs of an experiment, and estimate how long they take
    Plan(PlanArgs),
    /// Show what an external program reads and what it may answer, or test external programs
    #[command(subcommand)]
    External(ExternalCommand),
    /// Write the space of an algorithm as files for another tuner: irace, SMAC3 or Optuna
    Space(SpaceArgs),
    /// Do one run for a configurator (irace, SMAC3, AClib), and print its cost
    Target(TargetArgs),
    /// Print the table of an experiment's results
    Table(TableArgs),
    /// Say which configuration is the best, or print numbers as LaTeX commands
    Answer(CompareArgs),
    /// Compare all pairs of configurations: effect size, interval, test, and the result in one sentence
    Compare(CompareArgs),
    /// Show the configurations that may be the best, and the effects and interactions of the settings
    Effects(CompareArgs),
    /// Draw the charts of an experiment's results
    Plot(PlotArgs),
    /// Write results for other programs, such as IOHanalyzer or data frame libraries
    Export(ExportArgs),
    /// Convert result folders of IOHprofiler into a file of runs
    Import {
        /// Folders that the logger of IOHprofiler wrote, or an export in the same format. Each folder contains files `IOHprofiler_f*.json`,
        /// possibly in subfolders
        #[arg(value_name = "IOHDIR", required = true)]
        folders: Vec<PathBuf>,
        /// Folder to create for runs.csv and trace.csv.gz; it must not exist. If the name is `NAME.csv`, the runs are written to this file,
        /// and no trace is written
        #[arg(long, visible_alias = "output", value_name = "FOLDER_OR_CSV")]
        out: PathBuf,
    },
    /// List algorithms, operators, problems and presets with their parameters
    List(ListArgs),
    /// Generate instances of a problem family as a CSV data set
    Generate(GenerateArgs),
    /// Solve one instance, or use a seed to repeat one run of an experiment
    Solve(SolveArgs),
    /// Rate the difficulty of instances with their family's measures and a reference search
    Rate(RateArgs),
    /// Write one HTML page with all tables, tests, charts and instances
    Report(ReportArgs),
    /// Join the shards of an experiment, and report missing runs
    Merge(MergeArgs),
    /// Move runs from the journal to another folder if they no longer belong to the experiment
    Clean {
        /// A results folder
        #[arg(value_name = "DIR")]
        results: PathBuf,
        /// Move the runs without asking
        #[arg(long)]
        yes: bool,
    },
    /// Show the state of a running experiment: progress, time left, failures
    Live(LiveArgs),
    /// Print the shards that still have runs to do
    Missing {
        /// Results folders of one experiment
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// Number of shards of the experiment
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SHARDS))]
        shards: u64,
    },
    /// Repeat one run of a results folder, and compare the outcomes
    Replay(ReplayArgs),
    /// Check a results folder's rows, check all solutions with independent code, and repeat some runs
    Verify(VerifyArgs),
    /// Run the experiments that test the claims of papers, and write a page with verdicts
    Reproduce(ReproduceArgs),
    /// Write scripts for an experiment on a Slurm cluster; submit them on request
    Slurm(SlurmArgs),
    /// Print the JSON schema of experiment files, or the keys as a page
    Schema {
        /// Format of the output
        #[arg(long, value_enum, default_value_t = SchemaFormat::Json)]
        format: SchemaFormat,
    },
    /// Print a script with which a shell completes commands and options
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual of this command line, one page for each command
    Man {
        /// Folder for the pages, one per command; created if missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

/// The commands about external programs.
#[derive(Debug, Subcommand)]
pub enum ExternalCommand {
    /// For each program and family, print an example: a run's command, its standard input and a valid answer
    Show(ExperimentArgs),
    /// Start each program a few times, and check its seed, limits and answers
    Test(ExperimentArgs),
}

/// The format of the tables that a command prints.
#[derive(Clone, Copy, Debug, Args)]
pub struct TableOutput {
    /// Format of the output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// In a CSV, write an apostrophe before texts that spreadsheets would read as formulas. This option works only with `--format csv`
    #[arg(long)]
    pub safe_csv: bool,
}

/// The arguments of `answer`, `compare` and `effects`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results, and the options of the analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// The format of the output.
    #[command(flatten)]
    pub output: TableOutput,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A results folder, or a CSV with the columns of runs.csv. The format `ioh` needs only the columns `algorithm`, `instance`, `solved`
    /// and `evaluations`
    pub results: PathBuf,
    /// The headers of the columns.
    #[command(flatten)]
    pub columns: ColumnOptions,
    /// Format of the output
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// Folder to create; it must not exist. By default `RESULTS/ioh`, `RESULTS/parquet` or `RESULTS/csv`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Formats of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// For IOHanalyzer and iohinspector. Each configuration is a folder, and each instance is a function
    Ioh,
    /// runs.parquet and trace.parquet, with typed columns
    Parquet,
    /// runs.csv with the column names of Evogrid. Commas separate the columns, and numbers have decimal points. A second file contains the
    /// types of the columns
    Csv,
}

/// The arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results, and the options of the analysis.
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Write the page to this file; by default the file is `report.html` in the results folder
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// The arguments of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Files of claims, one file for each paper
    #[arg(value_name = "CLAIMS.toml", required = true)]
    pub claims: Vec<PathBuf>,
    /// Run the quick form of the experiments, which has fewer runs. The files of claims contain the settings for this quick form of the
    /// experiments. The results go to the folder `quick`
    #[arg(long)]
    pub quick: bool,
    /// Write the page to this file; by default the page is printed
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
    /// Folder for the results of the experiments. Each experiment has a subfolder
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Number of simultaneous runs; by default the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Part of the catalogue; by default all parts
    #[arg(value_enum)]
    pub what: Option<Listed>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
}

/// The parts of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Search algorithms
    Algorithms,
    /// Operators by category
    Operators,
    /// Problem families
    Problems,
    /// Published settings
    Presets,
}

/// Formats of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For the terminal
    Text,
    /// A reference page
    Markdown,
}

/// Formats of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A JSON schema, draft 2020-12
    Json,
    /// The keys of an experiment file as a reference page
    Markdown,
}

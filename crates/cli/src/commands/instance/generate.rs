//! `runner generate`: generates instances of a family as a data set.

use anyhow::{Context, Result};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{GeneratedInstance, OptionError};
use rayon::prelude::*;

use crate::arguments::GenerateArgs;
use crate::commands::arguments::{family, jobs};
use crate::messages::{UsageError, bar, print};

/// Generates instances on all cores and prints them as a data set.
pub(crate) fn generate(args: &GenerateArgs, catalogue: &Catalogue) -> Result<()> {
    let family = family(args.family.as_deref(), catalogue)?;
    let name = family.declaration().name;
    let generator =
        family.generator().ok_or_else(|| UsageError(format!("the problem `{name}` has no instance generator")))?;
    let refused = |OptionError { message, expected, .. }: OptionError| {
        UsageError(if expected.is_empty() { message } else { format!("{message}\n  {expected}") })
    };
    let request = (generator.request)(&args.options, args.count as usize, args.seed).map_err(refused)?;
    let noun = family.noun();
    let progress = bar(
        request.n_instances as u64,
        &format!("{{wide_bar}} {{human_pos}}/{{human_len}} {noun}s, {{eta_precise}} left"),
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs(args.jobs)).build().context("cannot start threads")?;
    let made: Result<Vec<GeneratedInstance>, OptionError> = pool.install(|| {
        let make = |number: usize| {
            let instance = request.make(number);
            progress.inc(1);
            instance
        };
        // Slow instances are neighbours, so threads take instances one by one.
        (0..request.n_instances).into_par_iter().with_max_len(1).map(make).collect()
    });
    progress.finish_and_clear();
    Ok(print(&data_set(&made.map_err(refused)?)?)?)
}

/// Writes the instances as a CSV. A column is omitted if all rows have its default.
fn data_set(made: &[GeneratedInstance]) -> Result<String> {
    let names = made.first().map(|first| first.fields.iter().map(|field| field.column)).into_iter().flatten();
    let says_something = |column: usize| {
        let field = |instance: &GeneratedInstance| {
            let field = &instance.fields[column];
            field.default != Some(field.value.as_str())
        };
        made.iter().any(field)
    };
    let columns: Vec<(usize, &str)> = names.enumerate().filter(|(column, _)| says_something(*column)).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["id", "bucket"].into_iter().chain(columns.iter().map(|(_, name)| *name)))?;
    for instance in made {
        let fields = columns.iter().map(|&(column, _)| instance.fields[column].value.as_str());
        writer.write_record([instance.id.as_str(), &instance.bucket].into_iter().chain(fields))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

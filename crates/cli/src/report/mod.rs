//! The report: one HTML file with all results. The report works offline and sends no data.
//!
//! The numbers of each bucket and metric that the page can show are computed here and stored in the page as JSON. The script of the page
//! chooses among these numbers, sorts and draws them, and counts the runs that pass a filter. It estimates nothing. Text from data files
//! cannot become code: no text in the JSON can end its script element, and the script sets text, never HTML.

mod charts;
mod data;
mod instance_figures;
mod journal;
mod view;

use anyhow::{Context, Result};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_results::files::replace;
use serde_json::{Value, json};

use crate::arguments::ReportArgs;
use crate::messages::{print, rendered};
use crate::opened::{Needs, OpenedResults};

/// The place of the data in the page. The template does not get the data, which may be large, because it would copy them.
const DATA: &str = "{the data of the page}";
const SCRIPTS: [&str; 8] = [
    include_str!("page/dom.js"),
    include_str!("page/state.js"),
    include_str!("page/tables.js"),
    include_str!("page/answer.js"),
    include_str!("page/race.js"),
    include_str!("page/charts.js"),
    include_str!("page/instances.js"),
    include_str!("page/page.js"),
];

/// Executes `runner report`: writes the page of a results folder or a CSV, and prints the path of the page.
pub(crate) fn report(args: &ReportArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.need_out(args.out.as_deref())?;
    let opened = OpenedResults::open(&args.analysis, Needs::Report, catalogue)?;
    let own =
        || if opened.path.is_dir() { opened.path.join("report.html") } else { opened.path.with_extension("html") };
    let out = args.out.clone().unwrap_or_else(own);
    let (title, text) = {
        let data = data::report_data(&opened)?;
        (data.title.clone(), serde_json::to_string(&data).context("the report's data cannot be written")?)
    };
    // The JSON has `<` only in strings. Written as an escape, it cannot end the script element.
    let text = if text.contains('<') { text.replace('<', "\\u003c") } else { text };
    let (first, others) = SCRIPTS.split_at(1);
    let values = json!({
        "title": title,
        "style": include_str!("page/page.css"),
        "vega": evogrid_render::VEGA,
        "vega_lite": evogrid_render::VEGA_LITE,
        "vega_embed": evogrid_render::VEGA_EMBED,
        "data": DATA,
        "script": first.concat() + &family_drawings(opened.catalogue) + &others.concat(),
    });
    let page = rendered!("page/page.html", values);
    let (before, after) = page.split_once(DATA).expect("the page contains the placeholder of the data");
    replace(&out, |output| -> Result<()> {
        Ok([before, &text, after].into_iter().try_for_each(|part| output.write_all(part.as_bytes()))?)
    })?;
    Ok(print(&format!("{}\n", out.display()))?)
}

/// The functions that draw instances of each family, as one object of the script.
fn family_drawings(catalogue: &Catalogue) -> String {
    let drawing = |family: &dyn Family| {
        let name = Value::from(family.declaration().name);
        family.drawing().map(|function| format!("{name}: {},\n", function.trim_end()))
    };
    format!("const familyDrawings = {{\n{}}};\n", catalogue.families().filter_map(drawing).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_script_ends_itself_or_estimates() {
        assert!(!SCRIPTS.concat().contains("</script"), "a script would end itself");
        assert!(!SCRIPTS.concat().contains("Math.sqrt"), "the page estimates nothing");
    }
}

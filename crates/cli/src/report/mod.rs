//! The report: one HTML file that holds everything, works offline and sends nothing anywhere.
//!
//! All numbers are computed here, for each bucket and metric that the page can show, and stand in it as JSON; its script chooses among them,
//! sorts and draws them, and counts the runs that a filter leaves; it estimates nothing. Text from data files reaches the page as text only: the JSON cannot end its script element, and the script
//! sets text, never HTML.

mod charts;
mod data;
mod instance_figures;
mod journal;
mod race;
mod view;

use anyhow::{Context, Result};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use serde_json::Value;

use crate::messages::html::{escaped, filled};
use crate::opened::OpenedResults;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
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

/// The page.
///
/// # Errors
/// If the page would be too large, or the runs do not have a key of `--by`.
pub fn page(opened: &OpenedResults<'_>) -> Result<String> {
    let (title, text) = {
        let data = data::report_data(opened)?;
        (data.title.clone(), serde_json::to_string(&data).context("the report's data cannot be written")?)
    };
    // In JSON `<` can stand in strings only, where it may be written so: then no text ends the script element.
    let text = if text.contains('<') { text.replace('<', "\\u003c") } else { text };
    let (first, others) = SCRIPTS.split_at(1);
    let script = first.concat() + &family_drawings(opened.catalogue) + &others.concat();
    let parts = [
        ("{{title}}", escaped(&title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{vega}}", evogrid_render::VEGA.to_owned()),
        ("{{vega-lite}}", evogrid_render::VEGA_LITE.to_owned()),
        ("{{vega-embed}}", evogrid_render::VEGA_EMBED.to_owned()),
        ("{{data}}", text),
        ("{{script}}", script),
    ];
    Ok(filled(PAGE, &parts))
}

/// The functions with which families draw their instances, as one object of the script.
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
    fn every_mark_of_the_page_is_known() {
        let marks = ["{{title}}", "{{style}}", "{{vega}}", "{{vega-lite}}", "{{vega-embed}}", "{{data}}", "{{script}}"];
        assert_eq!(PAGE.matches("{{").count(), marks.len());
        assert!(marks.iter().all(|mark| PAGE.contains(mark)));
        assert!(!SCRIPTS.concat().contains("</script"), "a script would end itself");
        assert!(!SCRIPTS.concat().contains("Math.sqrt"), "the page estimates nothing");
    }
}
